/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of events, as -e @FILE takes them. */
#include <stdio.h>

#include "events.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	struct event_catalogue catalogue;
	struct event_list list;
	struct input_file file;
	struct error err = {0};
	char option[sizeof(file.path) + 1];

	catalogue_init(&catalogue, fuzz_model(&in));
	list = (struct event_list){.count = 0};
	input_file(&in, &file);
	snprintf(option, sizeof(option), "@%s", file.path);
	int rc = event_list_add(&list, &catalogue, option, &err);
	if (rc)
		fuzz_check_usage(rc, &err);
	fuzz_require(!rc == !!list.count);
	fuzz_check_list(&catalogue, &list);
	input_file_close(&file);
	event_list_free(&list);
	catalogue_free(&catalogue);
	return 0;
}
