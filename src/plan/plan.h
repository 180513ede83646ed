/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A plan assigns a counter and a round to each requested event of a unit, and divides units into
 * domains that are frozen together. It is made once at set-up, and then constant.
 * poller/pmu_state.h writes it to the registers. When a CPU goes offline, unit.cpu and the poller's
 * copies of registers change, but not the registers in the plan.
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
	 * Each reading freezes all units except CPUs. One write freezes a whole socket if the plan
	 * uses MSRs of the uncore and the processor has a register for it
	 * (model.global_freeze_msr); otherwise each unit is frozen by its own register. The poller
	 * stops freezing if it takes more than 5 % of an interval.
	 */
	FREEZE_AUTO,
	FREEZE_ALWAYS, /* also freezes CPUs, though that takes longer than reading them */
	FREEZE_NEVER,  /* counters are read while they run */
	FREEZE_UNITS,  /* as AUTO, but never a whole socket, because other programs count there */
};

/* An event to be counted on a unit, which must be open. */
struct request {
	struct unit *unit;
	const struct event *event;
	/* requests of a unit with the same group are counted at the same time; 0: no group */
	unsigned group;
	/*
	 * True: each round counts for whole samples, for at least one second, while neighbouring
	 * units count other rounds. One such request staggers all rounds of its unit. False: each
	 * round counts for a part of each sample.
	 */
	bool staggered;
	bool pinned; /* counted in each round that has room for all pinned events of the unit */
};

/* One event on one counter. */
struct counter {
	struct reg reg;
	uint64_t mask; /* bits of the counter's width */
	struct event_rate max_rate;
	bool free_running; /* programming does not set it to 0 */
	const struct event *event;
	size_t unit; /* index in plan.units */
	/*
	 * Index in plan.counters of the counter to which this count is added: this one or, if
	 * several rounds count an event without a group, the one in the first of these rounds.
	 */
	size_t sum_counter;
};

#define PLAN_NO_CLOCK SIZE_MAX

/* A round: events that a unit counts at the same time. Rounds of a unit are multiplexed. */
struct round {
	size_t first_counter, counter_count; /* its part of plan.counters */
	/*
	 * Index in plan.counters of the counter of the unit's clock. The clock is counted even if
	 * it was not requested, because a unit counts nothing while its clock is stopped.
	 * PLAN_NO_CLOCK: the unit is a CPU, no counter was left, or no event of the clock is
	 * published.
	 */
	size_t clock_counter;
	uint64_t controls[UNIT_MAX_COUNTERS]; /* by number of the unit's counter; 0: not used */
};

/* A unit of the plan; indices refer to arrays of struct plan. */
struct plan_unit {
	struct unit *unit;
	size_t first_request, last_request; /* ends of the list that plan.next_request links */
	size_t request_count;
	size_t domain;			     /* index in plan.domains */
	size_t first_counter, counter_count; /* counters of all its rounds */
	size_t first_round, round_count;
	size_t starting_round; /* number of the round that counts first, from 0 */
	/* its values in a frame (poller/frame.h): as many as its largest round has counters */
	size_t first_read, read_count;
	bool staggered; /* see struct request */
};

/* Units that one write freezes and unfreezes, so that they count for the same time. */
struct freeze_domain {
	bool freezes;	   /* each reading freezes it */
	struct reg freeze; /* freeze register; only for units of the uncore, if .freezes */
	size_t first_unit, unit_count;
};

/* The freeze register of a socket. */
struct socket_freeze {
	int socket;
	struct reg reg;
	/* counter of a unit's clock, which shows if the socket is frozen; .bytes is 0: none */
	struct reg clock;
};

struct plan {
	struct machine *machine; /* not owned */
	struct plan_unit *units; /* by domain */
	size_t unit_count;
	struct counter *counters; /* by unit and round */
	size_t counter_count;
	struct round *rounds; /* by unit */
	size_t round_count;
	size_t read_count;	       /* values of all units in a frame */
	size_t max_rounds;	       /* most rounds of a unit that is not staggered */
	size_t *next_request;	       /* by request: the next request for the same unit */
	size_t *counter_of_request;    /* by request: index of the counter that has its count */
	struct freeze_domain *domains; /* in the order of sockets */
	size_t domain_count;
	struct socket_freeze *sockets; /* none if the processor has no such register */
	size_t socket_count;
	bool uses_msrs;	    /* some unit of the uncore uses MSRs */
	bool global_freeze; /* a socket is frozen by one write */
	enum freeze_policy policy;
};

/*
 * Makes a plan. Requests for the same event in the same group share a counter; a request without a
 * group joins any group that has its event. Events that do not fit on a unit's counters at once
 * form rounds, which are multiplexed. Accesses no register. *machine, and the units and events of
 * requests, must outlive the plan; the array of requests need not.
 *
 * -ENOSPC (ERROR_USAGE): a group does not fit on the counters; the message names the first event
 * that does not. -ENOTUNIQ (ERROR_FAILED): two units have the same control. -ENOMEM. After success
 * *out is freed by plan_free(); after an error it is empty.
 */
int plan_make(struct machine *machine, const struct request *requests, size_t count,
	      enum freeze_policy policy, struct plan *out, struct error *err);
void plan_free(struct plan *plan);

/* Returns the counters that some round of the unit uses; bit i: counter i. */
uint32_t plan_unit_counters(const struct plan *plan, const struct plan_unit *pu);

/* rounds.c: assigns events to the counters of one unit. */

/*
 * Finds a different counter for each of count events, and writes it to counter[i]: low counters
 * first or, if last_first is true, high ones. allowed[i] has bit c set if event i can be counted on
 * counter c. -ENOSPC: impossible; *unassigned is the index of an event without a counter, and
 * counter[] is unspecified.
 */
int schedule_events(const uint32_t *allowed, size_t count, bool last_first, unsigned *counter,
		    size_t *unassigned);

/*
 * Adds to the plan the rounds and counters of a unit for all of its requests. To make few rounds,
 * it sorts groups: the largest first, and equally large ones by number. For a CPU, the number of
 * events that only general-purpose counters count is compared first. A round starts with the first
 * group that is left, and takes each further group that fits. Counters are not in the order of
 * events, because an event may be moved to make room for another. Errors are plan_make()'s.
 */
int plan_unit_rounds(struct plan *plan, struct plan_unit *pu, const struct request *requests,
		     struct error *err);

#endif
