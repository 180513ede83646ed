/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CXLMON_SIM_LAYOUT_AMD_H
#define CXLMON_SIM_LAYOUT_AMD_H

#include "sim/sim_machine.h"

/* The units of one socket of AMD, its L3 caches, and its PCI functions. */
void sim_layout_amd(struct sim *sim, unsigned socket);

#endif
