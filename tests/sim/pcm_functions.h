/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PCI functions of a simulated machine for other programs, such as PCM. cxlmon reads only one of
 * them, on Sapphire and Emerald Rapids: the UBOX, which has the number of its package.
 */
#ifndef CXLMON_TEST_SIM_PCM_FUNCTIONS_H
#define CXLMON_TEST_SIM_PCM_FUNCTIONS_H

#include "sim/sim_machine.h"

/*
 * Adds the functions by which PCM and the kernel find sockets, CHAs and memory controllers. Adds
 * none on a processor without such functions, or to a machine made from a snapshot.
 */
void sim_add_pcm_functions(struct sim *sim);

#endif
