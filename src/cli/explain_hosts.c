/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon explain with the recordings of several hosts: which stand out, and findings by host. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"
#include "cli/cli_private.h"
#include "cli/hosts_read.h"
#include "probe/hot/hot_block.h"
#include "show/explain/explain.h"

#define NAMES_SIZE  512
#define NAMED_HOSTS 8 /* hosts that a heading names */

/* Findings of a host. */
struct explained_host {
	char *words; /* all but the numbers: equal for hosts with the same findings */
	char *text;
	json_t *object; /* NULL: text is wanted */
};

struct explained_hosts {
	struct explain explain; /* the host that is being read */
	struct explained_host *all;
	size_t count;
	bool json;
	int width;
};

static int begin_host(void *context, const struct recording_file *file)
{
	struct explained_hosts *e = context;

	return explain_init(&e->explain, &file->recording.table, &file->recording.info);
}

static int add_sample(void *context, struct recording_file *file)
{
	struct explained_hosts *e = context;

	explain_add(&e->explain, &file->recording.sample, hot_recorded(&file->recording));
	return 0;
}

/* Writes a sentence without its numbers. */
static void put_words(const char *sentence, FILE *out)
{
	for (; *sentence; sentence++)
		if (!isdigit((unsigned char)*sentence) && *sentence != '.')
			putc(*sentence, out);
	putc('\n', out);
}

/*
 * Writes the processor, the findings, each with its place, and the checks that were not made. The
 * caller frees the text; NULL: no memory.
 */
static char *words_text(const struct explain *explain)
{
	char processor[RECORDED_PROCESSOR_SIZE], checks[NOT_CHECKED_TEXT_SIZE];
	struct findings findings;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	explain_conclude(explain, &findings);
	fprintf(out, "%s\n", recorded_processor(explain->info, processor));
	for (size_t i = 0; i < findings.count; i++) {
		fprintf(out, "%s ", findings.all[i].where);
		put_words(findings.all[i].sentence, out);
	}
	for (size_t i = 0; i < findings.not_checked_count; i++)
		if (explain_not_checked_text(&findings, i, checks))
			fprintf(out, "%s\n", checks);
	return fclose(out) ? NULL : text;
}

static char *findings_text(const struct explained_hosts *e)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	explain_print(&e->explain, e->width, out);
	return fclose(out) ? NULL : text;
}

static int end_host(void *context)
{
	struct explained_hosts *e = context;
	struct explained_host host = {.words = words_text(&e->explain)};
	int rc = array_room(&e->all, e->count, 1, sizeof(*e->all));

	if (e->json)
		host.object = explain_json(&e->explain);
	else
		host.text = findings_text(e);
	explain_free(&e->explain);
	e->explain = (struct explain){.samples = 0};
	if (rc || !host.words || (!host.text && !host.object)) {
		free(host.words);
		free(host.text);
		json_decref(host.object);
		return -ENOMEM;
	}
	e->all[e->count++] = host;
	return 0;
}

static void free_hosts(struct explained_hosts *e)
{
	explain_free(&e->explain);
	for (size_t i = 0; i < e->count; i++) {
		free(e->all[i].words);
		free(e->all[i].text);
		json_decref(e->all[i].object);
	}
	free(e->all);
}

/* Returns the index of the first host with the same findings. */
static size_t first_of_same(const struct explained_hosts *e, size_t i)
{
	size_t first = 0;

	while (strcmp(e->all[first].words, e->all[i].words) != 0)
		first++;
	return first;
}

/* Prints the findings of the first host of those that have the same, with the names of all. */
static void print_same(const struct explained_hosts *e, const struct hosts *hosts, size_t first,
		       FILE *out)
{
	char names[NAMES_SIZE] = "", heading[2 * NAMES_SIZE];
	size_t count = 0;

	for (size_t i = first; i < e->count; i++) {
		if (first_of_same(e, i) != first)
			continue;
		if (count++ < NAMED_HOSTS)
			text_list(names, sizeof(names), "%s", hosts->all[i]->name);
	}
	if (count > NAMED_HOSTS)
		text_list(names, sizeof(names), "and %zu more", count - NAMED_HOSTS);
	snprintf(heading, sizeof(heading), "Findings on %s%s%s:", names,
		 count > 1 ? ", with the numbers of " : "",
		 count > 1 ? hosts->all[first]->name : "");
	putc('\n', out);
	wrapped_print(out, heading, 0, 0, e->width);
	fputs(e->all[first].text, out);
}

static void print_hosts(const struct explained_hosts *e, const struct hosts *hosts, FILE *out)
{
	hosts_print(hosts, e->width, out);
	for (size_t i = 0; i < e->count; i++)
		if (first_of_same(e, i) == i)
			print_same(e, hosts, i, out);
}

/* Writes the object of hosts_json(), in which each host has its findings. */
static int put_object(const struct explained_hosts *e, const struct hosts *hosts, FILE *out,
		      struct error *err)
{
	json_t *object = hosts_json(hosts), *list = json_object_get(object, "hosts");

	for (size_t i = 0; i < e->count; i++)
		json_object_set(json_array_get(list, i), "explain", e->all[i].object);
	const int rc = object ? json_dumpf(object, out, JSON_INDENT(2)) : -1;
	putc('\n', out);
	json_decref(object);
	return rc && !ferror(out) ? error_no_memory(err) : 0;
}

static int write_findings(const struct options *options, struct explained_hosts *e,
			  struct error *err)
{
	const struct hosts_visitor visitor = {begin_host, add_sample, end_host, e};
	struct hosts hosts = {.count = 0};
	struct common_output output;
	struct error failure;
	int rc = hosts_read(options, &visitor, &hosts, &failure, err);

	if (!rc)
		rc = common_open_output(options->output, CONTENTS_EMPTIED, &output, err);
	if (!rc) {
		if (e->json)
			rc = put_object(e, &hosts, output.out, err);
		else
			print_hosts(e, &hosts, output.out);
		rc = common_close_output(&output, rc, err);
	}
	if (!rc)
		rc = messages_pass_on(&failure, err);
	hosts_free(&hosts);
	return rc;
}

int explain_hosts(struct options *options, struct error *err)
{
	struct explained_hosts e = {.json = options->format == &format_explain_json};

	if (options->weights || options->what_if)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "explain: %s is for one machine: expected one FILE",
				 options->weights ? "--weights" : "--what-if");
	if (!options->output)
		e.width = wrapped_columns(STDOUT_FILENO);
	options->session.interval_ns = 0; /* every sample */
	const int rc = write_findings(options, &e, err);
	free_hosts(&e);
	return rc;
}
