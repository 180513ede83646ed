/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which event sits on which counter of which unit, and what is frozen together: solved once, so
 * that sampling is a walk over flat arrays. The plan programs its units and puts them back.
 */
#ifndef CXLMON_PLAN_H
#define CXLMON_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/undo.h"
#include "uncore/machine.h"
#include "uncore/unit.h"

enum freeze_policy {
	/*
	 * units of the uncore: a socket with one write where the plan needs its MSRs anyway. The
	 * poller may stop it, where that would take too much of an interval
	 */
	FREEZE_AUTO,
	FREEZE_ALWAYS, /* CPUs, too, whose counters skew less than stopping them costs */
	FREEZE_NEVER,  /* read running counters */
	FREEZE_UNITS,  /* as AUTO, but never a socket: others count there */
};

/* What somebody wants counted. The unit must be open. */
struct request {
	struct unit *unit;
	const struct event *event;
	/* requests of a unit with the same number are counted at the same time; 0: by itself */
	unsigned set;
	/* where the unit needs several groups: turn with samples, its neighbours out of step */
	bool spread;
	bool always; /* counted in every group, where it fits */
};

/* One event on one counter. */
struct slot {
	struct reg counter;
	uint64_t mask;	   /* of the counter's width */
	bool free_running; /* programming doesn't set it to 0 */
	const struct event *event;
	size_t unit;	  /* index in plan.units */
	size_t counts_as; /* the slot that its count is added to: its own, or that of another group
			   */
};

/* What a unit counts at one time. */
struct group {
	size_t first_slot, slot_count;
	uint64_t controls[UNIT_MAX_COUNTERS];
};

struct plan_unit {
	struct unit *unit;
	size_t first_slot, slot_count; /* of all its groups */
	size_t first_group, group_count;
	size_t first_place,
		place_count;	       /* where the group that counts is read to: for the largest */
	size_t active;		       /* the group that counts now, from 0 */
	bool spread;		       /* it turns with samples, and not within */
	bool astray;		       /* a turn failed half way: its controls are not known */
	size_t first_step, step_count; /* of plan.undo */
	bool programmed;	       /* so that these must be played */
};

/* Units that one write stops and starts; they share the time of their readings. */
struct domain {
	bool freezes;
	struct reg freeze;    /* only where freezes */
	uint64_t stop, start; /* what is written there */
	size_t first_unit, unit_count;
};

/* The freeze register of a socket, once it had to be looked at. */
struct socket_freeze {
	int socket;
	struct reg reg;
	uint64_t saved;
	size_t step;  /* in plan.undo, once it was looked at */
	bool touched; /* so that the step must be played */
	/* a counter of the uncore clock, by which a frozen socket shows; bytes is 0 without */
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
	size_t place_count;	 /* of all units, one after the other */
	size_t most_groups;	 /* of a unit that turns within a sample */
	size_t *slot_of_request; /* by request */
	struct domain *domains;
	size_t domain_count;
	struct socket_freeze *sockets; /* none where the processor has no such register */
	size_t socket_count;
	bool msrs;   /* some unit is reached through MSRs */
	bool global; /* sockets are frozen as a whole */
	enum freeze_policy policy;

	struct undo undo; /* how to put everything back, known before the first write */
	/*
	 * Called before anything is written that undo does not yet say how to put back, so that it
	 * can be kept where it outlives the process. May be NULL.
	 */
	int (*keep)(void *context, const struct undo *undo, struct error *err);
	void *keep_context;
};

/*
 * Equal requests share a slot. What doesn't fit on a unit's counters at once is put into groups
 * that take turns. -ENOSPC (EXIT_USAGE) names an event of a set that never fits. Freed by
 * plan_free(), which touches no register.
 */
int plan_make(struct machine *machine, const struct request *requests, size_t count,
	      enum freeze_policy policy, struct plan *out, struct error *err);
void plan_free(struct plan *plan);

/*
 * Opens what the plan may need when nothing can be opened any more: for each socket whose MSRs it
 * reaches, the device of its CPU and of one that stands in where that one goes offline. Touches no
 * register. Whether it reaches any MSR, so that all that it reaches are open.
 */
bool plan_open_ahead(const struct plan *plan);

/*
 * Looks at every unit first: where one is in use (EXIT_IN_USE) and not to be taken, nothing is
 * written. Then programs them; counters are 0, and stand still until their domain is started. On
 * failure all is put back.
 */
int plan_program(struct plan *plan, struct error *err);

/*
 * Call once while the counters run: a socket that somebody left frozen is started for this run and
 * reported; EXIT_IN_USE where that can't be done. Waits microseconds where the clock runs, and 11
 * ms where it doesn't.
 */
int plan_thaw(struct plan *plan, struct error *err);

/* Programs everything anew, after the machine has forgotten it; what was saved stays as it is. */
int plan_reprogram(struct plan *plan, struct error *err);

/*
 * Lets the next group of a unit count, from 0. Its domain must be stopped, where it can be; other
 * units of the domain don't notice. 1 where the counters go on from what they hold: those of a
 * spread unit that is stopped, of which only the controls that change are written.
 */
int plan_turn(struct plan *plan, struct plan_unit *unit, struct domain *domain, struct error *err);

/*
 * From here on the uncore is read while it runs. All domains must have been started since they were
 * programmed.
 */
void plan_stop_freezing(struct plan *plan);

/*
 * Reaches the MSRs of a socket through another of its CPUs, where the one so far has gone offline.
 * -ENXIO where none answers.
 */
int plan_reroute(struct plan *plan, int socket, struct error *err);

/* Puts back every register. Does nothing the second time. The first failure is returned. */
int plan_restore(struct plan *plan, struct error *err);

#endif
