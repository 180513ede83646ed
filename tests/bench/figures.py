# SPDX-License-Identifier: BSD-3-Clause
"""Statistics, and rows of the table: a figure, its floor, and whether its goal is met."""

import math
import re
import tempfile
import textwrap
from dataclasses import asdict, dataclass, field
from typing import List, Optional, Tuple


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def percentile(values, percent):
    """The smallest of the values that so many percent of them don't exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


def median_interval(values):
    """(low, median, high): the median of what the values are a sample of lies between low and high
    with 95 %, as so many of the values are above and below it as throws of a coin; less surely where
    there are fewer than six."""
    ordered = sorted(values)
    beyond, tail = 0, 1 / 2**len(ordered)
    while tail <= 0.025:
        beyond += 1
        tail += math.comb(len(ordered), beyond) / 2**len(ordered)
    return ordered[max(beyond - 1, 0)], median(ordered), ordered[-max(beyond, 1)]


def fit(xs, ys):
    """Least squares: (slope, intercept, R squared)."""
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / spread
    intercept = mean_y - slope * mean_x
    total = sum((y - mean_y) ** 2 for y in ys)
    left = sum((y - slope * x - intercept) ** 2 for x, y in zip(xs, ys))
    return slope, intercept, 1 - left / total if total else 1.0


def per_sample(once, twice, samples):
    """What N samples cost, where 2 N were measured too: what comes before and after cancels."""
    return (twice - once) / samples


def reason(why):
    """Why something was not measured, in one short line that is the same on every machine: without
    what valgrind prints beside it, and without the names of temporary directories."""
    text = re.sub(r"==\d+==.*", "", str(why))
    text = re.sub(re.escape(tempfile.gettempdir()) + r"/[^\s:;,'\")]+", "DIR", text)
    return textwrap.shorten(text.replace("|", "/"), 160, placeholder=" ...")


@dataclass
class Row:
    part: str
    what: str
    value: Optional[float]
    unit: str = ""
    floor: Optional[float] = None
    floor_is: str = ""
    goal: Optional[float] = None  # for the figure itself, or for its ratio to the floor
    goal_is: str = "most"  # "most", "least" or "ratio"
    runs: List[float] = field(default_factory=list)  # whose median the figure is
    note: str = ""
    interval: Optional[Tuple[float, float, float]] = None  # low, median, high of what is judged

    def ratio(self):
        if self.interval:
            return self.interval[1] if self.goal_is == "ratio" else None
        return self.value / self.floor if self.floor else None

    def judged(self):
        return self.ratio() if self.goal_is == "ratio" else self.value

    def reaches(self, value):
        return value >= self.goal if self.goal_is == "least" else value <= self.goal

    def decided(self):
        """Whether this machine can tell: not where the floor misses the goal itself, nor where the
        goal lies within the interval of what is judged."""
        if self.interval and self.interval[0] <= self.goal < self.interval[2]:
            return False
        return self.goal_is == "ratio" or self.floor is None or self.reaches(self.floor)

    def met(self):
        """None: there is no goal, or nothing to judge by."""
        judged = self.judged() if self.value is not None else None
        if self.goal is None or judged is None:
            return None
        return self.reaches(judged) if self.decided() else None

    def missed_by(self):
        return abs(self.judged() - self.goal) if self.met() is False else None

    def verdict(self):
        if self.goal is None or self.value is None or self.judged() is None:
            return ""
        sign = {"most": "<= %s", "least": ">= %s", "ratio": "<= %s x"}[self.goal_is]
        goal = sign % number(self.goal)
        if not self.decided():
            return goal + ": not decided"
        if self.met():
            return goal + ": met"
        return "%s: missed by %s" % (goal, number(self.missed_by()))

    def as_json(self):
        out = asdict(self)
        out.update(ratio=self.ratio() if self.value is not None else None, met=self.met(),
                   missed_by=self.missed_by())
        return out


def number(value):
    """Short, and never an exponent."""
    if value is None:
        return "-"
    if abs(value) >= 10000:
        return "{:,.0f}".format(value).replace(",", " ")
    if abs(value) >= 1000 or float(value).is_integer():
        return "%.0f" % value
    digits = 3 - (math.floor(math.log10(abs(value))) + 1 if value else 1)
    text = "%.*f" % (min(max(digits, 0), 6), value)
    return text.rstrip("0").rstrip(".") if "." in text else text
