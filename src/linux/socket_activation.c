/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/socket_activation.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "platform/text.h"

#define FIRST_FD 3 /* SD_LISTEN_FDS_START */

/* How many sockets were passed to this process. The variables may have been left by a parent. */
static int count_sockets(uint64_t *count, struct error *err)
{
	const char *pid = getenv("LISTEN_PID"), *fds = getenv("LISTEN_FDS");
	uint64_t number;

	*count = 0;
	if (!pid || !fds || !text_number(pid, &number) || number != (uint64_t)getpid())
		return 0;
	return text_number(fds, count)
		       ? 0
		       : error_set(err, EXIT_USAGE, -EINVAL,
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
	return error_set(err, EXIT_USAGE, -ENOTSUP,
			 "what systemd has passed is not a listening TCP socket: expected "
			 "ListenStream=ADDR:PORT (and not Accept=yes) in cxlmon.socket");
}

static int prepare_socket(int fd, struct error *err)
{
	const int flags = fcntl(fd, F_GETFL);

	if (flags >= 0 && !fcntl(fd, F_SETFL, flags | O_NONBLOCK) &&
	    !fcntl(fd, F_SETFD, FD_CLOEXEC))
		return 0;
	return error_set(err, EXIT_FAILED, -errno, "the socket that systemd has passed: %s",
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
		rc = error_set(err, EXIT_USAGE, -E2BIG,
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
