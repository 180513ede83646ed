# SPDX-License-Identifier: BSD-3-Clause
"""What a sample costs: accesses, instructions, allocations, system calls, time."""

import glob
import os
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from contextlib import contextmanager

from figures import Row, fit, number, per_sample
from machine import (DEFAULT, MEMORY, STANDARD, bench, built, clocks, copied, counting,
                     published, spec_of)

KINDS = {"msr_read": "MSR reads", "msr_write": "MSR writes", "memory_read": "memory reads",
         "memory_write": "memory writes", "pci_read": "PCI reads", "pci_write": "PCI writes"}
METRICS = (MEMORY, DEFAULT, "core", "all")


BUSY = "%s,full=4,crc=1000,retry=1000,clock=virtual" % STANDARD  # nothing rests


def accesses(_quick):
    for metrics in METRICS:
        usual, looking = (bench("accesses", 12, "--sim=" + BUSY, metrics, interval_us)[0]
                          for interval_us in (5000, 1000000))
        made, least = usual["made"], usual["least"]
        for kind, name in KINDS.items():
            if made[kind] or least[kind]:
                yield Row("accesses", "%s a sample, -m %s" % (name, metrics), made[kind], "",
                          least[kind], "counters, freeze, rotation", least[kind])
        more, needed = (sum(looking[what].values()) - sum(usual[what].values())
                        for what in ("made", "least"))
        if more:
            yield Row("accesses", "besides, with each check, -m %s" % metrics, more, "", needed,
                      "controls that differ after a rotation",
                      note="all controls are read before any is written")
    yield from logged_accesses()


def logged_accesses():
    """The same MSRs, as the published machine has seen them."""
    counts = []
    for samples in (6, 12):
        with tempfile.TemporaryDirectory() as directory:
            log = os.path.join(directory, "log")
            with published(STANDARD, log) as root:
                subprocess.run([built("cxlmon"), "--root=" + root, "--freeze=always", "0.005",
                                str(samples), "--csv"], stdout=subprocess.DEVNULL,
                               check=True)
            with open(log, encoding="ascii") as file:
                text = file.read()
        counts.append([len(re.findall(verb + r" cpu \d+ msr", text))
                       for verb in ("read", "write")])
    least = bench("accesses", 12, "--sim=%s,clock=virtual" % STANDARD, DEFAULT,
                  5000)[0]["least"]
    for i, kind in enumerate(("msr_read", "msr_write")):
        yield Row("accesses", "%s a sample of cxlmon, by the machine's log" % KINDS[kind],
                  per_sample(counts[0][i], counts[1][i], 6), "", least[kind],
                  "counters, freeze, rotation", least[kind])


CALLGRIND = (("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"),
             r"Collected : (\d+)")
DHAT = (("valgrind", "--tool=dhat", "--dhat-out-file=/dev/null"),
        r"Total: +[\d,]+ bytes in ([\d,]+) blocks")


def counted_twice(tool, measure, samples, where, metrics=DEFAULT, options=("--frozen",), behind=()):
    """A number that valgrind prints at the end, by sample."""
    under, pattern = (*behind, *tool[0]), tool[1]
    counts = []
    for count in (samples, 2 * samples):
        _, text = bench(measure, count, where, metrics, 5000, under, options)
        counts.append(int(re.search(pattern, text).group(1).replace(",", "")))
    return per_sample(*counts, samples)


def instructions(_quick):
    if not shutil.which("valgrind"):
        yield Row("instructions", "valgrind is not installed", None)
        return
    for model in ("spr", "gnr"):
        with published(STANDARD.replace("spr", model, 1)) as root:
            yield from model_instructions(model, "--root=" + root)
    with published(STANDARD) as root:
        yield perf_instructions(root)


def perf_instructions(root):
    raw = counted_twice(CALLGRIND, "samples", 8, "--root=" + root)
    own = counted_twice(CALLGRIND, "samples", 8, "--root=/", options=("--perf",),
                        behind=(*counting(root), *clocks()))
    return Row("instructions", "instructions a sample with --backend=perf, spr", own, "", raw,
               "--backend=raw", note="in user space, without the check of all controls")


def model_instructions(model, where):
    own, decoded, bare = (counted_twice(CALLGRIND, name, 8, where)
                          for name in ("samples", "decode", "bare"))
    yield Row("instructions", "instructions a sample in user space, " + model, own, "", bare,
              "bare loop", 3, "ratio",
              note="2 sockets x 4 ports, default metrics, with the sleep before it, without "
                   "the check of all controls")
    checking = counted_twice(CALLGRIND, "samples", 20, where)
    yield Row("instructions", "the same, with its share of the check of all controls", checking,
              "", bare, "bare loop", note="one in 20 samples")
    yield Row("instructions", "decoding of a sample, on the writer's thread", decoded - own, "",
              note="for values and text see formats")
    yield Row("instructions", "allocations a sample",
              counted_twice(DHAT, "samples", 20, where), "", 0, "none", 0)


