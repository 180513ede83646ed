/* SPDX-License-Identifier: BSD-3-Clause */
/* The page: which tests there are, and for each processor which way to count is to be believed. */
#include "probe/selftest/share.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/distribution.h"
#include "base/rootfs.h"
#include "base/text.h"

#define PROCESSOR_SIZE (2 * SHARE_TEXT + 64)
#define TESTS_SIZE     200 /* of a list of tests; what has no room is cut off */

/* A formula of a test. */
struct tested_formula {
	const struct shared_test *test;
	size_t number; /* of the test, from 1 */
	const struct shared_formula *formula;
};

/* What the findings on one way to count say. */
struct opinion {
	struct voices {
		size_t lines;
		char tests[TESTS_SIZE];
		size_t last; /* number in .tests */
	} agree, differ, unclear;
	double *ratios;
	size_t ratio_count;
};

static int compare_processors(const struct shared_test *a, const struct shared_test *b)
{
	int order = strcmp(a->vendor, b->vendor);

	order = order ? order : a->family - b->family;
	order = order ? order : a->model - b->model;
	order = order ? order : strcmp(a->processor, b->processor);
	return order ? order : a->simulated - b->simulated;
}

static int compare_ways(const struct shared_formula *a, const struct shared_formula *b)
{
	int order = strcmp(a->memory, b->memory);

	order = order ? order : strcmp(a->metric, b->metric);
	order = order ? order : strcmp(a->source, b->source);
	return order ? order : strcmp(b->backend, a->backend); /* raw before perf */
}

static int compare_findings(const void *a, const void *b)
{
	const struct tested_formula *one = a, *other = b;
	int order = compare_processors(one->test, other->test);

	order = order ? order : compare_ways(one->formula, other->formula);
	return order ? order : (one->number > other->number) - (one->number < other->number);
}

static int compare_numbers(const void *a, const void *b)
{
	const double one = *(const double *)a, other = *(const double *)b;

	return (one > other) - (one < other);
}

/* "Granite Rapids (GenuineIntel 6-173), simulated"; returns text. */
static const char *processor_text(const struct shared_test *test, char text[PROCESSOR_SIZE])
{
	text[0] = '\0';
	text_append(text, PROCESSOR_SIZE, "%s", *test->processor ? test->processor : "unknown");
	if (*test->vendor)
		text_append(text, PROCESSOR_SIZE, " (%s %d-%d)", test->vendor, test->family,
			    test->model);
	if (test->simulated)
		text_append(text, PROCESSOR_SIZE, ", simulated");
	return text;
}

/* The devices that a test has met, once each. */
static void print_devices(const struct shared_test *test, FILE *out)
{
	const char *separator = "";

	for (size_t i = 0; i < test->count; i++) {
		const char *device = test->formulas[i].device;
		size_t earlier = 0;

		while (earlier < i && strcmp(test->formulas[earlier].device, device) != 0)
			earlier++;
		if (!*device || earlier < i)
			continue;
		fprintf(out, "%s%s", separator, device);
		separator = ", ";
	}
}

static void print_test(const struct shared_test *test, size_t number, const char *path, FILE *out)
{
	char processor[PROCESSOR_SIZE];
	struct quoted name = quoted(text_last_name(path));

	/* in a table, and in Markdown */
	for (char *c = name.text; *c; c++)
		if (strchr("|<>`[]*&\\", *c))
			*c = '?';
	fprintf(out, "| %zu | %s | ", number, processor_text(test, processor));
	if (test->stepping >= 0)
		fprintf(out, "%d", test->stepping);
	fprintf(out, " | %s | %s | %s | ", test->microcode, test->kernel, test->cxlmon);
	print_devices(test, out);
	fprintf(out, " | %s |\n", name.text);
}

static void add_voice(struct voices *voices, size_t number)
{
	voices->lines++;
	if (voices->last != number)
		text_list(voices->tests, sizeof(voices->tests), "%zu", number);
	voices->last = number;
}

static void form_opinion(struct opinion *o, const struct tested_formula *findings, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct shared_formula *f = findings[i].formula;

		if (f->judged.judgement == JUDGED_AGREES)
			add_voice(&o->agree, findings[i].number);
		else if (f->judged.judgement >= JUDGED_OFF)
			add_voice(&o->differ, findings[i].number);
		else
			add_voice(&o->unclear, findings[i].number);
		for (size_t r = 0; r < f->ratio_count; r++)
			o->ratios[o->ratio_count++] = f->ratios[r];
	}
	qsort(o->ratios, o->ratio_count, sizeof(*o->ratios), compare_numbers);
}

static const char *believed_verdict(const struct opinion *o)
{
	return o->agree.lines && o->differ.lines ? "at odds"
	       : o->agree.lines			 ? "yes"
	       : o->differ.lines		 ? "no"
						 : "not known";
}

