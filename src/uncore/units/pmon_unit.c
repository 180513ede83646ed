/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/units/pmon_unit.h"

#include <errno.h>
#include <inttypes.h>

#include "platform/guard.h"
#include "platform/reg.h"

/* The reset bits are commands, not state to restore. */
#define UNIT_CTL_STATE (~(UNIT_CTL_RESET_CONTROLS | UNIT_CTL_RESET_COUNTERS))

/* Class 0502 is the class of CXL memory devices (PCI Code and ID Assignment Specification). */
#define COMMAND_SHOW_LINKS "sudo lspci -vv -d ::0502"

#define ATTEMPTS 3 /* times that a unit which does not respond is read */

static int no_response(const struct unit *unit, struct error *err)
{
	char name[UNIT_NAME_SIZE];

	error_set(err, ERROR_FAILED, -ENXIO,
		  "%s: no response (reads as all ones): powered down or not present",
		  unit_name(unit, name));
	error_hint(err, COMMAND_SHOW_LINKS);
	return -ENXIO;
}

/* Checks that the unit responds: otherwise writes would be lost without an error. */
static int read_control(struct platform *p, const struct unit *unit, uint64_t *control,
			struct error *err)
{
	const struct reg reg = unit_control(unit);

	/* real units occasionally read as all ones, and respond at the next attempt */
	for (unsigned i = 0; i < ATTEMPTS; i++) {
		int rc = reg_read(p, &reg, control, err);

		if (rc || !unit_value_no_response(*control))
			return rc;
	}
	return no_response(unit, err);
}

bool pmon_unit_responds(struct platform *p, const struct unit *unit)
{
	struct unit mapped = *unit;
	struct error why;
	uint64_t control;

	if (!unit->registers.control_step || unit->access == ACCESS_PERF ||
	    unit_map(p, &mapped, false, &why))
		return true;
	const int rc = read_control(p, &mapped, &control, &why);
	if (!unit->open)
		unit_unmap(p, &mapped);
	return rc != -ENXIO;
}

static int in_use(const struct unit *unit, unsigned i, uint64_t control, struct error *err)
{
	return unit_in_use(unit, i, "control", control, "perf or pcm", err);
}

static int read_counter_control(struct platform *p, const struct unit *unit, unsigned i,
				uint64_t *control, struct error *err)
{
	const struct reg reg = unit_counter_control(unit, i);
	int rc = reg_read(p, &reg, control, err);

	return !rc && unit_value_no_response(*control) ? no_response(unit, err) : rc;
}

static int check_free(struct platform *p, const struct unit *unit, struct error *err)
{
	uint64_t control;
	int rc = 0;

	for (unsigned i = 0; !rc && i < unit->counters; i++) {
		rc = read_counter_control(p, unit, i, &control, err);
		if (!rc && control)
			rc = in_use(unit, i, control, err);
	}
	return rc;
}

/* A discovery table may have more records than the processor has units. */
static int check_exists(struct platform *p, const struct unit *unit, struct error *err)
{
	const uint32_t msr = unit->pmu_type ? unit->pmu_type->count_msr : 0;
	const struct reg reg = reg_msr(unit->cpu, msr);
	char name[UNIT_NAME_SIZE];
	uint64_t count;

	if (unit->still)
		return error_set(
			err, ERROR_FAILED, -ENXIO,
			"%s: does not exist: its clock stands still, while those of others "
			"run",
			unit_name(unit, name));
	if (!msr || reg_read(p, &reg, &count, NULL) || !count || unit->nth < count)
		return 0;
	return error_set(err, ERROR_FAILED, -ENXIO,
			 "%s: does not exist: MSR 0x%" PRIx32 " says that there are %" PRIu64,
			 unit_name(unit, name), msr, count);
}

/* Stops at the first counter in use, because all are reset together. */
static int pmon_find_busy(struct platform *p, const struct unit *unit, uint32_t counters,
			  uint32_t *busy, struct error *err)
{
	(void)counters;
	*busy = 0;
	if (!unit->registers.control_step || check_exists(p, unit, err))
		return 0;
	const int rc = check_free(p, unit, err);
	*busy = rc == -EBUSY;
	return *busy ? 0 : rc;
}

static int pmon_allow(struct platform *p, const struct unit *unit, struct error *err)
{
	static const struct guard_rule control = {
		.mask = UNIT_CTL_FREEZE | UNIT_CTL_RESET_CONTROLS | UNIT_CTL_RESET_COUNTERS,
		.what = "unit control",
	};
	const struct guard_rule counter_control = {
		.mask = control_mask(pmu_type_layout(unit->pmu_type)),
		.denied = PMON_CTL_OVERFLOW_ENABLE,
		.what = "counter control",
	};
	const struct guard_rule counter = {.mask = unit_counter_mask(unit, 0), .what = "counter"};
	const struct reg of_unit = unit_control(unit),
			 first_control = unit_counter_control(unit, 0),
			 first_counter = unit_counter(unit, 0);
	struct guard *guard = &p->guard;
	int rc = guard_allow_registers(guard, &of_unit, 1, control, err);

	if (!rc)
		rc = guard_allow_registers(guard, &first_control, unit->counters, counter_control,
					   err);
	return rc ? rc : guard_allow_registers(guard, &first_counter, unit->counters, counter, err);
}

