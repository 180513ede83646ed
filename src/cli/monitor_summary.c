/* SPDX-License-Identifier: BSD-3-Clause */
/* The summary at the end of a run. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/monitor_private.h"

/* A run that ends by itself is one whose outcome is wanted, by whoever looks at standard error. */
static bool is_wanted(const struct options *o)
{
	if (o->quiet || o->listen || o->summary == SUMMARY_NEVER)
		return false;
	return o->summary == SUMMARY_ALWAYS || ((o->count || o->command) && isatty(STDERR_FILENO));
}

int monitor_begin_summary(struct monitor *m, struct error *err)
{
	if (!is_wanted(m->options))
		return 0;
	return summary_new(&m->session.view, &m->summary) ? error_no_memory(err) : 0;
}

static int write_summary(const struct monitor *m, FILE *out)
{
	char processor[128];

	snprintf(processor, sizeof(processor), "%s%s", m->options->sim ? "simulated " : "",
		 machine_processor(&m->session.machine));
	return summary_print(m->summary, processor, m->ended_ns - m->started_ns, out);
}

/* Written by one call, so that it stays together. */
void monitor_print_summary(const struct monitor *m)
{
	char *text = NULL;
	size_t size;
	FILE *out = m->summary ? open_memstream(&text, &size) : NULL;

	if (!out)
		return;
	const int rc = write_summary(m, out);
	if (!fclose(out) && !rc)
		fputs(text, stderr);
	free(text);
}
