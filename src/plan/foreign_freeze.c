/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/foreign_freeze.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "uncore/global_control.h"

#define READING_NS UINT64_C(1000000) /* in which a reading of another program ends */
#define ATTEMPTS   4000		     /* where the clock does not go on meanwhile */

bool foreign_freeze_stays(struct platform *p, const struct freeze_control *control, uint64_t *value)
{
	const uint64_t begin = p->ops->now(p);

	for (unsigned i = 0; i < ATTEMPTS; i++) {
		if (reg_read(p, &control->reg, value, NULL) ||
		    !freeze_control_stops(control, *value))
			return false;
		if (p->ops->now(p) - begin > READING_NS)
			break;
	}
	return true;
}

static struct freeze_control control_of(const struct reg *reg)
{
	return (struct freeze_control){.reg = *reg, .stop = PLAN_FREEZE, .start = 0};
}

bool freeze_watch_covers(const struct freeze_watch *watch, const struct unit *unit)
{
	return unit_is_uncore(unit) && unit_can_freeze(unit) && unit->socket == watch->socket &&
	       (watch->die < 0 || (int)unit->die == watch->die);
}

static bool covers_any(const struct freeze_watch *watch, const struct plan *plan)
{
	for (size_t u = 0; u < plan->unit_count; u++)
		if (freeze_watch_covers(watch, plan->units[u].unit))
			return true;
	return false;
}

/* To read its control would open a device that nothing else needs. */
static bool has_clock(const struct plan *plan, int socket)
{
	for (size_t i = 0; i < plan->socket_count; i++)
		if (plan->sockets[i].socket == socket && plan->sockets[i].clock.bytes)
			return true;
	return false;
}

static int add_watch(struct pmu_state *pr, struct freeze_watch watch, struct error *err)
{
	struct freeze_watch *added = &pr->watches[pr->watch_count];
	struct platform *p = pr->platform;
	int rc = 0;

	if (!covers_any(&watch, pr->plan))
		return 0;
	*added = watch;
	if (added->reg.space == REG_MMIO && !added->reg.window) {
		rc = p->ops->mmio_map(p, added->reg.address, added->reg.bytes, false,
				      &added->window, err);
		added->reg.window = &added->window;
	}
	pr->watch_count += !rc;
	return rc;
}

/* What can't be mapped is not watched. */
static void add_global(struct pmu_state *pr, size_t t)
{
	struct machine *machine = pr->plan->machine;
	const struct discovery_table *table = &machine->discovery.tables[t];
	struct freeze_watch watch = {.socket = table->socket, .die = -1};
	struct error why;

	if (!global_control_of(machine, t, &watch.reg) || has_clock(pr->plan, table->socket))
		return;
	watch.of_socket = watch.reg.space == REG_MSR &&
			  watch.reg.address == machine->model->global_freeze_msr;
	if (add_watch(pr, watch, &why))
		log_write(&pr->platform->log, LEVEL_DETAIL, "%s", why.text);
}

int freeze_watches_open(struct pmu_state *pr, struct error *err)
{
	const struct discovery *discovery = &pr->plan->machine->discovery;
	int rc = 0;

	pr->watches = calloc(discovery->table_count + pr->table_count + 1, sizeof(*pr->watches));
	if (!pr->watches)
		return error_no_memory(err);
	for (size_t t = 0; t < discovery->table_count; t++)
		add_global(pr, t);
	for (size_t i = 0; !rc && i < pr->table_count; i++) {
		const struct discovery_table *table = pr->tables[i].table;

		rc = add_watch(pr,
			       (struct freeze_watch){.reg = table_control(table),
						     .socket = table->socket,
						     .die = (int)table->die},
			       err);
	}
	return rc;
}

void freeze_watches_close(struct pmu_state *pr)
{
	for (size_t i = 0; i < pr->watch_count; i++)
		if (pr->watches[i].window.length)
			pr->platform->ops->mmio_unmap(pr->platform, &pr->watches[i].window);
	free(pr->watches);
}

/* This run freezes by it; so whoever freezes and reads in between looks at it. */
static bool is_ours(const struct pmu_state *pr, const struct freeze_watch *watch)
{
	return watch->of_socket && pr->global_freeze;
}

