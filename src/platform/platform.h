/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where registers come from, and the time.
 *
 * Everything that cxlmon knows of a machine passes through these few functions. platform_linux()
 * (src/linux) stands on device files, platform_sim() (src/sim) on a processor that isn't there.
 * Nothing else opens a device file or asks for the time; the clock is part of the platform so that
 * a test decides what time it is.
 *
 * Functions return 0 or a negative errno. None of them may be called from two threads at once, but
 * for what run_on says.
 */
#ifndef CXLMON_PLATFORM_H
#define CXLMON_PLATFORM_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/error.h"
#include "platform/guard.h"
#include "platform/log.h"

#define PCI_BAR_COUNT 6

struct pci_function {
	struct pci_location at;
	uint16_t vendor;
	uint16_t device;
	int numa_node;			  /* -1: not known */
	uint64_t bar_size[PCI_BAR_COUNT]; /* bytes; 0: not known, or no such BAR */
};

/* "0000:35:00.0", as lspci -D and `cxl list` have it. Returns text. */
#define PCI_TEXT_SIZE 24
const char *pci_location_text(struct pci_location at, char text[PCI_TEXT_SIZE]);

#define CXL_NAME_SIZE 16
#define CXL_PATH_MAX  8

/* A memory device behind a CXL link, in the words of `cxl list`. Its serial number stays with it.
 */
struct cxl_device {
	char name[CXL_NAME_SIZE]; /* "mem0" */
	/*
	 * The PCI functions that lead to it, from the one on the root bus on (a root port; the
	 * device itself where it is a CXL 1.1 device), and last its own. At least one.
	 */
	struct pci_location path[CXL_PATH_MAX];
	size_t depth;
	int near_node;	/* NUMA node of the CPUs it is attached to; -1: not known */
	int node;	/* NUMA node that its memory is in; -1: in none, or not known */
	uint64_t bytes; /* capacity, volatile and persistent; 0: not known */
};

struct cpu_location {
	unsigned cpu; /* the number in /dev/cpu/N */
	int socket;   /* physical package */
	int node;     /* NUMA node; -1: not known */
};

/* Online CPUs, ascending by number. */
struct topology {
	struct cpu_location *cpus; /* freed by topology_free() */
	size_t count;
};

/* A stretch of physical memory made accessible by mmio_map(). */
struct mmio_window {
	uint64_t phys;	  /* first byte */
	size_t length;	  /* bytes */
	void *base;	  /* where it is mapped; NULL where only the platform can reach it */
	void *map;	  /* the pages around it, as mmap() returned them */
	size_t map_bytes; /* their length */
};

struct reg;
struct reg_handle;
struct platform;

/* Why an access failed, in words for the user. */
struct reason {
	enum exit_status status;
	char text[512];			  /* what the kernel said, and what to do about it */
	char command[ERROR_COMMAND_SIZE]; /* as in struct error */
};

struct platform_ops {
	/* Frees the platform and closes whatever it opened. */
	void (*destroy)(struct platform *p);

	int (*topology)(struct platform *p, struct topology *out, struct error *err);
	/* regs: EAX, EBX, ECX, EDX */
	int (*cpuid)(struct platform *p, unsigned cpu, uint32_t leaf, uint32_t subleaf,
		     uint32_t regs[4], struct error *err);

	/*
	 * Opens the CPU's device, where that can be done; an access that comes when nothing can be
	 * opened any more finds it open. NULL where there is none to open.
	 */
	void (*msr_open)(struct platform *p, unsigned cpu);
	/* Otherwise it is opened at the first access. It stays open. */
	int (*msr_read)(struct platform *p, unsigned cpu, uint32_t msr, uint64_t *value);
	int (*msr_write)(struct platform *p, unsigned cpu, uint32_t msr, uint64_t value);

