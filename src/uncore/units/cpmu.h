/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CPMU: the performance monitoring unit of a CXL device, the same on every processor. Its registers
 * are a block in a BAR of the device. They also tell the number of counters, the events of each,
 * and if counters can be frozen. A group has up to 32 events of a kind, each a bit of a mask.
 *
 * Source: Compute Express Link Specification 3.1, 8.2.7 (CPMU Register Interface) and table 13-5
 * (events); the kernel's drivers/perf/cxl_pmu.c.
 */
#ifndef CXLMON_UNCORE_UNITS_CPMU_H
#define CXLMON_UNCORE_UNITS_CPMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/pci.h"
#include "platform/perf.h"
#include "platform/platform.h"
#include "uncore/units/unit.h"

/* Offsets within the block, in bytes, of registers of 64 bits */
#define CPMU_CAPABILITY	      0x000
#define CPMU_OVERFLOW_STATUS  0x010 /* one bit per counter; writing 1 clears it */
#define CPMU_FREEZE	      0x018 /* one bit per counter; 1 stops it */
#define CPMU_EVENT_CAPABILITY 0x100 /* + 8n */
#define CPMU_CONFIGURATION    0x200 /* + 8n: counter n */
#define CPMU_FILTER	      0x400 /* + 4(8n + f): 32 bits, filter f of counter n */
#define CPMU_COUNTER	      0xC00 /* + 8n */
#define CPMU_BLOCK_BYTES      0xE00 /* up to the last of 64 counters */

#define CPMU_MAX_COUNTERS 64
#define CPMU_MAX_GROUPS	  32
#define CPMU_FILTERS	  8

/* Capability register */
#define CPMU_CAP_WRITABLE (UINT64_C(1) << 48) /* counters can be written while they are frozen */
#define CPMU_CAP_FREEZE	  (UINT64_C(1) << 49) /* CPMU_FREEZE exists */

/* Configuration of a counter; the group and events of a fixed-function counter are read-only */
#define CPMU_CFG_TYPE		 UINT64_C(0x3)
#define CPMU_CFG_ENABLE		 (UINT64_C(1) << 8)
#define CPMU_CFG_INTERRUPT	 (UINT64_C(1) << 9)  /* on overflow */
#define CPMU_CFG_OVERFLOW_FREEZE (UINT64_C(1) << 10) /* on overflow, freeze all counters */
#define CPMU_CFG_EDGE		 (UINT64_C(1) << 11)
#define CPMU_CFG_INVERT		 (UINT64_C(1) << 12)
#define CPMU_CFG_THRESHOLD	 (UINT64_C(0xFF) << 16)
#define CPMU_CFG_THRESHOLD_1	 (UINT64_C(0x01) << 16)
#define CPMU_CFG_EVENTS_SHIFT	 24 /* 32 bits: mask of events; several are added up */
#define CPMU_CFG_EVENTS		 (UINT64_C(0xFFFFFFFF) << CPMU_CFG_EVENTS_SHIFT)
#define CPMU_CFG_GROUP_SHIFT	 59 /* index of the group's event capability */
#define CPMU_CFG_GROUP		 (UINT64_C(0x1F) << CPMU_CFG_GROUP_SHIFT)

#define CPMU_CFG_RESERVED                                                                          \
	(~(CPMU_CFG_TYPE | CPMU_CFG_ENABLE | CPMU_CFG_INTERRUPT | CPMU_CFG_OVERFLOW_FREEZE |       \
	   CPMU_CFG_EDGE | CPMU_CFG_INVERT | CPMU_CFG_THRESHOLD | CPMU_CFG_EVENTS |                \
	   CPMU_CFG_GROUP))

#define CPMU_NO_FILTER UINT32_C(0xFFFFFFFF) /* value of a filter that lets all events pass */

/* Values of CPMU_CFG_TYPE */
enum cpmu_counter_type {
	CPMU_FREE_RUNNING = 0, /* always counts, whatever is written */
	CPMU_FIXED = 1,	       /* counts its events while it is enabled */
	CPMU_CONFIGURABLE = 2, /* counts any events of one group */
	CPMU_RESERVED = 3,     /* reserved, or with an impossible configuration: not used */
};

struct cpmu_counter {
	enum cpmu_counter_type type;
	uint64_t reserved; /* reserved bits of its configuration, written back as they were read */
	/* fixed or free-running counter: its group, an index in cpmu.groups, and mask of events */
	uint8_t group;
	uint32_t events;
};

