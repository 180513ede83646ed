/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A row of top, who and hot: a process, a group of processes, or a part of their reads. It has
 * memory, reads, and the latency of these reads. A number that was not measured is NAN.
 */
#ifndef CXLMON_PROCESS_ROW_H
#define CXLMON_PROCESS_ROW_H

#include <stddef.h>
#include <stdint.h>

#include "process/identity.h"
#include "process/scan.h"

/* Sampled reads from one kind of memory. */
struct memory_reads {
	double per_s, MBps; /* rates of the last interval; NAN also for a VM */
	uint64_t samples;   /* samples of the event that counts reads */
	/* percentiles of latency, and the highest latency */
	double p50_ns, p90_ns, p99_ns, max_ns;
};

struct row_reads {
	struct memory_reads cxl, dram;
	double share_pct; /* percent of the rows' sampled reads from CXL memory */
	/* percentiles of CXL latency of all processes of the group that the row is in */
	double group_p50_ns, group_p99_ns;
};

struct process_row {
	struct process_identity is; /* .pid 0: a group, or unknown */
	struct process_memory memory;
	double age_s; /* time since memory was read */
	struct row_reads reads;
};

/* An empty row: numbers are NAN, counts are 0 and strings are empty. */
extern const struct process_row process_row_unknown;

#endif