static void report_frozen(const struct pmu_state *pr, const struct freeze_watch *watch,
			  uint64_t value)
{
	const struct frozen_control frozen = {
		.socket = watch->socket, .reg = watch->reg, .value = value};
	char name[REG_NAME_SIZE], command[ERROR_COMMAND_SIZE];

	log_write(&pr->platform->log, LEVEL_WARNING,
		  "socket %d: another program has left the uncore frozen (%s is 0x%" PRIx64
		  "), so that its counters stand still, and have no values; to let them run: %s",
		  watch->socket, reg_name(&watch->reg, name), value,
		  global_control_unfreeze_command(&frozen, command));
}

void freeze_watches_start(struct pmu_state *pr)
{
	for (size_t i = 0; i < pr->watch_count; i++) {
		struct freeze_watch *watch = &pr->watches[i];
		const struct freeze_control control = control_of(&watch->reg);
		struct error why;
		uint64_t value;

		watch->readable =
			is_ours(pr, watch) || !reg_read(pr->platform, &watch->reg, &value, &why);
		if (!watch->readable)
			log_write(&pr->platform->log, LEVEL_DETAIL,
				  "cannot check whether the uncore was left frozen: %s", why.text);
		watch->frozen = watch->readable && !is_ours(pr, watch) &&
				foreign_freeze_stays(pr->platform, &control, &value);
		if (watch->frozen)
			report_frozen(pr, watch, value);
	}
}

static bool is_frozen(struct platform *p, const struct freeze_watch *watch)
{
	const struct freeze_control control = control_of(&watch->reg);
	uint64_t value;

	if (reg_read(p, &watch->reg, &value, NULL) || !freeze_control_stops(&control, value))
		return false;
	return watch->frozen || foreign_freeze_stays(p, &control, &value);
}

void freeze_watches_read(struct pmu_state *pr)
{
	for (size_t i = 0; i < pr->watch_count; i++) {
		struct freeze_watch *watch = &pr->watches[i];

		watch->frozen =
			watch->readable && !is_ours(pr, watch) && is_frozen(pr->platform, watch);
	}
}

/*
 * What the step restores to the register becomes what it holds, in the bits that stop counters. Not
 * where another run had the register: if that was killed in a reading, the freeze is what it left.
 */
static void keep_step(struct pmu_state *pr, const struct freeze_control *control,
		      struct undo_step *step, struct undo_left *left)
{
	const uint64_t bits = control->stop ^ control->start;
	uint64_t value;

	if (step->reg.space != control->reg.space || step->reg.address != control->reg.address ||
	    step->action || undo_others_have(&pr->undo, step) ||
	    freeze_control_stops(control, step->value) ||
	    !foreign_freeze_stays(pr->platform, control, &value))
		return;
	step->value = (step->value & ~bits) | (value & bits);
	if (!left->count++) {
		left->first = control->reg;
		left->value = value;
	}
}

/* Between the freeze of a reading and its end, what is set may be this run's. */
static bool holds_socket(const struct pmu_state *pr, int socket)
{
	const struct plan *plan = pr->plan;

	for (size_t d = 0; pr->global_freeze && d < plan->domain_count; d++) {
		const struct unit *unit = plan->units[plan->domains[d].first_unit].unit;

		if (unit->socket == socket && unit_is_uncore(unit) && pr->domains[d].holds)
			return true;
	}
	return false;
}

static bool holds_unit(const struct pmu_state *pr, size_t u)
{
	const struct plan_unit *pu = &pr->plan->units[u];

	return pr->units[u].holds ||
	       (pr->domains[pu->domain].holds && !(pr->global_freeze && unit_is_uncore(pu->unit)));
}

void foreign_freeze_keep(struct pmu_state *pr, struct undo_left *left)
{
	const struct plan *plan = pr->plan;

	for (size_t u = 0; u < plan->unit_count; u++) {
		const struct plan_unit *pu = &plan->units[u];
		const struct unit_state *state = &pr->units[u];

		if (!state->touched || unit_is_cpu(pu->unit) || !unit_can_freeze(pu->unit) ||
		    holds_unit(pr, u))
			continue;
		const struct freeze_control control = unit_freeze_control(pu->unit);
		for (size_t i = 0; i < state->step_count; i++)
			keep_step(pr, &control, &pr->undo.steps[state->first_step + i], left);
	}
	for (size_t i = 0; i < plan->socket_count; i++) {
		const struct freeze_control control = control_of(&pr->sockets[i].reg);

		if (pr->sockets[i].touched && !holds_socket(pr, plan->sockets[i].socket))
			keep_step(pr, &control, &pr->undo.steps[pr->sockets[i].step], left);
	}
}

