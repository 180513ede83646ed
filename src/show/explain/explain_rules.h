/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts that rules of several files explain_rules_*.c share. A rule is written as name, subject,
 * samples and condition, then sentence and advice. It has an answer only if all its inputs are
 * known. Thresholds are choices, except if a comment gives a source.
 */
#ifndef CXLMON_SHOW_EXPLAIN_EXPLAIN_RULES_H
#define CXLMON_SHOW_EXPLAIN_EXPLAIN_RULES_H

#include "platform/cxl_link.h"
#include "platform/memory.h"
#include "show/explain/explain_private.h"

/*
 * Use of a link, in percent of its capacity for its mix of reads and writes: full, and with room
 * for more.
 */
#define SATURATED_PCT (100 * CXL_LINK_FULL)
#define ROOM_PCT      (100 * CXL_LINK_ROOM)
/*
 * Data on an idle link, in percent of its raw rate: less than a tenth of its capacity, whatever its
 * flits.
 */
#define IDLE_SHARE_PCT 5

/* percent of the time in which a buffer is full, as in the alerts of packaging */
#define FULL_PCT     10
#define TRAFFIC_MBPS 100       /* least traffic to judge, in MB/s */
#define REMOTE_PART  (1.0 / 3) /* least part of reads that makes them remote */
#define REMOTE_MBPS  100

/* Returns a figure by name, as explain_figure(). */
static inline double figure(const struct situation *s, const char *name)
{
	return explain_figure(s, name);
}

/* Adds a number to the evidence; NUMBERS_MOST at most. */
static inline void set_number(struct situation *s, const char *name, double number,
			      unsigned decimals)
{
	s->numbers[s->number_count++] = (struct evidence){name, number, decimals};
}

/* Returns NOT_KNOWN, with the reason for the user. */
static inline enum answer not_known(struct situation *s, const char *reason)
{
	s->reason = reason;
	return NOT_KNOWN;
}

/* Returns the memory node of a NUMA node's row; NULL: unknown. */
static inline const struct memory_node *node_of(const struct situation *s, const struct row *row)
{
	return memory_layout_node(&s->explain->info->memory, row->place.node);
}

/* Adds a sentence after the rule's if a figure is above 0; CAVEATS_MOST at most. */
static inline void add_caveat(struct situation *s, const char *figure_name, const char *sentence)
{
	size_t i = 0;

	while (s->caveats[i])
		i++;
	if (figure(s, figure_name) > 0)
		s->caveats[i] = sentence;
}

/* Adds the sentence that reads are counted as requests, if they are. */
static inline void add_caveat_of_requests(struct situation *s)
{
	add_caveat(s, "estimated_pct",
		   "Reads are counted as requests here, which is an upper estimate.");
}

/*
 * Returns true if many of a socket's CXL reads pass links of another socket: their latency is in
 * the mean.
 */
static inline bool are_remote(const struct situation *s)
{
	const double near = figure(s, "cxl_read_local_MBps"),
		     far = figure(s, "cxl_read_remote_MBps");

	return far >= REMOTE_MBPS && far >= REMOTE_PART * (near + far);
}

#endif
