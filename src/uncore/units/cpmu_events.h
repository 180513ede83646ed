/* SPDX-License-Identifier: BSD-3-Clause */
/* Events and formulas of CPMUs, which are the same on every processor. */
#ifndef CXLMON_UNCORE_UNITS_CPMU_EVENTS_H
#define CXLMON_UNCORE_UNITS_CPMU_EVENTS_H

#include "uncore/model/model.h"

/* The PMU type of all CPMUs. */
extern const struct pmu_type cpmu_pmu_type;

/* Both tables end with a row without a name. */
extern const struct event cpmu_events[];
extern const struct formula cpmu_formulas[];

/* Macros for rows of tables of formulas, also used for CPUs and units. */

/* Converts events to bytes: each event stands for a cache line of 64, or half of one. */
#define BYTES(name, event, bytes) .metric = name, .text = event " * " #bytes " bytes"

#define EVENTS_PER_SECOND(name, events)                                                            \
	{                                                                                          \
		.metric = name, .text = events                                                     \
	}

/*
 * Lines that a CXL device has sent, counted by its CPMU on one counter, or each kind on its own
 * counter: a kind that it does not count adds nothing.
 */
#define CPMU_READS(name)                                                                           \
	CPMU_LINES_SENT(name, "s2m_drs_reads", false),                                             \
		CPMU_LINES_SENT(name, "(s2m_drs_memdata + or_0(s2m_drs_memdatatee))", true)

#define CPMU_LINES_SENT(name, events, otherwise)                                                   \
	{                                                                                          \
		BYTES(name, events, 64), .link_bytes = 64, .source = "cpmu", .of_device = true,    \
					 .pinned = true, .fallback = otherwise                     \
	}

#endif
