/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The undo list: the register writes that restore the state before programming, in order. They are
 * collected from reads before the first write. A run applies them at its end; its journal keeps a
 * copy on disk in case the run is killed.
 */
#ifndef CXLMON_UNDO_H
#define CXLMON_UNDO_H

#include <stddef.h>
#include <stdint.h>

#include "platform/platform.h"
#include "platform/reg.h"

#define UNDO_THIS_CPU (-1)

struct undo_step {
	struct reg reg;
	uint64_t value;
	/* for an MSR shared by all CPUs of a socket, that socket; else UNDO_THIS_CPU */
	int socket;
};

struct undo {
	struct undo_step *steps; /* freed by undo_free() */
	size_t count, capacity;
};

/* Appends a step. 0 or -ENOMEM. */
int undo_add(struct undo *undo, const struct reg *reg, uint64_t value, int socket,
	     struct error *err);
void undo_free(struct undo *undo);

/*
 * Applies count steps. All are tried; the first error is returned. If a CPU has gone offline, a
 * socket-wide MSR is written through another CPU of the socket, and per-CPU MSRs are skipped.
 */
int undo_apply(struct platform *p, const struct undo_step *steps, size_t count,
	       const struct topology *topology, struct error *err);

#endif
