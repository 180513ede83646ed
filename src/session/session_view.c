/* SPDX-License-Identifier: BSD-3-Clause */
/* What a session measures: events by name, and the view of them and of metrics. */
#include "events/perfmon_json.h"
#include "session/session_private.h"

/* Metrics of the user's own, of events that are looked up likewise. */
static int find_metrics(struct session *s, struct error *err)
{
	const struct custom_context context = {&s->catalogue, &s->machine};
	const struct session_options *o = &s->options;
	int rc = 0;

	for (size_t i = 0; !rc && i < o->metric_file_count; i++)
		rc = custom_metrics_load(&s->metrics, &context, o->metric_files[i], err);
	for (size_t i = 0; !rc && i < o->metric_count; i++)
		rc = custom_metrics_add(&s->metrics, &context, o->metrics[i], err);
	return rc;
}

/* Events are looked up by name, in the catalogue of the processor. */
int session_find_events(struct session *s, struct error *err)
{
	const struct session_options *o = &s->options;
	int rc = 0;

	catalogue_init(&s->catalogue, s->machine.model);
	event_list_init(&s->events);
	for (size_t i = 0; !rc && i < o->event_file_count; i++) {
		size_t added;

		rc = perfmon_load(&s->catalogue, o->event_files[i], &added, err);
		if (!rc)
			log_write(&s->platform->log, LEVEL_DETAIL, "%s: %zu events",
				  o->event_files[i], added);
	}
	for (size_t i = 0; !rc && i < o->event_count; i++)
		rc = event_list_add(&s->events, &s->catalogue, o->events[i], err);
	return rc ? rc : find_metrics(s, err);
}

int session_make_view(struct session *s, struct error *err)
{
	struct view_options options = s->options.view;

	options.events = s->events.items;
	options.event_count = s->events.count;
	options.custom = &s->metrics;
	return view_make(&s->machine, &options, &s->view, err);
}
