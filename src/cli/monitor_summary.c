/* SPDX-License-Identifier: BSD-3-Clause */
/* The summary at the end of a run. */
#include <stdio.h>
#include <unistd.h>

#include "cli/messages.h"
#include "cli/monitor_private.h"

/*
 * A run that ends by itself is one whose outcome is wanted, by whoever looks at standard error, or
 * keeps it beside the file with the samples. The screen leaves nothing else behind.
 */
static bool is_wanted(const struct monitor *m)
{
	const struct options *o = m->options;

	if (o->verbosity == QUIET || o->listen || o->summary == SUMMARY_NEVER)
		return false;
	return o->summary == SUMMARY_ALWAYS || ((o->count || o->command || m->screen_wanted) &&
						(isatty(STDERR_FILENO) || o->output));
}

int monitor_begin_summary(struct monitor *m, struct error *err)
{
	if (!is_wanted(m))
		return 0;
	return summary_new(&m->session.view, &m->summary) ? error_no_memory(err) : 0;
}

void monitor_print_summary(const struct monitor *m)
{
	char processor[128];

	if (!m->summary)
		return;
	snprintf(processor, sizeof(processor), "%s%s", m->options->session.sim ? "simulated " : "",
		 machine_processor(&m->session.machine));
	messages_summary(m->summary, processor, m->ended_ns - m->started_ns);
}
