"""The counts that `make test` ends with, from what the runners really print."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import count_tests


class CountTests(unittest.TestCase):
    def test_nextest_counts_everything_that_did_not_pass_as_failed(self):
        text = "     Summary [   2.1s] 12 tests run: 9 passed (1 slow), 2 failed, 1 timed out, 3 skipped"
        self.assertEqual(count_tests.count_nextest(text), (9, 3))

    def test_nextest_that_stopped_early_counts_what_it_ran(self):
        text = "     Summary [   2.1s] 5/12 tests run: 4 passed, 1 failed, 0 skipped"
        self.assertEqual(count_tests.count_nextest(text), (4, 1))

    def test_doc_tests_are_summed_over_crates(self):
        text = (
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n"
            "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out\n"
        )
        self.assertEqual(count_tests.count_cargo_doc(text), (4, 2))

    def test_vitest_counts_tests_not_files(self):
        text = '{"numTotalTestSuites": 9, "numPassedTests": 7, "numFailedTests": 1}'
        self.assertEqual(count_tests.count_vitest(text), (7, 1))

    def test_node_is_read_in_both_of_its_forms(self):
        tap = "# tests 4\n# pass 3\n# fail 1\n# cancelled 0\n"
        spec = "ℹ tests 4\nℹ pass 3\nℹ fail 0\nℹ cancelled 1\n"
        self.assertEqual(count_tests.count_node(tap), (3, 1))
        self.assertEqual(count_tests.count_node(spec), (3, 1))

    def test_a_crash_before_the_summary_counts_nothing(self):
        for count in (count_tests.count_nextest, count_tests.count_cargo_doc, count_tests.count_node):
            self.assertEqual(count("error: could not compile"), (0, 0))


if __name__ == "__main__":
    unittest.main()
