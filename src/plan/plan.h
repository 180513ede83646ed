/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A plan assigns a counter and a round to each requested event of a unit, a block of counters. A
 * round is the events that a unit counts at the same time. Units with several rounds are
 * multiplexed. A domain is the units that one write to a register freezes: their counters stop.
 *
 * The plan is made once, and then constant. If a CPU goes offline, unit.cpu changes, but not the
 * registers in the plan; poller/pmu_state.h has copies that change.
 */
#ifndef CXLMON_PLAN_PLAN_H
#define CXLMON_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uncore/machine.h"
#include "uncore/units/unit.h"

enum freeze_policy {
	/*
	 * Each reading freezes all units except CPUs, each by its own register. If the plan uses
	 * MSRs of the uncore, and the processor has model.global_freeze_msr, one write freezes a
	 * whole socket. The poller stops freezing if it takes more than 5 % of an interval.
	 */
	FREEZE_AUTO,
	FREEZE_ALWAYS, /* as FREEZE_AUTO, but CPUs too, and never stopped by the poller */
	FREEZE_NEVER,  /* counters are read while they run */
	FREEZE_UNITS,  /* as FREEZE_AUTO, but each unit by its own register */
};

/* An event to be counted on a unit. The unit must be open. */
struct request {
	struct unit *unit;
	const struct event *event;
	/* all requests of a unit with this group are counted at the same time; 0: no group */
	unsigned group;
	/*
	 * True: each round of the unit counts for whole samples, and for at least one second.
	 * Neighbouring units count other rounds at this time. If one request of a unit is
	 * staggered, the whole unit is. False: each round counts for a part of each sample.
	 */
	bool staggered;
	bool pinned; /* counted in every round that has room for all pinned events of the unit */
};

/* One event on one counter. */
struct counter {
	struct reg reg;
	uint64_t mask; /* bits of the counter's width */
	struct event_rate max_rate;
	bool free_running; /* the counter is not set to 0 by programming it */
	const struct event *event;
	size_t unit; /* index in plan.units */
	/*
	 * Index in plan.counters of the counter to which this count is added. If several rounds
	 * count an event without a group, all its counts are added to its counter in the first of
	 * these rounds. Any other counter has its own index here.
	 */
	size_t sum_counter;
};

#define PLAN_NO_CLOCK SIZE_MAX

/* A round of a unit. */
struct round {
	size_t first_counter, counter_count; /* its part of plan.counters */
	/*
	 * Index in plan.counters of the counter of the unit's clock, counted even if not requested.
	 * PLAN_NO_CLOCK: the unit is a CPU, no counter was left, or the unit has no known event of
	 * its clock.
	 */
	size_t clock_counter;
	/* values of the control registers, by number of the unit's counter; 0: not used */
	uint64_t controls[UNIT_MAX_COUNTERS];
};

/* A unit of the plan; indices refer to arrays of struct plan. */
struct plan_unit {
	struct unit *unit;
	size_t first_request, last_request; /* its list of requests, linked by plan.next_request */
	size_t request_count;
	size_t domain;			     /* index in plan.domains */
	size_t first_counter, counter_count; /* counters of all its rounds */
	size_t first_round, round_count;
	size_t starting_round; /* number of the round that counts first, from 0 */
	/* its part of the values of a frame (poller/frame.h), one per counter of its largest round
	 */
	size_t first_read, read_count;
	bool staggered; /* see struct request */
};

/* Units that one write freezes and unfreezes. They count for the same time. */
struct freeze_domain {
	bool freezes;	   /* each reading freezes it */
	struct reg freeze; /* freeze register of units of the uncore; unset if they have none */
	size_t first_unit, unit_count;
};

/* The freeze register of a socket. */
struct socket_freeze {
	int socket;
	struct reg reg;
	/* counter of some unit's clock: if it stops, the socket is frozen. .bytes is 0: none */
	struct reg clock;
};

struct plan {
	struct machine *machine; /* not owned */
	struct plan_unit *units; /* in the order of domains */
	size_t unit_count;
	struct counter *counters; /* in the order of units and their rounds */
	size_t counter_count;
	struct round *rounds; /* in the order of units */
	size_t round_count;
	size_t read_count;	       /* number of values in a frame */
	size_t max_rounds;	       /* most rounds of a unit that is not staggered */
	size_t *next_request;	       /* by request: the next request for the same unit */
	size_t *counter_of_request;    /* by request: index of the counter with its count */
	struct freeze_domain *domains; /* in the order of sockets */
	size_t domain_count;
	struct socket_freeze *sockets; /* empty if the processor has no such register */
	size_t socket_count;
	bool uses_msrs;	    /* some unit of the uncore uses MSRs */
	bool global_freeze; /* a socket is frozen by one write */
	enum freeze_policy policy;
};

/*
 * Makes a plan. Events that do not fit on a unit's counters at once form several rounds. Requests
 * of a unit for the same event in the same group share a counter. A request without a group joins
 * any group that has its event. Accesses no register. The machine, and the units and events of
 * requests, must outlive the plan; the array requests need not.
 *
 * Returns 0; -ENOSPC (ERROR_USAGE): a group does not fit on the counters, and the message names the
 * first event that does not; -ENOTUNIQ (ERROR_FAILED): two units have the same control register; or
 * -ENOMEM. After success, *out is freed by plan_free(). After an error, *out is all zero.
 */
int plan_make(struct machine *machine, const struct request *requests, size_t count,
	      enum freeze_policy policy, struct plan *out, struct error *err);
void plan_free(struct plan *plan);

/* Returns the unit's counters that some round uses. Bit i: counter i. */
uint32_t plan_unit_counters(const struct plan *plan, const struct plan_unit *pu);

/* rounds.c: assigns events to the counters of one unit. */

/*
 * Assigns a different counter to each of count events: writes the number of event i's counter to
 * counter[i]. Bit c of allowed[i] is set if counter c can count event i. Prefers low counters or,
 * if last_first is true, high ones. Returns 0, or -ENOSPC: impossible. *unassigned is then the
 * index of an event without a counter, and counter[] is unspecified.
 */
int schedule_events(const uint32_t *allowed, size_t count, bool last_first, unsigned *counter,
		    size_t *unassigned);

/*
 * Adds to the plan the rounds and counters of a unit for all of its requests. Puts large groups
 * into rounds first, to make few rounds. Counters are not in the order of events. Returns 0,
 * -ENOSPC or -ENOMEM, as plan_make() does.
 */
int plan_unit_rounds(struct plan *plan, struct plan_unit *pu, const struct request *requests,
		     struct error *err);

#endif
