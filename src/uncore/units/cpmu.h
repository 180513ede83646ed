/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CPMU: the performance monitoring unit of a CXL device, the same on every processor. Its registers
 * are a block in a BAR of the device, 64 bits each except for the filters. They tell what it has:
 * how many counters, what each counts or can be made to count, and if they can be frozen.
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

/* Offsets within the block, in bytes */
#define CPMU_CAPABILITY	      0x000
#define CPMU_OVERFLOW_STATUS  0x010 /* one bit per counter, written 1 to clear */
#define CPMU_FREEZE	      0x018 /* one bit per counter: it is stopped */
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

/* Configuration of a counter. The group and events of a fixed-function counter are read-only. */
#define CPMU_CFG_TYPE		 UINT64_C(0x3)
#define CPMU_CFG_ENABLE		 (UINT64_C(1) << 8)
#define CPMU_CFG_INTERRUPT	 (UINT64_C(1) << 9)  /* on overflow */
#define CPMU_CFG_OVERFLOW_FREEZE (UINT64_C(1) << 10) /* on overflow, freeze all counters */
#define CPMU_CFG_EDGE		 (UINT64_C(1) << 11)
#define CPMU_CFG_INVERT		 (UINT64_C(1) << 12)
#define CPMU_CFG_THRESHOLD	 (UINT64_C(0xFF) << 16)
#define CPMU_CFG_THRESHOLD_1	 (UINT64_C(0x01) << 16)
#define CPMU_CFG_EVENTS_SHIFT	 24 /* 32 bits: events of the group; several are added up */
#define CPMU_CFG_EVENTS		 (UINT64_C(0xFFFFFFFF) << CPMU_CFG_EVENTS_SHIFT)
#define CPMU_CFG_GROUP_SHIFT	 59 /* number of the event capability */
#define CPMU_CFG_GROUP		 (UINT64_C(0x1F) << CPMU_CFG_GROUP_SHIFT)

#define CPMU_CFG_RESERVED                                                                          \
	(~(CPMU_CFG_TYPE | CPMU_CFG_ENABLE | CPMU_CFG_INTERRUPT | CPMU_CFG_OVERFLOW_FREEZE |       \
	   CPMU_CFG_EDGE | CPMU_CFG_INVERT | CPMU_CFG_THRESHOLD | CPMU_CFG_EVENTS |                \
	   CPMU_CFG_GROUP))

#define CPMU_NO_FILTER UINT32_C(0xFFFFFFFF)

/* Values of CPMU_CFG_TYPE */
enum cpmu_counter_type {
	CPMU_FREE_RUNNING = 0, /* always counts, whatever is written */
	CPMU_FIXED = 1,	       /* counts its events while it is enabled */
	CPMU_CONFIGURABLE = 2, /* counts any events of one group */
	CPMU_RESERVED = 3,     /* reserved, or its configuration makes no sense: not used */
};

struct cpmu_counter {
	enum cpmu_counter_type type;
	uint64_t reserved; /* bits of its configuration that are written back as they were read */
	/* group and events of a fixed or free-running counter */
	uint8_t group; /* number in cpmu.groups */
	uint32_t events;
};

/* An event capability: a list of events that can be counted together. A group may have several. */
struct cpmu_group {
	uint16_t vendor, id;
	uint32_t events; /* one bit each; 0: none */
	uint32_t hidden; /* one bit each: events that the kernel, which is to count, cannot count */
	bool is_fixed;	 /* fixed-function counters count it */
	/* fixed or free-running counters count it, so that configurable ones cannot */
	bool is_taken;
};

struct cpmu {
	struct pci_location pci;	 /* the function that has the CPMU */
	char pci_text[PCI_TEXT_SIZE];	 /* .pci as a string */
	int node;			 /* NUMA node of the function; -1: unknown */
	int socket;			 /* socket of the function; -1: unknown */
	const struct cxl_device *device; /* the function's device; NULL: a port, or unknown */
	/* among the CPMUs of the function, in the kernel's order */
	unsigned index;
	bool is_part; /* others of the function are not used, so that a sum would be too small */
	/* physical address of its block; 0: unknown, as all below except .groups */
	uint64_t address;
	char kernel_pmu[PERF_NAME_SIZE]; /* PMU with which the kernel counts on it; "": none */
	/* the kernel's PMU counts only the first group: uncore/devices/cpmus.h */
	bool first_group_alone;

	unsigned counter_count; /* counters that are used: .has, but at most UNIT_MAX_COUNTERS */
	unsigned has;		/* counters that exist */
	unsigned width;		/* bits per counter, 28 to 64 */
	bool can_freeze;
	bool is_writable; /* counters can be written while frozen */
	uint8_t filters;  /* bit f: filter f exists */
	unsigned group_count;
	struct cpmu_group groups[CPMU_MAX_GROUPS];
	struct cpmu_counter counters[UNIT_MAX_COUNTERS];
	uint32_t known;	     /* bit i: counter i has a known type */
	uint32_t configured; /* bit i: counter i has a configuration that can be written */

	struct unit unit; /* counts its events: see uncore/units/cpmu_unit.c */
	uint64_t frozen;  /* the freeze register as it was when .unit was opened */
	/* undo steps of other runs in progress; not owned; may be NULL */
	const struct undo *others;
};

/* Values of the registers that describe a CPMU. */
struct cpmu_registers {
	uint64_t capability;
	uint64_t groups[CPMU_MAX_GROUPS];
	uint64_t configurations[CPMU_MAX_COUNTERS];
};

/* Return how many counters, and groups, the capability register announces: at least 1. */
unsigned cpmu_counters(uint64_t capability);
unsigned cpmu_groups(uint64_t capability);
/* Returns a mask of the filters that exist; bit f: filter f. */
uint8_t cpmu_filters(uint64_t capability);

