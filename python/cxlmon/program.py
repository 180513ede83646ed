# SPDX-License-Identifier: BSD-3-Clause
"""What the program cxlmon says, where the library doesn't do what is asked."""
from __future__ import annotations

import json
import math
from typing import Any, Callable, Dict, List, TypeVar

from .library import Error


def failure(program: str, subcommand: str, messages: str, status: int) -> Error:
    """The last line of its messages."""
    lines = messages.strip().splitlines() or [f"{program} {subcommand} ended with status {status}"]
    return Error(lines[-1].replace("cxlmon: ", "", 1), status)


_Made = TypeVar("_Made")


def understood(program: str, subcommand: str, text: str, make: Callable[[Dict[str, Any]], _Made]) -> _Made:
    """What is made of a JSON object. Error: it is none, or not what this module knows."""
    try:
        return make(json.loads(text))
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise Error(f"{program} {subcommand} has printed what this module does not know: {text[:60]!r}") from error


def check_schema(subcommand: str, found: Dict[str, Any], schema: int) -> None:
    """Error: an object is of a version that this module does not know."""
    if found["schema"] != schema:
        raise Error(f"cxlmon {subcommand} has a schema of {found['schema']}, and this module knows {schema}")


def number(value: Any) -> float:
    """NaN: not known."""
    return math.nan if value is None else float(value)


def numbers(values: Dict[str, Any], without: List[str]) -> Dict[str, float]:
    """Those that are numbers, or may be."""
    return {name: number(value) for name, value in values.items()
            if name not in without and (value is None or isinstance(value, (int, float)))}
