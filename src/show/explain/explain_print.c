/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints findings, as text and as JSON. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "base/wrap.h"
#include "probe/hot/hot_block.h"
#include "show/explain/explain_private.h"
#include "table/spell.h"
#include "table/words.h"

static void put_evidence(const struct evidence *evidence, char text[EVIDENCE_TEXT_SIZE])
{
	const char *unit = name_unit(evidence->name);
	char words[WORDS_SIZE];

	text_append(text, EVIDENCE_TEXT_SIZE, "%s %.*f%s%s", name_words(evidence->name, words),
		    (int)evidence->decimals, evidence->number, *unit ? " " : "", unit);
}

/* Writes the numbers of one finding; "": it has none. Returns text. */
static const char *evidence_text(const struct explain *e, const struct finding *finding,
				 char text[EVIDENCE_TEXT_SIZE])
{
	*text = '\0';
	if (finding->evidence_count && finding->samples < e->samples)
		text_append(text, EVIDENCE_TEXT_SIZE,
			    "Measured in %" PRIu64 " of %" PRIu64 " samples: ", finding->samples,
			    e->samples);
	else if (finding->evidence_count)
		text_append(text, EVIDENCE_TEXT_SIZE, "Measured: ");
	for (size_t i = 0; i < finding->evidence_count; i++) {
		text_append(text, EVIDENCE_TEXT_SIZE, "%s", i ? ", " : "");
		put_evidence(&finding->evidence[i], text);
	}
	return text;
}

/* Returns the rest of a sentence that begins with its place: ": its link has errors"; else NULL. */
static const char *said_of_place(const struct finding *finding)
{
	const size_t length = strlen(finding->where);
	const char *said = finding->sentence + length;

	return !strncmp(finding->sentence, finding->where, length) && *said == ':' ? said : NULL;
}

/* Returns the length of the word, number or other character that text begins with. */
static size_t token_length(const char *text)
{
	size_t length = 1;

	if (isdigit((unsigned char)*text)) {
		length = strspn(text, "0123456789.");
		return text[length - 1] == '.' ? length - 1 : length; /* end of a sentence */
	}
	/* a name such as mem0 has digits */
	while (isalpha((unsigned char)*text) && isalnum((unsigned char)text[length]))
		length++;
	return length;
}

static bool differ_only_in_numbers(const char *a, const char *b)
{
	while (*a && *b) {
		const size_t of_a = token_length(a), of_b = token_length(b);
		const bool numbers = isdigit((unsigned char)*a) && isdigit((unsigned char)*b);

		if (!numbers && (of_a != of_b || strncmp(a, b, of_a) != 0))
			return false;
		a += of_a;
		b += of_b;
	}
	return *a == *b;
}

/* Returns how many findings from the first on say the same, except numbers, each of its place. */
static size_t count_same(const struct finding *first, size_t count)
{
	const char *said = said_of_place(first);
	size_t same = 1;

	while (said && same < count && same < SAME_RULES && first[same].rule == first->rule &&
	       said_of_place(&first[same]) &&
	       differ_only_in_numbers(said_of_place(&first[same]), said))
		same++;
	return same;
}

/* Appends what all say, each number once if it is the same of all: " takes 85.7 / 91.2 %". */
static void add_said(const struct finding *first, size_t count, char text[FINDINGS_TEXT_SIZE])
{
	const char *at[SAME_RULES] = {said_of_place(first)};

	for (size_t i = 1; i < count; i++)
		at[i] = said_of_place(&first[i]);
	while (*at[0]) {
		const size_t length = token_length(at[0]);
		bool equal = true;

		for (size_t i = 1; i < count; i++)
			equal &= token_length(at[i]) == length && !strncmp(at[i], at[0], length);
		for (size_t i = 0; i < count; i++) {
			const size_t own = token_length(at[i]);

			if (!i || !equal)
				text_append(text, FINDINGS_TEXT_SIZE, "%s%.*s", i ? " / " : "",
					    (int)own, at[i]);
			at[i] += own;
		}
	}
}

