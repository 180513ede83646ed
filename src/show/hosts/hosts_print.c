/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosts, and which of them stand out, as text and JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/wrap.h"
#include "output/fields.h"
#include "show/hosts/hosts.h"
#include "table/spell.h"

#define HOSTS_SCHEMA  1 /* grows when a key is removed or changes its meaning */
#define FILE_SIZE     4096
#define NAME_WIDTH    24 /* leaves room for all metrics, and a mark, on 80 columns */
#define VALUE_WIDTH   11
#define HEADING_LINES 3
#define MARK	      '*' /* follows a value that stands out */

static void print_note(void *context, const char *text)
{
	fprintf(context, "\nNote: %s.\n", text);
}

static void print_sentences(const struct hosts *hosts, FILE *out)
{
	char text[HOST_SENTENCE_SIZE], rule[HOSTS_RULE_SIZE];
	const char *undecided = hosts_undecided(hosts);
	size_t count = 0;

	for (enum host_metric m = 0; m < HOST_METRICS; m++)
		for (size_t i = 0; i < hosts->count; i++)
			if (hosts->all[i]->stands_out[m])
				fprintf(out, "\n%zu. %s.\n", ++count,
					hosts_sentence(hosts, i, m, text));
	if (undecided)
		fprintf(out, "\nWhether a host stands out is undecided: %s.\n", undecided);
	else if (!count)
		fputs("\nNo host stands out.\n", out);
	hosts_differences(hosts->all, hosts->count, print_note, out);
	fprintf(out, "\n%s\n", hosts_rule(rule));
}

static void print_wrapped(const struct hosts *hosts, int width, FILE *out)
{
	char *text = NULL;
	size_t size;
	FILE *plain = open_memstream(&text, &size);

	if (!plain)
		return;
	print_sentences(hosts, plain);
	if (!fclose(plain))
		wrapped_lines(out, text, width);
	free(text);
}

static void print_count(const struct hosts *hosts, FILE *out)
{
	fprintf(out, "%zu host%s", hosts->count, hosts->count == 1 ? "" : "s");
}

void hosts_print(const struct hosts *hosts, int width, FILE *out)
{
	print_count(hosts, out);
	putc('\n', out);
	print_wrapped(hosts, width, out);
}

/* The table. */

static bool is_shown(const struct hosts *hosts, enum host_metric metric)
{
	return hosts->spreads[metric].known;
}

static bool has_columns(const struct hosts *hosts)
{
	for (enum host_metric m = 0; m < HOST_METRICS; m++)
		if (is_shown(hosts, m))
			return true;
	return false;
}

/* Prints a line of a metric's heading: the first word, the other words, or the unit. */
static void print_heading(enum host_metric metric, int line, FILE *out)
{
	const char *title = metric_title(host_metric(metric));
	const int first = (int)strcspn(title, " ");
	const char *others = title + first + (title[first] != '\0');

	if (!line)
		fprintf(out, "%*.*s", VALUE_WIDTH, first, title);
	else
		fprintf(out, "%*s", VALUE_WIDTH,
			line == 1 ? others : unit_text(host_metric(metric)));
}

static void print_header(const struct hosts *hosts, FILE *out)
{
	for (int line = 0; line < HEADING_LINES; line++) {
		fprintf(out, "%-*s", NAME_WIDTH, line == HEADING_LINES - 1 ? "HOST" : "");
		for (enum host_metric m = 0; m < HOST_METRICS; m++)
			if (is_shown(hosts, m))
				print_heading(m, line, out);
		putc('\n', out);
	}
}

