/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/undo.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#define INITIAL_CAPACITY 64

static int reserve(struct undo *undo, struct error *err)
{
	const size_t capacity = undo->capacity ? 2 * undo->capacity : INITIAL_CAPACITY;

	if (undo->count < undo->capacity)
		return 0;
	struct undo_step *steps = reallocarray(undo->steps, capacity, sizeof(*steps));
	if (!steps)
		return error_no_memory(err);
	undo->steps = steps;
	undo->capacity = capacity;
	return 0;
}

int undo_add(struct undo *undo, const struct reg *reg, uint64_t value, int socket,
	     struct error *err)
{
	int rc = reserve(undo, err);

	if (rc)
		return rc;
	undo->steps[undo->count++] =
		(struct undo_step){.reg = *reg, .value = value, .socket = socket};
	return 0;
}

void undo_free(struct undo *undo)
{
	free(undo->steps);
	*undo = (struct undo){0};
}

static bool is_offline(int rc)
{
	return rc == -ENXIO || rc == -ENOENT;
}

/* A per-CPU MSR needs no restore: the kernel initializes it when the CPU comes online again. */
static int apply_on_sibling(struct platform *p, const struct undo_step *step, int rc,
			    const struct topology *topology)
{
	struct reg reg = step->reg;

	if (step->socket == UNDO_THIS_CPU)
		return 0;
	for (size_t i = 0; i < topology->count && is_offline(rc); i++) {
		if (topology->cpus[i].socket != step->socket)
			continue;
		reg.cpu = topology->cpus[i].cpu;
		rc = reg_restore(p, &reg, step->value, NULL);
	}
	return rc;
}

int undo_apply(struct platform *p, const struct undo_step *steps, size_t count,
	       const struct topology *topology, struct error *err)
{
	int first = 0;

	for (size_t i = 0; i < count; i++) {
		struct error why = {0};
		int rc = reg_restore(p, &steps[i].reg, steps[i].value, &why);

		if (steps[i].reg.space == REG_MSR && is_offline(rc))
			rc = apply_on_sibling(p, &steps[i], rc, topology);
		if (rc && !first) {
			first = rc;
			error_set(err, why.status, rc, "%s", why.text);
		}
	}
	return first;
}
