/* SPDX-License-Identifier: BSD-3-Clause */
/* What all simulated processors' traffic has in common. Private to the files of traffic.h. */
#ifndef CXLMON_TRAFFIC_RATES_H
#define CXLMON_TRAFFIC_RATES_H

#include "sim/sim_load.h"

#define TRAFFIC_LINE	 64.0 /* bytes of a cache line */
#define TRAFFIC_DCLK_GHZ 2.4  /* the clock of DRAM */

/* Cache lines a second. */
double traffic_lines(double gigabytes);

/* The part of a socket's reads that goes to another socket's memory. */
double traffic_remote_ratio(const struct sim_spec *spec);

/* Bytes of the injected load that the ports of a socket carried. */
long double traffic_injected_ports(const struct sim_loads *loads, unsigned socket,
				   enum sim_injected_kind kind, uint64_t t);

#endif
