/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings as text and as JSON, and the formats of the monitor that print them at the end. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "explain/explain.h"
#include "platform/number.h"

/* The time that the samples cover: the first one ends an interval after the start. */
static double seconds_of(const struct explain *e)
{
	const uint64_t ns = e->last_ns > e->first_ns ? e->last_ns - e->first_ns : 0;

	return e->samples ? ((double)ns + (double)e->info->interval_ns) / NS_PER_S : 0;
}

static void print_finding(const struct finding *finding, size_t number, FILE *out)
{
	fprintf(out, "\n%zu. %s\n", number, finding->sentence);
	for (size_t i = 0; i < finding->evidence_count; i++)
		fprintf(out, "%s%s %.*f", i ? ", " : "   Measured: ", finding->evidence[i].name,
			(int)finding->evidence[i].decimals, finding->evidence[i].number);
	fputs(finding->evidence_count ? "\n" : "", out);
	if (finding->advice)
		fprintf(out, "   What to do: %s\n", finding->advice);
}

static void print_not_checked(const struct findings *findings, FILE *out)
{
	for (size_t i = 0; i < findings->not_checked_count; i++) {
		const struct not_checked *it = &findings->not_checked[i];

		fprintf(out, "%s%s",
			i ? ", " : "\nNot checked, as it was not measured: ", it->what);
		if (it->groups)
			fprintf(out, " (group %s)", it->groups);
	}
	fputs(findings->not_checked_count ? ".\n" : "", out);
}

void explain_print(const struct explain *e, const struct findings *findings, FILE *out)
{
	char processor[RECORDED_PROCESSOR_SIZE];

	fprintf(out, "%s: %" PRIu64 " sample%s in %.4g s\n", recorded_processor(e->info, processor),
		e->samples, e->samples == 1 ? "" : "s", seconds_of(e));
	for (size_t i = 0; i < findings->count; i++)
		print_finding(&findings->all[i], i + 1, out);
	if (findings->left_out)
		fprintf(out, "\n%zu more: choose devices by --device, or sockets by --socket.\n",
			findings->left_out);
	print_not_checked(findings, out);
}

static json_t *index_or_null(int index)
{
	return index >= 0 ? json_integer(index) : json_null();
}

static json_t *text_or_null(const char *text)
{
	return *text ? json_string(text) : json_null();
}

static json_t *finding_object(const struct finding *finding)
{
	const struct row *row = finding->row ? finding->row : &row_unknown;
	json_t *evidence = json_object();

	for (size_t i = 0; i < finding->evidence_count; i++)
		json_object_set_new(evidence, finding->evidence[i].name,
				    json_real(finding->evidence[i].number));
	return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:s?}", "rule",
			 finding->rule, "where", finding->where, "scope", row_scope_name(row),
			 "socket", index_or_null(row->socket), "port", index_or_null(row->port),
			 "pci", text_or_null(row->pci), "memdev", text_or_null(row->memdev), "node",
			 index_or_null(row->node), "sentence", finding->sentence, "evidence",
			 evidence, "advice", finding->advice);
}

json_t *explain_json(const struct explain *e, const struct findings *findings)
{
	char processor[RECORDED_PROCESSOR_SIZE];
	json_t *list = json_array(), *not_checked = json_array();

	for (size_t i = 0; i < findings->count; i++)
		json_array_append_new(list, finding_object(&findings->all[i]));
	for (size_t i = 0; i < findings->not_checked_count; i++)
		json_array_append_new(
			not_checked, json_pack("{s:s, s:s?}", "what", findings->not_checked[i].what,
					       "groups", findings->not_checked[i].groups));
	return json_pack("{s:i, s:s, s:I, s:f, s:o, s:I, s:o}", "schema", EXPLAIN_SCHEMA,
			 "processor", recorded_processor(e->info, processor), "samples",
			 (json_int_t)e->samples, "seconds", seconds_of(e), "findings", list,
			 "left_out", (json_int_t)findings->left_out, "not_checked", not_checked);
}

/* Formats. */

static int begin(struct sink *sink)
{
	struct explain *explain = calloc(1, sizeof(*explain));

	sink->state = explain;
	return explain ? explain_init(explain, sink->view, sink->info) : -ENOMEM;
}

static void sample(struct sink *sink, const struct sample *sample)
{
	explain_add(sink->state, sample);
}

static void finish(struct sink *sink)
{
	struct findings findings;

	explain_conclude(sink->state, &findings);
	explain_print(sink->state, &findings, sink->out);
}

static void finish_json(struct sink *sink)
{
	struct findings findings;

	explain_conclude(sink->state, &findings);
	json_t *object = explain_json(sink->state, &findings);
	if (object && !json_dumpf(object, sink->out, JSON_INDENT(2)))
		putc('\n', sink->out);
	json_decref(object);
}

static void end(struct sink *sink)
{
	if (sink->state)
		explain_free(sink->state);
	free(sink->state);
}

const struct format format_explain = {
	.name = "explain",
	.begin = begin,
	.sample = sample,
	.finish = finish,
	.end = end,
};

const struct format format_explain_json = {
	.name = "explain",
	.begin = begin,
	.sample = sample,
	.finish = finish_json,
	.end = end,
};
