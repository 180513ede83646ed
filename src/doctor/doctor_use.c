/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks whether counters are in use. The registers show what is programmed, not by whom. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "doctor/doctor_checks.h"
#include "doctor/doctor_names.h"
#include "metrics/view.h"
#include "plan/plan.h"
#include "platform/undo.h"
#include "uncore/core_unit.h"
#include "uncore/global_control.h"

#define MOST_FROZEN 64 /* controls: one a die */

/* Units of other types can be in use: the monitor does not need them. */
static bool needed_for_metrics(const struct model *model, uint16_t type)
{
	for (const struct formula *f = model->formulas; f->metric; f++)
		for (unsigned i = 0; i < FORMULA_EVENTS && f->events[i]; i++) {
			const struct event *event = model_event(model, f->events[i]);

			if (event && event->box == type)
				return true;
		}
	return false;
}

/* Which units are in which state. */
struct unit_use {
	size_t free;
	size_t unreadable;	    /* not known, since MSRs can't be read */
	struct doctor_names gone;   /* they do not respond; the monitor leaves them out */
	struct doctor_names absent; /* channels without memory */
	size_t failed;		    /* they can't be opened for another reason */
	size_t others;		    /* in use by other programs; the monitor refuses to start */
	size_t held;		    /* in use by other runs of cxlmon */
	struct error first_in_use;  /* of .others */
	struct error first_left;    /* of .gone and .failed */
	const struct journal_entry *holder; /* of the first that is held */
};

static bool is_held(const struct doctor *d, const struct unit *unit, struct unit_use *use)
{
	const struct reg control = unit_control(unit);
	uint64_t bits;
	const struct cpu_location place = {.socket = unit->socket, .l3 = unit->l3};
	const struct journal_entry *holder = doctor_find_holder(d, &control, &place, &bits);

	use->holder = use->holder ? use->holder : holder;
	return holder;
}

