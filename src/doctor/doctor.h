/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon doctor: one check for each thing that monitoring needs. */
#ifndef CXLMON_DOCTOR_H
#define CXLMON_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "doctor/doctor_checks.h"

#define DOCTOR_SCHEMA 1
#define DOCTOR_NEEDS  2

struct check {
	const char *name;
	const char *purpose;
	void (*run)(struct doctor *d, struct finding *out);
	bool host_only;			 /* checks files that a simulated machine does not have */
	const char *needs[DOCTOR_NEEDS]; /* earlier checks; it is skipped where one is not met */
	bool decides; /* where it finds nothing to monitor, no check after it is run */
};

/* The most important first; ends with a row without a name. */
extern const struct check doctor_checks[];

/* Whether registers can be written. */
enum doctor_writes {
	DOCTOR_WRITES_UNTESTED,
	DOCTOR_WRITES_REFUSED,
	DOCTOR_WRITES_PERMITTED,
};

/*
 * Runs every check; findings has room for as many. Returns the status that a run with registers
 * would end with.
 */
enum exit_status doctor_run(struct doctor *d, struct finding *findings);

/* False: they end with that. */
bool doctor_supports_processor(const struct finding *findings);

/* Whether the kernel can count (--backend=perf), and whether all that registers could. */
bool doctor_perf_works(const struct finding *findings);
bool doctor_perf_is_complete(const struct finding *findings);

/* Whether --backend=auto would, as registers end with that status: see session_open(). */
bool doctor_uses_perf(const struct finding *findings, enum exit_status registers);

/* The verdict on it by these findings. */
enum doctor_writes doctor_writes(const struct finding *findings);

#endif
