/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/run/packet.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int packet_pair(int ends[2])
{
	const int type = SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC;

	return socketpair(AF_UNIX, type, 0, ends) ? -errno : 0;
}

/* Room for one descriptor sent with a message. */
union attached {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(sizeof(int))];
};

static ssize_t send_fd(int socket, const struct bytes *message, int fd)
{
	union attached attached = {.bytes = ""};
	struct iovec part = {message->data, message->size};
	const struct msghdr header = {.msg_iov = &part,
				      .msg_iovlen = 1,
				      .msg_control = &attached,
				      .msg_controllen = sizeof(attached)};

	attached.head = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(fd)),
					 .cmsg_level = SOL_SOCKET,
					 .cmsg_type = SCM_RIGHTS};
	memcpy(CMSG_DATA(&attached.head), &fd, sizeof(fd));
	return sendmsg(socket, &header, MSG_NOSIGNAL);
}

/* Sends a message and a descriptor (negative: none), without waiting. */
static int send_message(int socket, const struct bytes *message, int fd)
{
	ssize_t sent;

	if (message->failed)
		return -EPIPE;
	do
		sent = fd < 0 ? write(socket, message->data, message->size)
			      : send_fd(socket, message, fd);
	while (sent < 0 && errno == EINTR);
	if (sent >= 0)
		return 0;
	return errno == EAGAIN ? -EAGAIN : -EPIPE;
}

int packet_send(int socket, const struct bytes *message)
{
	return send_message(socket, message, -1);
}

int packet_send_waiting(int socket, struct bytes *message, int fd)
{
	int rc;

	while ((rc = send_message(socket, message, fd)) == -EAGAIN)
		packet_wait(socket, POLLOUT);
	bytes_free(message);
	if (fd >= 0)
		close(fd);
	return rc;
}

int packet_receive(int socket, struct packet_buffer *buffer, struct coder *out, int *fd)
{
	struct iovec part = {buffer->bytes, sizeof(buffer->bytes)};
	union attached attached;
	struct msghdr header = {.msg_iov = &part,
				.msg_iovlen = 1,
				.msg_control = &attached,
				.msg_controllen = CMSG_LEN(sizeof(*fd))}; /* one descriptor */
	int received = -1;
	ssize_t got;

	/*
	 * ECONNRESET comes once, before the last messages, if the sender ended with messages unread
	 */
	do /* read() drops descriptors */
		got = fd ? recvmsg(socket, &header, MSG_CMSG_CLOEXEC)
			 : read(socket, buffer->bytes, sizeof(buffer->bytes));
	while (got < 0 && (errno == EINTR || errno == ECONNRESET));
	const bool whole = got > 0 && got <= PACKET_BYTES_MOST && !(header.msg_flags & MSG_CTRUNC);
	const struct cmsghdr *head = fd && got >= 0 ? CMSG_FIRSTHDR(&header) : NULL;
	if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS)
		memcpy(&received, CMSG_DATA(head), sizeof(received));
	if (fd)
		*fd = whole ? received : -1;
	if (!whole && received >= 0)
		close(received);
	*out = (struct coder){.at = buffer->bytes, .left = whole ? (size_t)got : 0, .bad = !whole};
	if (got > 0)
		return whole ? 1 : -EBADMSG;
	return got < 0 && errno == EAGAIN ? 0 : -EPIPE;
}

void packet_wait(int socket, short event)
{
	struct pollfd ready = {.fd = socket, .events = event};

	while (poll(&ready, 1, -1) < 0)
		;
}
