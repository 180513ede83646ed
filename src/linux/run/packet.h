/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages between processes of one run, over a pair of non-blocking sockets from
 * helper_fork(SOCK_SEQPACKET | SOCK_NONBLOCK). Each process takes the other for hostile: its
 * receiver has a table of the messages that it accepts, and ends the connection at any other. Texts
 * for cxlmon-file and cxlmon-http are larger than a message, and go over streams.
 */
#ifndef CXLMON_LINUX_RUN_PACKET_H
#define CXLMON_LINUX_RUN_PACKET_H

#include <stddef.h>
#include <stdint.h>

#define PACKET_BYTES_MOST 65536 /* Linux queues 212992 by default: net.core.wmem_default */

/* A kind of message that a receiver accepts. Its type is its index in the receiver's table. */
struct packet_kind {
	size_t least, most; /* limits of its size in bytes, inclusive */
};

struct packet {
	uint64_t type;
	const void *bytes; /* not owned */
	size_t size;	   /* at most PACKET_BYTES_MOST */
};

/* The last message received, as it was sent. */
struct packet_buffer {
	uint64_t type;
	uint8_t bytes[PACKET_BYTES_MOST + 1]; /* one more, to detect longer messages */
};

/*
 * Sends a message without waiting. 0: sent; -EAGAIN: the queue is full; -EPIPE: the receiver has
 * ended.
 */
int packet_send(int socket, const struct packet *packet);

/*
 * Receives a message without waiting. 1: received; 0: the queue is empty; -EPIPE: the sender has
 * ended; -EBADMSG: the message is of none of the count kinds. out->bytes points into the buffer,
 * aligned to 8.
 */
int packet_receive(int socket, const struct packet_kind *kinds, size_t count,
		   struct packet_buffer *buffer, struct packet *out);

#endif
