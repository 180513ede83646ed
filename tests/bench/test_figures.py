# SPDX-License-Identifier: BSD-3-Clause
"""The bench's own arithmetic."""

import os
import tempfile
import unittest

from figures import Row, fit, median, median_interval, number, per_sample, percentile, reason


class Figures(unittest.TestCase):
    def test_the_median_of_an_even_number_lies_between_the_middle_two(self):
        self.assertEqual(median([9, 1, 3, 2]), 2.5)
        self.assertEqual(median([9, 1, 3]), 3)

    def test_a_percentile_is_one_of_the_values(self):
        self.assertEqual(percentile(range(1, 101), 99), 99)
        self.assertEqual(percentile(range(1, 101), 50), 50)
        self.assertEqual(percentile([7], 99), 7)

    def test_a_line_fits_itself(self):
        self.assertEqual(fit([1, 2, 4], [5, 7, 11]), (2, 3, 1))

    def test_a_parabola_is_no_line(self):
        slope, intercept, r2 = fit([0, 1, 2, 3], [0, 1, 4, 9])
        self.assertEqual((slope, intercept), (3, -1))
        self.assertAlmostEqual(r2, 1 - 4 / 49)

    def test_setting_up_cancels(self):
        self.assertEqual(per_sample(1000 + 5 * 10, 1000 + 10 * 10, 5), 10)

    def test_a_goal_that_is_missed_says_by_how_much(self):
        row = Row("time", "sample", 110, "us", 100, "loop", 1.05, "ratio")
        self.assertFalse(row.met())
        self.assertAlmostEqual(row.missed_by(), 0.05)
        self.assertEqual(row.verdict(), "<= 1.05 x: missed by 0.05")
        self.assertEqual(Row("rates", "rate", 900, goal=1000, goal_is="least").verdict(),
                         ">= 1000: missed by 100")
        self.assertTrue(Row("memory", "resident", 4, goal=4).met())

    def test_the_interval_of_a_median_holds_it_in_19_of_20_samples(self):
        # of 9 throws of a coin, at most 1 or at least 8 are heads with 4 %
        self.assertEqual(median_interval([9, 1, 8, 2, 7, 3, 6, 4, 5]), (2, 5, 8))
        self.assertEqual(median_interval(range(1, 101)), (40, 50.5, 61))
        self.assertEqual(median_interval([2, 1]), (1, 1.5, 2))

    def test_a_goal_within_the_interval_is_not_decided(self):
        def row(low, middle, high):
            return Row("time", "sample", 9, "us", 8, "loop", 1.05, "ratio",
                       interval=(low, middle, high))
        self.assertEqual(row(1.02, 1.04, 1.06).verdict(), "<= 1.05 x: not decided")
        self.assertIsNone(row(1.02, 1.04, 1.06).met())
        self.assertEqual(row(1.02, 1.03, 1.05).verdict(), "<= 1.05 x: met")
        self.assertEqual(row(1.06, 1.08, 1.10).verdict(), "<= 1.05 x: missed by 0.03")

    def test_a_goal_that_the_floor_misses_is_not_decided(self):
        self.assertEqual(Row("rates", "missed", 7, "", 5, "sleeps", 0).verdict(),
                         "<= 0: not decided")
        self.assertEqual(Row("rates", "missed", 7, "", 0, "sleeps", 0).verdict(),
                         "<= 0: missed by 7")
        self.assertEqual(Row("rates", "rate", 5000, "", 7500, "sleeps", 10000, "least").verdict(),
                         ">= 10 000: not decided")

    def test_what_is_not_known_meets_no_goal(self):
        self.assertIsNone(Row("memory", "resident", None, goal=4).met())
        self.assertIsNone(Row("time", "sample", 5, goal=1.05, goal_is="ratio").met())
        self.assertEqual(Row("memory", "resident", None, goal=4).verdict(), "")

    def test_why_something_was_not_measured_is_said_in_one_short_line(self):
        root = os.path.join(tempfile.gettempdir(), "cxlmon-bench-tkr8x9n5", "root")
        self.assertEqual(reason("bare: ==21839== Callgrind, a cache profiler\n"
                                "==21839== Command: build/cxlmon-bench --root=%s bare 8\n"
                                "cxlmon-bench: --root=%s: no | yes\n"
                                "==21839== I   refs:      3,560,236" % (root, root)),
                         "bare: cxlmon-bench: --root=DIR: no / yes")
        self.assertEqual(reason(RuntimeError("too slow")), "too slow")
        long = reason("a word " * 100)
        self.assertTrue(len(long) <= 160 and long.startswith("a word") and long.endswith(" ..."))

    def test_numbers_are_short(self):
        self.assertEqual([number(n) for n in (None, 0, 3.0, 0.1234, 12.34, 1234.5, 123456.7, 1234567)],
                         ["-", "0", "3", "0.123", "12.3", "1234", "123 457", "1 234 567"])
