/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of -e, one on each line. */
#include <stdlib.h>
#include <string.h>

#include "events.h"

/* Adds an event. A refusal leaves the list unchanged. */
static void add(struct event_list *list, const struct event_catalogue *catalogue, const char *text)
{
	const size_t count = list->count, own = list->own.count;
	const unsigned groups = list->groups;
	struct error err = {0};
	int rc = event_list_add(list, catalogue, text, &err);

	if (rc) {
		fuzz_check_usage(rc, &err);
		fuzz_require(list->count == count && list->own.count == own);
		fuzz_require(list->groups == groups);
	} else {
		fuzz_require(list->count > count);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	struct event_catalogue catalogue;
	struct event_list list;

	catalogue_init(&catalogue, fuzz_model(&in));
	list = (struct event_list){.count = 0};
	char *text = input_text(&in), *rest = text;
	for (char *line; (line = strsep(&rest, "\n"));)
		/* fuzz_event_file has a file of its own; no other files are opened */
		if (line[strspn(line, " \t")] != '@')
			add(&list, &catalogue, line);
	fuzz_check_list(&catalogue, &list);
	free(text);
	event_list_free(&list);
	catalogue_free(&catalogue);
	return 0;
}
