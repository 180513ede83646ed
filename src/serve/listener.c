/* SPDX-License-Identifier: BSD-3-Clause */
#include "serve/listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "linux/service_manager.h"
#include "platform/text.h"

#define MAX_PORT 65535

static int usage_error(const char *text, struct error *err)
{
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "not an address to listen on '%s': expected ADDR:PORT, such as "
			 "127.0.0.1:10295, 0.0.0.0:10295 or [::1]:10295",
			 quoted(text).text);
}

static bool parse_port(const char *text, in_port_t *port)
{
	char *end;
	const unsigned long number = strtoul(text, &end, 10);

	/* strtoul() accepts blanks and signs, too */
	if (!*text || *end || strspn(text, "0123456789") != strlen(text) || strlen(text) > 5 ||
	    number > MAX_PORT)
		return false;
	*port = htons((in_port_t)number);
	return true;
}

static bool parse_ipv4(const char *host, in_port_t port, struct listen_address *out)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = port};

	if (inet_pton(AF_INET, host, &address.sin_addr) != 1)
		return false;
	memcpy(&out->address, &address, sizeof(address));
	out->size = sizeof(address);
	return true;
}

/* Unlike inet_pton(), getaddrinfo() parses the interface of a link-local address. */
static bool parse_ipv6(const char *host, in_port_t port, struct listen_address *out)
{
	const struct addrinfo hints = {.ai_family = AF_INET6, .ai_flags = AI_NUMERICHOST};
	struct addrinfo *found;
	struct sockaddr_in6 address;

	if (getaddrinfo(host, NULL, &hints, &found))
		return false;
	memcpy(&address, found->ai_addr, sizeof(address));
	freeaddrinfo(found);
	address.sin6_port = port;
	memcpy(&out->address, &address, sizeof(address));
	out->size = sizeof(address);
	return true;
}

int listener_parse(const char *text, struct listen_address *out, struct error *err)
{
	const char *colon = strrchr(text, ':');
	char host[LISTENER_NAME_SIZE];
	in_port_t port;

	*out = (struct listen_address){.passed = -1};
	if (!colon || colon == text || (size_t)(colon - text) >= sizeof(host) ||
	    !parse_port(colon + 1, &port))
		return usage_error(text, err);
	const size_t length = (size_t)(colon - text);
	memcpy(host, text, length);
	host[length] = '\0';
	if (host[0] != '[')
		return parse_ipv4(host, port, out) ? 0 : usage_error(text, err);
	if (host[length - 1] != ']')
		return usage_error(text, err);
	host[length - 1] = '\0';
	return parse_ipv6(host + 1, port, out) ? 0 : usage_error(text, err);
}

int listener_choose(const char *text, struct listen_address *out, struct error *err)
{
	int passed;
	const int rc = socket_activation_take(&passed, err);

	if (rc)
		return rc;
	if (passed < 0)
		return listener_parse(text ? text : LISTENER_DEFAULT, out, err);
	*out = (struct listen_address){.passed = passed};
	if (!text)
		return 0;
	close(passed);
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "--listen=%s: systemd has passed a socket that listens already; set the "
			 "address there (sudo systemctl edit cxlmon.socket), and remove --listen",
			 quoted(text).text);
}

static void format_name(const struct sockaddr_storage *address, char name[LISTENER_NAME_SIZE])
{
	const bool ipv6 = address->ss_family == AF_INET6;
	char host[LISTENER_NAME_SIZE - 10], port[8];

	if (getnameinfo((const struct sockaddr *)address, sizeof(*address), host, sizeof(host),
			port, sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV))
		snprintf(name, LISTENER_NAME_SIZE, "?");
	else
		snprintf(name, LISTENER_NAME_SIZE, ipv6 ? "[%s]:%s" : "%s:%s", host, port);
}

static int listen_error(const struct listen_address *address, int code, struct error *err)
{
	char name[LISTENER_NAME_SIZE], command[ERROR_COMMAND_SIZE];

	format_name(&address->address, name);
	if (code == -EACCES)
		return error_set(err, EXIT_PERMISSION, code,
				 "%s: no permission to listen: ports below 1024 require root",
				 name);
	error_set(err, EXIT_FAILED, code,
		  "%s: cannot listen: %s; --listen=ADDR:PORT chooses another address%s", name,
		  strerror(-code),
		  code == -EADDRINUSE ? ", ss -ltnp shows the program that uses this one" : "");
	if (code == -EADDRINUSE) {
		snprintf(command, sizeof(command), "sudo ss -ltnp 'sport = %s'",
			 strrchr(name, ':'));
		error_hint(err, command);
	}
	return code;
}

static int set(int fd, int level, int option, int value)
{
	return setsockopt(fd, level, option, &value, sizeof(value)) ? -errno : 0;
}

static int begin(int fd, const struct listen_address *address)
{
	/* do not wait for connections of an earlier run in TIME_WAIT */
	int rc = set(fd, SOL_SOCKET, SO_REUSEADDR, 1);

	/* [::] accepts IPv4, too, whatever net.ipv6.bindv6only is */
	if (!rc && address->address.ss_family == AF_INET6)
		rc = set(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0);
	if (!rc && bind(fd, (const struct sockaddr *)&address->address, address->size))
		rc = -errno;
	if (!rc && listen(fd, SOMAXCONN))
		rc = -errno;
	return rc;
}

int listener_open(const struct listen_address *address, struct error *err)
{
	if (address->passed >= 0)
		return address->passed;
	const int fd =
		socket(address->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	const int rc = fd < 0 ? -errno : begin(fd, address);

	if (!rc)
		return fd;
	if (fd >= 0)
		close(fd);
	return listen_error(address, rc, err);
}

void listener_name(int fd, char name[LISTENER_NAME_SIZE])
{
	struct sockaddr_storage address = {0};
	socklen_t size = sizeof(address);

	getsockname(fd, (struct sockaddr *)&address, &size);
	format_name(&address, name);
}