static void add_in_use(const struct doctor *d, const struct unit *unit, const struct error *why,
		       struct unit_use *use)
{
	if (is_held(d, unit, use))
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

/* Neither of the two calls writes a register. */
static void check_unit(struct doctor *d, struct unit *unit, struct unit_use *use)
{
	struct platform *p = d->probe.platform;
	struct undo undo = {.count = 0};
	struct error why;
	int rc = unit_open(p, unit, &why);

	if (!rc)
		rc = unit_save(p, unit, 0, &undo, &why);
	if (rc == -EBUSY)
		add_in_use(d, unit, &why, use);
	else if (rc)
		add_left_out(unit, rc, &why, use);
	else
		use->free++;
	undo_free(&undo);
}

/* What a run in progress holds is its own: no command. */
static void fail_in_use(const struct unit_use *use, struct finding *out)
{
	char name[DOCTOR_RUN_NAME_SIZE], held[128] = "";
	struct error why = use->first_in_use;

	if (use->held)
		snprintf(held, sizeof(held), "%zu unit%s in use by %s", use->held,
			 use->held == 1 ? " is" : "s are", doctor_run_name(use->holder, name));
	if (!use->others)
		error_set(&why, EXIT_IN_USE, -EBUSY, "%s", held);
	else if (use->held || use->others > 1)
		snprintf(why.text, sizeof(why.text), "%s%s%zu unit%s in use; first: %.500s", held,
			 use->held ? ", " : "", use->others, use->others == 1 ? " is" : "s are",
			 use->first_in_use.text);
	doctor_fail(out, &why);
}

/* Whatever else is said: units that the monitor leaves out are named. */
static void append_left_out(struct unit_use *use, struct finding *out)
{
	char *text = out->error.text;
	const size_t size = sizeof(out->error.text);
	size_t used = strlen(text);

	if (use->gone.count)
		used += (size_t)snprintf(text + used, size - used, "; %zu %s left out: %s: %s",
					 use->gone.count, use->gone.count == 1 ? "is" : "are",
					 doctor_names_end(&use->gone), DOCTOR_NO_RESPONSE);
	if (use->failed && used < size)
		used += (size_t)snprintf(text + used, size - used, "; %zu cannot be opened%s%s",
					 use->failed, use->gone.count ? "" : ": ",
					 use->gone.count ? "" : use->first_left.text);
	if (use->absent.count && used < size)
		snprintf(text + used, size - used,
			 "; %zu %s not respond, as channels without memory: %s", use->absent.count,
			 use->absent.count == 1 ? "does" : "do", doctor_names_end(&use->absent));
}

static void report_use(struct unit_use *use, struct finding *out)
{
	if (use->others || use->held)
		fail_in_use(use, out);
	else if (use->unreadable)
		doctor_skip(out, true, "needs msr-device: %zu units are free, %zu can't be read",
			    use->free, use->unreadable);
	else if (use->gone.count || use->failed)
		doctor_warn(out, use->first_left.command, "%zu units are free", use->free);
	else
		doctor_pass(out, "the %zu units that metrics need are free", use->free);
	append_left_out(use, out);
}

void check_units_free(struct doctor *d, struct finding *out)
{
	struct machine *machine = &d->probe.machine;
	struct unit_use use = {.free = 0};

	if (d->stale_run) {
		doctor_skip(out, true, "needs other-runs: units of the killed run look in use");
		return;
	}
	for (size_t i = 0; i < machine->discovery.unit_count; i++) {
		struct unit *unit = &machine->discovery.units[i];

		if (!needed_for_metrics(machine->model, unit->type))
			continue;
		if (unit->access == ACCESS_MSR && !d->msr_readable)
			use.unreadable++;
		else
			check_unit(d, unit, &use);
	}
	report_use(&use, out);
}

static const struct journal_entry *find_freezer(const struct doctor *d,
						const struct frozen_control *frozen)
{
	const struct cpu_location place = {.socket = frozen->socket};
	uint64_t bits;

	return doctor_find_holder(d, &frozen->reg, &place, &bits);
}

/* The first that no run in progress will restore; NULL: those runs have frozen all of them. */
static const struct frozen_control *find_left(const struct doctor *d,
					      const struct frozen_control *frozen, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!find_freezer(d, &frozen[i]))
			return &frozen[i];
	return NULL;
}

static void report_held(const struct doctor *d, const struct frozen_control *frozen,
			struct finding *out)
{
	char reg[REG_NAME_SIZE], name[DOCTOR_RUN_NAME_SIZE];
	const struct journal_entry *holder = find_freezer(d, frozen);

	doctor_pass(out, "socket %d is frozen (%s = 0x%" PRIx64 "): in use by %s", frozen->socket,
		    reg_name(&frozen->reg, reg), frozen->value, doctor_run_name(holder, name));
}

static void report_frozen(const struct frozen_control *frozen, bool thaws, struct finding *out)
{
	struct error why = {.status = EXIT_IN_USE, .code = -EBUSY};
	char name[REG_NAME_SIZE];

	snprintf(why.text, sizeof(why.text), "socket %d is frozen (%s = 0x%" PRIx64 "); %s",
		 frozen->socket, reg_name(&frozen->reg, name), frozen->value,
		 thaws ? "cxlmon unfreezes it while it measures"
		       : "all its counters stand still until that is cleared");
	global_control_thaw_command(frozen, why.command);
	if (thaws)
		doctor_warn(out, why.command, "%s", why.text);
	else
		doctor_fail(out, &why);
}

void check_freeze(struct doctor *d, struct finding *out)
{
	struct machine *machine = &d->probe.machine;
	struct frozen_control frozen[MOST_FROZEN];
	struct error unread;
	size_t count = global_control_find_frozen(machine, frozen, MOST_FROZEN, &unread);

	count = count < MOST_FROZEN ? count : MOST_FROZEN;
	const struct frozen_control *left = find_left(d, frozen, count);

	if (count && d->stale_run)
		doctor_skip(out, true, "needs other-runs: the killed run may have frozen socket %d",
			    frozen->socket);
	else if (left)
		report_frozen(left, machine->model->global_freeze_msr, out);
	else if (count)
		report_held(d, frozen, out);
	else if (unread.code)
		doctor_fail(out, &unread);
	else
		doctor_pass(out, "no socket is frozen");
}

