/* SPDX-License-Identifier: BSD-3-Clause */
/* What a session measures: events by name, and the view of them and of metrics. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "events/perfmon_json.h"
#include "platform/text.h"
#include "session/session_private.h"
#include "uncore/event.h"

#define EVENTS_TEXT_SIZE 384

static int add_candidate(struct session *s, const struct custom_context *context, struct error *err)
{
	const char *event = s->machine.model->candidate_reads;
	char text[128];

	if (!s->options.candidates || !event)
		return 0;
	snprintf(text, sizeof(text), SESSION_CANDIDATE " = %s * 64 bytes; scope=socket,system",
		 event);
	return custom_metrics_add(&s->metrics, context, text, err);
}

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
	return rc ? rc : add_candidate(s, &context, err);
}

/* After an unknown event: the name of a metric, or its beginning. */
static int hint_at_metric(const char *name, int rc, struct error *err)
{
	struct text_nearest nearest = text_nearest_start(name);
	const struct metric *m;

	for (m = metric_table; m->name; m++)
		text_nearest_add(&nearest, m->name);
	for (m = metric_table; m->name && m->name != nearest.name; m++)
		;
	return m->name && nearest.distance <= 1
		       ? error_set(err, EXIT_USAGE, -EINVAL,
				   "'%s' is not an event: expected -m %s for the metric %s",
				   quoted(name).text, m->group, m->name)
		       : rc;
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
	for (size_t i = 0; !rc && i < o->event_count; i++) {
		rc = event_list_add(&s->events, &s->catalogue, o->events[i], err);
		if (rc == -EINVAL)
			rc = hint_at_metric(o->events[i], rc, err);
	}
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

struct uncounted {
	struct platform *platform;
	char names[EVENTS_TEXT_SIZE];
	size_t more; /* that have no room */
};

static bool is_listed(const char *list, const char *name)
{
	const size_t length = strlen(name);

	for (const char *at = list; (at = strstr(at, name)); at += length)
		if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ','))
			return true;
	return false;
}

static void add_uncounted(struct uncounted *list, const struct event *event)
{
	if (list->platform->ops->counts(list->platform, event->box, event_control(event),
					event->offcore_rsp) ||
	    is_listed(list->names, event->name))
		return;
	if (strlen(list->names) + strlen(event->name) + sizeof(", ") > sizeof(list->names))
		list->more++;
	else
		text_list(list->names, sizeof(list->names), "%s", event->name);
}

void session_report_uncounted(const struct session *s)
{
	struct uncounted list = {.platform = s->platform};
	char more[40] = "";

	if (!s->platform->ops->counts)
		return;
	for (size_t i = 0; i < s->events.count; i++)
		add_uncounted(&list, s->events.items[i].event);
	for (size_t i = 0; i < s->metrics.count; i++) {
		const struct program *program = &s->metrics.items[i]->program;

		for (size_t k = 0; k < program->operand_count; k++)
			add_uncounted(&list, program->operands[k].event);
	}
	if (list.more)
		snprintf(more, sizeof(more), " and %zu others", list.more);
	if (*list.names)
		log_write(&s->platform->log, LEVEL_WARNING,
			  "the simulation does not model these events, whose counts stay 0: %s%s",
			  list.names, more);
}
