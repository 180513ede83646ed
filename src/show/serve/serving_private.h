/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to cxlmon serve: its page, and the process of its HTTP server. */
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
 * serving_page.c: the page / for people: tiles, charts and figures of the last minutes, in the look
 * of the report. Its script replaces what has changed; without scripts, a browser reloads it. Its
 * Content-Security-Policy has the hashes of its style and script, and lets the script ask this
 * server alone.
 */

/* Steps of the last minutes, of two seconds or of one sample, whichever is longer. */
#define SERVING_STEPS	150
#define SERVING_STEP_NS (2 * NS_PER_S)

/*
 * Writes a page, and what takes the place of its values when no sample has come for long. Sets the
 * sizes in the head. recent: with these steps of every number.
 */
void serving_page_put(FILE *out, const struct series *recent, const struct recording_info *info,
		      uint64_t wall_ns, struct message *head);

/*
 * http_process.c: the HTTP server as a process of its own (src/show/http): the expositions go to it
 * through a pipe. When either of the two ends, so does the other.
 */

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
 * left out until it has read the last one. The head has the
 * sizes of the text and of what follows it.
 */
void http_process_publish(struct http_process *http, const struct message *head, const char *text);

/* Whether it has ended, which it does not by itself. */
bool http_process_failed(struct http_process *http);

/* Ends it, and waits for that; unfinished responses are cut off. */
void http_process_stop(struct http_process *http);

#endif
