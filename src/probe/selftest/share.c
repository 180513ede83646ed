/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/selftest/share.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <sys/utsname.h>

bool share_is_text(const char *text)
{
	const size_t length = strlen(text);

	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr(" ,._:/+()-", text[i]))
			return false;
	return length && length < SHARE_TEXT;
}

/* NULL, which is null, for what may not stand in a file. */
static json_t *text_or_null(const char *text)
{
	return text && share_is_text(text) ? json_string(text) : NULL;
}

/* "6.18.44" of "6.18.44-1-acme": what is behind it may name whose kernel it is. */
static json_t *kernel_version(void)
{
	struct utsname names;

	if (uname(&names))
		return NULL;
	size_t length = strspn(names.release, "0123456789.");
	while (length && names.release[length - 1] == '.')
		length--;
	names.release[length] = '\0';
	return text_or_null(names.release);
}

/* Of the steps that judge the line: what was moved, and what was counted meanwhile. */
static json_t *steps_of(const struct selftest_line *line, const struct load_moved *moved)
{
	json_t *steps = json_array();

	for (size_t i = 0; i < STEPS; i++) {
		const struct step *step = &step_table[i];

		if (step_moves(step, line->kind))
			json_array_append_new(
				steps,
				json_pack("{s:s, s:f, s:o?, s:o?}", "kind", step_names[step->kind],
					  "part", step->part, "moved",
					  json_real(selftest_moved(&moved[i], line->kind)),
					  "counted", json_real(line->counted[i])));
	}
	return steps;
}

static json_t *formula_object(const struct selftest_result *result,
			      const struct selftest_node *node, const struct selftest_line *line)
{
	return json_pack(
		"{s:s, s:o?, s:s, s:s, s:o?, s:b, s:s, s:o?, s:o?, s:o}", "metric", line->metric,
		"source", text_or_null(line->source), "backend",
		result->backends[line->backend].name, "memory", node->at->dram ? "dram" : "cxl",
		"device", text_or_null(node->at->device), "candidate", line->candidate, "judged_as",
		judged_as_names[line_judged_as(line)], "idle", json_real(line->idle), "noise",
		json_real(line->noise), "steps", steps_of(line, node->moved[line->backend]));
}

static json_t *processor_object(const struct selftest_result *result)
{
	const struct cpu_identity *cpu = &result->cpu;
	const bool known = *cpu->vendor;

	return json_pack("{s:o?, s:o?, s:o?, s:o?, s:o?, s:o?, s:b}", "name",
			 text_or_null(result->processor), "vendor", text_or_null(cpu->vendor),
			 "family", known ? json_integer(cpu->family) : NULL, "model",
			 known ? json_integer(cpu->model) : NULL, "stepping",
			 known ? json_integer(cpu->stepping) : NULL, "microcode",
			 text_or_null(result->microcode), "simulated", result->simulated);
}

json_t *share_json(const struct selftest_result *result)
{
	json_t *formulas = json_array();

	for (size_t n = 0; n < result->node_count; n++)
		for (size_t i = 0; i < result->nodes[n].line_count; i++)
			json_array_append_new(formulas, formula_object(result, &result->nodes[n],
								       &result->nodes[n].lines[i]));
	return json_pack("{s:i, s:s, s:o?, s:o, s:o}", "cxlmon_selftest", SHARE_SCHEMA, "cxlmon",
			 CXLMON_VERSION, "kernel", kernel_version(), "processor",
			 processor_object(result), "formulas", formulas);
}
