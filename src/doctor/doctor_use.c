/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks whether counters are in use. The registers show what is programmed, not by whom. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "doctor/doctor_checks.h"
#include "metrics/view.h"
#include "plan/plan.h"
#include "platform/undo.h"
#include "uncore/core_unit.h"
#include "uncore/global_control.h"

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

/* How many units are in which state. */
struct unit_use {
	size_t free;
	size_t unreadable;  /* not known, since MSRs can't be read */
	size_t failed;	    /* they can't be opened; the monitor leaves them out */
	size_t absent;	    /* channels without memory */
	size_t in_use;	    /* the monitor refuses to start */
	struct error first; /* of those in use, else of those that failed */
};

/* Neither of the two calls writes a register. */
static void check_unit(struct platform *p, struct unit *unit, struct unit_use *use)
{
	struct undo undo = {.count = 0};
	struct error why;

	if (unit_open(p, unit, &why)) {
		if (unit->absent)
			use->absent++;
		else if (!use->failed++ && !use->in_use)
			use->first = why;
	} else if (unit_save(p, unit, 0, &undo, &why)) {
		if (!use->in_use++)
			use->first = why;
	} else {
		use->free++;
	}
	undo_free(&undo);
}

static void report_use(const struct unit_use *use, struct finding *out)
{
	if (use->in_use)
		doctor_fail(out, &use->first);
	else if (use->unreadable)
		doctor_skip(out, true, "needs msr-device: %zu units are free, %zu can't be read",
			    use->free, use->unreadable);
	else if (use->failed)
		doctor_warn(out, use->first.command, "%zu units are free, %zu are left out: %s",
			    use->free, use->failed, use->first.text);
	else if (use->absent)
		doctor_pass(out,
			    "the %zu units that metrics need are free; %zu do not respond, as "
			    "channels without memory",
			    use->free, use->absent);
	else
		doctor_pass(out, "the %zu units that metrics need are free", use->free);
	if (use->in_use > 1)
		snprintf(out->error.text, sizeof(out->error.text),
			 "%zu units are in use; first: %.600s", use->in_use, use->first.text);
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
			check_unit(d->probe.platform, unit, &use);
	}
	report_use(&use, out);
}

void check_freeze(struct doctor *d, struct finding *out)
{
	struct machine *machine = &d->probe.machine;
	const bool thaws = machine->model->global_freeze_msr;
	struct frozen_control frozen;
	struct error unread;
	char name[REG_NAME_SIZE];
	struct error why = {.status = EXIT_IN_USE, .code = -EBUSY};

	if (!global_control_find_frozen(machine, &frozen, &unread)) {
		if (unread.code)
			doctor_fail(out, &unread);
		else
			doctor_pass(out, "no socket is frozen");
		return;
	}
	snprintf(why.text, sizeof(why.text), "socket %d is frozen (%s = 0x%" PRIx64 "); %s",
		 frozen.socket, reg_name(&frozen.reg, name), frozen.value,
		 thaws ? "cxlmon unfreezes it while it measures"
		       : "all its counters stand still until that is cleared");
	global_control_thaw_command(&frozen, why.command);
	if (thaws)
		doctor_warn(out, why.command, "%s", why.text);
	else
		doctor_fail(out, &why);
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
};

/* Looks at the counters that the plan has for its CPUs. */
static int find_core_use(struct platform *p, const struct plan *plan, struct core_use *use,
			 struct error *err)
{
	int rc = 0;

	for (size_t u = 0; !rc && u < plan->unit_count; u++) {
		const struct unit *unit = plan->units[u].unit;
		uint32_t busy;

		rc = core_unit_find_busy(p, unit, plan_unit_counters(plan, &plan->units[u]), &busy,
					 err);
		if (rc || !busy || use->cpus++)
			continue;
		use->first = unit->cpu;
		use->busy = busy;
	}
	return rc;
}

/* Plans what -m core counts, as the monitor does. Writes no register. */
static int plan_core_metrics(struct machine *machine, struct core_use *use, struct error *err)
{
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
		rc = find_core_use(machine->platform, &plan, use, err);
	plan_free(&plan);
	view_free(&view);
	machine_close_units(machine);
	return rc;
}

void check_core_counters(struct doctor *d, struct finding *out)
{
	const bool watchdog = platform_has_watchdog(d->probe.platform);
	struct core_use use = {.cpus = 0};
	char counters[256];
	struct error why;

	if (plan_core_metrics(&d->probe.machine, &use, &why)) {
		doctor_warn(out, why.command, "%s; no core metrics", why.text);
		return;
	}
	list_counters(use.busy, counters, sizeof(counters));
	if (use.cpus)
		doctor_warn(
			out, watchdog ? WATCHDOG_COMMAND_OFF : UNIT_COMMAND_WHO_COUNTS,
			"counters of %zu CPU%s are in use (cpu %u: %s); -m core needs --share or --force",
			use.cpus, use.cpus == 1 ? "" : "s", use.first, counters);
	else
		doctor_pass(out, "those that -m core counts on are free");
}
