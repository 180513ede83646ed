# SPDX-License-Identifier: BSD-3-Clause
"""Two recordings compared, by the program: its tests of means are no part of the library."""
from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from typing import Any, Dict, List

from .library import Text
from .program import check_schema, failure, number, understood

_SCHEMA = 1
_STATISTICS = ("mean", "p50", "p95", "p99", "max")


@dataclass(frozen=True)
class Statistic:
    """A statistic of both recordings, in the metric's unit. NaN: not known."""

    a: float
    b: float
    difference: float  #: b less a
    difference_pct: float  #: that, in percent of a


@dataclass(frozen=True)
class Compared:
    """A metric, or an event, of a row that both recordings have."""

    metric: str  #: its name, or that of the event
    unit: str  #: such as "MB/s"; "": none
    place: Dict[str, Any]  #: what the row is about: {"scope": "port", "socket": 0, "port": 1, "memdev": "mem1"}
    mean: Statistic
    p50: Statistic
    p95: Statistic
    p99: Statistic
    max: Statistic
    verdict: str  #: "differs", "same", "too short to tell", "measured differently", "an estimate", "not in A" or "not in B"
    p_value: float  #: by Holm's correction, for all rows together; NaN: not judged
    record_s: float  #: "too short to tell": seconds that both must be long; NaN: not known
    range: str  #: all values of B are "above" or "below" all of A, or "equal" to them; "": they overlap


@dataclass(frozen=True)
class Comparison:
    """What differs between recordings A and B, as `cxlmon compare` finds it; see cxlmon-compare(1)."""

    rows: List[Compared]
    json: Dict[str, Any] = field(repr=False)  #: all that the program says

    @property
    def differing(self) -> List[Compared]:
        """The rows whose means differ by more than chance would have it, or whose last health does."""
        return [row for row in self.rows if row.verdict == "differs"]


def compare(a: Text, b: Text, *, finest: str = "", program: str = "cxlmon") -> Comparison:
    """Compares two recordings.

    finest: "port", "socket" or "system": rows of this scope, and of coarser ones; "": as they were recorded
    program: the program cxlmon, if it is not in PATH; FileNotFoundError: it is not installed
    Error: a file is no recording, is damaged or incomplete
    """
    command = [program, "compare", "--json", *([f"--per={finest}"] if finest else []), "--", os.fspath(a), os.fspath(b)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False, text=True,
                          encoding="utf-8", errors="replace")
    if done.returncode:
        raise failure(program, "compare", done.stderr, done.returncode)
    return understood(program, "compare", done.stdout, _comparison)


def _comparison(found: Dict[str, Any]) -> Comparison:
    check_schema("compare", found, _SCHEMA)
    return Comparison([_compared(row) for row in found["rows"]], found)


def _compared(row: Dict[str, Any]) -> Compared:
    other = ("metric", "metric_unit", "verdict", "p_value", "record_s", "range", *_STATISTICS)
    statistics = {name: Statistic(**{key: number(value) for key, value in row[name].items()}) for name in _STATISTICS}
    return Compared(metric=row["metric"], unit=row["metric_unit"],
                    place={name: value for name, value in row.items() if name not in other and value is not None},
                    verdict=row["verdict"], p_value=number(row["p_value"]),
                    record_s=number(row["record_s"]), range=row.get("range") or "", **statistics)
