/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What limits CXL, in at most ten sentences, by the samples of a run or of a recording.
 *
 * Samples are added one by one; nothing of them is kept but sums. Of each cell there is a mean over
 * all samples, and one over the busy ones: those in which the row's CXL traffic was within a tenth
 * of its highest. A load of a minute in an hour's recording is judged by that minute.
 */
#ifndef CXLMON_EXPLAIN_H
#define CXLMON_EXPLAIN_H

#include "output/sink.h"
#include "record/hot_report.h"
#include "record/recording.h"
#include "view/view.h"

#define EXPLAIN_SCHEMA	  1
#define FINDINGS_MOST	  10
#define EVIDENCE_MOST	  8
#define FINDING_TEXT_SIZE 400
#define RULES_MOST	  24

/* Metric groups that the rules need. */
#define EXPLAIN_METRICS "cxl,latency,queue,link,port,health,core,device,tiering"

/* What sampled loads say, where there are any: see struct hot_report. */
struct explained_hot {
	double events[2];     /* of the samples, by enum hot_memory: CXL and DRAM */
	double counted_MB[2]; /* reads, likewise, by counters; NAN: not known */
	bool counts;	      /* events are as many as there were */
	/* as in struct hot_report, when they were known last; NAN: never */
	double hot_cxl_GiB, colder_dram_GiB, unseen_dram_GiB;
};

struct explained_cell;
struct explained_mark;
struct explained_row;
struct rule;

struct explain {
	const struct view *view;	   /* not owned */
	const struct recording_info *info; /* likewise */
	uint64_t samples;
	uint64_t first_ns, last_ns; /* ends of the first and the last sample, since 1970 */

	/* private */
	struct explained_row *rows;   /* of metrics */
	struct explained_cell *cells; /* by row and column */
	struct explained_mark *marks; /* by kind */
	size_t read, write;	      /* columns of CXL traffic; SIZE_MAX: none */
	struct explained_hot hot;
};

/* about and view must outlive it. -ENOMEM. Freed by explain_free(), also after failure. */
int explain_init(struct explain *explain, const struct view *view,
		 const struct recording_info *info);
void explain_free(struct explain *explain);

/* Adds the values that the view has now. */
void explain_add(struct explain *explain, const struct sample *sample);

/* A value that a sentence rests on. */
struct evidence {
	const char *name; /* a metric's, or a number of the rule's own; ends with its unit */
	double number;
	unsigned decimals;
};

struct finding {
	const char *rule;      /* "link_saturated" */
	const struct row *row; /* NULL: of a device, of a region, or of the whole system */
	char where[160];       /* "socket 0 port 1 mem1", "mem1", "region0" or "system" */
	char sentence[FINDING_TEXT_SIZE];
	struct evidence evidence[EVIDENCE_MOST];
	size_t evidence_count;
	const char *advice; /* what to do; NULL: nothing */
};

/* What no rule could answer, as its metrics are not known. */
struct not_checked {
	const char *what;   /* "throttling" */
	const char *groups; /* that have them, comma separated; NULL: no group has */
};

struct findings {
	struct finding all[FINDINGS_MOST]; /* the worst first; never none */
	size_t count;
	bool none;	 /* no rule holds: the only sentence says so */
	size_t left_out; /* for which there was no room */
	struct not_checked not_checked[RULES_MOST];
	size_t not_checked_count;
};

/* What follows from the samples so far. Points into explain. */
void explain_conclude(const struct explain *explain, struct findings *out);

/* Formats that print, after the last sample, what limits CXL. The sink's .info must be known. */
extern const struct format format_explain, format_explain_json;

#endif
