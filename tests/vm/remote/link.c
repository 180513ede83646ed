/* SPDX-License-Identifier: BSD-3-Clause */
#include "link.h"

#include <err.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A message on the wire, as the compiler of an x86-64 lays it out; size bytes follow. */
struct header {
	int32_t command;
	uint64_t size;
};

struct config_access {
	uint32_t address, value;
	int32_t bytes;
};

struct bar_access {
	uint64_t address, value;
	uint32_t bytes;
	uint8_t is_memory;
};

#define LARGEST_MESSAGE 256

/* Descriptors that come along are closed by the kernel, since nobody asks for them. */
static bool receive_all(int fd, void *buffer, size_t length)
{
	for (size_t done = 0; done < length;) {
		const ssize_t got = read(fd, (char *)buffer + done, length - done);

		if (!got || (got < 0 && errno == ECONNRESET))
			return false;
		if (got < 0 && errno != EINTR)
			err(1, "qemu's socket");
		done += got > 0 ? (size_t)got : 0;
	}
	return true;
}

static void decode(struct link_message *out, const void *data)
{
	struct config_access config;
	struct bar_access bar;

	switch (out->command) {
	case LINK_CONFIG_WRITE:
	case LINK_CONFIG_READ:
		memcpy(&config, data, sizeof(config));
		out->address = config.address;
		out->value = config.value;
		out->bytes = (unsigned)config.bytes;
		break;
	case LINK_BAR_WRITE:
	case LINK_BAR_READ:
		memcpy(&bar, data, sizeof(bar));
		out->address = bar.address;
		out->value = bar.value;
		out->bytes = bar.bytes;
		break;
	default:
		break;
	}
}

bool link_receive(int fd, struct link_message *out)
{
	struct header header;
	char data[LARGEST_MESSAGE] = {0};

	if (!receive_all(fd, &header, sizeof(header)))
		return false;
	if (header.size > sizeof(data))
		errx(1, "qemu sent a message of %llu bytes", (unsigned long long)header.size);
	if (!receive_all(fd, data, header.size))
		return false;
	*out = (struct link_message){.command = (enum link_command)header.command};
	decode(out, data);
	return true;
}

bool link_answer(int fd, uint64_t value)
{
	const struct {
		struct header header;
		uint64_t value;
	} answer = {{LINK_ANSWER, sizeof(value)}, value};
	const ssize_t sent = send(fd, &answer, sizeof(answer), MSG_NOSIGNAL);

	if (sent < 0 && errno != EPIPE && errno != ECONNRESET)
		err(1, "qemu's socket");
	return sent == sizeof(answer);
}
