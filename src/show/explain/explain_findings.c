/* SPDX-License-Identifier: BSD-3-Clause */
/* Applies the rules, makes their sentences, and prints them. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "base/wrap.h"
#include "probe/hot/hot_block.h"
#include "show/explain/explain_private.h"
#include "table/spell.h"

#define NAME_SIZE 64
/* most characters of names of groups that a recording measured */
#define MEASURED_MOST 128
/* most sentences of one rule, so that others have room */
#define SAME_RULES 3
/* size of the names of all checks, with room for their sentence */
#define CHECKED_SIZE (FINDING_TEXT_SIZE - 64)

/* Finds a number or a figure of the rule. Returns false if it is unknown. */
static bool find_number(const struct situation *s, const char *name, struct evidence *out)
{
	const struct metric *metric = metric_by_name(name);

	for (size_t i = 0; i < s->number_count; i++)
		if (!strcmp(s->numbers[i].name, name)) {
			*out = s->numbers[i];
			return true;
		}
	*out = (struct evidence){name, explain_figure(s, name),
				 metric ? decimals_of(metric).brief : 1};
	return !isnan(out->number);
}

static const char *situation_place(const struct situation *s, char text[LOCATION_SIZE])
{
	if (s->device)
		return s->device->name;
	if (s->region)
		return s->region->name;
	return s->row ? location_with_unit(s->row, true, text) : scope_names[SCOPE_SYSTEM];
}

static void put_name(const struct situation *s, const char *name, char *text, size_t size)
{
	char place[LOCATION_SIZE];
	struct evidence number;

	if (!strcmp(name, "where"))
		text_append(text, size, "%s", situation_place(s, place));
	else if (!strcmp(name, "text"))
		text_append(text, size, "%s", s->text);
	else if (find_number(s, name, &number))
		text_append(text, size, "%.*f", (int)number.decimals, number.number);
	else
		text_append(text, size, "an unknown number");
}

static void fill_sentence(const struct situation *s, const char *sentence, char *text, size_t size)
{
	char name[NAME_SIZE];

	*text = '\0';
	while (*sentence) {
		const size_t plain = strcspn(sentence, "{");

		text_append(text, size, "%.*s", (int)plain, sentence);
		sentence += plain;
		if (!*sentence)
			return;
		const size_t length = strcspn(sentence, "}");
		snprintf(name, sizeof(name), "%.*s", (int)length - 1, sentence + 1);
		put_name(s, name, text, size);
		sentence += length + 1;
	}
}

/* Adds the numbers of the rule first, then its known figures. */
static void add_evidence(const struct situation *s, struct finding *out)
{
	const char *const *shows = s->rule->shows;

	for (size_t i = 0; i < s->number_count; i++)
		out->evidence[out->evidence_count++] = s->numbers[i];
	for (size_t i = 0; i < SHOWS_MOST && shows[i] && out->evidence_count < EVIDENCE_MOST; i++)
		out->evidence_count +=
			find_number(s, shows[i], &out->evidence[out->evidence_count]);
}

static void add_finding(const struct situation *s, struct findings *out)
{
	const struct rule *rule = s->rule;
	char place[LOCATION_SIZE];
	size_t same = 0;

	for (size_t i = 0; i < out->count; i++)
		same += out->all[i].rule == rule->name;
	if (out->count == FINDINGS_MOST || same == SAME_RULES) {
		out->left_out++;
		return;
	}
	struct finding *finding = &out->all[out->count++];
	*finding = (struct finding){
		.rule = rule->name, .row = s->row, .samples = s->samples, .advice = rule->advice};
	snprintf(finding->where, sizeof(finding->where), "%s", situation_place(s, place));
	fill_sentence(s, rule->sentence, finding->sentence, sizeof(finding->sentence));
	for (size_t i = 0; i < CAVEATS_MOST && s->caveats[i]; i++)
		text_append(finding->sentence, sizeof(finding->sentence), " %s", s->caveats[i]);
	add_evidence(s, finding);
}

static enum answer answer_of(const struct explained_rule *kept, size_t i, struct situation *s)
{
	s->samples = s->explain->samples;
	if (explain_is_made(s->explain, s->rule))
		return NOT_KNOWN;
	if (!explain_is_of_rows(s->rule) && !s->region)
		return s->rule->holds(s);
	if (i >= kept->subject_count || !kept->subjects[i].known)
		return NOT_KNOWN;
	explain_means(kept, i, s);
	return s->samples ? s->rule->holds(s) : NO;
}

