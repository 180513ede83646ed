/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that the files of a simulated machine offer each other. */
#ifndef CXLMON_SIM_PRIVATE_H
#define CXLMON_SIM_PRIVATE_H

#include <math.h>
#include <stdint.h>

#include "base/error.h"
#include "platform/pci.h"
#include "platform/process.h"
#include "sim/sim_machine.h"

/* Numbers that look like chance, and are the same for the same arguments. */

/* The finalizer of MurmurHash3. */
static inline uint64_t sim_mix(uint64_t h)
{
	h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
	h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
	return h ^ h >> 33;
}

/* Returns a number from 0 to below 1. */
static inline double sim_uniform(uint64_t h)
{
	return (double)(sim_mix(h) >> 11) / 0x1p53;
}

/*
 * sim_layout.c: generates the machine that a spec describes: CPUs, units, and for each socket the
 * discovery device with its BARs and its table.
 */

int sim_generate(struct sim *sim); /* 0 or -ENOMEM */

/* sim_layout_dmr.c: the units, tables and functions of a socket of Diamond Rapids. */

/* IMHs per socket; each has a discovery table, as each of the spec's dies has. */
#define SIM_IMHS 2

int sim_layout_dmr(struct sim *sim, unsigned socket); /* 0 or -ENOMEM */

/* sim_table.c: units and discovery tables, and their places in memory. */

/* Places of tables and units in memory. */
#define SIM_MMIO_BASE	UINT64_C(0x2000000000)
#define SIM_MMIO_STRIDE UINT64_C(0x10000000) /* from socket to socket */
#define SIM_TABLE_BYTES UINT64_C(0x10000)

/* Place of the memory controllers of a socket, or of its SCF BAR, and their distances. */
#define SIM_IMC_BASE   UINT64_C(0xF0000000)
#define SIM_IMC_STRIDE UINT64_C(0x800000)
#define SIM_IMC_STEP   UINT64_C(0x4000)

void sim_add_unit(struct sim *sim, const struct sim_unit *unit);

/* Adds the global controls of the sockets, with room for those of so many tables. 0 or -ENOMEM. */
int sim_add_globals(struct sim *sim, size_t tables);

/* Adds a range of memory. words is owned; NULL: the range has registers. */
void sim_add_region(struct sim *sim, uint64_t phys, uint64_t length, uint64_t *words);

#define SIM_RECORD_WORDS 4 /* the stride: larger than a record, as the format allows */

/* Writes the record of a unit in a discovery table. */
void sim_write_record(uint64_t *words, const struct sim_unit *unit);

/* The discovery table of a die, with a record for each of its units. */
struct sim_table {
	unsigned socket, die;
	uint64_t phys;
	enum sim_access control_access;
	uint64_t control;     /* address of the global control */
	unsigned broken_type; /* type in a record that has no unit; 0: no such record */
};

/* Adds a table. The table of a die without a unit has no record. 0 or -ENOMEM. */
int sim_add_table(struct sim *sim, const struct sim_table *table);

/* sim_function.c: PCI functions. */

/* Returns the place of a function on the bus of a socket's PMON functions. */
struct pci_location sim_pmon_function(const struct sim *sim, unsigned socket, uint8_t device,
				      uint8_t function);

#define SIM_VENDOR_INTEL 0x8086

/* Adds a PCI function without a BAR, on the socket's NUMA node. */
struct sim_function *sim_add_function(struct sim *sim, unsigned socket, struct pci_location at,
				      uint16_t vendor, uint16_t device_id);

void sim_put32(uint8_t *config, unsigned offset, uint32_t value);

/*
 * Adds a discovery device. bars has the addresses of the table, and of unit_bytes bytes of units.
 */
void sim_add_discovery_device(struct sim *sim, unsigned socket, unsigned die, uint16_t device_id,
			      const uint64_t bars[2], uint64_t unit_bytes);

/*
 * Adds the CXL memory device behind a port: Intel's ports have no root port above it, others one.
 */
void sim_add_memory_device(struct sim *sim, unsigned socket, unsigned port);

/* sim_snapshot.c: a machine made from a snapshot. */

/*
 * Makes a machine from the snapshot in sim->spec.file. Its units are found in its discovery
 * tables, by the same code as on the machine itself. ERROR_USAGE if the file is not a snapshot, or
 * cannot be simulated.
 */
int sim_load_snapshot(struct sim *sim, struct error *err);

/*
 * sim_process.c: the processes of a simulated machine, readers= of them, from SIM_FIRST_PID on: a
 * database in a container, a cache and a batch job, in turn. After them come vms= emulators of
 * virtual machines, each in its own cgroup. The part of process i of n in all reads of a node is
 * proportional to n - i.
 *
 * Each process has read_set= GiB on each node, which it reads, and memory that it does not read.
 * Unread memory of batch jobs is part of the pages that the kernel moves: promote= and demote=
 * pages per second.
 */

#define SIM_FIRST_PID 1001

#define SIM_BLOCK      (UINT64_C(2) << 20) /* bytes: memory that is read consists of blocks */
#define SIM_CODE       UINT64_C(0x400000)
#define SIM_CODE_BYTES UINT64_C(0x10000)

/* Returns the address of a process's memory on a node. */
static inline uint64_t sim_data(int node)
{
	return UINT64_C(0x7f0000000000) + ((uint64_t)node << 36);
}

extern const struct process_ops sim_processes;
extern const struct cgroup_ops sim_cgroups; /* cgroups of the processes, none below another */

unsigned sim_process_count(const struct sim_spec *spec);

/* Returns true if the ith process is an emulator: a guest does all of its reads. */
bool sim_process_runs_vm(const struct sim_spec *spec, size_t i);

/*
 * Returns the number, from 0, of the process that does a read of a node; place is the read's place
 * in all reads, from 0 to 1.
 */
unsigned sim_process_at(const struct sim_spec *spec, double place);

/* Returns the blocks of each node that each process reads. */
uint64_t sim_process_blocks(const struct sim_spec *spec);

#endif
