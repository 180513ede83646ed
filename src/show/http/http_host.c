/* SPDX-License-Identifier: BSD-3-Clause */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "show/http/server.h"

/* Part of a Host header; not terminated. */
struct part {
	const char *text;
	size_t length;
};

static bool equals(struct part part, const char *name, size_t length)
{
	return length && part.length == length && !strncasecmp(part.text, name, length);
}

static bool is_address(struct part part, int family)
{
	char text[INET6_ADDRSTRLEN];
	struct in6_addr ignored;

	if (part.length >= sizeof(text))
		return false;
	snprintf(text, sizeof(text), "%.*s", (int)part.length, part.text);
	return inet_pton(family, text, &ignored) == 1;
}

/* Empty, or a colon and digits: RFC 9110, 7.2; RFC 3986, 3.2.3. */
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
		       is_address((struct part){host + 1, length}, AF_INET6);
	}
	struct part name = {host, strcspn(host, ":")};

	if (!is_port(host + name.length))
		return false;
	if (is_address(name, AF_INET))
		return true;
	/* the root of the DNS may be written */
	if (name.length && name.text[name.length - 1] == '.')
		name.length--;
	return equals(name, "localhost", strlen("localhost")) || equals(name, own, strlen(own)) ||
	       equals(name, own, strcspn(own, "."));
}
