/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/run/packet.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/uio.h>
#include <unistd.h>

int packet_send(int socket, const struct packet *packet)
{
	uint64_t type = packet->type;
	const struct iovec parts[] = {{&type, sizeof(type)}, {(void *)packet->bytes, packet->size}};
	ssize_t sent;

	do
		sent = writev(socket, parts, 2);
	while (sent < 0 && errno == EINTR);
	if (sent >= 0)
		return 0;
	return errno == EAGAIN ? -EAGAIN : -EPIPE;
}

static bool is_allowed(const struct packet *packet, const struct packet_kind *kinds, size_t count)
{
	if (packet->type >= count)
		return false;
	const struct packet_kind *kind = &kinds[packet->type];

	return packet->size >= kind->least && packet->size <= kind->most;
}

int packet_receive(int socket, const struct packet_kind *kinds, size_t count,
		   struct packet_buffer *buffer, struct packet *out)
{
	ssize_t got;

	/*
	 * ECONNRESET comes once, before the last messages, if the sender ended with messages unread
	 */
	do
		got = read(socket, buffer, sizeof(*buffer));
	while (got < 0 && (errno == EINTR || errno == ECONNRESET));
	if (got <= 0)
		return got < 0 && errno == EAGAIN ? 0 : -EPIPE;
	const size_t head = offsetof(struct packet_buffer, bytes);
	if ((size_t)got < head)
		return -EBADMSG;
	*out = (struct packet){buffer->type, buffer->bytes, (size_t)got - head};
	return is_allowed(out, kinds, count) ? 1 : -EBADMSG;
}
