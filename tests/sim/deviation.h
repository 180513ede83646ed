/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Deviations of programs from the model of waits (sim_stalls.h), by the keys deviation= and seed=.
 */
#ifndef CXLMON_TEST_SIM_DEVIATION_H
#define CXLMON_TEST_SIM_DEVIATION_H

#include "sim/sim_spec.h"

/*
 * Implements sim_extras.growth. Returns the same factor for the same program and seed. Factors have
 * a normal distribution with mean 1 and the standard deviation deviation=, but are never below 0.
 */
double deviation(const struct sim_spec *spec);

#endif
