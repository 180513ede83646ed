/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes a plan to the registers, and restores them: which group each unit counts now, how each
 * domain is frozen now, through which CPU MSRs are reached now. The plan itself stays as it is.
 *
 *   programming_start ──> programming_thaw ──> (programming_rotate) ──> programming_restore
 */
#ifndef CXLMON_PROGRAMMING_H
#define CXLMON_PROGRAMMING_H

#include "plan/plan.h"
#include "platform/undo.h"

struct unit_program {
	size_t group;		       /* that is programmed, from 0 */
	bool control_unknown;	       /* a rotation failed: nobody knows what the controls hold */
	size_t first_step, step_count; /* in programming.undo */
	bool touched;		       /* these steps must be replayed */
};

/* How a domain is frozen and thawed. */
struct domain_freeze {
	bool freezes;
	struct reg reg;		 /* only where freezes */
	uint64_t frozen, thawed; /* values of that register */
};

struct socket_program {
	struct reg reg; /* its freeze register */
	uint64_t saved; /* what that held, once it was read */
	size_t step;	/* in programming.undo, once it was read */
	bool touched;	/* the step must be replayed */
};

struct programming {
	const struct plan *plan;
	struct platform *platform;
	struct unit_program *units;
	struct domain_freeze *domains;
	struct socket_program *sockets;
	struct reg *counters; /* by slot: the plan's, through the CPU that is used now */
	bool global;	      /* sockets are frozen as a whole */

	struct undo undo; /* how to restore everything, known before the first write */
	/*
	 * Called before anything is written that undo did not say how to restore yet, so that it
	 * can be kept where it outlives the process. May be NULL.
	 */
	int (*keep)(void *context, const struct undo *undo, struct error *err);
	void *keep_context;
};

/* The plan is not owned and must outlive it. Freed by programming_free(); no register is touched.
 */
int programming_init(struct programming *out, const struct plan *plan, struct error *err);
void programming_free(struct programming *programming);

/*
 * Opens what may be needed when nothing can be opened any more: for each socket whose MSRs are
 * used, the device of its CPU and of one that takes its place if that one goes offline. Touches no
 * register. Whether any MSR is used; if so, all of them are open now.
 */
bool programming_open_devices(const struct plan *plan);

/*
 * Looks at every unit first: where one is in use (EXIT_IN_USE) and must not be taken, nothing is
 * written. Then programs them; counters are 0, and stand still until their domain is thawed. On
 * failure everything is restored.
 */
int programming_start(struct programming *programming, struct error *err);

/*
 * Call once while the counters run: a socket that somebody left frozen is thawed for this run, with
 * a warning; EXIT_IN_USE where that can't be done. Waits microseconds where the clock runs, and 11
 * ms where it doesn't.
 */
int programming_thaw(struct programming *programming, struct error *err);

/* Programs everything again after the machine lost it; what was saved stays as it is. */
int programming_repeat(struct programming *programming, struct error *err);

/*
 * Programs the next group of unit u, whose domain must be frozen if it can be; other units of the
 * domain go on undisturbed. 0: its counters are 0. 1: they hold what they did, since only the
 * controls that differ were written, which is enough for a staggered unit that stands still.
 */
int programming_rotate(struct programming *programming, size_t u, struct error *err);

/*
 * Programs the group of unit u that counts once more, after another program has reset the unit. Its
 * counters are 0; the rest is as for programming_rotate().
 */
int programming_reclaim(struct programming *programming, size_t u, struct error *err);

/*
 * From here on the uncore is read while it runs. All domains must have been thawed since they were
 * programmed.
 */
void programming_stop_freezing(struct programming *programming);

/*
 * Reaches the MSRs of a socket through another of its CPUs, where the one used so far has gone
 * offline. -ENXIO where none answers.
 */
int programming_reroute(struct programming *programming, int socket, struct error *err);

/* Restores every register. Does nothing the second time. The first failure is returned. */
int programming_restore(struct programming *programming, struct error *err);

#endif
