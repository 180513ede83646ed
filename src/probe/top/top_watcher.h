/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-top: a helper process that runs struct top for a run that has given up its rights. Before
 * it reads a request, it gives up all rights except these:
 * - to read the memory maps of other processes, and to list their open files
 * - to open perf events, until it samples
 *
 * It begins to watch processes at the first request, and ends with the run.
 */
#ifndef CXLMON_PROBE_TOP_TOP_WATCHER_H
#define CXLMON_PROBE_TOP_TOP_WATCHER_H

#include "linux/run/packet.h"
#include "probe/top/top.h"

/* A request of the run to cxlmon-top. It replaces the request before. */
struct top_request {
	uint64_t interval_ns; /* time between updates; less than 250 ms counts as 250 ms */
	unsigned pid;	      /* process with an open page; 0: none */
	uint64_t started;     /* process_identity.started of that process */
	bool reads;	      /* loads are to be sampled from now on; false: sampling stops */
	bool aside;	      /* struct rolling_scan.aside */
	enum row_by by;	      /* groups whose latencies are wanted; BY_PROCESS: none */
};

/* The run's end of the connection to cxlmon-top. */
struct top_watcher {
	pid_t pid;		/* 0: not started */
	int socket;		/* -1: closed, or cxlmon-top has ended */
	struct top_update last; /* latest complete update */
	bool complete;		/* .last is valid */
	struct top_update next; /* update whose parts are coming */
	bool begun;		/* .next.summary has come; other parts are missing */
	size_t rows_missing;
	unsigned page_parts_missing;
	struct packet_buffer *buffer;
};

/*
 * Starts cxlmon-top, which waits for a request. This process must still have its rights, and only
 * one thread. options may become invalid after the call. Returns 0 or a negative errno: *out is
 * then stopped.
 */
int top_watcher_start(const struct top_options *options, struct top_watcher *out,
		      struct error *err);

/*
 * Sends a request without waiting. If cxlmon-top has ended, or too many requests wait, drops the
 * request.
 */
void top_watcher_ask(const struct top_watcher *watcher, const struct top_request *request);

/* Closes the socket, which ends cxlmon-top, and frees the updates. */
void top_watcher_stop(struct top_watcher *watcher);

/* top_parts.c: an update is sent in parts: the summary, then rows, then the page. */

/*
 * Sends parts of an update to the run, without waiting. *index: first part to send, initially 0;
 * becomes the first part that was not sent. Returns:
 * - 0: all parts were sent
 * - -EAGAIN: the socket has no room
 * - -EPIPE: the run has ended, or memory ran out
 */
int top_parts_send(int socket, struct top *top, size_t *index);

/*
 * Takes the parts of updates that have come, without waiting. If a part is invalid, closes the
 * connection. Returns true if .last is a new update.
 */
bool top_watcher_read(struct top_watcher *watcher);

#endif
