/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two opinions of the same counters at the same time: the kernel counts, and the registers that it
 * has programmed are read besides. Nothing is written to a register.
 */
#ifndef CXLMON_SESSION_VERIFY_H
#define CXLMON_SESSION_VERIFY_H

#include "session/session.h"

enum verify_state {
	VERIFY_COMPARED,
	VERIFY_MULTIPLEXED, /* the kernel counted other events for a part of the time */
	VERIFY_NOT_FOUND,   /* no counter of the unit has been programmed for this event */
	VERIFY_NO_UNIT,	    /* the discovery tables have no such unit */
	VERIFY_UNREADABLE,  /* the registers or the kernel can't be read; see why */
	VERIFY_CPMU,	    /* an event of a CXL device: never compared */
	VERIFY_DELAYED,	    /* reading took so long that a difference would not be seen */
};

struct verify_row {
	const struct unit *unit; /* the kernel's */
	const struct event *event;
	enum verify_state state;
	/*
	 * Events counted meanwhile, if compared. The kernel is read before and after each register,
	 * so that its count lies between two numbers: .perf is the one of these nearest to .raw,
	 * and .raw itself if that lies between them.
	 */
	uint64_t perf, raw;
	struct error why;
};

/* More than a part in a thousand, and more than one event, is a difference. */
bool verify_differs(const struct verify_row *row);

/*
 * Compares every event of the uncore that the session plans, each group of a unit for ns. session
 * is open with BACKEND_PERF, and not started; machine is that of registers. *out has a row for each
 * counter of the plan but those of CPUs, and is freed by the caller. -EINTR: a signal of *wake
 * came.
 */
int verify_run(struct session *session, struct machine *machine, uint64_t ns, const sigset_t *wake,
	       struct verify_row **out, size_t *count, struct error *err);

#endif