static void print_opinion(const struct shared_formula *f, const struct opinion *o, FILE *out)
{
	fprintf(out, "| %s%s | %s | %s | %s | %zu | %s | %zu | %s | %zu | ", f->metric,
		f->candidate ? " (candidate)" : "", f->source, f->backend, believed_verdict(o),
		o->agree.lines, o->agree.tests, o->differ.lines, o->differ.tests, o->unclear.lines);
	if (o->ratio_count)
		fprintf(out, "%.4g (%.4g to %.4g)", percentile(o->ratios, o->ratio_count, 50),
			o->ratios[0], o->ratios[o->ratio_count - 1]);
	fputs(" |\n", out);
}

/* Findings on one way to count, which begin there. */
static size_t same_way(const struct tested_formula *findings, size_t count)
{
	size_t i = 1;

	while (i < count && !compare_processors(findings[i].test, findings[0].test) &&
	       !compare_ways(findings[i].formula, findings[0].formula))
		i++;
	return i;
}

static void print_heading(const struct shared_test *test, FILE *out)
{
	char processor[PROCESSOR_SIZE];

	fprintf(out,
		"\n## %s\n\n"
		"| metric | source | by | believe | agree | tests | differ | tests | not judged | "
		"counted / moved |\n"
		"|---|---|---|---|---|---|---|---|---|---|\n",
		processor_text(test, processor));
}

static int print_findings(struct tested_formula *findings, size_t count, FILE *out,
			  struct error *err)
{
	double *ratios = calloc(count * STEPS + 1, sizeof(*ratios));

	if (!ratios)
		return error_no_memory(err);
	qsort(findings, count, sizeof(*findings), compare_findings);
	for (size_t i = 0, same; i < count; i += same) {
		struct opinion opinion = {.ratios = ratios};

		same = same_way(&findings[i], count - i);
		if (!i || compare_processors(findings[i].test, findings[i - 1].test))
			print_heading(findings[i].test, out);
		form_opinion(&opinion, &findings[i], same);
		print_opinion(findings[i].formula, &opinion, out);
	}
	free(ratios);
	return 0;
}

static int print_page(const struct shared_test *tests, char *const *paths, size_t count, FILE *out,
		      struct error *err)
{
	size_t finding_count = 0;

	for (size_t i = 0; i < count; i++)
		finding_count += tests[i].count;
	struct tested_formula *findings = calloc(finding_count + 1, sizeof(*findings));
	if (!findings)
		return error_no_memory(err);
	fputs("# What self-tests say\n\n"
	      "| test | processor | stepping | microcode | Linux | cxlmon | devices | file |\n"
	      "|---|---|---|---|---|---|---|---|\n",
	      out);
	finding_count = 0;
	for (size_t i = 0; i < count; i++) {
		print_test(&tests[i], i + 1, paths[i], out);
		for (size_t f = 0; f < tests[i].count; f++)
			findings[finding_count++] =
				(struct tested_formula){&tests[i], i + 1, &tests[i].formulas[f]};
	}
	int rc = print_findings(findings, finding_count, out, err);
	free(findings);
	return rc;
}

static int read_test(const char *path, struct shared_test *out, struct error *err)
{
	struct text_file file;
	struct error why;
	int rc = text_file_read(path, SHARE_MAX_FILE, &file, err);

	if (rc)
		return rc;
	rc = shared_test_decode(file.text, file.size, out, &why);
	free(file.text);
	return rc ? error_set(err, why.kind, rc, "%s: %s", quoted(path).text, why.text) : 0;
}

/* Two tests never count the same to the last bit: it is a copy, and no second witness. */
static int check_copy(const struct shared_test *tests, char *const *paths, size_t i,
		      struct error *err)
{
	for (size_t k = 0; k < i; k++)
		if (json_equal(tests[k].root, tests[i].root))
			return error_set(err, ERROR_USAGE, -EEXIST,
					 "%s: is the same test as %s: expected each one once",
					 quoted(paths[i]).text, quoted(paths[k]).text);
	return 0;
}

int share_merge(char *const *paths, size_t count, FILE *out, struct error *err)
{
	struct shared_test *tests = calloc(count + 1, sizeof(*tests));
	int rc = tests ? 0 : error_no_memory(err);

	for (size_t i = 0; !rc && i < count; i++) {
		rc = read_test(paths[i], &tests[i], err);
		if (!rc)
			rc = check_copy(tests, paths, i, err);
	}
	if (!rc)
		rc = print_page(tests, paths, count, out, err);
	for (size_t i = 0; tests && i < count; i++)
		shared_test_free(&tests[i]);
	free(tests);
	return rc;
}
