/* SPDX-License-Identifier: BSD-3-Clause */
/* Fault injection on a published machine, by lines of text. */
#ifndef CXLMON_TEST_FAULTS_H
#define CXLMON_TEST_FAULTS_H

#include "fusefs.h"
#include "mirror.h"
#include "tests/sim/faults.h"
#include "tests/sim/state.h"

struct published {
	const char *root;
	struct platform *platform;
	struct fusefs *msrs;
	struct fusefs *registers; /* file system of registers; NULL: no access is trapped */
	struct fusefs *resctrl;	  /* file system of resctrl; NULL: none */
	struct mirror *mirror;
};

/*
 * Carries out one line, and writes the answer to out: "ok", "ok VALUE", or "error: WHY". A line is
 * a fault of the table in faults.c, or one of these:
 *
 *   state        answers a number that changes when any control or counter does
 *   staleness    answers the longest age, in ns, of a value in memory since it was last asked
 */
void faults_command(const struct published *machine, const char *line, FILE *out);

#endif
