/* SPDX-License-Identifier: BSD-3-Clause */
/* Which event goes on which counter of one unit. */
#ifndef CXLMON_SCHEDULE_H
#define CXLMON_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

#define SCHEDULE_MAX_COUNTERS 32

/*
 * allowed[i]: bit c is set where event i may sit on counter c. Finds an assignment whenever there
 * is one, and writes it to counter[i]. -ENOSPC: there is none; *unplaced is an event that found no
 * place (counter[] is then unspecified).
 */
int schedule_events(const uint32_t *allowed, size_t count, unsigned *counter, size_t *unplaced);

#endif
