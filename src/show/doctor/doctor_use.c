/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks for use of the uncore's and CPUs' counters by others. The registers show that they are
 * programmed, not by which program.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "platform/cpus.h"
#include "platform/undo.h"
#include "session/session.h"
#include "show/doctor/doctor.h"
#include "uncore/global_control.h"
#include "uncore/model/event.h"

#define MOST_FROZEN 64 /* controls: one per die */

/* Plans of a run's counters, and their use by other runs. */

/*
 * Finds the first run in progress that has programmed a register and will restore it, or NULL. Sets
 * *bits to those of the register that such runs restore. place: as in undo_mask().
 */
static const struct journal_entry *find_holder(const struct doctor *d, const struct reg *reg,
					       const struct cpu_location *place, uint64_t *bits)
{
	const struct journal_entry *holder = NULL;

	*bits = 0;
	for (size_t i = 0; i < d->run_count; i++) {
		const struct journal_entry *run = &d->runs[i];
		const uint64_t mask = run->state == JOURNAL_RUNNING
					      ? undo_mask(&run->journal.undo, reg, place)
					      : 0;

		*bits |= mask;
		holder = mask && !holder ? run : holder;
	}
	return holder;
}

typedef int plan_check(struct doctor *d, const struct plan *plan, void *context, struct error *err);

/*
 * Plans the counters of a run with these options, and calls check with the plan. Closes all units
 * of the machine. 0, or the first error.
 */
static int plan_counters(struct doctor *d, const struct view_options *options, plan_check *check,
			 void *context, struct error *err)
{
	struct machine *machine = &d->probe.machine;
	struct view view = {0};
	struct plan plan = {0};
	int rc = view_make(machine, options, &view, err);

	if (!rc)
		rc = plan_make(machine, view.requests, view.request_count, FREEZE_AUTO, &plan, err);
	if (!rc)
		rc = check(d, &plan, context, err);
	plan_free(&plan);
	view_free(&view);
	machine_close_units(machine);
	return rc;
}

/*
 * Returns a unit's counters (bit i: counter i) that runs in progress have programmed; the unit is
 * one that unit_find_busy() checks. Sets *holder to the first such run, if it is NULL.
 */
static uint32_t find_held(const struct doctor *d, const struct unit *unit, uint32_t counters,
			  const struct journal_entry **holder)
{
	const struct cpu_location place = {.socket = unit->socket, .l3 = unit->l3};
	uint32_t held = 0;
	uint64_t bits;

	for (unsigned i = 0; i < UNIT_MAX_COUNTERS; i++) {
		const struct reg control = unit_counter_control(unit, i);
		const struct journal_entry *run;

		if (!(counters >> i & 1))
			continue;
		run = find_holder(d, &control, &place, &bits);
		/* Intel's fixed counters have one control, which runs share */
		if (!run || (unit_is_cpu(unit) && i < CORE_COUNTER_GENERAL &&
			     !core_pmu_fixed_enabled(bits, i)))
			continue;
		held |= UINT32_C(1) << i;
		*holder = *holder ? *holder : run;
	}
	return held;
}

/* Tells if units of a type are needed for metrics: the monitor ignores the use of others. */
static bool needed_for_metrics(const struct formulas *formulas, uint16_t type)
{
	const struct event *event;

	for (size_t n = 0; n < formulas->of_model; n++)
		for (unsigned i = 0; (event = formula_event(&formulas->items[n], i)); i++)
			if (event->type == type)
				return true;
	return false;
}

/* States of units. */
struct unit_use {
	size_t free;
	size_t unreadable;	    /* unknown, because MSRs are unreadable */
	struct doctor_names gone;   /* not responding; the monitor leaves them out */
	struct doctor_names absent; /* channels without memory */
	size_t failed;		    /* not opened for another reason */
	size_t others;		    /* in use by other programs; the monitor refuses to start */
	size_t held;		    /* in use by other runs of cxlmon */
	struct error first_in_use;  /* error of the first of .others */
	struct error first_left;    /* error of the first of .gone and .failed */
	const struct journal_entry *holder; /* run that holds the first of .held */
};

static bool is_held(const struct doctor *d, const struct unit *unit, struct unit_use *use)
{
	const struct cpu_location place = {.socket = unit->socket, .l3 = unit->l3};
	const struct reg control = unit_control(unit);
	uint64_t bits;
	const struct journal_entry *holder = find_holder(d, &control, &place, &bits);

	use->holder = use->holder ? use->holder : holder;
	return holder;
}

