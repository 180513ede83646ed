/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds what limits CXL, in at most ten sentences, from the samples of a run or a recording.
 *
 * Samples are added one by one, and only sums of them are kept. Each rule has its own sums, for
 * each of its subjects, over the samples in which all figures that it compares are known. Some
 * rules take only busy samples, in which the subject's CXL traffic was within about a tenth of its
 * highest: a load of a minute in an hour's recording is judged by that minute. All numbers of a
 * finding come from the same samples, whose count it gives.
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

/* Sums of sampled loads, if there are any: see struct process_report. */
struct explained_hot {
	double events[2];     /* samples by enum read_memory: CXL and DRAM */
	double counted_MB[2]; /* reads by counters, by enum read_memory; NAN: unknown */
	bool counts;	      /* samples times their periods estimate all events */
	/* last known values of struct process_report; NAN: never known */
	double hot_cxl_GiB, colder_dram_GiB, unseen_dram_GiB;
};

struct explained_mark;
struct explained_rule;

struct explain {
	const struct table *table;	   /* not owned */
	const struct recording_info *info; /* not owned */
	uint64_t samples;
	uint64_t first_ns, last_ns; /* ends of the first and the last sample, since 1970 */
	bool swept;		    /* the load is that of cxlmon sweep */
	bool raised; /* reads of DRAM may have raised the CXL latency of some row and sample */

	/* private */
	struct explained_rule *rules; /* in the order of the table */
	struct explained_mark *marks; /* by kind */
	struct tallies tallies;	      /* counts when the first sample began */
	size_t rule_count;
	/*
	 * columns: CXL traffic, its latency, its share of links, full receive buffers; SIZE_MAX:
	 * none
	 */
	size_t read, write, latency, link_read, link_write, data_full, req_full;
	struct explained_hot hot;
};

/*
 * Initializes the sums; info and table must outlive them. Returns 0 or -ENOMEM. Freed by
 * explain_free(), also after failure.
 */
int explain_init(struct explain *explain, const struct table *table,
		 const struct recording_info *info);
void explain_free(struct explain *explain);

/* Adds the present values of the table, and sampled loads of the same time; NULL: none. */
void explain_add(struct explain *explain, const struct sample *sample,
		 const struct process_report *hot);

/* A value on which a sentence is based. */
struct evidence {
	const char *name; /* name of a metric, or of a number of the rule; ends with its unit */
	double number;
	unsigned decimals;
};

struct finding {
	const char *rule;      /* rule's name, such as "link_saturated" */
	const struct row *row; /* NULL: a device, a region, or the whole system */
	char where[160];       /* "socket 0 port 1 mem1", "mem1", "region0" or "system" */
	char sentence[FINDING_TEXT_SIZE];
	uint64_t samples; /* number of samples that the numbers come from */
	struct evidence evidence[EVIDENCE_MOST];
	size_t evidence_count;
	const char *advice; /* remedy; NULL: none */
};

/* A check without an answer, and the reason. */
struct not_checked {
	const char *what;	  /* name of the check, such as "throttling" */
	char groups[GROUPS_SIZE]; /* groups that were not measured, comma separated; "": none */
	char reason[REASON_SIZE]; /* such as "not measured: group device" */
};

struct findings {
	struct finding all[FINDINGS_MOST]; /* the worst first; at least one */
	size_t count;
	bool none;	 /* no rule holds: the only sentence says so */
	size_t left_out; /* number of findings without room */
	struct not_checked not_checked[RULES_MOST];
	size_t not_checked_count;
};

/* Concludes findings from the samples so far. They point into explain. */
void explain_conclude(const struct explain *explain, struct findings *out);

/* Writes the command that also measures the groups that rules lacked; empty: none is missing. */
#define EXPLAIN_COMMAND_SIZE 256
const char *explain_command_text(const struct explain *explain, const struct findings *findings,
				 char text[EXPLAIN_COMMAND_SIZE]);

/*
 * Writes "Measured in 9 of 10 samples: cxl_read_latency_ns 812, ..."; empty: the finding has no
 * numbers.
 */
#define EVIDENCE_TEXT_SIZE 512
const char *explain_evidence_text(const struct explain *explain, const struct finding *finding,
				  char text[EVIDENCE_TEXT_SIZE]);

/* Formats that print the findings after the last sample. The sink's .info must be known. */
extern const struct format format_explain, format_explain_json;

#endif
