#!/usr/bin/env python3
"""Reads a runner's output and prints `PASSED FAILED`: nextest, cargo-doc, vitest or node.

    python scripts/count_tests.py RUNNER FILE

A file without a summary counts as `0 0`: check.sh then goes by the exit code.
"""

import json
import re
import sys
from pathlib import Path


def count_nextest(text: str) -> tuple:
    lines = re.findall(r"Summary \[.*?\]\s+(\d+)(?:/\d+)? tests? run: (\d+) passed", text)
    run = sum(int(line[0]) for line in lines)
    passed = sum(int(line[1]) for line in lines)
    return passed, run - passed


def count_cargo_doc(text: str) -> tuple:
    results = re.findall(r"test result: \w+\. (\d+) passed; (\d+) failed", text)
    return sum(int(found[0]) for found in results), sum(int(found[1]) for found in results)


def count_vitest(text: str) -> tuple:
    report = json.loads(text)
    return report["numPassedTests"], report["numFailedTests"]


def count_node(text: str) -> tuple:
    def total(word):
        return sum(int(n) for n in re.findall(rf"^(?:#|ℹ) {word} (\d+)\s*$", text, re.MULTILINE))

    return total("pass"), total("fail") + total("cancelled")


COUNT = {
    "nextest": count_nextest,
    "cargo-doc": count_cargo_doc,
    "vitest": count_vitest,
    "node": count_node,
}


def main() -> None:
    runner, path = sys.argv[1:]
    try:
        text = re.sub(r"\x1b\[[0-9;]*m", "", Path(path).read_text("utf-8", "replace"))
        passed, failed = COUNT[runner](text)
    except (OSError, ValueError, KeyError):
        passed, failed = 0, 0
    print(passed, failed)


if __name__ == "__main__":
    main()
