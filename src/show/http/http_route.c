/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/http/http_private.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

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

/* Removes the first token, up to a separator, and trims blanks. Returns false at the end. */
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

static bool token_equals(const struct token *token, const char *word)
{
	return token->length == strlen(word) && !strncasecmp(token->text, word, token->length);
}

/* Parses "q=0.5" as 0.5; 0 if it is not a number. */
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

/* Returns the quality value of a media range; 0 if its version is not supported. */
static double quality_of(struct token parameters, bool openmetrics)
{
	struct token parameter;
	double q = 1;

	while (next_token(&parameters, ';', &parameter)) {
		if (parameter.length > 2 && !strncasecmp(parameter.text, "q=", 2))
			q = parse_q(&parameter);
		else if (openmetrics && parameter.length > 8 &&
			 !strncasecmp(parameter.text, "version=", 8) &&
			 !token_equals(&parameter, "version=1.0.0") &&
			 !token_equals(&parameter, "version=\"1.0.0\""))
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
		const bool named = token_equals(&type, "application/openmetrics-text");
		const double q = quality_of(range, named);

		if (named && q > openmetrics)
			openmetrics = q;
		else if (token_equals(&type, "text/plain") && q > text)
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
		if (token_equals(&coding, "gzip"))
			gzip = quality_of(range, false);
		else if (token_equals(&coding, "*"))
			any = quality_of(range, false);
	}
	return (gzip < 0 ? any : gzip) > 0;
}

static bool is_name(struct token part, const char *name, size_t length)
{
	return length && part.length == length && !strncasecmp(part.text, name, length);
}

static bool is_address(struct token part, int family)
{
	char text[INET6_ADDRSTRLEN];
	struct in6_addr ignored;

	if (part.length >= sizeof(text))
		return false;
	snprintf(text, sizeof(text), "%.*s", (int)part.length, part.text);
	return inet_pton(family, text, &ignored) == 1;
}

/* Returns whether a text is empty, or a colon and digits: RFC 9110, 7.2; RFC 3986, 3.2.3. */
static bool is_port(const char *text)
{
	return !*text || (*text == ':' && !text[1 + strspn(text + 1, "0123456789")]);
}

bool http_host_is_local(const char *host, const char *own)
{
	if (!host)
		return true;
	if (*host == '[') {
		const size_t length = strcspn(host + 1, "]");
		const char *end = host + 1 + length;

		return *end && is_port(end + 1) &&
		       is_address((struct token){host + 1, length}, AF_INET6);
	}
	struct token name = {host, strcspn(host, ":")};

	if (!is_port(host + name.length))
		return false;
	if (is_address(name, AF_INET))
		return true;
	/* a name may end with the root of the DNS */
	if (name.length && name.text[name.length - 1] == '.')
		name.length--;
	return is_name(name, "localhost", strlen("localhost")) || is_name(name, own, strlen(own)) ||
	       is_name(name, own, strcspn(own, "."));
}

struct in6_addr address_of(const struct sockaddr *address)
{
	struct in6_addr out = IN6ADDR_ANY_INIT;

	if (address->sa_family == AF_INET6)
		return ((const struct sockaddr_in6 *)address)->sin6_addr;
	out.s6_addr[10] = out.s6_addr[11] = 0xff;
	memcpy(&out.s6_addr[12], &((const struct sockaddr_in *)address)->sin_addr, 4);
	return out;
}

bool is_on_loopback(int listener)
{
	struct sockaddr_storage address = {0};
	socklen_t size = sizeof(address);

	if (getsockname(listener, (struct sockaddr *)&address, &size) ||
	    (address.ss_family != AF_INET && address.ss_family != AF_INET6))
		return false;
	const struct in6_addr in6 = address_of((const struct sockaddr *)&address);

	return IN6_IS_ADDR_LOOPBACK(&in6) ||
	       (IN6_IS_ADDR_V4MAPPED(&in6) && in6.s6_addr[12] == IN_LOOPBACKNET);
}
