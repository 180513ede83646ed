/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The CPMUs (performance monitors) of a simulated memory device (cpmu=1), in its BAR after the
 * component registers. A device has one CPMU, with these counters:
 *
 *   counter 0       fixed function: lines of data that the device sends (S2M MemData)
 *   counter 1       free-running: clock ticks, of 1 GHz
 *   counters 2 to 5 configurable
 *
 * Counters have 48 bits, can be frozen, and are written only while they are frozen. The device
 * counts the traffic of its port; its DRAM is accessed once for each line. Programs of tests have
 * devices with other CPMUs: sim_extras.cpmus.
 */
#ifndef CXLMON_SIM_CPMU_H
#define CXLMON_SIM_CPMU_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/pci.h"
#include "sim/sim_machine.h"

#define SIM_CPMU_BAR_BYTES UINT64_C(0x40000) /* size of the BAR */
#define SIM_CPMU_OFFSET	   UINT64_C(0x20000) /* offset of the first CPMU in the BAR */
#define SIM_CPMU_STRIDE	   UINT64_C(0x10000) /* from one CPMU to the next */

/*
 * Offsets of registers in a CPMU's block, and fields of a counter's configuration. They do not use
 * src/uncore/units/cpmu.h, so that tests find errors in it. Source: CXL specification 3.1, 8.2.7.
 */
#define SIM_REG_CAPABILITY     0x000
#define SIM_REG_OVERFLOW       0x010
#define SIM_REG_FREEZE	       0x018
#define SIM_REG_GROUPS	       0x100
#define SIM_REG_CONFIGURATIONS 0x200
#define SIM_REG_FILTERS	       0x400
#define SIM_REG_COUNTERS       0xC00
#define SIM_REG_BYTES	       0xE00
#define SIM_CFG_ENABLE	       UINT64_C(0x100)
#define SIM_CFG_INTERRUPT      UINT64_C(0x200) /* interrupt on overflow: never comes */
#define SIM_CFG_EVENTS(cfg)    ((uint32_t)((cfg) >> 24))
#define SIM_CFG_GROUP(cfg)     ((unsigned)((cfg) >> 59))
#define SIM_CFG_SELECTION      (UINT64_C(0xFFFFFFFF) << 24 | UINT64_C(0x1F) << 59)

/* Returns the physical address of the BAR of the device behind a port. */
uint64_t sim_cpmu_bar(unsigned socket, unsigned port);

/*
 * Adds the CPMUs of the memory device at this PCI address, and the region of its BAR. The arrays of
 * *sim must have room for them. Returns the number of CPMUs.
 */
unsigned sim_add_cpmus(struct sim *sim, struct pci_location at, unsigned socket, unsigned port);

/* Returns the CPMU that has a register at this address; NULL: none. */
struct sim_cpmu *sim_find_cpmu(const struct sim *sim, uint64_t phys);

/* Do one aligned load or store of 4 or 8 bytes, at sim->now; offset is in the CPMU's block. */
uint64_t sim_cpmu_read(const struct sim *sim, const struct sim_cpmu *cpmu, uint64_t offset,
		       unsigned bytes);
void sim_cpmu_write(struct sim *sim, struct sim_cpmu *cpmu, uint64_t offset, unsigned bytes,
		    uint64_t value);

/* Resets a CPMU, as a power cycle does: only read-only contents are kept. */
void sim_reset_cpmu(struct sim *sim, struct sim_cpmu *cpmu);

/* Register values that describe the CPMUs of a device. */

#define SIM_CPMU_BLOCKS 2 /* CPMUs of a device, at most */

/* Types of a counter, in bits 1:0 of its configuration. */
#define SIM_CPMU_RUNNING      0
#define SIM_CPMU_FIXED	      1
#define SIM_CPMU_CONFIGURABLE 2
#define SIM_CPMU_TYPE(cfg)    ((cfg)&3)

/* Capability bits. */
#define SIM_CPMU_WRITABLE  (UINT64_C(1) << 48) /* counters can be written while they are frozen */
#define SIM_CPMU_FREEZE	   (UINT64_C(1) << 49)
#define SIM_CPMU_INTERRUPT (UINT64_C(1) << 50 | UINT64_C(1) << 44) /* message 1 of MSI-X */

/* A CPMU as it is after power-on. */
struct sim_cpmu_block {
	/* configurations of its counters; ends with SIM_CPMU_END; NULL: there is no such CPMU */
	const uint64_t *configurations;
	const uint64_t *groups; /* event capabilities; ends with SIM_CPMU_END */
	uint64_t capability;	/* SIM_CPMU_WRITABLE...; the rest follows from the lists */
	uint8_t filters;	/* bit f: filter f exists, and holds junk */
	uint64_t overflow;	/* overflow status */
	uint64_t held;		/* mask of bits of configurations that are read-only */
	unsigned width;		/* bits per counter; 0: 48 */
	/* percent of clocks in which its DRAM is throttled by heat */
	unsigned throttled_pct;
	/* percent of its CAS commands that have auto-precharge; these have their own events */
	unsigned precharge_pct;
	bool contains_precharge; /* the other events of CAS commands count these, too */
	bool silent;		 /* reads as all ones, ignores writes */
	bool counts_nothing;	 /* its counters stay 0 */
};

#define SIM_CPMU_END UINT64_MAX

/*
 * GROUP is an event capability: a group of events. The others are configurations of counters.
 * group: index of a capability in sim_cpmu_block.groups; events: mask of its events.
 *
 *   SELECT  a configurable counter counts these events
 *   RUNS    a free-running counter always counts these events
 *   FIXES   a fixed-function counter can count only these events
 */
#define SIM_CPMU_GROUP(id, events)     (UINT64_C(0x1E98) << 48 | UINT64_C(id) << 32 | (events))
#define SIM_CPMU_SELECT(group, events) (UINT64_C(events) << 24 | UINT64_C(group) << 59)
#define SIM_CPMU_RUNS(group, events)                                                               \
	(SIM_CPMU_RUNNING | SIM_CFG_ENABLE | SIM_CPMU_SELECT(group, events))
#define SIM_CPMU_FIXES(group, events) (SIM_CPMU_FIXED | SIM_CPMU_SELECT(group, events))
#define SIM_CPMU_BOTH		      (SIM_CPMU_WRITABLE | SIM_CPMU_FREEZE)

/* Capabilities and counters of the usual CPMU. */
extern const uint64_t sim_cpmu_groups[], sim_cpmu_counters[];

#endif
