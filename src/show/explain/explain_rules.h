/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Private to src/show/explain/explain_rules*.c: what rules of several files share. A rule reads
 * best as name, subject, samples and condition, then sentence and advice. A rule answers
 * only where all its inputs are known. The thresholds are choices, but for what their comments say.
 */
#ifndef CXLMON_SHOW_EXPLAIN_EXPLAIN_RULES_H
#define CXLMON_SHOW_EXPLAIN_EXPLAIN_RULES_H

#include "platform/cxl_link.h"
#include "platform/memory.h"
#include "show/explain/explain_private.h"

/* Percent of what a link can carry of its mix of reads and writes. */
#define SATURATED_PCT (100 * CXL_LINK_FULL)
#define ROOM_PCT      (100 * CXL_LINK_ROOM)
/* Percent of its raw rate as data: however short its flits are, no tenth of what it can carry. */
#define IDLE_SHARE_PCT 5

#define FULL_PCT     10	 /* of the time a buffer is; as the alerts of packaging have it */
#define TRAFFIC_MBPS 100 /* less is no traffic to judge */
#define REMOTE_PART  (1.0 / 3)
#define REMOTE_MBPS  100

static inline double figure(const struct situation *s, const char *name)
{
	return explain_figure(s, name);
}

static inline void set_number(struct situation *s, const char *name, double number,
			      unsigned decimals)
{
	s->numbers[s->number_count++] = (struct evidence){name, number, decimals};
}

static inline enum answer not_known(struct situation *s, const char *reason)
{
	s->reason = reason;
	return NOT_KNOWN;
}

static inline const struct memory_node *node_of(const struct situation *s, const struct row *row)
{
	return memory_layout_node(&s->explain->info->memory, row->place.node);
}

static inline void add_caveat(struct situation *s, const char *figure_name, const char *sentence)
{
	size_t i = 0;

	while (s->caveats[i])
		i++;
	if (figure(s, figure_name) > 0)
		s->caveats[i] = sentence;
}

/* What is said of how full a link is by reads may be too much. */
static inline void add_caveat_of_requests(struct situation *s)
{
	add_caveat(s, "estimated_pct",
		   "Reads are counted as requests here, which is an upper estimate.");
}

/* Whether many of a socket's reads pass links of another one, whose latency is in the mean. */
static inline bool are_remote(const struct situation *s)
{
	const double near = figure(s, "cxl_read_local_MBps"),
		     far = figure(s, "cxl_read_remote_MBps");

	return far >= REMOTE_MBPS && far >= REMOTE_PART * (near + far);
}

#endif
