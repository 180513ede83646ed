# SPDX-License-Identifier: BSD-3-Clause
"""What a sample costs: accesses, instructions, allocations, system calls, time."""

import glob
import os
import re
import shutil
import tempfile
from collections import Counter
from contextlib import contextmanager

from figures import Row, fit, median, median_interval, number, per_sample, percentile
from machine import (CHECKED, DEFAULT, MEMORY, STANDARD, TRAFFIC, UNCHECKED, bench, clocks,
                     copied, counting, published, spec_of)

KINDS = {"msr_read": "MSR reads", "msr_write": "MSR writes", "memory_read": "memory reads",
         "memory_write": "memory writes", "pci_read": "PCI reads", "pci_write": "PCI writes"}
# stall rotates counters of CPUs, of which the least is not known
METRICS = (MEMORY, DEFAULT, "core", "cxl,latency,dram,queue,link,core")

MODELS = ("spr", "gnr")


def spec_of_model(model):
    return STANDARD.replace("spr", model, 1)


def total(counted, what):
    return sum(counted[what].values())


def accesses(_quick):
    for model in MODELS:
        for metrics in METRICS if model == "spr" else (DEFAULT,):
            yield from counted_accesses(model, metrics)
    yield from logged_accesses()
    yield path_accesses("gnr")


def path_accesses(model):
    """Counters of CPUs take turns there, of which the least is not known, as with stall."""
    alone, beside = (total(accesses_at(model, metrics, 5000), "made")
                     for metrics in (DEFAULT, DEFAULT + ",path"))
    return Row("accesses", "group path beside the default, %s, a sample" % model, beside - alone,
               note="2 sockets of 8 CPUs; without the turns that events take")


def accesses_at(model, metrics, interval_us):
    busy = spec_of_model(model) + ",full=4,crc=1000,retry=1000,clock=virtual"  # nothing rests
    return bench("accesses", 8, "--sim=" + busy, metrics, interval_us)[0]


def checked_registers(model):
    """How many registers the check of all controls reads."""
    usual, checked = (accesses_at(model, DEFAULT, interval_us) for interval_us in (5000, 100000))
    return total(checked, "made") - total(usual, "made")


def counted_accesses(model, metrics):
    usual, checked, rotated = (
        accesses_at(model, metrics, interval_us) for interval_us in (5000, 100000, 1000000))
    where = ", %s, -m %s" % (model, metrics)
    for kind, name in KINDS.items():
        made, least = usual["made"][kind], usual["least"][kind]
        if made or least:
            yield Row("accesses", name + where, made, "", least, "counters, freeze, rotation",
                      least)
    yield Row("accesses", "each 100 ms" + where, total(checked, "made") - total(usual, "made"),
              note="in addition: all controls are compared")
    more = total(rotated, "made") - total(checked, "made")
    if more:
        yield Row("accesses", "each second" + where, more, "",
                  total(rotated, "least") - total(checked, "least"),
                  "controls that differ after a rotation", note="in addition")


def logged_accesses():
    """The same MSRs, as the published machine has seen them."""
    counts = []
    for samples in (6, 12):
        with tempfile.TemporaryDirectory() as directory:
            log = os.path.join(directory, "log")
            with still(STANDARD, log) as where:
                bench("samples", samples, where, options=STILL)
            with open(log, encoding="ascii") as file:
                text = file.read()
        counts.append([len(re.findall(verb + r" cpu \d+ msr", text))
                       for verb in ("read", "write")])
    least = bench("accesses", 12, "--sim=%s,clock=virtual" % STANDARD, DEFAULT,
                  5000)[0]["least"]
    for i, kind in enumerate(("msr_read", "msr_write")):
        yield Row("accesses", "%s a sample, by the machine's log" % KINDS[kind],
                  per_sample(counts[0][i], counts[1][i], 6), "", least[kind],
                  "counters, freeze, rotation", least[kind])


DHAT = (("valgrind", "--tool=dhat", "--dhat-out-file=/dev/null"),
        r"Total: +[\d,]+ bytes in ([\d,]+) blocks")
STILL = ("--frozen", "--still", UNCHECKED)


def callgrind(function):
    """Counts the instructions of this function alone, and of what it calls."""
    return (("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
             "--toggle-collect=" + function), r"Collected : (\d+)")


SAMPLE, DECODE, BARE = (callgrind(name) for name in
                        ("subject_sample", "subject_decode", "bare_run"))


@contextmanager
def still(spec, log=None):
    """A machine whose registers are files, of which those in memory move for the bench alone."""
    with published(spec, log) as root, copied(root) as copy:
        yield "--root=" + copy