/*
 * An event capability: events of a group, named by vendor and id, that one counter can add up.
 * Several capabilities may be of the same group.
 */
struct cpmu_group {
	uint16_t vendor, id;
	uint32_t events; /* mask of the events; 0: none */
	uint32_t hidden; /* mask of events taken out of .events because the kernel miscounts them */
	bool is_fixed;	 /* a fixed-function counter counts events of it */
	/* a fixed or free-running counter counts events of it: configurable counters count none */
	bool is_taken;
};

struct cpmu {
	struct pci_location pci;	 /* the function that has the CPMU */
	char pci_text[PCI_TEXT_SIZE];	 /* .pci as a string */
	int node;			 /* NUMA node of the function; -1: unknown */
	int socket;			 /* socket of the function; -1: unknown */
	const struct cxl_device *device; /* the function's device; NULL: a port, or unknown */
	unsigned index;			 /* number among the function's CPMUs, as in the kernel */
	bool is_part;			 /* the function also has CPMUs that cannot be used */
	/*
	 * Physical address of the block. 0: the registers cannot be read. The events that the
	 * kernel names are then in .groups and .group_count, and the other members from
	 * .counter_count to .configured are 0
	 */
	uint64_t address;
	char kernel_pmu[PERF_NAME_SIZE]; /* name of the kernel's PMU that counts on it; "": none */
	/* the kernel's driver selects only the first group: uncore/devices/cpmus.h */
	bool first_group_alone;

	/* cpmu_decode() sets the members from .counter_count to .configured */
	unsigned counter_count; /* elements of .counters: .has or, if less, UNIT_MAX_COUNTERS */
	unsigned has;		/* counters that exist */
	unsigned width;		/* bits per counter, 28 to 64 */
	bool can_freeze;
	bool is_writable; /* counters can be written while they are frozen */
	uint8_t filters;  /* bit f: filter f exists */
	unsigned group_count;
	struct cpmu_group groups[CPMU_MAX_GROUPS];
	struct cpmu_counter counters[UNIT_MAX_COUNTERS];
	uint32_t known;	     /* bit i: counter i is not CPMU_RESERVED */
	uint32_t configured; /* bit i: counter i is fixed or configurable, not free-running */

	struct unit unit; /* the unit that counts its events: cpmu_unit() or cpmu_perf_unit() */
	/* the freeze register when .unit was opened, without bits that runs in progress have set */
	uint64_t frozen;
	/* undo steps of other runs in progress; not owned; NULL: none */
	const struct undo *others;
};

/* Values of the registers that describe a CPMU; elements without a register are ignored. */
struct cpmu_registers {
	uint64_t capability;
	uint64_t groups[CPMU_MAX_GROUPS];
	uint64_t configurations[CPMU_MAX_COUNTERS];
};

/* Return the number of counters, and of groups, in the capability register: at least 1. */
unsigned cpmu_counters(uint64_t capability);
unsigned cpmu_groups(uint64_t capability);
/* Returns a mask of the filters that exist; bit f: filter f. */
uint8_t cpmu_filters(uint64_t capability);

/*
 * Decodes the registers into the members from .counter_count to .configured. After an error
 * (ERROR_NO_UNIT) they mean nothing:
 *   -ENXIO   no response: the capability reads as all ones
 *   -EINVAL  values are impossible, or no counter can be used; *err has the register and its value
 *   -ERANGE  counters have fewer than 28 bits
 */
int cpmu_decode(const struct cpmu_registers *registers, struct cpmu *out, struct error *err);

/*
 * Reads the registers at cpmu->address, and decodes them. Writes none. Returns 0, or an error of
 * mapping, reading or cpmu_decode().
 */
int cpmu_read(struct platform *p, struct cpmu *cpmu, struct error *err);

/* The kernel's driver cxl_pmu: its state, and the commands that unload and load it. */

#define CPMU_COMMAND_UNLOAD "sudo modprobe -r cxl_pmu"
#define CPMU_COMMAND_LOAD   "sudo modprobe cxl_pmu"
#define CPMU_COMMAND_PERF   "sudo cxlmon --backend=perf"

/*
 * Returns true for a kernel version, a PERF_KERNEL(), whose driver always selects the first group
 * of a CPMU, not the requested one. Returns false for others, also if nobody has read their driver.
 */
bool cpmu_driver_takes_first_group(unsigned kernel);

/*
 * Writes a sentence about a CPMU with .first_group_alone, for a message: the only events that its
 * driver counts, and the remedy. Returns text.
 */
