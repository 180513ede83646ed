/* SPDX-License-Identifier: BSD-3-Clause */
/* The CPUs of a machine: where they are, and what CPUID says of them. */
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
	int node;     /* NUMA node; -1: not known */
	int core;     /* number within the socket, the same for its threads; -1: not known */
	int die;      /* number within the socket, from 0, in the kernel's order; 0: not known */
	int l3; /* the kernel's number of its L3 cache, unique in the machine; -1: not known */
	unsigned spared; /* SPARED_...; 0: registers may as well be reached through it */
};

/*
 * Whoever accesses an MSR of a CPU runs on it, or interrupts it. The larger, the rather another one
 * is used: an isolated CPU is never disturbed where there is another.
 */
#define SPARED_FOREIGN	1U /* this process may not run there: sched_getaffinity(2) */
#define SPARED_ISOLATED 2U /* isolcpus= or nohz_full=, see kernel-parameters.txt of Linux */
#define SPARED_UNLISTED 4U /* the user has named others */
#define SPARED_MOST	(SPARED_FOREIGN | SPARED_ISOLATED | SPARED_UNLISTED)

/* Online CPUs, ascending by number. */
struct topology {
	struct cpu_location *cpus; /* freed by topology_free() */
	size_t count;
	bool has_offline_socket; /* a socket is known to exist whose CPUs are all offline */
};

void topology_free(struct topology *topology);

/*
 * The user names the CPUs, "0,2-3", through which registers are reached where they can be, though
 * they are isolated. False: none of them is online.
 */
bool topology_name_readers(struct topology *topology, const char *list);

/* Which of two CPUs that reach the same registers is used; best may be NULL. */
const struct cpu_location *cpu_rather(const struct cpu_location *best,
				      const struct cpu_location *cpu);

/*
 * The online CPU of a socket through which its MSRs are accessed: of those that are spared least,
 * the first; -1: none.
 */
int topology_reader_cpu(const struct topology *topology, int socket);

/* The nth socket with CPUs, by number, and how many there are; -1: there are not so many. */
int topology_nth_socket(const struct topology *topology, size_t nth, size_t *count);

/* The socket of a NUMA node's CPUs; -1: the node has no CPU. */
int topology_socket_of_node(const struct topology *topology, int node);
/*
 * The socket of a device on that NUMA node; if the node is unknown (-1), the only socket of the
 * machine. -1: unknown.
 */
int topology_socket_of_device(const struct topology *topology, int node);

#define PROCESSOR_NAME_SIZE 64

struct cpu_ops {
	int (*topology)(struct platform *p, struct topology *out, struct error *err);
	/* regs: EAX, EBX, ECX, EDX. -EOPNOTSUPP: the processor has no CPUID. */
	int (*cpuid)(struct platform *p, unsigned cpu, uint32_t leaf, uint32_t subleaf,
		     uint32_t regs[4], struct error *err);
	/* The kernel's name of a processor without CPUID; empty, or NULL: not known. */
	void (*processor_name)(struct platform *p, char name[PROCESSOR_NAME_SIZE]);
	/* Of Arm: who implements the CPU, and the number of its part, as in MIDR_EL1. False, or
	 * NULL: not known. */
	bool (*arm_part)(struct platform *p, unsigned *implementer, unsigned *part);
	/*
	 * Pins the calling thread to a CPU; -1 restores the affinity at the time the platform was
	 * created. -ENOENT: the thread may not run there. NULL: pinning is not supported, and
	 * registers may be accessed by one thread only. If not NULL, read_prepared and
	 * write_prepared of register_ops may be called by several threads at once.
	 */
	int (*set_affinity)(struct platform *p, int cpu);
	/* Whether the kernel's NMI watchdog uses a counter of every CPU; NULL: no watchdog. */
	bool (*has_watchdog)(struct platform *p);
};

bool platform_has_watchdog(struct platform *p);
#define WATCHDOG_COMMAND_OFF "sudo sysctl kernel.nmi_watchdog=0"

#endif
