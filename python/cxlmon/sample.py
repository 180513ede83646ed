# SPDX-License-Identifier: BSD-3-Clause
"""What was measured in an interval: a copy of the library's rows and columns."""
from __future__ import annotations

import datetime
from array import array
from dataclasses import dataclass, fields
from typing import Any, Dict, List

from .library import Metric

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


@dataclass(frozen=True)
class Place:
    """What a row is about."""

    scope: str  #: "cpu", "port", "socket", "system", "node", "device", or "ccm" (AMD's Venice)
    socket: int  #: -1: not applicable
    port: int  #: numbered from 0 on each socket; -1: not applicable
    cpu: int  #: as in /dev/cpu/N; -1: not applicable
    pci: str  #: the device behind the port: "0000:35:00.0"; "": not known
    memdev: str  #: its name, as in `cxl list`: "mem0"; "": not known
    node: int  #: the NUMA node of its memory; -1: not known
    type: str  #: of a row of an event: the type of the unit that counts it, such as "cxlcm"; else ""
    id: int  #: the number of that unit; -1: no row of an event, or a sum over several units
    event: str  #: its name; "": no row of an event

    def __str__(self) -> str:
        named = ("node",) if self.scope == "node" else ("socket", "port", "cpu")
        parts = [f"{self.scope if name == 'port' else name} {getattr(self, name)}"
                 for name in named if getattr(self, name) >= 0]
        unit = f"{self.type} {self.id}" if self.id >= 0 else self.type
        return " ".join(filter(None, [*parts, self.memdev, unit, self.event])) or self.scope


@dataclass(frozen=True)
class Row(Place):
    """A row of a sample: a port, a socket, the system; or an event on a unit. row["NAME"] is a value, or a text."""

    interval_s: float  #: seconds that the row's counters counted; NaN: nothing was counted
    counted_pct: float  #: percent of the interval in which every value was counted; below 100: multiplexed
    values: Dict[str, float]  #: by column, in its unit; NaN: not known, or not applicable
    texts: Dict[str, str]  #: by column of texts, such as "cxl_mem_read_source"; "": not known
    count: float  #: events in the interval; NaN: not known, or no row of an event
    per_s: float  #: events a second; likewise

    def __getitem__(self, column: str) -> Any:
        return self.texts[column] if column in self.texts else self.values[column]


@dataclass(frozen=True)
class Mark:
    """What happened during an interval, besides the values."""

    time_ns: int  #: nanoseconds since 1970, UTC
    kind: str  #: "link", "device", "event", "health", or "other"
    memdev: str  #: "mem0"; "": of no device
    text: str  #: "link between 0000:20:00.0 and 0000:1f:00.0 is x4 at 32.0 GT/s"


@dataclass(frozen=True)
class Layout:
    """What all samples of a run have in common."""

    columns: List[Metric]
    places: List[Place]  # one a row
    texts: List[int]  # the columns that have texts
    events: List[int]  # the rows that are events


@dataclass(frozen=True)
class Sample:
    """What was measured in an interval. It is a copy: it stays valid, and any thread may read it."""

    time_ns: int  #: the end of the interval, nanoseconds since 1970, UTC
    missed: int  #: deadlines missed since the previous sample
    lost_units: int  #: units that could not be read
    layout: Layout
    # one entry a row, and see Row
    interval_s: array[float]
    counted_pct: array[float]
    values: array[float]  # those of all columns of the first row, then of the second, and so on
    texts: Dict[str, List[str]]  # by column
    count: array[float]
    per_s: array[float]
    marks: List[Mark]  #: what happened in the interval

    @property
    def time(self) -> datetime.datetime:
        """The end of the interval, UTC, in microseconds."""
        return _EPOCH + datetime.timedelta(microseconds=self.time_ns // 1000)

    @property
    def rows(self) -> List[Row]:
        """The rows: the finest first, the system last."""
        return [self._row(i) for i in range(len(self.layout.places))]

    def _row(self, i: int) -> Row:
        columns = self.layout.columns
        texts = {name: known[i] for name, known in self.texts.items()}
        values = zip((metric.name for metric in columns), self.values[i * len(columns):(i + 1) * len(columns)])
        place = {field.name: getattr(self.layout.places[i], field.name) for field in fields(Place)}
        return Row(**place, interval_s=self.interval_s[i], counted_pct=self.counted_pct[i], texts=texts,
                   values={name: value for name, value in values if name not in texts},
                   count=self.count[i], per_s=self.per_s[i])
