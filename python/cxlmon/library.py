# SPDX-License-Identifier: BSD-3-Clause
"""libcxlmon as it was loaded: contexts, errors, messages, and what could be measured."""
from __future__ import annotations

import ctypes
import logging
import os
from dataclasses import dataclass
from typing import Any, List, Optional, Union

from . import _abi

NAME = "libcxlmon.so.0"

Text = Union[str, "os.PathLike[str]"]


def _load() -> _abi.Functions:
    try:
        return _abi.Functions(ctypes.CDLL(NAME))
    except OSError as error:
        raise ImportError(f"cannot load {NAME}: {error}; it is in Debian's package libcxlmon0, and where it was built, "
                          "LD_LIBRARY_PATH must name its directory") from error
    except AttributeError as error:
        raise ImportError(f"{NAME} is older than this module: {error}") from error


abi = _load()


class Error(Exception):
    """A failure that the library explains; its text is the message."""

    #: The kind of the failure, and what the program cxlmon exits with.
    status: _abi.Status
    #: A shell command that fixes the problem; "": none is known.
    command: str
    #: An error number of the module errno; 0: none.
    errno: int

    def __init__(self, message: str, status: int = _abi.Status.FAILED, command: str = "", errno: int = 0) -> None:
        super().__init__(message)
        known = [_abi.Status(value) for value in _abi.Status if value == status]
        self.status = known[0] if known else _abi.Status.FAILED
        self.command = command
        self.errno = errno


def check(context: ctypes.c_void_p, result: int) -> int:
    """Raises what a function has returned, if it is an error."""
    if result < 0:
        raise Error(abi.error(context), abi.status(context), abi.error_command(context), -result)
    return result


def encode(text: Optional[Text]) -> Optional[bytes]:
    """A text as the library takes it. ValueError: it has a NUL, where the library would see its end."""
    if text is None:
        return None
    data = os.fsencode(text)
    if b"\0" in data:
        raise ValueError(f"NUL in {text!r}")
    return data


_LEVELS = {_abi.LogLevel.WARNING: logging.WARNING, _abi.LogLevel.NOTE: logging.INFO}


@_abi.LOG_FN  # type: ignore[misc]
def _log(_data: Optional[int], level: int, text: bytes) -> None:
    found = [known for value, known in _LEVELS.items() if value == level]
    logging.getLogger("cxlmon").log(found[0] if found else logging.DEBUG, "%s", text.decode("utf-8", "replace"))


def new_context() -> ctypes.c_void_p:
    """A context, whose messages are logged; to be released by abi.unref()."""
    context = ctypes.c_void_p()
    if abi.new(ctypes.byref(context)):
        raise MemoryError
    abi.set_log(context, _log, None)
    return context


@dataclass(frozen=True)
class Metric:
    """A metric, and the column that has its values."""

    name: str  #: such as "cxl_mem_read_MBps"
    unit: str  #: such as "MB/s" or "ns"; "": none
    help: str  #: a sentence
    group: str  #: what `Monitor(metrics=...)` takes; "": a custom metric


def metrics() -> List[Metric]:
    """All metrics that the library knows. Not every processor has all of them."""
    return [Metric(abi.metric_name(i), abi.metric_unit(i), abi.metric_help(i), abi.metric_group(i))
            for i in range(abi.metric_count())]


@dataclass(frozen=True)
class Event:
    """An event that a processor can count."""

    name: str  #: what `Monitor(events=...)` takes
    type: str  #: the type of the units that count it, such as "cxlcm"
    help: str  #: a sentence; "": none is known


def events(sim: Optional[str] = None) -> List[Event]:
    """The events of this machine's processor, or of a simulated one. Needs no rights."""
    context = new_context()
    try:
        check(context, abi.set_sim(context, encode(sim)))
        check(context, abi.list_events(context))
        return [Event(abi.event_name(context, i), abi.event_unit(context, i), abi.event_help(context, i))
                for i in range(abi.event_count(context))]
    finally:
        abi.unref(context)


def columns(context: Any) -> List[Metric]:
    """The columns of a context that was started."""
    groups = {metric.name: metric.group for metric in metrics()}
    names = [abi.column_name(context, i) for i in range(abi.column_count(context))]
    return [Metric(name, abi.column_unit(context, i), abi.column_help(context, i), groups.get(name, ""))
            for i, name in enumerate(names)]
