/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of only a simulated machine, and the calibration programs of any machine. */
#ifndef CXLMON_PLATFORM_SIMULATION_H
#define CXLMON_PLATFORM_SIMULATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct platform;

/*
 * Programs that each stall for one cause, for the calibration of a machine. probe/load runs them on
 * CPUs, or tells a simulated machine that its CPUs run them.
 */
enum calibration_kernel {
	KERNEL_CHASE,  /* pointer chase, with a given number of chains at once */
	KERNEL_STREAM, /* reads in the order of addresses */
	KERNEL_STORES, /* stores in the order of addresses, without reads */
	CALIBRATION_KERNELS
};

#define KERNEL_CHAINS_MOST 64 /* more than the outstanding reads of any core */

/* Traffic injected into a simulated machine, whose nodes have no memory: see src/probe/load. */
#define INJECTED_CPUS 16 /* at most */

struct injected_load {
	int node;
	double read, write; /* wanted, bytes per second; more than possible: the most possible */
	/* CPUs that run only .kernel, each by itself, on memory of the node */
	unsigned cpus[INJECTED_CPUS];
	size_t cpu_count;
	enum calibration_kernel kernel;
	unsigned chains;
	/* answer: bytes transferred since the machine began */
	uint64_t bytes_read, bytes_written;
	double latency_ns; /* answer: time of a read */
};

struct simulation_ops {
	/*
	 * Tells if a counter of this type of unit counts an event by this control (and a CPU's by
	 * this offcore response): a simulated machine does not know every event. NULL: all count.
	 */
	bool (*counts)(struct platform *p, unsigned type, uint64_t control, uint64_t offcore_rsp);
	/*
	 * Adds traffic to a node from now on: load->read, load->write and the kernel's, next to
	 * other traffic. All 0: ends it. -ENODEV: there is no such node. -ENOTSUP: the memory is
	 * real, and must be accessed.
	 */
	int (*inject_load)(struct platform *p, struct injected_load *load, struct error *err);
};

#endif
