/* SPDX-License-Identifier: BSD-3-Clause */
#include "loads.h"

#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "linux/linux_private.h"
#include "platform/load_sample.h"
#include "platform/simulation.h"

void loads_open(struct loads *loads, const char *root, struct platform *p)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const int directory = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/" LOAD_CHANNEL,
		 directory);
	if (directory < 0 || fd < 0 ||
	    bind(fd, (const struct sockaddr *)&address, sizeof(address)) || listen(fd, LOADS_FILES))
		err(1, "%s/" LOAD_CHANNEL, root);
	close(directory);
	*loads = (struct loads){.platform = p};
	loads->fds[0] = fd;
	for (size_t i = 1; i < LOADS_FILES; i++)
		loads->fds[i] = -1;
}

void loads_close(struct loads *loads)
{
	for (size_t i = 0; i < LOADS_FILES; i++)
		if (loads->fds[i] >= 0)
			close(loads->fds[i]);
}

static void take_connection(struct loads *loads)
{
	const int fd = accept4(loads->fds[0], NULL, NULL, SOCK_CLOEXEC);

	for (size_t i = 1; fd >= 0 && i < LOADS_FILES; i++)
		if (loads->fds[i] < 0) {
			loads->fds[i] = fd;
			return;
		}
	if (fd >= 0)
		close(fd);
}

/* Closes a connection, and ends the loads that its program has injected. */
static void hang_up(struct loads *loads, size_t index)
{
	struct platform *p = loads->platform;
	struct error why;

	for (int node = 0; node < 64; node++) {
		struct injected_load nothing = {.node = node};

		if (loads->nodes[index] >> node & 1)
			p->ops->simulation->inject_load(p, &nothing, &why);
	}
	loads->nodes[index] = 0;
	close(loads->fds[index]);
	loads->fds[index] = -1;
}

void loads_serve(struct loads *loads, size_t index)
{
	struct platform *p = loads->platform;
	struct load_message message;
	struct error why;
	const int fd = loads->fds[index];

	if (!index) {
		take_connection(loads);
		return;
	}
	if (recv(fd, &message, sizeof(message), MSG_DONTWAIT) != sizeof(message)) {
		hang_up(loads, index);
		return;
	}
	message.code = p->ops->simulation->inject_load(p, &message.load, &why);
	if (!message.code && message.load.node < 64)
		loads->nodes[index] |= UINT64_C(1) << message.load.node;
	if (send(fd, &message, sizeof(message), MSG_DONTWAIT | MSG_NOSIGNAL) != sizeof(message))
		hang_up(loads, index);
}
