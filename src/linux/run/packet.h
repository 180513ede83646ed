/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages between processes of one run, over a pair of non-blocking sockets from
 * helper_fork(SOCK_SEQPACKET | SOCK_NONBLOCK), coded by struct coder. Each process takes the other
 * for hostile: a message that its receiver's decoder refuses ends the connection. Texts for
 * cxlmon-file and cxlmon-http are larger than a message, and go over streams.
 */
#ifndef CXLMON_LINUX_RUN_PACKET_H
#define CXLMON_LINUX_RUN_PACKET_H

#include "base/coder.h"

#define PACKET_BYTES_MOST 65536 /* Linux queues 212992 by default: net.core.wmem_default */

/* The last message received. */
struct packet_buffer {
	uint8_t bytes[PACKET_BYTES_MOST + 1]; /* detects longer messages */
};

/*
 * Sends a message, which is not empty, without waiting. 0: sent; -EAGAIN: the queue is full;
 * -EPIPE: the receiver has ended, or memory ran out when the message was coded.
 */
int packet_send(int socket, const struct bytes *message);

/*
 * Receives a message without waiting. 1: *out decodes it, from the buffer; 0: the queue is empty;
 * -EPIPE: the sender has ended; -EBADMSG: the message is too long.
 */
int packet_receive(int socket, struct packet_buffer *buffer, struct coder *out);

#endif