	/* *out is freed by the caller. */
	int (*pci_list)(struct platform *p, struct pci_function **out, size_t *count,
			struct error *err);
	/* One aligned dword of configuration space. */
	int (*pci_read)(struct platform *p, struct pci_location at, unsigned offset,
			uint32_t *value);
	int (*pci_write)(struct platform *p, struct pci_location at, unsigned offset,
			 uint32_t value);

	/*
	 * The memory devices that the kernel's CXL bus has, by number; none where there is no such
	 * bus. *out is freed by the caller.
	 */
	int (*cxl_devices)(struct platform *p, struct cxl_device **out, size_t *count,
			   struct error *err);

	int (*mmio_map)(struct platform *p, uint64_t phys, size_t length, bool writable,
			struct mmio_window *out, struct error *err);
	void (*mmio_unmap)(struct platform *p, struct mmio_window *window);
	/* bytes is 4 or 8; offset is aligned to it and lies within the window. */
	int (*mmio_read)(struct platform *p, const struct mmio_window *window, uint64_t offset,
			 unsigned bytes, uint64_t *value);
	int (*mmio_write)(struct platform *p, const struct mmio_window *window, uint64_t offset,
			  unsigned bytes, uint64_t value);

	/*
	 * A shorter way to registers that are accessed again and again; all NULL where there is
	 * none. prepare says in *handle how it is reached; read_prepared does what reg_read_all()
	 * does, and write_prepared writes to what is reached by an address or a file.
	 */
	void (*prepare)(struct platform *p, struct reg_handle *handle);
	size_t (*read_prepared)(struct platform *p, const struct reg_handle *handles, size_t count,
				uint64_t *values, int *failures);
	int (*write_prepared)(struct platform *p, const struct reg_handle *handle, uint64_t value);

	/*
	 * From here on the calling thread runs on that CPU alone, or, where it is -1, wherever it
	 * did when the platform was made. -ENOENT where it may not run there. NULL: it makes no
	 * difference to registers where it runs, or they bear one thread only. All other functions
	 * that access registers may be called by several threads at once where this one is there,
	 * if they are prepared.
	 */
	int (*run_on)(struct platform *p, int cpu);

	/* Nanoseconds of a clock that never jumps, and since 1970 in UTC. */
	uint64_t (*now)(struct platform *p);
	uint64_t (*wall)(struct platform *p);
	/* Nanoseconds that the machine was suspended until now; now() doesn't count them. */
	uint64_t (*suspended)(struct platform *p);
	/*
	 * Sleeps until now() reaches deadline, or a signal of *wake is pending: then -EINTR, and
	 * *signal_number says which (it is consumed). The signals of *wake must be blocked. Where
	 * wake is NULL, none is taken, and -EINTR says that a signal handler has run.
	 */
	int (*sleep_until)(struct platform *p, uint64_t deadline, const sigset_t *wake,
			   int *signal_number);

	/* Whether the kernel's NMI watchdog counts on every CPU; NULL: there is none. */
	bool (*has_watchdog)(struct platform *p);

	/* Says why an access to *reg failed with code (a negative errno). */
	void (*explain)(struct platform *p, const struct reg *reg, bool write, int code,
			struct reason *out);
};

struct platform {
	const struct platform_ops *ops;
	struct log log;
	struct guard guard; /* what may be written; a new platform allows nothing */
	/*
	 * Time passes in sleep_until() alone, and there at once: waiting for anything else misses
	 * no deadline. False where time passes by itself.
	 */
	bool virtual_clock;
};

void platform_destroy(struct platform *p); /* NULL does nothing */
bool platform_has_watchdog(struct platform *p);
#define WATCHDOG_COMMAND_OFF "sudo sysctl kernel.nmi_watchdog=0"

void topology_free(struct topology *topology);

/* The first online CPU of a socket, through which its MSRs are reached; -1 where there is none. */
int topology_first_cpu(const struct topology *topology, int socket);

/* The socket that a NUMA node's CPUs belong to; -1 where no CPU is on that node. */
int topology_socket_of_node(const struct topology *topology, int node);

#endif
