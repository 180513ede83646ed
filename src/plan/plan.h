/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The counter, unit and round of each event, and units that are frozen together. Made once at
 * set-up, then constant: poller/pmu_state.h writes the plan to the registers and, when a CPU goes
 * offline, changes unit.cpu and its own copies of registers, not the registers here.
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
	 * Freezes all units except CPUs: a whole socket by one write if the plan uses MSRs of the
	 * uncore and the processor has a register for it (model.global_freeze_msr), otherwise each
	 * unit. Stops freezing if it takes more than 5 % of an interval.
	 */
	FREEZE_AUTO,
	FREEZE_ALWAYS, /* freezes also CPUs, though that takes longer than reading them */
	FREEZE_NEVER,  /* counters are read while they run */
	FREEZE_UNITS,  /* as AUTO, but never a whole socket, because other programs count there */
};

/* An event to be counted on a unit, which must be open. */
struct request {
	struct unit *unit;
	const struct event *event;
	/* requests of a unit with the same group number are counted at the same time; 0: none */
	unsigned group;
	/*
	 * Rotates the unit's rounds, if it needs several, at the end of a sample, at most once per
	 * second; neighbouring units count different rounds. One such request does this for its
	 * whole unit. False: each round counts for a part of each sample.
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
	/* counter to which its count is added: this one, or one of another round */
	size_t sum_counter;
};

#define PLAN_NO_CLOCK SIZE_MAX

/* The events that a unit counts at the same time: event groups, multiplexed with other rounds. */
struct round {
	size_t first_counter, counter_count;
	/*
	 * The counter of the unit's clock, requested or on a counter that was left: while the clock
	 * does not run, nothing is counted. PLAN_NO_CLOCK: no counter was left, or no such event is
	 * published.
	 */
	size_t clock_counter;
	uint64_t controls[UNIT_MAX_COUNTERS]; /* by number of the counter; 0: not used */
};

struct plan_unit {
	struct unit *unit;
	size_t first_request, last_request; /* ends of a chain, see plan.next_request */
	size_t request_count;
	size_t domain;			     /* index in plan.domains */
	size_t first_counter, counter_count; /* counters of all its rounds */
	size_t first_round, round_count;
	size_t starting_round; /* round that counts first, from 0 */
	/* its places in a frame: as many as counters of its largest round */
	size_t first_read, read_count;
	bool staggered; /* see struct request */
};

/* Units that are frozen and unfrozen by one write, so that they count for the same time. */
struct freeze_domain {
	bool freezes;
	struct reg freeze; /* only for units of the uncore, if .freezes */
	size_t first_unit, unit_count;
};

/* The freeze register of a socket. */
struct socket_freeze {
	int socket;
	struct reg reg;
	/* counter of an uncore clock, which shows if the socket is frozen; bytes is 0: none */
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
	size_t read_count;	       /* places of all units in a frame */
	size_t max_rounds;	       /* most rounds of a unit that rotates within a sample */
	size_t *next_request;	       /* by request: the next one of the same unit */
	size_t *counter_of_request;    /* by request */
	struct freeze_domain *domains; /* in the order of sockets */
	size_t domain_count;
	struct socket_freeze *sockets; /* none if the processor has no such register */
	size_t socket_count;
	bool uses_msrs;	    /* some unit of the uncore uses MSRs */
	bool global_freeze; /* a socket is frozen by one write */
	enum freeze_policy policy;
};

/*
 * Makes a plan. Requests for the same event in the same group share a counter; one without a group
 * joins any group that has its event. Events that do not fit on a unit's counters at once form
 * rounds that are multiplexed. -ENOSPC (ERROR_USAGE): a group does not fit on the counters; the
 * message names the first event that does not. -ENOTUNIQ: two units have the same control. Freed by
 * plan_free(). Accesses no register.
 */
int plan_make(struct machine *machine, const struct request *requests, size_t count,
	      enum freeze_policy policy, struct plan *out, struct error *err);
void plan_free(struct plan *plan);

/* Returns the counters that some round of the unit uses; bit i: counter i. */
uint32_t plan_unit_counters(const struct plan *plan, const struct plan_unit *pu);

/* rounds.c: assigns events to the counters of one unit. */

/*
 * Finds a counter for each event, if possible, low counters first or (last_first) high ones, and
 * writes it to counter[i]. allowed[i]: bit c is set if event i can be counted on counter c.
 * -ENOSPC: impossible; *unassigned is an event without a counter (counter[] is then unspecified).
 */
int schedule_events(const uint32_t *allowed, size_t count, bool last_first, unsigned *counter,
		    size_t *unassigned);

/*
 * Assigns all requests of a unit to counters in few rounds, greedily: the groups with most events
 * come first, then by number, and a round takes each further group that still fits. Counters are
 * not in the order of events, because one may be moved to make room for another.
 */
int plan_unit_rounds(struct plan *plan, struct plan_unit *pu, const struct request *requests,
		     struct error *err);

#endif
