/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Additions to simulated machines for tests: keys of --sim, and the faults and unusual machines
 * that they make. The library has an empty sim_extras. A program that is linked with tests/sim,
 * such as cxlmon-sim, has the sim_extras of tests/sim/extras.c instead.
 */
#ifndef CXLMON_SIM_EXTRAS_H
#define CXLMON_SIM_EXTRAS_H

#include "base/error.h"
#include "sim/sim_key.h"
#include "uncore/model/sim_model.h"

struct sim;
struct sim_cpmu_block;
struct sim_cxl_driver;
struct sim_flow;

/* Each member may be NULL. */
struct sim_extras {
	/* keys, whose values are in sim_spec.extra; ends with a key without a name */
	const struct sim_key *keys;

	/* names of keys that only another program has, for messages; ends with NULL */
	const char *const *elsewhere;

	/* Completes a spec that was parsed. ERROR_USAGE: values of .keys contradict the others. */
	int (*finish)(struct sim_spec *spec, struct error *err);

	/* Returns the SIM_CPMU_BLOCKS CPMUs of each memory device; NULL: the usual CPMU. */
	const struct sim_cpmu_block *(*cpmus)(const struct sim_spec *spec);

	/* the kernel's driver of CPMUs; NULL: the kernel has none */
	const struct sim_cxl_driver *cxl_driver;

	/*
	 * Returns the number to be counted instead of events, the correct number; ports are
	 * numbered through all sockets.
	 */
	long double (*count)(const struct sim_spec *spec, enum sim_rate rate,
			     const struct sim_flow *flow, unsigned port, long double events);

	/* Returns a factor for the waits that CXL memory adds to a program: see sim_stalls.h. */
	double (*growth)(const struct sim_spec *spec);

	/* Changes a machine that was just made. 0 or -ENOMEM. */
	int (*change)(struct sim *sim);
};

extern const struct sim_extras sim_extras;

#endif
