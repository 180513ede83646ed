/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The HTTP server as a process of its own (src/http): the expositions go to it through a pipe. When
 * either of the two ends, so does the other.
 */
#ifndef CXLMON_HTTP_PROCESS_H
#define CXLMON_HTTP_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "http/message.h"
#include "platform/error.h"

struct http_process {
	pid_t pid; /* 0: none */
	bool ended;
	int texts;  /* the pipe; used by one thread */
	char *rest; /* of a message that the pipe did not take; freed by http_process_stop() */
	size_t rest_size;
};

/*
 * Starts cxlmon-http with the listening socket, which is closed here, also after an error. Returns
 * when it serves, as an unprivileged user.
 */
int http_process_start(int listener, struct http_process *out, struct error *err);

/*
 * Serves this text from now on. A server that does not read is waited for a second; then texts are
 * left out until it has read the last one. The head has the size of the text.
 */
void http_process_publish(struct http_process *http, const struct message *head, const char *text);

/* Whether it has ended, which it does not by itself. */
bool http_process_failed(struct http_process *http);

/* Ends it, and waits for that; unfinished responses are cut off. */
void http_process_stop(struct http_process *http);

#endif
