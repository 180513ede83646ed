/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages between processes of one run. They are coded by struct coder, and sent over a
 * packet_pair(), as helper_fork() opens it. Processes do not trust each other: a message that its
 * receiver's decoder refuses ends the connection.
 *
 * A larger text is sent as several messages, without a code. Texts for cxlmon-http, a program of
 * its own, are sent over a pipe.
 */
#ifndef CXLMON_LINUX_RUN_PACKET_H
#define CXLMON_LINUX_RUN_PACKET_H

#include "base/coder.h"

#define PACKET_BYTES_MOST 65536 /* Linux queues 212992 by default: net.core.wmem_default */

/* Opens both ends of a pair of non-blocking sockets. Returns 0 or a negative errno. */
int packet_pair(int ends[2]);

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
 * Sends a message and a descriptor (negative: none), and waits while the queue is full. Frees the
 * message and closes the descriptor, also after failure. Returns 0 or -EPIPE as packet_send() does.
 */
int packet_send_waiting(int socket, struct bytes *message, int fd);

/*
 * Receives a message without waiting. *out decodes it, from the buffer; it is .bad if there is no
 * message. *fd becomes the descriptor that came with the message, which the caller closes; -1:
 * none. fd NULL: a descriptor is dropped. Returns:
 *
 * - 1: a message was received
 * - 0: the queue is empty
 * - -EPIPE: the sender has ended
 * - -EBADMSG: the message is too long, or has several descriptors, which are dropped
 */
int packet_receive(int socket, struct packet_buffer *buffer, struct coder *out, int *fd);

/* Waits for POLLIN or POLLOUT, poll(2), or the end of the other process. */
void packet_wait(int socket, short event);

#endif
