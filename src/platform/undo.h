/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How to put registers back: the writes that do it, in their order, made of what was read before
 * anything was written. A run plays them at its end; its journal keeps them for the case that it
 * doesn't come to that.
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
	/* an MSR that each CPU of this socket reaches; UNDO_THIS_CPU: only its own */
	int socket;
};

struct undo {
	struct undo_step *steps; /* freed by undo_free() */
	size_t count, capacity;
};

/* -ENOMEM, with its sentence */
int undo_add(struct undo *undo, const struct reg *reg, uint64_t value, int socket,
	     struct error *err);
void undo_free(struct undo *undo);

/*
 * Plays count steps. Every one is tried; the first failure is returned. Where a CPU has gone
 * offline, another of its socket takes its place; what was its own is forgotten with it.
 */
int undo_apply(struct platform *p, const struct undo_step *steps, size_t count,
	       const struct topology *topology, struct error *err);

#endif
