/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the counters of a simulated machine count. The event codes are in a table of its own, so
 * that errors in the monitor's event tables show.
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

/* Events of one CPU from 0 to t ns: unhalted cycles, TSC cycles, instructions. */
uint64_t traffic_core_cycles(const struct sim_spec *spec, unsigned cpu, uint64_t t);
uint64_t traffic_core_reference(const struct sim_spec *spec, uint64_t t);
/* Cache lines that a CPU has read from CXL memory of its own socket, or of another one. */
uint64_t traffic_core_cxl_reads(const struct sim_loads *loads, unsigned cpu, bool remote,
				uint64_t t);
/* The same of DRAM. */
uint64_t traffic_core_dram_reads(const struct sim_loads *loads, unsigned cpu, bool remote,
				 uint64_t t);
uint64_t traffic_core_instructions(const struct sim_spec *spec, unsigned cpu, uint64_t t);

#endif
