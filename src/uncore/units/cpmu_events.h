/* SPDX-License-Identifier: BSD-3-Clause */
/* Events and formulas of CPMUs (PMUs of CXL devices), which are the same on every processor. */
#ifndef CXLMON_UNCORE_UNITS_CPMU_EVENTS_H
#define CXLMON_UNCORE_UNITS_CPMU_EVENTS_H

#include "uncore/model/model.h"

/* The PMU type of all CPMUs. */
extern const struct pmu_type cpmu_pmu_type;

/* Both tables end with a row without a name. */
extern const struct event cpmu_events[];
extern const struct formula cpmu_formulas[];

/* Macros for rows of tables of formulas, also used for CPUs and units. */

/* Members .metric and .text of a formula: events times bytes, such as 64 for a cache line. */
#define BYTES(name, event, bytes) .metric = name, .text = event " * " #bytes " bytes"

/* Formula for the rate of an event, or of a sum of events. */
#define EVENTS_PER_SECOND(name, events)                                                            \
	{                                                                                          \
		.metric = name, .text = events                                                     \
	}

/*
 * Formulas for the bytes of the lines that a CXL device sends, by its CPMU. The first counts
 * MemData and MemDataTEE on one counter. The second, for devices that cannot do so, counts each on
 * its own counter; without the event MemDataTEE, it counts MemData.
 */
#define CPMU_READS(name)                                                                           \
	CPMU_LINES_SENT(name, "s2m_drs_reads", false),                                             \
		CPMU_LINES_SENT(name, "(s2m_drs_memdata + or_0(s2m_drs_memdatatee))", true)

/* One formula of CPMU_READS. If otherwise is true, it is counted only if no earlier one is. */
#define CPMU_LINES_SENT(name, events, otherwise)                                                   \
	{                                                                                          \
		BYTES(name, events, 64), .link_bytes = 64, .source = "cpmu", .of_device = true,    \
					 .pinned = true, .fallback = otherwise                     \
	}

#endif
