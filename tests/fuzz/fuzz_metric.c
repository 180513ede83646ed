/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of --metric, one on each line. An accepted one yields a number or is unknown. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "formula/custom_metric.h"

static void check_value(const struct custom_metric *m)
{
	const struct program *program = &m->program;
	double rates[FORMULA_EVENTS], parts[FORMULA_PARTS], inputs[PROGRAM_INPUTS];

	/* a formula may name only other metrics */
	fuzz_require((program->operand_count || program->metric_count) &&
		     program->operand_count <= FORMULA_EVENTS);
	fuzz_require(program_is_valid(program));
	for (unsigned i = 0; i < FORMULA_EVENTS; i++)
		rates[i] = 1e6 / (i + 1);
	program_parts(program, rates, parts);
	for (unsigned i = 0; i < program->part_count; i++)
		fuzz_require(!isinf(parts[i]));
	for (unsigned i = 0; i < PROGRAM_INPUTS; i++)
		inputs[i] = i % 7 ? 1e6 / (i + 1) : 0;
	fuzz_require(!isinf(program_value(program, inputs)));
}

/* Adds a metric. A refusal leaves the metrics unchanged. */
static void add(struct custom_metrics *metrics, const struct custom_context *context,
		const char *text)
{
	const size_t count = metrics->count;
	struct error err = {0};
	const int rc = custom_metrics_add(metrics, context, text, &err);

	if (rc) {
		fuzz_check_usage(rc, &err);
		fuzz_require(metrics->count == count);
		return;
	}
	const struct custom_metric *m = metrics->items[count];

	fuzz_require(metrics->count == count + 1 && m->metric.rows);
	fuzz_require(strlen(m->name) <= CUSTOM_NAME_MOST && *m->heading);
	fuzz_require(!strpbrk(m->help, "\n\"\\"));
	check_value(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	struct event_catalogue catalogue;
	struct custom_metrics metrics = {.count = 0};
	const struct custom_context context = {.catalogue = &catalogue};

	catalogue_init(&catalogue, fuzz_model(&in));
	char *text = input_text(&in), *rest = text;
	for (char *line; (line = strsep(&rest, "\n"));)
		add(&metrics, &context, line);
	free(text);
	custom_metrics_free(&metrics);
	catalogue_free(&catalogue);
	return 0;
}
