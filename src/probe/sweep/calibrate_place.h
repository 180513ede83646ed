/* SPDX-License-Identifier: BSD-3-Clause */
/* Where kernels of a calibration run, and with which memory. */
#ifndef CXLMON_PROBE_SWEEP_CALIBRATE_PLACE_H
#define CXLMON_PROBE_SWEEP_CALIBRATE_PLACE_H

#include "uncore/machine.h"

/*
 * So few that no memory is near its maximum bandwidth, as latency rises there; more than one, as
 * CPUs are not all equally far from it.
 */
#define CALIBRATE_CPUS 2

struct calibrate_place {
	int dram_node, cxl_node;
	unsigned cpus[CALIBRATE_CPUS]; /* of the DRAM's node, each on a core of its own */
	size_t cpu_count;
};

/*
 * node: whose memory is compared with that of the nearest node with CPUs; -1: the first one whose
 * memory is CXL memory. ERROR_NO_UNIT: there is none; ERROR_USAGE: no other node has CPUs;
 * ERROR_FAILED: this process may not run there.
 */
int calibrate_place_find(const struct machine *machine, int node, struct calibrate_place *out,
			 struct error *err);

#endif
