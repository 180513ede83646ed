/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables that AMD's processors from Zen 4 on share, and macros for rows of tables. */
#ifndef CXLMON_UNCORE_MODELS_AMD_MODELS_PRIVATE_H
#define CXLMON_UNCORE_MODELS_AMD_MODELS_PRIVATE_H

#include "msr/core_pmu.h"
#include "uncore/model/event.h"
#include "uncore/models/models_private.h"

/*
 * amd_events: events of L3 caches and memory controllers. amd_fill_events: a CPU's cache fills by
 * source. Both end with a row without a name.
 */
extern const struct event amd_events[], amd_fill_events[];

/* Rows of tables of events: an event of a data fabric; an event of a CPU. */
#define AMD_DF(name, code, umask, ...)                                                             \
	{                                                                                          \
		name, PMU_DF, code, umask, 0, 0xFFFF, __VA_ARGS__, .limit = LIMIT_CLOCK            \
	}
#define AMD_CORE(name, code, umask, help)                                                          \
	{                                                                                          \
		name, PMU_CORE, code, umask, 0, CORE_COUNTERS_GENERAL, help, CORE_ALL_RINGS,       \
			.limit = LIMIT_CLOCK                                                       \
	}

/*
 * Formula for a latency that L3 caches sample in units of 10 ns. of: end of the names of both
 * events. from: its .source.
 */
#define L3_SAMPLED_LATENCY(name, of, from)                                                         \
	{                                                                                          \
		.metric = name,                                                                    \
		.text = "l3_xi_sampled_latency." of " / l3_xi_sampled_latency_requests." of        \
			" * 10 ns",                                                                \
		.same_group = true, .any_unit = true, .source = from, .mean_of_reads = true,       \
		.from_core = true                                                                  \
	}

/*
 * Formulas for the share of each source in a CPU's demand fills. Together they have six events, as
 * many as a CPU has counters.
 */
#define DEMAND_FILLS(source) "ls_dmnd_fills_from_sys." source
#define FILLS_FROM(name, source)                                                                                                                    \
	{                                                                                                                                           \
		.metric = "fill_" name "_pct",                                                                                                      \
		.text = DEMAND_FILLS(source) " / (" DEMAND_FILLS("local_l2") " + " DEMAND_FILLS("local_ccx") " + " DEMAND_FILLS(                    \
			"near_cache") " + " DEMAND_FILLS("dram_io_near") " + " DEMAND_FILLS("far_all") " + " DEMAND_FILLS("alternate_memories") ")" \
	}
#define FILL_FORMULAS                                                                              \
	FILLS_FROM("l2", "local_l2"), FILLS_FROM("l3", "local_ccx"),                               \
		FILLS_FROM("other_l3", "near_cache"), FILLS_FROM("dram", "dram_io_near"),          \
		FILLS_FROM("remote", "far_all"), FILLS_FROM("cxl", "alternate_memories")

#define AMD_FORMULAS                                                                               \
	L3_SAMPLED_LATENCY("cxl_read_latency_ns", "ext_near", "l3"),                               \
		L3_SAMPLED_LATENCY("ddr_local_read_latency_ns", "dram_near", NULL),                \
		L3_SAMPLED_LATENCY("ddr_remote_read_latency_ns", "dram_far", NULL),                \
		L3_SAMPLED_LATENCY("cxl_far_read_latency_ns", "ext_far", NULL),                    \
		LINES("dram_read_MBps", "umc_cas_cmd.rd"),                                         \
		LINES("dram_write_MBps", "umc_cas_cmd.wr"),                                        \
		LINES("cxl_fill_MBps", "ls_any_fills_from_sys.alternate_memories"), FILL_FORMULAS, \
		CORE_FORMULAS

/* Formula for bytes of ports; events: one event of the data fabric for each port, in order. */
#define DF_BYTES(name, bytes, from, events)                                                        \
	{                                                                                          \
		BYTES(name, "by_port(" events ")", bytes), .source = from                          \
	}

/*
 * Rates that events count on simulated processors of AMD. Source of the families and models of
 * these processors: Linux's and Meta's lists of processors.
 */
extern const struct sim_event_rate sim_amd_events[];
#define SIM_AMD_UNCORE .vendor = SIM_AMD, .cxl_fills = true

/* The core PMU from Zen 4 on. */
extern const struct core_model core_amd;

/* Members of struct model that are the same for all AMD processors with a table. */
#define OF_AMD                                                                                     \
	.vendor = "AuthenticAMD", .units_by_cpuid = true, .far_is_node = true,                     \
	.perf_prefix = "amd_", .perf_driver = "amd_uncore", .core = &core_amd,                     \
	.pmu_types = amd_pmu_types, .load_events = amd_load_events

#endif
