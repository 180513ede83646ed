/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Simulated machines: the events that they count, and traffic that tests and calibrations inject
 * into them.
 */
#ifndef CXLMON_PLATFORM_SIMULATION_H
#define CXLMON_PLATFORM_SIMULATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct platform;

/*
 * Programs that each stall a CPU for one cause, for the calibration of a machine. probe/load runs
 * them on real CPUs, or tells a simulated machine that its CPUs run them.
 */
enum calibration_kernel {
	KERNEL_CHASE,  /* pointer chase, with a given number of chains at once */
	KERNEL_STREAM, /* reads in the order of addresses */
	KERNEL_STORES, /* stores in the order of addresses, without reads */
	CALIBRATION_KERNELS
};

#define KERNEL_CHAINS_MOST 64 /* more than the outstanding reads of any core */

#define INJECTED_CPUS 16 /* at most */

/* Traffic injected into a simulated machine, whose nodes have no memory: see src/probe/load. */
struct injected_load {
	int node;
	double read, write; /* wanted bytes per second; if that is too much, the most possible */
	/* CPUs that run only .kernel, each by itself, on memory of the node */
	unsigned cpus[INJECTED_CPUS];
	size_t cpu_count;
	enum calibration_kernel kernel;
	unsigned chains; /* KERNEL_CHASE: chains at once, at most KERNEL_CHAINS_MOST */

	/* Members that simulation_ops.inject_load sets. */
	uint64_t bytes_read, bytes_written; /* total bytes injected on the node so far */
	double latency_ns;		    /* time of a read */
};

struct simulation_ops {
	/*
	 * Tells if the machine simulates an event. type is the type of the units that count it,
	 * control the value of their counter control, and offcore_rsp the offcore response of a
	 * CPU's event. NULL: all events count.
	 */
	bool (*counts)(struct platform *p, unsigned type, uint64_t control, uint64_t offcore_rsp);
	/*
	 * Injects traffic on a node from now on, in place of any injected before: load->read,
	 * load->write, and the traffic of load->kernel on each CPU of load->cpus. If all are 0, no
	 * traffic is injected. -ENODEV: there is no such node. -ENOTSUP: the memory is real, and
	 * must be accessed instead; *err is not set.
	 */
	int (*inject_load)(struct platform *p, struct injected_load *load, struct error *err);
};

#endif
