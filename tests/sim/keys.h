/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of the keys that tests add to --sim. */
#ifndef CXLMON_TEST_SIM_KEYS_H
#define CXLMON_TEST_SIM_KEYS_H

#include "sim/sim_spec.h"

struct test_values {
	unsigned isolated;   /* the first CPUs of a socket: isolcpus= of Linux */
	unsigned extra_chas; /* records of CHAs that do not exist, per table */
	unsigned still_chas; /* the last CHAs of a socket: they do not exist, and their clocks stand
			      */
	bool invalid;	     /* the discovery tables have a record of each invalid kind, too */
	double tor_leak;     /* clocks of each read of DRAM in the occupancy of CXL_ACC */
	double aer_advisory, aer_internal, aer_unsupported; /* errors a second of each device */
	unsigned tiers;		/* memory tiers of DRAM and CXL memory: one, or two; 0: unknown */
	unsigned miscount;	/* see miscount.h */
	double miscount_pct;	/* count of these events, of the true one */
	unsigned miscount_port; /* the port with wrong counts, through all sockets, or EVERY_PORT */
	unsigned upi;		/* which counters of UPI units count: all, even ones, none */
	bool swap;		/* the memory of two neighbouring ports is behind the other one */
	double pause;		/* ms for which this program is held up, after some accesses */
	double deviation;	/* percent by which growths of waits deviate from the model */
	unsigned seed;		/* of these deviations */
	bool cxl_pmu;		/* the kernel's driver of CPMUs is loaded */
	unsigned cpmu_kind;	/* a number of cpmu_kinds.h; any other number: not given */
};

struct test_values test_values_of(const struct sim_spec *spec);
void test_values_set(struct sim_spec *spec, const struct test_values *values);

#endif