static void add_in_use(bool held, const struct error *why, struct unit_use *use)
{
	if (held)
		use->held++;
	else if (!use->others++)
		use->first_in_use = *why;
}

static void add_left_out(const struct unit *unit, int rc, const struct error *why,
			 struct unit_use *use)
{
	if (unit->absent) {
		doctor_names_add(&use->absent, unit);
		return;
	}
	if (!use->gone.count && !use->failed)
		use->first_left = *why;
	if (rc == -ENXIO)
		doctor_names_add(&use->gone, unit);
	else
		use->failed++;
}

/* Checks a unit, without writing a register. */
static void check_unit(struct doctor *d, struct unit *unit, struct unit_use *use)
{
	struct platform *p = d->probe.platform;
	struct undo undo = {.count = 0};
	struct error why;
	int rc = unit_open(p, unit, &why);

	if (!rc)
		rc = unit_save(p, unit, 0, &undo, &why);
	if (rc == -EBUSY)
		add_in_use(is_held(d, unit, use), &why, use);
	else if (rc)
		add_left_out(unit, rc, &why, use);
	else
		use->free++;
	undo_free(&undo);
}

/* Reports units in use. Without a command if only runs in progress hold them: it is their right. */
static void fail_in_use(const struct unit_use *use, struct check_result *out)
{
	char name[DOCTOR_RUN_NAME_SIZE], held[128] = "";
	struct error why = use->first_in_use;

	if (use->held)
		snprintf(held, sizeof(held), "%zu unit%s in use by %s", use->held,
			 use->held == 1 ? " is" : "s are", doctor_run_name(use->holder, name));
	if (!use->others)
		error_set(&why, ERROR_IN_USE, -EBUSY, "%s", held);
	else if (use->held || use->others > 1)
		snprintf(why.text, sizeof(why.text), "%s%s%zu unit%s in use; first: %.500s", held,
			 use->held ? ", " : "", use->others, use->others == 1 ? " is" : "s are",
			 use->first_in_use.text);
	doctor_fail(out, &why);
}

/* Appends the names of units that the monitor leaves out to any finding. */
static void append_left_out(struct unit_use *use, struct check_result *out)
{
	char *text = out->error.text;
	const size_t size = sizeof(out->error.text);

	if (use->gone.count)
		text_append(text, size, "; %zu %s left out: %s: %s", use->gone.count,
			    use->gone.count == 1 ? "is" : "are", doctor_names_end(&use->gone),
			    DOCTOR_NO_RESPONSE);
	if (use->failed)
		text_append(text, size, "; %zu cannot be opened%s%s", use->failed,
			    use->gone.count ? "" : ": ",
			    use->gone.count ? "" : use->first_left.text);
	if (use->absent.count)
		text_append(text, size,
			    "; %zu %s not respond, as channels without memory, or not exist: %s",
			    use->absent.count, use->absent.count == 1 ? "does" : "do",
			    doctor_names_end(&use->absent));
}

static void report_use(struct unit_use *use, struct check_result *out)
{
	char name[DOCTOR_RUN_NAME_SIZE];

	if (use->held && !use->others && use->holder->journal.serves)
		doctor_pass(out, "%zu %s in use by %s, which serves %s", use->held,
			    use->held == 1 ? "unit is" : "units are",
			    doctor_run_name(use->holder, name), use->held == 1 ? "it" : "them");
	else if (use->others || use->held)
		fail_in_use(use, out);
	else if (use->unreadable)
		doctor_block(out, "needs msr-device: %zu units are free, %zu cannot be read",
			     use->free, use->unreadable);
	else if (use->gone.count || use->failed)
		doctor_warn(out, use->first_left.command, "%zu units are free", use->free);
	else
		doctor_pass(out, "the %zu units that metrics need are free", use->free);
	append_left_out(use, out);
}

/* Checks a unit whose counters are used one by one: the counters that a run would use decide. */
static void check_pairs(struct doctor *d, const struct unit *unit, uint32_t counters,
			struct unit_use *use)
{
	struct platform *p = d->probe.platform;
	uint32_t busy, others = 0;
	struct error why;
	int rc = unit_find_busy(p, unit, counters, &busy, &why);

