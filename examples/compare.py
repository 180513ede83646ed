#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""compare.py A B: what differs between two recordings. The exit status is 1 if anything does."""
import sys

import cxlmon

comparison = cxlmon.compare(sys.argv[1], sys.argv[2], finest="system")
for row in comparison.rows:
    print(f"{row.metric}: {row.mean.a:.1f} -> {row.mean.b:.1f} {row.unit} ({row.mean.difference_pct:+.1f} %), "
          f"{row.verdict}")
sys.exit(1 if comparison.differing else 0)
