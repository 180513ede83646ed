# SPDX-License-Identifier: BSD-3-Clause
"""Sampled loads, by the program: it samples in processes that have given up their rights, which a library can't."""
from __future__ import annotations

import datetime
import logging
import os
import subprocess
import tempfile
from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List

from .library import Error, Text
from .program import check_schema, failure, numbers, understood

_SCHEMA = 1
_PLACE = ["pid", "node", "address", "command", "name", "function"]


@dataclass(frozen=True)
class HotRow:
    """The sampled loads of a process, or of what rows are by. row["NAME"] is a value, as cxlmon-hot(1) has them."""

    pid: int  #: -1: not of one process
    node: int  #: NUMA node; -1: not known, or of several
    address: int  #: of a page; -1: not of one
    command: str  #: the process's name; "": not known
    name: str  #: of the mapping or cgroup, or the file of the function; "": none, or not known
    function: str  #: likewise
    values: Dict[str, float]  #: "cxl_samples", "cxl_MBps", "dram_p99_ns", ...; NaN: not known

    def __getitem__(self, name: str) -> float:
        return self.values[name]


@dataclass(frozen=True)
class HotReport:
    """What sampled loads say of an interval, or of the whole run. report["NAME"] is a value of the system."""

    time: datetime.datetime  #: the end of the interval, UTC
    run: bool  #: it is of all intervals together, and has `heat`
    by: str  #: what rows are of: "process"
    event: str  #: the event that was sampled
    rows: List[HotRow]  #: those with most reads from CXL memory first
    system: HotRow  #: the sum of all samples
    others: HotRow  #: of the samples that are in no row
    values: Dict[str, float]  #: "interval_s", "lost", "cxl_counted_MBps", "hot_cxl_GiB", ...; NaN: not known
    heat: List[Dict[str, Any]]  #: how hot each node's memory is
    json: Dict[str, Any] = field(repr=False)  #: all that the program says

    def __getitem__(self, name: str) -> float:
        return self.values[name]


def hot(*options: str, interval_s: float = 1.0, count: int = 0, program: str = "cxlmon") -> Iterator[HotReport]:
    """Samples loads: a report for each interval, and after the last one that of the run.

    Closing the iterator ends the run.

    options: those of cxlmon-hot(1): "--by=page", "--pid=4711", "--sim=gnr"
    count: intervals; 0: without end
    program: the program cxlmon, if it is not in PATH; FileNotFoundError: it is not installed
    Error: loads cannot be sampled, or no longer
    """
    end = [str(count)] if count else []
    return _reports(program, "hot", *options, "--json", f"{interval_s:.9f}s", *end)


def read_hot(recording: Text, *, partial: bool = False, program: str = "cxlmon") -> List[HotReport]:
    """The reports that `cxlmon hot --record` has kept; the last one is of the run.

    Error: it is damaged, incomplete, or not of `cxlmon hot`; with partial, the reports before that are returned.
    """
    found: List[HotReport] = []
    try:
        for report in _reports(program, "replay", "--json", "--", os.fspath(recording)):
            found.append(report)
    except Error:
        if not partial:
            raise
    return found


def _reports(program: str, subcommand: str, *arguments: str) -> Iterator[HotReport]:
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as messages:
        complete, line = False, "\n"
        with subprocess.Popen([program, subcommand, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=messages, text=True, encoding="utf-8", errors="replace") as process:
            try:
                for line in process.stdout or ():
                    if not line.endswith("\n"):  # the program was killed
                        break
                    yield understood(program, subcommand, line, _report)
                complete = True
            finally:
                if not complete:
                    process.terminate()  # it restores the registers
        messages.seek(0)
        if process.returncode or not line.endswith("\n"):
            raise failure(program, subcommand, messages.read(), process.returncode)
        for message in messages:
            logging.getLogger("cxlmon").info("%s", message.rstrip("\n").replace("cxlmon: ", "", 1))


def _report(found: Dict[str, Any]) -> HotReport:
    if "of" not in found:
        raise Error("no sampled loads are in it: `cxlmon hot --record` records them")
    check_schema("hot", found, _SCHEMA)
    time = datetime.datetime.strptime(found["time"], "%Y-%m-%dT%H:%M:%S.%fZ")
    return HotReport(time=time.replace(tzinfo=datetime.timezone.utc), run=found["of"] == "run", by=found["by"],
                     event=found["event"], rows=[_row(row) for row in found["rows"]], system=_row(found["system"]),
                     others=_row(found["others"]), values=numbers(found, ["schema"]), heat=found.get("heat", []),
                     json=found)


def _row(found: Dict[str, Any]) -> HotRow:
    def index(name: str) -> int:
        return -1 if found[name] is None else int(str(found[name]), 0)

    return HotRow(pid=index("pid"), node=index("node"), address=index("address"), command=found["command"] or "",
                  name=found["name"] or "", function=found["function"] or "", values=numbers(found, _PLACE))
