/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A helper process that runs struct top for a run that has given up its rights. It keeps the right
 * to read the memory maps of other processes and, until it samples, the right to open perf events;
 * it gives up all other rights before it reads a request. It begins to watch at the first request,
 * and ends with the run.
 */
#ifndef CXLMON_PROBE_TOP_TOP_WATCHER_H
#define CXLMON_PROBE_TOP_TOP_WATCHER_H

#include "linux/run/packet.h"
#include "probe/top/top.h"

/* A request of the run to the process. It replaces the request before. */
struct top_request {
	uint64_t interval_ns; /* time between updates; less than 250 ms counts as 250 ms */
	unsigned pid;	      /* process with an open page; 0: none */
	uint64_t started;     /* start of that process */
	bool reads;	      /* loads are sampled; false: no longer, or not yet */
	bool aside;	      /* struct rolling_scan.aside */
	enum row_by by;	      /* groups whose latencies are wanted */
};

/* The run's end of the connection. */
struct top_watcher {
	pid_t pid;		/* 0: none */
	int socket;		/* -1: none, or the process has ended */
	struct top_update last; /* latest complete update */
	bool complete;		/* .last is valid */
	struct top_update next; /* update of which parts have come */
	bool begun;		/* .next.summary is valid; its rows and page follow */
	size_t rows_missing;
	unsigned page_parts_missing;
	struct packet_buffer *buffer;
};

/*
 * Starts the process, which waits for a request. Called while this process has its rights and a
 * single thread; options are used only during the call. After an error nothing is left to stop.
 */
int top_watcher_start(const struct top_options *options, struct top_watcher *out,
		      struct error *err);

/*
 * Sends a request without waiting. It is dropped if it cannot be sent: the process has ended, or
 * many requests wait.
 */
void top_watcher_ask(const struct top_watcher *watcher, const struct top_request *request);

/* Closes the socket, which ends the process, and frees the updates. */
void top_watcher_stop(struct top_watcher *watcher);

/* top_parts.c: updates sent in parts: the summary, rows and the page. */

/*
 * Sends the parts of an update from *index (initially 0) on, without waiting, and sets *index to
 * the first part not sent. 0: all were sent; -EAGAIN: no room now; -EPIPE: the run has ended.
 */
int top_parts_send(int socket, struct top *top, size_t *index);

/*
 * Takes parts of updates that have come, without waiting. Returns true if .last is new. A part
 * that the process never sends ends the connection.
 */
bool top_watcher_read(struct top_watcher *watcher);

#endif
