/* SPDX-License-Identifier: BSD-3-Clause */
/* Private header of cxlmon serve: its page for people, and the process of its HTTP server. */
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
 * serving_page.c: the page "/", with tiles, charts and numbers of the last minutes. Its script
 * replaces changed values; without scripts, a browser reloads the page. Its Content-Security-Policy
 * allows only its own style and script, by their hashes, and requests only to this server.
 */

/* Number and least length of steps: a step has the samples of 2 s, or one longer sample. */
#define SERVING_STEPS	150
#define SERVING_STEP_NS (2 * NS_PER_S)

/*
 * Prints the page, followed by the bytes for its stale form. Sets .size, .stale_from and .stale_to
 * of *head: see struct message. recent: all values, in SERVING_STEPS steps. wall_ns: end of the
 * latest sample, since 1970.
 */
void serving_page_put(FILE *out, const struct series *recent, const struct recording_info *info,
		      uint64_t wall_ns, struct message *head);

/*
 * http_process.c: the HTTP server, a separate process (src/show/http). It receives texts through a
 * pipe, and ends with it.
 */

/* The HTTP server's process, and the pipe to it. */
struct http_process {
	pid_t pid;	  /* 0: none */
	bool ended;	  /* the process was found to have ended */
	int texts;	  /* the pipe, used by one thread; -1: closed */
	char *rest;	  /* unsent rest of a message, owned; NULL: none */
	size_t rest_size; /* bytes of .rest */
};

/*
 * Starts cxlmon-http with the listening socket, which this function closes, also after an error.
 * Waits until the server runs without privileges. Returns 0 or a negative errno (ERROR_FAILED).
 * Stopped by http_process_stop(), also after failure.
 */
int http_process_start(int listener, struct http_process *out, struct error *err);

/*
 * Sends a message: the head and, from text, the message_bytes() that follow it. If the pipe is
 * full, waits at most one second, and keeps the rest. While a rest cannot be sent, later messages
 * are dropped.
 */
void http_process_publish(struct http_process *http, const struct message *head, const char *text);

/* Returns true if the server has ended, which is a failure. Does not wait. */
bool http_process_failed(struct http_process *http);

/*
 * Ends the server, and waits for its end. Kills it if it takes longer than one second. Unfinished
 * responses are cut off.
 */
void http_process_stop(struct http_process *http);

#endif
