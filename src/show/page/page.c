/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/page/page.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/number.h"
#include "show/page/html.h"
#include "show/page/plot.h"

#define SECONDS_SIZE (NUMBER_SIZE + sizeof(" s"))

HTML_EMBED(page_html, "show/page/page.html");
HTML_EMBED(page_style, "show/page/page.css");
HTML_EMBED(page_script, "show/page/page.js");

void page_put(const char *name, FILE *out)
{
	if (!strcmp(name, "style"))
		fputs(page_style, out);
	else if (!strcmp(name, "script"))
		fputs(page_script, out);
	else if (!strcmp(name, "version"))
		fputs(CXLMON_VERSION, out);
}

const char *page_time(uint64_t ns, char text[PAGE_TIME_SIZE])
{
	const time_t seconds = (time_t)(ns / NS_PER_S);
	struct tm tm;

	*text = '\0';
	if (gmtime_r(&seconds, &tm))
		strftime(text, PAGE_TIME_SIZE, "%Y-%m-%d %H:%M:%S UTC", &tm);
	return text;
}

void page_fact(const char *name, const char *value, FILE *out)
{
	html_print(out, "<div><dt>%s</dt><dd>%s</dd></div>", name, value);
}

static const char *seconds_text(double seconds, char text[SECONDS_SIZE])
{
	char plain[64], number[NUMBER_SIZE];
	const char *point;

	snprintf(plain, sizeof(plain), "%.9g", seconds);
	point = strchr(plain, '.');
	number_grouped(seconds, point ? (unsigned)strlen(point + 1) : 0, number);
	/* below a hundred microseconds, with an exponent */
	snprintf(text, SECONDS_SIZE, "%s s", strchr(plain, 'e') ? plain : number);
	return text;
}

/* Rounds a duration: the last sample ends shortly after its deadline. */
static double rounded_seconds(double seconds)
{
	const double parts = seconds >= 100 ? 1 : seconds >= 10 ? 10 : 1000;

	return seconds < 0.01 ? seconds : round(seconds * parts) / parts;
}

void page_flags(const struct recording_info *info, const struct error *flaw, FILE *out)
{
	const char *sim = recorded_option(info, "sim");

	if (sim)
		html_print(out, "<p class=\"flag\">Simulated processor: %s</p>", sim);
	if (flaw->code)
		html_print(out, "<p class=\"flag bad\">The recording is incomplete. %s</p>",
			   flaw->text);
}

void page_facts(const struct report *r, FILE *out)
{
	char number[NUMBER_SIZE], text[SECONDS_SIZE], time[PAGE_TIME_SIZE];

	fputs("<dl class=\"facts\">", out);
	page_fact("Started", page_time(r->started_ns, time), out);
	page_fact("Duration",
		  seconds_text(rounded_seconds((double)(r->ended_ns - r->started_ns) / 1e9), text),
		  out);
	/* one more digit */
	page_fact("Interval",
		  seconds_text(rounded_seconds((double)r->info->interval_ns / 1e8) / 10, text),
		  out);
	page_fact("Samples", number_grouped((double)r->samples, 0, number), out);
	page_fact("Missed deadlines", number_grouped((double)r->missed, 0, number), out);
	for (size_t i = 0; i < r->info->option_count; i++)
		if (strcmp(r->info->options[i].name, "sim"))
			page_fact(r->info->options[i].name, r->info->options[i].value, out);
	fputs("</dl>\n", out);
}

void page_note_reduced(const struct report *r, FILE *out)
{
	char number[NUMBER_SIZE];

	if (plot_is_reduced(r->samples))
		fprintf(out,
			"<li class=\"reduced\">Lines are reduced: of the %s samples, a line is the "
			"mean, weighted by time, of each of %u time ranges, and the band behind it "
			"reaches from the minimum to the maximum. The table is computed from all "
			"samples. cxlmon report --from=TIME --to=TIME draws a part in full.</li>",
			number_grouped((double)r->samples, 0, number), plot_columns(r->samples));
}

void page_tile(const struct plotted *s, double number, const char *name, double beside, FILE *out)
{
	const struct axis axis = axis_of_range(plotted_unit(s), 0, s->statistics.max);

	html_print(out, "<div class=\"tile\"><h3>%s</h3><p class=\"big\">",
		   metric_title(s->metric));
	if (isnan(number))
		fputs("\u2013", out);
	else
		html_three_digits(out, number * axis.factor);
	html_print(out, " <small>%s</small></p><p>%s ", axis.unit, name);
	html_three_digits(out, beside * axis.factor);
	fputs(" \u00b7 max ", out);
	html_three_digits(out, s->statistics.max * axis.factor);
	fputs("</p></div>", out);
}
