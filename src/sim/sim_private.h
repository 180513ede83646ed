/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that make a simulated machine, and its processes. Private to src/sim and its tests.
 * sim_generate() allocates the arrays of struct sim; the functions that add to them need room.
 */
#ifndef CXLMON_SIM_PRIVATE_H
#define CXLMON_SIM_PRIVATE_H

#include <math.h>
#include <stdint.h>

#include "base/error.h"
#include "platform/pci.h"
#include "platform/process.h"
#include "sim/sim_machine.h"

/* Pseudo-random numbers: the same argument always yields the same number. */

/* Returns 64 pseudo-random bits for h: the finalizer of MurmurHash3. */
static inline uint64_t sim_mix(uint64_t h)
{
	h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
	h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
	return h ^ h >> 33;
}

/* Returns a pseudo-random number for h: at least 0, and below 1. */
static inline double sim_uniform(uint64_t h)
{
	return (double)(sim_mix(h) >> 11) / 0x1p53;
}

/*
 * sim_layout.c: generates the machine that sim->spec describes: CPUs, units, tables, PCI functions
 * and memory devices. Returns 0 or -ENOMEM.
 */
int sim_generate(struct sim *sim);

/* IMHs (IO dies) per socket of Diamond Rapids. Each IMH and each CPU die has a discovery table. */
#define SIM_IMHS 2

/*
 * sim_layout_dmr.c: adds the units, tables and functions of a socket of Diamond Rapids. Returns 0
 * or -ENOMEM.
 */
int sim_layout_dmr(struct sim *sim, unsigned socket);

/* sim_table.c: units and discovery tables, and their places in memory. */

/* Physical addresses of tables and units. */
#define SIM_MMIO_BASE	UINT64_C(0x2000000000)
#define SIM_MMIO_STRIDE UINT64_C(0x10000000) /* from socket to socket */
#define SIM_TABLE_BYTES UINT64_C(0x10000)    /* size of a table's memory */

/* Physical address of the memory controllers of the first socket: see sim_model.scf_offset. */
#define SIM_IMC_BASE   UINT64_C(0xF0000000)
#define SIM_IMC_STRIDE UINT64_C(0x800000) /* from socket to socket */
#define SIM_IMC_STEP   UINT64_C(0x4000)	  /* from one memory controller to the next */

/* Adds a copy of a unit. */
void sim_add_unit(struct sim *sim, const struct sim_unit *unit);

/*
 * Allocates sim->globals with room for so many tables in addition to the sockets, and adds the
 * global controls of the sockets. Returns 0 or -ENOMEM.
 */
int sim_add_globals(struct sim *sim, size_t tables);

/*
 * Adds a range of memory. words: its content, allocated by malloc(), which the machine then owns;
 * NULL: the range has registers.
 */
void sim_add_region(struct sim *sim, uint64_t phys, uint64_t length, uint64_t *words);

#define SIM_RECORD_WORDS 4 /* words from record to record: more than a record, as is allowed */

/* Writes the record of a unit for a discovery table: SIM_RECORD_WORDS words. */
void sim_write_record(uint64_t *words, const struct sim_unit *unit);

/* The discovery table of a die, with a record for each of its units. */
struct sim_table {
	unsigned socket, die;
	uint64_t phys;			/* physical address of the table */
	enum sim_access control_access; /* way of access to the global control */
	uint64_t control;		/* address of the global control */
	unsigned broken_type;		/* type in an additional record without a unit; 0: none */
};

/* Adds a table. The units of its die must exist. Returns 0 or -ENOMEM. */
int sim_add_table(struct sim *sim, const struct sim_table *table);

/* sim_function.c: PCI functions. */

/* Returns the address of a function on the bus of a socket's PMON (uncore counter) functions. */
struct pci_location sim_pmon_function(const struct sim *sim, unsigned socket, uint8_t device,
				      uint8_t function);

#define SIM_VENDOR_INTEL 0x8086

/* Adds a PCI function without a BAR, on the socket's NUMA node. Returns it. */
struct sim_function *sim_add_function(struct sim *sim, unsigned socket, struct pci_location at,
				      uint16_t vendor, uint16_t device_id);

/* Stores 32 bits at an offset in configuration space. */
void sim_put32(uint8_t *config, unsigned offset, uint32_t value);

/*
 * Adds the PCI function that points to a die's discovery table. bars: addresses of the table, and
 * of the registers of its units. unit_bytes: size of these registers.
 */
void sim_add_discovery_device(struct sim *sim, unsigned socket, unsigned die, uint16_t device_id,
			      const uint64_t bars[2], uint64_t unit_bytes);

/*
 * Adds the CXL memory device of a port, and its CPMUs. Also adds a root port above the device,
 * except on Intel's processors with units.
 */
void sim_add_memory_device(struct sim *sim, unsigned socket, unsigned port);

/*
 * sim_snapshot.c: makes a machine from the snapshot in the file sim->spec.file. Finds units in
 * discovery tables by the code that a real machine runs. Returns 0 or a negative errno.
 * ERROR_USAGE: the file is not a snapshot, or cannot be simulated.
 */
int sim_load_snapshot(struct sim *sim, struct error *err);

/*
 * sim_process.c: the processes of a simulated machine.
 *
 * - Process i has the pid SIM_FIRST_PID + i.
 * - The first readers= processes are in turn a database in a container, a cache and a batch job.
 * - The next vms= processes are emulators of virtual machines, each in its own cgroup.
 * - Of n processes, process i does a part of all reads of a node that is proportional to n - i.
 * - Each process reads read_set= GiB of each node, and has memory that it does not read.
 * - promote= and demote= move unread memory of batch jobs between nodes.
 */

#define SIM_FIRST_PID 1001

#define SIM_BLOCK      (UINT64_C(2) << 20) /* bytes of a block: reads are by block */
#define SIM_CODE       UINT64_C(0x400000)  /* virtual address of a process's code */
#define SIM_CODE_BYTES UINT64_C(0x10000)   /* size of the code */

/* Returns the virtual address at which each process has its memory on a node. */
static inline uint64_t sim_data(int node)
{
	return UINT64_C(0x7f0000000000) + ((uint64_t)node << 36);
}

extern const struct process_ops sim_processes;
extern const struct cgroup_ops sim_cgroups; /* the processes' cgroups; none is below another */

/* Returns the number of processes: readers= + vms=. */
unsigned sim_process_count(const struct sim_spec *spec);

/* Returns true if process i is an emulator, whose guest does all of its reads. */
bool sim_process_runs_vm(const struct sim_spec *spec, size_t i);

/*
 * Returns the index of the process that does a read of a node. place: a number from 0 to 1 that
 * stands for the read. Each process has a part of this range, as large as its part of the reads.
 */
unsigned sim_process_at(const struct sim_spec *spec, double place);

/* Returns the number of blocks that each process reads on each node: at least 1. */
uint64_t sim_process_blocks(const struct sim_spec *spec);

#endif
