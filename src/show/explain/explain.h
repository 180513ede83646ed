/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What limits CXL, in at most ten sentences, by the samples of a run or of a recording.
 *
 * Samples are added one by one; nothing of them is kept but sums. Each rule has its own, of each of
 * its subjects, over its samples: those in which all that it sets beside each other is known. Some
 * rules take busy samples alone, in which the subject's CXL traffic was within about a tenth of its
 * highest: a load of a minute in an hour's recording is judged by that minute. All numbers of a
 * finding are of the same samples, and it says of how many.
 */
#ifndef CXLMON_SHOW_EXPLAIN_EXPLAIN_H
#define CXLMON_SHOW_EXPLAIN_EXPLAIN_H

#include "output/sink.h"
#include "process/report.h"
#include "record/recording.h"
#include "table/table.h"

#define EXPLAIN_SCHEMA	  1
#define FINDINGS_MOST	  10
#define EVIDENCE_MOST	  8
#define FINDING_TEXT_SIZE 512
#define GROUPS_SIZE	  64
#define REASON_SIZE	  96
#define RULES_MOST	  32

/* Metric groups that the rules need. */
#define EXPLAIN_METRICS "cxl,latency,queue,link,upilink,port,health,core,device,tiering"

/* What sampled loads say, where there are any: see struct process_report. */
struct explained_hot {
	double events[2];     /* of the samples, by enum read_memory: CXL and DRAM */
	double counted_MB[2]; /* reads, likewise, by counters; NAN: not known */
	bool counts;	      /* events are as many as there were */
	/* as in struct process_report, when they were known last; NAN: never */
	double hot_cxl_GiB, colder_dram_GiB, unseen_dram_GiB;
};

struct explained_mark;
struct explained_rule;

struct explain {
	const struct table *table;	   /* not owned */
	const struct recording_info *info; /* likewise */
	uint64_t samples;
	uint64_t first_ns, last_ns; /* ends of the first and the last sample, since 1970 */
	bool swept;		    /* the load is that of cxlmon sweep */
	bool raised; /* reads of DRAM may have raised the CXL latency of some row and sample */

	/* private */
	struct explained_rule *rules; /* in the order of the table */
	struct explained_mark *marks; /* by kind */
	struct tallies tallies;	      /* when the first sample began */
	size_t rule_count;
	/* columns: CXL traffic, its latency, its share of links, full receive buffers; SIZE_MAX:
	 * none */
	size_t read, write, latency, link_read, link_write, data_full, req_full;
	struct explained_hot hot;
};

/* info and table must outlive it. -ENOMEM. Freed by explain_free(), also after failure. */
int explain_init(struct explain *explain, const struct table *table,
		 const struct recording_info *info);
void explain_free(struct explain *explain);

/* Adds the values that the table has now, and sampled loads of the same time; NULL: none. */
void explain_add(struct explain *explain, const struct sample *sample,
		 const struct process_report *hot);

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
	uint64_t samples; /* that its numbers are of */
	struct evidence evidence[EVIDENCE_MOST];
	size_t evidence_count;
	const char *advice; /* what to do; NULL: nothing */
};

/* What no rule could answer, and why. */
struct not_checked {
	const char *what;	  /* "throttling" */
	char groups[GROUPS_SIZE]; /* that were not measured, comma separated; "": none */
	char reason[REASON_SIZE]; /* "not measured: group device" */
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

/* The command that also measures the groups without which rules had no answer; empty: none is. */
#define EXPLAIN_COMMAND_SIZE 256
const char *explain_command_text(const struct explain *explain, const struct findings *findings,
				 char text[EXPLAIN_COMMAND_SIZE]);

/* "Measured in 9 of 10 samples: cxl_read_latency_ns 812, ..."; empty: it rests on no number. */
#define EVIDENCE_TEXT_SIZE 512
const char *explain_evidence_text(const struct explain *explain, const struct finding *finding,
				  char text[EVIDENCE_TEXT_SIZE]);

/* Formats that print, after the last sample, what limits CXL. The sink's .info must be known. */
extern const struct format format_explain, format_explain_json;

#endif
