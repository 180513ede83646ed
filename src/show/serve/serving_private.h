/* SPDX-License-Identifier: BSD-3-Clause */
/* Private header of cxlmon serve: its page, and the process of its HTTP server. */
#ifndef CXLMON_SHOW_SERVE_SERVING_PRIVATE_H
#define CXLMON_SHOW_SERVE_SERVING_PRIVATE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/number.h"
#include "record/recording.h"
#include "series/series.h"
#include "show/http/message.h"

/*
 * serving_page.c: the page "/" for people, with tiles, charts and numbers of the last minutes, in
 * the style of the report. Its script replaces changed values; without scripts, a browser reloads
 * it. Its Content-Security-Policy has the hashes of its style and script, and lets the script send
 * requests only to this server.
 */

/* Number and length of the steps of the last minutes. If a sample is longer, it is a step. */
#define SERVING_STEPS	150
#define SERVING_STEP_NS (2 * NS_PER_S)

/*
 * Prints the page, and after it the part that replaces its values if samples are overdue. Sets
 * .size, .stale_from and .stale_to of *head. recent: series with these steps of every number.
 * wall_ns: time of the latest sample, since 1970.
 */
void serving_page_put(FILE *out, const struct series *recent, const struct recording_info *info,
		      uint64_t wall_ns, struct message *head);

/*
 * http_process.c: the HTTP server, a separate process (src/show/http). It receives texts through a
 * pipe. If one of the two processes ends, so does the other.
 */

struct http_process {
	pid_t pid;  /* 0: none */
	bool ended; /* set by http_process_failed() */
	int texts;  /* the pipe, used by one thread; -1: closed */
	char *rest; /* rest of a message for a full pipe; freed by http_process_stop() */
	size_t rest_size;
};

/*
 * Starts cxlmon-http with the listening socket, which is closed in this process, also after an
 * error. Waits until the server runs, as an unprivileged user. Returns 0 or a negative errno,
 * ERROR_FAILED. *out is to be stopped also after failure.
 */
int http_process_start(int listener, struct http_process *out, struct error *err);

/*
 * Makes the server serve a text from now on: head, and the message_bytes() that follow it. Waits at
 * most one second for a server that does not read. Later texts are left out until it has read this
 * one.
 */
void http_process_publish(struct http_process *http, const struct message *head, const char *text);

/* Returns true if the server has ended, which it never does by itself. Does not wait. */
bool http_process_failed(struct http_process *http);

/*
 * Ends the server, after one second by SIGKILL, and waits for its end. Unfinished responses are cut
 * off.
 */
void http_process_stop(struct http_process *http);

#endif
