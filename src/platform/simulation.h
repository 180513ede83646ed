/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of a simulated machine only, and the programs that calibrate any machine. */
#ifndef CXLMON_PLATFORM_SIMULATION_H
#define CXLMON_PLATFORM_SIMULATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct platform;

/*
 * Programs that wait for one thing alone, by which a machine is calibrated. probe/load runs them on
 * CPUs, or says that simulated CPUs do.
 */
enum calibration_kernel {
	KERNEL_CHASE,  /* dependent reads, so many chains at once */
	KERNEL_STREAM, /* reads in the order of addresses */
	KERNEL_STORES, /* stores in the order of addresses, without reads */
	CALIBRATION_KERNELS
};

#define KERNEL_CHAINS_MOST 64 /* more than any core has reads of lines outstanding */

/* Traffic injected into a simulated machine, as no memory stands behind its nodes: see
 * src/probe/load. */
#define INJECTED_CPUS 16 /* at most */

struct injected_load {
	int node;
	double read, write; /* asked for, bytes a second; more than can be had: the most */
	/* Besides, these CPUs run nothing but a kernel, each for itself, with memory of the node */
	unsigned cpus[INJECTED_CPUS];
	size_t cpu_count;
	enum calibration_kernel kernel;
	unsigned chains;
	/* the answer: what was moved since the machine began, in bytes, and how long a read takes
	 */
	uint64_t bytes_read, bytes_written;
	double latency_ns;
};

struct simulation_ops {
	/*
	 * Whether a counter of that type of unit counts with this control (of a CPU: and this
	 * offcore response), where a simulated machine doesn't know every event. NULL: all count.
	 */
	bool (*counts)(struct platform *p, unsigned type, uint64_t control, uint64_t offcore_rsp);
	/*
	 * From now on, a node carries load->read and write, and what the kernel moves, besides
	 * other traffic. All 0 end it.
	 * -ENODEV: there is no such node. -ENOTSUP: the memory is real, and must be accessed.
	 */
	int (*inject_load)(struct platform *p, struct injected_load *load, struct error *err);
};

#endif