	if (!rc && busy) {
		others = busy & ~find_held(d, unit, busy, &use->holder);
		rc = others ? unit_find_busy(p, unit, others, &others, &why) : 0;
	}
	if (rc)
		add_left_out(unit, rc, &why, use);
	else if (busy)
		add_in_use(!others, &why, use);
	else
		use->free++;
}

static int check_planned_pairs(struct doctor *d, const struct plan *plan, void *context,
			       struct error *err)
{
	(void)err;
	for (size_t u = 0; u < plan->unit_count; u++)
		if (plan->units[u].unit->has_pairs)
			check_pairs(d, plan->units[u].unit,
				    plan_unit_counters(plan, &plan->units[u]), context);
	return 0;
}

/* Opens a unit with such counters. Returns true if it has some, and they are readable. */
static bool open_pairs(struct doctor *d, struct unit *unit, struct unit_use *use)
{
	struct error why;
	int rc = unit->has_pairs ? unit_open(d->probe.platform, unit, &why) : 0;

	if (rc)
		add_left_out(unit, rc, &why, use);
	return unit->has_pairs && !rc;
}

/* Checks all units. Returns true if AMD's are among them, which need a plan. */
static bool check_units(struct doctor *d, struct machine *machine, const struct formulas *formulas,
			struct unit_use *use)
{
	bool pairs = false;

	for (size_t i = 0; i < machine->discovery.unit_count; i++) {
		struct unit *unit = &machine->discovery.units[i];

		if (!needed_for_metrics(formulas, unit->type))
			continue;
		if (unit->access == ACCESS_MSR && !d->msr_readable)
			use->unreadable++;
		else if (unit->has_pairs)
			pairs |= open_pairs(d, unit, use);
		else
			check_unit(d, unit, use);
	}
	return pairs;
}

static void check_units_free(struct doctor *d, struct check_result *out)
{
	static const struct view_options defaults = {.groups = METRIC_DEFAULTS,
						     .finest = SCOPE_PORT};
	struct machine *machine = &d->probe.machine;
	struct unit_use use = {.free = 0};
	struct formulas formulas;
	struct error why;

	if (d->stale_run) {
		doctor_block(out, "needs other-runs: units of the killed run look in use");
		return;
	}
	int rc = formulas_read(&formulas, machine->model, &why);
	if (!rc && check_units(d, machine, &formulas, &use))
		rc = plan_counters(d, &defaults, check_planned_pairs, &use, &why);
	formulas_free(&formulas);
	if (rc)
		doctor_fail(out, &why);
	else
		report_use(&use, out);
}

const struct check doctor_units_free = {
	.name = "units-free",
	.purpose = "counters in use by other programs are not taken",
	.run = check_units_free,
	.of_registers = true,
	.needs = {&doctor_discovery},
};

static void report_frozen(const struct frozen_control *frozen, bool unfreezes,
			  struct check_result *out)
{
	struct error why = {.kind = ERROR_IN_USE, .code = -EBUSY};
	char name[REG_NAME_SIZE];

	snprintf(why.text, sizeof(why.text), "socket %d is frozen (%s = 0x%" PRIx64 "); %s",
		 frozen->socket, reg_name(&frozen->reg, name), frozen->value,
		 unfreezes ? "cxlmon unfreezes it while it measures"
			   : "all its counters stand still until that is cleared");
	global_control_unfreeze_command(frozen, why.command);
	if (unfreezes)
		doctor_warn(out, why.command, "%s", why.text);
	else
		doctor_fail(out, &why);
}

static void check_freeze(struct doctor *d, struct check_result *out)
{
	struct machine *machine = &d->probe.machine;
	struct frozen_control frozen[MOST_FROZEN];
	const struct journal_entry *holder = NULL;
	const struct frozen_control *left = NULL; /* first one that no run in progress restores */
	char reg[REG_NAME_SIZE], name[DOCTOR_RUN_NAME_SIZE];
	struct error unread;
	uint64_t bits;

	if (machine->model->units_by_cpuid) {
		doctor_pass(out, "this processor has no freeze register");
		return;
	}
	size_t count = global_control_find_frozen(machine, frozen, MOST_FROZEN, &unread);

	count = count < MOST_FROZEN ? count : MOST_FROZEN;
	for (size_t i = 0; i < count && !left; i++) {
		const struct cpu_location place = {.socket = frozen[i].socket};
		const struct journal_entry *run = find_holder(d, &frozen[i].reg, &place, &bits);

		holder = i ? holder : run;
		left = run ? NULL : &frozen[i];
	}
	if (count && d->stale_run)
		doctor_block(out, "needs other-runs: the killed run may have frozen socket %d",
			     frozen->socket);
	else if (left)
		report_frozen(left, machine->model->global_freeze_msr, out);
	else if (count)
		doctor_pass(out, "socket %d is frozen (%s = 0x%" PRIx64 "): in use by %s",
			    frozen->socket, reg_name(&frozen->reg, reg), frozen->value,
			    doctor_run_name(holder, name));
	else if (unread.code)
		doctor_fail(out, &unread);
	else
		doctor_pass(out, "no socket is frozen");
}