/* Result of checking a rule on all its subjects. */
struct outcome {
	bool checked; /* the rule has an answer for a subject */
	bool moot;    /* the rule cannot apply to a subject */
	/* reason of the first subject without an answer; NULL: a figure is unknown */
	const char *reason;
};

static struct outcome apply_rule(const struct explain *e, const struct rule *rule,
				 struct findings *out)
{
	const struct explained_rule *kept = explain_rule(e, rule);
	struct outcome outcome = {.reason = NULL};
	struct situation s;

	for (size_t i = 0; explain_next_subject(e, rule, i, &s); i++) {
		if (s.row && !explain_is_subject(s.row, rule->of))
			continue;
		if (!explain_is_made(e, rule) && rule->moot && rule->moot(&s)) {
			outcome.moot = true;
			continue;
		}
		const enum answer answer = answer_of(kept, i, &s);
		outcome.checked |= answer != NOT_KNOWN;
		outcome.reason = outcome.reason ? outcome.reason : s.reason;
		if (answer == YES)
			add_finding(&s, out);
	}
	return outcome;
}

/* Adds the only sentence if no rule holds, with the measured traffic. */
static void add_nothing(const struct explain *e, const char *checked, struct findings *out)
{
	static const struct rule empty = {.name = "no_samples",
					  .sentence = "There are no samples."};
	struct rule unchecked = explain_nothing;
	struct situation s = {.explain = e};
	size_t i = 0;

	while (e->samples && explain_next_subject(e, &explain_nothing, i, &s) &&
	       !explain_is_subject(s.row, SYSTEM))
		i++;
	if (s.row)
		explain_means(explain_rule(e, &explain_nothing), i, &s);
	unchecked.name = "not_known";
	unchecked.sentence = "Nothing could be checked: no value that a rule needs was measured.";
	s.rule = !e->samples ? &empty : !*checked ? &unchecked : &explain_nothing;
	add_finding(&s, out);
	if (*checked)
		text_append(out->all[0].sentence, sizeof(out->all[0].sentence), ": %s.", checked);
	out->all[0].row = NULL;
	out->none = true;
}

void explain_conclude(const struct explain *e, struct findings *out)
{
	char checked[CHECKED_SIZE] = "";

	*out = (struct findings){.count = 0};
	for (size_t i = 0; e->samples && explain_rules[i]; i++) {
		const struct rule *rule = explain_rules[i];
		const struct outcome outcome = apply_rule(e, rule, out);

		if (!rule->checks)
			continue;
		if (outcome.checked)
			text_list(checked, sizeof(checked), "%s", rule->checks);
		else if (!outcome.moot && !rule->optional)
			explain_reason(e, rule, outcome.reason,
				       &out->not_checked[out->not_checked_count++]);
	}
	if (!out->count)
		add_nothing(e, checked, out);
}

/* Returns the time that the samples cover: the first one ends an interval after the start. */
static double seconds_of(const struct explain *e)
{
	const uint64_t ns = e->last_ns > e->first_ns ? e->last_ns - e->first_ns : 0;

	return e->samples ? ((double)ns + (double)e->info->interval_ns) / NS_PER_S : 0;
}

const char *explain_evidence_text(const struct explain *e, const struct finding *finding,
				  char text[EVIDENCE_TEXT_SIZE])
{
	*text = '\0';
	if (finding->evidence_count && finding->samples < e->samples)
		text_append(text, EVIDENCE_TEXT_SIZE,
			    "Measured in %" PRIu64 " of %" PRIu64 " samples: ", finding->samples,
			    e->samples);
	else if (finding->evidence_count)
		text_append(text, EVIDENCE_TEXT_SIZE, "Measured: ");
	for (size_t i = 0; i < finding->evidence_count; i++)
		text_append(text, EVIDENCE_TEXT_SIZE, "%s%s %.*f", i ? ", " : "",
			    finding->evidence[i].name, (int)finding->evidence[i].decimals,
			    finding->evidence[i].number);
	return text;
}

static bool is_listed(const char *list, const char *word, size_t length)
{
	for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',')
		if (strcspn(at, ",") == length && !strncmp(at, word, length))
			return true;
	return false;
}

static bool is_missing(const struct findings *findings, const char *group, size_t length)
{
	for (size_t i = 0; i < findings->not_checked_count; i++)
		if (is_listed(findings->not_checked[i].groups, group, length))
			return true;
	return false;
}

