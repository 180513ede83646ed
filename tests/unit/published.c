/* SPDX-License-Identifier: BSD-3-Clause */
#include "published.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#define FILE_NAME "tests/unit/published_events.txt" /* relative to where tests run */

int published_read(struct published_event out[PUBLISHED_MAX])
{
	FILE *file = fopen(FILE_NAME, "r");
	char line[200], rest;
	int count = 0;

	ck_assert_msg(file != NULL, "run the tests where " FILE_NAME " is");
	while (fgets(line, sizeof(line), file)) {
		struct published_event *event = &out[count];

		if (line[0] == '#')
			continue;
		ck_assert_int_lt(++count, PUBLISHED_MAX);
		ck_assert_msg(sscanf(line, "%23s %7s %63s 0x%x 0x%x 0x%x %19s %c", event->models,
				     event->pmu_type, event->name, &event->code, &event->umask,
				     &event->umask_ext, event->counters, &rest) == 7,
			      "%s", line);
	}
	fclose(file);
	return count;
}

bool published_on(const struct published_event *event, const char *model)
{
	const size_t length = strlen(model);

	for (const char *at = event->models; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (!strncmp(at, model, length) && (!at[length] || at[length] == ','))
			return true;
	}
	return false;
}
