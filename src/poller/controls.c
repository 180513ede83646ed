/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registers that another program would change if it took a unit or froze it. They are prepared as
 * counters are, read together, and compared with their values in the round that counts: such a
 * check takes few instructions besides the reads.
 */
#include "poller/poller_private.h"

#include <stdlib.h>
#include <string.h>

/* The number of registers of a unit, of which the last may be the one that freezes it. */
static size_t count_registers(const struct unit_state *unit)
{
	return unit->control_count + unit->freezes;
}

bool poller_is_frozen_alone(const struct poller *poller, size_t d)
{
	const struct unit *unit = poller->plan->units[poller->plan->domains[d].first_unit].unit;

	return poller->domains[d].freezes && !(poller->pmu->global_freeze && unit_is_uncore(unit));
}

/*
 * Returns true if the unit's own control may freeze it, besides the register that freezes its
 * domain.
 */
static bool freezes_besides(const struct poller *poller, size_t u)
{
	const struct plan_unit *pu = &poller->plan->units[u];

	return !unit_is_cpu(pu->unit) && unit_can_freeze(pu->unit) &&
	       !poller_is_frozen_alone(poller, pu->domain);
}

int poller_allocate_controls(struct poller *poller, struct error *err)
{
	struct unit_control list[UNIT_MAX_CONTROLS];
	const struct plan *plan = poller->plan;
	size_t count = 1, held = 1; /* one element more, so that no array is empty */

	for (size_t u = 0; u < plan->unit_count; u++) {
		const struct plan_unit *pu = &plan->units[u];
		const size_t most =
			1 +
			unit_list_controls(pu->unit, plan->rounds[pu->first_round].controls, list);

		count += most;
		held += most * pu->round_count;
	}
	poller_free_controls(poller);
	poller->control_registers = calloc(count, sizeof(*poller->control_registers));
	poller->controls = calloc(count, sizeof(*poller->controls));
	poller->control_values = calloc(count, sizeof(*poller->control_values));
	poller->control_failures = calloc(count, sizeof(*poller->control_failures));
	poller->expected = calloc(count, sizeof(*poller->expected));
	poller->round_expected = calloc(held, sizeof(*poller->round_expected));
	return poller->control_registers && poller->controls && poller->control_values &&
			       poller->control_failures && poller->expected &&
			       poller->round_expected
		       ? 0
		       : error_no_memory(err);
}

void poller_free_controls(struct poller *poller)
{
	free(poller->control_registers);
	free(poller->controls);
	free(poller->control_values);
	free(poller->control_failures);
	free(poller->expected);
	free(poller->round_expected);
}

static struct expected *expected_in(const struct poller *poller, size_t u, size_t round)
{
	const struct unit_state *unit = &poller->units[u];

	return &poller->round_expected[unit->first_expected + round * count_registers(unit)];
}

void poller_expect_round(struct poller *poller, size_t u)
{
	const struct unit_state *unit = &poller->units[u];

	memcpy(&poller->expected[unit->first_control], expected_in(poller, u, unit->round),
	       count_registers(unit) * sizeof(*poller->expected));
}

static void list_round(struct poller *poller, size_t u, size_t round)
{
	const struct plan_unit *pu = &poller->plan->units[u];
	struct unit_state *unit = &poller->units[u];
	struct reg *registers = &poller->control_registers[unit->first_control];
	struct unit_control list[UNIT_MAX_CONTROLS + 1];

	unit->control_count = unit_list_controls(
		pu->unit, poller->plan->rounds[pu->first_round + round].controls, list);
	if (unit->freezes) {
		const struct freeze_control control = unit_freeze_control(pu->unit);

		list[unit->control_count] = (struct unit_control){control.reg, control.start,
								  control.stop ^ control.start};
	}
	for (size_t k = 0; k < count_registers(unit); k++) {
		registers[k] = list[k].reg;
		expected_in(poller, u, round)[k] = (struct expected){list[k].value, list[k].bits};
		poller->controls_vary |= !list[k].bits;
	}
}

void poller_list_controls(struct poller *poller)
{
	const struct plan *plan = poller->plan;
	size_t count = 0, held = 0;

	poller->controls_vary = false;
	for (size_t u = 0; u < plan->unit_count; u++) {
		struct unit_state *unit = &poller->units[u];

		unit->first_control = count;
		unit->first_expected = held;
		unit->freezes = freezes_besides(poller, u);
		for (size_t round = 0; round < plan->units[u].round_count; round++)
			list_round(poller, u, round);
		poller_expect_round(poller, u);
		count += count_registers(unit);
		held += count_registers(unit) * plan->units[u].round_count;
	}
	for (size_t c = 0; c < count; c++)
		reg_prepare(poller->platform, &poller->control_registers[c], &poller->controls[c]);
}

static void read_registers(struct poller *poller, size_t first, size_t end)
{
	if (first < end)
		reg_read_all(poller->platform, &poller->controls[first], end - first,
			     &poller->control_values[first], &poller->control_failures[first]);
}

/* Reads registers, except those that the current rounds do not use. */
static void read_used(struct poller *poller, size_t first, size_t end)
{
	for (size_t c = first; c < end; c++)
		if (!poller->expected[c].bits) {
			read_registers(poller, first, c);
			first = c + 1;
		}
	read_registers(poller, first, end);
}

/*
 * Reads registers and returns true if all hold their values. One that cannot be read keeps its
 * last value.
 */
static bool read_and_compare(struct poller *poller, size_t first, size_t end)
{
	const uint64_t *values = poller->control_values;
	const struct expected *expected = poller->expected;
	uint64_t differ = 0;

	memset(&poller->control_failures[first], 0,
	       (end - first) * sizeof(*poller->control_failures));
	if (poller->controls_vary)
		read_used(poller, first, end);
	else
		read_registers(poller, first, end);
	for (size_t c = first; c < end; c++)
		differ |= (values[c] ^ expected[c].value) & expected[c].bits;
	return !differ;
}

bool poller_read_controls(struct poller *poller, size_t first, size_t end)
{
	const struct unit_state *last = &poller->units[end - 1];

	return read_and_compare(poller, poller->units[first].first_control,
				last->first_control + count_registers(last));
}

bool poller_read_unit_controls(struct poller *poller, size_t u)
{
	const struct unit_state *unit = &poller->units[u];

	return read_and_compare(poller, unit->first_control,
				unit->first_control + unit->control_count);
}

/* Returns true if a register holds another value. A failed read is not a difference. */
static bool control_differs(const struct poller *poller, size_t c)
{
	const struct expected *expected = &poller->expected[c];

	return !poller->control_failures[c] &&
	       (poller->control_values[c] ^ expected->value) & expected->bits;
}

bool poller_controls_changed(const struct poller *poller, size_t u)
{
	const struct unit_state *unit = &poller->units[u];
	const struct unit *of = poller->plan->units[u].unit;
	const size_t end = unit->first_control + unit->control_count;
	size_t c = unit->first_control;

	while (c < end &&
	       !(control_differs(poller, c) && !unit_no_response(of, poller->control_values[c])))
		c++;
	return c < end;
}

bool poller_control_freezes(const struct poller *poller, size_t u)
{
	const struct unit_state *unit = &poller->units[u];
	const size_t c = unit->first_control + unit->control_count;

	if (!unit->freezes || !control_differs(poller, c))
		return false;
	const struct freeze_control control = unit_freeze_control(poller->plan->units[u].unit);
	return freeze_control_stops(&control, poller->control_values[c]);
}
