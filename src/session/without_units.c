/* SPDX-License-Identifier: BSD-3-Clause */
/* A session of what the kernel says of memory: no right is needed, and no counter. */
#include "session/session_private.h"

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
