/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of several hosts: which stand out, a table of hosts, and lines over time. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "show/hosts/hosts.h"
#include "show/page/chart.h"
#include "show/page/html.h"
#include "show/page/page.h"
#include "table/spell.h"

#define HEADING_SIZE 64
#define TIMES	     3	      /* columns of the table after the metrics: from, to, samples */
#define MARK_ABOVE   "\u25b2" /* marks a value that stands out above the median */
#define MARK_BELOW   "\u25bc"

HTML_EMBED(hosts_notes, "show/hosts/hosts_notes.html");

/* Time of all samples. */
struct range {
	uint64_t from_ns, to_ns, samples;
};

static struct range range_of(const struct hosts *hosts)
{
	struct range range = {.from_ns = UINT64_MAX};

	for (size_t i = 0; i < hosts->count; i++) {
		const struct host *host = hosts->all[i];

		if (!host->samples)
			continue;
		range.from_ns = host->from_ns < range.from_ns ? host->from_ns : range.from_ns;
		range.to_ns = host->to_ns > range.to_ns ? host->to_ns : range.to_ns;
		range.samples += host->samples;
	}
	range.from_ns = range.samples ? range.from_ns : 0;
	return range;
}

static void put_note(void *context, const char *text)
{
	html_print(context, "<p class=\"flag\">%s</p>", text);
}

/* Writes damage of recordings, and differences between them. */
static void put_flags(const struct hosts *hosts, FILE *out)
{
	for (size_t i = 0; i < hosts->refused_count; i++)
		html_print(out, "<p class=\"flag bad\">Not shown: %s</p>", hosts->refused[i].text);
	for (size_t i = 0; i < hosts->count; i++)
		if (hosts->all[i]->flaw.code)
			html_print(out, "<p class=\"flag bad\">Incomplete: %s</p>",
				   hosts->all[i]->flaw.text);
	hosts_differences(hosts->all, hosts->count, put_note, out);
}

/* Writes a fact of the first host; if others differ, a flag says so. */
static void put_fact(const char *name, const char *text, FILE *out)
{
	if (*text)
		page_fact(name, text, out);
}

static void put_facts(const struct hosts *hosts, const struct range *range, FILE *out)
{
	char number[NUMBER_SIZE], time[PAGE_TIME_SIZE];

	fputs("<dl class=\"facts\">", out);
	if (hosts->count) {
		put_fact("Job", hosts->all[0]->job, out);
		put_fact("Processor", hosts->all[0]->processor, out);
	}
	html_print(out, "<div><dt>Hosts</dt><dd>%zu</dd></div>", hosts->count);
	if (range->samples) {
		page_fact("First sample begins", page_time(range->from_ns, time), out);
		page_fact("Last sample ends", page_time(range->to_ns, time), out);
	}
	page_fact("Samples", number_grouped((double)range->samples, 0, number), out);
	html_print(out, "<div><dt>Step of lines</dt><dd>%.9g s</dd></div></dl>\n",
		   (double)hosts->timeline.step_ns / NS_PER_S);
}

static void put_sentences(const struct hosts *hosts, FILE *out)
{
	char text[HOST_SENTENCE_SIZE], rule[HOSTS_RULE_SIZE];
	const char *undecided = hosts_undecided(hosts);
	size_t count = 0;

	fputs("<h2>What stands out</h2>\n<ul class=\"findings\">", out);
	for (enum host_metric m = 0; m < HOST_METRICS; m++)
		for (size_t i = 0; i < hosts->count; i++)
			if (hosts->all[i]->stands_out[m]) {
				html_print(out, "<li>%s.</li>\n",
					   hosts_sentence(hosts, i, m, text));
				count++;
			}
	if (undecided)
		html_print(out, "<li>Undecided: %s.</li>\n", undecided);
	else if (!count)
		fputs("<li>No host stands out.</li>\n", out);
	html_print(out, "</ul>\n<p class=\"note\">%s</p>\n", hosts_rule(rule));
}

/* The table. */

static void begin_table(FILE *out)
{
	char titles[HOST_METRICS][HEADING_SIZE];
	const char *headings[1 + HOST_METRICS + TIMES + 1] = {"host"};

	for (enum host_metric m = 0; m < HOST_METRICS; m++) {
		const struct metric *metric = host_metric(m);

		snprintf(titles[m], sizeof(titles[m]), "%s, %s", metric_title(metric),
			 unit_text(metric));
		headings[1 + m] = titles[m];
	}
	headings[1 + HOST_METRICS] = "from, s";
	headings[2 + HOST_METRICS] = "to, s";
	headings[3 + HOST_METRICS] = "samples";
	html_table("Hosts", "figures", headings, out);
}