/* Returns NULL if no group was chosen, or if the file's text is unfit for a command. */
static const char *measured_groups(const struct recording_info *info)
{
	const char *groups = recorded_option(info, "metrics");
	const size_t length = groups ? strspn(groups, ",abcdefghijklmnopqrstuvwxyz") : 0;

	return length && length <= MEASURED_MOST && !groups[length] ? groups : NULL;
}

const char *explain_command_text(const struct explain *e, const struct findings *findings,
				 char text[EXPLAIN_COMMAND_SIZE])
{
	const char *measured = measured_groups(e->info);
	char missing[sizeof(EXPLAIN_METRICS) + 1] = "";

	*text = '\0';
	for (const char *at = EXPLAIN_METRICS; *at; at += strcspn(at, ","), at += *at == ',') {
		const int length = (int)strcspn(at, ",");

		if (is_missing(findings, at, (size_t)length))
			text_append(missing, sizeof(missing), ",%.*s", length, at);
	}
	if (*missing)
		snprintf(text, EXPLAIN_COMMAND_SIZE, "sudo cxlmon record -m %s%s FILE",
			 measured ? measured : EXPLAIN_METRICS, measured ? missing : "");
	return text;
}

const char *explain_advice(const struct findings *findings, size_t index)
{
	const struct finding *finding = &findings->all[index];

	return index + 1 < findings->count && finding[1].rule == finding->rule ? NULL
									       : finding->advice;
}

/* Returns the rest of a sentence that begins with its place: ": its link has errors"; else NULL. */
static const char *said_of_place(const struct finding *finding)
{
	const size_t length = strlen(finding->where);
	const char *said = finding->sentence + length;

	return !strncmp(finding->sentence, finding->where, length) && *said == ':' ? said : NULL;
}

/* Returns how many findings from the first on say the same, each of its place. */
static size_t count_same(const struct finding *first, size_t count)
{
	const char *said = said_of_place(first);
	size_t same = 1;

	while (said && same < count && first[same].rule == first->rule &&
	       said_of_place(&first[same]) && !strcmp(said_of_place(&first[same]), said))
		same++;
	return same;
}

/* Writes the numbers of several findings once if they are equal, else each after its place. */
static void print_evidence(const struct explain *e, const struct finding *first, size_t count,
			   FILE *out)
{
	char text[EVIDENCE_TEXT_SIZE], other[EVIDENCE_TEXT_SIZE];
	bool equal = true;

	explain_evidence_text(e, first, text);
	for (size_t i = 1; i < count; i++)
		equal &= !strcmp(explain_evidence_text(e, &first[i], other), text);
	if (equal && first->evidence_count)
		fprintf(out, "   %s\n", text);
	for (size_t i = 0; !equal && i < count; i++)
		fprintf(out, "   %s: %s\n", first[i].where,
			explain_evidence_text(e, &first[i], text));
}

/* Writes findings that say the same as one. */
static void print_finding(const struct explain *e, const struct finding *first, size_t count,
			  size_t number, FILE *out)
{
	if (count == 1)
		fprintf(out, "\n%zu. %s\n", number, first->sentence);
	else {
		fprintf(out, "\n%zu. ", number);
		for (size_t i = 0; i < count; i++)
			fprintf(out, "%s, ", first[i].where);
		fprintf(out, "each%s\n", said_of_place(first));
	}
	print_evidence(e, first, count, out);
}

static void print_not_checked(const struct findings *findings, FILE *out)
{
	for (size_t i = 0; i < findings->not_checked_count; i++) {
		const struct not_checked *it = &findings->not_checked[i];

		fprintf(out, "%s%s (%s)", i ? ",\n   " : "\nNot checked: ", it->what, it->reason);
	}
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

static void print_findings(const struct explain *e, const struct findings *findings, FILE *out)
{
	char processor[RECORDED_PROCESSOR_SIZE];

	fprintf(out, "%s: %" PRIu64 " sample%s in %.4g s\n", recorded_processor(e->info, processor),
		e->samples, e->samples == 1 ? "" : "s", seconds_of(e));
	for (size_t i = 0, same, number = 1; i < findings->count; i += same, number++) {
		same = count_same(&findings->all[i], findings->count - i);
		print_finding(e, &findings->all[i], same, number, out);
		const char *advice = explain_advice(findings, i + same - 1);
		if (advice)
			fprintf(out, "   What to do: %s\n", advice);
	}
	if (findings->left_out)
		fprintf(out, "\n%zu more: choose devices by --device, or sockets by --socket.\n",
			findings->left_out);
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
