/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Predicts how much longer a program would take with its memory in CXL, from the waits of its CPUs
 * and a calibration of the machine: see probe/sweep/slowdown.h.
 */
#ifndef CXLMON_SHOW_EXPLAIN_WHAT_IF_H
#define CXLMON_SHOW_EXPLAIN_WHAT_IF_H

#include "output/sink.h"
#include "probe/sweep/slowdown.h"

#define WHAT_IF_SCHEMA 1

/* Metric groups for a prediction and its notes. */
#define WHAT_IF_METRICS "stall,cxl,dram"

/* A calibration, from which predictions are made. A sink of format_what_if has it as .target. */
struct what_if {
	struct slowdown_model model; /* fitted to the calibration */
	const char *file;	     /* name of its file */
	const char *processor;	     /* processor that was calibrated: recorded_processor() */
	int dram_node, cxl_node;     /* NUMA nodes that were compared */
	bool json;		     /* the format prints a JSON object, not text */
	const struct log *log;
	/*
	 * set by the format after the last sample: the reason why there is no prediction; .code is
	 * 0: there is one
	 */
	struct error why;
};

/* Metrics that a prediction uses, from the system's row. waited_metrics has their names. */
enum waited {
	WAITED_DEMAND,
	WAITED_CACHE,
	WAITED_STORE,
	WAITED_READ_COST,
	WAITED_PREFETCHED,
	WAITED_KINDS, /* number of metrics of waits; metrics of traffic follow */
	MOVED_CXL_READ = WAITED_KINDS,
	MOVED_CXL_WRITE,
	MOVED_DRAM_READ,
	MOVED_DRAM_WRITE,
	WAITED_METRICS,
};

extern const char *const waited_metrics[WAITED_METRICS]; /* names of metrics */

/* Sums of the samples so far. */
struct what_if_samples {
	const struct table *table;	/* not owned */
	size_t row;			/* index of the system's row */
	size_t columns[WAITED_METRICS]; /* SIZE_MAX: not in the table */
	struct value_sum sums[WAITED_METRICS];
	uint64_t count; /* number of samples */
	uint64_t known; /* number of samples with all values that a prediction needs */
	bool failed;	/* out of memory */
};

/* Initializes samples; table must outlive them. Freed by waited_free(). */
void waited_init(struct what_if_samples *samples, const struct table *table);
/* Adds the values that the table has for a sample. */
void waited_add(struct what_if_samples *samples);
void waited_free(struct what_if_samples *samples);

#define PREDICTED_SHARES 5
/* parts of the memory that are in CXL, for which a prediction is made; the last is 1 */
extern const double predicted_shares[PREDICTED_SHARES];

/* A prediction. */
struct what_if_result {
	double metrics[WAITED_METRICS]; /* values over all samples; NAN: unknown */
	bool scaled;			/* some metrics of waits were multiplexed */
	double cxl_share; /* part of the traffic that was CXL memory's, 0 to 1; NAN: unknown */
	uint64_t samples, known_samples; /* see struct what_if_samples */
	double calibrated_cost[2]; /* lowest and highest read_cost_cycles of the calibration */
	/* the program waits for reads whose cost is over 5 % below or above calibrated_cost */
	bool extrapolated;
	/* the prediction for each of predicted_shares */
	struct slowdown of_share[PREDICTED_SHARES];

	/* Processors of the samples and of the calibration, set by what_if_check_processor(). */
	char processor[RECORDED_PROCESSOR_SIZE], calibrated[RECORDED_PROCESSOR_SIZE];
};

/* Sets the two processors in *predicted, and warns if they differ. */
void what_if_check_processor(const struct what_if *what_if, const struct recording_info *info,
			     struct what_if_result *predicted);

/*
 * Predicts from all samples. -ENODATA: a needed metric was not measured, or is unknown; -ENODEV,
 * ERROR_NO_UNIT: this machine cannot count it; -ERANGE: the numbers are impossible, or more than
 * half of the traffic is already CXL memory's; -ENOMEM. *out is set in any case.
 */
int waited_predict(struct what_if_samples *samples, const struct slowdown_model *model,
		   struct what_if_result *out, struct error *err);

/* Prints "With all its memory in CXL, the program would take 36 % longer (28 to 44 %): ...". */
void what_if_sentence(const struct what_if_result *predicted, FILE *out);

/* Calls put() with each sentence that tells a doubt about the prediction, and with out. */
void what_if_doubts(const struct what_if_result *predicted,
		    void (*put)(const char *sentence, FILE *out), FILE *out);

/* Format that prints the prediction after the last sample. The sink's .info must not be NULL. */
extern const struct format format_what_if;

#endif