static bool is_counted(const struct plan *plan, const struct discovery_table *table)
{
	for (size_t u = 0; u < plan->unit_count; u++) {
		const struct unit *unit = plan->units[u].unit;

		if (unit_is_uncore(unit) && unit->socket == table->socket &&
		    unit->die == table->die)
			return true;
	}
	return false;
}

int table_freeze_open(struct pmu_state *pr, struct error *err)
{
	struct machine *machine = pr->plan->machine;
	int rc = 0;

	pr->tables = calloc(machine->discovery.table_count + 1, sizeof(*pr->tables));
	if (!pr->tables)
		return error_no_memory(err);
	for (size_t i = 0; !rc && i < machine->discovery.table_count; i++) {
		struct discovery_table *table = &machine->discovery.tables[i];

		if (!table_has_control(table) || !is_counted(pr->plan, table))
			continue;
		rc = table_control_open(pr->platform, table, err);
		pr->tables[pr->table_count++] = (struct table_program){.table = table};
	}
	return rc;
}

static int read_control(struct pmu_state *pr, const struct discovery_table *table, uint64_t *value,
			struct error *err)
{
	const struct reg control = table_control(table);
	char name[REG_NAME_SIZE];
	int rc = reg_read(pr->platform, &control, value, err);

	if (rc || !unit_value_no_response(*value))
		return rc;
	return error_set(err, EXIT_FAILED, -ENXIO,
			 "%s: no response (reads as all ones), so it is not known whether the "
			 "units of socket %d die %u are frozen",
			 reg_name(&control, name), table->socket, table->die);
}

/* It will freeze the table when it ends, and what this run counts would be 0 from then on. */
static int unfrozen_by_other_run(const struct discovery_table *table, struct error *err)
{
	return error_set(
		err, EXIT_IN_USE, -EBUSY,
		"socket %d die %u: another cxlmon has unfrozen its units, and freezes them "
		"when it ends: wait until then",
		table->socket, table->die);
}

int table_freeze_save(struct pmu_state *pr, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < pr->table_count; i++) {
		struct table_program *state = &pr->tables[i];
		struct undo_step step = {.reg = table_control(state->table),
					 .socket = UNDO_THIS_CPU,
					 .mask = UNIT_CTL_FREEZE};
		char name[REG_NAME_SIZE];

		rc = read_control(pr, state->table, &step.value, err);
		state->step = pr->undo.count;
		undo_begin_unit(&pr->undo);
		if (!rc)
			rc = undo_add(&pr->undo, &step, err);
		if (rc)
			return rc;
		/* as undo_add() knows from the other run's journal */
		if (!(step.value & UNIT_CTL_FREEZE) &&
		    pr->undo.steps[state->step].value & UNIT_CTL_FREEZE)
			return unfrozen_by_other_run(state->table, err);
		if (step.value & UNIT_CTL_FREEZE)
			log_write(
				&pr->platform->log, LEVEL_DETAIL,
				"socket %d die %u: its units are frozen, as from power-on (%s); they "
				"run until cxlmon exits",
				state->table->socket, state->table->die, reg_name(&step.reg, name));
	}
	return rc;
}

int table_freeze_lift(struct pmu_state *pr, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < pr->table_count; i++) {
		struct table_program *state = &pr->tables[i];
		const struct reg control = table_control(state->table);
		uint64_t value;

		rc = read_control(pr, state->table, &value, err);
		if (rc || !(value & UNIT_CTL_FREEZE))
			continue;
		state->touched = true;
		rc = reg_write(pr->platform, &control, 0, err);
	}
	return rc;
}

int table_freeze_restore(struct pmu_state *pr, struct undo_left *left, struct error *err)
{
	int first = 0;

	for (size_t i = 0; i < pr->table_count; i++) {
		struct table_program *state = &pr->tables[i];

		if (!state->touched)
			continue;
		int rc = undo_apply(pr->platform, &pr->undo, state->step, 1,
				    &pr->plan->machine->topology, left, first ? NULL : err);
		first = first ? first : rc;
		state->touched = rc != 0;
	}
	return first;
}