def counted_twice(tool, measure, where, metrics=DEFAULT, options=STILL, behind=()):
    """A number that valgrind prints at the end, by sample."""
    samples = 8
    under, pattern = (*behind, *tool[0]), tool[1]
    counts = []
    for count in (samples, 2 * samples):
        _, text = bench(measure, count, where, metrics, 2000, under, options)
        counts.append(int(re.search(pattern, text).group(1).replace(",", "")))
    return per_sample(*counts, samples)


def instructions(_quick):
    if not shutil.which("valgrind"):
        yield Row("instructions", "valgrind is not installed", None)
        return
    for model in MODELS:
        yield from model_instructions(model, spec_of_model(model))
    with still(STANDARD) as where:
        raw = counted_twice(SAMPLE, "samples", where)
    with published(STANDARD) as root:
        own = counted_twice(SAMPLE, "samples", "--root=/", options=("--perf", UNCHECKED),
                            behind=(*counting(root), *clocks()))
    yield Row("instructions", "a sample with --backend=perf, spr", own, "", raw,
              "--backend=raw", note="in user space")


def model_instructions(model, spec):
    with still(spec) as where:
        own = counted_twice(SAMPLE, "samples", where)
        yield Row("instructions", "a sample, " + model, own, "",
                  counted_twice(BARE, "bare", where), "bare loop", 3, "ratio",
                  note="in user space, 2 sockets x 4 ports, default metrics")
        checked = counted_twice(SAMPLE, "samples", where, options=(*STILL[:-1], CHECKED))
        yield Row("instructions", "the check of all controls, each 100 ms, " + model,
                  checked - own)
        yield Row("instructions", "a register of that check, " + model,
                  (checked - own) / checked_registers(model), goal=60,
                  note="with all that it decides")
        allocated = counted_twice(DHAT, "samples", where)
    yield Row("instructions", "decoding, on the writer's thread, " + model,
              counted_twice(DECODE, "decode", "--sim=%s,clock=virtual" % spec,
                            options=("--frozen",)), note="for values and text see formats")
    yield Row("instructions", "allocations a sample, " + model, allocated, "", 0, "none", 0)


def traced(behind, where, samples, options):
    """Calls of so many samples by name, of the thread that takes them."""
    with tempfile.TemporaryDirectory() as directory:
        bench("samples", samples + 1, where, DEFAULT, 2000,
              (*behind, "strace", "-ff", "-qq", "-o", os.path.join(directory, "t"),
               *(clocks() if behind else ())), options)
        first = min(glob.glob(os.path.join(directory, "t.*")),
                    key=lambda name: int(name.rsplit(".", 1)[1]))
        with open(first, encoding="utf-8", errors="replace") as file:
            names = [line.split("(", 1)[0] for line in file]
        # from the first sleep on: before and after there is no sample
        sleeps = [i for i, name in enumerate(names) if name == "rt_sigtimedwait"]
        return Counter(names[sleeps[0]:sleeps[samples]])


def calls(_quick):
    if not shutil.which("strace"):
        yield Row("calls", "strace is not installed", None)
        return
    with still(STANDARD) as where:
        each = traced_twice((), where, STILL)
    yield from raw_calls(each)
    with published(STANDARD) as root:
        perf = traced_twice(counting(root), "--root=/", ("--perf", UNCHECKED))
    yield Row("calls", "the same with --backend=perf", sum(perf.values()), "",
              sum(each.values()), "--backend=raw", note=call_names(perf))


def traced_twice(behind, where, options):
    once, twice = (traced(behind, where, samples, options) for samples in (10, 20))
    return {name: per_sample(once.get(name, 0), twice[name], 10) for name in twice}


def call_names(each, left_out=()):
    return ", ".join("%g %s" % (n, name) for name, n in sorted(each.items())
                     if n and name not in left_out)


def raw_calls(each):
    registers = each.get("pread64", 0) + each.get("pwrite64", 0)
    yield Row("calls", "system calls a sample on the sampling thread", sum(each.values()), "",
              registers + 1, "preads + pwrites + 1", registers + 1,
              note="beside the accesses: " + call_names(each, ("pread64", "pwrite64")))


def compared(where, metrics, samples, interval_us=2000, options=()):
    """A sample and the bare loop in turn: pairs of us; and the accesses of each."""
    found, _ = bench("compare", samples, where, metrics, interval_us,
                     options=(UNCHECKED, *options))
    return [(sample / 1e3, bare / 1e3) for sample, bare in found["pairs_ns"]], found["accesses"]


def time_row(what, where, metrics, quick, goal=None, **more):
    pairs, count = compared(where, metrics, 100 if quick else 1000, **more)
    samples, bares = zip(*pairs)
    return Row("time", what, median(samples), "us", median(bares), "bare loop", goal, "ratio",
               note="%d accesses, -m %s" % (count, metrics),
               interval=median_interval([sample / bare for sample, bare in pairs]))


