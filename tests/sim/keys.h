/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of the keys that tests add to --sim. Each member is a key of the same name. */
#ifndef CXLMON_TEST_SIM_KEYS_H
#define CXLMON_TEST_SIM_KEYS_H

#include "sim/sim_spec.h"

struct test_values {
	unsigned isolated;   /* the first CPUs of a socket that are isolated: isolcpus= of Linux */
	unsigned extra_chas; /* records per table of CHAs that do not exist */
	/* The last CHAs of a socket that do not exist: their clocks stand still. */
	unsigned still_chas;
	bool invalid;	 /* discovery tables have a record of each invalid kind */
	double tor_leak; /* clocks that each read of DRAM adds to the occupancy of CXL_ACC */
	double aer_advisory, aer_internal, aer_unsupported; /* errors per second and device */
	unsigned tiers;		/* memory tiers of DRAM and CXL memory: 1 or 2; 0: unknown */
	unsigned miscount;	/* enum miscount */
	double miscount_pct;	/* wrong count in percent of the true one */
	unsigned miscount_port; /* the port with wrong counts, through all sockets, or EVERY_PORT */
	unsigned upi;		/* counters of UPI units that count: all, even ones, none */
	bool swap;		/* two neighbouring ports have each other's memory */
	double pause;		/* ms for which this program is held up, after some accesses */
	double deviation;	/* percent by which growths of waits deviate from the model */
	unsigned seed;		/* seed of these deviations */
	bool cxl_pmu;		/* the kernel's driver of CPMUs is loaded */
	unsigned cpmu_kind;	/* number in cpmu_kinds.h; any other number: the usual CPMUs */
};

struct test_values test_values_of(const struct sim_spec *spec);
void test_values_set(struct sim_spec *spec, const struct test_values *values);

#endif
