/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages between processes of one run. They are coded by struct coder, and sent over a pair of
 * non-blocking sockets from helper_fork(SOCK_SEQPACKET | SOCK_NONBLOCK). Processes do not trust
 * each other: a message that its receiver's decoder refuses ends the connection.
 *
 * Texts for cxlmon-file and cxlmon-http are larger than a message, and are sent over streams.
 */
#ifndef CXLMON_LINUX_RUN_PACKET_H
#define CXLMON_LINUX_RUN_PACKET_H

#include "base/coder.h"

#define PACKET_BYTES_MOST 65536 /* Linux queues 212992 by default: net.core.wmem_default */

/* The last message received. One more byte detects longer messages. */
struct packet_buffer {
	uint8_t bytes[PACKET_BYTES_MOST + 1];
};

/*
 * Sends a message, which is not empty, without waiting. Returns:
 *
 * - 0: it was sent
 * - -EAGAIN: the queue is full
 * - -EPIPE: the receiver has ended, or memory ran out when the message was coded
 */
int packet_send(int socket, const struct bytes *message);

/*
 * Receives a message without waiting. Returns:
 *
 * - 1: a message was received; *out decodes it, from the buffer
 * - 0: the queue is empty
 * - -EPIPE: the sender has ended
 * - -EBADMSG: the message is too long
 */
int packet_receive(int socket, struct packet_buffer *buffer, struct coder *out);

#endif
