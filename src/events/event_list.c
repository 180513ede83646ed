/* SPDX-License-Identifier: BSD-3-Clause */
#include "events/event_list.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/rootfs.h"
#include "base/text.h"
#include "events/event_parse.h"

#define BLANKS	 " \t"
#define NAME_END ",{}/" /* characters that end a name */

void event_list_free(struct event_list *list)
{
	free(list->items);
	event_set_free(&list->own);
	*list = (struct event_list){.count = 0};
}

static bool same_encoding(const struct event *a, const struct event *b)
{
	return a->code == b->code && a->umask == b->umask && a->umask_ext == b->umask_ext &&
	       a->counters == b->counters && a->modifiers == b->modifiers &&
	       a->offcore_rsp == b->offcore_rsp && a->optional == b->optional;
}

/*
 * Appends an event. A name may stand for only one event in each kind of unit, because rows and
 * labels show nothing else.
 */
static int append_event(struct event_list *list, const struct event *event, unsigned group,
			struct error *err)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct event *other = list->items[i].event;

		if (other != event && other->type == event->type &&
		    !strcmp(other->name, event->name) && !same_encoding(other, event))
			return error_set(err, ERROR_USAGE, -EINVAL,
					 "two different events are named '%s': give each its own "
					 "name, as in name=%s_2",
					 quoted(event->name).text, quoted(event->name).text);
	}
	if (array_room(&list->items, list->count, 1, sizeof(*list->items)))
		return error_no_memory(err);
	list->items[list->count++] = (struct event_choice){event, group};
	return 0;
}

/* Returns a hint for perf's name of an event; NULL: none. */
static const char *perf_alias_hint(const char *name)
{
	return strcmp(name, "cpu-cycles") ? NULL : "did you mean 'cycles'?";
}

static int unknown_event(const struct event_catalogue *catalogue, const char *name,
			 struct error *err)
{
	const char *nearest = catalogue_nearest(catalogue, name);
	const char *obstacle = catalogue_obstacle(catalogue, name);
	const char *hint = obstacle ? obstacle : perf_alias_hint(name);
	char models[200];

	if (*name == '@')
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "'%s': @FILE must be all of SPEC and cannot be nested",
				 quoted(name).text);
	if (hint)
		return error_set(err, ERROR_USAGE, -EINVAL, "unknown event '%s': %s",
				 quoted(name).text, hint);
	if (strpbrk(name, "*?["))
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "unknown event '%s': expected names without *, ? or []; cxlmon "
				 "list '%s' shows those that match",
				 quoted(name).text, quoted(name).text);
	if (catalogue_find_elsewhere(catalogue, name, models, sizeof(models)))
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "unknown event '%s': known on %s; not published for %s%s%s%s",
				 quoted(name).text, models, catalogue->model->name,
				 nearest ? ", which has '" : "", nearest ? nearest : "",
				 nearest ? "'" : "");
	if (nearest)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "unknown event '%s': did you mean '%s'?", quoted(name).text,
				 quoted(nearest).text);
	return error_set(err, ERROR_USAGE, -EINVAL,
			 "unknown event '%s': expected a name that cxlmon list shows, or a raw "
			 "event such as %s",
			 quoted(name).text,
			 catalogue->model && model_pmu_type(catalogue->model, PMU_DF)
				 ? "df/event=0x31f,umask=0xffe/"
				 : "cxlcm/event=0x41,umask=0x10/");
}

/* Adds a single event, without blanks around it. */
static int add_event(struct event_list *list, const struct event_catalogue *catalogue,
		     const char *text, unsigned group, struct error *err)
{
	struct parsed_event parsed;
	const struct event *event;

	if (!strchr(text, '/')) {
		event = catalogue_find(catalogue, text);
		return event ? append_event(list, event, group, err)
			     : unknown_event(catalogue, text, err);
	}

	int rc = event_parse(catalogue, text, &parsed, err);
	rc = rc ? rc : event_set_add(&list->own, &parsed.event, &event, err);
	return rc ? rc : append_event(list, event, group, err);
}

/* Adds the event at *at, and moves *at to its end. */
static int parse_event(struct event_list *list, const struct event_catalogue *catalogue,
		       const char **at, unsigned group, struct error *err)
{
	const char *text = *at, *end = text + strcspn(text, NAME_END);

	if (*end == '/') {
		const char *closing = strchr(end + 1, '/');
		if (!closing)
			return error_set(err, ERROR_USAGE, -EINVAL, "missing closing slash: '%s'",
					 quoted(text).text);
		end = closing + 1;
	}
	if (end == text)
		return error_set(err, ERROR_USAGE, -EINVAL, "expected an event before '%s'",
				 quoted(text).text);
	*at = end;

	char *copy = strndup(text, (size_t)(end - text));
	if (!copy)
		return error_no_memory(err);
	int rc = add_event(list, catalogue, text_trim(copy), group, err);
	free(copy);
	return rc;
}

static const char *skip_blanks(const char *at)
{
	return at + strspn(at, BLANKS);
}

static int parse_item(struct event_list *list, const struct event_catalogue *catalogue,
		      const char *at, struct error *err)
{
	unsigned group = 0; /* current group; 0: none */

	for (;;) {
		at = skip_blanks(at);
		if (*at == '{' && group)
			return error_set(err, ERROR_USAGE, -EINVAL, "groups cannot be nested: '%s'",
					 quoted(at).text);
		if (*at == '{') {
			group = ++list->groups;
			at = skip_blanks(at + 1);
		}
		if (!*at)
			return error_set(err, ERROR_USAGE, -EINVAL, "expected an event at the end");
		int rc = parse_event(list, catalogue, &at, group, err);
		if (rc)
			return rc;
		at = skip_blanks(at);
		if (*at == '}' && !group)
			return error_set(err, ERROR_USAGE, -EINVAL,
					 "closing brace without opening brace: '%s'",
					 quoted(at).text);
		if (*at == '}') {
			group = 0;
			at = skip_blanks(at + 1);
		}
		if (!*at)
			break;
		if (*at++ != ',')
			return error_set(err, ERROR_USAGE, -EINVAL, "expected a comma before '%s'",
					 quoted(at - 1).text);
	}
	return group ? error_set(err, ERROR_USAGE, -EINVAL, "missing closing brace at the end") : 0;
}

struct additions {
	struct event_list *list;
	const struct event_catalogue *catalogue;
};

static int parse_line(void *context, char *line, struct error *err)
{
	const struct additions *to = context;

	return parse_item(to->list, to->catalogue, line, err);
}

static int parse_file(struct event_list *list, const struct event_catalogue *catalogue,
		      const char *path, struct error *err)
{
	const size_t before = list->count;
	struct additions to = {list, catalogue};
	int rc = text_file_lines(path, parse_line, &to, err);

	if (!rc && list->count == before)
		rc = error_set(err, ERROR_USAGE, -EINVAL, "'%s' has no events", quoted(path).text);
	return rc;
}

int event_list_add(struct event_list *list, const struct event_catalogue *catalogue,
		   const char *text, struct error *err)
{
	const struct event_list before = *list;
	char *copy = strdup(text);

	if (!copy)
		return error_no_memory(err);
	char *words = text_trim(copy);
	int rc = *words == '@' ? parse_file(list, catalogue, words + 1, err)
			       : parse_item(list, catalogue, words, err);
	if (rc) {
		list->count = before.count;
		list->groups = before.groups;
		event_set_truncate(&list->own, before.own.count);
	}
	free(copy);
	return rc;
}
