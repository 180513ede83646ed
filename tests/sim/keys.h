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
	unsigned cpmu_kind;  /* a number of cpmu_kinds.h; any other number: not given */
};

struct test_values test_values_of(const struct sim_spec *spec);

#endif
