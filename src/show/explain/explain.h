/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds what limits CXL, in at most ten sentences, from the samples of a run or a recording.
 *
 * A rule looks for one cause, such as a full link, at each of its subjects: ports, sockets, devices
 * and so on. Samples are added one by one, and only sums of them are kept: for each rule and
 * subject, over the samples in which all figures that the rule compares are known. Some rules take
 * only busy samples, in which the subject's CXL traffic was within about a tenth of its highest. So
 * a load of a minute in an hour's recording is judged by that minute. All numbers of a finding come
 * from the same samples, whose count it gives.
 */
#ifndef CXLMON_SHOW_EXPLAIN_EXPLAIN_H
#define CXLMON_SHOW_EXPLAIN_EXPLAIN_H

#include <jansson.h>
#include <stdio.h>

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

/*
 * Sums of sampled loads (cxlmon hot) over all samples; 0 without them: see struct process_report.
 */
struct explained_hot {
	double events[2]; /* sampled loads by enum read_memory: CXL and DRAM */
	/* MB read as counters count, by enum read_memory; NAN: unknown in some sample */
	double counted_MB[2];
	bool counts; /* sampled loads times their periods estimate all loads */
	/* last known values of struct process_report; NAN: never known */
	double hot_cxl_GiB, colder_dram_GiB, unseen_dram_GiB;
};

struct explained_mark;
struct explained_rule;

/* The sums of all samples so far. */
struct explain {
	const struct table *table;	   /* not owned */
	const struct recording_info *info; /* not owned */
	uint64_t samples;
	uint64_t first_ns, last_ns; /* ends of the first and the last sample, in ns since 1970 */
	bool swept;		    /* the recording is of cxlmon sweep's own load */
	bool raised; /* reads of DRAM may have raised the CXL latency of some row and sample */

	/* private */
	struct explained_rule *rules; /* in the order of explain_rules, then of explain_nothing */
	struct explained_mark *marks; /* by kind */
	struct tallies tallies;	      /* counts when the first sample began */
	size_t rule_count;
	bool lacks_ports; /* only some ports were selected: not all ports have rows */
	/*
	 * indices of columns: CXL traffic, its latency, its share of links, full receive buffers;
	 * SIZE_MAX: not in the table
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

/*
 * Adds the values that the table has for a sample, and sampled loads of the same time (NULL: none).
 * If memory runs out, sums become unknown.
 */
void explain_add(struct explain *explain, const struct sample *sample,
		 const struct process_report *hot);

/* A number on which a sentence is based. */
struct evidence {
	/* name of a metric or of a number of the rule, which ends with its unit */
	const char *name;
	double number;
	unsigned decimals;
};

/* A sentence on something that limits CXL. */
struct finding {
	const char *rule; /* name of the rule: "link_saturated" */
	/* row of the subject; NULL: the subject is a device, a region, or the whole system */
	const struct row *row;
	char where[160]; /* "socket 0 port 1 mem1", "mem1", "region0" or "system" */
	char sentence[FINDING_TEXT_SIZE];
	uint64_t samples; /* number of samples that the numbers come from */
	struct evidence evidence[EVIDENCE_MOST];
	size_t evidence_count;
	const char *advice; /* a sentence on what to do; NULL: none */
};

/* A rule without an answer for any subject, and the reason. */
struct not_checked {
	const char *what; /* name of the check: "throttling" */
	/* metric groups that it needs but were not measured, comma-separated; "": none */
	char groups[GROUPS_SIZE];
	char reason[REASON_SIZE]; /* such as "not measured: group device" */
};

/* The result for the user. */
struct findings {
	struct finding all[FINDINGS_MOST]; /* the worst first; at least one */
	size_t count;
	bool none;	 /* no rule holds: .all has one sentence, which says so */
	size_t left_out; /* number of findings without room */
	struct not_checked not_checked[RULES_MOST];
	size_t not_checked_count;
};

/*
 * Concludes findings from the samples so far. They point into explain, and are valid until it is
 * freed.
 */
void explain_conclude(const struct explain *explain, struct findings *out);

/*
 * Writes the command for a recording that also has the groups that rules lacked; "": none is
 * missing. Returns text.
 */
#define EXPLAIN_COMMAND_SIZE 256
const char *explain_command_text(const struct explain *explain, const struct findings *findings,
				 char text[EXPLAIN_COMMAND_SIZE]);

/*
 * Writes "Measured in 9 of 10 samples: cxl_read_latency_ns 812, ..."; "": the finding has no
 * numbers. Returns text.
 */
#define EVIDENCE_TEXT_SIZE 512
const char *explain_evidence_text(const struct explain *explain, const struct finding *finding,
				  char text[EVIDENCE_TEXT_SIZE]);

/*
 * Prints the findings of all samples so far, as the format does. Lines longer than width are
 * wrapped, unless that is 0.
 */
void explain_print(const struct explain *explain, int width, FILE *out);
/* Returns them as an object. NULL: no memory. */
json_t *explain_json(const struct explain *explain);

/*
 * Formats that print the findings after the last sample, as text or as one JSON object. The sink's
 * .info must not be NULL; its .target is the recording with sampled loads, or NULL.
 */
extern const struct format format_explain, format_explain_json;

#endif
