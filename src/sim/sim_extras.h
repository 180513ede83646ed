/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Additions to simulated machines for tests: further keys of --sim, and their effects. Programs for
 * tests, such as cxlmon-sim, have the sim_extras of tests/sim/extras.c. In all other programs, only
 * sim_extras.elsewhere is set.
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
	/* further keys; the last has no name */
	const struct sim_key *keys;

	/* names of keys that only programs for tests have, for messages; the last is NULL */
	const char *const *elsewhere;

	/*
	 * Checks and completes a parsed spec. Returns 0 or -EINVAL. ERROR_USAGE: values of .keys
	 * contradict other values.
	 */
	int (*finish)(struct sim_spec *spec, struct error *err);

	/* Returns a memory device's CPMUs: SIM_CPMU_BLOCKS elements; NULL: the usual CPMU. */
	const struct sim_cpmu_block *(*cpmus)(const struct sim_spec *spec);

	/* the kernel's driver of CPMUs; NULL: the kernel has none */
	const struct sim_cxl_driver *cxl_driver;

	/*
	 * Returns the number that counters show if the true number is `events`. port: number of
	 * the port among the ports of all sockets.
	 */
	long double (*count)(const struct sim_spec *spec, enum sim_rate rate,
			     const struct sim_flow *flow, unsigned port, long double events);

	/* Returns a factor for the waits that CXL memory adds to a program: see sim_stalls.h. */
	double (*growth)(const struct sim_spec *spec);

	/* Changes a machine that was just made. Returns 0 or -ENOMEM. */
	int (*change)(struct sim *sim);
};

extern const struct sim_extras sim_extras;

#endif