static int pmon_open(struct platform *p, struct unit *unit, struct error *err)
{
	char name[UNIT_NAME_SIZE];
	uint64_t control;
	int rc = check_exists(p, unit, err);

	unit->absent = rc;
	if (rc)
		return rc;

	if (!unit->registers.control_step)
		return error_set(
			err, ERROR_NO_UNIT, -ENOTSUP,
			"%s: cannot be programmed: its counter layout is unknown on this processor",
			unit_name(unit, name));
	rc = unit_map(p, unit, true, err);
	if (rc)
		return rc;
	rc = read_control(p, unit, &control, err);
	unit->absent = rc == -ENXIO && unit->pmu_type && unit->pmu_type->may_be_absent;
	if (!rc && unit->ownership == OWNERSHIP_SHARE)
		rc = check_free(p, unit, err);
	return rc ? rc : pmon_allow(p, unit, err);
}

/* A counter that did not respond has no value to restore. */
static int save_counter(struct platform *p, const struct unit *unit, unsigned i, uint64_t control,
			struct undo *undo, struct error *err)
{
	const struct undo_step first =
		unit_undo_step(unit, unit_counter_control(unit, i), control, UNDO_IF_OURS);
	const size_t decides = undo->count;
	uint64_t value;
	const struct reg counter = unit_counter(unit, i);
	int rc = reg_read(p, &counter, &value, err);

	if (!rc)
		rc = undo_add(undo, &first, err);
	/* resetting the controls sets unused ones to 0 */
	if (!rc)
		rc = undo_add_value(undo, decides, 0, err);
	if (rc || unit_value_no_response(value))
		return rc;
	struct undo_step second = unit_undo_step(unit, counter, value, UNDO_IF_CONTROL);
	second.control = decides;
	return undo_add(undo, &second, err);
}

/* Saves all counters, because programming resets all of them. */
static int pmon_save(struct platform *p, const struct unit *unit, uint32_t counters,
		     struct undo *undo, struct error *err)
{
	bool used = false;
	uint64_t control;
	int rc = read_control(p, unit, &control, err);

	(void)counters;
	undo_begin_unit(undo);
	struct undo_step state =
		unit_undo_step(unit, unit_control(unit), UNIT_CTL_FREEZE, UNDO_IF_UNIT);
	state.action = true;
	if (!rc)
		rc = undo_add(undo, &state, err);
	for (unsigned i = 0; !rc && i < unit->counters; i++) {
		uint64_t selected;

		rc = read_counter_control(p, unit, i, &selected, err);
		if (!rc && selected && !used) {
			used = true;
			rc = in_use(unit, i, selected, err);
			rc = unit->ownership == OWNERSHIP_FORCE ? 0 : rc;
		}
		if (!rc)
			rc = save_counter(p, unit, i, selected, undo, err);
	}
	state.value = control & UNIT_CTL_STATE;
	state.action = false;
	if (!rc)
		rc = undo_add(undo, &state, err);
	return rc ? rc : used;
}

static int write_control(struct platform *p, const struct unit *unit, uint64_t value,
			 struct error *err)
{
	const struct reg reg = unit_control(unit);
	return reg_write(p, &reg, value, err);
}

static struct freeze_control pmon_freeze_control(const struct unit *unit)
{
	return (struct freeze_control){
		.reg = unit_control(unit), .stop = UNIT_CTL_FREEZE, .start = 0};
}

static int pmon_program(struct platform *p, const struct unit *unit, const uint64_t *controls,
			struct error *err)
{
	int rc = write_control(p, unit, UNIT_CTL_FREEZE, err);

	if (!rc)
		rc = write_control(p, unit, UNIT_CTL_FREEZE | UNIT_CTL_RESET_CONTROLS, err);
	/* writes 0 as well: if the platform is files, a pulse may not be seen */
	for (unsigned i = 0; !rc && i < unit->counters; i++) {
		const struct reg reg = unit_counter_control(unit, i);

		rc = reg_write(p, &reg, controls[i], err);
	}
	if (!rc)
		rc = write_control(p, unit, UNIT_CTL_FREEZE | UNIT_CTL_RESET_COUNTERS, err);
	return rc;
}

static uint64_t pmon_control_value(const struct unit *unit, unsigned i, uint64_t control)
{
	return unit_counter_control(unit, i).bytes == 4 ? (uint32_t)control : control;
}

const struct unit_methods pmon_unit_methods = {
	.open = pmon_open,
	.find_busy = pmon_find_busy,
	.save = pmon_save,
	.program = pmon_program,
	.freeze_control = pmon_freeze_control,
	.control_value = pmon_control_value,
	.allow = pmon_allow,
	.all_ones_is_no_response = true,
};
