# SPDX-License-Identifier: BSD-3-Clause
"""What a run costs and keeps up: rates, lateness, processor, memory, start, output, other tools."""

import os
import re
import shutil
import subprocess
import tempfile
import time

from figures import Row, median
from machine import (DEFAULT, MEMORY, ONE_PORT, STANDARD, bench, built, copied, counting, cpu_ns, cpu_share,
                     descendant, published, resident_bytes, running, seconds_to_line, summary)
from sampling import compared

LADDER = (500, 1000, 2000, 3000, 4000, 5000, 7500, 10000)  # samples a second
PROCESSES = 1000
SLEEPS = "sleeps with nothing between"


def monitor(where, interval, count, *options):
    return [built("cxlmon"), *options, where, interval, str(count), "--csv"]


def interval_of(rate):
    return "%dus" % (1000000 // rate)


def missed_by_cxlmon(where, options):
    return lambda rate, samples: summary(
        monitor(where, interval_of(rate), samples, *options))["missed"]


def missed_by_sleeps(rate, samples):
    return bench("sleeps", samples, "--root=/", interval_us=1000000 // rate)[0]["missed"]


def in_turn(own, floor, rate, turns):
    """What is missed in so many seconds, by both, each a second at a time."""
    missed = [(own(rate, rate), floor(rate, rate)) for _ in range(turns)]
    return tuple(map(sum, zip(*missed)))


def highest(own, floor, seconds):
    """The highest rates that both keep for so long; of those kept for a second two are tried."""
    first = {rate: in_turn(own, floor, rate, 1) for rate in LADDER}
    best = [0, 0]
    for who in 0, 1:
        for rate in [rate for rate in LADDER if not first[rate][who]][:-3:-1]:
            if not best[who] and not in_turn(own, floor, rate, seconds)[who]:
                best[who] = rate
    return best


def rate_rows(name, where, options, goal, quick):
    seconds = 2 if quick else 3
    own = missed_by_cxlmon(where, options)
    missed, floor = in_turn(own, missed_by_sleeps, goal, seconds)
    yield Row("rates", "deadlines missed at %d/s for %d s, %s" % (goal, seconds, name),
              missed, "", floor, SLEEPS, 0,
              note="beside %d samples, a second of each in turn" % (goal * seconds))
    best, floor = highest(own, missed_by_sleeps, seconds)
    yield Row("rates", "highest rate without a miss, %s" % name, best, "/s", floor, SLEEPS, goal,
              "least", note="of %s; 1 s of each, %d s of the highest two" %
              (", ".join(map(str, LADDER)), seconds))
    run = summary(monitor(where, interval_of(goal), goal * seconds, *options))
    found, _ = bench("rate", goal * seconds, where, options[1] if options else DEFAULT,
                     1000000 // goal)
    sleeps, _ = bench("sleeps", goal * seconds, where, interval_us=1000000 // goal)
    for at in ("p50", "p99", "max"):
        yield Row("rates", "lateness at %d/s, %s, %s" % (goal, at, name),
                  found["late_ns"][at] / 1e3, "us", sleeps["late_ns"][at] / 1e3, SLEEPS)
    yield Row("rates", "frozen a sample, %s" % name, 1e3 * run["frozen_ms"] / run["samples"],
              "us", note="mean, by cxlmon's own summary")
    yield Row("rates", "first to last counter of a sample, %s" % name,
              found["skew_ns"]["p50"] / 1e3, "us", note="median")


def rates(quick):
    yield from rate_rows("simulated", "--sim=" + ONE_PORT, (), 10000, quick)
    with published(ONE_PORT) as root:
        yield from rate_rows("published, one port", "--root=" + root, ("-m", MEMORY), 1000,
                             quick)


def use_rows(name, where, goal, quick):
    for interval, us in (("1s", 1000000), ("100ms", 100000), ("10ms", 10000), ("1ms", 1000)):
        seconds = 2
        own = 100 * cpu_share(monitor(where, interval, 1000000), seconds)
        floor = 100 * cpu_share([built("cxlmon-bench"), where, "--metrics=" + DEFAULT,
                                 "--interval=%d" % (us * 1000), "bare", "1000000"], seconds,
                                0.7 + us / 1e6)
        yield Row("processor", "CPU at %s, %s" % (interval, name), own, "%", floor,
                  "bare loop", goal if us == 1000000 else None)


def processor(quick):
    yield from use_rows("simulated", "--sim=" + STANDARD, 0.1, quick)
    with published(STANDARD) as root:
        yield from use_rows("published", "--root=" + root, 0.1, quick)


def screen(quick):
    """What the processes below the ports take, once the memory of most has been read."""
    memory = 'touch /dev/mem && mount --bind "$0/dev/mem" /dev/mem && exec "$@"'
    command = "stty rows 40 cols 120; exec %s 1" % os.path.abspath(built("cxlmon"))
    sleepers = [subprocess.Popen(["sleep", "1000"]) for _ in range(PROCESSES)]
    try:
        # others than root can read copies
        with published(ONE_PORT) as root, copied(root) as files, running(
                [*counting(files), "sh", "-c", memory, files, "env", "TERM=xterm",
                 "script", "-qec", command, "/dev/null"]) as run:
            watcher = descendant(run.pid, "cxlmon-top")
            time.sleep(5 if quick else 10)
            seconds = 10 if quick else 15
            before = cpu_ns(watcher)
            time.sleep(seconds)
            found = 100 * (cpu_ns(watcher) - before) / 1e9 / seconds
            yield Row("screen", "CPU for %d processes below the ports, at 1 Hz" % PROCESSES, found,
                      "%", goal=0.5)
    finally:
        for process in sleepers:
            process.kill()
            process.wait()


def resident(command):
    with running(command) as process:
        time.sleep(0.6)
        return resident_bytes(process.pid)


def memory(_quick):
    sleeper = [built("cxlmon-bench"), "--interval=1000000000", "sleeps", "9"]
    floor = resident(sleeper)
    with published("spr,sockets=2") as root:
        for name, where, goal in (("published", "--root=" + root, 4),
                                  ("simulated", "--sim=spr,sockets=2", None)):
            found = resident(monitor(where, "10ms", 1000000))
            yield Row("memory", "resident, two sockets, %s" % name, found / 2**20, "MiB",
                      floor / 2**20, "a program that only sleeps", goal,
                      note="simulator included" if goal is None else "")


def start(quick):
    nothing = [built("cxlmon-bench"), "nothing", "0"]
    runs = 3 if quick else 9
    floor = median([seconds_to_line(nothing, 1) for _ in range(runs)])
    with published(STANDARD) as root:
        for name, where in (("simulated", "--sim=" + STANDARD), ("published", "--root=" + root)):
            command = [built("cxlmon"), where, "0.1", "1", "--csv"]
            found = [1e3 * (seconds_to_line(command, 2) - 0.1) for _ in range(runs)]
            yield Row("start", "exec to first sample less the interval, %s" % name,
                      median(found), "ms", 1e3 * floor, "a program that prints a line", 20,
                      runs=found)


def format_rows(name, quick):
    samples = 500 if quick else 3000
    found = [bench(name, samples, "--sim=%s,clock=virtual" % STANDARD, interval_us=1000000)[0]
             for _ in range(1 if quick else 5)]
    one = found[0]
    per_s = [1e9 * run["rows"] / run["made_ns"] for run in found]
    yield Row("formats", "%s rows a second" % name, median(per_s), "/s",
              median([1e9 * run["rows"] / run["copied_ns"] for run in found]),
              "copies of the same bytes", runs=per_s, note="values computed and written")
    yield Row("formats", "%s bytes a row" % name, one["bytes"] / one["rows"], "B",
              8 * one["values"] / one["rows"], "8 bytes a known value")


def recording(quick):
    """Where cxlmon can record."""
    if subprocess.run([built("cxlmon"), "record", "--help"], capture_output=True,
                      check=False).returncode:
        return
    samples = 500 if quick else 3000
    with tempfile.TemporaryDirectory() as directory:
        sizes, times = [], []
        for count in (samples, 2 * samples):
            path = os.path.join(directory, str(count))
            before = time.monotonic()
            subprocess.run([built("cxlmon"), "record", "--sim=%s,clock=virtual" % STANDARD, path,
                            "1", str(count)], check=True, capture_output=True)
            times.append(time.monotonic() - before)
            sizes.append(os.path.getsize(path))
    rows = samples * 11  # 8 ports, 2 sockets, the system
    yield Row("formats", "recorded rows a second", rows / (times[1] - times[0]), "/s",
              note="sampling of simulated registers included")
    yield Row("formats", "recorded bytes a row", (sizes[1] - sizes[0]) / rows, "B")


def cpu_and_memory(command):
    """Seconds of CPU, and most resident bytes, of a command that succeeds."""
    pid = os.posix_spawn(command[0], command, os.environ)
    _, status, used = os.wait4(pid, 0)
    if status:
        raise RuntimeError("%s failed" % " ".join(command[:2]))
    return used.ru_utime + used.ru_stime, used.ru_maxrss << 10


def hosts(quick):
    """A job of 200 hosts, each recorded for 10 minutes at 10 Hz."""
    samples = 600 if quick else 6000
    with tempfile.TemporaryDirectory() as where:
        names = [os.path.join(where, "n%d.cxl" % i) for i in range(200)]
        subprocess.run([built("cxlmon"), "record", "-q", names[0], "--sim=spr,sockets=2,wave=1,clock=virtual",
                        "0.1", str(samples)], check=True)
        for name in names[1:]:
            shutil.copy(names[0], name)
        for command in (("report",), ("explain",), ("replay", "--csv", "60")):
            seconds, most = cpu_and_memory([built("cxlmon"), *command[:1], *names, *command[1:], "-q",
                                            "-o", os.path.join(where, "out")])
            yield Row("hosts", "%s of 200 hosts, %d samples each" % (command[0], samples), seconds, "s",
                      goal=10)
            yield Row("hosts", "%s: most resident" % command[0], most / 2**20, "MiB", goal=256)


def formats(quick):
    for name in ("csv", "json"):
        yield from format_rows(name, quick)
    yield from recording(quick)


def rdmsr_row(root):
    """One pass over the MSRs that a sample reads, a process each, as scripts do it."""
    registers = " ".join("0x%x" % (0x2000 + 0x10 * cha + 8 + i) for cha in range(8)
                         for i in range(4))
    script = ('mount --bind "$0/dev/cpu" /dev/cpu && for cpu in 0 8; do for msr in %s; do '
              "rdmsr -p $cpu $msr >/dev/null || exit; done; done" % registers)
    times = []
    for _ in range(5):
        before = time.monotonic()
        subprocess.run(["unshare", "-m", "sh", "-c", script, root], check=True)
        times.append(1e3 * (time.monotonic() - before))
    pairs, _ = compared("--root=" + root, "latency", 50, options=["--frozen"])
    return Row("others", "rdmsr in a loop: 64 MSRs, 2 sockets", median(times), "ms",
               median([sample for sample, _ in pairs]) / 1e3, "a whole sample of -m latency", runs=times)


def perf_row():
    if not shutil.which("perf"):
        return Row("others", "perf is not installed", None)
    done = subprocess.run(["perf", "stat", "-a", "-I", "100", "-e", "instructions", "sleep",
                           "0.3"], capture_output=True, text=True, check=False)
    if done.returncode or "not supported" in done.stderr or "instructions" not in done.stderr:
        return Row("others", "perf is here, but this machine has no counters for it", None)
    share = 100 * cpu_share(["perf", "stat", "-a", "-I", "10", "-e", "instructions,cycles",
                             "-o", "/dev/null", "sleep", "10"], 3)
    with published(STANDARD) as root:
        own = 100 * cpu_share(monitor("--root=" + root, "10ms", 1000000, "-m", "core"), 3)
    return Row("others", "perf stat -I 10, core counters, of a core", share, "%", own,
               "cxlmon -m core at 10 ms")


def others(_quick):
    if shutil.which("rdmsr"):
        with published(STANDARD) as root:
            yield rdmsr_row(root)
    else:
        yield Row("others", "rdmsr (msr-tools) is not installed", None)
    yield perf_row()
    tools = [name for name in ("pcm", "pcm-memory", "pcm-latency") if shutil.which(name)]
    if not tools:
        yield Row("others", "pcm is not installed", None)
    for name in tools:
        done = subprocess.run([name, "1", "-i=1"], capture_output=True, text=True, timeout=30,
                              check=False)
        if done.returncode:
            first = (done.stderr or done.stdout).strip().splitlines()[-1:] or [""]
            yield Row("others", "%s is here, but does not run: %s" %
                      (name, re.sub(r"\s+", " ", first[0])[:60]), None)
        else:
            share = 100 * cpu_share([name, "1"], 4)
            yield Row("others", "%s at 1 s, of a core" % name, share, "%")
