/* SPDX-License-Identifier: BSD-3-Clause */
/* The CPUs of a machine: their places, and the answers of their CPUID. */
#ifndef CXLMON_PLATFORM_CPUS_H
#define CXLMON_PLATFORM_CPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct platform;

struct cpu_location {
	unsigned cpu; /* the number in /dev/cpu/N */
	int socket;   /* physical package */
	int node;     /* NUMA node; -1: unknown */
	int core;     /* number within the socket, the same for the core's threads; -1: unknown */
	int die;      /* number within the socket, from 0, in the kernel's order; 0 if unknown */
	int l3; /* the kernel's number of the CPU's L3 cache, unique in the machine; -1: unknown */
	unsigned spared; /* sum of SPARED_... */
};

/*
 * Reasons not to access registers through a CPU: an access to an MSR runs on the CPU, or interrupts
 * it. The CPU with the smallest sum of reasons is used, so an isolated CPU is disturbed only if
 * there is no other.
 */
#define SPARED_FOREIGN	1U /* this process may not run on it: sched_getaffinity(2) */
#define SPARED_ISOLATED 2U /* isolcpus= or nohz_full=: kernel-parameters.txt of Linux */
#define SPARED_UNLISTED 4U /* the user has named other CPUs: topology_name_readers() */
#define SPARED_MOST	(SPARED_FOREIGN | SPARED_ISOLATED | SPARED_UNLISTED)

/* Online CPUs, ascending by number. */
struct topology {
	struct cpu_location *cpus; /* freed by topology_free() */
	size_t count;
	bool has_offline_socket; /* some socket exists whose CPUs are all offline */
};

void topology_free(struct topology *topology);

/*
 * Makes the CPUs of a list, "0,2-3", preferred for access to registers, even if they are isolated.
 * Returns false if none of them is online.
 */
bool topology_name_readers(struct topology *topology, const char *list);

/* Returns the CPU with the smaller .spared, or best if both are equal. best may be NULL. */
const struct cpu_location *cpu_rather(const struct cpu_location *best,
				      const struct cpu_location *cpu);

/*
 * Returns the online CPU of a socket through which its MSRs are to be accessed: the first CPU with
 * the smallest .spared. -1: the socket has no online CPU.
 */
int topology_reader_cpu(const struct topology *topology, int socket);

/*
 * Returns the socket with index nth (from 0) among sockets with online CPUs, in ascending order,
 * and sets *count to their number. -1: there are fewer.
 */
int topology_nth_socket(const struct topology *topology, size_t nth, size_t *count);

/* Returns the socket of a NUMA node's CPUs; -1: the node has no online CPU. */
int topology_socket_of_node(const struct topology *topology, int node);
/*
 * Returns the socket of a device on a NUMA node. If the node is unknown (-1), returns the machine's
 * only socket. -1: unknown.
 */
int topology_socket_of_device(const struct topology *topology, int node);

#define PROCESSOR_NAME_SIZE 64

struct cpu_ops {
	/* Lists the online CPUs. Freed by topology_free(). 0 or a negative errno. */
	int (*topology)(struct platform *p, struct topology *out, struct error *err);
	/*
	 * Executes CPUID on a CPU, and sets regs to EAX, EBX, ECX, EDX. -EOPNOTSUPP: the processor
	 * has no CPUID.
	 */
	int (*cpuid)(struct platform *p, unsigned cpu, uint32_t leaf, uint32_t subleaf,
		     uint32_t regs[4], struct error *err);
	/* Writes the kernel's name of a processor without CPUID; "", or NULL: unknown. */
	void (*processor_name)(struct platform *p, char name[PROCESSOR_NAME_SIZE]);
	/*
	 * Sets an Arm CPU's implementer and part number, as in MIDR_EL1. Returns false, or is NULL,
	 * if they are unknown.
	 */
	bool (*arm_part)(struct platform *p, unsigned *implementer, unsigned *part);
	/*
	 * Pins the calling thread to a CPU; -1 restores the affinity at the time the platform was
	 * created. -ENOENT: the thread may not run there. If this is not NULL, several threads may
	 * call read_prepared and write_prepared of register_ops at once. NULL: pinning is not
	 * supported, and only one thread may access registers.
	 */
	int (*set_affinity)(struct platform *p, int cpu);
	/* Tells if the kernel's NMI watchdog uses a counter of every CPU; NULL: no watchdog. */
	bool (*has_watchdog)(struct platform *p);
};

/* Calls cpu_ops.has_watchdog; false if that is NULL. */
bool platform_has_watchdog(struct platform *p);
/* The shell command that ends the watchdog. */
#define WATCHDOG_COMMAND_OFF "sudo sysctl kernel.nmi_watchdog=0"

#endif
