/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/report_frame.h"

#include <string.h>
#include <time.h>

#include "platform/number.h"
#include "report/html.h"
#include "report/report_assets.h"
#include "report/report_number.h"

_Static_assert(FRAME_SECONDS_SIZE >= NUMBER_SIZE + sizeof(" s"), "FRAME_SECONDS_SIZE is too small");

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

void frame_time(uint64_t ns, FILE *out)
{
	const time_t seconds = (time_t)(ns / NS_PER_S);
	char text[48] = "";
	struct tm tm;

	if (gmtime_r(&seconds, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm);
	fputs(text, out);
}

void frame_fact(const char *name, const char *value, FILE *out)
{
	html_print(out, "<div><dt>%t</dt><dd>%t</dd></div>", name, value);
}

const char *frame_seconds(double seconds, char text[FRAME_SECONDS_SIZE])
{
	char plain[64], number[NUMBER_SIZE];
	const char *point;

	snprintf(plain, sizeof(plain), "%.9g", seconds);
	point = strchr(plain, '.');
	number_grouped(seconds, point ? (unsigned)strlen(point + 1) : 0, number);
	/* less than a hundred microseconds: with an exponent */
	snprintf(text, FRAME_SECONDS_SIZE, "%s s", strchr(plain, 'e') ? plain : number);
	return text;
}

const char *frame_simulated(const struct recording_info *about)
{
	for (size_t i = 0; i < about->option_count; i++)
		if (!strcmp(about->options[i].name, "sim"))
			return about->options[i].value;
	return NULL;
}
