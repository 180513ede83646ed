/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a simulated machine. Private to src/sim. */
#ifndef CXLMON_SIM_MACHINE_H
#define CXLMON_SIM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/platform.h"
#include "sim/spec.h"
#include "sim/traffic.h"

#define SIM_MAX_COUNTERS 32
#define SIM_CONFIG_BYTES 4096
#define SIM_COUNTER_BITS 48
#define SIM_COUNTER_MASK ((UINT64_C(1) << SIM_COUNTER_BITS) - 1)

#define SIM_MEMORY_DEVICE 0x0D93 /* PCI device id of the memory device behind a port */
#define SIM_MEMORY_BYTES  (UINT64_C(256) << 30)

#define SIM_GENERAL_COUNTERS 8
#define SIM_FIXED_COUNTERS   4

struct snapshot;

/* A counter is what it was when last settled, and what its event has counted since. */
struct sim_counter {
	uint64_t base;
	uint64_t since; /* ns */
};

struct sim_unit {
	struct traffic_place place;
	unsigned id;
	unsigned access;	 /* 0 MSR, 1 MMIO, 2 PCI */
	uint64_t address;	 /* MSR, physical address, or offset in configuration space */
	struct pci_location pci; /* PCI */
	unsigned counters;
	unsigned control_offset, control_step;
	unsigned counter_offset, counter_step;

	bool dead;
	uint64_t control;
	uint64_t controls[SIM_MAX_COUNTERS];
	struct sim_counter counter[SIM_MAX_COUNTERS];
};

struct sim_core {
	unsigned socket;
	int node; /* NUMA */
	bool online;
	uint64_t perfevtsel[SIM_GENERAL_COUNTERS];
	struct sim_counter general[SIM_GENERAL_COUNTERS];
	struct sim_counter fixed[SIM_FIXED_COUNTERS];
	uint64_t fixed_ctr_ctrl, global_ctrl, global_status;
	uint64_t debugctl, misc_enable, pebs_enable;
};

struct sim_function {
	struct pci_function info;
	uint8_t config[SIM_CONFIG_BYTES];
};

/* A stretch of physical memory: the discovery table's words, or a unit's registers. */
struct sim_region {
	uint64_t phys, length;
	uint64_t *words; /* plain memory, read-only; NULL where units answer */
};

struct sim_socket {
	uint64_t global_control; /* bit 0 freezes all units */
};

struct sim {
	struct platform base;
	struct sim_spec spec;
	struct snapshot *snapshot; /* where the spec names one; else NULL */
	uint64_t start;		   /* real clock when it was made, ns */
	uint64_t virtual_now;	   /* ns */
	uint64_t access_time;	   /* ns of virtual time an access */
	uint64_t suspended;	   /* ns */

	struct sim_socket *sockets;
	size_t socket_count;
	struct sim_unit *units;
	size_t unit_count;
	struct sim_core *cores;
	size_t core_count;
	struct sim_function *functions;
	size_t function_count;
	struct sim_region *regions;
	size_t region_count;
	struct cxl_device *devices;
	size_t device_count;

	uint32_t faulty_msr;
	int msr_fault;
	bool writes_refused, msr_absent;
	char hypervisor[13]; /* empty: none */
	uint64_t closed_phys, closed_length;
};

/* ns since the machine was made */
uint64_t sim_now(struct sim *sim);

/* The stretch of memory that all of it lies in; NULL where there is none. */
const struct sim_region *sim_find_region(const struct sim *sim, uint64_t phys, uint64_t length);

/* layout.c: what there is, and where. 0 or -ENOMEM. */
int sim_build(struct sim *sim);
void sim_demolish(struct sim *sim);
/*
 * rebuild.c: the same by the snapshot that sim->spec.file has. EXIT_USAGE where it makes no
 * machine.
 */
int sim_rebuild(struct sim *sim, struct error *err);
void sim_forget_snapshot(struct sim *sim);

/* unit.c: registers by their offset from the unit's control. False: there is none. */
bool sim_unit_read(struct sim *sim, struct sim_unit *unit, uint64_t offset, uint64_t *value);
bool sim_unit_write(struct sim *sim, struct sim_unit *unit, uint64_t offset, uint64_t value);
/* Bits of the register at offset that a write may not set (an MSR refuses them). */
uint64_t sim_unit_reserved(const struct sim_unit *unit, uint64_t offset);
/* Freezes or starts a whole socket. */
void sim_socket_freeze(struct sim *sim, unsigned socket, uint64_t value);
bool sim_socket_frozen(const struct sim *sim, unsigned socket);
/* How far a unit's registers reach beyond its control. */
uint64_t sim_unit_reach(const struct sim_unit *unit);
/* NULL where the access space has no unit around this address. */
struct sim_unit *sim_find_unit(struct sim *sim, unsigned access, uint64_t address);
struct sim_unit *sim_find_pci_unit(struct sim *sim, struct pci_location at, uint64_t offset);

/* msr.c: as the msr driver would answer. */
int sim_msr_read(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value);
int sim_msr_write(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value);
/* As somebody has left it: what the register can't hold is left out. Only some can be set. */
void sim_msr_preset(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value);
void sim_cpuid(const struct sim *sim, uint32_t leaf, uint32_t subleaf, uint32_t regs[4]);

#endif
