/* SPDX-License-Identifier: BSD-3-Clause */
/* Assigns events to the counters of one unit. */
#ifndef CXLMON_SCHEDULE_H
#define CXLMON_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

#define SCHEDULE_MAX_COUNTERS 32

/*
 * allowed[i]: bit c is set if event i can be counted on counter c. Finds an assignment if there is
 * one, and writes it to counter[i]. -ENOSPC: there is none; *unassigned is an event without a
 * counter (counter[] is then unspecified).
 */
int schedule_events(const uint32_t *allowed, size_t count, unsigned *counter, size_t *unassigned);

#endif
