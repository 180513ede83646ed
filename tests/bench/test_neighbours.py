# SPDX-License-Identifier: BSD-3-Clause
"""What is lost, by turns; and that monitors run again once the turns are over."""

import json
import os
import subprocess
import unittest
from unittest import mock

import neighbours
from machine import built, running
from neighbours import OWN, PEER


def state_of(pid):
    with open("/proc/%d/stat" % pid, encoding="ascii") as file:
        return file.read().rsplit(")", 1)[1].split()[0]


class Losses(unittest.TestCase):
    FOUND = {"cpus": 4, "rounds": [[1000, 999, 990], [2000, 1990, 2000]]}

    def test_a_loss_is_that_of_one_cpu(self):
        self.assertEqual(neighbours.losses(self.FOUND, OWN), [0.4, 2])
        self.assertEqual(neighbours.losses(self.FOUND, PEER), [4, 0])

    def test_two_monitors_are_compared_in_the_same_round(self):
        self.assertEqual(neighbours.losses(self.FOUND, OWN, PEER), [-3.6, 2])

    def test_a_loss_is_judged_where_its_interval_is_on_one_side_of_the_goal(self):
        def verdict(lost):
            found = {"cpus": 1, "rounds": [[1e6, 1e6 - each] for each in lost]}
            return next(neighbours.work_rows("spin", 10, found, 50)).verdict()
        self.assertEqual(verdict(range(500, 600)), "<= 0.1: met")
        self.assertEqual(verdict(range(950, 1050)), "<= 0.1: not decided")
        self.assertEqual(verdict(range(2000, 2001)), "<= 0.1: missed by 0.1")

    def test_a_goal_below_what_the_registers_take_is_not_decided(self):
        found = {"cpus": 1, "rounds": [[1e6, 9e5]]}
        row = next(neighbours.work_rows("spin", 1000, found, 50))
        self.assertEqual((row.floor, row.verdict()), (5, "<= 1: not decided"))

    def test_requests_may_be_later_by_one_samples_reading(self):
        def rows(later):
            found = {"rounds": [[100000, 100000 + later]] * 9,
                     "latencies_ns": [{"p999": 101000}, {"p999": 151000}]}
            return list(neighbours.request_rows(10, found, 60))
        self.assertEqual((rows(0)[0].value, rows(0)[0].floor), (151, 101))
        self.assertEqual([rows(later)[1].verdict() for later in (60000, 61000)],
                         ["<= 60: met", "<= 60: missed by 1"])


class Chosen(unittest.TestCase):
    def chosen(self, **variables):
        with mock.patch.dict(os.environ, variables):
            return neighbours.chosen()

    def test_all_are_measured_unless_some_are_chosen(self):
        self.assertEqual(self.chosen(NEIGHBOUR="", RATES="", PAIRS=""), (neighbours.RATES, 200))
        self.assertEqual(self.chosen(NEIGHBOUR="chase spin", RATES="10 1", PAIRS="7"),
                         ({10: ["chase", "spin"], 1: ["chase", "spin"]}, 7))

    def test_an_unknown_neighbour_is_refused(self):
        with self.assertRaisesRegex(RuntimeError, "'stroll': expected some of spin stream"):
            self.chosen(NEIGHBOUR="spin stroll")


class Turns(unittest.TestCase):
    def test_monitors_run_again_after_the_last_turn(self):
        for kind in "spin", "requests":
            with self.subTest(kind=kind), running(["sleep", "600"]) as monitor:
                done = subprocess.run([built("cxlmon-bench"), "--interval=100000000",
                                       "--beside=%d" % monitor.pid, kind, "2"],
                                      stdout=subprocess.PIPE, check=True)
                found = json.loads(done.stdout)
                self.assertNotEqual(state_of(monitor.pid), "T")
                self.assertEqual([len(turns) for turns in found["rounds"]], [2, 2])
                self.assertEqual(len(found["latencies_ns"]), 2 if kind == "requests" else 0)
