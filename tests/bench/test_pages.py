# SPDX-License-Identifier: BSD-3-Clause
"""The tables of the documents have the rows that the bench makes, and its exact figures."""

import contextlib
import re
import unittest
from unittest import mock

import neighbours
import pages
import running
import sampling

COST, PERFORMANCE = "docs/explanation/cost.md", "docs/dev/performance.md"
MACHINE = {"cpu": "Some CPU", "cores": 2, "kernel": "6.1.0-9-amd64", "date": "2026-01-02",
           "busy": False}


@contextlib.contextmanager
def no_machine(*_args):
    yield "--root=/nowhere"


def rows_unmeasured():
    """Rows as the bench makes them where each time is 1, each number 1; accesses are counted."""
    one = {"pairs_ns": [[1, 1]], "accesses": 1}
    with contextlib.ExitStack() as stack:
        def replace(module, name, by):
            stack.enter_context(mock.patch.object(module, name, by))
        replace(sampling, "logged_accesses", lambda: ())
        rows = list(sampling.accesses(True))
        replace(sampling, "bench", lambda *_args, **_options: (one, ""))
        replace(sampling, "counted_twice", lambda *_args, **_options: 1)
        replace(sampling.shutil, "which", lambda _name: "/usr/bin/it")
        for module in sampling, running:
            replace(module, "published", no_machine)
        replace(sampling, "copied", no_machine)
        replace(sampling, "checked_registers", lambda _model: 1)
        for name in "cpu_share", "resident", "seconds_to_line":
            replace(running, name, lambda *_args: 1)
        for part in (sampling.instructions, sampling.duration, running.processor,
                     running.memory, running.start):
            rows += part(True)
        replace(neighbours, "reading", lambda *_args: (1, 1))
        replace(neighbours, "measured", lambda kind, rate, rounds: {
            "cpus": 2, "rounds": [[1, 1, 1][:2 + (rate > 1)]] * rounds,
            "latencies_ns": [{"p999": 1}] * (2 + (rate > 1)) if kind == "requests" else []})
        rows += neighbours.neighbour(True)
    return [row.as_json() for row in rows]


def cells(path):
    with open(path, encoding="utf-8") as file:
        return [re.split(r" *\| *", line.strip().strip("|").strip())
                for line in file if line.startswith("|")]


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = rows_unmeasured()

    def made(self, name):
        tables = {name: make for of in pages.TABLES.values() for name, make in of.items()}
        return [re.split(r" *\| *", line.strip("|").strip()) for line in tables[name](self.rows)]

    def test_each_table_has_the_rows_that_the_bench_makes(self):
        for path, names in ((COST, ("a run", "a sample", "a neighbour")),
                            (PERFORMANCE, ("accesses", "instructions"))):
            with self.subTest(path=path):
                expected = [line for name in names for line in self.made(name)]
                found = cells(path)
                self.assertEqual([line[0] for line in found], [line[0] for line in expected],
                                 '"make bench-pages" writes it')
                self.assertEqual([len(line) for line in found], [len(line) for line in expected])

    def test_exact_figures_are_those_of_now(self):
        made = self.made("accesses")
        self.assertEqual([line for line in cells(PERFORMANCE) if line in made], made,
                         '"make bench-pages" writes it')
        accesses = {line[0]: line[1] for line in self.made("a sample")}
        for line in cells(COST):
            if line[0] in accesses:
                self.assertEqual(line[1], accesses[line[0]])

    def test_each_page_says_what_its_figures_are_of(self):
        for path in COST, PERFORMANCE:
            with open(path, encoding="utf-8") as file:
                self.assertRegex(file.read(), r"\nMeasured by `make bench-pages` on .*, \d+ CPUs, "
                                              r"Linux [\d.]+, \d{4}-\d\d-\d\d")

    def test_a_page_that_was_written_is_written_again(self):
        found = {"machine": MACHINE, "rows": self.rows}
        text = "Measured by `make bench-pages` on another.\n\n| a run | x |\n|---|--:|\n" \
               "| old | 1 |\n| older | 2 |\n\n| other | y |\n|---|---|\n| kept | 3 |\n"
        once = pages.page("bench-pages", text, found)
        self.assertEqual(once, pages.page("bench-pages", once, found))
        self.assertEqual(once, pages.page("neighbour-pages", once, found))
        self.assertTrue(once.startswith("Measured by `make bench-pages` on Some CPU, 2 CPUs, "
                                        "Linux 6.1.0, 2026-01-02.\n\n| a run |"))
        self.assertIn("\n\n| other | y |\n|---|---|\n| kept | 3 |\n", once)
        self.assertNotIn("old", once)

    def test_figures_of_a_busy_machine_are_marked(self):
        self.assertTrue(pages.measured_line("bench-pages", {**MACHINE, "busy": True})
                        .endswith("2026-01-02, with other work running."))

    def test_what_was_not_measured_is_no_row(self):
        for rows in [], [{**row, "value": None} for row in self.rows]:
            with self.assertRaises(KeyError):
                pages.page("bench-pages", "| a sample |\n", {"machine": MACHINE, "rows": rows})
            with self.assertRaises(KeyError):
                pages.page("neighbour-pages", "| a neighbour |\n",
                           {"machine": MACHINE, "rows": rows})
