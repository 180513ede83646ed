/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/traffic_rates.h"

#define GB	     1e9
#define REMOTE_RATIO 0.25 /* with more than one socket */

double traffic_lines(double gigabytes)
{
	return gigabytes * GB / TRAFFIC_LINE;
}

double traffic_remote_ratio(const struct sim_spec *spec)
{
	return spec->sockets > 1 ? REMOTE_RATIO : 0;
}

long double traffic_injected_ports(const struct sim_loads *loads, unsigned socket,
				   enum sim_injected_kind kind, uint64_t t)
{
	long double sum = 0;

	for (unsigned port = 0; port < loads->spec->ports; port++)
		sum += sim_injected_moved(sim_load_injected_port(loads, socket, port), kind, t);
	return sum;
}
