/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CPMU: the performance monitoring unit of a CXL device, the same on every processor. Its registers
 * are a block in a BAR of the device, 64 bits each but for the filters, and say what it has: how
 * many counters, what each counts or can be made to count, whether they can be frozen.
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

/* Offsets within the block, bytes */
#define CPMU_CAPABILITY	      0x000
#define CPMU_OVERFLOW_STATUS  0x010 /* a bit a counter, written 1 to clear */
#define CPMU_FREEZE	      0x018 /* a bit a counter: it stands still */
#define CPMU_EVENT_CAPABILITY 0x100 /* + 8n */
#define CPMU_CONFIGURATION    0x200 /* + 8n: of counter n */
#define CPMU_FILTER	      0x400 /* + 4(8n + f): 32 bits, filter f of counter n */
#define CPMU_COUNTER	      0xC00 /* + 8n */
#define CPMU_BLOCK_BYTES      0xE00 /* up to the last of 64 counters */

#define CPMU_MAX_COUNTERS 64
#define CPMU_MAX_GROUPS	  32
#define CPMU_FILTERS	  8

/* Capability register */
#define CPMU_CAP_WRITABLE (UINT64_C(1) << 48) /* counters can be written while they are frozen */
#define CPMU_CAP_FREEZE	  (UINT64_C(1) << 49) /* there is CPMU_FREEZE */

/* Configuration of a counter. What a counter of fixed function counts is read-only. */
#define CPMU_CFG_TYPE		 UINT64_C(0x3)
#define CPMU_CFG_ENABLE		 (UINT64_C(1) << 8)
#define CPMU_CFG_INTERRUPT	 (UINT64_C(1) << 9)  /* on overflow */
#define CPMU_CFG_OVERFLOW_FREEZE (UINT64_C(1) << 10) /* on overflow, freeze all counters */
#define CPMU_CFG_EDGE		 (UINT64_C(1) << 11)
#define CPMU_CFG_INVERT		 (UINT64_C(1) << 12)
#define CPMU_CFG_THRESHOLD	 (UINT64_C(0xFF) << 16)
#define CPMU_CFG_THRESHOLD_1	 (UINT64_C(0x01) << 16)
#define CPMU_CFG_EVENTS_SHIFT	 24 /* 32 bits, of the group; several are added up */
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
	uint64_t reserved; /* bits of its configuration, which are written as they were read */
	/* unless it is configurable: what it counts */
	uint8_t group; /* number in cpmu.groups */
	uint32_t events;
};

/* An event capability: events that are counted together. A group may have several. */
struct cpmu_group {
	uint16_t vendor, id;
	uint32_t events; /* a bit each; 0: none */
	uint32_t hidden; /* likewise: those that the kernel, which is to count, can't count */
	bool is_fixed;	 /* counters of fixed function use it */
	bool is_taken;	 /* they do, or free-running ones, so that configurable ones can't */
};

struct cpmu {
	struct pci_location pci;	 /* the function that has it */
	char pci_text[PCI_TEXT_SIZE];	 /* the same as text */
	int node;			 /* NUMA node of that; -1: not known */
	int socket;			 /* likewise */
	const struct cxl_device *device; /* which that is; NULL: a port, or not known */
	unsigned index;			 /* among those of the function, as the kernel counts */
	bool is_part; /* others of the function are not used, so that a sum would be too small */
	uint64_t address; /* physical, of its block; 0: not known, as all below but .groups */
	char kernel_pmu[PERF_NAME_SIZE]; /* by which the kernel counts on it; "": by none */
	bool first_group_alone;		 /* is what that driver counts: uncore/devices/cpmus.h */

	unsigned counter_count; /* at most UNIT_MAX_COUNTERS, of .has */
	unsigned has;		/* so many there are */
	unsigned width;		/* bits a counter, 28 to 64 */
	bool can_freeze;
	bool is_writable; /* counters, while frozen */
	uint8_t filters;  /* bit f: there is filter f */
	unsigned group_count;
	struct cpmu_group groups[CPMU_MAX_GROUPS];
	struct cpmu_counter counters[UNIT_MAX_COUNTERS];
	uint32_t known;	     /* bit i: counter i is of a type that is known */
	uint32_t configured; /* bit i: counter i has a configuration that can be written */

	struct unit unit; /* counts its events: see uncore/units/cpmu_unit.c */
	uint64_t frozen;  /* while that is open: the freeze register as it was when it was opened */
	const struct undo *others; /* restored by runs in progress; not owned; may be NULL */
};

/* Values of the registers that say what a CPMU has. */
struct cpmu_registers {
	uint64_t capability;
	uint64_t groups[CPMU_MAX_GROUPS];
	uint64_t configurations[CPMU_MAX_COUNTERS];
};

/* How many of these registers the capability register announces: a counter, a group at least. */
unsigned cpmu_counters(uint64_t capability);
unsigned cpmu_groups(uint64_t capability);
/* Bit f: there is filter f. */
uint8_t cpmu_filters(uint64_t capability);

/*
 * Decodes the registers into the fields from .counter_count to .configured; the others are not
 * touched. -ENXIO: no response (reads as all ones). -EINVAL: what they say is impossible, or no
 * counter can be used: *err says which register holds what. -ERANGE: counters are too narrow.
 */