/*
 * Decodes the registers into the fields from .counter_count to .configured, and leaves the others
 * unchanged. -ENXIO: no response (reads as all ones). -EINVAL: the values are impossible, or no
 * counter can be used; *err names the register and its value. -ERANGE: counters are too narrow.
 */
int cpmu_decode(const struct cpmu_registers *registers, struct cpmu *out, struct error *err);

/*
 * Reads the registers at cpmu->address and decodes them; writes none. Returns errors of
 * cpmu_decode() and of mapping.
 */
int cpmu_read(struct platform *p, struct cpmu *cpmu, struct error *err);

/* The kernel's driver cxl_pmu: its state, and the commands that unload and load it. */

#define CPMU_COMMAND_UNLOAD "sudo modprobe -r cxl_pmu"
#define CPMU_COMMAND_LOAD   "sudo modprobe cxl_pmu"
#define CPMU_COMMAND_PERF   "sudo cxlmon --backend=perf"

/*
 * Returns true if the driver in this kernel version, a PERF_KERNEL(), is known to select the first
 * group of a CPMU, whichever group was requested. False: unknown.
 */
bool cpmu_driver_takes_first_group(unsigned kernel);

/*
 * Writes which events a driver that counts only the first group cannot count, and the remedy.
 * Returns text.
 */
#define CPMU_LIMITS_SIZE 320
const char *cpmu_driver_limits(const struct cpmu *cpmu, char text[CPMU_LIMITS_SIZE]);

/*
 * Counters of a CPMU for an event, and their configurations: computed from its capabilities.
 * No register is accessed here.
 */

#define CPMU_VENDOR_CXL 0x1E98 /* vendor of the events in the specification */

/*
 * event.modifiers of a CPMU's event: a vendor's group, and a bit for each of its events that are
 * added up, as in an event capability. All other fields that select events are 0.
 */
#define CPMU_EVENT(vendor, group, events)                                                          \
	((uint64_t)(vendor) << 48 | (uint64_t)(group) << 32 | (uint32_t)(events))

/* The bits of a counter's configuration that cxlmon may write. */
#define CPMU_CFG_OURS                                                                              \
	(CPMU_CFG_ENABLE | CPMU_CFG_EDGE | CPMU_CFG_INVERT | CPMU_CFG_THRESHOLD |                  \
	 CPMU_CFG_EVENTS | CPMU_CFG_GROUP)

/*
 * Returns how many events of the group of a CPMU_EVENT() one counter may count. Source:
 * specification, table 13-5, multiple event counting.
 */
unsigned cpmu_events_at_once(uint64_t wanted);

/*
 * Returns the bits that a CPMU counts for an event, as CPMU_EVENT(), with the .optional ones that
 * it has.
 */
uint64_t cpmu_events_of(const struct cpmu *cpmu, const struct event *event);

/*
 * Returns true if the CPMU's counters can count the event, on one or several, even if they are in
 * use.
 */
bool cpmu_counts(const struct cpmu *cpmu, const struct event *event);

/*
 * Returns true if the device has the event, or a part of its sum, but the kernel's driver cannot
 * count it, or the counters are unknown.
 */
bool cpmu_hides(const struct cpmu *cpmu, const struct event *event);

/* The methods of a CPMU's unit (uncore/units/unit.h). */

/* Returns the counters that can count the event, or always do; bit i: counter i. */
uint32_t cpmu_event_counters(const struct unit *unit, const struct event *event);

/*
 * Returns the control with which a counter counts the event. A fixed-function counter takes only
 * its enable bit and threshold. The threshold is 1 for one event of the specification, but 0 for
 * the length of a queue and for a sum of several events.
 */
uint64_t cpmu_event_control(const struct unit *unit, const struct event *event);

/*
 * Returns the configuration of counter i for a control; 0: the counter is not used. Read-only and
 * reserved bits are as they were read.
 */
uint64_t cpmu_configuration(const struct unit *unit, unsigned i, uint64_t control);

/*
 * Returns the bits of counter i's configuration that show if it still counts for us. The other bits
 * that are written are left out: a device may hold its threshold, edge, invert or overflow bits at
 * a fixed value.
 */
uint64_t cpmu_deciding_bits(const struct unit *unit, unsigned i);

/*
 * cpmu_unit.c, cpmu_perf_unit.c
 *
 * A CPMU as a struct unit, so that plan and poller treat it like any unit.
 *
 * A counter is enabled by a bit of its own configuration; a counter with that bit is in use.
 * Free-running counters always count, and are never written. Counters are set to 0 only if they can
 * be written while they are frozen; otherwise all are free-running in the sense of
 * unit.free_running: the values with which they start are subtracted.
 *
 * Overflow status is not used, because a counter's wrap shows in its value. A bit that a run has
 * set would be taken for an overflow by the next program that uses the counter: at the end, the
 * bits of the run's counters that were 0 are cleared. Another program may wait for the others.
 */

/*
 * Returns a closed unit; *cpmu must stay where it is. id is the number of the CPMU in the machine.
 */
struct unit cpmu_unit(struct cpmu *cpmu, unsigned id, int socket);

/*
 * Returns a closed unit on which the kernel counts (uncore/devices/cpmus.h): its registers are only
 * read. *cpmu must stay where it is, and *pmu is borrowed. Opening it fails if the registers cannot
 * be read: without them it is unknown which events the kernel would count.
 *
 * unit_controls_intact() returns true if, for each control, an enabled counter without a filter
 * holds it: the kernel chooses the counters.
 */
struct unit cpmu_perf_unit(struct cpmu *cpmu, unsigned id, int socket, const struct perf_pmu *pmu);

#endif
