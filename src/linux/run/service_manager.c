/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Protocols of service managers, without libsystemd: its dependencies (gcrypt, lzma, lz4, zstd)
 * would be loaded into every run for one datagram.
 */
#include "linux/run/service_manager.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/text.h"

/* Makes a socket address. A first character "@" means the NUL of an abstract address: unix(7). */
static int make_address(const char *name, struct sockaddr_un *address, socklen_t *size)
{
	const size_t length = strlen(name);

	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	if ((name[0] != '/' && name[0] != '@') || length >= sizeof(address->sun_path))
		return -EINVAL;
	memcpy(address->sun_path, name, length);
	if (name[0] == '@')
		address->sun_path[0] = '\0';
	*size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
	return 0;
}

static int connect_socket(const char *name, int *out)
{
	struct sockaddr_un address;
	socklen_t size;
	int rc = make_address(name, &address, &size);

	if (rc)
		return rc;
	*out = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (*out < 0)
		return -errno;
	return connect(*out, (const struct sockaddr *)&address, size) ? -errno : 0;
}

/* sd_watchdog_enabled(3) */
static uint64_t find_watchdog(void)
{
	const char *pid = getenv("WATCHDOG_PID"), *timeout = getenv("WATCHDOG_USEC");
	uint64_t number, us;

	if (pid && (!text_number(pid, &number) || number != (uint64_t)getpid()))
		return 0;
	return timeout && text_number(timeout, &us) && us <= UINT64_MAX / 1000 ? us * 1000 : 0;
}

int notify_open(struct notify *out, struct error *err)
{
	const char *name = getenv("NOTIFY_SOCKET");

	*out = (struct notify){.fd = -1};
	if (!name || !*name)
		return 0;
	const int rc = connect_socket(name, &out->fd);
	if (!rc) {
		out->watchdog_ns = find_watchdog();
		return 0;
	}
	notify_close(out);
	return error_set(
		err, ERROR_FAILED, rc,
		"NOTIFY_SOCKET: cannot connect: %s; to run without it: unset NOTIFY_SOCKET",
		strerror(-rc));
}

void notify_send(const struct notify *notify, const char *state)
{
	if (notify->fd >= 0)
		(void)!send(notify->fd, state, strlen(state), MSG_NOSIGNAL);
}

void notify_close(struct notify *notify)
{
	if (notify->fd >= 0)
		close(notify->fd);
	notify->fd = -1;
}

#define FIRST_FD 3 /* SD_LISTEN_FDS_START */

/* Counts the sockets passed to this process; the variables may be left over from a parent. */
static int count_sockets(uint64_t *count, struct error *err)
{
	const char *pid = getenv("LISTEN_PID"), *fds = getenv("LISTEN_FDS");
	uint64_t number;

	*count = 0;
	if (!pid || !fds || !text_number(pid, &number) || number != (uint64_t)getpid())
		return 0;
	return text_number(fds, count)
		       ? 0
		       : error_set(err, ERROR_USAGE, -EINVAL,
				   "LISTEN_FDS='%s': not a number of sockets", quoted(fds).text);
}

static bool has_option(int fd, int option, int expected)
{
	int value = -1;
	socklen_t size = sizeof(value);

	return !getsockopt(fd, SOL_SOCKET, option, &value, &size) && value == expected;
}

static int check_socket(int fd, struct error *err)
{
	if (has_option(fd, SO_TYPE, SOCK_STREAM) && has_option(fd, SO_ACCEPTCONN, true) &&
	    (has_option(fd, SO_DOMAIN, AF_INET) || has_option(fd, SO_DOMAIN, AF_INET6)))
		return 0;
	return error_set(err, ERROR_USAGE, -ENOTSUP,
			 "the socket that systemd has passed is not a listening TCP socket: "
			 "expected ListenStream=ADDR:PORT (and not Accept=yes) in cxlmon.socket");
}

static int prepare_socket(int fd, struct error *err)
{
	const int flags = fcntl(fd, F_GETFL);

	if (flags >= 0 && !fcntl(fd, F_SETFL, flags | O_NONBLOCK) &&
	    !fcntl(fd, F_SETFD, FD_CLOEXEC))
		return 0;
	return error_set(err, ERROR_FAILED, -errno, "the socket that systemd has passed: %s",
			 strerror(errno));
}

int socket_activation_take(int *out, struct error *err)
{
	uint64_t count;
	int rc = count_sockets(&count, err);

	*out = -1;
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	unsetenv("LISTEN_FDNAMES");
	if (!rc && count > 1)
		rc = error_set(err, ERROR_USAGE, -E2BIG,
			       "systemd has passed %" PRIu64 " sockets: expected one, so a single "
			       "ListenStream= in cxlmon.socket",
			       count);
	if (rc || !count)
		return rc;
	rc = check_socket(FIRST_FD, err);
	if (!rc)
		rc = prepare_socket(FIRST_FD, err);
	if (!rc)
		*out = FIRST_FD;
	return rc;
}