int cpmu_decode(const struct cpmu_registers *registers, struct cpmu *out, struct error *err);

/* Reads the registers at cpmu->address and decodes them; writes none. Also errors of mapping. */
int cpmu_read(struct platform *p, struct cpmu *cpmu, struct error *err);

/* The kernel's driver cxl_pmu: its state, and the commands that unload and load it. */

#define CPMU_COMMAND_UNLOAD "sudo modprobe -r cxl_pmu"
#define CPMU_COMMAND_LOAD   "sudo modprobe cxl_pmu"
#define CPMU_COMMAND_PERF   "sudo cxlmon --backend=perf"

/*
 * Whether the driver of this version, a PERF_KERNEL(), is known to select the first group of a
 * CPMU, whatever group is asked for. Of other versions nothing is known.
 */
bool cpmu_driver_takes_first_group(unsigned kernel);

/* The events that a driver with the first group alone can't count, and the remedy. Returns text. */
#define CPMU_LIMITS_SIZE 320
const char *cpmu_driver_limits(const struct cpmu *cpmu, char text[CPMU_LIMITS_SIZE]);

/*
 * Which counters of a CPMU count an event, and what their configurations hold then: arithmetic with
 * what the CPMU has said of itself. No register is accessed here.
 */

#define CPMU_VENDOR_CXL 0x1E98 /* vendor of the events in the specification */

/*
 * event.modifiers of a CPMU's event: a vendor's group, and a bit for each of its events that are
 * added up, as an event capability has them. Whatever else selects events is 0.
 */
#define CPMU_EVENT(vendor, group, events)                                                          \
	((uint64_t)(vendor) << 48 | (uint64_t)(group) << 32 | (uint32_t)(events))

/* The bits of a counter's configuration that cxlmon may write. */
#define CPMU_CFG_OURS                                                                              \
	(CPMU_CFG_ENABLE | CPMU_CFG_EDGE | CPMU_CFG_INVERT | CPMU_CFG_THRESHOLD |                  \
	 CPMU_CFG_EVENTS | CPMU_CFG_GROUP)

/*
 * How many events of the group of a CPMU_EVENT() one counter may count. Source: specification,
 * table 13-5, multiple event counting.
 */
unsigned cpmu_events_at_once(uint64_t wanted);

/* The bits that a CPMU counts for an event, as CPMU_EVENT(): also .optional ones that it has. */
uint64_t cpmu_events_of(const struct cpmu *cpmu, const struct event *event);

/* Whether some counter of it, or several, can count the event, whoever uses them. */
bool cpmu_counts(const struct cpmu *cpmu, const struct event *event);

/*
 * Whether the device has the event, or a part of its sum, but the kernel's driver can't count it,
 * or nothing is known of counters.
 */
bool cpmu_hides(const struct cpmu *cpmu, const struct event *event);

/* The methods of a CPMU's unit (uncore/units/unit.h). */

/* Bit i: counter i can count the event, or does so always. */
uint32_t cpmu_event_counters(const struct unit *unit, const struct event *event);

/*
 * The control with which a counter counts the event. One of fixed function takes only the enable
 * bit and the threshold of it. The threshold is 1 for one event of the specification, but 0 for
 * the length of a queue and for a sum of several events.
 */
uint64_t cpmu_event_control(const struct unit *unit, const struct event *event);

/*
 * The configuration of counter i for a control; 0: the counter is not used. Read-only
 * and reserved bits as they are read.
 */
uint64_t cpmu_configuration(const struct unit *unit, unsigned i, uint64_t control);

/*
 * The bits of counter i's configuration that say whether it still counts for us. Not the others
 * that are written: a device may hold its threshold, edge, invert or overflow bits at a value.
 */
uint64_t cpmu_deciding_bits(const struct unit *unit, unsigned i);

/*
 * cpmu_unit.c, cpmu_perf_unit.c
 *
 * A CPMU as a struct unit, so that plan and poller treat it like any unit.
 *
 * A counter is enabled by a bit of its own configuration; one with that bit is in use. Free-running
 * counters always count, and are never written. Counters are set to 0 only if they can be written
 * while they are frozen; otherwise all are free-running in the sense of unit.free_running: the
 * values with which they start are subtracted.
 *
 * Overflow status is not used, since a counter's wrap shows in its value. A bit that a run has set
 * would be taken for an overflow of the next program that uses the counter: at the end, those of
 * the run's counters that were 0 are cleared. Another program may wait for the others.
 */

/* A closed unit; *cpmu must stay where it is. Its id is the number of the CPMU in the machine. */
struct unit cpmu_unit(struct cpmu *cpmu, unsigned id, int socket);

/*
 * A closed unit on which the kernel counts (uncore/devices/cpmus.h): its registers are only read.
 * *cpmu must stay where it is, and *pmu is borrowed. Opening it fails if the registers cannot be
 * read: then nobody knows which events the kernel would count.
 *
 * unit_controls_intact() says of a group that counts whether for each control there is an enabled
 * counter that holds it, without a filter: the kernel chooses the counters.
 */
struct unit cpmu_perf_unit(struct cpmu *cpmu, unsigned id, int socket, const struct perf_pmu *pmu);

#endif