#define CPMU_LIMITS_SIZE 320
const char *cpmu_driver_limits(const struct cpmu *cpmu, char text[CPMU_LIMITS_SIZE]);

/*
 * The functions below choose counters of a CPMU for an event, and compute their configurations.
 * They access no register.
 */

#define CPMU_VENDOR_CXL 0x1E98 /* vendor of the events in the specification */

/*
 * Value of event.modifiers for a CPMU's event, laid out as an event capability: vendor and id of a
 * group, and a mask of its events, which are added up. .code and umasks of such an event are 0.
 */
#define CPMU_EVENT(vendor, group, events)                                                          \
	((uint64_t)(vendor) << 48 | (uint64_t)(group) << 32 | (uint32_t)(events))

/* The bits of a counter's configuration that cxlmon may write. */
#define CPMU_CFG_OURS                                                                              \
	(CPMU_CFG_ENABLE | CPMU_CFG_EDGE | CPMU_CFG_INVERT | CPMU_CFG_THRESHOLD |                  \
	 CPMU_CFG_EVENTS | CPMU_CFG_GROUP)

/*
 * Returns the most events of its group that one counter may add up for a CPMU_EVENT(): 1 or 32.
 * Source: specification, table 13-5, multiple event counting.
 */
unsigned cpmu_events_at_once(uint64_t wanted);

/*
 * Returns the CPMU_EVENT() that this CPMU counts for an event: event.modifiers, and the events of
 * event.optional that some counter can count.
 */
uint64_t cpmu_events_of(const struct cpmu *cpmu, const struct event *event);

/*
 * Returns true if the CPMU has counters, free or in use, that together can count all events of
 * cpmu_events_of().
 */
bool cpmu_counts(const struct cpmu *cpmu, const struct event *event);

/*
 * Returns true if cxlmon cannot count one of the event's events although the device has it. Causes:
 * the kernel's driver miscounts it, or the counters are unknown.
 */
bool cpmu_hides(const struct cpmu *cpmu, const struct event *event);

/* Methods of a CPMU's unit (uncore/units/unit.h). */

/* Returns a mask of the counters, free or in use, each of which can count the whole event. */
uint32_t cpmu_event_counters(const struct unit *unit, const struct event *event);

/*
 * Returns the control with which a counter counts the event: enable bit, type, group, events, and a
 * threshold of 1 for a single event of the specification. The threshold is 0 for the length of a
 * queue, a sum of several events, and a vendor's event. If every group that has the events is taken
 * (.is_taken), type, group and events are 0.
 */
uint64_t cpmu_event_control(const struct unit *unit, const struct event *event);

/*
 * Returns the value of counter i's configuration register for a control; a control of 0 disables
 * the counter. Read-only and reserved bits are as they were read.
 */
uint64_t cpmu_configuration(const struct unit *unit, unsigned i, uint64_t control);

/*
 * Returns the bits of counter i's configuration that show if it still counts for this run: its
 * type, its enable bit and, unless it is a fixed-function counter, its group and events. A device
 * may hold other bits at a fixed value.
 */
uint64_t cpmu_deciding_bits(const struct unit *unit, unsigned i);

/*
 * cpmu_unit.c, cpmu_perf_unit.c
 *
 * A CPMU as a struct unit, so that plan and poller treat it like any unit.
 *
 * A counter is enabled by a bit of its own configuration; a counter with that bit set is in use.
 * Free-running counters always count, and are never written. If cpmu.is_writable, others are set to
 * 0 when they are programmed; if not, all counters are in unit.free_running.
 *
 * At its end, a run (one measurement) clears the overflow bits of its counters. Bits that were set
 * before it stay, because another program may wait for them.
 */

/*
 * Returns a closed unit that counts by registers. *cpmu must stay at its address while the unit is
 * used. id is the number of the CPMU in the machine.
 */
struct unit cpmu_unit(struct cpmu *cpmu, unsigned id, int socket);

/*
 * Returns a closed unit on which the kernel counts (uncore/devices/cpmus.h): its registers are only
 * read. *cpmu must stay at its address while the unit is used; *pmu is not owned.
 *
 * Only the registers show which events the kernel counts. If they cannot be mapped, unit_open()
 * returns -ENOTSUP (ERROR_PERMISSION). The kernel chooses the counters, so that a control may be in
 * any counter. unit_controls_intact() returns true if it finds a different counter for each control
 * that is not 0. The counter must be enabled, have no filter, and select the control's events.
 */
struct unit cpmu_perf_unit(struct cpmu *cpmu, unsigned id, int socket, const struct perf_pmu *pmu);

#endif
