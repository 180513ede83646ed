/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The counts of a simulated machine. The event codes are in a table of its own, so that errors in
 * the monitor's event tables show.
 */
#ifndef CXLMON_SIM_TRAFFIC_H
#define CXLMON_SIM_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/sim_load.h"

/* The unit that counts. */
struct traffic_unit {
	unsigned type; /* as the discovery tables number them */
	unsigned socket;
	unsigned index; /* among the units of this type in its socket: of the port, of the CHA */
};

/*
 * Events that the counter control selects, from 0 to t ns. 0 where it selects no known event, or
 * one that this counter can't count.
 */
uint64_t traffic_count(const struct sim_loads *loads, const struct traffic_unit *unit,
		       uint64_t control, unsigned counter, uint64_t t);

/* Whether some counter of these units counts what the control selects: any other event is 0. */
bool traffic_knows(const struct sim_spec *spec, unsigned type, uint64_t control);

/* Events of one CPU from 0 to t ns: unhalted cycles, TSC cycles, instructions. */
uint64_t traffic_core_cycles(uint64_t t);
uint64_t traffic_core_reference(uint64_t t);
uint64_t traffic_core_instructions(uint64_t t);
/* Cache lines that a CPU has read from CXL memory or DRAM of its own socket, or of another one. */
uint64_t traffic_core_reads(const struct sim_loads *loads, unsigned cpu, bool cxl, bool remote,
			    uint64_t t);

#endif
