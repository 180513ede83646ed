# SPDX-License-Identifier: BSD-3-Clause
"""Machines that are measured, and the programs that are run on them."""

import json
import os
import platform
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import contextmanager

BUILD = os.environ.get("BUILD", "build")
# valgrind counts a long copy by the byte where it is a single instruction
COPIES_IN_LOOPS = {"GLIBC_TUNABLES": "glibc.cpu.x86_rep_movsb_threshold=10000000:"
                                     "glibc.cpu.x86_rep_stosb_threshold=10000000"}
TRAFFIC = "read=20,write=8,dram_read=60,dram_write=20"
DEFAULT = "cxl,latency,dram"  # what cxlmon measures when nothing is chosen
MEMORY = "cxl,dram"  # without an MSR
STANDARD = "spr,sockets=2,ports=4," + TRAFFIC
ONE_PORT = "spr,ports=1," + TRAFFIC


def built(name):
    return os.path.join(BUILD, name)


def spec_of(sockets):
    return "spr,sockets=%d,ports=8,chas=60,%s" % (sockets, TRAFFIC)


# The clock of cxlmon-bench is virtual, and moves on by this with each sample
UNCHECKED = "--step=1000"  # so that nothing that comes by the clock is part of it
CHECKED = "--step=100000000"  # so that all controls are checked in each


def bench(measure, count, where, metrics=DEFAULT, interval_us=2000, under=(), options=()):
    """Runs cxlmon-bench; where is --sim=... or --root=...; returns what it printed."""
    command = [*under, built("cxlmon-bench"), where, "--metrics=" + metrics,
               "--interval=%d" % (interval_us * 1000), *options, measure, str(count)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False,
                          env={**os.environ, **COPIES_IN_LOOPS})
    if done.returncode:
        raise RuntimeError("%s: %s" % (measure, done.stderr.strip()))
    return json.loads(done.stdout), done.stderr


@contextmanager
def published(spec, log=None):
    """The machine as files, below the directory that this gives."""
    directory = tempfile.mkdtemp(prefix="cxlmon-bench-")
    root = os.path.join(directory, "root")
    command = [built("cxlmon-platform"), "--sim=" + spec]
    if log:
        command.append("--log=" + log)
    process = subprocess.Popen([*command, root], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, text=True)
    try:
        if process.stdout.readline() != "ready\n":
            raise RuntimeError("the published machine does not start (it needs root and FUSE)")
        yield root
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)
        shutil.rmtree(directory, ignore_errors=True)


def counting(root):
    """What a command is put behind, so that this machine's kernel counts for the published one: its
    files are seen as this machine's, and a clock stands for each event."""
    script = ('mkdir -p /dev/cpu && mount --bind "$0/dev/cpu" /dev/cpu && '
              'mount --bind "$0/proc/bus/pci" /proc/bus/pci && mount --bind "$0/sys" /sys && '
              'exec "$@"')
    return ["unshare", "-m", "sh", "-c", script, root]


def clocks():
    """Preloads what makes a clock of each event."""
    return ["env", "LD_PRELOAD=" + os.path.abspath(built("cxlmon-clock.so"))]


@contextmanager
def copied(root):
    """The machine's memory as regular files that nobody else touches; its CPUs stay where they were."""
    directory = tempfile.mkdtemp(prefix="cxlmon-bench-")
    try:
        os.mkdir(os.path.join(directory, "dev"))
        for name in ("sys", "proc", "dev/mem"):
            subprocess.run(["cp", "-a", "--sparse=always", os.path.join(root, name),
                            os.path.join(directory, name)], check=True)
        os.symlink(os.path.join(root, "dev/cpu"), os.path.join(directory, "dev/cpu"))
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)


@contextmanager
def running(command, **files):
    """Started now, ended at the latest afterwards."""
    process = subprocess.Popen(command, **{"stdin": subprocess.DEVNULL,
                                           "stdout": subprocess.DEVNULL,
                                           "stderr": subprocess.DEVNULL, **files})
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            process.send_signal(signal.SIGCONT)  # a bench that fails leaves it stopped
        process.wait(30)


def cpu_ns(pid):
    """Time on a CPU, of all threads."""
    total = 0
    for task in os.listdir("/proc/%d/task" % pid):
        with open("/proc/%d/task/%s/schedstat" % (pid, task), encoding="ascii") as file:
            total += int(file.read().split()[0])
    return total


def descendant(pid, name):
    """A process of this name below it, soon."""
    for _ in range(1000):
        pids = [pid]
        for parent in pids:
            with open("/proc/%d/task/%d/children" % (parent, parent), encoding="ascii") as file:
                pids += map(int, file.read().split())
            with open("/proc/%d/comm" % parent, encoding="utf-8") as file:
                if file.read() == name + "\n":
                    return parent
        time.sleep(0.01)
    raise RuntimeError("no process %s is started" % name)


def cpu_share(command, seconds, settle=0.7):
    """Of one core, from 0 to 1, once it runs as it will."""
    with running(command) as process:
        time.sleep(settle)
        before, start = cpu_ns(process.pid), time.monotonic()
        time.sleep(seconds)
        if process.poll() is not None:
            raise RuntimeError("%s ended too early" % " ".join(command))
        return (cpu_ns(process.pid) - before) / 1e9 / (time.monotonic() - start)


def resident_bytes(pid):
    with open("/proc/%d/status" % pid, encoding="ascii") as file:
        return int(re.search(r"VmHWM:\s+(\d+) kB", file.read()).group(1)) * 1024


def seconds_to_line(command, number):
    """From before exec to the line of that number on standard output."""
    start = time.monotonic()
    with running(command, stdout=subprocess.PIPE) as process:
        text = b""
        while text.count(b"\n") < number:
            ready, _, _ = select.select([process.stdout], [], [], 20)
            got = os.read(process.stdout.fileno(), 65536) if ready else b""
            if not got:
                raise RuntimeError("%s printed only %r" % (" ".join(command), text))
            text += got
        return time.monotonic() - start


def summary(command, timeout=60):
    """What cxlmon says of its run: samples, missed, skipped, frozen_ms."""
    done = subprocess.run([command[0], "-v", *command[1:]], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          timeout=timeout, check=False)
    found = re.search(r"(\d+) samples, (\d+) deadlines missed, (\d+) samples skipped.*"
                      r"frozen for ([\d.]+) ms", done.stderr)
    if not found:
        raise RuntimeError("%s: %s" % (" ".join(command), done.stderr.strip()))
    names = ("samples", "missed", "skipped", "frozen_ms")
    return dict(zip(names, map(float, found.groups())))


def describe():
    """What this ran on; not whose it is."""
    model = "unknown processor"
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        found = re.search(r"model name\s*: (.*)", file.read())
        model = found.group(1) if found else model
    with open("/proc/loadavg", encoding="ascii") as file:
        load = float(file.read().split()[0])
    return {"cpu": model, "cores": os.cpu_count(), "kernel": platform.release(),
            "date": time.strftime("%Y-%m-%d", time.gmtime()), "load_before": load,
            "commit": subprocess.run(["git", "describe", "--always", "--dirty"], text=True,
                                     capture_output=True, check=False).stdout.strip()}
