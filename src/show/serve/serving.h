/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The output of cxlmon serve. The writer's thread adds each sample to totals, and renders the
 * metrics (OpenMetrics) and a page. An HTTP server, a separate process, makes all its responses
 * from these. systemd is notified of the first sample (READY=1) and of further ones (watchdog).
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

/* Metric groups without -m: those that packaging/prometheus-alerts.yml and the dashboard need. */
#define SERVING_METRICS "cxl,latency,dram,queue,link,port"

/*
 * Opens the listening socket and systemd's notification socket, and starts the HTTP server. Call
 * while permissions allow it. Returns 0 or a negative errno. ERROR_USAGE: systemd's watchdog is
 * shorter than two intervals. *out, initially NULL, is freed by serving_free(), also after failure.
 */
int serving_open(const struct listen_address *address, uint64_t interval_ns, struct serving **out,
		 struct error *err);

/* Returns the HTTP server's process; 0: none, or serving is NULL. */
pid_t serving_process(const struct serving *serving);

/*
 * Checks that the HTTP server runs, and logs its address as a note. If dir (may be NULL) has a
 * journal, each later rendering changes the journal's time, so that cxlmon doctor sees that samples
 * are taken. Returns 0, or -EIO: the server has ended.
 */
int serving_start(struct serving *serving, const struct run_dir *dir, const struct log *log,
		  struct error *err);

/* Notifies systemd that the run ends. Like the functions below, accepts NULL. */
void serving_notify_stopping(struct serving *serving);

/*
 * Returns true if the HTTP server has ended, which is a failure, and sets the error (err may be
 * NULL).
 */
bool serving_failed(struct serving *serving, struct error *err);

/* Stops the HTTP server. No sample may follow. */
void serving_stop(struct serving *serving);
void serving_free(struct serving *serving);

/*
 * The format that serves samples. Its sink's .target is a struct serving, and .info must not be
 * NULL.
 */
extern const struct format format_serving;

#endif
