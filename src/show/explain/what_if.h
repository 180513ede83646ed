/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prediction of how much longer a program would take with its memory in CXL, by the waits of its
 * CPUs and a calibration of the machine: see probe/sweep/slowdown.h.
 */
#ifndef CXLMON_SHOW_EXPLAIN_WHAT_IF_H
#define CXLMON_SHOW_EXPLAIN_WHAT_IF_H

#include "output/sink.h"
#include "probe/sweep/slowdown.h"

#define WHAT_IF_SCHEMA 1

/* Metric groups for a prediction and its notes. */
#define WHAT_IF_METRICS "stall,cxl,dram"

/* The calibration, .target of a format's sink, whose .info must be known. */
struct what_if {
	struct slowdown_model model;
	const char *file;      /* name of the calibration's file */
	const char *processor; /* processor of the calibration: recorded_processor() */
	int dram_node, cxl_node;
	bool json; /* print an object, not text */
	const struct log *log;
	/*
	 * set after the last sample: the reason why nothing is predicted; code 0: a prediction was
	 * made
	 */
	struct error why;
};

/* Metrics of the whole system, over all samples. */
enum waited {
	WAITED_DEMAND,
	WAITED_CACHE,
	WAITED_STORE,
	WAITED_READ_COST,
	WAITED_PREFETCHED,
	WAITED_KINDS, /* number of metrics for the prediction; traffic follows */
	MOVED_CXL_READ = WAITED_KINDS,
	MOVED_CXL_WRITE,
	MOVED_DRAM_READ,
	MOVED_DRAM_WRITE,
	WAITED_METRICS,
};

extern const char *const waited_metrics[WAITED_METRICS]; /* names */

struct what_if_samples {
	const struct table *table; /* not owned */
	size_t row;		   /* row of the system */
	size_t columns[WAITED_METRICS];
	struct value_sum sums[WAITED_METRICS];
	uint64_t count;
	uint64_t known; /* samples that have all values that a prediction needs */
	bool failed;	/* out of memory */
};

/* Initializes the samples; table must outlive them. Freed by waited_free(). */
void waited_init(struct what_if_samples *samples, const struct table *table);
/* Adds the present values of the table. */
void waited_add(struct what_if_samples *samples);
void waited_free(struct what_if_samples *samples);

#define PREDICTED_SHARES 5
/* shares of the memory in CXL; the last is 1 */
extern const double predicted_shares[PREDICTED_SHARES];

struct what_if_result {
	double metrics[WAITED_METRICS];	 /* NAN: unknown */
	bool scaled;			 /* some metrics for the prediction were multiplexed */
	double cxl_share;		 /* part of the traffic; NAN: unknown */
	uint64_t samples, known_samples; /* see struct what_if_samples */
	double calibrated_cost[2];	 /* least and highest read_cost_cycles */
	/* read_cost_cycles is outside of calibrated_cost, and matters */
	bool extrapolated;
	struct slowdown of_share[PREDICTED_SHARES];

	/* Machines of the samples and of the calibration, set by what_if_check_processor(). */
	char processor[RECORDED_PROCESSOR_SIZE], calibrated[RECORDED_PROCESSOR_SIZE];
};

/* Sets the machines in *predicted, and warns if they differ. */
void what_if_check_processor(const struct what_if *what_if, const struct recording_info *info,
			     struct what_if_result *predicted);

/*
 * Predicts. ERROR_FAILED, -ENODATA: a needed metric was not measured, or is unknown; -ERANGE: the
 * numbers are impossible, or the program's memory is already in CXL. -ENOMEM.
 */
int waited_predict(struct what_if_samples *samples, const struct slowdown_model *model,
		   struct what_if_result *out, struct error *err);

/* Prints "With all its memory in CXL, the program would take 36 % longer (28 to 44 %): ..." */
void what_if_sentence(const struct what_if_result *predicted, FILE *out);

/* Calls put() with each sentence on a doubt about the prediction. */
void what_if_doubts(const struct what_if_result *predicted,
		    void (*put)(const char *sentence, FILE *out), FILE *out);

/* Format that prints, after the last sample, the prediction from all samples. */
extern const struct format format_what_if;

#endif
