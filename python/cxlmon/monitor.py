# SPDX-License-Identifier: BSD-3-Clause
"""A measurement, or a recording, as an iterator of samples."""
from __future__ import annotations

import contextlib
import ctypes
import errno
import itertools
import math
import os
import select
import threading
import weakref
from array import array
from typing import Iterable, Iterator, List, Optional, Union

from ._abi import Backend, Ownership, Scope
from .library import Error, Metric, Text, abi, check, columns, encode, new_context
from .sample import Layout, Mark, Place, Sample
from .table import Table

_CLOSED_MS = 1000  # how long a thread may wait for a monitor that another one has closed
_YEAR = 365 * 86400.0


def _release(context: ctypes.c_void_p, lock: threading.RLock, process: int) -> None:
    if os.getpid() == process:  # a child of a fork must not restore registers that its parent uses
        with lock:
            abi.unref(context)


def _joined(names: Union[str, Iterable[str], None]) -> Optional[str]:
    return names if names is None or isinstance(names, str) else ",".join(names)


class Monitor:
    """Measures from its creation until close(), or reads a recording; an iterator of samples.

    next() waits for the deadline, and reads the counters. A recording ends; a measurement does not. The
    registers that were programmed are restored by close(), by the end of a with statement, or when the interpreter
    ends.

    Threads may share a monitor: each sample goes to one of them. After close(), also by another thread: ValueError. In
    the child of a fork, and where a signal handler or a handler of messages interrupts a call: RuntimeError. What the
    library refuses is an Error.

    sim: a simulated machine instead of this one: "spr,sockets=2,read=20,clock=virtual"
    recording: a file of `cxlmon record`, which decides everything else
    root: the directory that has dev, sys, proc and run
    metrics: groups: "cxl,latency", or a list of them; None: "cxl,latency,dram"
    sockets, ports, devices: only these: "0,2-3", "mem0"
    events: events as for the option -e; then rows are events, and there are no metrics
    custom_metrics: formulas as for the option --metric: "a_MBps = UNC_CXLCM_RxC_PACK_BUF_INSERTS.MEM_DATA * 64 bytes"
    interval_s: seconds from one deadline to the next, from 0.0001
    finest: rows of this scope, and of coarser ones
    ownership: what to do if another program uses the counters
    backend: how counters are reached
    """

    model: str  #: the processor's short name: "spr"
    columns: List[Metric]  #: the columns, with units

    def __init__(self, *, sim: Optional[str] = None, recording: Optional[Text] = None, root: Optional[Text] = None,
                 metrics: Union[str, Iterable[str], None] = None, sockets: Optional[str] = None,
                 ports: Optional[str] = None, devices: Union[str, Iterable[str], None] = None,
                 events: Iterable[str] = (), custom_metrics: Iterable[str] = (), interval_s: float = 1.0,
                 finest: Scope = Scope.PORT, ownership: Ownership = Ownership.REFUSE,
                 backend: Backend = Backend.AUTO) -> None:
        self._lock, self._busy = threading.RLock(), False
        self._process = os.getpid()
        self._context = context = new_context()
        self._release = weakref.finalize(self, _release, context, self._lock, self._process)
        settings = [
            (abi.set_sim, sim), (abi.set_recording, recording), (abi.set_root, root), (abi.set_sockets, sockets),
            (abi.set_ports, ports), (abi.set_devices, _joined(devices)),
            *((abi.set_metrics, groups) for groups in [_joined(metrics)] if groups is not None),
            *((abi.add_event, event) for event in _several("events", events)),
            *((abi.add_metric, metric) for metric in _several("custom_metrics", custom_metrics)),
        ]
        try:
            for setting, text in settings:
                check(context, setting(context, encode(text)))
            check(context, abi.set_interval_ns(context, _nanoseconds(interval_s)))
            check(context, abi.set_scope(context, Scope(finest)))
            check(context, abi.set_ownership(context, Ownership(ownership)))
            check(context, abi.set_backend(context, Backend(backend)))
            check(context, abi.start(context))
        except BaseException:
            self._release()
            raise
        self._layout = _layout(context)
        self.model, self.columns = abi.model(context), self._layout.columns

    def __enter__(self) -> Monitor:
        with self._use():
            return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Sample]:
        return self

    def __next__(self) -> Sample:
        while True:
            with self._use() as context:
                if check(context, abi.dispatch(context)) == 1:
                    sample = self._sample(context)
                    break
                due = check(context, abi.fd(context))
            # not in the library, which others may use meanwhile, or close
            waiting = select.poll()
            waiting.register(due, select.POLLIN)
            waiting.poll(_CLOSED_MS)
        if sample is None:
            raise StopIteration
        return sample

    def sample(self) -> Optional[Sample]:
        """Reads the counters now, without waiting for the deadline. None: the recording has ended."""
        with self._use() as context:
            return self._sample(context)

    def fileno(self) -> int:
        """A descriptor for select, selectors or asyncio: when it is readable, dispatch() must be called."""
        with self._use() as context:
            return check(context, abi.fd(context))

    def dispatch(self) -> bool:
        """Does what is due, without waiting. True: so is a sample, for sample() to read."""
        with self._use() as context:
            return check(context, abi.dispatch(context)) == 1

    def table(self, count: Optional[int] = None) -> Table:
        """The next samples, as columns: so many, or all until the end of the recording."""
        return Table.collect(self.model, self._layout, itertools.islice(self, count))

    @property
    def backend(self) -> Backend:
        """How the counters are reached."""
        with self._use() as context:
            return Backend(check(context, abi.backend(context)))

    def close(self) -> None:
        """Stops, and restores the registers. Error: some could not be restored; `cxlmon restore` does it."""
        if os.getpid() != self._process or not self._release.alive:
            return
        with self._use() as context:
            try:
                check(context, abi.stop(context))
            finally:
                self._release()

    @contextlib.contextmanager
    def _use(self) -> Iterator[ctypes.c_void_p]:
        if os.getpid() != self._process:
            raise RuntimeError("the monitor belongs to the process that forked this one")
        with self._lock:
            if self._busy:
                raise RuntimeError("the monitor is in use by the call that this one interrupts")
            self._busy = True
            try:
                if not self._release.alive:
                    raise ValueError("the monitor is closed")
                yield self._context
            finally:
                self._busy = False

    def _sample(self, context: ctypes.c_void_p) -> Optional[Sample]:
        result = abi.sample(context)
        if result == -errno.ENODATA:
            return None
        check(context, result)
        return _copied(context, self._layout)