size_t explain_sentence(const struct findings *findings, size_t index,
			char text[FINDINGS_TEXT_SIZE])
{
	const struct finding *first = &findings->all[index];
	const size_t count = count_same(first, findings->count - index);

	*text = '\0';
	if (count == 1) {
		text_append(text, FINDINGS_TEXT_SIZE, "%s", first->sentence);
		return count;
	}
	for (size_t i = 0; i < count; i++)
		text_append(text, FINDINGS_TEXT_SIZE, "%s, ", first[i].where);
	text_append(text, FINDINGS_TEXT_SIZE, "each");
	add_said(first, count, text);
	return count;
}

const char *explain_evidence_text(const struct explain *e, const struct finding *first,
				  size_t count, size_t i, char text[EVIDENCE_TEXT_SIZE])
{
	char other[EVIDENCE_TEXT_SIZE];
	bool equal = true;

	evidence_text(e, first, text);
	for (size_t k = 1; k < count; k++)
		equal &= !strcmp(evidence_text(e, &first[k], other), text);
	if (!equal)
		snprintf(text, EVIDENCE_TEXT_SIZE, "%s: %s", first[i].where,
			 evidence_text(e, &first[i], other));
	else if (i)
		*text = '\0';
	return text;
}

static void print_not_checked(const struct findings *findings, FILE *out)
{
	char text[NOT_CHECKED_TEXT_SIZE];

	for (size_t i = 0; i < findings->not_checked_count; i++)
		if (explain_not_checked_text(findings, i, text))
			fprintf(out, "%s%s", i ? ",\n   " : "\nNot checked: ", text);
	fputs(findings->not_checked_count ? ".\n" : "", out);
}

/* Prints the command that records the rest. */
static void print_command(const struct explain *e, const struct findings *findings, int width,
			  FILE *out)
{
	char command[EXPLAIN_COMMAND_SIZE];

	if (!*explain_command_text(e, findings, command))
		return;
	fputs("Missing values can be recorded:\n", out);
	wrapped_command(out, command, 3, width);
}

/* Returns the time that the samples cover. The first one may be shorter than the interval. */
static double seconds_of(const struct explain *e)
{
	const uint64_t started_ns = e->info->started_ns;
	const uint64_t ns = e->last_ns > e->first_ns ? e->last_ns - e->first_ns : 0;
	uint64_t first_ns = e->info->interval_ns;

	if (e->first_ns > started_ns && e->first_ns - started_ns < first_ns)
		first_ns = e->first_ns - started_ns;
	return e->samples ? ((double)ns + (double)first_ns) / NS_PER_S : 0;
}

/* Prints findings that say the same as one, with its number. Returns how many these are. */
static size_t print_finding(const struct explain *e, const struct findings *findings, size_t index,
			    size_t number, FILE *out)
{
	const struct finding *first = &findings->all[index];
	char sentence[FINDINGS_TEXT_SIZE], text[EVIDENCE_TEXT_SIZE];
	const size_t count = explain_sentence(findings, index, sentence);
	const char *advice = explain_advice(findings, index + count - 1);

	fprintf(out, "\n%zu. %s\n", number, sentence);
	for (size_t i = 0; i < count; i++)
		if (*explain_evidence_text(e, first, count, i, text))
			fprintf(out, "   %s\n", text);
	if (advice)
		fprintf(out, "   What to do: %s\n", advice);
	return count;
}

static void print_findings(const struct explain *e, const struct findings *findings, FILE *out)
{
	char processor[RECORDED_PROCESSOR_SIZE];

	fprintf(out, "%s: %" PRIu64 " sample%s in %.4g s\n", recorded_processor(e->info, processor),
		e->samples, e->samples == 1 ? "" : "s", seconds_of(e));
	for (size_t i = 0, number = 1; i < findings->count; number++)
		i += print_finding(e, findings, i, number, out);
	if (findings->left_out)
		fprintf(out, "\n" FINDINGS_LEFT_OUT "\n", findings->left_out);
	print_not_checked(findings, out);
}

