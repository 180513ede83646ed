/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/undo.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/array.h"
#include "platform/cpus.h"

static bool is_same_register(const struct undo_step *a, const struct undo_step *b)
{
	if (a->reg.space != b->reg.space || a->reg.address != b->reg.address)
		return false;
	if (a->reg.space == REG_PCI)
		return !pci_location_compare(&a->reg.pci, &b->reg.pci);
	if (a->reg.space == REG_MMIO)
		return true;
	return a->socket == b->socket && a->l3_scoped == b->l3_scoped &&
	       (!a->l3_scoped || a->l3 == b->l3) &&
	       (a->socket != UNDO_THIS_CPU || a->reg.cpu == b->reg.cpu);
}

uint64_t undo_original(const struct undo *undo, const struct undo_step *step)
{
	const struct undo *others = undo->others;
	uint64_t value = step->value, bits = step->mask;

	for (size_t i = 0; others && i < others->count; i++) {
		const struct undo_step *theirs = &others->steps[i];

		/* the first of several runs found the value from before all of them */
		if (!theirs->action && is_same_register(theirs, step)) {
			value ^= (value ^ theirs->value) & theirs->mask & bits;
			bits &= ~theirs->mask;
		}
	}
	return value;
}

bool undo_others_have(const struct undo *undo, const struct undo_step *step)
{
	const struct undo *others = undo->others;

	for (size_t i = 0; others && i < others->count; i++)
		if (is_same_register(&others->steps[i], step))
			return true;
	return false;
}

static bool shares_register(const struct undo_step *step, const struct cpu_location *cpu)
{
	return step->socket == cpu->socket && (!step->l3_scoped || step->l3 == cpu->l3);
}

uint64_t undo_mask(const struct undo *undo, const struct reg *reg, const struct cpu_location *place)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < undo->count; i++) {
		const struct undo_step *step = &undo->steps[i];
		struct undo_step same = {.reg = *reg, .socket = UNDO_THIS_CPU};

		if (shares_register(step, place))
			same = (struct undo_step){.reg = *reg,
						  .socket = step->socket,
						  .l3_scoped = step->l3_scoped,
						  .l3 = step->l3};
		if (is_same_register(step, &same))
			mask |= step->mask;
	}
	return mask;
}

/* Tells if runs in progress may have written the present value of a step's register. */
static bool is_of_others(const struct undo *others, const struct undo_step *step, uint64_t now)
{
	for (size_t k = 0; others && k < others->ours_count; k++) {
		const struct undo_ours *theirs = &others->ours[k];

		if (!((now ^ theirs->value) & step->mask) &&
		    is_same_register(&others->steps[theirs->step], step))
			return true;
	}
	return false;
}

int undo_add_value(struct undo *undo, size_t step, uint64_t value, struct error *err)
{
	if (array_room(&undo->ours, undo->ours_count, 1, sizeof(*undo->ours)))
		return error_no_memory(err);
	undo->ours[undo->ours_count++] = (struct undo_ours){step, value};
	return 0;
}

/*
 * Takes the values of other runs as ours: one run may write to the register after the other has
 * begun.
 */
static int take_over_values(struct undo *undo, struct error *err)
{
	const struct undo *others = undo->others;
	const size_t added = undo->count - 1;
	int rc = 0;

	for (size_t k = 0; !rc && others && k < others->ours_count; k++)
		if (is_same_register(&others->steps[others->ours[k].step], &undo->steps[added]))
			rc = undo_add_value(undo, added, others->ours[k].value, err);
	return rc;
}

void undo_begin_unit(struct undo *undo)
{
	undo->unit = undo->count;
}

int undo_add(struct undo *undo, const struct undo_step *step, struct error *err)
{
	if (array_room(&undo->steps, undo->count, 1, sizeof(*undo->steps)))
		return error_no_memory(err);
	struct undo_step *added = &undo->steps[undo->count++];
	*added = *step;
	added->unit = undo->unit;
	if (step->action)
		return 0;
	added->value = undo_original(undo, step);
	return step->condition == UNDO_IF_OURS ? take_over_values(undo, err) : 0;
}

