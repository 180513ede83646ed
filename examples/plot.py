#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""plot.py RECORDING [PICTURE [METRIC]]: a metric, as a picture if matplotlib is installed, else as text.

METRIC is a column of CSV: cxlmon list has them. The lines are the ports, or sockets if ports do not have it.
"""
import sys

import cxlmon

WIDTH = 60  # of the text

recording, picture, metric = sys.argv[1:] + ["plot.png", "cxl_mem_read_MBps"][len(sys.argv) - 2 :]
table = cxlmon.read(recording)
for scope in "port", "socket", "system":
    rows = table.select(scope=scope)
    highest = max((value for value in rows[metric] if value == value), default=0)
    if highest:
        break
places = sorted(set(zip(rows["socket"], rows["port"])))
lines = {
    " ".join(f"{name} {n}" for name, n in (("socket", s), ("port", p)) if n >= 0) or "system": rows.select(socket=s, port=p)
    for s, p in places
}

try:
    from matplotlib import pyplot
except ImportError:
    print(f"{metric}, up to {highest:.1f}; with python3-matplotlib this is a picture")
    for name, line in lines.items():
        values = line[metric][:: len(line[metric]) // WIDTH + 1]
        print(name, "".join(" " if v != v else "▁▂▃▄▅▆▇█"[int(v / (highest or 1) * 7)] for v in values))
else:
    for name, line in lines.items():
        start = line["time_ns"][0] if line.rows else 0
        pyplot.plot([(time - start) / 1e9 for time in line["time_ns"]], line[metric], label=name)
    pyplot.xlabel("s")
    pyplot.ylabel(metric)
    pyplot.legend()
    pyplot.savefig(picture)