void explain_print(const struct explain *e, int width, FILE *out)
{
	struct findings findings;
	char *text = NULL;
	size_t size;
	FILE *plain = open_memstream(&text, &size);

	explain_conclude(e, &findings);
	if (plain)
		print_findings(e, &findings, plain);
	if (plain && !fclose(plain))
		wrapped_lines(out, text, width);
	free(text);
	print_command(e, &findings, width, out);
}

static json_t *index_or_null(int index)
{
	return index >= 0 ? json_integer(index) : json_null();
}

static json_t *finding_object(const struct finding *finding)
{
	const struct row *row = finding->row ? finding->row : &row_unknown;
	json_t *evidence = json_object();

	for (size_t i = 0; i < finding->evidence_count; i++)
		json_object_set_new(evidence, finding->evidence[i].name,
				    json_real(finding->evidence[i].number));
	return json_pack(
		"{s:s, s:s, s:s, s:o, s:o, s:s?, s:s?, s:o, s:s, s:o, s:s?, s:I}", "rule",
		finding->rule, "where", finding->where, "scope", row_scope_name(row), "socket",
		index_or_null(row->place.socket), "port", index_or_null(row->place.port), "pci",
		*row->place.pci ? row->place.pci : NULL, "memdev",
		*row->place.memdev ? row->place.memdev : NULL, "node",
		index_or_null(row->place.node), "sentence", finding->sentence, "evidence", evidence,
		"advice", finding->advice, "samples", (json_int_t)finding->samples);
}

static json_t *not_checked_object(const struct not_checked *it)
{
	return json_pack("{s:s, s:s?, s:s}", "what", it->what, "groups",
			 *it->groups ? it->groups : NULL, "reason", it->reason);
}

static int begin_explain(struct sink *sink)
{
	struct explain *explain = calloc(1, sizeof(*explain));

	sink->state = explain;
	return explain ? explain_init(explain, sink->table, sink->info) : -ENOMEM;
}

static void add_sample(struct sink *sink, const struct sample *sample)
{
	explain_add(sink->state, sample, sink->target ? hot_recorded(sink->target) : NULL);
}

static void finish_explain(struct sink *sink)
{
	explain_print(sink->state, sink->terminal ? wrapped_columns(sink->fd) : 0, sink->out);
}

json_t *explain_json(const struct explain *e)
{
	json_t *list = json_array(), *not_checked = json_array();
	char processor[RECORDED_PROCESSOR_SIZE];
	struct findings findings;

	explain_conclude(e, &findings);
	for (size_t i = 0; i < findings.count; i++)
		json_array_append_new(list, finding_object(&findings.all[i]));
	for (size_t i = 0; i < findings.not_checked_count; i++)
		json_array_append_new(not_checked, not_checked_object(&findings.not_checked[i]));
	return json_pack("{s:i, s:s, s:I, s:f, s:o, s:I, s:o}", "schema", EXPLAIN_SCHEMA,
			 "processor", recorded_processor(e->info, processor), "samples",
			 (json_int_t)e->samples, "seconds", seconds_of(e), "findings", list,
			 "left_out", (json_int_t)findings.left_out, "not_checked", not_checked);
}

static void finish_json(struct sink *sink)
{
	json_t *object = explain_json(sink->state);

	if (object && !json_dumpf(object, sink->out, JSON_INDENT(2)))
		putc('\n', sink->out);
	json_decref(object);
}

static void end_explain(struct sink *sink)
{
	if (sink->state)
		explain_free(sink->state);
	free(sink->state);
}

const struct format format_explain = {
	.name = "explain",
	.begin = begin_explain,
	.sample = add_sample,
	.finish = finish_explain,
	.end = end_explain,
};

const struct format format_explain_json = {
	.name = "explain",
	.begin = begin_explain,
	.sample = add_sample,
	.finish = finish_json,
	.end = end_explain,
};
