/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Predicts how much longer a program would take with its memory in CXL. Needs samples of the
 * program with its memory in DRAM, which have the stalls of CPUs, and a calibration of the machine.
 * The model is described in probe/sweep/slowdown.h.
 */
#ifndef CXLMON_SHOW_EXPLAIN_WHAT_IF_H
#define CXLMON_SHOW_EXPLAIN_WHAT_IF_H

#include "output/sink.h"
#include "probe/sweep/slowdown.h"

#define WHAT_IF_SCHEMA 1 /* version of the JSON object */

/* Metric groups: stall is for the prediction; cxl and dram tell how much traffic was CXL. */
#define WHAT_IF_METRICS "stall,cxl,dram"

/* A calibration of the machine. A sink of format_what_if has it as .target. */
struct what_if {
	struct slowdown_model model;		 /* model fitted to the calibration */
	const char *file;			 /* name of the calibration's file */
	char processor[RECORDED_PROCESSOR_SIZE]; /* processor, as recorded_processor() writes it */
	int dram_node, cxl_node;		 /* NUMA nodes that were compared */
	bool json;				 /* the format prints a JSON object, not text */
	const struct log *log;
	/* result of the format: the reason why there is no prediction; .code is 0: there is one */
	struct error why;
};

/* Metrics of the system's row that a prediction uses: enum stall_metric, and traffic. */
enum {
	MOVED_CXL_READ = STALL_METRICS,
	MOVED_CXL_WRITE,
	MOVED_DRAM_READ,
	MOVED_DRAM_WRITE,
	WHAT_IF_VALUES
};

/* Sums of the samples so far. Freed by what_if_free(). */
struct what_if_samples {
	const struct table *table;	/* not owned */
	size_t row;			/* index of the system's row; SIZE_MAX: none */
	size_t columns[WHAT_IF_VALUES]; /* SIZE_MAX: not in the table */
	struct value_sum sums[WHAT_IF_VALUES];
	uint64_t count; /* number of samples */
	uint64_t known; /* number of samples with all values that a prediction needs */
	bool failed;	/* memory ran out */
};

/* Initializes samples. table must stay valid until what_if_predict() returns. */
void what_if_init(struct what_if_samples *samples, const struct table *table);
/* Adds a sample, whose values are in the table. */
void what_if_add(struct what_if_samples *samples);
void what_if_free(struct what_if_samples *samples);

#define PREDICTED_SHARES 5
/* Parts of the memory in CXL for which times are shown, from 0 to 1, rising. */
extern const double predicted_shares[PREDICTED_SHARES];

/* A prediction. */
struct what_if_result {
	const struct what_if *calibration;	 /* not owned */
	const struct what_if_samples *samples;	 /* not owned */
	char processor[RECORDED_PROCESSOR_SIZE]; /* processor of the samples */
	double metrics[WHAT_IF_VALUES];		 /* values over all samples; NAN: unknown */
	bool scaled;				 /* some metrics of stalls were multiplexed */
	double cxl_share;    /* part of the measured traffic that was CXL, 0 to 1; NAN: unknown */
	struct slowdown all; /* slowdown with all memory in CXL */
};

/*
 * Predicts from all samples, whose recording has this info. If they are of another processor than
 * the calibration, logs a warning. samples and calibration must outlive *out. Returns 0 or:
 * -ENODATA: a needed metric was not measured, or is unknown in all samples.
 * -ENODEV (ERROR_NO_UNIT): this machine cannot count a needed metric.
 * -ERANGE: over half of the traffic was already CXL, or the prediction is impossibly high.
 * -ENOMEM.
 */
int what_if_predict(struct what_if_samples *samples, const struct what_if *calibration,
		    const struct recording_info *info, struct what_if_result *out,
		    struct error *err);

/*
 * Prints "With all its memory in CXL, the program would take 36 % longer (28 to 44 %)", and the
 * parts of reads, caches and stores in this.
 */
void what_if_sentence(const struct what_if_result *predicted, FILE *out);

/* Calls put(sentence, out) for each doubt about the prediction. */
void what_if_doubts(const struct what_if_result *predicted,
		    void (*put)(const char *sentence, FILE *out), FILE *out);

/* Format that prints a prediction after the last sample. The sink's .info must not be NULL. */
extern const struct format format_what_if;

#endif
