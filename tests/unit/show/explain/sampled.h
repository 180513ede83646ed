/* SPDX-License-Identifier: BSD-3-Clause */
/* Sampled loads: 600 of 1000 read CXL memory, and half of these its hottest 4 GiB. */
#ifndef CXLMON_TEST_SAMPLED_H
#define CXLMON_TEST_SAMPLED_H

#include <math.h>

#include "process/report.h"

/* Returns such samples, with 8 GiB of colder DRAM, and this much DRAM that no sample read. */
static inline struct process_report sampled_loads(double unseen_dram_GiB)
{
	static const struct load_event event = {.counts = true};
	static const struct sampled_row all = {
		.counts[TIME_INTERVAL] = {
			[MEMORY_CXL] = {.events = 600}, [MEMORY_DRAM] = {.events = 400}}};

	return (struct process_report){
		.event = &event,
		.all = &all,
		.counted_MB = {NAN, NAN},
		.hot_cxl_GiB = 4,
		.colder_dram_GiB = 8,
		.unseen_dram_GiB = unseen_dram_GiB,
	};
}

#endif
