/* SPDX-License-Identifier: BSD-3-Clause */
/* The checks of counters of CPUs that -m core counts on, and of counting through the kernel. */

#include "doctor/doctor.h"
#include "platform/text.h"
#include "session/session.h"
#include "sim/sim.h"
#include "uncore/core_unit.h"

/* "fixed 1, general 0": the counters of a CPU that are in use. */
static void list_counters(uint32_t busy, char *text, size_t size)
{
	text[0] = '\0';
	for (unsigned i = 0; i < CORE_COUNTER_TSC; i++)
		if (busy >> i & 1)
			text_list(text, size, "%s %u",
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

/* Looks at the counters that the plan has for its CPUs. */
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
		const uint32_t held = doctor_find_held(d, unit, busy, &use->holder);
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
	return rc ? rc : doctor_plan(d, &core, find_core_use, use, err);
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
		doctor_pass(out, "the counters that -m core needs are free");
}

/*
 * Checks of counting through the kernel. Monitoring works without it where registers can be
 * accessed: what is missing is a warning.
 */

/* Whether the kernel counts on CPMUs, where nothing else can be counted. */
static bool counts_on_cpmus(const struct doctor *d)
{
	return doctor_only_cpmus(d) && d->probe.kernel.cpmu_count;
}

void check_perf_units(struct doctor *d, struct finding *out)
{
	const struct probe *probe = &d->probe;
	const struct discovery *units = &probe->kernel.discovery;
	const size_t warnings = probe->warning_count - probe->register_warning_count;
	const struct unit *first = NULL;
	char name[UNIT_NAME_SIZE];
	size_t uncounted = 0;

	for (size_t i = 0; i < units->unit_count; i++)
		if (units->units[i].uncounted && !uncounted++)
			first = &units->units[i];
	if (counts_on_cpmus(d))
		doctor_pass(out, "the kernel can count on %zu CPMU%s", probe->kernel.cpmu_count,
			    probe->kernel.cpmu_count == 1 ? "" : "s");
	else if (doctor_only_cpmus(d))
		doctor_block(out, DOCTOR_NO_UNCORE);
	else if (probe->kernel_error.code)
		doctor_warn(out, "", "%s", probe->kernel_error.text);
	else if (warnings)
		doctor_warn(out, "", "%s%s", probe->warnings[probe->register_warning_count],
			    warnings > 1 ? "; cxlmon info shows more" : "");
	else if (uncounted)
		doctor_warn(
			out, "",
			"the kernel can count on %zu of %zu units: the dies of the others have no "
			"CPU; first: %s",
			units->unit_count - uncounted, units->unit_count, unit_name(first, name));
	else
		doctor_pass(out, "the kernel can count on %zu unit%s", units->unit_count,
			    units->unit_count == 1 ? "" : "s");
}

/* The events of a run without options are opened and closed; they never count. */
void check_perf_events(struct doctor *d, struct finding *out)
{
	const struct session_options wanted = {
		.sim = d->sim,
		.root = d->root,
		.backend = BACKEND_PERF,
		.view = {.groups = SESSION_METRICS, .finest = SCOPE_PORT},
		.freeze = FREEZE_AUTO,
		.interval_ns = NS_PER_S};
	const struct log silent = {.write = NULL};
	struct session session;
	struct error why;

	if (d->probe.kernel_error.code && !counts_on_cpmus(d)) {
		doctor_block(out, "needs perf-units");
		return;
	}
	if (open_session(&wanted, &silent, &session, &why))
		doctor_warn(out, why.command, "%s", why.text);
	else
		doctor_pass(out, "%zu events were opened", session.plan.counter_count);
	session_close(&session);
}
