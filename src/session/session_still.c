/* SPDX-License-Identifier: BSD-3-Clause */
/* Which units count nothing, before the rest is chosen. */
#include "session/session_private.h"

#include <stdlib.h>

#include "session/clock_probe.h"
#include "session/held_log.h"

static int start_clocks(struct session *s, const struct request *clocks, size_t count,
			struct error *err)
{
	const bool perf = s->backend == BACKEND_PERF;
	int rc = plan_make(&s->machine, clocks, count, FREEZE_NEVER, &s->plan, err);

	if (!rc)
		rc = perf ? perf_events_open(&s->perf, &s->plan, err) : session_init_pmu(s, err);
	if (!rc)
		rc = perf ? poller_new_perf(&s->perf, NS_PER_S, &s->poller, err)
			  : poller_new(&s->pmu, NS_PER_S, &s->poller, err);
	s->started = !rc;
	return rc ? rc : poller_start(s->poller, err);
}

/* Counts nothing but clocks, and restores what that took. */
static int find_still_units(struct session *s, size_t *still, struct error *err)
{
	struct held_log held;
	struct error why;
	struct request *clocks;
	size_t count;
	int rc = plan_make(&s->machine, s->view.requests, s->view.request_count, FREEZE_NEVER,
			   &s->plan, err);

	if (rc)
		return rc;
	clocks = clock_probe_requests(&s->plan, &count);
	plan_free(&s->plan);
	if (!clocks || !count) {
		free(clocks);
		return clocks ? 0 : error_no_memory(err);
	}
	/* what is found meanwhile will be found again */
	held_log_begin(&held, &s->platform->log);
	rc = start_clocks(s, clocks, count, err);
	if (!rc)
		rc = clock_probe_find(s->poller, &s->plan, still, err);
	const int left = s->started ? session_restore(s, &why) : 0;
	held_log_end(&held, false);
	free(clocks);
	if (left) {
		*err = why;
		return left;
	}
	poller_free(s->poller);
	s->poller = NULL;
	perf_events_close(&s->perf);
	pmu_state_free(&s->pmu);
	plan_free(&s->plan);
	return rc;
}

/* Where some unit is found to count nothing, once more without it. */
int session_select_counting(struct session *s, struct error *err)
{
	struct held_log held;
	size_t still = 0;

	if (!s->machine.model->chas_may_not_exist && s->backend != BACKEND_PERF)
		return session_select_rows(s, err);
	held_log_begin(&held, &s->platform->log);
	int rc = session_select_rows(s, err);
	if (!rc)
		rc = find_still_units(s, &still, err);
	held_log_end(&held, !still);
	if (rc || !still)
		return rc;
	view_free(&s->view);
	machine_close_units(&s->machine);
	return session_select_rows(s, err);
}
