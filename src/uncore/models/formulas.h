/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of formula tables shared by several processors. */
#ifndef CXLMON_MODEL_FORMULAS_H
#define CXLMON_MODEL_FORMULAS_H

#include "uncore/formula.h"

/* Metrics are in MB/s, and a MB is 10^6 bytes. */
#define MB_PER_LINE	 (64 / 1e6)
#define MB_PER_HALF_LINE (32 / 1e6)

/* No CXL port of these processors is faster than 16 lanes of PCIe 5.0: 32 GT/s, MB/s each way. */
#define PORT_MAX 64e3

#define PORT_BYTES(name, event, bytes, from)                                                       \
	{                                                                                          \
		.metric = name, .events = {event}, .value = formula_scaled, .factor = bytes,       \
		.max = PORT_MAX, .source = from, .pinned = true                                    \
	}

/* Lines that were requested. Requests carry no data: the link's bandwidth does not limit them. */
#define PORT_REQUESTS(name, event, from)                                                           \
	{                                                                                          \
		.metric = name, .events = {event}, .value = formula_scaled, .factor = MB_PER_LINE, \
		.source = from, .pinned = true, .compared = true                                   \
	}

/* Lines that a CXL device has sent, counted by its CPMU. */
#define CPMU_READS(name)                                                                           \
	{                                                                                          \
		.metric = name, .events = {"s2m_drs_reads"}, .value = formula_scaled,              \
		.factor = MB_PER_LINE, .source = "cpmu", .of_device = true                         \
	}

/* TOR occupancy, inserts and clockticks for one class of reads, in the same group. */
#define LATENCY(name, class, from)                                                                 \
	{                                                                                          \
		.metric = name,                                                                    \
		.events = {"UNC_CHA_TOR_OCCUPANCY.IA_MISS_" class,                                 \
			   "UNC_CHA_TOR_INSERTS.IA_MISS_" class, "UNC_CHA_CLOCKTICKS"},            \
		.value = formula_latency, .of_unit = formula_mean_occupancy, .same_group = true,   \
		.any_unit = true, .source = from, .mean_of_reads = true                            \
	}

/*
 * CXL reads counted in the CHAs' TOR, as in Intel PCM: those of a socket's cores to the ports of
 * any socket, or those of any socket's cores to the ports of this one.
 */
#define TOR_BYTES(name, from, from_cores, of_several, ...)                                         \
	{                                                                                          \
		.metric = name, .events = {__VA_ARGS__}, .value = formula_sum,                     \
		.factor = MB_PER_LINE, .source = from, .any_unit = true, .cross_check = true,      \
		.of_all_sockets = from_cores, .one_class = of_several                              \
	}

/* The accelerator class. PCM counts these on Sapphire Rapids. */
#define TOR_ACC_BYTES(name, of_several)                                                            \
	TOR_BYTES(name, "tor", true, of_several, "UNC_CHA_TOR_INSERTS.IA_MISS_CRDMORPH_CXL_ACC",   \
		  "UNC_CHA_TOR_INSERTS.IA_MISS_RFO_CXL_ACC",                                       \
		  "UNC_CHA_TOR_INSERTS.IA_MISS_DRD_CXL_ACC",                                       \
		  "UNC_CHA_TOR_INSERTS.IA_MISS_LLCPREFRFO_CXL_ACC",                                \
		  "UNC_CHA_TOR_INSERTS.IA_MISS_RFO_PREF_CXL_ACC",                                  \
		  "UNC_CHA_TOR_INSERTS.IA_MISS_DRD_PREF_CXL_ACC",                                  \
		  "UNC_CHA_TOR_INSERTS.IA_MISS_LLCPREFDATA_CXL_ACC",                               \
		  "UNC_CHA_TOR_INSERTS.IA_MISS_LLCPREFCODE_CXL_ACC")

#define DRAM_BYTES(name, ...)                                                                      \
	{                                                                                          \
		.metric = name, .events = {__VA_ARGS__}, .value = formula_sum,                     \
		.factor = MB_PER_LINE                                                              \
	}

/* A column access to HBM moves half a line: see spr.c. A machine may have no HBM, or nothing else.
 */
#define DRAM_AND_HBM_BYTES(name, dram, hbm)                                                        \
	{                                                                                          \
		.metric = name, .events = {dram, hbm}, .value = formula_sum,                       \
		.factor = MB_PER_LINE, .weights = {1, 0.5}, .optional = true                       \
	}

#define HBM_BYTES(name, event)                                                                     \
	{                                                                                          \
		.metric = name, .events = {event}, .value = formula_scaled,                        \
		.factor = MB_PER_HALF_LINE                                                         \
	}

/* Cache lines that the cores have read. */
#define CORE_BYTES(name, event)                                                                    \
	{                                                                                          \
		.metric = name, .events = {event}, .value = formula_scaled, .factor = MB_PER_LINE  \
	}

#define PERCENT_OF_LINK_CLOCK(name, event)                                                         \
	{                                                                                          \
		.metric = name, .events = {event, "UNC_CXLCM_CLOCKTICKS"}, .value = formula_ratio, \
		.factor = 100, .same_group = true                                                  \
	}

#define EVENTS_PER_SECOND(name, event)                                                             \
	{                                                                                          \
		.metric = name, .events = {event}, .value = formula_scaled, .factor = 1            \
	}

#define PINNED_EVENTS_PER_SECOND(name, event)                                                      \
	{                                                                                          \
		.metric = name, .events = {event}, .value = formula_scaled, .factor = 1,           \
		.pinned = true                                                                     \
	}

/* Any processor with an architectural PMU. */
#define CORE_FORMULAS                                                                              \
	EVENTS_PER_SECOND("instructions_per_s", "instructions"),                                   \
		EVENTS_PER_SECOND("cycles_per_s", "cycles"),                                       \
		{.metric = "ipc",                                                                  \
		 .events = {"instructions", "cycles"},                                             \
		 .value = formula_ratio,                                                           \
		 .factor = 1,                                                                      \
		 .same_group = true,                                                               \
		 .any_unit = true},                                                                \
	{                                                                                          \
		.metric = "frequency_MHz", .events = {"cycles", "ref-cycles", "tsc"},              \
		.value = formula_frequency, .same_group = true, .any_unit = true                   \
	}

#endif
