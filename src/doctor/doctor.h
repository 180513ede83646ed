/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What `cxlmon doctor` looks at, one check for each thing that monitoring needs. A check only
 * reads.
 */
#ifndef CXLMON_DOCTOR_H
#define CXLMON_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "info/probe.h"
#include "platform/error.h"

#define DOCTOR_SCHEMA 1
#define DOCTOR_NEEDS  2

enum verdict {
	VERDICT_PASS,
	VERDICT_WARN, /* monitoring works, but the user should know */
	VERDICT_FAIL, /* it doesn't */
	VERDICT_SKIP, /* does not apply here, or waits for another check */
};

struct finding {
	enum verdict verdict;
	bool waits;	    /* a SKIP that waits for another check */
	struct error error; /* its text: why; its command; of a FAIL: the status to exit with */
};

struct doctor {
	const char *root; /* "/", or where dev, sys and proc are looked for */
	bool simulated;
	struct probe probe;
	bool msrs; /* check_msr_device() has passed */
	bool left; /* check_runs() has found what a killed run has left */
};

struct check {
	const char *name;
	const char *purpose;
	void (*run)(struct doctor *d, struct finding *out);
	bool files;			 /* looks at files, which a simulated machine has not */
	const char *needs[DOCTOR_NEEDS]; /* checks that must have passed, or don't apply */
};

/* In the order of their importance; ends with a row without a name. */
extern const struct check doctor_checks[];

/* Runs every check; findings has room for as many. Returns the status to exit with. */
enum exit_status doctor_run(struct doctor *d, struct finding *findings);

/* What a check found. The text is that of a struct error. */
__attribute__((format(printf, 2, 3))) void doctor_pass(struct finding *out, const char *format,
						       ...);
__attribute__((format(printf, 3, 4))) void doctor_warn(struct finding *out, const char *command,
						       const char *format, ...);
__attribute__((format(printf, 3, 4))) void doctor_skip(struct finding *out, bool waits,
						       const char *format, ...);
/* Takes over text, command and status. */
void doctor_fail(struct finding *out, const struct error *why);

/* doctor_system.c: what surrounds the counters. */
void check_processor(struct doctor *d, struct finding *out);
void check_virtual_machine(struct doctor *d, struct finding *out);
void check_container(struct doctor *d, struct finding *out);
void check_rights(struct doctor *d, struct finding *out);
void check_cpus(struct doctor *d, struct finding *out);
void check_watchdog(struct doctor *d, struct finding *out);
void check_runs(struct doctor *d, struct finding *out);

/* doctor_msr.c: the doors to MSRs. */
void check_msr_module(struct doctor *d, struct finding *out);
void check_msr_device(struct doctor *d, struct finding *out);
void check_lockdown(struct doctor *d, struct finding *out);
void check_allow_writes(struct doctor *d, struct finding *out);
void check_cpuid_device(struct doctor *d, struct finding *out);

/* doctor_units.c: the way to the units. */
void check_pci_config(struct doctor *d, struct finding *out);
void check_discovery(struct doctor *d, struct finding *out);
void check_ports(struct doctor *d, struct finding *out);
void check_cxl_units(struct doctor *d, struct finding *out);

/* doctor_use.c: who else counts. */
void check_units_free(struct doctor *d, struct finding *out);
void check_freeze(struct doctor *d, struct finding *out);
void check_core_counters(struct doctor *d, struct finding *out);

#endif