def duration(quick):
    yield time_row("time a sample, simulated registers", "--sim=" + STANDARD, DEFAULT, quick)
    for model in MODELS:
        spec = spec_of_model(model)
        yield time_row("time a sample, 300 ns a load, 1 us an MSR, " + model, "--sim=" + spec,
                       DEFAULT, quick, 1.03, options=["--slow", "--frozen"])
    with published(STANDARD) as root:
        yield time_row("time a sample, published files", "--root=" + root, DEFAULT, quick, 1.05,
                       interval_us=5000, options=["--frozen"])
    with still(STANDARD) as where:
        yield time_row("time a sample, regular files", where, MEMORY, quick,
                       options=["--still"])


SOCKETS = (1, 2, 4, 8)


@contextmanager
def machine(kind, sockets):
    """Where one machine of a series is, what is measured on it, and with which options."""
    if kind == "simulated":
        yield "--sim=" + spec_of(sockets), DEFAULT, []
        return
    with still(spec_of(sockets)) as where:
        yield where, MEMORY, ["--still"]


def timed(kind, sockets, samples):
    """(accesses, us a sample, us a bare loop): tenth percentiles."""
    with machine(kind, sockets) as (where, metrics, options):
        pairs, count = compared(where, metrics, samples, options=options)
    return (count, *(percentile(times, 10) for times in zip(*pairs)))


def fit_rows(what, unit, counts, values, bares):
    slope, intercept, r2 = fit(counts, values)
    bare_slope, _, bare_r2 = fit(counts, bares)
    yield Row("growth", "%s an access, fitted" % what, slope, unit, bare_slope, "bare loop",
              note="and %s %s a sample" % (number(intercept), unit))
    yield Row("growth", "R2 of that fit to 8 sockets", r2, "", bare_r2, "bare loop", 0.99, "least")


def time_growth(kind, samples):
    points = [timed(kind, sockets, samples) for sockets in SOCKETS]
    for sockets, (count, sample, bare) in zip(SOCKETS, points):
        yield Row("growth", "%d x 8 ports x 60 CHAs, %s" % (sockets, kind), sample, "us", bare,
                  "bare loop", note="%d accesses" % count)
    counts, samples, bares = zip(*points)
    yield from fit_rows("time, %s registers," % kind, "ns", counts,
                        [1e3 * sample for sample in samples], [1e3 * bare for bare in bares])


def instruction_growth():
    counts, samples, bares = [], [], []
    for sockets in SOCKETS:
        with machine("regular", sockets) as (where, metrics, options):
            counts.append(compared(where, metrics, 2, options=options)[1])
            samples.append(counted_twice(SAMPLE, "samples", where, metrics, (*options, UNCHECKED)))
            bares.append(counted_twice(BARE, "bare", where, metrics, (*options, UNCHECKED)))
    yield from fit_rows("instructions, regular files,", "", counts, samples, bares)


def largest():
    """Reading alone; what the writer takes is part of make neighbour."""
    pairs, count = compared("--sim=spr,sockets=8,ports=8,chas=128," + TRAFFIC, DEFAULT, 10,
                            options=["--slow", "--frozen", CHECKED])
    share, floor = (100 * 10 * median(times) / 1e6 / 8 for times in zip(*pairs))
    yield Row("growth", "8 sockets with 128 CHAs at 10 Hz, of one CPU a socket", share, "%", floor,
              "bare loop", 1, note="%d accesses, with the check of all controls" % count)


SET_UP = callgrind("subject_open")
HEAP = (DHAT[0], r"At t-gmax: +([\d,]+) bytes")


def counted_once(tool, where):
    """A number that valgrind prints at the end of a run with one sample."""
    _, text = bench("samples", 1, where, DEFAULT, 2000, tool[0], STILL)
    return int(re.search(tool[1], text).group(1).replace(",", ""))


def set_up_growth():
    """Up to four sockets with 128 CHAs each: more take valgrind minutes."""
    found = []
    for sockets in SOCKETS[:3]:
        with still("spr,sockets=%d,ports=8,chas=128,%s" % (sockets, TRAFFIC)) as where:
            found.append([counted_once(tool, where) for tool in (SET_UP, HEAP)])
    for what, unit, values in zip(("instructions of the set-up", "heap"), ("", "B"), zip(*found)):
        slope, _, r2 = fit(SOCKETS[:3], values)
        yield Row("growth", "%s, a socket with 128 CHAs, fitted" % what, slope, unit)
        yield Row("growth", "R2 of that fit to 4 sockets", r2, goal=0.99, goal_is="least")


def growth(quick):
    """Whatever else the machine does only ever adds to a time; instructions are exact."""
    for kind in ("simulated", "regular"):
        yield from time_growth(kind, 100 if quick else 1000)
    yield from largest()
    if shutil.which("valgrind"):
        yield from instruction_growth()
        yield from set_up_growth()
