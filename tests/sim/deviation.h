/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CXLMON_TEST_SIM_DEVIATION_H
#define CXLMON_TEST_SIM_DEVIATION_H

#include "sim/sim_spec.h"

/* Returns the factor of a program's growth, as sim_extras.growth. */
double deviation(const struct sim_spec *spec);

#endif
