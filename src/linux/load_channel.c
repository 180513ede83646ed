/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/linux_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/rootfs.h"
#include "linux/system/linux_platform.h"
#include "platform/simulation.h"

/* Connects through the socket's directory, because the name of a socket is short. */
static int connect_channel(const char *root)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const int directory = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int rc = directory < 0 ? -errno : 0, fd = -1;

	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/" LOAD_CHANNEL,
		 directory);
	if (!rc)
		fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (!rc && fd < 0)
		rc = -errno;
	if (!rc && connect(fd, (const struct sockaddr *)&address, sizeof(address)))
		rc = -errno;
	if (directory >= 0)
		close(directory);
	if (rc && fd >= 0)
		close(fd);
	return rc ? rc : fd;
}

static int exchange_message(int fd, struct load_message *message)
{
	ssize_t done = send(fd, message, sizeof(*message), MSG_NOSIGNAL);

	if (done == sizeof(*message))
		done = recv(fd, message, sizeof(*message), 0);
	if (done < 0) /* EPIPE is reserved for outputs */
		return errno == EPIPE ? -ECONNRESET : -errno;
	if (done != sizeof(*message) || message->code > 0 || message->code < -ERRNO_MOST)
		return -EPROTO;
	return message->code;
}

int linux_inject_load(struct platform *p, struct injected_load *load, struct error *err)
{
	struct load_message message = {.load = *load};
	const char *root = linux_of(p)->root;
	int *fd = &linux_of(p)->load_fd;

	if (!strcmp(root, "/") || (*fd < 0 && !rootfs_exists(root, LOAD_CHANNEL)))
		return -ENOTSUP;
	if (*fd < 0)
		*fd = connect_channel(root);
	const int rc = *fd < 0 ? *fd : exchange_message(*fd, &message);

	if (rc)
		return error_set(err, ERROR_FAILED, rc,
				 "%s/" LOAD_CHANNEL
				 ": node %d: a load cannot be injected into a machine of files: %s",
				 root, load->node, strerror(-rc));
	*load = message.load;
	return 0;
}
