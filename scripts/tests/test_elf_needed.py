"""What is promised of a library that no longer needs others: it loads, and nothing else changed."""

import struct
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import elf_needed

BASE = 0x1000
STRINGS = b"\0libkept.so\0libgone.so\0libc.so\0"
KEPT, GONE, C = (STRINGS.index(name) for name in (b"libkept", b"libgone", b"libc.so"))


def library(needed, versions, flags=()):
    """A file with only what matters: headers, a dynamic section, needed versions and strings."""
    dynamic_at = 64 + 2 * 56
    dynamic_length = 16 * (len(needed) + len(flags) + 4)
    versions_at = dynamic_at + dynamic_length
    strings_at = versions_at + 16 * len(versions)
    entries = [(elf_needed.DT_NEEDED, name) for name in needed]
    entries += [(elf_needed.DT_STRTAB, BASE + strings_at), *flags]
    if versions:
        entries += [
            (elf_needed.DT_VERNEED, BASE + versions_at),
            (elf_needed.DT_VERNEEDNUM, len(versions)),
        ]
    entries += [(0, 0)] * (dynamic_length // 16 - len(entries))
    total = strings_at + len(STRINGS)
    header = b"\x7fELF\x02\x01".ljust(32, b"\0") + struct.pack("<Q", 64)
    header = header.ljust(54, b"\0") + struct.pack("<HH", 56, 2)
    header = header.ljust(64, b"\0")
    load = struct.pack("<IIQQQQQQ", 1, 0, 0, BASE, BASE, total, total, 0)
    dynamic = struct.pack("<IIQQQQQQ", 2, 0, dynamic_at, BASE + dynamic_at, 0, dynamic_length, 0, 0)
    chain = b"".join(
        struct.pack("<HHIII", 1, 0, name, 0, 16 if number + 1 < len(versions) else 0)
        for number, name in enumerate(versions)
    )
    return header + load + dynamic + b"".join(struct.pack("<QQ", *e) for e in entries) + chain + STRINGS


def read(data):
    """The names of the needed libraries and of those with needed versions."""
    name = lambda at: STRINGS[at : STRINGS.index(b"\0", at)].decode()
    parsed = elf_needed._Library(data)
    values = dict(parsed.entries)
    needed = [name(value) for tag, value in parsed.entries if tag == elf_needed.DT_NEEDED]
    versions = []
    if elf_needed.DT_VERNEED in values:
        place = parsed.offset(values[elf_needed.DT_VERNEED])
        for _ in range(values[elf_needed.DT_VERNEEDNUM]):
            _, _, at, _, following = struct.unpack_from("<HHIII", data, place)
            versions.append(name(at))
            place += following
    return needed, versions


def is_gone(name):
    return name.startswith("libgone")


class AnElfLibrary(unittest.TestCase):
    def test_it_needs_only_what_was_kept(self):
        for versions in ([GONE, KEPT, C], [KEPT, GONE, C], [KEPT, C, GONE], [KEPT, C]):
            with self.subTest(versions=versions):
                changed = elf_needed.without_needed(library([KEPT, GONE, C], versions), is_gone)
                self.assertEqual(read(changed), (["libkept.so", "libc.so"], ["libkept.so", "libc.so"]))

    def test_its_size_stays(self):
        before = library([GONE, KEPT], [GONE])
        after = elf_needed.without_needed(before, is_gone)
        self.assertEqual((len(after), read(after)), (len(before), (["libkept.so"], [])))

    def test_one_that_binds_at_once_is_refused(self):
        for flag in ((24, 0), (30, 8), (0x6FFFFFFB, 1)):
            with self.assertRaises(elf_needed.NotPatchable):
                elf_needed.without_needed(library([GONE], [], [flag]), is_gone)

    def test_what_is_no_library_or_cut_short_is_refused(self):
        whole = library([KEPT, GONE], [KEPT, GONE])
        for data in (b"", b"MZ", b"\x7fELF\x01\x01" + b"\0" * 99, whole[:70], whole[:200]):
            with self.assertRaises(elf_needed.NotPatchable):
                elf_needed.without_needed(data, is_gone)


if __name__ == "__main__":
    unittest.main()
