/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds counters of a unit that do not count: all counters of the unit count the same clock at the
 * same time. On Sapphire Rapids, LIKWID got counts of UPI units only from counters 0 and 2 (its
 * pull request 670).
 */
#ifndef CXLMON_PROBE_SELFTEST_COUNTERS_H
#define CXLMON_PROBE_SELFTEST_COUNTERS_H

#include <jansson.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "uncore/model/model.h"
#include "uncore/units/unit.h"

/* Faults of a unit's counters. Bit i: counter i. */
struct counters_judged {
	uint32_t silent; /* counted nothing, while others counted */
	uint32_t off;	 /* counted over 1 % more or less than most others */
};

/*
 * Compares the counts of one clock. counters is the mask of counters that counted it. If most
 * counted fewer than a million clocks, the clock may have stood still, and no fault is reported. A
 * pure function.
 */
struct counters_judged counters_judge(const uint64_t counts[UNIT_MAX_COUNTERS], uint32_t counters);

struct counters_unit {
	char name[UNIT_NAME_SIZE];
	struct counters_judged judged; /* faults in each of three intervals of 0.1 s */
};

struct counters_result {
	bool tested;		     /* counters of some type of unit were compared */
	struct counters_unit *units; /* units with a fault */
	size_t count;
};

void counters_result_free(struct counters_result *result);

/* Prints one line for each unit with a fault. */
void counters_print(const struct counters_result *result, FILE *out);
/* Returns a new JSON array of the units with a fault; NULL: none was tested. */
json_t *counters_json(const struct counters_result *result);

struct counters_options {
	const struct model *model;
	const char *sim;      /* simulated machine, as in session_options; NULL: real hardware */
	const char *root;     /* "/", or a directory that stands for it */
	const sigset_t *wake; /* signals that end the test */
};

/*
 * Tests each type of unit with a model_clock() that several counters can count. Each type has a
 * session, which writes registers. If the session fails, the type is left out. The log then says
 * why, unless the machine has no such units.
 *
 * Adds faults to *out, which is initially {0}; the caller frees it with counters_result_free().
 * Returns 0 or a negative errno. -EINTR: signal *signal_number came. Others: registers could not be
 * restored.
 */
int counters_test(const struct counters_options *options, const struct log *log,
		  struct counters_result *out, int *signal_number, struct error *err);

#endif