def traced(behind, command, samples):
    """Calls of so many samples by name, of the thread that takes them."""
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run([*behind, "strace", "-ff", "-qq", "-o", os.path.join(directory, "t"),
                        *command, "0.05", str(samples + 1), "--csv"],
                       stdout=subprocess.DEVNULL, check=True)
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
    with published(STANDARD) as root:
        raw = [built("cxlmon"), "--root=" + root, "--backend=raw", "--freeze=always"]
        each = traced_twice((), raw)
        yield from raw_calls(each)
        perf = traced_twice(counting(root), [*clocks(), built("cxlmon"), "--backend=perf"])
    yield Row("calls", "the same with --backend=perf", sum(perf.values()), "",
              sum(each.values()), "--backend=raw", note=call_names(perf))


def traced_twice(behind, command):
    once, twice = (traced(behind, command, samples) for samples in (10, 20))
    return {name: per_sample(once.get(name, 0), twice[name], 10) for name in twice}


def call_names(each, left_out=()):
    return ", ".join("%g %s" % (n, name) for name, n in sorted(each.items())
                     if n and name not in left_out)


def raw_calls(each):
    registers = each.get("pread64", 0) + each.get("pwrite64", 0)
    yield Row("calls", "system calls a sample on the sampling thread", sum(each.values()), "",
              registers + 1, "preads + pwrites + 1", registers + 1,
              note="beside the accesses: " + call_names(each, ("pread64", "pwrite64")))


def compared(where, metrics, samples, runs, interval_us=2000, options=(), at="p50"):
    """The middle one of several runs, in us: a sample, the bare loop; all; the accesses."""
    found = [bench("compare", samples, where, metrics, interval_us, options=options)[0]
             for _ in range(runs)]
    pairs = [(one["sample_ns"][at] / 1e3, one["bare_ns"][at] / 1e3) for one in found]
    middle = sorted(pairs, key=lambda pair: pair[0] / pair[1])[len(pairs) // 2]
    return middle, [pair[0] for pair in pairs], found[0]["accesses"]


def time_row(what, where, metrics, quick, goal=None, **more):
    (sample, bare), runs, count = compared(where, metrics, 100, 1 if quick else 5, **more)
    return Row("time", what, sample, "us", bare, "bare loop", goal, "ratio", runs,
               "%d accesses, -m %s" % (count, metrics))


def duration(quick):
    yield time_row("time a sample, simulated registers", "--sim=" + STANDARD, DEFAULT, quick)
    for model in ("spr", "gnr"):
        spec = STANDARD.replace("spr", model, 1)
        yield time_row("time a sample, 300 ns a load, 1 us an MSR, " + model, "--sim=" + spec,
                       DEFAULT, quick, 1.03, options=["--slow", "--frozen"])
    with published(STANDARD) as root:
        yield time_row("time a sample, published files", "--root=" + root, DEFAULT, quick, 1.05,
                       interval_us=5000, options=["--frozen"])
        with copied(root) as still:
            yield time_row("time a sample, regular files", "--root=" + still, MEMORY, quick,
                           options=["--still"])


SOCKETS = (1, 2, 4, 8)


@contextmanager
def machine(kind, sockets):
    """Where one machine of a series is, what is measured on it, and with which options."""
    if kind == "simulated":
        yield "--sim=" + spec_of(sockets), DEFAULT, []
        return
    with published(spec_of(sockets)) as root, copied(root) as still:
        yield "--root=" + still, MEMORY, ["--still"]


def timed(kind, sockets, runs):
    """(accesses, us a sample, us a bare loop): tenth percentiles, and of them the least."""
    samples = 50 if kind == "simulated" else 300
    with machine(kind, sockets) as (where, metrics, options):
        found = [compared(where, metrics, samples, 1, options=options, at="p10")
                 for _ in range(runs)]
    return found[0][2], min(pair[0] for pair, _, _ in found), min(pair[1] for pair, _, _ in found)


def fit_rows(what, unit, counts, values, bares):
    slope, intercept, r2 = fit(counts, values)
    bare_slope, _, bare_r2 = fit(counts, bares)
    yield Row("growth", "%s an access, fitted" % what, slope, unit, bare_slope, "bare loop",
              note="and %s %s a sample" % (number(intercept), unit))
    yield Row("growth", "R2 of that fit to 8 sockets", r2, "", bare_r2, "bare loop", 0.99, "least")


def time_growth(kind, runs):
    points = [timed(kind, sockets, runs) for sockets in SOCKETS]
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
            counts.append(bench("compare", 2, where, metrics, options=options)[0]["accesses"])
            samples.append(counted_twice(CALLGRIND, "samples", 8, where, metrics, options))
            bares.append(counted_twice(CALLGRIND, "bare", 8, where, metrics, options))
    yield from fit_rows("instructions, regular files,", "", counts, samples, bares)


def growth(quick):
    """Whatever else the machine does only ever adds to a time; instructions are exact."""
    for kind in ("simulated", "regular"):
        yield from time_growth(kind, 1 if quick else 5)
    if shutil.which("valgrind"):
        yield from instruction_growth()
