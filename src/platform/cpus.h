/* SPDX-License-Identifier: BSD-3-Clause */
/* The CPUs of a machine: their places in it, and their identity. */
#ifndef CXLMON_PLATFORM_CPUS_H
#define CXLMON_PLATFORM_CPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct platform;

struct cpu_location {
	unsigned cpu; /* the number in /dev/cpu/N */
	int socket;   /* physical package; 0 if unknown */
	int node;     /* NUMA node; -1: unknown */
	int core;     /* number within the socket, the same for the core's threads; -1: unknown */
	int die;      /* number within the socket, from 0, in the kernel's order; 0 if unknown */
	int l3; /* the kernel's number of the CPU's L3 cache, unique in the machine; -1: unknown */
	unsigned spared; /* sum of SPARED_...; 0: none */
};

/*
 * Reasons not to access registers through a CPU: an access to an MSR runs on the CPU, or interrupts
 * it. The CPU with the smallest sum of reasons is used.
 */
#define SPARED_FOREIGN	1U /* this process may not run on it: sched_getaffinity(2) */
#define SPARED_ISOLATED 2U /* isolcpus= or nohz_full=: kernel-parameters.txt of Linux */
#define SPARED_UNLISTED 4U /* the user has named other CPUs: topology_name_readers() */
#define SPARED_MOST	(SPARED_FOREIGN | SPARED_ISOLATED | SPARED_UNLISTED)

/* Online CPUs, ascending by number. */
struct topology {
	struct cpu_location *cpus; /* freed by topology_free() */
	size_t count;
	bool has_offline_socket; /* a socket has only offline CPUs; set by uncore/machine.c */
};

void topology_free(struct topology *topology);

/*
 * Changes .spared so that registers are accessed through the CPUs of a list, "0,2-3", if possible.
 * A CPU of the list is preferred even if it is isolated. Returns false if no CPU of the list is
 * online.
 */
bool topology_name_readers(struct topology *topology, const char *list);

/* Returns the CPU with the smaller .spared; best if they are equal; cpu if best is NULL. */
const struct cpu_location *cpu_rather(const struct cpu_location *best,
				      const struct cpu_location *cpu);

/*
 * Returns the CPU through which to access a socket's MSRs: the first online CPU with the smallest
 * .spared. -1: the socket has no online CPU.
 */
int topology_reader_cpu(const struct topology *topology, int socket);

/*
 * Returns the nth socket with online CPUs, from 0, in ascending order; -1: fewer exist. Sets *count
 * to the number of sockets with online CPUs.
 */
int topology_nth_socket(const struct topology *topology, size_t nth, size_t *count);

/* Returns the socket of a NUMA node's CPUs; -1: the node has no online CPU. */
int topology_socket_of_node(const struct topology *topology, int node);

/*
 * Returns the socket of a device, found by the device's NUMA node:
 *
 * - node >= 0: the socket of the node's CPUs; -1 if the node has no online CPU
 * - node is -1 (unknown): the only socket of the machine; -1 if the machine has several
 */
int topology_socket_of_device(const struct topology *topology, int node);

#define PROCESSOR_NAME_SIZE 64

/* Functions of a platform. An optional one may be NULL. */
struct cpu_ops {
	/* Lists the online CPUs. The caller frees *out by topology_free(). */
	int (*topology)(struct platform *p, struct topology *out, struct error *err);
	/*
	 * Executes CPUID on a CPU, and sets regs to EAX, EBX, ECX, EDX. -EOPNOTSUPP: the processor
	 * has no CPUID.
	 */
	int (*cpuid)(struct platform *p, unsigned cpu, uint32_t leaf, uint32_t subleaf,
		     uint32_t regs[4], struct error *err);
	/* Writes the kernel's name of a processor without CPUID; "": unknown. Optional. */
	void (*processor_name)(struct platform *p, char name[PROCESSOR_NAME_SIZE]);
	/*
	 * Sets an Arm CPU's implementer and part number, as in MIDR_EL1. Returns false if they are
	 * unknown. Optional.
	 */
	bool (*arm_part)(struct platform *p, unsigned *implementer, unsigned *part);
	/*
	 * Pins the calling thread to a CPU. cpu -1: gives the thread the CPUs that the process was
	 * allowed when the platform was created. -ENOENT: the thread may not run there.
	 *
	 * If the platform cannot pin threads, this is NULL, and only one thread may access
	 * registers. Otherwise several threads may, by reg_read_all() and reg_write_prepared().
	 */
	int (*set_affinity)(struct platform *p, int cpu);
	/* Tells if the kernel's NMI watchdog is on: it uses a counter of every CPU. Optional. */
	bool (*has_watchdog)(struct platform *p);
};

/* Returns the answer of cpu_ops.has_watchdog; false if that function is NULL. */
bool platform_has_watchdog(struct platform *p);
/* The shell command that turns the watchdog off. */
#define WATCHDOG_COMMAND_OFF "sudo sysctl kernel.nmi_watchdog=0"

#endif
