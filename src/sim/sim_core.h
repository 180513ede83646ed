/* SPDX-License-Identifier: BSD-3-Clause */
/* The registers of a simulated CPU beside those of units: Intel's and AMD's differ. */
#ifndef CXLMON_SIM_CORE_H
#define CXLMON_SIM_CORE_H

#include "sim/sim_machine.h"

struct sim_core_msrs {
	/* 0, or -EIO where the instruction faults */
	int (*read)(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value);
	int (*write)(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value);
	/* Sets an initial value without reserved bits. Ignores MSRs that a snapshot does not have.
	 */
	void (*set)(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value);

	/* What the kernel accesses: control and counter i are i steps behind the first ones. */
	uint32_t control, counter;
	unsigned step, count;
	uint64_t config;     /* bits that it takes of an event's config */
	bool fixed_counters; /* and Intel's rules for what counts where */
	uint32_t global_ctrl;
	uint64_t global_all; /* in it: every counter is enabled */
};

extern const struct sim_core_msrs sim_core_intel, sim_core_amd;

/* Whether the MSR is one of an array's, and which. */
bool sim_core_in_array(uint32_t msr, uint32_t first, unsigned count, unsigned *index);

/* As WRMSR: a reserved bit is an error, -EIO, and changes nothing. */
int sim_core_write(uint64_t *where, uint64_t value, uint64_t reserved);

/* A counter that exceeds its width wraps and sets its overflow bit. */
void sim_core_add_events(struct sim_core *core, struct sim_counter *counter, uint64_t events,
			 unsigned status_bit, uint64_t now);

#endif
