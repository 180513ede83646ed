/* SPDX-License-Identifier: BSD-3-Clause */
/* What the units of AMD's processors count: as traffic_count(), on any counter. */
#ifndef CXLMON_TRAFFIC_AMD_H
#define CXLMON_TRAFFIC_AMD_H

#include "sim/traffic.h"

uint64_t traffic_amd_count(const struct sim_loads *loads, const struct traffic_unit *unit,
			   uint64_t control, uint64_t t);

#endif
