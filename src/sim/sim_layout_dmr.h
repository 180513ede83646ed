/* SPDX-License-Identifier: BSD-3-Clause */
/* The units, tables and functions of a socket of Diamond Rapids. */
#ifndef CXLMON_SIM_LAYOUT_DMR_H
#define CXLMON_SIM_LAYOUT_DMR_H

#include "sim/sim_machine.h"

#define SIM_IMHS 2 /* of a socket; each has a discovery table, as each of the spec's dies has */

int sim_layout_dmr(struct sim *sim, unsigned socket); /* 0 or -ENOMEM */

#endif