int undo_add_ours(struct undo *undo, const struct reg *reg, uint64_t value, struct error *err)
{
	for (size_t i = undo->unit; i < undo->count; i++) {
		const struct undo_step *step = &undo->steps[i];

		if (step->condition == UNDO_IF_OURS && step->reg.address == reg->address)
			return undo_add_value(undo, i, value, err);
	}
	return 0;
}

size_t undo_unit_end(const struct undo *undo, size_t first)
{
	size_t end = first + 1;

	while (end < undo->count && undo->steps[end].unit == undo->steps[first].unit)
		end++;
	return end;
}

int undo_append(struct undo *undo, const struct undo *more, struct error *err)
{
	const size_t first = undo->count;
	int rc = 0;

	for (size_t i = 0; !rc && i < more->count; i++) {
		struct undo_step step = more->steps[i];

		if (step.unit == i)
			undo_begin_unit(undo);
		step.control += first;
		rc = undo_add(undo, &step, err);
	}
	for (size_t i = 0; !rc && i < more->ours_count; i++)
		rc = undo_add_value(undo, more->ours[i].step + first, more->ours[i].value, err);
	return rc;
}

void undo_clear(struct undo *undo)
{
	undo->count = undo->ours_count = undo->unit = 0;
}

void undo_free(struct undo *undo)
{
	free(undo->steps);
	free(undo->ours);
	*undo = (struct undo){0};
}

static bool is_offline(int rc)
{
	return rc == -ENXIO || rc == -ENOENT;
}

/* Reads or writes through any online CPU. */
static int access_register(struct platform *p, const struct undo_step *step, bool write,
			   uint64_t *value, const struct topology *topology, struct error *err)
{
	struct reg reg = step->reg;
	int rc = write ? reg_restore(p, &reg, *value, err) : reg_read(p, &reg, value, err);

	for (size_t i = 0; i < topology->count && reg.space == REG_MSR && is_offline(rc); i++) {
		if (!shares_register(step, &topology->cpus[i]))
			continue;
		reg.cpu = topology->cpus[i].cpu;
		rc = write ? reg_restore(p, &reg, *value, NULL) : reg_read(p, &reg, value, NULL);
	}
	return rc;
}

/* The state of a step while its unit is restored. */
struct verdict {
	uint64_t now; /* present value of the register */
	bool ours;
};

struct restoring {
	struct platform *platform;
	const struct undo *undo;
	const struct topology *topology;
	size_t first, end;	  /* the unit's steps */
	size_t first_ours;	  /* otherwise, the unit belongs to runs in progress */
	struct verdict *verdicts; /* one for each step of the unit */
	bool unit_is_ours;
	bool unit_is_of_others; /* else: units of runs in progress */
	struct undo_left *left;
	int rc; /* the first error */
	struct error *err;
};

static void step_failed(struct restoring *r, int rc, const struct error *why)
{
	if (r->rc)
		return;
	r->rc = rc;
	error_set(r->err, why->kind, rc, "%s", why->text);
}

static int read_control(struct restoring *r, const struct undo_step *step, uint64_t *value)
{
	char name[REG_NAME_SIZE];
	struct error why = {0};
	int rc = access_register(r->platform, step, false, value, r->topology, &why);

	/* a control never has all bits of a half set */
	if (!rc && step->reg.space != REG_MSR &&
	    ((uint32_t)*value == UINT32_MAX || *value >> 32 == UINT32_MAX))
		rc = error_set(&why, ERROR_FAILED, -ENXIO,
			       "%s does not respond (reads as all ones)",
			       reg_name(&step->reg, name));
	if (rc)
		step_failed(r, rc, &why);
	return rc;
}

/* Tells if a register is ours: it holds a value of this run, or was restored already. */
static bool is_ours(const struct restoring *r, size_t i, uint64_t now)
{
	const struct undo *undo = r->undo;
	const struct undo_step *step = &undo->steps[i];

	if (!((now ^ step->value) & step->mask))
		return true;
	for (size_t k = r->first_ours; k < undo->ours_count && undo->ours[k].step < r->end; k++)
		if (undo->ours[k].step == i && !((now ^ undo->ours[k].value) & step->mask))
			return true;
	return false;
}

