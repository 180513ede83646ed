/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds what limits CXL, in at most ten sentences, from the samples of a run or a recording.
 *
 * A rule looks for one cause, such as a full link, at each of its subjects, such as ports. Samples
 * are added one by one. For each rule and subject, only sums are kept, over the samples in which
 * all values that the rule needs are known. Some rules use only busy samples: those in which the
 * subject's CXL traffic was within about 10 % of its highest. So a load of a minute in an hour's
 * recording is judged by that minute. All means of a finding come from the same samples.
 */
#ifndef CXLMON_SHOW_EXPLAIN_EXPLAIN_H
#define CXLMON_SHOW_EXPLAIN_EXPLAIN_H

#include <jansson.h>
#include <stdio.h>

#include "output/sink.h"
#include "process/report.h"
#include "record/recording.h"
#include "table/table.h"

#define EXPLAIN_SCHEMA	  1 /* version of the JSON object */
#define FINDINGS_MOST	  10
#define EVIDENCE_MOST	  8
#define FINDING_TEXT_SIZE 512
#define GROUPS_SIZE	  64
#define REASON_SIZE	  96
#define RULES_MOST	  32

/* Metric groups that the rules need. */
#define EXPLAIN_METRICS "cxl,latency,queue,link,upilink,port,health,core,device,tiering"

/* Sampled loads (cxlmon hot) over all samples; 0 if there are none. See struct process_report. */
struct explained_hot {
	/* Sums by enum read_memory: CXL and DRAM. */
	double events[2];     /* loads */
	double counted_MB[2]; /* MB read, as ports counted; NAN: unknown in some sample */
	bool counts;	      /* .events estimate all loads, not only those that were sampled */
	/* Latest values that were known; NAN: never known. */
	double hot_cxl_GiB, colder_dram_GiB, unseen_dram_GiB;
};

struct explained_mark;
struct explained_rule;

/* Sums of all samples so far. */
struct explain {
	const struct table *table;	   /* not owned */
	const struct recording_info *info; /* not owned */
	uint64_t samples;
	uint64_t first_ns, last_ns; /* ends of the first and the last sample, in ns since 1970 */
	bool swept;		    /* cxlmon sweep made the load */
	bool raised; /* in some sample, a CXL latency may be too high due to reads of DRAM */

	/* Private. */
	struct explained_rule *rules; /* by index in explain_rules; then explain_nothing */
	struct explained_mark *marks; /* by kind of mark */
	struct tallies tallies;	      /* devices' counts of errors and events at the beginning */
	size_t rule_count;	      /* number of rules without explain_nothing */
	bool lacks_ports;	      /* options selected some ports: the others have no rows */
	/* Columns of CXL traffic, latency, use of links, full receive buffers; SIZE_MAX: none. */
	size_t read, write, latency, link_read, link_write, data_full, req_full;
	struct explained_hot hot;
};

/*
 * Initializes *explain. info and table must stay valid until explain_free(). Returns 0 or -ENOMEM.
 * Freed by explain_free(), also after failure.
 */
int explain_init(struct explain *explain, const struct table *table,
		 const struct recording_info *info);
void explain_free(struct explain *explain);

/*
 * Adds a sample, whose values are in the table, and the loads sampled in the same time (hot; NULL:
 * none). If memory runs out, sums become unknown.
 */
void explain_add(struct explain *explain, const struct sample *sample,
		 const struct process_report *hot);

/* A number on which a sentence is based. */
struct evidence {
	const char *name; /* a metric, or a number of the rule; ends with its unit */
	double number;
	unsigned decimals;
};

/* A sentence on something that limits CXL. */
struct finding {
	const char *rule; /* name of the rule: "link_saturated" */
	/* row of the subject; NULL: it has none, as a device, or a region */
	const struct row *row;
	char where[160]; /* "socket 0 port 1 mem1", "mem1", "region0" or "system" */
	char sentence[FINDING_TEXT_SIZE];
	uint64_t samples; /* number of samples over which the numbers are means */
	struct evidence evidence[EVIDENCE_MOST];
	size_t evidence_count;
	const char *advice; /* a sentence on what to do; NULL: none */
};

/* A check that could not be made, because its rule has no answer for any subject. */
struct not_checked {
	const char *what; /* name of the check: "throttling" */
	/* metric groups that it needs and that were not measured: "cxl,port"; "": none */
	char groups[GROUPS_SIZE];
	char reason[REASON_SIZE]; /* such as "not measured: group device" */
};

/* Format of the sentence on .left_out. */
#define FINDINGS_LEFT_OUT "%zu more: measure with --device or --socket to choose."

/* The result for the user. */
struct findings {
	struct finding all[FINDINGS_MOST]; /* the worst first; at least one */
	size_t count;
	bool none;	 /* nothing was found: .all has one sentence, which says so */
	size_t left_out; /* further findings, without room in .all: FINDINGS_LEFT_OUT */
	struct not_checked not_checked[RULES_MOST];
	size_t not_checked_count;
};

/*
 * Sets *out to the findings from the samples so far. *out points into *explain, which must stay
 * valid.
 */
void explain_conclude(const struct explain *explain, struct findings *out);

/*
 * Writes the command for a recording that also has the metric groups in .not_checked; "": there are
 * none. Returns text.
 */
#define EXPLAIN_COMMAND_SIZE 256
const char *explain_command_text(const struct explain *explain, const struct findings *findings,
				 char text[EXPLAIN_COMMAND_SIZE]);

/*
 * Writes the checks that could not be made for the reason of .not_checked[index], with the reason:
 * "throttling, tiering (not measured: groups device,tiering)". Returns false if an earlier index
 * has the same reason; text is then unspecified.
 */
#define NOT_CHECKED_TEXT_SIZE 1024
bool explain_not_checked_text(const struct findings *findings, size_t index,
			      char text[NOT_CHECKED_TEXT_SIZE]);

/*
 * Returns the advice to show after a finding. NULL: there is none, or the next finding has the same
 * advice.
 */
const char *explain_advice(const struct findings *findings, size_t index);

/*
 * Writes a finding and those after it that say the same, except numbers, as one sentence: "socket 0
 * port 0 mem0, socket 0 port 1 mem1, each: its link ... takes 85.7 / 91.2 % ...". Returns the
 * number of these findings, at least 1.
 */
#define FINDINGS_TEXT_SIZE 2048
size_t explain_sentence(const struct findings *findings, size_t index,
			char text[FINDINGS_TEXT_SIZE]);

/*
 * Writes the numbers of first[i], one of count findings in one sentence: "Measured in 9 of 10
 * samples: CXL latency 812.0 ns, ...". They follow the finding's place, unless all findings have
 * the same; then only those of first[0] are written. "": there are none. Returns text.
 */
#define EVIDENCE_TEXT_SIZE 704
const char *explain_evidence_text(const struct explain *explain, const struct finding *first,
				  size_t count, size_t i, char text[EVIDENCE_TEXT_SIZE]);

/* Prints the findings so far as text. width: columns to wrap lines at; 0: they are not wrapped. */
void explain_print(const struct explain *explain, int width, FILE *out);
/* Returns the findings so far, to be released by json_decref(); NULL: out of memory. */
json_t *explain_json(const struct explain *explain);

/*
 * Formats that print the findings after the last sample, as text or as one JSON object. The sink's
 * .info must not be NULL. Its .target is the struct recording that has sampled loads; NULL: none.
 */
extern const struct format format_explain, format_explain_json;

#endif
