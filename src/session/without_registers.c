/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions that access no register: nothing is written, claimed or restored. */
#include "session/session_private.h"

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
