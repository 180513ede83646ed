/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How much longer what was measured would take with its memory in CXL, by what its CPUs waited for
 * and a calibration of the machine: see probe/sweep/slowdown.h.
 */
#ifndef CXLMON_SHOW_EXPLAIN_WHAT_IF_H
#define CXLMON_SHOW_EXPLAIN_WHAT_IF_H

#include "output/sink.h"
#include "probe/sweep/slowdown.h"

#define WHAT_IF_SCHEMA 1

/* Metric groups that a prediction is made of, and what is said beside it. */
#define WHAT_IF_METRICS "stall,cxl,dram"

/* The calibration, and what formats have as .target of their sink, whose .info must be known. */
struct what_if {
	struct slowdown_model model;
	const char *file;      /* that it is read from */
	const char *processor; /* that it is of: recorded_processor() */
	int dram_node, cxl_node;
	bool json; /* print an object, not text */
	const struct log *log;
	struct error why; /* set after the last sample: why nothing is predicted; code 0: it is */
};

/* Metrics of the whole system, over all samples. */
enum waited {
	WAITED_DEMAND,
	WAITED_CACHE,
	WAITED_STORE,
	WAITED_READ_COST,
	WAITED_PREFETCHED,
	WAITED_KINDS, /* so many are what is predicted from; behind them is traffic */
	MOVED_CXL_READ = WAITED_KINDS,
	MOVED_CXL_WRITE,
	MOVED_DRAM_READ,
	MOVED_DRAM_WRITE,
	WAITED_METRICS,
};

extern const char *const waited_metrics[WAITED_METRICS]; /* names */

struct what_if_samples {
	const struct table *table; /* not owned */
	size_t row;		   /* of the system */
	size_t columns[WAITED_METRICS];
	struct value_sum sums[WAITED_METRICS];
	uint64_t count;
	uint64_t known; /* of these, samples in which all that a prediction needs was known */
	bool failed;	/* out of memory */
};

/* table must outlive it. Freed by waited_free(). */
void waited_init(struct what_if_samples *samples, const struct table *table);
/* Adds the values that the table has now. */
void waited_add(struct what_if_samples *samples);
void waited_free(struct what_if_samples *samples);

#define PREDICTED_SHARES 5
extern const double predicted_shares[PREDICTED_SHARES]; /* of the memory in CXL; the last is 1 */

struct what_if_result {
	double metrics[WAITED_METRICS];	 /* NAN: not known */
	bool scaled;			 /* some of what is predicted from was multiplexed */
	double cxl_share;		 /* of the traffic; NAN: not known */
	uint64_t samples, known_samples; /* see struct what_if_samples */
	double calibrated_cost[2];	 /* the least and the most of read_cost_cycles */
	bool extrapolated;		 /* read_cost_cycles is outside of these, and matters */
	struct slowdown of_share[PREDICTED_SHARES];

	/* Set by what_if_check_processor(): those of the samples, and of the calibration. */
	char processor[RECORDED_PROCESSOR_SIZE], calibrated[RECORDED_PROCESSOR_SIZE];
};

/* Says in *predicted which machines it is of, and warns where these are two. */
void what_if_check_processor(const struct what_if *what_if, const struct recording_info *info,
			     struct what_if_result *predicted);

/*
 * ERROR_FAILED, -ENODATA: a metric that is needed was not measured, or is not known; -ERANGE: the
 * numbers are none that can be, or of a program whose memory is in CXL already. -ENOMEM.
 */
int waited_predict(struct what_if_samples *samples, const struct slowdown_model *model,
		   struct what_if_result *out, struct error *err);

/* "With all its memory in CXL, the program would take 1.36 (1.28 to 1.44) times as long: ..." */
void what_if_sentence(const struct what_if_result *predicted, FILE *out);

/* Calls put() with each sentence that says where that may be wrong. */
void what_if_doubts(const struct what_if_result *predicted,
		    void (*put)(const char *sentence, FILE *out), FILE *out);

/* Prints, after the last sample, what is predicted from all of them. */
extern const struct format format_what_if;

#endif
