#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""bandwidth.py [SIM]: every value of every row, three times."""
import itertools
import sys

import cxlmon

try:
    with cxlmon.Monitor(sim=sys.argv[1] if len(sys.argv) > 1 else None, metrics="cxl") as monitor:
        for sample in itertools.islice(monitor, 3):
            for row in sample.rows:
                for name, value in row.values.items():
                    if value == value:  # not known is NaN
                        print(row, name, f"{value:.1f}")
except cxlmon.Error as error:
    sys.exit(f"{error}\n{error.command}")
