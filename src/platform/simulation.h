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
 * Programs for the calibration of a machine. Each stalls a CPU for one cause. probe/load runs them
 * on real CPUs. A simulated machine is told that its CPUs run them.
 */
enum calibration_kernel {
	KERNEL_CHASE,  /* pointer chase, with a given number of chains at once */
	KERNEL_STREAM, /* reads in the order of addresses */
	KERNEL_STORES, /* stores in the order of addresses, without reads */
	CALIBRATION_KERNELS
};

#define KERNEL_CHAINS_MOST 64 /* more than the outstanding reads of any core */

#define INJECTED_CPUS 16 /* at most */

/*
 * Traffic to inject into a simulated machine. probe/load injects it, since the machine's nodes have
 * no memory to access.
 */
struct injected_load {
	int node;
	double read, write;	      /* wanted bytes per second; the machine may reach less */
	unsigned cpus[INJECTED_CPUS]; /* CPUs that each run .kernel, on memory of the node */
	size_t cpu_count;
	enum calibration_kernel kernel;
	unsigned chains; /* KERNEL_CHASE: chains at once, at most KERNEL_CHAINS_MOST */

	/* Members that simulation_ops.inject_load sets. */
	uint64_t bytes_read, bytes_written; /* total bytes injected on the node so far */
	double latency_ns;		    /* time of a read */
};

struct simulation_ops {
	/*
	 * Tells if the machine simulates an event. type is the enum pmu_type_number of the units
	 * that count the event. control is the value of the counter's control register. offcore_rsp
	 * is the offcore response of an event of CPUs. NULL: the machine simulates all events.
	 */
	bool (*counts)(struct platform *p, unsigned type, uint64_t control, uint64_t offcore_rsp);
	/*
	 * Injects traffic on a node from now on, in place of any injected before. The traffic is
	 * the sum of load->read, load->write, and load->kernel on each CPU of load->cpus. -ENODEV:
	 * the node does not exist. -ENOTSUP: the memory is real, and must be accessed instead; *err
	 * is not set.
	 */
	int (*inject_load)(struct platform *p, struct injected_load *load, struct error *err);
};

#endif
