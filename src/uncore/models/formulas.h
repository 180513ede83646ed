/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of formula tables shared by several processors. */
#ifndef CXLMON_MODEL_FORMULAS_H
#define CXLMON_MODEL_FORMULAS_H

#include "uncore/formula.h"

/* Events of BYTES, a number, each: cache lines of 64, or half of one. */
#define BYTES(name, event, bytes) .metric = name, .text = event " * " #bytes " bytes"

/*
 * Bytes on a link. No CXL port of these processors is faster than 16 lanes of PCIe 5.0: 32 GT/s,
 * 64 GB/s each way.
 */
#define PORT_BYTES(name, event, bytes, from)                                                       \
	{                                                                                          \
		BYTES(name, event, bytes), .max_rate = 64e9 / (bytes), .source = from,             \
					   .pinned = true                                          \
	}

/* Lines that were requested. Requests carry no data: the link's bandwidth does not limit them. */
#define PORT_REQUESTS(name, event, from)                                                           \
	{                                                                                          \
		BYTES(name, event, 64), .source = from, .pinned = true, .compared = true           \
	}

/* Lines that a CXL device has sent, counted by its CPMU. */
#define CPMU_READS(name)                                                                           \
	{                                                                                          \
		BYTES(name, "s2m_drs_reads", 64), .source = "cpmu", .of_device = true              \
	}

/*
 * Little's law, of one class of reads: entries of the TOR, by inserts. Entries are summed over
 * clocks, so those of each unit are divided by its own clock, since dies may have different ones.
 * No mesh runs faster than 6 GHz.
 */
#define LATENCY(name, class, from)                                                                 \
	{                                                                                          \
		.metric = name,                                                                    \
		.text = "per_unit(UNC_CHA_TOR_OCCUPANCY.IA_MISS_" class                            \
			" / UNC_CHA_CLOCKTICKS)"                                                   \
			" / UNC_CHA_TOR_INSERTS.IA_MISS_" class,                                   \
		.max_rate = 6e9, .same_group = true, .any_unit = true, .source = from,             \
		.mean_of_reads = true                                                              \
	}

/*
 * CXL reads counted in the CHAs' TOR, as in Intel PCM: those of a socket's cores to the ports of
 * any socket, or those of any socket's cores to the ports of this one.
 */
#define TOR_BYTES(name, from, from_cores, of_several, events)                                      \
	{                                                                                          \
		BYTES(name, "(" events ")", 64),                                                   \
			.source = from, .any_unit = true, .cross_check = true,                     \
			.of_all_sockets = from_cores, .one_class = of_several                      \
	}

/* The accelerator class. PCM counts these on Sapphire Rapids. */
#define TOR_ACC_BYTES(name, of_several)                                                            \
	TOR_BYTES(name, "tor", true, of_several,                                                   \
		  "UNC_CHA_TOR_INSERTS.IA_MISS_CRDMORPH_CXL_ACC"                                   \
		  " + UNC_CHA_TOR_INSERTS.IA_MISS_RFO_CXL_ACC"                                     \
		  " + UNC_CHA_TOR_INSERTS.IA_MISS_DRD_CXL_ACC"                                     \
		  " + UNC_CHA_TOR_INSERTS.IA_MISS_LLCPREFRFO_CXL_ACC"                              \
		  " + UNC_CHA_TOR_INSERTS.IA_MISS_RFO_PREF_CXL_ACC"                                \
		  " + UNC_CHA_TOR_INSERTS.IA_MISS_DRD_PREF_CXL_ACC"                                \
		  " + UNC_CHA_TOR_INSERTS.IA_MISS_LLCPREFDATA_CXL_ACC"                             \
		  " + UNC_CHA_TOR_INSERTS.IA_MISS_LLCPREFCODE_CXL_ACC")

/* Lines that memory controllers, or cores, have read or written. */
#define LINES(name, events)                                                                        \
	{                                                                                          \
		BYTES(name, events, 64)                                                            \
	}

#define PERCENT_OF_LINK_CLOCK(name, event)                                                         \
	{                                                                                          \
		.metric = name, .text = event " / UNC_CXLCM_CLOCKTICKS", .same_group = true        \
	}

#define EVENTS_PER_SECOND(name, events)                                                            \
	{                                                                                          \
		.metric = name, .text = events                                                     \
	}

#define PINNED_EVENTS_PER_SECOND(name, event)                                                      \
	{                                                                                          \
		.metric = name, .text = event, .pinned = true                                      \
	}

/* Any processor with an architectural PMU. */
#define CORE_FORMULAS                                                                              \
	EVENTS_PER_SECOND("instructions_per_s", "instructions"),                                   \
		EVENTS_PER_SECOND("cycles_per_s", "cycles"),                                       \
		{.metric = "ipc",                                                                  \
		 .text = "instructions / cycles",                                                  \
		 .same_group = true,                                                               \
		 .any_unit = true},                                                                \
	{                                                                                          \
		.metric = "frequency_MHz", .text = "cycles / ref-cycles * mean(tsc)",              \
		.same_group = true, .any_unit = true                                               \
	}

#endif
