#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""plot.py RECORDING [PICTURE]: what was read from each CXL port, as a picture if matplotlib is installed, else as text."""
import sys

import cxlmon

METRIC = "cxl_mem_read_MBps"
WIDTH = 60  # of the text

table = cxlmon.read(sys.argv[1]).select(scope="port")
ports = sorted(set(zip(table["socket"], table["port"])))
lines = {f"socket {s} port {p}": table.select(socket=s, port=p) for s, p in ports}

try:
    from matplotlib import pyplot
except ImportError:
    highest = max((value for value in table[METRIC] if value == value), default=0) or 1
    print(f"CXL reads, up to {highest / 1e3:.1f} GB/s; with python3-matplotlib this is a picture")
    for name, line in lines.items():
        values = line[METRIC][:: len(line[METRIC]) // WIDTH + 1]
        print(name, "".join(" " if v != v else "▁▂▃▄▅▆▇█"[int(v / highest * 7)] for v in values))
else:
    for name, line in lines.items():
        start = line["time_ns"][0] if line.rows else 0
        pyplot.plot([(time - start) / 1e9 for time in line["time_ns"]], [v / 1e3 for v in line[METRIC]], label=name)
    pyplot.xlabel("s")
    pyplot.ylabel("CXL reads, GB/s")
    pyplot.legend()
    pyplot.savefig(sys.argv[2] if len(sys.argv) > 2 else "plot.png")
