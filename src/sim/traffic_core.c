/* SPDX-License-Identifier: BSD-3-Clause */
/* What CPUs count. */
#include "sim/traffic.h"
#include "sim/traffic_rates.h"

#define CORE_GHZ      3.0
#define REFERENCE_GHZ 2.0
#define CORE_IPC      1.25

uint64_t traffic_core_cycles(const struct sim_spec *spec, unsigned cpu, uint64_t t)
{
	(void)spec;
	(void)cpu;
	return (uint64_t)((long double)t * CORE_GHZ);
}

uint64_t traffic_core_reference(const struct sim_spec *spec, uint64_t t)
{
	(void)spec;
	return (uint64_t)((long double)t * REFERENCE_GHZ);
}

uint64_t traffic_core_instructions(const struct sim_spec *spec, unsigned cpu, uint64_t t)
{
	return (uint64_t)((long double)traffic_core_cycles(spec, cpu, t) * CORE_IPC);
}

/*
 * The CPUs of a socket read as many lines as its ports send, each CPU one part more than the one
 * before it; part of that from the ports of another socket, where there is one.
 */
uint64_t traffic_core_cxl_reads(const struct sim_loads *loads, unsigned cpu, bool remote,
				uint64_t t)
{
	const struct sim_spec *spec = loads->spec;
	const unsigned parts = spec->cpus * (spec->cpus + 1) / 2, part = cpu % spec->cpus + 1;
	const double ratio = remote ? traffic_remote_ratio(spec) : 1 - traffic_remote_ratio(spec);
	const long double rate =
		(long double)traffic_lines(spec->read) * spec->ports * ratio * part / parts;
	const unsigned socket = cpu / spec->cpus;
	const long double injected =
		remote ? 0 : traffic_injected_ports(loads, socket, INJECTED_READ, t);

	return (uint64_t)((rate * sim_load_ports(loads, socket, LOAD_TRAFFIC, t) +
			   (long double)traffic_lines(1) * injected * part / parts) /
			  1e9L);
}

/* The same of a socket's DRAM. */
uint64_t traffic_core_dram_reads(const struct sim_loads *loads, unsigned cpu, bool remote,
				 uint64_t t)
{
	const struct sim_spec *spec = loads->spec;
	const unsigned parts = spec->cpus * (spec->cpus + 1) / 2, part = cpu % spec->cpus + 1;
	const unsigned socket = cpu / spec->cpus;
	const double ratio = remote ? traffic_remote_ratio(spec) : 1 - traffic_remote_ratio(spec);
	const long double rate = (long double)traffic_lines(spec->dram_read) * ratio * part / parts;
	const long double injected =
		remote ? 0
		       : sim_injected_moved(sim_load_injected_dram(loads, socket), INJECTED_READ,
					    t);

	return (uint64_t)((rate * sim_load_dram(loads, socket, LOAD_TRAFFIC, t) +
			   (long double)traffic_lines(1) * injected * part / parts) /
			  1e9L);
}