/* "fixed 1, general 0": the counters of a CPU that are in use. */
static void list_counters(uint32_t busy, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < CORE_COUNTER_TSC && used < size; i++)
		if (busy >> i & 1)
			used += (size_t)snprintf(
				text + used, size - used, "%s%s %u", used ? ", " : "",
				i < CORE_COUNTER_GENERAL ? "fixed" : "general",
				i < CORE_COUNTER_GENERAL ? i : i - CORE_COUNTER_GENERAL);
}

/* The CPUs whose counters are in use, and which of the first one's. */
struct core_use {
	size_t cpus;
	unsigned first;
	uint32_t busy;
	size_t held;			    /* CPUs on which other runs of cxlmon count */
	const struct journal_entry *holder; /* of the first of these */
};

/* The counters of a CPU that runs in progress have programmed. */
static uint32_t find_held(const struct doctor *d, const struct unit *unit, struct core_use *use)
{
	struct reg reg = {
		.space = REG_MSR, .bytes = 8, .cpu = unit->cpu, .address = IA32_FIXED_CTR_CTRL};
	const struct cpu_location place = {.socket = unit->socket, .l3 = unit->l3};
	const struct journal_entry *holder;
	uint32_t held = 0;
	uint64_t bits;

	holder = doctor_find_holder(d, &reg, &place, &bits);
	for (unsigned n = 0; n < CORE_COUNTER_GENERAL; n++)
		held |= core_pmu_fixed_enabled(bits, n) ? CORE_FIXED(n) : 0;
	for (unsigned i = CORE_COUNTER_GENERAL; i < CORE_COUNTER_TSC; i++) {
		reg.address = IA32_PERFEVTSEL0 + i - CORE_COUNTER_GENERAL;
		const struct journal_entry *other = doctor_find_holder(d, &reg, &place, &bits);

		held |= other ? UINT32_C(1) << i : 0;
		holder = holder ? holder : other;
	}
	use->holder = use->holder ? use->holder : holder;
	return held;
}

/* Looks at the counters that the plan has for its CPUs. */
static int find_core_use(struct doctor *d, const struct plan *plan, struct core_use *use,
			 struct error *err)
{
	struct platform *p = d->probe.platform;
	int rc = 0;

	for (size_t u = 0; !rc && u < plan->unit_count; u++) {
		const struct unit *unit = plan->units[u].unit;
		uint32_t busy;

		rc = core_unit_find_busy(p, unit, plan_unit_counters(plan, &plan->units[u]), &busy,
					 err);
		if (rc || !busy)
			continue;
		const uint32_t held = busy & find_held(d, unit, use);
		use->held += held != 0;
		busy &= ~held;
		if (!busy || use->cpus++)
			continue;
		use->first = unit->cpu;
		use->busy = busy;
	}
	return rc;
}

/* Plans what -m core counts, as the monitor does. Writes no register. */
static int plan_core_metrics(struct doctor *d, struct core_use *use, struct error *err)
{
	struct machine *machine = &d->probe.machine;
	const struct view_options options = {.groups = "core", .finest = SCOPE_CPU};
	struct view view = {0};
	struct plan plan = {0};
	int rc = 0;

	for (size_t i = 0; !rc && i < machine->cpu_count; i++)
		rc = unit_open(machine->platform, &machine->cpus[i], err);
	if (!rc)
		rc = view_make(machine, &options, &view, err);
	if (!rc)
		rc = plan_make(machine, view.requests, view.request_count, FREEZE_AUTO, &plan, err);
	if (!rc)
		rc = find_core_use(d, &plan, use, err);
	plan_free(&plan);
	view_free(&view);
	machine_close_units(machine);
	return rc;
}

void check_core_counters(struct doctor *d, struct finding *out)
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
		doctor_pass(out, "those that -m core counts on are free");
}
