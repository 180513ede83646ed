/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets up a run: the session of what the options ask for, and its output. */
#include <errno.h>
#include <unistd.h>

#include "cli/monitor_parts.h"

/* What ends by itself is to be read afterwards, and COMMAND has the terminal for itself. */
static bool wants_screen(const struct options *o)
{
	return !o->plain && !o->format && !o->output && !o->listen && !o->count && !o->command &&
	       !o->event_count && o->view.finest > SCOPE_CPU;
}

static struct session_options asked_for(const struct monitor *m)
{
	const struct options *o = m->options;
	struct session_options wanted = {
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
		.rotate_ns = o->rotate_ns,
	};

	if (m->live && !o->groups_chosen)
		wanted.view.groups = SCREEN_GROUPS;
	return wanted;
}

int monitor_set_up(struct monitor *m, struct error *err)
{
	int rc = sudo_user_find(&m->caller, err);

	m->live = wants_screen(m->options) && screen_possible();
	const struct session_options wanted = asked_for(m);
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
