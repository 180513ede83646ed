/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/prometheus.h"

#include <stdbool.h>
#include <string.h>

#define HELP	"# HELP "
#define TYPE	"# TYPE "
#define UNIT	"# UNIT "
#define END	"# EOF\n"
#define COUNTER " counter\n"

/* A line with its line feed, which only the last line may lack. Empty: no line. */
struct line {
	const char *text;
	size_t size;
};

static bool begins_with(struct line line, const char *text)
{
	return line.size >= strlen(text) && !memcmp(line.text, text, strlen(text));
}

static bool ends_with(struct line line, const char *text)
{
	const size_t length = strlen(text);

	return line.size >= length && !memcmp(line.text + line.size - length, text, length);
}

/*
 * Writes a line of metadata. In OpenMetrics the name of a counter family lacks the "_total" of its
 * samples. In the older format, metadata with another name than the samples' applies to another
 * metric.
 */
static void put_metadata(struct line line, const char *suffix, FILE *out)
{
	size_t named = strlen(HELP); /* as long as TYPE */

	while (named < line.size && line.text[named] != ' ' && line.text[named] != '\n')
		named++;
	fwrite(line.text, 1, named, out);
	fputs(suffix, out);
	fwrite(line.text + named, 1, line.size - named, out);
}

/* The help of a family precedes its type, and is kept until then. */
void prometheus_put(const char *openmetrics, size_t size, FILE *out)
{
	const char *const end = openmetrics + size;
	struct line help = {.size = 0};

	for (struct line line = {openmetrics, 0}; line.text < end; line.text += line.size) {
		const size_t left = (size_t)(end - line.text);
		const char *feed = memchr(line.text, '\n', left);

		line.size = feed ? (size_t)(feed - line.text) + 1 : left;
		if (begins_with(line, HELP)) {
			help = line;
		} else if (begins_with(line, TYPE)) {
			const char *suffix = ends_with(line, COUNTER) ? "_total" : "";

			if (help.size)
				put_metadata(help, suffix, out);
			put_metadata(line, suffix, out);
			help.size = 0;
		} else if (!begins_with(line, UNIT) && !begins_with(line, END)) {
			fwrite(line.text, 1, line.size, out);
		}
	}
}
