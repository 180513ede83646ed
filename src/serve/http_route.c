/* SPDX-License-Identifier: BSD-3-Clause */
#include "serve/http_route.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum page http_route(const char *method, const char *path)
{
	static const struct {
		const char *path;
		enum page page;
	} pages[] = {{"/", PAGE_INDEX}, {"/metrics", PAGE_METRICS}, {"/-/healthy", PAGE_HEALTHY}};

	if (strcmp(method, "GET") && strcmp(method, "HEAD"))
		return PAGE_METHOD;
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++)
		if (!strcmp(path, pages[i].path))
			return pages[i].page;
	return PAGE_NOT_FOUND;
}

/* A part of the header; not terminated. */
struct part {
	const char *text;
	size_t length;
};

#define BLANKS " \t"

/* Cuts the next part off, up to a separator and without blanks around it. False at the end. */
static bool next_part(struct part *rest, char separator, struct part *out)
{
	if (!rest->text)
		return false;
	const char *end = memchr(rest->text, separator, rest->length);
	const char *last = rest->text + rest->length;

	*out = (struct part){rest->text, end ? (size_t)(end - rest->text) : rest->length};
	*rest = end ? (struct part){end + 1, (size_t)(last - end - 1)} : (struct part){0};
	while (out->length && strchr(BLANKS, out->text[0])) {
		out->text++;
		out->length--;
	}
	while (out->length && strchr(BLANKS, out->text[out->length - 1]))
		out->length--;
	return true;
}

static bool is(const struct part *part, const char *word)
{
	return part->length == strlen(word) && !strncasecmp(part->text, word, part->length);
}

/* "q=0.5"; whatever is no number weighs nothing. */
static double weight(const struct part *parameter)
{
	char number[8];
	const size_t length = parameter->length - 2;

	if (length >= sizeof(number))
		return 0;
	memcpy(number, parameter->text + 2, length);
	number[length] = '\0';
	return number[strspn(number, "0123456789.")] ? 0 : strtod(number, NULL);
}

/* How much the media range is wanted; 0 where its version is not ours. */
static double wanted(struct part parameters, bool openmetrics)
{
	struct part parameter;
	double q = 1;

	while (next_part(&parameters, ';', &parameter)) {
		if (parameter.length > 2 && !strncasecmp(parameter.text, "q=", 2))
			q = weight(&parameter);
		else if (openmetrics && parameter.length > 8 &&
			 !strncasecmp(parameter.text, "version=", 8) &&
			 !is(&parameter, "version=1.0.0") && !is(&parameter, "version=\"1.0.0\""))
			return 0;
	}
	return q;
}

enum exposition http_negotiate(const char *accept)
{
	struct part list = {accept, accept ? strlen(accept) : 0}, range, type;
	double openmetrics = 0, text = 0;

	while (next_part(&list, ',', &range)) {
		next_part(&range, ';', &type);
		const bool named = is(&type, "application/openmetrics-text");
		const double q = wanted(range, named);

		if (named && q > openmetrics)
			openmetrics = q;
		else if (is(&type, "text/plain") && q > text)
			text = q;
	}
	return openmetrics > 0 && openmetrics >= text ? EXPOSITION_OPENMETRICS
						      : EXPOSITION_PROMETHEUS;
}
