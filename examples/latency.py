#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""latency.py RECORDING: the mean latency of CXL reads in each tenth of the bandwidth. Where it rises, a link is full."""
import sys

import cxlmon

STEPS = 10

system = cxlmon.read(sys.argv[1]).select(scope="system")
points = [(rate, latency, seconds) for rate, latency, seconds in zip(
    system["cxl_mem_read_MBps"], system["cxl_read_latency_ns"], system["interval_s"])
    if rate == rate and latency == latency]  # not known is NaN
highest = max((rate for rate, _, _ in points), default=0)
print("  up to GB/s   latency ns   samples")
for step in range(1, STEPS + 1):
    low, high = highest * (step - 1) / STEPS, highest * step / STEPS
    inside = [point for point in points if low < point[0] <= high]
    reads = sum(rate * seconds for rate, _, seconds in inside)
    if reads:  # a mean of all reads, as the program's
        mean = sum(rate * seconds * latency for rate, latency, seconds in inside) / reads
        print(f"{high / 1e3:12.1f} {mean:12.1f} {len(inside):9}")
