/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/report_page.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "platform/number.h"
#include "report/html.h"
#include "report/report_assets.h"
#include "report/report_chart.h"
#include "report/report_plot.h"
#include "report/report_sweep.h"
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
		html_print(out, "<p class=\"flag bad\">The recording is incomplete. %t</p>",
			   flaw->text);
	fputs("</header>\n", out);
}

static void put_fact(FILE *out, const char *name, const char *value)
{
	html_print(out, "<div><dt>%t</dt><dd>%t</dd></div>", name, value);
}

/* With as many decimals as nine digits leave; no zeros at the end. */
static void put_seconds(FILE *out, const char *name, double seconds)
{
	char plain[64], number[NUMBER_SIZE], text[NUMBER_SIZE + 8];
	const char *point;

	snprintf(plain, sizeof(plain), "%.9g", seconds);
	point = strchr(plain, '.');
	number_grouped(seconds, point ? (unsigned)strlen(point + 1) : 0, number);
	/* less than a hundred microseconds: with an exponent */
	snprintf(text, sizeof(text), "%s s", strchr(plain, 'e') ? plain : number);
	put_fact(out, name, text);
}

static void put_facts(const struct report *r, FILE *out)
{
	char number[NUMBER_SIZE];

	fputs("<dl class=\"facts\"><div><dt>Started</dt><dd>", out);
	put_time(out, r->started_ns);
	fputs("</dd></div>", out);
	put_seconds(out, "Duration", (double)(r->ended_ns - r->started_ns) / 1e9);
	put_seconds(out, "Interval", (double)r->about->interval_ns / 1e9);
	put_fact(out, "Samples", number_grouped((double)r->samples, 0, number));
	put_fact(out, "Missed deadlines", number_grouped((double)r->missed, 0, number));
	for (size_t i = 0; i < r->about->option_count; i++)
		if (strcmp(r->about->options[i].name, "sim"))
			put_fact(out, r->about->options[i].name, r->about->options[i].value);
	fputs("</dl>\n", out);
}

static void put_notes(const struct report *r, FILE *out)
{
	char number[NUMBER_SIZE];

	fputs("<section class=\"notes\"><h2>How to read it</h2><ul>"
	      "<li><b>mean</b> is weighted by time: each value counts for the time it covers.</li>"
	      "<li><b>p50</b>, <b>p95</b> and <b>p99</b> are percentiles (nearest rank) of the known "
	      "values of all samples; <b>max</b> is the largest value.</li>"
	      "<li><b>known</b> is the number of samples with a known value. Unknown values are gaps "
	      "in lines, and are ignored in statistics; they are not 0.</li>"
	      "<li>Values are drawn at the end of their interval. After a missed deadline the "
	      "interval is longer.</li>"
	      "<li>With JavaScript, the pointer reads the lines; a click on an entry of a legend shows "
	      "its series alone, a second click all of them; dragging across a chart enlarges that "
	      "range of time in all charts, and a double click shows the whole time again.</li>"
	      "<li>1 MB is 10<sup>6</sup> bytes, 1 GB 10<sup>9</sup>.</li>",
	      out);
	if (plot_is_reduced(r->samples))
		fprintf(out,
			"<li class=\"reduced\">Lines are reduced: of the %s samples, a line is the "
			"mean, weighted by time, of each of %u time ranges, and the band behind it "
			"reaches from the minimum to the maximum. The table is computed from all "
			"samples.</li>",
			number_grouped((double)r->samples, 0, number), plot_columns(r->samples));
	html_print(out,
		   "</ul></section>\n<footer>Made by cxlmon %t from a recording of cxlmon "
		   "%t. This page loads no other resources.</footer>\n",
		   CXLMON_VERSION, r->about->program);
}

int report_page(const struct report *r, const struct error *flaw, FILE *out)
{
	int rc = 0;

	put_head(r, out);
	put_title(r, flaw, out);
	put_facts(r, out);
	if (r->samples) {
		rc = report_sweep(r, out);
		report_tiles(r, out);
		charts_over_time(r, out);
		if (!rc)
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
