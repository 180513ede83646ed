/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decodes records of a sampled perf event, whose bytes are not trusted.
 *
 * Source: perf_event_open(2); include/uapi/linux/perf_event.h (enum perf_event_type, union
 * perf_mem_data_src); the order of fields is that of perf_output_sample() in kernel/events/core.c.
 */
#ifndef CXLMON_LINUX_PERF_SAMPLE_RECORD_H
#define CXLMON_LINUX_PERF_SAMPLE_RECORD_H

#include <linux/perf_event.h>

#include "platform/load_sample.h"

/* perf_event_attr.sample_type of the samples that are decoded. */
#define SAMPLE_TYPE                                                                                \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_READ | PERF_SAMPLE_IP | PERF_SAMPLE_TID |            \
	 PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |              \
	 PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_PHYS_ADDR)

/* The same of events whose records of processes are decoded: with sample_id_all it is in these. */
#define PROCESS_RECORD_TYPE PERF_SAMPLE_TIME

/* perf_event_attr.read_format: what PERF_SAMPLE_READ, and read(2), have behind the count. */
#define SAMPLE_READ_FORMAT (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

/*
 * How samples of a kernel, and of its events, differ. The kernel's own events take no counter, and
 * so share none; and with PERF_SAMPLE_PERIOD each would be sampled (perf_swevent_event()). Of their
 * samples .period and .times are 0.
 */
struct sample_layout {
	bool counter; /* PERF_SAMPLE_PERIOD and _READ */
	bool lost;    /* PERF_FORMAT_LOST, which is a part of _READ: Linux 6.0 */
};

/* perf_event_header.size has 16 bits. */
#define SAMPLE_RECORD_MOST 65536

/* False: it can be no such record. The name is in record. */
bool sample_record_decode(const uint8_t *record, size_t size, const struct sample_layout *layout,
			  struct sample_record *out);

/*
 * PERF_SAMPLE_DATA_SRC. Where a load was answered is in mem_lvl_num; of kernels, and processors,
 * that do not say it there, in mem_lvl.
 */
enum load_level data_src_level(uint64_t data_src);
bool data_src_is_load(uint64_t data_src); /* also where it says nothing */
bool data_src_is_remote(uint64_t data_src);
int data_src_region(uint64_t data_src); /* as load_sample.region */

#endif
