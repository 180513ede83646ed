/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CXLMON_TEST_SIM_DEVIATION_H
#define CXLMON_TEST_SIM_DEVIATION_H

#include "sim/sim_spec.h"

/* Returns the factor by which a program's growth of waits deviates, for sim_extras.growth. */
double deviation(const struct sim_spec *spec);

#endif