const struct check doctor_freeze = {
	.name = "freeze",
	.purpose = "a frozen socket counts nothing",
	.run = check_freeze,
	.of_registers = true,
	.needs = {&doctor_discovery, &doctor_msr_device},
};

/* Counters of CPUs that -m core counts on. */

/* Writes "fixed 1, general 0": the counters of a CPU that are in use. */
static void list_counters(uint32_t busy, char *text, size_t size)
{
	text[0] = '\0';
	for (unsigned i = 0; i < CORE_COUNTER_TSC; i++)
		if (busy >> i & 1)
			text_list(text, size, "%s %u",
				  i < CORE_COUNTER_GENERAL ? "fixed" : "general",
				  i < CORE_COUNTER_GENERAL ? i : i - CORE_COUNTER_GENERAL);
}

/* CPUs with counters in use, and the counters of the first such CPU. */
struct core_use {
	size_t cpus;
	unsigned first;
	uint32_t busy;
	size_t held;			    /* CPUs on which other runs of cxlmon count */
	const struct journal_entry *holder; /* run that holds the first of .held */
};

/* Checks the counters that the plan has for its CPUs. */
static int find_core_use(struct doctor *d, const struct plan *plan, void *context,
			 struct error *err)
{
	struct core_use *use = context;
	int rc = 0;

	for (size_t u = 0; !rc && u < plan->unit_count; u++) {
		const struct unit *unit = plan->units[u].unit;
		uint32_t busy;

		rc = unit_find_busy(d->probe.platform, unit,
				    plan_unit_counters(plan, &plan->units[u]), &busy, err);
		if (rc || !busy)
			continue;
		const uint32_t held = find_held(d, unit, busy, &use->holder);
		use->held += held != 0;
		busy &= ~held;
		if (!busy || use->cpus++)
			continue;
		use->first = unit->cpu;
		use->busy = busy;
	}
	return rc;
}

static int plan_core_metrics(struct doctor *d, struct core_use *use, struct error *err)
{
	static const struct view_options core = {.groups = "core", .finest = SCOPE_CPU};
	struct machine *machine = &d->probe.machine;
	int rc = 0;

	for (size_t i = 0; !rc && i < machine->cpu_count; i++)
		rc = unit_open(machine->platform, &machine->cpus[i], err);
	return rc ? rc : plan_counters(d, &core, find_core_use, use, err);
}

static void check_core_counters(struct doctor *d, struct check_result *out)
{
	const bool watchdog = platform_has_watchdog(d->probe.platform);
	struct core_use use = {.cpus = 0};
	char counters[256], name[DOCTOR_RUN_NAME_SIZE];
	struct error why;

	if (plan_core_metrics(d, &use, &why)) {
		doctor_warn(out, why.command, "%s; no core metrics", why.text);
		return;
	}
	list_counters(use.busy, counters, sizeof(counters));
	if (use.cpus)
		doctor_warn(
			out, watchdog ? WATCHDOG_COMMAND_OFF : UNIT_COMMAND_WHO_COUNTS,
			"counters of %zu CPU%s are in use (cpu %u: %s); -m core needs --share or --force",
			use.cpus, use.cpus == 1 ? "" : "s", use.first, counters);
	else if (use.held)
		doctor_warn(out, "", "counters of %zu CPU%s are in use by %s", use.held,
			    use.held == 1 ? "" : "s", doctor_run_name(use.holder, name));
	else
		doctor_pass(out, "the counters that -m core needs are free");
}

const struct check doctor_core_counters = {
	.name = "core-counters",
	.purpose = "core metrics need --share or --force if a counter that they use is enabled",
	.run = check_core_counters,
	.of_registers = true,
	.needs = {&doctor_msr_device},
};
