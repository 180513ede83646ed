/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/notify.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* "@" as the first character stands for the NUL of an abstract socket address: unix(7). */
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

static int connect_to(const char *name, int *out)
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

/* An unsigned decimal number; 0: not one. */
static uint64_t number(const char *text)
{
	char *end;

	if (!text || !*text || text[strspn(text, "0123456789")])
		return 0;
	errno = 0;
	const uint64_t value = strtoull(text, &end, 10);
	return errno ? 0 : value;
}

/* sd_watchdog_enabled(3) */
static uint64_t find_watchdog(void)
{
	const char *pid = getenv("WATCHDOG_PID");
	const uint64_t us = number(getenv("WATCHDOG_USEC"));

	if ((pid && number(pid) != (uint64_t)getpid()) || us > UINT64_MAX / 1000)
		return 0;
	return us * 1000;
}

int notify_open(struct notify *out, struct error *err)
{
	const char *name = getenv("NOTIFY_SOCKET");

	*out = (struct notify){.fd = -1};
	if (!name || !*name)
		return 0;
	const int rc = connect_to(name, &out->fd);
	if (!rc) {
		out->watchdog_ns = find_watchdog();
		return 0;
	}
	notify_close(out);
	return error_set(
		err, EXIT_FAILED, rc,
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
