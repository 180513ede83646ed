#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
tests/bench/pages.py BENCH_JSON PAGE...

Replaces the tables of these documents, and the lines that begin with "Measured by", by what the
bench has measured. A table is known by the first cell of its heading.
"""

import json
import re
import sys

from figures import number

PARTS = ("accesses", "instructions", "time", "processor", "memory", "start")
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
    return table(("a sample", "accesses", "time", "beside the bare loop"), lines)


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


TABLES = {"a run": users, "a sample": samples, "accesses": exact, "instructions": instructions}


def measured_line(machine):
    """What figures are of. Where the machine was busy, the page says so."""
    line = "Measured by `make bench-pages` on %s, %d CPUs, Linux %s, %s" % (
        machine["cpu"], machine["cores"], machine["kernel"].split("-")[0], machine["date"])
    return line + (", beside other work" if machine["busy"] else "") + "."


def heading_of(line):
    return re.match(r"\| *([^|]*?) *\|", line).group(1)


def page(text, found):
    lines, within = [], False
    for line in text.split("\n"):
        if line.startswith("Measured by `make bench-pages`"):
            line = measured_line(found["machine"])
        if line.startswith("|") and not within:
            name = heading_of(line)
            within = name in TABLES
            lines += TABLES[name](found["rows"]) if within else ()
        within = within and line.startswith("|")
        if not within:
            lines.append(line)
    return "\n".join(lines)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        found = json.load(file)
    pages = {}
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as file:
            try:
                pages[path] = page(file.read(), found)
            except KeyError as missing:
                sys.exit("%s: %s was not measured; the page needs the parts %s" %
                         (path, missing, ", ".join(PARTS)))
    for path, text in pages.items():
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
