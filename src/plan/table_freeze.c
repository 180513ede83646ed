/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/table_freeze.h"

#include <errno.h>
#include <stdlib.h>

#include "uncore/global_control.h"

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

int table_freeze_open(struct programming *pr, struct error *err)
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

static int read_control(struct programming *pr, const struct discovery_table *table,
			uint64_t *value, struct error *err)
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

int table_freeze_save(struct programming *pr, struct error *err)
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

int table_freeze_lift(struct programming *pr, struct error *err)
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

int table_freeze_restore(struct programming *pr, struct undo_left *left, struct error *err)
{
	int first = 0;

	for (size_t i = 0; i < pr->table_count; i++) {
		struct table_program *state = &pr->tables[i];

		if (!state->touched)
			continue;
		int rc = undo_apply(pr->platform, &pr->undo, state->step, 1,
				    &pr->plan->machine->topology, left, first ? NULL : err);
		first = first ? first : rc;
		state->touched = false;
	}
	return first;
}
