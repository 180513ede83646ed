/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PCI functions that other programs look for on a simulated machine. cxlmon reads only one of them:
 * the package of a UBOX, on Sapphire and Emerald Rapids.
 */
#ifndef CXLMON_TEST_SIM_PCM_FUNCTIONS_H
#define CXLMON_TEST_SIM_PCM_FUNCTIONS_H

#include "sim/sim_machine.h"

/*
 * Adds the functions by which PCM and the kernel find sockets, CHAs and memory controllers, on
 * Intel processors that have them. Adds none to a machine made from a snapshot.
 */
void sim_add_pcm_functions(struct sim *sim);

#endif
