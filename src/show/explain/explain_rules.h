/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Thresholds and functions that the files explain_rules_*.c share. Thresholds are choices, not
 * measured limits, unless a comment gives a source.
 */
#ifndef CXLMON_SHOW_EXPLAIN_EXPLAIN_RULES_H
#define CXLMON_SHOW_EXPLAIN_EXPLAIN_RULES_H

#include "platform/cxl_link.h"
#include "platform/memory.h"
#include "show/explain/explain_private.h"

/* Percent of a link's capacity for its mix of reads and writes. */
#define SATURATED_PCT (100 * CXL_LINK_FULL) /* the link is full */
#define ROOM_PCT      (100 * CXL_LINK_ROOM) /* up to here, the link has room for more */
/* Percent of a link's raw rate: with less data it is idle, whatever the size of its flits. */
#define IDLE_SHARE_PCT 5

#define FULL_PCT     10	 /* percent of the time that a buffer is full: a finding, and an alert */
#define TRAFFIC_MBPS 100 /* least traffic to judge, in MB/s */

/*
 * If memory of another socket supplies at least this part of a socket's CXL reads, and at least
 * these MB/s, are_remote() is true.
 */
#define REMOTE_PART (1.0 / 3)
#define REMOTE_MBPS 100

/* Returns a figure of the situation; NAN: unknown. Short for explain_figure(). */
static inline double figure(const struct situation *s, const char *name)
{
	return explain_figure(s, name);
}

/* Adds a number for the sentence, whose name is not copied. A rule adds at most NUMBERS_MOST. */
static inline void set_number(struct situation *s, const char *name, double number,
			      unsigned decimals)
{
	s->numbers[s->number_count++] = (struct evidence){name, number, decimals};
}

/* Sets the reason, for the user, why a rule has no answer. Returns NOT_KNOWN. */
static inline enum answer not_known(struct situation *s, const char *reason)
{
	s->reason = reason;
	return NOT_KNOWN;
}

/* Returns the NUMA node of a row; NULL: unknown. */
static inline const struct memory_node *node_of(const struct situation *s, const struct row *row)
{
	return memory_layout_node(&s->explain->info->memory, row->place.node);
}

/* If a figure is above 0, adds a sentence after the rule's. A rule adds at most CAVEATS_MOST. */
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

/* Returns true if many of a socket's CXL reads go to memory of another socket: see REMOTE_PART. */
static inline bool are_remote(const struct situation *s)
{
	const double near = figure(s, "cxl_read_local_MBps"),
		     far = figure(s, "cxl_read_remote_MBps");

	return far >= REMOTE_MBPS && far >= REMOTE_PART * (near + far);
}

#endif
