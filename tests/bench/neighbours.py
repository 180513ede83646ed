# SPDX-License-Identifier: BSD-3-Clause
"""What the programs of a machine lose while cxlmon, or another monitor, runs beside them."""

import json
import os
import shutil
import subprocess
import time
from contextlib import ExitStack

from figures import Row, median, median_interval
from machine import CHECKED, DEFAULT, TRAFFIC, UNCHECKED, built, cpu_ns, running
from sampling import compared

KINDS = {"spin": "spin", "stream": "stream", "chase": "pointer chase", "requests": "requests"}
RATES = {1: ("spin", "requests"), 10: tuple(KINDS), 100: tuple(KINDS), 1000: tuple(KINDS)}
MOST_LOST = {10: 0.1, 1000: 1}  # % of one CPU
SPEC = "spr,ports=8," + TRAFFIC
NOBODY, OWN, PEER = 0, 1, 2  # in each round, in this order
SLOW = ("--slow", "--frozen")
ALONE = "its registers alone"


# page faults stand for loads, which few machines can sample
SAMPLER = ("hot", "--node=0", "--event=minor-faults", "--json", "1")
SAMPLED_MOST = 1  # % of a CPU


def chosen():
    """({rate: neighbours}, rounds), by the variables of make neighbour."""
    kinds = os.environ.get("NEIGHBOUR", "").split()
    for kind in kinds:
        if kind not in KINDS:
            raise RuntimeError("unknown neighbour '%s': expected some of %s" %
                               (kind, " ".join(KINDS)))
    rates = os.environ.get("RATES", "").split() or RATES
    return ({int(rate): kinds or RATES[int(rate)] for rate in rates},
            int(os.environ.get("PAIRS") or 200))


def turn_ns(rate):
    """So long that there is a sample in each turn."""
    return 10**9 // min(rate, 10)


def own(rate):
    return [built("cxlmon-bench"), "--sim=" + SPEC, "--slow", "--metrics=" + DEFAULT,
            "--interval=%d" % (10**9 // rate), "watch", "1000000000"]


def perf(rate):
    """What perf can count on any machine."""
    return ["perf", "stat", "-a", "-I", str(1000 // rate), "-e",
            "context-switches,cpu-migrations,page-faults,task-clock", "-o", "/dev/null"]


def peers(rate):
    """At 1 Hz a turn takes a second, and the time is cxlmon's."""
    return [perf(rate)] if rate > 1 and shutil.which("perf") else []


def measured(kind, rate, rounds):
    """Rounds of turns: nobody beside the neighbours, cxlmon, a peer."""
    with ExitStack() as stack:
        beside = [stack.enter_context(running(command)) for command in (own(rate), *peers(rate))]
        time.sleep(1)
        for process in beside:
            if process.poll() is not None:
                raise RuntimeError("%s ended too early" % " ".join(process.args))
        done = subprocess.run([built("cxlmon-bench"), "--interval=%d" % turn_ns(rate),
                               *("--beside=%d" % process.pid for process in beside), kind,
                               str(rounds)], stdout=subprocess.PIPE, check=True)
        return json.loads(done.stdout)


def losses(found, who, beside=NOBODY):
    """Per cent of one CPU that is lost by a round with a monitor, against another or nobody."""
    return [100 * found["cpus"] * (turns[beside] - turns[who]) / turns[NOBODY]
            for turns in found["rounds"]]


def reading(rate):
    """(us a sample takes, us its registers take): with the check of controls where each has it."""
    pairs, _ = compared("--sim=" + SPEC, DEFAULT, 100,
                        options=[*SLOW, CHECKED if rate <= 10 else UNCHECKED])
    return tuple(map(median, zip(*pairs)))


def interval_row(what, values, unit, **more):
    interval = median_interval(values)
    return Row("neighbour", what, interval[1], unit, interval=interval, **more)


def work_rows(kind, rate, found, registers_us):
    floor = registers_us * rate / 1e6 * 100
    yield interval_row("%s with cxlmon, %d Hz" % (KINDS[kind], rate), losses(found, OWN), "%",
                       floor=floor, floor_is=ALONE, goal=MOST_LOST.get(rate),
                       note="of one CPU; %d pairs" % len(found["rounds"]))
    if len(found["rounds"][0]) > PEER:
        yield interval_row("%s with perf stat, %d Hz" % (KINDS[kind], rate),
                           losses(found, PEER), "%")
        yield interval_row("%s: cxlmon less perf stat, %d Hz" % (KINDS[kind], rate),
                           losses(found, OWN, PEER), "%", goal=0)


def request_rows(rate, found, sample_us):
    """The 99.9th percentile of all latencies; and by how much it is later, from turn to turn."""
    alone, *beside = (of["p999"] / 1e3 for of in found["latencies_ns"])
    for name, who in zip(("cxlmon", "perf stat"), range(OWN, PEER + 1)):
        if who > len(beside):
            break
        where = "requests with %s" % name
        yield Row("neighbour", "%s, %d Hz" % (where, rate), beside[who - 1], "us", alone, "alone",
                  note="99.9th percentile of requests of 100 us")
        later = [(turns[who] - turns[NOBODY]) / 1e3 for turns in found["rounds"]]
        yield interval_row("%s: later, %d Hz" % (where, rate), later, "us",
                           goal=sample_us if who == OWN else None,
                           note="than alone, by turns; the goal is one sample's reading")


def neighbour(_quick):
    rates, rounds = chosen()
    for rate, kinds in rates.items():
        sample_us, registers_us = reading(rate)
        for kind in kinds:
            found = measured(kind, rate, rounds)
            if kind == "requests":
                yield from request_rows(rate, found, sample_us)
            else:
                yield from work_rows(kind, rate, found, registers_us)
    for name in ("perf", "pcm", "likwid-perfctr"):
        if not shutil.which(name):
            yield Row("neighbour", "%s is not installed" % name, None)


def faulting(seconds):
    """({"cpus", "rounds"}) of a program on all CPUs whose every access is a page fault."""
    done = subprocess.run([built("cxlmon-bench"), "--interval=1000000000", "faults",
                           str(seconds)], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def sampled_pair(seconds):
    """Alone and then sampled, for so long: (% of one CPU that the program loses, % that the sampler
    takes). The kernel samples also for a process that is stopped: each pair has one of its own."""
    alone = faulting(seconds)
    with running([built("cxlmon"), *SAMPLER]) as sampler:
        time.sleep(3)  # it sets its period by what it sees in the first seconds
        before, start = cpu_ns(sampler.pid), time.monotonic()
        beside = faulting(seconds)
        taken = 100 * (cpu_ns(sampler.pid) - before) / 1e9 / (time.monotonic() - start)
        if sampler.poll() is not None:
            raise RuntimeError("%s ended too early" % " ".join(sampler.args))
    rates = [median([turns[NOBODY] for turns in found["rounds"]]) for found in (alone, beside)]
    return 100 * alone["cpus"] * (rates[0] - rates[1]) / rates[0], taken


def sampled(quick):
    """Each access of the program is an event that may be a sample: it loses more than most would."""
    count, seconds = (3, 2) if quick else (4, 4)
    pairs = [sampled_pair(seconds) for _ in range(count)]
    for name, values in zip(("lost by the sampled program", "taken by cxlmon hot"), zip(*pairs)):
        interval = median_interval(values)
        yield Row("sampled", "CPU %s" % name, interval[1], "%", interval=interval,
                  goal=SAMPLED_MOST, note="of one CPU; page faults on all CPUs, %d pairs" % count)