def _several(name: str, texts: Iterable[str]) -> Iterable[str]:
    if isinstance(texts, str):
        raise TypeError(f"{name}: expected a list of texts")
    return texts


def _nanoseconds(seconds: float) -> int:
    if not 0 <= seconds <= _YEAR:
        raise ValueError(f"interval_s: {seconds} is out of range")
    return round(seconds * 1e9)


def _layout(context: ctypes.c_void_p) -> Layout:
    places = [_place(context, i) for i in range(abi.row_count(context))]
    return Layout(columns(context), places,
                  texts=[i for i in range(abi.column_count(context)) if abi.column_is_text(context, i)],
                  events=[i for i, place in enumerate(places) if place.event])


def _place(context: ctypes.c_void_p, row: int) -> Place:
    return Place(scope=abi.row_scope_name(context, row), socket=abi.row_socket(context, row),
                 port=abi.row_port(context, row), cpu=abi.row_cpu(context, row), pci=abi.row_pci(context, row),
                 memdev=abi.row_device(context, row), node=abi.row_node(context, row),
                 type=abi.row_unit(context, row), id=abi.row_box(context, row), event=abi.row_event(context, row))


def _copied(context: ctypes.c_void_p, layout: Layout) -> Sample:
    rows = range(len(layout.places))
    values = array("d", bytes(8 * len(rows) * len(layout.columns)))
    abi.values(context, values.buffer_info()[0], len(values))
    count, per_s = array("d", [math.nan]) * len(rows), array("d", [math.nan]) * len(rows)
    for i in layout.events:
        count[i], per_s[i] = abi.row_events(context, i), abi.row_events_per_s(context, i)
    return Sample(
        time_ns=abi.time_ns(context), missed=abi.missed(context), lost_units=abi.lost_units(context), layout=layout,
        interval_s=array("d", [abi.row_interval_s(context, i) for i in rows]),
        counted_pct=array("d", [abi.row_counted_pct(context, i) for i in rows]),
        values=values, texts={layout.columns[c].name: [abi.text(context, i, c) for i in rows] for c in layout.texts},
        count=count, per_s=per_s, marks=[_mark(context, i) for i in range(abi.mark_count(context))])


def _mark(context: ctypes.c_void_p, i: int) -> Mark:
    return Mark(time_ns=abi.mark_time_ns(context, i), kind=abi.mark_kind(context, i),
                memdev=abi.mark_device(context, i), text=abi.mark_text(context, i))


def read(recording: Text, *, partial: bool = False) -> Table:
    """A recording of `cxlmon record`, as columns. "-": standard input.

    Error: it is damaged, incomplete, or still being written; with partial, the samples before that are returned.
    """
    # None would measure this machine
    with Monitor(recording=os.fspath(recording)) as monitor:
        samples = _until_damage(monitor) if partial else monitor
        return Table.collect(monitor.model, monitor._layout, samples)


def _until_damage(monitor: Monitor) -> Iterator[Sample]:
    with contextlib.suppress(Error):
        yield from monitor