/* Returns the first value of a unit, by bisection: a machine has thousands of values. */
static size_t first_ours(const struct undo *undo, size_t first_step)
{
	size_t from = 0, to = undo->ours_count;

	while (from < to) {
		const size_t middle = from + (to - from) / 2;

		if (undo->ours[middle].step < first_step)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* Decides, before any register of the unit is written, which of them are ours. */
static void judge_unit(struct restoring *r)
{
	r->unit_is_ours = r->unit_is_of_others = true;
	r->first_ours = first_ours(r->undo, r->first);
	for (size_t i = r->first; i < r->end; i++) {
		const struct undo_step *step = &r->undo->steps[i];
		struct verdict *verdict = &r->verdicts[i - r->first];

		*verdict = (struct verdict){.ours = true};
		if (step->condition != UNDO_IF_OURS)
			continue;
		if (read_control(r, step, &verdict->now)) {
			verdict->ours = r->unit_is_of_others = false;
		} else if (is_of_others(r->undo->others, step, verdict->now)) {
			verdict->ours = false;
		} else if (!is_ours(r, i, verdict->now)) {
			verdict->ours = r->unit_is_of_others = false;
			if (!r->left->count++) {
				r->left->first = step->reg;
				r->left->value = verdict->now;
			}
		}
		r->unit_is_ours &= verdict->ours;
	}
}

static bool write_applies(const struct restoring *r, size_t i)
{
	const struct undo_step *step = &r->undo->steps[i];

	switch (step->condition) {
	case UNDO_IF_UNIT:
		return r->unit_is_ours;
	case UNDO_IF_CONTROL:
		return r->verdicts[step->control - r->first].ours;
	default:
		return r->verdicts[i - r->first].ours;
	}
}

static void apply_step(struct restoring *r, const struct undo_step *step)
{
	struct error why = {0};
	const uint64_t mask = step->mask;
	uint64_t value = step->value;
	int rc = 0;

	if (mask != UINT64_MAX) {
		uint64_t now = 0;

		rc = access_register(r->platform, step, false, &now, r->topology, &why);
		value = (now & ~mask) | (step->value & mask);
	}
	if (!rc)
		rc = access_register(r->platform, step, true, &value, r->topology, &why);
	if (rc)
		step_failed(r, rc, &why);
}

/*
 * Clears the bits that the unit's stop sets, if the unit was not frozen before: a run in progress
 * would take the freeze for another program's.
 */
static void end_freeze(struct restoring *r, const struct undo_step *stop)
{
	const uint64_t bits = stop->value & stop->mask;

	for (size_t i = r->first; stop->action && i < r->end; i++) {
		struct undo_step before = r->undo->steps[i];

		if (before.action || !is_same_register(&before, stop) || before.value & bits)
			continue;
		before.mask = bits;
		apply_step(r, &before);
	}
}

static void restore_unit(struct restoring *r)
{
	judge_unit(r);
	for (size_t i = r->first; i < r->end; i++) {
		if (write_applies(r, i)) {
			apply_step(r, &r->undo->steps[i]);
			continue;
		}
		r->left->steps++;
		if (r->unit_is_of_others)
			end_freeze(r, &r->undo->steps[i]);
	}
}

int undo_apply(struct platform *p, const struct undo *undo, size_t first, size_t count,
	       const struct topology *topology, struct undo_left *left, struct error *err)
{
	struct verdict *verdicts = calloc(count + 1, sizeof(*verdicts));
	struct restoring r = {.platform = p,
			      .undo = undo,
			      .topology = topology,
			      .verdicts = verdicts,
			      .left = left,
			      .err = err};
	const size_t end = first + count;

	if (!r.verdicts)
		return error_no_memory(err);
	for (r.first = first; r.first < end; r.first = r.end) {
		r.end = undo_unit_end(undo, r.first);
		restore_unit(&r);
	}
	free(r.verdicts);
	return r.rc;
}
