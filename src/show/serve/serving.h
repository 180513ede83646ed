/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The output of cxlmon serve: the writer's thread adds each sample to the totals, and renders the
 * expositions that the HTTP server sends. Notifies systemd of the first sample (READY=1) and of
 * further ones (watchdog).
 */
#ifndef CXLMON_SHOW_SERVE_SERVING_H
#define CXLMON_SHOW_SERVE_SERVING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/error.h"
#include "linux/run/run_dir.h"
#include "output/sink.h"
#include "record/recording.h"
#include "show/http/message.h"
#include "show/serve/listener.h"
#include "show/serve/recent.h"
#include "view/view.h"

struct serving;

/* Default metric groups: what packaging/prometheus-alerts.yml and the dashboard need. */
#define SERVING_METRICS "cxl,latency,dram,queue,link,port"

/*
 * Opens the listening socket and systemd's notification socket, and starts the HTTP server, while
 * privileges allow it. ERROR_USAGE if systemd's watchdog is shorter than two intervals.
 */
int serving_open(const struct listen_address *address, uint64_t interval_ns, struct serving **out,
		 struct error *err);

/* The HTTP server's process; 0: none. serving may be NULL. */
pid_t serving_process(const struct serving *serving);

/*
 * Checks that the HTTP server is there, and logs its address as a note. By the journal of the run,
 * if there is one in dir (which may be NULL), others see that samples are taken.
 */
int serving_start(struct serving *serving, const struct run_dir *dir, const struct log *log,
		  struct error *err);

/* Notifies systemd that the run ends. NULL does nothing, here and below. */
void serving_notify_stopping(struct serving *serving);

/* Whether the HTTP server has failed; sets the error. */
bool serving_failed(struct serving *serving, struct error *err);

/* Stops the HTTP server. Nothing may be published afterwards. */
void serving_stop(struct serving *serving);
void serving_free(struct serving *serving);

/* The sink's target is a struct serving. */
extern const struct format format_serving;

/*
 * The page / for people: tiles, charts and figures of the last minutes, in the look of the report.
 * Its script replaces what has changed; without scripts, a browser reloads it. Its
 * Content-Security-Policy has the hashes of its style and script, and lets the script ask this
 * server alone.
 */

/* stale: no sample has come for long. Then there are no values, as in the expositions. */
void serving_page_put(FILE *out, const struct recent *recent, const struct recording_info *info,
		      uint64_t wall_ns, bool stale);

/*
 * The HTTP server as a process of its own (src/show/http): the expositions go to it through a pipe.
 * When either of the two ends, so does the other.
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
 * left out until it has read the last one. The head has the size of the text.
 */
void http_process_publish(struct http_process *http, const struct message *head, const char *text);

/* Whether it has ended, which it does not by itself. */
bool http_process_failed(struct http_process *http);

/* Ends it, and waits for that; unfinished responses are cut off. */
void http_process_stop(struct http_process *http);

#endif
