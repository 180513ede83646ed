/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/report_page.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "platform/number.h"
#include "report/html.h"
#include "report/report_assets.h"
#include "report/report_chart.h"
#include "report/report_plot.h"
#include "report/report_table.h"

static void put_time(FILE *out, uint64_t ns)
{
	const time_t seconds = (time_t)(ns / NS_PER_S);
	char text[48] = "";
	struct tm tm;

	if (gmtime_r(&seconds, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm);
	fputs(text, out);
}

static const char *option(const struct report *r, const char *name)
{
	for (size_t i = 0; i < r->about->option_count; i++)
		if (!strcmp(r->about->options[i].name, name))
			return r->about->options[i].value;
	return NULL;
}

static void put_head(const struct report *r, FILE *out)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"" REPORT_POLICY "\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"color-scheme\" content=\"light dark\">\n"
	      "<meta name=\"referrer\" content=\"no-referrer\">\n",
	      out);
	html_print(out, "<title>cxlmon report: %t, ", r->about->processor);
	put_time(out, r->started_ns);
	fprintf(out, "</title>\n<style>%s</style>\n</head>\n<body>\n<main>\n", report_style);
}

static void put_title(const struct report *r, const struct error *flaw, FILE *out)
{
	html_print(out, "<header><p class=\"eyebrow\">cxlmon report</p><h1>CXL memory on %t</h1>",
		   r->about->processor);
	if (option(r, "sim"))
		html_print(out, "<p class=\"flag\">Simulated processor: %t</p>", option(r, "sim"));
	if (flaw->code)
		html_print(out, "<p class=\"flag bad\">The recording is not whole. %t</p>",
			   flaw->text);
	fputs("</header>\n", out);
}

static void put_fact(FILE *out, const char *name, const char *value)
{
	html_print(out, "<div><dt>%t</dt><dd>%t</dd></div>", name, value);
}

static void put_facts(const struct report *r, FILE *out)
{
	char text[64];

	fputs("<dl class=\"facts\"><div><dt>Started</dt><dd>", out);
	put_time(out, r->started_ns);
	fputs("</dd></div>", out);
	snprintf(text, sizeof(text), "%.9g s", (double)(r->ended_ns - r->started_ns) / 1e9);
	put_fact(out, "Duration", text);
	snprintf(text, sizeof(text), "%.9g s", (double)r->about->interval_ns / 1e9);
	put_fact(out, "Interval", text);
	snprintf(text, sizeof(text), "%zu", r->samples);
	put_fact(out, "Samples", text);
	snprintf(text, sizeof(text), "%" PRIu64, r->missed);
	put_fact(out, "Missed deadlines", text);
	for (size_t i = 0; i < r->about->option_count; i++)
		if (strcmp(r->about->options[i].name, "sim"))
			put_fact(out, r->about->options[i].name, r->about->options[i].value);
	fputs("</dl>\n", out);
}

static void put_notes(const struct report *r, FILE *out)
{
	fputs("<section class=\"notes\"><h2>How to read it</h2><ul>"
	      "<li><b>mean</b> is that of the time: each value counts for as long as it was "
	      "counted.</li>"
	      "<li><b>p50</b>, <b>p95</b> and <b>p99</b> are nearest ranks: the smallest value of a "
	      "sample that at least 50, 95 or 99 % of the known ones don&#39;t exceed; <b>max</b> "
	      "is the largest.</li>"
	      "<li><b>known</b> says in how many samples the value was known. What is not known is "
	      "a gap in a line, and in no figure; it is never taken for 0.</li>"
	      "<li>A value stands at the end of its interval. A missed deadline makes the next "
	      "interval longer.</li>"
	      "<li>1 MB is 10<sup>6</sup> bytes, 1 GB 10<sup>9</sup>.</li>",
	      out);
	if (r->samples > PLOT_MOST_POINTS)
		fprintf(out,
			"<li class=\"reduced\">The lines are reduced: of the %zu samples, the least "
			"and the most of each of %d stretches of time are drawn. The table rests on "
			"all samples.</li>",
			r->samples, PLOT_COLUMNS);
	html_print(out,
		   "</ul></section>\n<footer>Made by cxlmon %t from a recording of cxlmon "
		   "%t. This page loads nothing.</footer>\n",
		   CXLMON_VERSION, r->about->program);
}

int report_page(const struct report *r, const struct error *flaw, FILE *out)
{
	int rc = 0;

	put_head(r, out);
	put_title(r, flaw, out);
	put_facts(r, out);
	if (r->samples) {
		report_tiles(r, out);
		charts_over_time(r, out);
		rc = charts_of_latency(r, out);
		report_table(r, out);
		report_unknown(r, out);
	} else {
		fputs("<p class=\"note\">There are no samples.</p>\n", out);
	}
	report_devices(r, out);
	put_notes(r, out);
	fprintf(out, "</main>\n<script>%s</script>\n</body>\n</html>\n", report_script);
	return rc;
}