static void print_host(const struct hosts *hosts, const struct host *host, FILE *out)
{
	int width = VALUE_WIDTH;

	fprintf(out, "%-*s", text_padding(host->name, NAME_WIDTH), host->name);
	/* numbers of a long name are in their columns of the next line */
	if (text_columns(host->name) > NAME_WIDTH)
		fprintf(out, "\n%*s", NAME_WIDTH, "");
	for (enum host_metric m = 0; m < HOST_METRICS; m++) {
		if (!is_shown(hosts, m))
			continue;
		field_value(out, host_metric(m), host->means[m], width, host->raised[m]);
		if (host->stands_out[m])
			putc(MARK, out);
		/* a mark takes the blank before the next number */
		width = VALUE_WIDTH - host->stands_out[m];
	}
	putc('\n', out);
}

static void print_totals(const struct hosts *hosts, const char *name,
			 const double totals[HOST_METRICS], FILE *out)
{
	fprintf(out, "%-*s", NAME_WIDTH, name);
	for (enum host_metric m = 0; m < HOST_METRICS; m++)
		if (is_shown(hosts, m))
			field_value(out, host_metric(m), totals[m], VALUE_WIDTH, false);
	putc('\n', out);
}

static void print_table(const struct hosts *hosts, FILE *out)
{
	double medians[HOST_METRICS], deviations[HOST_METRICS];

	for (size_t m = 0; m < HOST_METRICS; m++) {
		medians[m] = hosts->spreads[m].median;
		deviations[m] = hosts->spreads[m].deviation;
	}
	putc('\n', out);
	print_header(hosts, out);
	for (size_t i = 0; i < hosts->count; i++)
		print_host(hosts, hosts->all[i], out);
	putc('\n', out);
	print_totals(hosts, "sum", hosts->sums, out);
	print_totals(hosts, "median", medians, out);
	print_totals(hosts, "median abs. deviation", deviations, out);
}

void hosts_table(const struct hosts *hosts, int width, FILE *out)
{
	print_count(hosts, out);
	fprintf(out, ": means of the whole system; %c stands out\n", MARK);
	if (has_columns(hosts))
		print_table(hosts, out);
	print_wrapped(hosts, width, out);
}

/* JSON. A number that is not finite is null. */

static json_t *means_object(const struct hosts *hosts, const struct host *host)
{
	json_t *means = json_object();

	for (enum host_metric m = 0; m < HOST_METRICS; m++)
		json_object_set_new(
			means, host_metric(m)->name,
			json_pack("{s:o?, s:b, s:o?, s:o?, s:I}", "mean", json_real(host->means[m]),
				  "stands_out", host->stands_out[m], "median",
				  json_real(hosts->spreads[m].median), "median_absolute_deviation",
				  json_real(hosts->spreads[m].deviation), "hosts",
				  (json_int_t)hosts->spreads[m].known));
	return means;
}

static json_t *host_object(const struct hosts *hosts, const struct host *host)
{
	char file[FILE_SIZE];

	return json_pack("{s:s, s:s, s:o}", "host", host->name, "file",
			 printable(host->file, file, sizeof(file)), "metrics",
			 means_object(hosts, host));
}

static void add_note(void *context, const char *text)
{
	json_array_append_new(context, json_string(text));
}

json_t *hosts_json(const struct hosts *hosts)
{
	json_t *list = json_array(), *notes = json_array(), *not_read = json_array();
	json_t *sums = json_object();

	for (enum host_metric m = 0; m < HOST_METRICS; m++)
		if (host_metric_has_sum(m))
			json_object_set_new(sums, host_metric(m)->name,
					    json_pack("o?", json_real(hosts->sums[m])));
	for (size_t i = 0; i < hosts->count; i++)
		json_array_append_new(list, host_object(hosts, hosts->all[i]));
	hosts_differences(hosts->all, hosts->count, add_note, notes);
	for (size_t i = 0; i < hosts->refused_count; i++)
		json_array_append_new(not_read, json_string(hosts->refused[i].text));
	return json_pack("{s:i, s:o, s:o, s:o, s:o}", "schema", HOSTS_SCHEMA, "hosts", list, "sums",
			 sums, "notes", notes, "not_read", not_read);
}
