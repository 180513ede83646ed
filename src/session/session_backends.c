/* SPDX-License-Identifier: BSD-3-Clause */
/* How a session counts: with registers, through the kernel, or without a unit. */
#include <errno.h>

#include "session/recovery.h"
#include "session/session_private.h"

/* With registers: what killed runs left is restored first. */

static int others_run(const struct recovery *found, struct error *err)
{
	if (!found->running_pid)
		return error_set(err, EXIT_IN_USE, -EBUSY,
				 "another cxlmon is running on this machine, with no process id "
				 "here (in another container?): wait until it ends, or stop it; "
				 "--share uses only free counters, --force takes over those that "
				 "it uses");
	return error_set(
		err, EXIT_IN_USE, -EBUSY,
		"another cxlmon (pid %d) is running on this machine: wait until it ends, or "
		"stop it (sudo kill %d); --share uses only free counters, --force takes over "
		"those that it uses",
		(int)found->running_pid, (int)found->running_pid);
}

/*
 * Takes the lock that is held until counters run, and restores registers left by killed runs.
 */
static int claim_machine(struct session *s, struct error *err)
{
	struct recovery found = {0};
	int rc;

	if (s->options.sim)
		return 0;
	rc = run_dir_open(s->options.root, &s->run_dir, err);
	if (!rc)
		rc = recovery_run(&s->machine, s->run_dir, &found, err);
	s->others = found.live;
	if (!rc && found.running && s->options.ownership == OWNERSHIP_REFUSE)
		rc = others_run(&found, err);
	return rc;
}

static int save_journal(void *context, const struct undo *undo, struct error *err)
{
	const struct session *s = context;

	return run_dir_save_journal(s->run_dir, s->machine.model->short_name, s->options.serves,
				    undo, err);
}

static int plan_with(struct session *s, enum freeze_policy policy, struct error *err)
{
	plan_free(&s->plan);
	return plan_make(&s->machine, s->view.requests, s->view.request_count, policy, &s->plan,
			 err);
}

/*
 * A whole socket is frozen only if no other program counts on any unit of it: it would stop that
 * program's counters too. With --share, such a program may come at any time.
 */
static int make_plan(struct session *s, struct error *err)
{
	const struct session_options *o = &s->options;
	const bool per_unit = o->ownership == OWNERSHIP_SHARE && o->freeze != FREEZE_NEVER;
	struct error use;
	int rc = plan_with(s, per_unit ? FREEZE_UNITS : o->freeze, err);

	if (!rc && s->plan.global_freeze && machine_find_use(&s->machine, &use)) {
		log_write(&s->platform->log, LEVEL_DETAIL,
			  "units are frozen one by one, as another program counts: %s", use.text);
		rc = plan_with(s, FREEZE_UNITS, err);
	}
	if (!rc)
		rc = programming_init(&s->programming, &s->plan, err);
	if (!rc)
		s->programming.undo.others = &s->others;
	if (!rc && s->run_dir) {
		s->programming.save_journal = save_journal;
		s->programming.journal_context = s;
	}
	return rc;
}

static void report_no_freeze(const struct session *s)
{
	if (s->options.freeze == FREEZE_ALWAYS && s->machine.model->units_by_cpuid &&
	    s->machine.discovery.unit_count)
		log_write(
			&s->platform->log, LEVEL_WARNING,
			"this processor has no freeze register: --freeze=always has no effect, and "
			"counters are read while they run");
}

/*
 * Without uncore units, checks before locking whether anything requested can be measured. If so,
 * the view that is made then says the same again.
 */
static int try_view(struct session *s, struct error *err)
{
	struct held_log held;

	held_log_begin(&held, &s->platform->log);
	const int rc = session_make_view(s, err);
	held_log_end(&held, rc != 0);
	view_free(&s->view);
	machine_close_units(&s->machine);
	return rc;
}

/* Opens and locks the machine, and selects what is counted on it. */
static int prepare(struct session *s, struct error *err)
{
	int rc = machine_open(s->platform, &s->machine, err);

	if (!rc)
		rc = session_find_events(s, err);
	if (!rc && s->machine.uncore_error.code)
		rc = try_view(s, err);
	if (!rc)
		rc = claim_machine(s, err);
	machine_set_ownership(&s->machine, s->options.ownership);
	machine_set_others(&s->machine, &s->others);
	return rc ? rc : session_make_view(s, err);
}

int session_use_registers(struct session *s, struct error *err)
{
	int rc = prepare(s, err);

	if (!rc)
		rc = make_plan(s, err);
	if (rc)
		return rc;
	report_no_freeze(s);
	return poller_new(&s->programming, s->options.interval_ns, &s->poller, err);
}

/* Whether one of the counters that the plan uses is used by another program. */
static bool find_use(const struct session *s, struct error *err)
{
	struct platform *p = s->platform;
	bool used = false;

	for (size_t u = 0; !used && u < s->plan.unit_count; u++) {
		const struct plan_unit *pu = &s->plan.units[u];

		used = unit_find_use(p, pu->unit, plan_unit_counters(&s->plan, pu), err);
	}
	return used;
}

/* A unit whose MSRs the plan writes; NULL: none. */
static const struct unit *find_msr_unit(const struct plan *plan)
{
	for (size_t u = 0; u < plan->unit_count; u++)
		if (plan->units[u].unit->access == ACCESS_MSR)
			return plan->units[u].unit;
	return NULL;
}

int session_check_registers(const struct session *s, struct error *err)
{
	struct platform *p = s->platform;
	const struct unit *unit = find_msr_unit(&s->plan);
	const struct reg reg = {.space = REG_MSR,
				.bytes = 8,
				.cpu = unit ? unit->cpu : 0,
				.address = unit && unit->pairs ? unit->control
							       : IA32_PERF_GLOBAL_CTRL};
	const int rc = unit && p->ops->msr_may_write ? p->ops->msr_may_write(p, reg.cpu) : 0;

	if (rc == -EPERM || rc == -EACCES)
		return reg_error(p, &reg, true, rc, err);
	return find_use(s, err) ? -EBUSY : 0;
}

/* Sessions that access no register: nothing is written, claimed or restored. */

/* Counts through the kernel. */
int session_use_perf(struct session *s, struct error *err)
{
	int rc = machine_open_perf(s->platform, &s->machine, err);

	if (!rc)
		rc = session_find_events(s, err);
	if (!rc)
		rc = session_make_view(s, err);
	if (!rc)
		rc = plan_make(&s->machine, s->view.requests, s->view.request_count, FREEZE_NEVER,
			       &s->plan, err);
	if (!rc)
		rc = perf_events_open(&s->perf, &s->plan, err);
	return rc ? rc : poller_new_perf(&s->perf, s->options.interval_ns, &s->poller, err);
}

/* What the kernel says of memory: no right is needed, and no counter. */
int session_use_no_units(struct session *s, struct error *err)
{
	int rc = machine_open_without_units(s->platform, &s->machine, err);

	if (!rc)
		rc = session_make_view(s, err);
	if (!rc)
		rc = plan_make(&s->machine, NULL, 0, FREEZE_NEVER, &s->plan, err);
	if (!rc)
		rc = programming_init(&s->programming, &s->plan, err);
	return rc ? rc : poller_new(&s->programming, s->options.interval_ns, &s->poller, err);
}
