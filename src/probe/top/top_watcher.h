/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A helper process of a run that has given up its rights: it keeps the right to read the memory
 * maps of other processes, and runs only struct top. It begins at the first request, and ends with
 * the run. Before that request it gives up all other rights except the right to open perf events,
 * which it gives up once they are open, if reads are asked for.
 */
#ifndef CXLMON_PROBE_TOP_TOP_WATCHER_H
#define CXLMON_PROBE_TOP_TOP_WATCHER_H

#include "linux/run/packet.h"
#include "probe/top/top.h"

/* A request of the run to the process. */
struct top_request {
	uint64_t interval_ns; /* time between updates */
	unsigned pid;	      /* process with an open page; 0: none */
	uint64_t started;     /* start of that process */
	uint8_t reads;	      /* 1: loads are sampled; 0: no longer, or not yet */
	uint8_t aside;	      /* 1: struct rolling_scan.aside */
	enum row_by by;	      /* groups whose latencies are wanted */
};

/* The next update, as far as it has come, and the last complete one. */
struct top_watcher {
	pid_t pid;  /* 0: none */
	int socket; /* -1: none, or the process has ended */
	struct top_update last;
	bool complete; /* .last is valid */
	struct top_update next;
	/* .next.summary is valid; its rows and page follow */
	bool begun;
	size_t rows_missing;
	bool page_missing;
	struct packet_buffer *buffer;
};

/*
 * Starts the process, which waits for a request. Called while this process has its rights and a
 * single thread; options must stay valid until then.
 */
int top_watcher_start(const struct top_options *options, struct top_watcher *out,
		      struct error *err);

/*
 * Sends a request without waiting. A request that cannot be sent is dropped: the process has
 * ended, or has enough requests.
 */
void top_watcher_ask(const struct top_watcher *watcher, const struct top_request *request);

/* Closes the socket, which ends the process. */
void top_watcher_stop(struct top_watcher *watcher);

/* top_parts.c: updates in parts. */

/*
 * Sends the parts of an update from *index on, and advances *index to the first part not sent.
 * Never waits. 0: all were sent; -EAGAIN: no room now; -EPIPE.
 */
int top_parts_send(int socket, const struct top *top, size_t *index);

/*
 * Takes parts of updates that have come, without waiting. Returns true if .last is new. A part
 * that top_check.c does not allow ends the connection.
 */
bool top_watcher_read(struct top_watcher *watcher);

#endif
