/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds counters of a unit that do not count: all of them count the same clock for the same time.
 * On Sapphire Rapids, LIKWID got counts of UPI units from counters 0 and 2 only (its pull request
 * 670).
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
 * Judges the counts of one clock by the counters of a mask. If all counts are low, the clock may
 * not have run, and no counter is judged.
 */
struct counters_judged counters_judge(const uint64_t counts[UNIT_MAX_COUNTERS], uint32_t counters);

struct counters_unit {
	char name[UNIT_NAME_SIZE];
	struct counters_judged judged;
};

struct counters_result {
	bool tested;		     /* counters of any unit were compared */
	struct counters_unit *units; /* units with a fault */
	size_t count;
};

void counters_result_free(struct counters_result *result);

/* Prints one line for each unit. */
void counters_print(const struct counters_result *result, FILE *out);
/* Returns an array of units; NULL, which becomes null: none was tested. */
json_t *counters_json(const struct counters_result *result);

struct counters_options {
	const struct model *model;
	const char *sim; /* NULL: real hardware */
	const char *root;
	const sigset_t *wake;
};

/*
 * Counts clocks with registers, in a session for each type of unit whose clock is published. A
 * type that cannot be tested is left out, with a note if the machine has such units. -EINTR:
 * signal *signal_number came.
 */
int counters_test(const struct counters_options *options, const struct log *log,
		  struct counters_result *out, int *signal_number, struct error *err);

#endif
