#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every value of every row, once a second, through the C library."""
import ctypes
import sys

lib = ctypes.CDLL("libcxlmon.so.0")
for name in ("error", "column_name", "row_device"):
    getattr(lib, "cxlmon_" + name).restype = ctypes.c_char_p
for name in ("column_count", "row_count"):
    getattr(lib, "cxlmon_" + name).restype = ctypes.c_size_t
lib.cxlmon_value.restype = ctypes.c_double
lib.cxlmon_value.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t]
lib.cxlmon_unref.restype = None

ctx = ctypes.c_void_p()
if lib.cxlmon_new(ctypes.byref(ctx)):
    sys.exit("out of memory")
if len(sys.argv) > 1:
    lib.cxlmon_set_sim(ctx, sys.argv[1].encode())
lib.cxlmon_set_metrics(ctx, b"cxl")
failed = lib.cxlmon_start(ctx)
for _ in range(3):
    failed = failed or lib.cxlmon_wait(ctx) or lib.cxlmon_sample(ctx)
    if failed:
        break
    for row in range(lib.cxlmon_row_count(ctx)):
        where = lib.cxlmon_row_socket(ctx, row), lib.cxlmon_row_port(ctx, row)
        for column in range(lib.cxlmon_column_count(ctx)):
            value = lib.cxlmon_value(ctx, row, column)
            if value == value:  # not known is NaN
                print(*where, lib.cxlmon_column_name(ctx, column).decode(), f"{value:.1f}")
if failed:
    print(lib.cxlmon_error(ctx).decode(), file=sys.stderr)
lib.cxlmon_unref(ctx)  # restores the registers
sys.exit(1 if failed else 0)
