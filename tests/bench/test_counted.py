# SPDX-License-Identifier: BSD-3-Clause
"""What is counted depends on no clock but the bench's own."""

import os
import unittest

import sampling
from machine import CHECKED, MEMORY, UNCHECKED, bench

SPEC = "spr,ports=1,chas=1,imcs=1,read=20,write=8,dram_read=60,dram_write=20"


@unittest.skipUnless(os.geteuid() == 0, "the machines made of files need root")
class Counted(unittest.TestCase):
    def accesses(self, step, interval_us):
        with sampling.still(SPEC) as where:
            return bench("compare", 6, where, interval_us=interval_us,
                         options=("--frozen", "--still", step))[0]["accesses"]

    def test_the_check_is_part_of_a_sample_on_purpose_however_long_it_takes(self):
        for interval_us in (1000, 60000):
            with self.subTest(interval_us=interval_us):
                self.assertEqual(self.accesses(UNCHECKED, interval_us), 14)
                self.assertEqual(self.accesses(CHECKED, interval_us), 43)

    def test_regular_files_count_while_their_clock_is_awaited(self):
        """No register says whether all that is in memory is frozen: whether it counts does."""
        with sampling.still(SPEC) as where:
            for step in UNCHECKED, CHECKED:
                found, _ = bench("compare", 12, where, MEMORY, options=("--still", step))
                self.assertEqual(len(found["pairs_ns"]), 12)

    def test_two_runs_print_the_same(self):
        once, again = ([row.as_json() for row in sampling.accesses(False)] for _ in range(2))
        self.assertEqual(once, again)
        self.assertTrue(all(row["met"] in (True, None) for row in once))

    def test_files_of_a_published_machine_have_moved_before_each_sample(self):
        with sampling.published(SPEC) as root:
            found, _ = bench("compare", 20, "--root=" + root, interval_us=1,
                             options=("--frozen", UNCHECKED))
        self.assertEqual(found["accesses"], 14)
