/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events that sample loads, with their data address.
 *
 * Sources: Intel's perfmon lists (MEM_LOAD_RETIRED.L3_MISS of Sapphire Rapids to Granite Rapids),
 * whose E-cores have other codes; the kernel's arch/x86/events/intel/core.c (mem-loads, and
 * mem-loads-aux, which must lead its group if it exists) and arch/x86/events/amd/ibs.c (cnt_ctl:
 * ops are counted, not clocks; l3missonly from Zen 4 on; periods are multiples of 16). Records of
 * IBS have addresses, their source and the latency from Linux 6.1 on.
 *
 * Granite Rapids also counts loads from CXL memory of its own socket
 * (MEM_LOAD_RETIRED.LOCAL_CXL_MEM) and of others (MEM_LOAD_L3_MISS_RETIRED.REMOTE_CXL_MEM). They
 * are not sampled. Records of the second event have no data address (Data_LA in Intel's list), so
 * that their page and node are unknown. With only the first event, these loads would be sampled
 * twice, because a record of L3_MISS does not tell for certain that it is such a load.
 *
 * mem-loads takes loads at random: it tells their places by share, and their latency, but not the
 * number of reads. Its threshold in sysfs, 3 clocks, passes every cache hit. No DRAM answers within
 * 64 clocks of a core, at 0.8 GHz 80 ns, and a hit of the L1 or L2 takes less. The period begins at
 * ten times the period of Intel's lists for that threshold, 2003
 * (MEM_TRANS_RETIRED.LOAD_LATENCY_GT_64), because until it is adapted all CPUs of a large machine
 * may have such loads.
 *
 * IBS tags about one op per period. A tagged op that is not a load from memory is dropped: with
 * l3missonly by the processor, which then begins the next period at a random count of 1 to 127,
 * otherwise by the reader of the samples. So samples times the period estimate the loads from
 * memory.
 */
#include "platform/load_sample.h"
#include "platform/perf.h"
#include "uncore/models/models_private.h"

static const struct load_event l3_miss = {
	.name = "MEM_LOAD_RETIRED.L3_MISS",
	.pmu = "cpu",
	.terms = "event=0xd1,umask=0x20",
	.precise = 2,
	.period = 100003,
	.counts = true,
};

static const struct load_event mem_loads = {
	.name = "mem-loads",
	.pmu = "cpu",
	.alias = "mem-loads",
	.leader = "mem-loads-aux",
	.ldlat = 64,
	.precise = 2,
	.period = 20011,
	.takes_time = true,
	.of_caches = true,
};

static const struct load_event ibs_op = {
	.name = "ibs_op",
	.pmu = "ibs_op",
	.terms = "cnt_ctl=1",
	.optional = "l3missonly",
	.period = 0x40000,
	.multiple = 16,
	.kernel = PERF_KERNEL(6, 1),
	.counts = true,
	.tagged = true,
	.takes_time = true,
	.of_caches = true,
};

const struct load_event *const intel_load_events[] = {&l3_miss, &mem_loads, NULL};
const struct load_event *const intel_load_latencies[] = {&mem_loads, NULL};
const struct load_event *const amd_load_events[] = {&ibs_op, NULL};
