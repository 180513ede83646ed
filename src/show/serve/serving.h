/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The output of cxlmon serve: the writer's thread adds each sample to the totals, and renders
 * OpenMetrics and the page; the HTTP server derives all its responses from these. Notifies systemd
 * of the first sample (READY=1) and of further ones (watchdog).
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

/* Default metric groups: those that packaging/prometheus-alerts.yml and the dashboard need. */
#define SERVING_METRICS "cxl,latency,dram,queue,link,port"

/*
 * Opens the listening socket and systemd's notification socket, and starts the HTTP server, while
 * privileges allow it. ERROR_USAGE if systemd's watchdog is shorter than two intervals.
 */
int serving_open(const struct listen_address *address, uint64_t interval_ns, struct serving **out,
		 struct error *err);

/* Returns the HTTP server's process; 0: none. serving may be NULL. */
pid_t serving_process(const struct serving *serving);

/*
 * Checks that the HTTP server runs, and logs its address as a note. The run's journal, if there is
 * one in dir (which may be NULL), shows other runs that samples are taken.
 */
int serving_start(struct serving *serving, const struct run_dir *dir, const struct log *log,
		  struct error *err);

/* Notifies systemd that the run ends. This and the functions below accept NULL. */
void serving_notify_stopping(struct serving *serving);

/* Tells if the HTTP server has failed; sets the error. */
bool serving_failed(struct serving *serving, struct error *err);

/* Stops the HTTP server. Nothing may be published afterwards. */
void serving_stop(struct serving *serving);
void serving_free(struct serving *serving);

/* The format that serves samples; the sink's target is a struct serving. */
extern const struct format format_serving;

#endif
