# SPDX-License-Identifier: BSD-3-Clause
"""Samples as columns, one entry a sample and row, as in the program's CSV."""
from __future__ import annotations

import importlib
import itertools
from array import array
from dataclasses import fields
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Tuple

from .library import Metric
from .sample import Layout, Mark, Place, Sample

_INDICES = ("socket", "port", "cpu", "node", "id")
_OF_EVENTS = ("type", "id", "event")


class Table(Mapping[str, Any]):
    """Columns by name, each with one entry a sample and row, in the order of the samples.

    time_ns: the end of the interval, nanoseconds since 1970, UTC
    interval_s: seconds that the row's counters counted; missed: deadlines missed since the previous sample
    scope, socket, port, cpu, pci, memdev, node: what the row is about
    type, id, event, count, per_s: where events were counted, the unit, the event, and its number
    counted_pct: percent of the interval in which every value was counted

    and those of metrics, whose units `metrics` has. Numbers are an array.array of doubles, with NaN where they are
    not known; indices and times one of 64-bit integers, -1: not known; texts are a list, "": not known. numpy.asarray()
    takes an array without copying it.
    """

    model: str  #: the processor's short name: "spr"
    metrics: Dict[str, Metric]  #: of the columns that are metrics
    marks: List[Mark]  #: what happened, in the order of time

    def __init__(self, model: str, metrics: Dict[str, Metric], columns: Mapping[str, Any],
                 marks: Iterable[Mark] = ()) -> None:
        self.model, self.metrics, self._columns, self.marks = model, metrics, columns, list(marks)

    def __getitem__(self, name: str) -> Any:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def rows(self) -> int:
        """The number of entries of each column."""
        return len(self._columns["time_ns"])

    def select(self, **places: Any) -> Table:
        """The rows whose columns have these values: select(scope="port", socket=0)."""
        wanted = [(self._columns[name], value) for name, value in places.items()]
        kept = [i for i in range(self.rows) if all(column[i] == value for column, value in wanted)]
        return Table(self.model, self.metrics,
                     {name: _like(column, [column[i] for i in kept]) for name, column in self._columns.items()},
                     self.marks)

    def to_pandas(self) -> Any:
        """A pandas.DataFrame: `time` in the place of time_ns, UTC; unknown values are missing ones."""
        pandas, numpy = importlib.import_module("pandas"), importlib.import_module("numpy")
        series: Dict[str, Any] = {}
        for name, column in self._columns.items():
            if name == "time_ns":
                series["time"] = pandas.to_datetime(numpy.asarray(column), utc=True)
            elif isinstance(column, list):
                series[name] = pandas.Categorical([text or None for text in column])
            elif column.typecode == "q":
                series[name] = pandas.arrays.IntegerArray(numpy.array(column), numpy.asarray(column) < 0)
            else:
                series[name] = numpy.array(column)
        return pandas.DataFrame(series)

    def to_arrow(self) -> Any:
        """A pyarrow.Table, likewise; unknown values are nulls. The units are in the metadata of its fields."""
        arrow = importlib.import_module("pyarrow")
        arrays, described = [], []
        for name, column in self._columns.items():
            unit = self.metrics[name].unit if name in self.metrics else ""
            if name == "time_ns":
                name, kind, values = "time", arrow.timestamp("ns", tz="UTC"), column.tolist()
            elif isinstance(column, list):
                kind, values = arrow.string(), [text or None for text in column]
            elif column.typecode == "q":
                kind, values = arrow.int64(), [None if i < 0 else i for i in column]
            else:
                kind, values = arrow.float64(), [None if number != number else number for number in column]
            arrays.append(arrow.array(values, type=kind))
            described.append(arrow.field(name, kind, metadata={"unit": unit} if unit else None))
        return arrow.Table.from_arrays(arrays, schema=arrow.schema(described))

    @staticmethod
    def collect(model: str, layout: Layout, samples: Iterable[Sample]) -> Table:
        """A table of samples."""
        times, missed = array("q"), array("q")
        numbers = {name: array("d") for name in ("interval_s", "values", "count", "per_s", "counted_pct")}
        texts: Dict[str, List[str]] = {layout.columns[c].name: [] for c in layout.texts}
        marks: List[Mark] = []
        for sample in samples:
            times.append(sample.time_ns)
            missed.append(sample.missed)
            for name, gathered in numbers.items():
                gathered.extend(getattr(sample, name))
            for name, gathered_texts in texts.items():
                gathered_texts.extend(sample.texts[name])
            marks += sample.marks
        return Table(model, {metric.name: metric for metric in layout.columns},
                     dict(_columns(layout, times, missed, numbers, texts)), marks)


def _columns(layout: Layout, times: array[int], missed: array[int], numbers: Dict[str, array[float]],
             texts: Dict[str, List[str]]) -> Iterator[Tuple[str, Any]]:
    rows, width = len(layout.places), len(layout.columns)
    yield "time_ns", _repeated(times, rows)
    yield "interval_s", numbers["interval_s"]
    yield "missed", _repeated(missed, rows)
    for field in fields(Place):
        values = [getattr(place, field.name) for place in layout.places] * len(times)
        shown = layout.events if field.name in _OF_EVENTS else field.name != "cpu" or any(cpu >= 0 for cpu in values)
        if shown:
            yield field.name, array("q", values) if field.name in _INDICES else values
    if layout.events:
        yield from ((name, numbers[name]) for name in ("count", "per_s"))
    for i, metric in enumerate(layout.columns):
        if metric.name != "cpu":  # the place has it
            yield metric.name, texts[metric.name] if i in layout.texts else numbers["values"][i::width]
    yield "counted_pct", numbers["counted_pct"]


def _repeated(values: array[int], times: int) -> array[int]:
    return array("q", itertools.chain.from_iterable(itertools.repeat(value, times) for value in values))


def _like(column: Any, values: List[Any]) -> Any:
    return values if isinstance(column, list) else array(column.typecode, values)
