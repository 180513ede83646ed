/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The output of cxlmon serve. The writer's thread adds each sample, renders the metrics
 * (OpenMetrics) and a page as texts, and sends these to an HTTP server, a separate process. It
 * notifies systemd of the first sample (READY=1), and of later ones for systemd's watchdog.
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
#include "show/serve/listener.h"

struct serving;

/* Metric groups that are served without -m: alerts and dashboard in packaging/ need them. */
#define SERVING_METRICS "cxl,latency,dram,queue,link,port"

/*
 * Opens the listening socket and systemd's notification socket, and starts the HTTP server. Call it
 * before permissions are dropped. Returns 0 or a negative errno. ERROR_USAGE: systemd's watchdog is
 * shorter than two intervals. *out is initially NULL; freed by serving_free(), also after failure.
 */
int serving_open(const struct listen_address *address, uint64_t interval_ns, struct serving **out,
		 struct error *err);

/* Returns the pid of the HTTP server; 0: none. serving may be NULL. */
pid_t serving_process(const struct serving *serving);

/*
 * Checks that the HTTP server runs, and logs its address as a note. dir: the directory of the run,
 * or NULL. If it has a journal, run_dir_beat() is called each time that texts are sent: so cxlmon
 * doctor sees that samples are taken. Returns 0, or -EIO: the server has ended.
 */
int serving_start(struct serving *serving, const struct run_dir *dir, const struct log *log,
		  struct error *err);

/* The next four functions do nothing if serving is NULL. */

/* Notifies systemd that the run ends. */
void serving_notify_stopping(struct serving *serving);

/* If the HTTP server has ended, which is a failure, sets *err, and returns true. err may be NULL.
 */
bool serving_failed(struct serving *serving, struct error *err);

/* Stops the HTTP server. No sample may follow. */
void serving_stop(struct serving *serving);
void serving_free(struct serving *serving);

/* Format that serves samples. The sink's .target is a struct serving; .info must not be NULL. */
extern const struct format format_serving;

#endif
