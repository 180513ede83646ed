/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Additions to simulated machines for tests: keys of --sim, with faults and odd shapes that they
 * make. The library has none. A program that is linked with tests/sim, such as cxlmon-sim, has the
 * sim_extras of tests/sim/extras.c instead.
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

struct sim_extras {
	/* list of keys that ends with one without a name; values are in sim_spec.extra */
	const struct sim_key *keys;

	/* Names of keys that another program has, for messages; ends with NULL. */
	const char *const *elsewhere;

	/* Completes a spec by its values; ERROR_USAGE if they contradict it. */
	int (*finish)(struct sim_spec *spec, struct error *err);

	/* Returns SIM_CPMU_BLOCKS CPMUs of a memory device; NULL: the usual one. */
	const struct sim_cpmu_block *(*cpmus)(const struct sim_spec *spec);

	/* the kernel's driver of CPMUs; NULL: it has none */
	const struct sim_cxl_driver *cxl_driver;

	/* Returns the count of these events; the port is numbered through all sockets. */
	long double (*count)(const struct sim_spec *spec, enum sim_rate rate,
			     const struct sim_flow *flow, unsigned port, long double events);

	/* Returns a factor of the growth of a program's waits in CXL memory. */
	double (*growth)(const struct sim_spec *spec);

	/* Changes a machine that was just made. 0 or -ENOMEM. */
	int (*change)(struct sim *sim);
};

extern const struct sim_extras sim_extras;

#endif
