/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets up a run: the session of what the options ask for, and its output. */
#include <errno.h>
#include <unistd.h>

#include "cli/monitor_parts.h"

static struct session_options asked_for(const struct options *o)
{
	return (struct session_options){
		.sim = o->sim,
		.root = o->root,
		.view = o->view,
		.events = o->events,
		.event_count = o->event_count,
		.event_files = o->event_files,
		.event_file_count = o->event_file_count,
		.freeze = o->freeze,
		.ownership = o->ownership,
		.interval_ns = o->interval_ns,
		.turn_ns = o->turn_ns,
	};
}

int monitor_set_up(struct monitor *m, struct error *err)
{
	const struct session_options wanted = asked_for(m->options);
	int rc = caller_find(&m->caller, err);

	if (!rc)
		rc = session_open(&wanted, &m->log, &m->session, err);
	if (!rc && m->options->listen && m->session.platform->virtual_clock)
		rc = error_set(err, EXIT_USAGE, -EINVAL,
			       "a virtual clock would let intervals pass at once: serve expects "
			       "clock=real");
	return rc ? rc : monitor_open_output(m, err);
}

void monitor_release(struct monitor *m)
{
	serving_free(m->serving);
	session_close(&m->session);
	if (m->options->output && m->fd >= 0)
		close(m->fd);
}
