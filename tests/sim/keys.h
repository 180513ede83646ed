/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values of the keys that tests add to --sim, in sim_spec.extra. Each member has the name of its
 * key.
 */
#ifndef CXLMON_TEST_SIM_KEYS_H
#define CXLMON_TEST_SIM_KEYS_H

#include "sim/sim_spec.h"

struct test_values {
	unsigned isolated;   /* number of isolated CPUs (isolcpus=): the first of each socket */
	unsigned extra_chas; /* number of CHAs in each discovery table that do not exist */
	unsigned still_chas; /* number of CHAs whose clocks stand still: the last of each socket */
	bool invalid;	     /* discovery tables have a record of each invalid kind */
	double tor_leak;     /* clocks that each DRAM read adds to the occupancy of CXL reads */
	double aer_advisory, aer_internal, aer_unsupported; /* errors per second and device */
	unsigned tiers;	     /* 1: DRAM and CXL memory share a tier; 2: a tier each; 0: unknown */
	unsigned miscount;   /* enum miscount */
	double miscount_pct; /* wrong count in percent of the true one */
	unsigned miscount_port; /* port with wrong counts, numbered through all sockets, or
				   EVERY_PORT */
	unsigned upi;	    /* counters of UPI units that count; 0: all, 1: even ones, 2: none */
	bool swap;	    /* neighbouring ports have each other's memory */
	double pause;	    /* ms for which this program is held up after some accesses */
	double deviation;   /* standard deviation in percent: see deviation.h */
	unsigned seed;	    /* seed of the deviations */
	bool cxl_pmu;	    /* the kernel's driver of CPMUs is loaded */
	unsigned cpmu_kind; /* index in cpmu_kind_names; any other number: the usual CPMUs */
};

/* Returns the values in a spec. */
struct test_values test_values_of(const struct sim_spec *spec);
/* Replaces the values in a spec. */
void test_values_set(struct sim_spec *spec, const struct test_values *values);

#endif
