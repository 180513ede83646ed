/* SPDX-License-Identifier: BSD-3-Clause */
/* Intel's event lists, as --events-from takes them. */
#include "events.h"
#include "events/event_catalogue.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	const struct model *model = fuzz_model(&in);
	struct event_catalogue catalogue;
	struct input_file file;
	struct error err = {0};
	size_t taken = 0;

	catalogue_init(&catalogue, model);
	input_file(&in, &file);
	int rc = perfmon_load(&catalogue, file.path, &taken, &err);
	if (rc)
		fuzz_check_usage(rc, &err);
	fuzz_require(catalogue.extras.count == taken);
	for (size_t i = 0; i < taken; i++) {
		const struct event *event = catalogue.extras.events[i];

		fuzz_check_event(model, event);
		fuzz_require(catalogue_find(&catalogue, event->name));
	}
	input_file_close(&file);
	catalogue_free(&catalogue);
	return 0;
}
