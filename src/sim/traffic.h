/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How often each event has happened on a simulated unit since the machine was made. It knows the
 * events by their codes, in a table of its own: what the monitor's tables have wrong shows here.
 */
#ifndef CXLMON_SIM_TRAFFIC_H
#define CXLMON_SIM_TRAFFIC_H

#include <stdint.h>

#include "sim/spec.h"

/* Which unit it is. */
struct traffic_place {
	unsigned box; /* type number of the discovery tables */
	unsigned socket;
	unsigned index; /* among the socket's units of its type: the port, the CHA */
};

/*
 * Events that the counter control selects on counter i, from 0 to t ns. 0 where the control selects
 * nothing, or something that this counter can't see.
 */
uint64_t traffic_count(const struct sim_spec *spec, const struct traffic_place *place,
		       uint64_t control, unsigned counter, uint64_t t);

/* Core clocks and instructions of one CPU, from 0 to t ns. */
uint64_t traffic_core_cycles(const struct sim_spec *spec, unsigned cpu, uint64_t t);
uint64_t traffic_core_reference(const struct sim_spec *spec, uint64_t t);
uint64_t traffic_core_instructions(const struct sim_spec *spec, unsigned cpu, uint64_t t);

#endif
