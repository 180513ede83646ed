/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/row.h"

#include <math.h>

#define READS_UNKNOWN                                                                              \
	{                                                                                          \
		.per_s = NAN, .MBps = NAN, .p50_ns = NAN, .p90_ns = NAN, .p99_ns = NAN,            \
		.max_ns = NAN,                                                                     \
	}

const struct process_row process_row_unknown = {
	.name = "",
	.function = "",
	.node = -1,
	.cpu = -1,
	.memory = {.cxl = NAN, .dram = NAN},
	.age_s = NAN,
	.growth = NAN,
	.reads = {.cxl = READS_UNKNOWN,
		  .dram = READS_UNKNOWN,
		  .share_pct = NAN,
		  .ports_pct = NAN,
		  .group_p50_ns = NAN,
		  .group_p99_ns = NAN},
	.counted = {.read_MBps = NAN,
		    .read_bytes = NAN,
		    .cycles = NAN,
		    .stalled_cycles = NAN,
		    .stalled_pct = NAN,
		    .rmid = -1,
		    .region_MBps = {NAN, NAN, NAN, NAN, NAN}},
};
