/* SPDX-License-Identifier: BSD-3-Clause */
/* A simulated machine made from a snapshot. */
#ifndef CXLMON_SIM_SNAPSHOT_H
#define CXLMON_SIM_SNAPSHOT_H

#include "base/error.h"
#include "sim/sim_machine.h"

/*
 * Makes a machine from the snapshot in sim->spec.file. Its units are found in its discovery tables,
 * by the same code as on the machine itself. ERROR_USAGE where the file is no snapshot, or one that
 * can't be simulated.
 */
int sim_load_snapshot(struct sim *sim, struct error *err);

#endif
