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
 * The page / for people: tiles, charts and numbers of the last minutes, in the style of the report
 * (serving_page.c). Its script replaces changed values; without scripts, a browser reloads it. Its
 * Content-Security-Policy has the hashes of its style and script, and lets the script send requests
 * only to this server.
 */

/* Steps of the last minutes, each of two seconds or of one sample, whichever is longer. */
#define SERVING_STEPS	150
#define SERVING_STEP_NS (2 * NS_PER_S)

/*
 * Writes a page, and the replacement for its values if samples are overdue. Sets the sizes in the
 * head. recent: has these steps of every number.
 */
void serving_page_put(FILE *out, const struct series *recent, const struct recording_info *info,
		      uint64_t wall_ns, struct message *head);

/*
 * The HTTP server, a separate process (src/show/http), which receives the expositions through a
 * pipe (http_process.c). If one of both processes ends, so does the other.
 */

struct http_process {
	pid_t pid; /* 0: none */
	bool ended;
	int texts;  /* the pipe; used by one thread */
	char *rest; /* rest of a message for a full pipe; freed by http_process_stop() */
	size_t rest_size;
};

/*
 * Starts cxlmon-http with the listening socket, which is closed here, also after an error. Returns
 * when the server runs, as an unprivileged user.
 */
int http_process_start(int listener, struct http_process *out, struct error *err);

/*
 * Serves this text from now on. Waits one second for a server that does not read; then texts are
 * left out until it has read the last one. The head has the sizes of the text and of the part that
 * follows it.
 */
void http_process_publish(struct http_process *http, const struct message *head, const char *text);

/* Tells if the server has ended, which it never does by itself. */
bool http_process_failed(struct http_process *http);

/* Ends the server, and waits for its end; unfinished responses are cut off. */
void http_process_stop(struct http_process *http);

#endif
