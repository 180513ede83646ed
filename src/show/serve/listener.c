/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/serve/listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "linux/run/service_manager.h"

#define MAX_PORT 65535

static bool parse_address(const char *host, const char *port, int family,
			  struct listen_address *out)
{
	const struct addrinfo hints = {.ai_family = family,
				       .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV};
	struct addrinfo *found;
	struct in_addr ignored;

	/*
	 * getaddrinfo() also accepts 127.1, and blanks; but it knows the interface of fe80::1%eth0
	 */
	if (!*port || port[strspn(port, "0123456789")] || strlen(port) > 5 ||
	    atoi(port) > MAX_PORT ||
	    (family == AF_INET && inet_pton(family, host, &ignored) != 1) ||
	    getaddrinfo(host, port, &hints, &found))
		return false;
	memcpy(&out->address, found->ai_addr, found->ai_addrlen);
	out->size = found->ai_addrlen;
	freeaddrinfo(found);
	return true;
}

int listener_parse(const char *text, struct listen_address *out, struct error *err)
{
	const char *colon = strrchr(text, ':');
	const size_t length = colon ? (size_t)(colon - text) : 0;
	char host[LISTENER_NAME_SIZE];
	bool valid = length && length < sizeof(host);

	*out = (struct listen_address){.passed = -1};
	if (valid)
		snprintf(host, sizeof(host), "%.*s", (int)length, text);
	if (valid && host[0] == '[') {
		valid = host[length - 1] == ']';
		host[length - 1] = '\0';
		valid = valid && parse_address(host + 1, colon + 1, AF_INET6, out);
	} else if (valid) {
		valid = parse_address(host, colon + 1, AF_INET, out);
	}
	return valid ? 0
		     : error_set(err, ERROR_USAGE, -EINVAL,
				 "not an address to listen on '%s': expected ADDR:PORT, such as "
				 "127.0.0.1:10295, 0.0.0.0:10295 or [::1]:10295",
				 quoted(text).text);
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
	return error_set(err, ERROR_USAGE, -EINVAL,
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
		return error_set(err, ERROR_PERMISSION, code,
				 "%s: no permission to listen: ports below 1024 require root",
				 name);
	error_set(err, ERROR_FAILED, code,
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

static int set_option(int fd, int level, int option, int value)
{
	return setsockopt(fd, level, option, &value, sizeof(value)) ? -errno : 0;
}

static int begin_listening(int fd, const struct listen_address *address)
{
	/* avoids waiting for connections of an earlier run in TIME_WAIT */
	int rc = set_option(fd, SOL_SOCKET, SO_REUSEADDR, 1);

	/* [::] also accepts IPv4, whatever net.ipv6.bindv6only is */
	if (!rc && address->address.ss_family == AF_INET6)
		rc = set_option(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0);
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
	const int rc = fd < 0 ? -errno : begin_listening(fd, address);

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
