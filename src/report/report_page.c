/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/report_page.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "output/html.h"
#include "platform/number.h"
#include "report/report_assets.h"
#include "report/report_chart.h"
#include "report/report_plot.h"

#define SECONDS_SIZE (NUMBER_SIZE + sizeof(" s"))

void frame_begin(FILE *out)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"" REPORT_POLICY "\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"color-scheme\" content=\"light dark\">\n"
	      "<meta name=\"referrer\" content=\"no-referrer\">\n<title>",
	      out);
}

void frame_begin_contents(FILE *out)
{
	fprintf(out, "</title>\n<style>%s</style>\n</head>\n<body>\n<main>\n", report_style);
}

void frame_end(FILE *out)
{
	fprintf(out, "</main>\n<script>%s</script>\n</body>\n</html>\n", report_script);
}

static void put_time(uint64_t ns, FILE *out)
{
	const time_t seconds = (time_t)(ns / NS_PER_S);
	char text[48] = "";
	struct tm tm;

	if (gmtime_r(&seconds, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm);
	fputs(text, out);
}

static void put_fact(const char *name, const char *value, FILE *out)
{
	html_print(out, "<div><dt>%t</dt><dd>%t</dd></div>", name, value);
}

static const char *seconds_text(double seconds, char text[SECONDS_SIZE])
{
	char plain[64], number[NUMBER_SIZE];
	const char *point;

	snprintf(plain, sizeof(plain), "%.9g", seconds);
	point = strchr(plain, '.');
	number_grouped(seconds, point ? (unsigned)strlen(point + 1) : 0, number);
	/* less than a hundred microseconds: with an exponent */
	snprintf(text, SECONDS_SIZE, "%s s", strchr(plain, 'e') ? plain : number);
	return text;
}

/* The last sample ends a little behind its deadline. */
static double rounded(double seconds)
{
	const double parts = seconds >= 100 ? 1 : seconds >= 10 ? 10 : 1000;

	return seconds < 0.01 ? seconds : round(seconds * parts) / parts;
}

void report_flags(const struct recording_info *about, const struct error *flaw, FILE *out)
{
	for (size_t i = 0; i < about->option_count; i++)
		if (!strcmp(about->options[i].name, "sim"))
			html_print(out, "<p class=\"flag\">Simulated processor: %t</p>",
				   about->options[i].value);
	if (flaw->code)
		html_print(out, "<p class=\"flag bad\">The recording is incomplete. %t</p>",
			   flaw->text);
}

void report_facts(const struct report *r, FILE *out)
{
	char number[NUMBER_SIZE], text[SECONDS_SIZE];

	fputs("<dl class=\"facts\"><div><dt>Started</dt><dd>", out);
	put_time(r->started_ns, out);
	fputs("</dd></div>", out);
	put_fact("Duration",
		 seconds_text(rounded((double)(r->ended_ns - r->started_ns) / 1e9), text), out);
	put_fact("Interval", seconds_text((double)r->about->interval_ns / 1e9, text), out);
	put_fact("Samples", number_grouped((double)r->samples, 0, number), out);
	put_fact("Missed deadlines", number_grouped((double)r->missed, 0, number), out);
	for (size_t i = 0; i < r->about->option_count; i++)
		if (strcmp(r->about->options[i].name, "sim"))
			put_fact(r->about->options[i].name, r->about->options[i].value, out);
	fputs("</dl>\n", out);
}

void report_note_reduced(const struct report *r, FILE *out)
{
	char number[NUMBER_SIZE];

	if (plot_is_reduced(r->samples))
		fprintf(out,
			"<li class=\"reduced\">Lines are reduced: of the %s samples, a line is the "
			"mean, weighted by time, of each of %u time ranges, and the band behind it "
			"reaches from the minimum to the maximum. The table is computed from all "
			"samples.</li>",
			number_grouped((double)r->samples, 0, number), plot_columns(r->samples));
}

static void put_notes(const struct report *r, FILE *out)
{
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
	report_note_reduced(r, out);
	html_print(out,
		   "</ul></section>\n<footer>Made by cxlmon %t from a recording of cxlmon "
		   "%t. This page loads no other resources.</footer>\n",
		   CXLMON_VERSION, r->about->program);
}

int report_page(const struct report *r, const struct error *flaw, FILE *out)
{
	int rc = 0;

	frame_begin(out);
	html_print(out, "cxlmon report: %t, ", r->about->processor);
	put_time(r->started_ns, out);
	frame_begin_contents(out);
	html_print(out, "<header><p class=\"eyebrow\">cxlmon report</p><h1>CXL memory on %t</h1>",
		   r->about->processor);
	report_flags(r->about, flaw, out);
	fputs("</header>\n", out);
	report_facts(r, out);
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
	frame_end(out);
	return rc;
}
