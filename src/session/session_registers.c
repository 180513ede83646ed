/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions that access registers: those that killed runs left programmed are restored first. */
#include "session/session_private.h"

#include <errno.h>

#include "platform/reg.h"

static int others_run(const struct recovery *found, struct error *err)
{
	if (!found->running_pid)
		return error_set(err, ERROR_IN_USE, -EBUSY,
				 "another cxlmon is running on this machine, with no process id "
				 "here (in another container?): wait until it ends, or stop it; "
				 "--share uses only free counters, --force takes over those that "
				 "it uses");
	return error_set(
		err, ERROR_IN_USE, -EBUSY,
		"another cxlmon (pid %d) is running on this machine: wait until it ends, or "
		"stop it (sudo kill %d); --share uses only free counters, --force takes over "
		"those that it uses",
		(int)found->running_pid, (int)found->running_pid);
}

static int plan_with(struct session *s, enum freeze_policy policy, struct error *err)
{
	plan_free(&s->plan);
	return plan_make(&s->machine, s->view.requests, s->view.request_count, policy, &s->plan,
			 err);
}

/*
 * Plans the measurement. A whole socket is frozen only if no other program counts on any unit of
 * it, whose counters would also stop. With --share, such a program may start at any time.
 */
static int make_plan(struct session *s, struct error *err)
{
	const struct session_options *o = &s->options;
	const bool per_unit = o->ownership == OWNERSHIP_SHARE && o->freeze != FREEZE_NEVER;
	struct error use;
	int rc = plan_with(s, per_unit ? FREEZE_UNITS : o->freeze, err);

	if (!rc && s->plan.global_freeze && machine_find_use(&s->machine, &use)) {
		log_write(&s->platform->log, LEVEL_DETAIL,
			  "units are frozen one by one, because another program counts: %s",
			  use.text);
		rc = plan_with(s, FREEZE_UNITS, err);
	}
	return rc ? rc : session_init_pmu(s, err);
}

/*
 * Checks, before locking, if a request can be measured without uncore units. If so, the final view
 * repeats the messages of this one.
 */
static int try_view(struct session *s, struct error *err)
{
	struct held_log held;

	held_log_begin(&held, &s->platform->log);
	const int rc = session_select_rows(s, err);
	held_log_end(&held, rc != 0);
	view_free(&s->view);
	machine_close_units(&s->machine);
	return rc;
}

/* Opens and locks the machine, and selects the events and rows. */
static int prepare_registers(struct session *s, struct error *err)
{
	struct recovery found = {0};
	int rc = machine_open(s->platform, &s->machine, err);

	if (!rc && s->machine.model->kernel_counts)
		rc = error_set(err, ERROR_USAGE, -ENOTSUP,
			       "%s: only the kernel counts on this processor: expected "
			       "--backend=perf",
			       s->machine.model->name);
	if (!rc)
		rc = session_find_events(s, err);
	if (!rc && s->machine.uncore_error.code)
		rc = try_view(s, err);
	if (!rc && !s->options.sim)
		rc = session_claim(s, &s->machine, &found, err);
	if (!rc && found.running && s->options.ownership == OWNERSHIP_REFUSE)
		rc = others_run(&found, err);
	machine_set_ownership(&s->machine, s->options.ownership);
	machine_set_others(&s->machine, &s->others);
	return rc ? rc : session_select_counting(s, err);
}

int session_use_registers(struct session *s, struct error *err)
{
	int rc = prepare_registers(s, err);

	if (!rc)
		rc = make_plan(s, err);
	if (rc)
		return rc;
	if (s->options.freeze == FREEZE_ALWAYS && s->machine.model->units_by_cpuid &&
	    s->machine.discovery.unit_count)
		log_write(
			&s->platform->log, LEVEL_WARNING,
			"this processor has no freeze register: --freeze=always has no effect, and "
			"counters are read while they run");
	return poller_new(&s->pmu, s->options.interval_ns, &s->poller, err);
}

/*
 * Checks that MSRs may be written, if the plan has any, and that no other program uses its
 * counters.
 */
int session_check_registers(const struct session *s, struct error *err)
{
	struct platform *p = s->platform;
	const struct unit *msrs = NULL;
	int rc = 0;

	for (size_t u = 0; !msrs && u < s->plan.unit_count; u++)
		if (s->plan.units[u].unit->access == ACCESS_MSR)
			msrs = s->plan.units[u].unit;
	if (msrs && p->ops->registers->msr_may_write)
		rc = p->ops->registers->msr_may_write(p, msrs->cpu);
	if (rc == -EPERM || rc == -EACCES) {
		const struct reg reg = reg_msr(msrs->cpu, msrs->has_pairs ? (uint32_t)msrs->control
									  : IA32_PERF_GLOBAL_CTRL);

		return reg_error(p, &reg, true, rc, err);
	}
	for (size_t u = 0; u < s->plan.unit_count; u++) {
		const struct plan_unit *pu = &s->plan.units[u];

		if (unit_find_use(p, pu->unit, plan_unit_counters(&s->plan, pu), err))
			return -EBUSY;
	}
	return 0;
}
