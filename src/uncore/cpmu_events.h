/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which counters of a CPMU count an event, and what their configurations hold then: arithmetic with
 * what the CPMU has said of itself. No register is accessed here.
 */
#ifndef CXLMON_CPMU_EVENTS_H
#define CXLMON_CPMU_EVENTS_H

#include "uncore/cpmu.h"

#define CPMU_VENDOR_CXL 0x1E98 /* vendor of the events in the specification */

/*
 * event.modifiers of a CPMU's event: a vendor's group, and a bit for each of its events that are
 * added up, as an event capability has them. Whatever else selects events is 0.
 */
#define CPMU_EVENT(vendor, group, events)                                                          \
	((uint64_t)(vendor) << 48 | (uint64_t)(group) << 32 | (uint32_t)(events))

/* The bits of a counter's configuration that cxlmon may write. */
#define CPMU_CFG_OURS                                                                              \
	(CPMU_CFG_ENABLE | CPMU_CFG_EDGE | CPMU_CFG_INVERT | CPMU_CFG_THRESHOLD |                  \
	 CPMU_CFG_EVENTS | CPMU_CFG_GROUP)

/*
 * How many events of the group of a CPMU_EVENT() one counter may count. Source: specification,
 * table 13-5, multiple event counting.
 */
unsigned cpmu_events_at_once(uint64_t wanted);

/* The bits that a CPMU counts for an event, as CPMU_EVENT(): also .optional ones that it has. */
uint64_t cpmu_events_of(const struct cpmu *cpmu, const struct event *event);

/* Whether some counter of it, or several, can count the event, whoever uses them. */
bool cpmu_counts(const struct cpmu *cpmu, const struct event *event);

/* Bit i: counter i is of a type that is known. */
uint32_t cpmu_all_counters(const struct cpmu *cpmu);
/* Bit i: counter i has a configuration that can be written. */
uint32_t cpmu_with_configuration(const struct cpmu *cpmu);
/* Bit i: counter i can count the event, or does so always. */
uint32_t cpmu_event_counters(const struct cpmu *cpmu, const struct event *event);

/*
 * The control with which a counter counts the event. One of fixed function takes only the enable
 * bit and the threshold of it. The threshold is 1 for one event of the specification, but 0 for
 * the length of a queue and for a sum of several events.
 */
uint64_t cpmu_event_control(const struct cpmu *cpmu, const struct event *event);

/*
 * The configuration of counter i for a control; 0: the counter is not used. Read-only
 * and reserved bits as they are read.
 */
uint64_t cpmu_configuration(const struct cpmu *cpmu, unsigned i, uint64_t control);

/*
 * The bits of counter i's configuration that say whether it still counts for us. Not the others
 * that are written: a device may hold its threshold, edge, invert or overflow bits at a value.
 */
uint64_t cpmu_deciding_bits(const struct cpmu *cpmu, unsigned i);

#endif