static unsigned decimals_at(enum host_metric metric)
{
	return decimals_of(host_metric(metric)).brief;
}

/* Writes a mean; in bold print, with its direction, if it stands out. */
static void put_mean(const struct hosts *hosts, const struct host *host, enum host_metric m,
		     FILE *out)
{
	const double mean = host->means[m];
	const char *mark = mean > hosts->spreads[m].median ? MARK_ABOVE : MARK_BELOW;

	html_print(out, "<td data-of=\"%s\">", host_metric(m)->name);
	if (host->stands_out[m])
		html_print(out, "<strong>%s ", mark);
	fputs(host->raised[m] && !isnan(mean) ? "~" : "", out);
	html_number(out, mean, decimals_at(m));
	fputs(host->stands_out[m] ? "</strong></td>" : "</td>", out);
}

static void put_host(const struct hosts *hosts, const struct host *host, const struct range *range,
		     FILE *out)
{
	char number[NUMBER_SIZE];

	html_print(out, "<tr><th scope=\"row\">%s</th>", host->name);
	for (enum host_metric m = 0; m < HOST_METRICS; m++)
		put_mean(hosts, host, m, out);
	if (host->samples) {
		html_cell(out, "from", (double)(host->from_ns - range->from_ns) / NS_PER_S, 1);
		html_cell(out, "to", (double)(host->to_ns - range->from_ns) / NS_PER_S, 1);
	} else {
		fputs("<td></td><td></td>", out);
	}
	fprintf(out, "<td data-of=\"samples\">%s</td></tr>\n",
		number_grouped((double)host->samples, 0, number));
}

static void put_totals(const char *name, const double totals[HOST_METRICS], FILE *out)
{
	html_print(out, "<tr><th scope=\"row\">%s</th>", name);
	for (enum host_metric m = 0; m < HOST_METRICS; m++)
		html_cell(out, host_metric(m)->name, totals[m], decimals_at(m));
	fputs("<td></td><td></td><td></td></tr>\n", out);
}

static void put_table(const struct hosts *hosts, const struct range *range, FILE *out)
{
	double medians[HOST_METRICS], deviations[HOST_METRICS];

	for (size_t m = 0; m < HOST_METRICS; m++) {
		medians[m] = hosts->spreads[m].median;
		deviations[m] = hosts->spreads[m].deviation;
	}
	fputs("<h2>Hosts, on average</h2>\n", out);
	begin_table(out);
	fputs("<tbody>\n", out);
	put_totals("sum of the job", hosts->sums, out);
	put_totals("median of the hosts", medians, out);
	put_totals("median absolute deviation", deviations, out);
	fputs("</tbody>\n<tbody>\n", out);
	for (size_t i = 0; i < hosts->count; i++)
		put_host(hosts, hosts->all[i], range, out);
	fputs("</tbody></table></div>\n", out);
}

/* Lines over time. */

/* Lines of a metric, in the order of hosts. */
struct lines {
	struct report time; /* the common axis: .times and .samples */
	struct plotted *of_host;
	double *values; /* by host and step */
};

static void free_lines(struct lines *lines)
{
	free(lines->time.times);
	free(lines->of_host);
	free(lines->values);
}

static int make_lines(const struct hosts *hosts, struct lines *lines)
{
	const size_t steps = timeline_steps(&hosts->timeline);

	lines->time.samples = steps;
	lines->time.times = calloc(steps + 1, sizeof(*lines->time.times));
	lines->of_host = calloc(hosts->count + 1, sizeof(*lines->of_host));
	lines->values = calloc(hosts->count * steps + 1, sizeof(*lines->values));
	if (!lines->time.times || !lines->of_host || !lines->values)
		return -ENOMEM;
	for (size_t i = 0; i < steps; i++)
		lines->time.times[i] = (double)(i + 1) * (double)hosts->timeline.step_ns / NS_PER_S;
	return 0;
}

/* Makes a line of values; without values, if none is known. */
static struct plotted plotted_line(const double *values, size_t steps, enum host_metric metric)
{
	struct plotted line = {.metric = host_metric(metric),
			       .statistics = {.mean = NAN, .max = NAN}};
	double sum = 0;

	for (size_t i = 0; i < steps; i++) {
		if (isnan(values[i]))
			continue;
		line.statistics.known++;
		line.statistics.max = fmax(line.statistics.max, values[i]);
		sum += values[i];
	}
	if (!line.statistics.known)
		return line;
	line.statistics.mean = sum / (double)line.statistics.known;
	line.values = values;
	return line;
}

