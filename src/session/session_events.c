/* SPDX-License-Identifier: BSD-3-Clause */
/* Subjects of a session: events by name, and the view of them and of metrics. */
#include "session/session_private.h"

#include <errno.h>
#include <stdio.h>

#include "base/text.h"

/* Finds user-defined metrics and their events. */
static int find_metrics(struct session *s, struct error *err)
{
	const struct custom_context context = {&s->catalogue};
	const struct session_options *o = &s->options;
	const char *candidate = s->machine.model->candidate_reads;
	char text[128];
	int rc = 0;

	for (size_t i = 0; !rc && i < o->metric_files.count; i++)
		rc = custom_metrics_load(&s->metrics, &context, o->metric_files.at[i], err);
	for (size_t i = 0; !rc && i < o->metrics.count; i++)
		rc = custom_metrics_add(&s->metrics, &context, o->metrics.at[i], err);
	if (rc || !o->candidates || !candidate)
		return rc;
	snprintf(text, sizeof(text), SESSION_CANDIDATE " = %s * 64 bytes; scope=socket,system",
		 candidate);
	return custom_metrics_add(&s->metrics, &context, text, err);
}

/* Adds to the error about an unknown event, if its name is a metric's, or the beginning of one. */
static int hint_at_metric(const char *name, int rc, struct error *err)
{
	struct text_nearest nearest = text_nearest_start(name);
	const struct metric *m;

	for (m = metric_table; m->name; m++)
		text_nearest_add(&nearest, m->name);
	for (m = metric_table; m->name && m->name != nearest.name; m++)
		;
	return m->name && nearest.distance <= 1
		       ? error_set(err, ERROR_USAGE, -EINVAL,
				   "'%s' is not an event: expected -m %s for the metric %s",
				   quoted(name).text, m->group, m->name)
		       : rc;
}

/* Finds events by name in the catalogue of the processor. */
int session_find_events(struct session *s, struct error *err)
{
	const struct session_options *o = &s->options;
	int rc = 0;

	catalogue_init(&s->catalogue, s->machine.model);
	s->events = (struct event_list){.count = 0};
	for (size_t i = 0; !rc && i < o->event_files.count; i++) {
		size_t added;

		rc = perfmon_load(&s->catalogue, o->event_files.at[i], &added, err);
		if (!rc)
			log_write(&s->platform->log, LEVEL_DETAIL, "%s: %zu events",
				  o->event_files.at[i], added);
	}
	for (size_t i = 0; !rc && i < o->events.count; i++) {
		rc = event_list_add(&s->events, &s->catalogue, o->events.at[i], err);
		if (rc == -EINVAL)
			rc = hint_at_metric(o->events.at[i], rc, err);
	}
	return rc ? rc : find_metrics(s, err);
}

int session_select_rows(struct session *s, struct error *err)
{
	struct view_options options = s->options.view;

	options.events = s->events.items;
	options.event_count = s->events.count;
	options.custom = &s->metrics;
	return view_make(&s->machine, &options, &s->view, err);
}
