/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which event is counted on which counter of which unit, in which group, and what is frozen
 * together: solved once at set-up, and not changed afterwards. plan/programming.h writes it to the
 * registers.
 */
#ifndef CXLMON_PLAN_H
#define CXLMON_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uncore/machine.h"
#include "uncore/unit.h"

enum freeze_policy {
	/*
	 * Units of the uncore: a whole socket with one write where the plan needs its MSRs anyway.
	 * Freezing is given up where it would take too large a part of an interval.
	 */
	FREEZE_AUTO,
	FREEZE_ALWAYS, /* CPUs too, whose counters differ by less than freezing them costs */
	FREEZE_NEVER,  /* counters are read while they run */
	FREEZE_UNITS,  /* as AUTO, but never a whole socket: others count there */
};

/* An event that is wanted of a unit. The unit must be open. */
struct request {
	struct unit *unit;
	const struct event *event;
	/* requests of a unit with the same number are counted at the same time; 0: by itself */
	unsigned set;
	/*
	 * Where the unit needs several groups, they rotate once a second with a sample, and
	 * neighbouring units count different groups; otherwise they rotate within each sample.
	 */
	bool staggered;
	bool always; /* counted in every group, where it fits */
};

/* One event on one counter. */
struct slot {
	struct reg counter;
	uint64_t mask;	   /* of the counter's width */
	bool free_running; /* programming doesn't set it to 0 */
	const struct event *event;
	size_t unit;	 /* index in plan.units */
	size_t sum_slot; /* where its count is added: its own slot, or that of another group */
};

/* What a unit counts at one time. */
struct group {
	size_t first_slot, slot_count;
	uint64_t controls[UNIT_MAX_COUNTERS];
};

struct plan_unit {
	struct unit *unit;
	size_t domain;		       /* index in plan.domains */
	size_t first_slot, slot_count; /* of all its groups */
	size_t first_group, group_count;
	size_t starting_group;	       /* that is counted first, from 0 */
	size_t first_read, read_count; /* its counters in a frame, enough for its largest group */
	bool staggered;		       /* see struct request */
};

/* Units that one write freezes and thaws, and which share the time of their readings. */
struct domain {
	bool freezes;
	struct reg freeze; /* of units of the uncore, where freezes */
	size_t first_unit, unit_count;
};

/* The freeze register of a socket. */
struct socket_freeze {
	int socket;
	struct reg reg;
	/* a counter of the uncore clock, which stands still where the socket is frozen; bytes is 0
	 * without */
	struct reg clock;
};

struct plan {
	struct machine *machine; /* not owned */
	struct plan_unit *units; /* by domain */
	size_t unit_count;
	struct slot *slots; /* by unit and group */
	size_t slot_count;
	struct group *groups; /* by unit */
	size_t group_count;
	size_t read_count;	 /* of all units, one after the other */
	size_t max_groups;	 /* of a unit that rotates within a sample */
	size_t *slot_of_request; /* by request */
	struct domain *domains;	 /* by socket */
	size_t domain_count;
	struct socket_freeze *sockets; /* none where the processor has no such register */
	size_t socket_count;
	bool msrs;   /* some unit of the uncore is reached through MSRs */
	bool global; /* sockets are frozen as a whole */
	enum freeze_policy policy;
};

/*
 * Equal requests share a slot. What doesn't fit on a unit's counters at once is put into groups
 * that rotate. -ENOSPC (EXIT_USAGE) names an event of a set that never fits. Freed by plan_free().
 * Neither touches a register.
 */
int plan_make(struct machine *machine, const struct request *requests, size_t count,
	      enum freeze_policy policy, struct plan *out, struct error *err);
void plan_free(struct plan *plan);

/* Bit i: some group of the unit uses counter i. */
uint32_t plan_unit_counters(const struct plan *plan, const struct plan_unit *pu);

/* Bit 0 of a unit's control and of the socket's freeze register: FRZ */
#define PLAN_FREEZE UINT64_C(1)

#endif
