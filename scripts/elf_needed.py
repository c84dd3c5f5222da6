"""Takes libraries off the list of those that an ELF library needs.

Leptonica is linked with the readers of seven picture formats, one of which (JBIG-KIT) is under
the GPL. We hand it pixels and never a file, so its functions that read files are never called;
and as it binds functions at their first call, it loads without those libraries once it no longer
asks for them. Only 64-bit little-endian files, which is what all our Linux platforms have.
"""

import struct
from typing import Callable

PT_LOAD, PT_DYNAMIC = 1, 2
DT_NULL, DT_NEEDED, DT_STRTAB = 0, 1, 5
DT_BIND_NOW, DT_FLAGS, DT_FLAGS_1 = 24, 30, 0x6FFFFFFB
DT_VERNEED, DT_VERNEEDNUM = 0x6FFFFFFE, 0x6FFFFFFF
DF_BIND_NOW, DF_1_NOW = 8, 1


class NotPatchable(Exception):
    """The file is not the kind of library that this can change."""


def without_needed(data: bytes, is_dropped: Callable[[str], bool]) -> bytes:
    """The library without the needed ones that `is_dropped` names, and their symbol versions."""
    try:
        return _Library(data).without(is_dropped)
    except (struct.error, IndexError, ValueError) as error:
        raise NotPatchable(f"damaged ELF file: {error}") from error


class _Library:
    def __init__(self, data: bytes):
        if data[:6] != b"\x7fELF\x02\x01":
            raise NotPatchable("not a 64-bit little-endian ELF file")
        self.data = bytearray(data)
        (headers_at,) = struct.unpack_from("<Q", data, 32)
        size, count = struct.unpack_from("<HH", data, 54)
        self.loads = []
        for number in range(count):
            kind, _, offset, address, _, length = struct.unpack_from(
                "<IIQQQQ", data, headers_at + number * size
            )
            if kind == PT_LOAD:
                self.loads.append((address, offset, length))
            elif kind == PT_DYNAMIC:
                self.dynamic_at, self.dynamic_length = offset, length
        self.entries = []
        for place in range(self.dynamic_at, self.dynamic_at + self.dynamic_length, 16):
            tag, value = struct.unpack_from("<QQ", data, place)
            if tag == DT_NULL:
                break
            self.entries.append((tag, value))

    def without(self, is_dropped) -> bytes:
        values = dict(self.entries)
        flags = values.get(DT_FLAGS, 0) & DF_BIND_NOW or values.get(DT_FLAGS_1, 0) & DF_1_NOW
        if DT_BIND_NOW in values or flags:
            raise NotPatchable("it binds all its functions when it is loaded")
        strings = self.offset(values[DT_STRTAB])

        def dropped(name_at):
            start = strings + name_at
            return is_dropped(self.data[start : self.data.index(0, start)].decode())

        versions = {}
        if DT_VERNEED in values:
            first, count = self.unlink(values[DT_VERNEED], values[DT_VERNEEDNUM], dropped)
            versions = {DT_VERNEED: first, DT_VERNEEDNUM: count}
        kept = [
            (tag, versions.get(tag, value))
            for tag, value in self.entries
            if not (tag == DT_NEEDED and dropped(value))
            and not (tag in versions and versions[DT_VERNEEDNUM] == 0)
        ]
        for number in range(self.dynamic_length // 16):
            entry = kept[number] if number < len(kept) else (DT_NULL, 0)
            struct.pack_into("<QQ", self.data, self.dynamic_at + number * 16, *entry)
        return bytes(self.data)

    def unlink(self, address, count, dropped):
        """Takes libraries off the chained list of needed versions: its new start and length."""
        place, kept = self.offset(address), []
        for _ in range(count):
            _, _, name_at, _, following = struct.unpack_from("<HHIII", self.data, place)
            if not dropped(name_at):
                kept.append(place)
            place += following
        for here, following in zip(kept, kept[1:] + [None]):
            step = 0 if following is None else following - here
            struct.pack_into("<I", self.data, here + 12, step)
        # File and memory are shifted alike within a segment.
        first = address + kept[0] - self.offset(address) if kept else 0
        return first, len(kept)

    def offset(self, address):
        for start, offset, length in self.loads:
            if start <= address < start + length:
                return offset + address - start
        raise NotPatchable(f"nothing is loaded at {address:#x}")
