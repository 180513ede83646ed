/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions that access no register: nothing is written, claimed or restored. */
#include "session/session_private.h"

/* But --resctrl writes: registers and settings left by killed runs are restored first. */
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

/* Counts through the kernel. */
int session_use_perf(struct session *s, struct error *err)
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

/* What the kernel says of memory: no right is needed, and no counter. */
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
