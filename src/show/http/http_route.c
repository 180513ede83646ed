/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/http/server.h"

#include <stdio.h>
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
		return PAGE_METHOD_NOT_ALLOWED;
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++)
		if (!strcmp(path, pages[i].path))
			return pages[i].page;
	return PAGE_NOT_FOUND;
}

const char *http_target_path(const char *target, char host[HTTP_HOST_SIZE], bool *absolute)
{
	static const char scheme[] = "http://";

	*absolute = !strncasecmp(target, scheme, strlen(scheme));
	if (!*absolute)
		return target;
	const char *authority = target + strlen(scheme);
	const size_t length = strcspn(authority, "/");

	host[0] = '\0';
	if (length < HTTP_HOST_SIZE)
		snprintf(host, HTTP_HOST_SIZE, "%.*s", (int)length, authority);
	return authority[length] ? authority + length : "/";
}

/* Part of a header; not terminated. */
struct token {
	const char *text;
	size_t length;
};

#define BLANKS " \t"

/* Removes the first token, up to a separator, and trims blanks. False at the end. */
static bool next_token(struct token *rest, char separator, struct token *out)
{
	if (!rest->text)
		return false;
	const char *end = memchr(rest->text, separator, rest->length);
	const char *last = rest->text + rest->length;

	*out = (struct token){rest->text, end ? (size_t)(end - rest->text) : rest->length};
	*rest = end ? (struct token){end + 1, (size_t)(last - end - 1)} : (struct token){0};
	while (out->length && strchr(BLANKS, out->text[0])) {
		out->text++;
		out->length--;
	}
	while (out->length && strchr(BLANKS, out->text[out->length - 1]))
		out->length--;
	return true;
}

static bool equals(const struct token *token, const char *word)
{
	return token->length == strlen(word) && !strncasecmp(token->text, word, token->length);
}

/* "q=0.5": 0.5; 0 if it is not a number. */
static double parse_q(const struct token *parameter)
{
	char number[8];
	const size_t length = parameter->length - 2;

	if (length >= sizeof(number))
		return 0;
	memcpy(number, parameter->text + 2, length);
	number[length] = '\0';
	return number[strspn(number, "0123456789.")] ? 0 : strtod(number, NULL);
}

/* The quality value of a media range; 0 if its version is not supported. */
static double quality(struct token parameters, bool openmetrics)
{
	struct token parameter;
	double q = 1;

	while (next_token(&parameters, ';', &parameter)) {
		if (parameter.length > 2 && !strncasecmp(parameter.text, "q=", 2))
			q = parse_q(&parameter);
		else if (openmetrics && parameter.length > 8 &&
			 !strncasecmp(parameter.text, "version=", 8) &&
			 !equals(&parameter, "version=1.0.0") &&
			 !equals(&parameter, "version=\"1.0.0\""))
			return 0;
	}
	return q;
}

enum exposition http_negotiate(const char *accept)
{
	struct token list = {accept, accept ? strlen(accept) : 0}, range, type;
	double openmetrics = 0, text = 0;

	while (next_token(&list, ',', &range)) {
		next_token(&range, ';', &type);
		const bool named = equals(&type, "application/openmetrics-text");
		const double q = quality(range, named);

		if (named && q > openmetrics)
			openmetrics = q;
		else if (equals(&type, "text/plain") && q > text)
			text = q;
	}
	return openmetrics > 0 && openmetrics >= text ? EXPOSITION_OPENMETRICS
						      : EXPOSITION_PROMETHEUS;
}

bool http_accepts_gzip(const char *accept_encoding)
{
	struct token list = {accept_encoding, accept_encoding ? strlen(accept_encoding) : 0}, range,
		     coding;
	double gzip = -1, any = 0;

	while (next_token(&list, ',', &range)) {
		next_token(&range, ';', &coding);
		if (equals(&coding, "gzip"))
			gzip = quality(range, false);
		else if (equals(&coding, "*"))
			any = quality(range, false);
	}
	return (gzip < 0 ? any : gzip) > 0;
}
