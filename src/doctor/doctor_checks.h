/* SPDX-License-Identifier: BSD-3-Clause */
/* The checks of `cxlmon doctor`. They only read. doctor.c has the table of them. */
#ifndef CXLMON_DOCTOR_CHECKS_H
#define CXLMON_DOCTOR_CHECKS_H

#include <stdbool.h>

#include "doctor/doctor_finding.h"
#include "info/probe.h"

struct doctor {
	const char *root; /* "/", or the directory where dev, sys and proc are */
	bool simulated;
	struct probe probe;
	bool msr_readable; /* set by check_msr_device() where it passes */
	bool stale_run;	   /* set by check_runs(): a killed run left registers programmed */
};

/* doctor_system.c: the processor, the kernel, and other runs */
void check_processor(struct doctor *d, struct finding *out);
void check_virtual_machine(struct doctor *d, struct finding *out);
void check_container(struct doctor *d, struct finding *out);
void check_rights(struct doctor *d, struct finding *out);
void check_sandbox(struct doctor *d, struct finding *out);
void check_cpus(struct doctor *d, struct finding *out);
void check_watchdog(struct doctor *d, struct finding *out);
void check_runs(struct doctor *d, struct finding *out);

/* doctor_msr.c: access to MSRs */
void check_msr_module(struct doctor *d, struct finding *out);
void check_msr_device(struct doctor *d, struct finding *out);
void check_lockdown(struct doctor *d, struct finding *out);
void check_allow_writes(struct doctor *d, struct finding *out);
void check_cpuid_device(struct doctor *d, struct finding *out);

/* doctor_units.c: discovery, ports and units */
void check_pci_config(struct doctor *d, struct finding *out);
void check_discovery(struct doctor *d, struct finding *out);
void check_ports(struct doctor *d, struct finding *out);
void check_cxl_units(struct doctor *d, struct finding *out);

/* doctor_use.c: counters that are in use */
void check_units_free(struct doctor *d, struct finding *out);
void check_freeze(struct doctor *d, struct finding *out);
void check_core_counters(struct doctor *d, struct finding *out);

#endif
