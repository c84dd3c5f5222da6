"""What the cache promises: whole or absent, right or made again."""

import hashlib
import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import install_runtime

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


if __name__ == "__main__":
    unittest.main()
