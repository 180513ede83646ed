/* SPDX-License-Identifier: BSD-3-Clause */
/* Backends of a session: registers, the kernel, or no unit. */
#include "session/session_private.h"

#include <string.h>

#include "uncore/devices/cpmus.h"
#include "uncore/units/cpmu.h"

/*
 * Claims the machine because --resctrl writes: registers and settings left by killed runs are
 * restored first.
 */
static int claim_for_mbm(struct session *s, struct error *err)
{
	struct recovery found = {0};
	struct machine machine;
	int rc;

	if (!s->options.view.resctrl || s->options.sim)
		return 0;
	rc = machine_open(s->platform, &machine, err);
	if (!rc)
		rc = session_claim(s, &machine, &found, err);
	machine_close(&machine);
	return rc;
}

/* Opens the session for counts of the kernel. */
static int use_perf(struct session *s, struct error *err)
{
	int rc = machine_open_perf(s->platform, &s->machine, err);

	if (!rc && s->options.process)
		rc = machine_use_process(&s->machine, s->options.process, err);
	if (!rc)
		rc = claim_for_mbm(s, err);
	if (!rc)
		rc = session_find_events(s, err);
	if (!rc)
		rc = session_select_counting(s, err);
	if (!rc)
		rc = plan_make(&s->machine, s->view.requests, s->view.request_count, FREEZE_NEVER,
			       &s->plan, err);
	if (!rc)
		rc = perf_events_open(&s->perf, &s->plan, err);
	return rc ? rc : poller_new_perf(&s->perf, s->options.interval_ns, &s->poller, err);
}

/* Opens the session for the kernel's data on memory, which need no privileges and no counter. */
int session_use_no_units(struct session *s, struct error *err)
{
	int rc = machine_open_without_units(s->platform, &s->machine, err);

	if (!rc)
		rc = session_select_rows(s, err);
	if (!rc)
		rc = plan_make(&s->machine, NULL, 0, FREEZE_NEVER, &s->plan, err);
	if (!rc)
		rc = pmu_state_init(&s->pmu, &s->plan, err);
	return rc ? rc : poller_new(&s->pmu, s->options.interval_ns, &s->poller, err);
}

static int use_backend(struct session *s, enum session_backend backend, struct error *err)
{
	s->backend = backend;
	return backend == BACKEND_PERF ? use_perf(s, err) : session_use_registers(s, err);
}

/* Closes the objects of one backend, to try another. */
static void begin_again(struct session *s)
{
	const struct session kept = {.options = s->options, .platform = s->platform};

	session_release(s);
	*s = kept;
}

/*
 * Tells if the kernel can count although registers cannot be used: it does not need the permission
 * to write registers, or free counters. But it would overwrite the counters of another cxlmon,
 * which it does not know about.
 */
static bool perf_may_help(const struct session *s, const struct error *why)
{
	return s->platform->ops->perf && s->options.ownership == OWNERSHIP_REFUSE &&
	       !s->others.count && (why->kind == ERROR_PERMISSION || why->kind == ERROR_IN_USE);
}

/*
 * Uses registers if possible, else the kernel; if neither works, the error is the one of registers.
 * Messages of a failed attempt are dropped: they would not be true of the run.
 */
static int use_either(struct session *s, struct error *err)
{
	struct log *log = &s->platform->log;
	struct held_log raw, perf;
	struct error why_not;

	held_log_begin(&raw, log);
	int rc = use_backend(s, BACKEND_RAW, err);
	/* otherwise the use of counters by others was already handled */
	if (!rc && s->options.ownership == OWNERSHIP_REFUSE)
		rc = session_check_registers(s, err);
	if (!rc || !perf_may_help(s, err)) {
		held_log_end(&raw, true);
		return rc;
	}
	begin_again(s);
	held_log_begin(&perf, log);
	const bool counts = !use_backend(s, BACKEND_PERF, &why_not);
	held_log_end(&perf, counts);
	held_log_end(&raw, !counts);
	if (!counts) {
		/*
		 * a command lets the kernel count, and root does not make registers usable
		 */
		const bool remedy =
			why_not.command[0] && strcmp(err->command, ERROR_COMMAND_AS_ROOT) != 0;

		log_write(log, remedy ? LEVEL_NOTE : LEVEL_DETAIL,
			  "--backend=perf does not help: %s", why_not.text);
		return rc;
	}
	log_write(log, LEVEL_NOTE, "the kernel counts (--backend=perf), because: %s", err->text);
	/* err may already have reported events that the kernel cannot count */
	if (strcmp(err->command, CPMU_COMMAND_UNLOAD) != 0)
		cpmus_report_driver(&s->machine);
	return 0;
}

/* Tells if the processor has no registers: only the kernel counts, which needs no message. */
static bool kernel_counts(const struct session *s)
{
	struct cpu_identity id;
	const struct model *model;
	struct error ignored;

	return !machine_find_model(s->platform, &id, &model, &ignored) && model->kernel_counts;
}

int session_use_units(struct session *s, struct error *err)
{
	const enum session_backend backend = s->options.backend;

	if (backend != BACKEND_AUTO)
		return use_backend(s, backend, err);
	return kernel_counts(s) ? use_backend(s, BACKEND_PERF, err) : use_either(s, err);
}

/*
 * Opens the session with units if possible. If not, their part of the request is left out, and the
 * rest is shown.
 */
int session_use_units_if_any(struct session *s, struct error *err)
{
	struct log *log = &s->platform->log;
	struct held_log held;
	struct error why;

	held_log_begin(&held, log);
	int rc = session_use_units(s, &why);
	const bool goes_on = rc && why.kind != ERROR_USAGE;
	held_log_end(&held, !goes_on);
	if (!goes_on) {
		*err = rc ? why : *err;
		return rc;
	}
	begin_again(s);
	rc = session_use_no_units(s, err);
	if (!rc)
		log_write(log, LEVEL_NOTE, "link utilisation cannot be counted: %s", why.text);
	return rc;
}
