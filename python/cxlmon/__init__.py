# SPDX-License-Identifier: BSD-3-Clause
"""Bandwidth, latency and events of CXL memory ports, by libcxlmon.

    import cxlmon

    with cxlmon.Monitor(sim="spr", interval_s=0.5) as monitor:  # without sim: this machine
        for sample in monitor:
            for row in sample.rows:
                print(row, row["cxl_mem_read_MBps"])

    table = cxlmon.read("day.cxl")   # a recording, as columns
    table["cxl_mem_read_MBps"]       # an array of numbers; table.to_pandas(), table.to_arrow()
    table.marks                      # what happened meanwhile: a link that was trained anew, ...

    for report in cxlmon.hot("--by=page", count=10):  # sampled loads; read_hot() has those of a recording
        print(report.time, report.rows[0], report.rows[0]["cxl_MBps"])

Names, units and meanings are those of the program's CSV; `metrics()` lists them. 1 MB is 10^6 bytes. An unknown
value is NaN as a number, "" as a text and -1 as an index, never 0. Messages of the library go to the logger "cxlmon"
of the module logging.

Real hardware needs root; simulated machines (`sim`) and recordings do not.
"""
from ._abi import VERSION as __version__
from ._abi import Backend, Ownership, Scope, Status
from .comparison import Compared, Comparison, Statistic, compare
from .hot import HotReport, HotRow, hot, read_hot
from .library import Error, Event, Metric, events, metrics
from .monitor import Monitor, read
from .sample import Mark, Row, Sample
from .table import Table

__all__ = [
    "Backend", "Compared", "Comparison", "Error", "Event", "HotReport", "HotRow", "Mark", "Metric", "Monitor",
    "Ownership", "Row", "Sample", "Scope", "Statistic", "Status", "Table", "__version__", "compare", "events", "hot",
    "metrics", "read", "read_hot",
]
