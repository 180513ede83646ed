/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generates the machine that a spec describes: CPUs, units, and for each socket the discovery
 * device with its BARs and its table, which has invalid records only where the spec asks for them.
 */
#ifndef CXLMON_SIM_LAYOUT_H
#define CXLMON_SIM_LAYOUT_H

#include "sim/sim_machine.h"

int sim_generate(struct sim *sim); /* 0 or -ENOMEM */

#endif