static void fill_lines(const struct hosts *hosts, enum host_metric metric, struct lines *lines)
{
	const size_t steps = lines->time.samples;

	for (size_t i = 0; i < hosts->count; i++) {
		double *values = lines->values + i * steps;

		for (size_t step = 0; step < steps; step++)
			values[step] = hosts_mean(hosts, i, metric, step);
		lines->of_host[i] = plotted_line(values, steps, metric);
	}
}

static void draw_chart(struct chart *chart, const char *help, FILE *out)
{
	if (!chart->count)
		return;
	chart_set_title(chart);
	chart->help = help;
	chart->since = "the first step";
	chart_over_time(chart, out);
}

/* Draws a line for each host: first of those that stand out, which are never left out. */
static void draw_hosts(const struct hosts *hosts, enum host_metric metric, struct lines *lines,
		       FILE *out)
{
	struct chart chart = {.count = 0};

	fill_lines(hosts, metric, lines);
	for (int standing_out = 1; standing_out >= 0; standing_out--)
		for (size_t i = 0; i < hosts->count; i++)
			if (lines->of_host[i].values &&
			    hosts->all[i]->stands_out[metric] == standing_out)
				chart_add(&chart, &lines->time, &lines->of_host[i],
					  hosts->all[i]->name);
	draw_chart(&chart, host_metric(metric)->help, out);
	chart_put_left_out(chart.left_out, "hosts are", out);
}

/* Draws the sum of all hosts, in the values of the first line. */
static void draw_sum(const struct hosts *hosts, enum host_metric metric, struct lines *lines,
		     FILE *out)
{
	struct chart chart = {.count = 0};

	for (size_t step = 0; step < lines->time.samples; step++)
		lines->values[step] = hosts_sum(hosts, metric, step);
	lines->of_host[0] = plotted_line(lines->values, lines->time.samples, metric);
	if (lines->of_host[0].values)
		chart_add(&chart, &lines->time, &lines->of_host[0], "sum of the job");
	draw_chart(&chart, "Sum of all hosts, at times at which each has a value", out);
}

/* Draws a chart for each metric that has a sum, or for each. */
static void draw_charts(const struct hosts *hosts, const char *title, bool of_sums,
			struct lines *lines, FILE *out)
{
	if (!lines->time.samples)
		return;
	html_print(out, "<h2>%s</h2>\n<div class=\"charts\">\n", title);
	for (enum host_metric m = 0; m < HOST_METRICS; m++)
		if (!of_sums)
			draw_hosts(hosts, m, lines, out);
		else if (host_metric_has_sum(m))
			draw_sum(hosts, m, lines, out);
	fputs("</div>\n", out);
}

static int put_contents(const struct hosts *hosts, const struct range *range, FILE *out)
{
	struct lines lines = {.of_host = NULL};
	const int rc = make_lines(hosts, &lines);

	if (!rc) {
		put_facts(hosts, range, out);
		put_sentences(hosts, out);
		draw_charts(hosts, "The job", true, &lines, out);
		put_table(hosts, range, out);
		draw_charts(hosts, "Hosts over time", false, &lines, out);
	}
	free_lines(&lines);
	return rc;
}

struct page {
	const struct hosts *hosts;
	struct range range;
	int *rc;
};

static void put_part(const char *name, const void *context, FILE *out)
{
	const struct page *page = context;
	const struct hosts *hosts = page->hosts;
	char time[PAGE_TIME_SIZE];

	if (!strcmp(name, "title")) {
		html_print(out, "cxlmon report: %zu hosts", hosts->count);
		if (page->range.samples)
			html_print(out, ", %s", page_time(page->range.from_ns, time));
	} else if (!strcmp(name, "kind")) {
		fputs("report", out);
	} else if (!strcmp(name, "heading")) {
		html_print(out, "CXL memory on %zu hosts", hosts->count);
	} else if (!strcmp(name, "flags")) {
		put_flags(hosts, out);
	} else if (!strcmp(name, "contents")) {
		*page->rc = put_contents(hosts, &page->range, out);
	} else if (!strcmp(name, "notes")) {
		fputs(hosts_notes, out);
	} else if (!strcmp(name, "sources")) {
		html_print(out, "%zu recordings of cxlmon", hosts->count);
	} else {
		page_put(name, out);
	}
}

int hosts_page(const struct hosts *hosts, FILE *out)
{
	int rc = 0;
	const struct page page = {hosts, range_of(hosts), &rc};

	html_fill(page_html, put_part, &page, out);
	return rc;
}
