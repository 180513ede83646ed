/* SPDX-License-Identifier: BSD-3-Clause */
/* CXL memory devices and their events, as the kernel knows them. */
#ifndef CXLMON_PLATFORM_CXL_H
#define CXLMON_PLATFORM_CXL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/pci.h"

struct device_health;
struct device_stats;
struct error;
struct platform;
struct topology;

#define CXL_NAME_SIZE 16
#define CXL_PATH_MAX  (2 * CXL_HOPS_MOST)

/* A CXL memory device, with its name in `cxl list`. */
struct cxl_device {
	char name[CXL_NAME_SIZE]; /* "mem0" */
	/*
	 * The PCI functions from the root bus to the device: path[0] is the root port (or the
	 * device itself for a CXL 1.1 device), path[depth - 1] the device.
	 */
	struct pci_location path[CXL_PATH_MAX];
	size_t depth;	 /* number of .path, at least 1 */
	int near_node;	 /* NUMA node of the CPUs that the device is attached to; -1: unknown */
	int node;	 /* NUMA node of the device's memory; -1: none, or unknown */
	uint64_t bytes;	 /* capacity, volatile plus persistent; 0: unknown */
	uint64_t serial; /* 0: unknown */
	/* The hops (links) of the path, from the root port on: between two hops is a switch. */
	struct pci_hop hops[CXL_HOPS_MOST];
	size_t hop_count;
};

/*
 * Sets .hop_count, and the two functions of each hop, from .path; their links are then unknown. It
 * pairs functions from the device on, because the root port may be below other functions without a
 * link, as with Intel VMD.
 */
void cxl_device_set_hops(struct cxl_device *device);

/* Returns the hop with the lowest rate now; NULL: no link is readable. */
const struct pci_hop *cxl_device_narrowest(const struct cxl_device *device);
/*
 * Returns the rate of that hop in raw bytes per second each way; NAN: unknown. Link utilisation is
 * a percentage of this rate.
 */
double cxl_device_rate(const struct cxl_device *device);
/* Returns the lowest rate that a hop could have; NAN: unknown for some hop, or there is no hop. */
double cxl_device_possible_rate(const struct cxl_device *device);

/*
 * Returns the first degraded hop; NULL: none. Sets *known to true if some hop reports its state and
 * its capability, else to false.
 */
const struct pci_hop *cxl_device_degraded(const struct cxl_device *device, bool *known);

/*
 * Tells if a string is a list of names of memory devices, or of their paths: "mem0,/dev/cxl/mem2".
 * The devices need not exist.
 */
bool cxl_device_list_valid(const char *devices);

/* Tells if such a list has the device of this name ("mem0"). */
bool cxl_device_list_has(const char *devices, const char *name);

/* Events that the kernel's CXL driver reports: errors, and records of devices' event logs. */

/* The trace events of the kernel's drivers/cxl/core/trace.h. */
enum cxl_event_kind {
	CXL_EVENT_AER_UNCORRECTABLE,
	CXL_EVENT_AER_CORRECTABLE,
	CXL_EVENT_PORT_AER_UNCORRECTABLE, /* a port between the root and a device */
	CXL_EVENT_PORT_AER_CORRECTABLE,
	CXL_EVENT_OVERFLOW,
	CXL_EVENT_GENERIC,
	CXL_EVENT_GENERAL_MEDIA,
	CXL_EVENT_DRAM,
	CXL_EVENT_MEMORY_MODULE,
	CXL_EVENT_MEMORY_SPARING,
	CXL_EVENT_POISON,
	CXL_EVENT_KINDS
};

/* The kernel's names of these events, such as "cxl_aer_uncorrectable_error". */
extern const char *const cxl_event_names[CXL_EVENT_KINDS];

#define CXL_EVENT_DEVICE_SIZE 32  /* "mem0", or the PCI function of a port */
#define CXL_EVENT_TEXT_SIZE   352 /* holds the longest sentence */

struct cxl_event {
	enum cxl_event_kind kind;
	uint64_t wall_ns;		    /* since 1970, UTC */
	char device[CXL_EVENT_DEVICE_SIZE]; /* "": unknown */
	char text[CXL_EVENT_TEXT_SIZE];	    /* one line; does not name the device */
};

struct cxl_ops {
	/*
	 * Lists the memory devices of the kernel's CXL bus, by number; none if there is no CXL bus.
	 * The caller frees *out. 0 or a negative errno.
	 */
	int (*devices)(struct platform *p, struct cxl_device **out, size_t *count,
		       struct error *err);
	/*
	 * Reads the statistics of a device that devices() has listed; wall_ns, threads and errors
	 * are as in memory_ops.stats(). -ENODEV: the device is gone. NULL: no device has
	 * statistics.
	 */
	int (*stats)(struct platform *p, const struct cxl_device *device, uint64_t wall_ns,
		     struct device_stats *out);
	/*
	 * Asks a memory device for its health, which may take many seconds. wall_ns and threads are
	 * as in memory_ops.stats(). -ENOTTY: the device does not report its health. NULL: no device
	 * reports it.
	 */
	int (*health)(struct platform *p, const struct cxl_device *device, uint64_t wall_ns,
		      struct device_health *out);
	/*
	 * Opens the events of CXL devices on these CPUs, so that they can still be read after
	 * rights_drop(). 1: events are open; 0, or NULL: there will never be events; or a negative
	 * errno.
	 */
	int (*events_open)(struct platform *p, const struct topology *topology, struct error *err);
	/*
	 * Takes the next event, without waiting; with a virtual clock, none later than wall_ns.
	 * Returns false if no event is left. Adds the number of events that were lost, because
	 * there was no room for them, to *lost. Threads: as memory_ops.stats().
	 */
	bool (*events_next)(struct platform *p, uint64_t wall_ns, struct cxl_event *out,
			    uint64_t *lost);
};

#endif
