/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process beside a run that has given up its rights: it keeps those that reading the memory maps
 * of others needs, and does nothing but struct top. It begins when it is first asked to, and ends
 * when the run does. Before it is asked, it gives up all other rights except that to open perf
 * events, which it gives up when they are open, if reads are asked for.
 */
#ifndef CXLMON_PROBE_TOP_TOP_WATCHER_H
#define CXLMON_PROBE_TOP_TOP_WATCHER_H

#include "linux/run/packet.h"
#include "probe/top/top.h"

/* From the run to the process: how it is to go on. */
struct top_request {
	uint64_t interval_ns; /* of updates */
	unsigned pid;	      /* whose page is open; 0: none */
	uint64_t started;     /* likewise */
	uint8_t reads;	      /* 1: loads are to be sampled, from now on */
	uint8_t aside;	      /* 1: struct rolling_scan.aside */
	enum top_by by;	      /* groups whose latencies are wanted */
};

/* What has come of an update so far, and the last one that is whole. */
struct top_watcher {
	pid_t pid;  /* 0: none */
	int socket; /* -1: none, or it has ended */
	struct top_update last;
	bool complete; /* there is a .last */
	struct top_update next;
	bool begun; /* there is a .next.summary, of whose rows and page these are missing: */
	size_t rows_missing;
	bool page_missing;
	struct packet_buffer *buffer;
};

/*
 * Starts the process, while this one has its rights and a single thread; options must stay valid
 * until then. It waits for a request.
 */
int top_watcher_start(const struct top_options *options, struct top_watcher *out,
		      struct error *err);

/* Never waits. What can't be sent is dropped: the process has ended, or has requests enough. */
void top_watcher_ask(const struct top_watcher *watcher, const struct top_request *request);

/* Lets it end. */
void top_watcher_stop(struct top_watcher *watcher);

/* top_parts.c: updates in parts. */

/*
 * Sends the parts of an update from *index on, which becomes the index of the first one that was
 * not sent. 0: all were sent; -EAGAIN: there is no room for more now; -EPIPE. Never waits.
 */
int top_parts_send(int socket, const struct top *top, size_t *index);

/*
 * Takes the parts of updates that have come, without waiting. Returns true if there is a new .last.
 * A part that top_check.c does not allow ends the connection.
 */
bool top_watcher_read(struct top_watcher *watcher);

#endif
