/* SPDX-License-Identifier: BSD-3-Clause */
/* What this machine has: its processor, its sockets, its uncore units and its CXL ports. */
#ifndef CXLMON_MACHINE_H
#define CXLMON_MACHINE_H

#include "msr/cpuid.h"
#include "platform/platform.h"
#include "uncore/discovery.h"
#include "uncore/model.h"

/*
 * A CXL port: a CXLCM (link side) and a CXLDP (mesh side) of one die. Its number counts the ports
 * of its socket and never depends on which of them can be reached.
 */
struct port {
	int socket;
	unsigned number;
	struct unit *cxlcm;		 /* NULL where the table has no usable record of it */
	struct unit *cxldp;		 /* likewise */
	const struct cxl_device *device; /* behind it; NULL: not known, see port_device.h */
	char pci[PCI_TEXT_SIZE];	 /* its address; empty where it is not known */
};

struct machine {
	struct platform *platform; /* not owned */
	struct cpu_identity cpu;
	const struct model *model;
	struct topology topology;
	struct discovery discovery;
	struct unit *cpus; /* the PMU of each online CPU, in the order of the topology */
	size_t cpu_count;
	struct error
		uncore_error; /* why no unit of the uncore can be had; code 0: they are below */
	struct port *ports;   /* by socket and number */
	size_t port_count;
	struct cxl_device *devices; /* of memory, that the kernel shows */
	size_t device_count;
	int *sockets; /* that have a discovery table, ascending; all, without any table */
	size_t socket_count;
};

/* Which processor this is, by one of its CPUs. EXIT_NO_UNIT where it is none of Intel's. */
int machine_identify(struct platform *p, unsigned cpu, struct cpu_identity *id,
		     const struct model **model, struct error *err);

/*
 * EXIT_NO_UNIT where the processor is none of Intel's. That the uncore can't be had (no table is
 * for the processor, the machine has no discovery table, or it may not be read) is no failure yet:
 * see .uncore. After a failure *out holds what was found before it: online CPUs, who the processor
 * is (cpu.vendor is empty where that isn't known), its model. Closed by machine_close(), also after
 * failure.
 */
int machine_open(struct platform *p, struct machine *out, struct error *err);
void machine_close(struct machine *machine);

/* Closes whatever units were opened. */
void machine_close_units(struct machine *machine);

/* What its units do where somebody else uses their counters; before they are opened. */
void machine_set_ownership(struct machine *machine, enum ownership ownership);

/* Tells the guard of the register that freezes a socket, where there is one. */
int machine_allow_freeze(struct machine *machine, struct error *err);

/*
 * Tells the guard of every register that measuring on this machine may ever write, whoever does it.
 * Reads none.
 */
int machine_allow_all(struct machine *machine, struct error *err);

/*
 * Lets a register in memory be reached: opens the unit that it belongs to, and sets reg->window.
 * Registers elsewhere are reached as they are. -ENOENT where no unit has it.
 */
int machine_map_register(struct machine *machine, struct reg *reg, struct error *err);

#endif
