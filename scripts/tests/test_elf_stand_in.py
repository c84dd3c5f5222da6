"""What a stand-in promises to the loader of Linux."""

import ctypes
import hashlib
import platform
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import elf_stand_in
import runtime_pins as pins

MACHINE = platform.machine()
loads_here = unittest.skipUnless(
    sys.platform == "linux" and MACHINE in elf_stand_in.MACHINES, "ELF files are not loaded here"
)


def load(version, functions):
    library = elf_stand_in.stand_in(MACHINE, "libempty.so.1", version, functions)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "libempty.so.1"
        path.write_bytes(library)
        return ctypes.CDLL(str(path))


class AStandIn(unittest.TestCase):
    @loads_here
    def test_its_functions_return_nothing_whatever_they_are_given(self):
        library = load("EMPTY_1.0", ("first", "second", "third"))
        for name in ("first", "second", "third"):
            self.assertEqual(library[name](7, b"text", None), 0)

    @loads_here
    def test_it_has_no_other_function(self):
        library = load("", ("only",))
        self.assertEqual(library["only"](), 0)
        with self.assertRaises(AttributeError):
            library["other"]

    @loads_here
    def test_it_loads_with_nothing_inside(self):
        load("", ())
        load("EMPTY_1.0", ())

    def test_every_pinned_one_is_made_with_its_hash(self):
        made = 0
        for (_, machine), pin in pins.TESSERACT.items():
            for name, sha256 in pin.stand_ins.items():
                version, functions = pins.STAND_INS[name.split("-")[0]]
                library = elf_stand_in.stand_in(machine, name, version, functions)
                self.assertEqual(hashlib.sha256(library).hexdigest(), sha256, name)
                made += 1
        self.assertEqual(made, 8)


if __name__ == "__main__":
    unittest.main()
