/* SPDX-License-Identifier: BSD-3-Clause */
/* What CPUs count, and what all simulated processors' traffic has in common. */
#include "sim/traffic.h"

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

#define CORE_GHZ      3.0
#define REFERENCE_GHZ 2.0
#define CORE_IPC      1.25

uint64_t traffic_core_cycles(uint64_t t)
{
	return (uint64_t)((long double)t * CORE_GHZ);
}

uint64_t traffic_core_reference(uint64_t t)
{
	return (uint64_t)((long double)t * REFERENCE_GHZ);
}

uint64_t traffic_core_instructions(uint64_t t)
{
	return (uint64_t)((long double)traffic_core_cycles(t) * CORE_IPC);
}

/*
 * The CPUs of a socket read as many lines as its ports or its DRAM send, each CPU one part more
 * than the one before it; part of that from another socket, where there is one.
 */
uint64_t traffic_core_reads(const struct sim_loads *loads, unsigned cpu, bool cxl, bool remote,
			    uint64_t t)
{
	const struct sim_spec *spec = loads->spec;
	const unsigned parts = spec->cpus * (spec->cpus + 1) / 2, part = cpu % spec->cpus + 1;
	const unsigned socket = cpu / spec->cpus;
	const double ratio = remote ? traffic_remote_ratio(spec) : 1 - traffic_remote_ratio(spec);
	const long double lines = cxl ? (long double)traffic_lines(spec->read) * spec->ports
				      : (long double)traffic_lines(spec->dram_read);
	const long double rate = lines * ratio * part / parts;
	const long double load = cxl ? sim_load_ports(loads, socket, LOAD_TRAFFIC, t)
				     : sim_load_dram(loads, socket, LOAD_TRAFFIC, t);
	const long double injected =
		remote ? 0
		: cxl  ? traffic_injected_ports(loads, socket, INJECTED_READ, t)
		      : sim_injected_moved(sim_load_injected_dram(loads, socket), INJECTED_READ, t);

	return (uint64_t)((rate * load + (long double)traffic_lines(1) * injected * part / parts) /
			  1e9L);
}
