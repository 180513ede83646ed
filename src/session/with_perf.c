/* SPDX-License-Identifier: BSD-3-Clause */
/* A session that counts through the kernel: nothing is written, claimed or restored. */
#include "session/session_private.h"

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
