/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/words.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "metrics/metric.h"
#include "table/spell.h"

#define GIB "GiB" /* no metric has it */

static bool ends_with_gib(const char *name)
{
	const size_t length = strlen(name), end = strlen("_" GIB);

	return length > end && !strcmp(name + length - end, "_" GIB);
}

const char *name_unit(const char *name)
{
	const struct metric *metric = metric_by_name(name);
	const struct metric_unit *unit = metric_unit_of(name);

	if (metric)
		return unit_text(metric);
	return unit ? unit->name : ends_with_gib(name) ? GIB : "";
}

static bool is_acronym(const char *word, size_t length)
{
	static const char *const acronyms[] = {"cxl", "dram", "hbm"};

	for (size_t i = 0; i < sizeof(acronyms) / sizeof(acronyms[0]); i++)
		if (strlen(acronyms[i]) == length && !strncmp(word, acronyms[i], length))
			return true;
	return false;
}

/* Puts blanks for underscores, and acronyms in capitals. */
static void spell_words(char *text)
{
	for (char *word = text, *end; *word; word = end) {
		end = word + strcspn(word, "_");
		if (is_acronym(word, (size_t)(end - word)))
			for (; word < end; word++)
				*word = (char)toupper((unsigned char)*word);
		if (*end)
			*end++ = ' ';
	}
}

const char *name_words(const char *name, char text[WORDS_SIZE])
{
	const struct metric *metric = metric_by_name(name);
	const struct metric_unit *unit = metric_unit_of(name);
	const size_t ending = unit ? strlen(unit->end) : ends_with_gib(name) ? strlen("_" GIB) : 0;

	if (metric && metric->heading) {
		snprintf(text, WORDS_SIZE, "%s", metric->heading);
		return text;
	}
	snprintf(text, WORDS_SIZE, "%.*s", (int)(strlen(name) - ending), name);
	spell_words(text);
	return text;
}
