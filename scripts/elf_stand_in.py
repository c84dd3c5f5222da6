"""Makes stand-ins for shared libraries of Linux: right name, hardly anything inside.

Leptonica is linked with the readers of several picture formats, and that of TIFF with JBIG-KIT,
which is under the GPL. We hand it pixels and never a file, so the readers only have to be there
when it is loaded: it looks a function up at its first call. A stand-in has the name of the
library, the version of its symbols, and of its functions those that are called all the same;
each returns 0, which for a function that opens something means that it failed.
"""

import struct

# Returns 0 from a function, for each machine as ELF numbers them.
MACHINES = {
    "x86_64": (62, bytes.fromhex("f30f1efa 31c0 c3")),
    "aarch64": (183, bytes.fromhex("000080d2 c0035fd6")),
}
PAGE = 0x10000  # The largest page of any of them.
HEADERS = 64 + 4 * 56

DT_HASH, DT_STRTAB, DT_SYMTAB, DT_STRSZ, DT_SYMENT, DT_SONAME = 4, 5, 6, 10, 11, 14
DT_VERSYM, DT_VERDEF, DT_VERDEFNUM = 0x6FFFFFF0, 0x6FFFFFFC, 0x6FFFFFFD


def stand_in(machine: str, name: str, version: str = "", functions: tuple = ()) -> bytes:
    """The library, with `functions` under the symbol version `version` ("" for none)."""
    number, code = MACHINES[machine]
    strings = _Strings()
    place = _Places(HEADERS)
    code_at = place.put(code)

    symbols = bytes(24)
    for function in functions:
        # Global, a function, defined in some section, at its address and as long as the code.
        symbols += struct.pack("<IBBHQQ", strings.add(function), 0x12, 0, 1, code_at, len(code))
    count = 1 + len(functions)
    chain = [*range(2, count), 0] if functions else []
    bucket = 1 if functions else 0

    dynamic = [(DT_SONAME, strings.add(name))]
    dynamic += [(DT_SYMTAB, place.put(symbols)), (DT_SYMENT, 24)]
    table = struct.pack(f"<{4 + len(chain)}I", 1, count, bucket, 0, *chain)
    dynamic += [(DT_HASH, place.put(table))]
    if version:
        definitions = _version(1, 1, name, strings, 28) + _version(0, 2, version, strings, 0)
        dynamic += [(DT_VERDEF, place.put(definitions)), (DT_VERDEFNUM, 2)]
        dynamic += [(DT_VERSYM, place.put(struct.pack(f"<{count}H", 0, *[2] * len(functions))))]
    dynamic += [(DT_STRTAB, place.put(strings.bytes)), (DT_STRSZ, len(strings.bytes)), (0, 0)]

    read_only = place.end
    dynamic_at = place.put(b"".join(struct.pack("<QQ", *entry) for entry in dynamic))
    length = place.end - dynamic_at
    # Kind, rights, where in the file, where in memory (twice), length (twice), alignment.
    segments = [
        (1, 5, 0, 0, 0, read_only, read_only, PAGE),
        # The loader writes into the dynamic section, so it is in a segment of its own.
        (1, 6, dynamic_at, *[PAGE + dynamic_at] * 2, length, length, PAGE),
        (2, 6, dynamic_at, *[PAGE + dynamic_at] * 2, length, length, 8),
        # The stack is not to be executable.
        (0x6474E551, 6, 0, 0, 0, 0, 0, 16),
    ]
    header = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
    header += struct.pack("<HHIQQQIHHHHHH", 3, number, 1, 0, 64, 0, 0, 64, 56, len(segments), 0, 0, 0)
    headers = header + b"".join(struct.pack("<IIQQQQQQ", *segment) for segment in segments)
    return headers + place.bytes


def _version(flags, index, name, strings, following):
    """One version definition; the first names the library itself."""
    start = struct.pack("<HHHHIII", 1, flags, index, 1, _hash(name), 20, following)
    return start + struct.pack("<II", strings.add(name), 0)


def _hash(name: str) -> int:
    """The hash of the System V ABI."""
    value = 0
    for letter in name.encode():
        value = (value << 4) + letter
        high = value & 0xF0000000
        value = (value ^ (high >> 24)) & ~high & 0xFFFFFFFF
    return value


class _Strings:
    """A table of strings, each with a zero byte at its end."""

    def __init__(self):
        self.bytes = b"\0"

    def add(self, text: str) -> int:
        at = len(self.bytes)
        self.bytes += text.encode() + b"\0"
        return at


class _Places:
    """Parts one after the other, each at a multiple of 16."""

    def __init__(self, start: int):
        self.start = start
        self.bytes = b""

    def put(self, part: bytes) -> int:
        self.bytes += bytes(-self.end % 16)
        at = self.end
        self.bytes += part
        return at

    @property
    def end(self) -> int:
        return self.start + len(self.bytes)
