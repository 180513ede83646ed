/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/run/packet.h"

#include <errno.h>
#include <unistd.h>

int packet_send(int socket, const struct bytes *message)
{
	ssize_t sent;

	if (message->failed)
		return -EPIPE;
	do
		sent = write(socket, message->data, message->size);
	while (sent < 0 && errno == EINTR);
	if (sent >= 0)
		return 0;
	return errno == EAGAIN ? -EAGAIN : -EPIPE;
}

int packet_receive(int socket, struct packet_buffer *buffer, struct coder *out)
{
	ssize_t got;

	/*
	 * ECONNRESET comes once, before the last messages, if the sender ended with messages unread
	 */
	do
		got = read(socket, buffer->bytes, sizeof(buffer->bytes));
	while (got < 0 && (errno == EINTR || errno == ECONNRESET));
	if (got <= 0)
		return got < 0 && errno == EAGAIN ? 0 : -EPIPE;
	*out = (struct coder){.at = buffer->bytes, .left = (size_t)got};
	return got > PACKET_BYTES_MOST ? -EBADMSG : 1;
}
