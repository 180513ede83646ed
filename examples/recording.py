#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The mean of each column of a recording, over the samples of the whole system."""
import ctypes
import sys

lib = ctypes.CDLL("libcxlmon.so.0")
lib.cxlmon_error.restype = lib.cxlmon_column_name.restype = ctypes.c_char_p
lib.cxlmon_column_count.restype = lib.cxlmon_row_count.restype = ctypes.c_size_t
lib.cxlmon_value.restype = ctypes.c_double
lib.cxlmon_value.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t]
lib.cxlmon_unref.restype = None

ctx = ctypes.c_void_p()
if lib.cxlmon_new(ctypes.byref(ctx)):
    sys.exit("out of memory")
lib.cxlmon_set_recording(ctx, sys.argv[1].encode())
values = {}
rc = lib.cxlmon_start(ctx)
while not rc and not (rc := lib.cxlmon_sample(ctx)):
    system = lib.cxlmon_row_count(ctx) - 1  # the last row
    for column in range(lib.cxlmon_column_count(ctx)):
        value = lib.cxlmon_value(ctx, system, column)
        if value == value:  # not known is NaN
            values.setdefault(lib.cxlmon_column_name(ctx, column).decode(), []).append(value)
for name, known in values.items():
    print(name, f"{sum(known) / len(known):.1f}")
status = lib.cxlmon_status(ctx)  # 0 at the end of a complete recording
if status:
    print(lib.cxlmon_error(ctx).decode(), file=sys.stderr)
lib.cxlmon_unref(ctx)
sys.exit(status)
