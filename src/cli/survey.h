/* SPDX-License-Identifier: BSD-3-Clause */
/* All that can be found out about a machine without writing to it, and what kept the rest hidden.
 */
#ifndef CXLMON_SURVEY_H
#define CXLMON_SURVEY_H

#include <stddef.h>

#include "cli/target.h"
#include "msr/core_pmu.h"
#include "msr/cpuid.h"
#include "uncore/machine.h"

#define SURVEY_REMARKS 32 /* further ones are dropped */

struct survey {
	struct platform *platform;
	struct machine machine;	      /* as far as it was found; see machine_open() */
	struct error machine_error;   /* why no further; code 0: all of it was found */
	char brand[CPUID_BRAND_SIZE]; /* empty where not known */
	struct core_pmu_info pmu;     /* version 0 where not known */
	struct error pmu_error;	      /* code 0: nothing is missing */
	/* warnings about what was left out, in the words of whoever did it */
	char remarks[SURVEY_REMARKS][512];
	size_t remark_count;
};

/*
 * Fails only where there is no platform to look at (EXIT_USAGE, or memory ran out). *out must stay
 * where it is until survey_close(), which is for after failures, too.
 */
int survey_open(const struct target *target, struct survey *out, struct error *err);
void survey_close(struct survey *survey);

/* How many sockets have a CPU that is online. */
size_t survey_sockets(const struct survey *survey);

#endif
