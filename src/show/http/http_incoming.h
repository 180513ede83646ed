/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of cxlmon serve, which may have been taken over, from a pipe that does not block. */
#ifndef CXLMON_SHOW_HTTP_HTTP_INCOMING_H
#define CXLMON_SHOW_HTTP_HTTP_INCOMING_H

#include "show/http/message.h"

/* A message that is being read. Initially {0}; freed by incoming_free(). */
struct incoming {
	struct message head;
	size_t head_got;
	char *text; /* NULL: still the head */
	size_t text_got;
};

/*
 * Reads on. 1: a message is whole: *head and *text, which the caller frees; 0: not yet; -EPIPE: the
 * sender has ended; -EBADMSG: it has sent a head that no run sends; -ENOMEM.
 */
int incoming_next(struct incoming *in, int fd, struct message *head, char **text);

void incoming_free(struct incoming *in);

#endif
