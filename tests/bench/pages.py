#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
tests/bench/pages.py TARGET BENCH_JSON PAGE...

Replaces the tables of these documents that make TARGET writes, and the lines that begin with
"Measured by" it, by what the bench has measured. A table is known by the first cell of its heading.
"""

import json
import re
import sys

from figures import number

MODELS = {"spr": "Sapphire Rapids", "gnr": "Granite Rapids, Sierra Forest"}
DEFAULT = "-m cxl,latency,dram"
DELAYED = "time a sample, 300 ns a load, 1 us an MSR, "
LISTED = ("MSR reads", "MSR writes", "memory reads", "memory writes")
ADDED = ("each 100 ms", "each second")


def table(heading, lines):
    bars = ["---"] + ["--:"] * (len(heading) - 1)
    return ["| %s |" % " | ".join(cells) for cells in (heading, bars, *lines)]


def figure(row):
    return (number(row["value"]) + " " + row["unit"]).strip()


def by_name(rows, part):
    """Those that were measured."""
    return {row["what"]: row for row in rows
            if row["part"] == part and row["value"] is not None}


def users(rows):
    """What a run costs, where registers are simulated, and where they are files."""
    lines = {}
    for part in "processor", "memory", "start":
        for what, row in by_name(rows, part).items():
            name, kind = what.rsplit(", ", 1)
            lines.setdefault(name, {})[kind] = figure(row)
    kinds = ("simulated", "published")
    return table(("a run", *kinds),
                 [(name, *(cells[kind] for kind in kinds)) for name, cells in lines.items()])


def accesses_of(rows, model):
    return {what.split(", ", 1)[0]: row for what, row in by_name(rows, "accesses").items()
            if what.endswith(", %s, %s" % (model, DEFAULT))}


def samples(rows):
    """What a sample costs, where registers take as long as those of hardware."""
    lines = []
    for model, name in MODELS.items():
        found = accesses_of(rows, model)
        row = by_name(rows, "time")[DELAYED + model]
        low, middle, high = (number(ratio) for ratio in row["interval"])
        lines.append((name, number(sum(found[kind]["value"] for kind in LISTED if kind in found)),
                      figure(row), "%s (%s to %s)" % (middle, low, high)))
    return table(("a sample", "accesses", "time", "relative to the bare loop"), lines)


def exact(rows):
    """The accesses of a sample, by kind."""
    lines = []
    for model, name in MODELS.items():
        found = accesses_of(rows, model)
        lines.append((name, *(figure(found[kind]) if kind in found else "0"
                              for kind in LISTED + ADDED)))
    return table(("accesses", *LISTED, *ADDED), lines)


def instructions(rows):
    """Instructions, and allocations, by processor; a ratio has its floor below it."""
    lines = {}
    for what, row in by_name(rows, "instructions").items():
        name, model = what.rsplit(", ", 1)
        lines.setdefault(name, {})[model] = figure(row)
        if row["floor"] and row["floor_is"] == "bare loop":
            lines.setdefault("its bare loop", {})[model] = number(row["floor"])
    return table(("instructions", *MODELS),
                 [(name, *(cells.get(model, "") for model in MODELS))
                  for name, cells in lines.items()])


def neighbour_cell(row):
    """Per cent of one CPU, or us: without units, which the page says."""
    if row["floor_is"] == "alone":
        return "%s (%s)" % (number(row["value"]), number(row["floor"]))
    low, middle, high = map(number, row["interval"])
    return "%s (%s..%s)" % (middle, low, high)


def neighbours(rows):
    """What programs lose beside a monitor, by its rate; comparisons are left to the bench."""
    lines, rates = {}, {}
    for what, row in by_name(rows, "neighbour").items():
        name, rate = what.rsplit(", ", 1)
        rates[rate] = True
        if ": " not in name:
            lines.setdefault(name, {})[rate] = neighbour_cell(row)
    if not lines:
        raise KeyError("neighbour")
    return table(("a neighbour", *rates),
                 [(name, *(cells.get(rate, "") for rate in rates))
                  for name, cells in lines.items()])


TABLES = {
    "bench-pages": {"a run": users, "a sample": samples, "accesses": exact,
                    "instructions": instructions},
    "neighbour-pages": {"a neighbour": neighbours},
}


def measured_by(target):
    return "Measured by `make %s`" % target


def measured_line(target, machine):
    """What figures are of. Where the machine was busy, the page says so."""
    line = "%s on %s, %d CPUs, Linux %s, %s" % (
        measured_by(target), machine["cpu"], machine["cores"], machine["kernel"].split("-")[0],
        machine["date"])
    return line + (", with other work running" if machine["busy"] else "") + "."


def heading_of(line):
    return re.match(r"\| *([^|]*?) *\|", line).group(1)


def page(target, text, found):
    tables, lines, within = TABLES[target], [], False
    for line in text.split("\n"):
        if line.startswith(measured_by(target)):
            line = measured_line(target, found["machine"])
        if line.startswith("|") and not within:
            name = heading_of(line)
            within = name in tables
            lines += tables[name](found["rows"]) if within else ()
        within = within and line.startswith("|")
        if not within:
            lines.append(line)
    return "\n".join(lines)


def main():
    target, source, *paths = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        found = json.load(file)
    pages = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            try:
                pages[path] = page(target, file.read(), found)
            except KeyError as missing:
                sys.exit("%s: %s was not measured, which make %s needs" % (path, missing, target))
    for path, text in pages.items():
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
