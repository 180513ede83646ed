/* SPDX-License-Identifier: BSD-3-Clause */
/* Applies the rules, and makes their sentences. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "show/explain/explain_private.h"
#include "table/spell.h"

#define NAME_SIZE 64
/* most characters of names of groups that a recording measured */
#define MEASURED_MOST 128
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

static bool is_missing(const struct findings *findings, const char *group)
{
	for (size_t i = 0; i < findings->not_checked_count; i++)
		if (text_has_word(findings->not_checked[i].groups, group))
			return true;
	return false;
}

/* Writes ",port,device": the groups that checks need and that were not measured. */
static void list_missing(const struct findings *findings, char out[sizeof(EXPLAIN_METRICS) + 1])
{
	*out = '\0';
	for (const char *at = EXPLAIN_METRICS; *at; at = text_next_word(at))
		if (is_missing(findings, at))
			text_append(out, sizeof(EXPLAIN_METRICS) + 1, ",%.*s",
				    (int)strcspn(at, ","), at);
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
	char missing[sizeof(EXPLAIN_METRICS) + 1];

	*text = '\0';
	list_missing(findings, missing);
	if (*missing)
		snprintf(text, EXPLAIN_COMMAND_SIZE, "sudo cxlmon record -m %s%s FILE",
			 measured ? measured : EXPLAIN_METRICS, measured ? missing : "");
	return text;
}

/* Tells if checks could not be made for one reason, such as groups that were not measured. */
static bool is_same_reason(const struct not_checked *a, const struct not_checked *b)
{
	return (*a->groups && *b->groups) || !strcmp(a->reason, b->reason);
}

bool explain_not_checked_text(const struct findings *findings, size_t index,
			      char text[NOT_CHECKED_TEXT_SIZE])
{
	const struct not_checked *all = findings->not_checked, *it = &all[index];
	char missing[sizeof(EXPLAIN_METRICS) + 1];
	size_t checks = 0;

	for (size_t i = 0; i < index; i++)
		if (is_same_reason(&all[i], it))
			return false;
	*text = '\0';
	for (size_t i = index; i < findings->not_checked_count; i++)
		if (is_same_reason(&all[i], it)) {
			text_list(text, NOT_CHECKED_TEXT_SIZE, "%s", all[i].what);
			checks++;
		}
	list_missing(findings, missing);
	if (*it->groups && *missing && checks > 1)
		text_append(text, NOT_CHECKED_TEXT_SIZE, " (not measured: group%s %s)",
			    strchr(missing + 1, ',') ? "s" : "", missing + 1);
	else
		text_append(text, NOT_CHECKED_TEXT_SIZE, " (%s)", it->reason);
	return true;
}

const char *explain_advice(const struct findings *findings, size_t index)
{
	const struct finding *finding = &findings->all[index];

	return index + 1 < findings->count && finding[1].rule == finding->rule ? NULL
									       : finding->advice;
}
