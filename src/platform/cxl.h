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
	 * The PCI functions from the root bus to the device, which is path[depth - 1]. path[0] is
	 * the root port, with two exceptions. With CXL 1.1, it is the device itself. With Intel
	 * VMD, it is a function above the root port.
	 */
	struct pci_location path[CXL_PATH_MAX];
	size_t depth;	 /* functions in .path, at least 1 */
	int near_node;	 /* NUMA node of the CPUs that the device is attached to; -1: unknown */
	int node;	 /* NUMA node of the device's memory; -1: none, or unknown */
	uint64_t bytes;	 /* capacity, volatile plus persistent; 0: unknown */
	uint64_t serial; /* 0: unknown */
	/* The links of the path, from the root port to the device. A switch joins two links. */
	struct pci_hop hops[CXL_HOPS_MOST];
	size_t hop_count;
};

/*
 * Sets .hop_count and both ends of each hop, from .path. The width and speed of each hop become
 * unknown.
 */
void cxl_device_set_hops(struct cxl_device *device);

/* Returns the hop with the lowest present rate; NULL: the rate of every hop is unknown. */
const struct pci_hop *cxl_device_narrowest(const struct cxl_device *device);
/*
 * Returns the present rate of the narrowest hop, in bytes per second each way (pci_link_rate()).
 * NAN: unknown. Link utilisation is a percentage of this rate.
 */
double cxl_device_rate(const struct cxl_device *device);
/*
 * Returns the lowest of the hops' possible rates (pci_hop.possible). NAN: the possible rate of some
 * hop is unknown, or the device has no hop.
 */
double cxl_device_possible_rate(const struct cxl_device *device);

/*
 * Returns the first hop for which pci_hop_is_degraded() is true; NULL: none. *known becomes true if
 * .now and .possible of some hop are known, else false.
 */
const struct pci_hop *cxl_device_degraded(const struct cxl_device *device, bool *known);

/*
 * Tells if a string lists memory devices by name or path: "mem0,/dev/cxl/mem2". The devices need
 * not exist.
 */
bool cxl_device_list_valid(const char *devices);

/* Tells if a valid list contains the device with this name ("mem0"). */
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

/* Functions of a platform. An optional one may be NULL. */
struct cxl_ops {
	/*
	 * Lists the memory devices of the kernel's CXL bus that are PCI functions, by number. The
	 * list is empty if the kernel has no CXL bus. The caller frees *out.
	 */
	int (*devices)(struct platform *p, struct cxl_device **out, size_t *count,
		       struct error *err);
	/*
	 * Reads the statistics of a device that devices() has listed. After an error, all are
	 * unknown. -ENODEV: the device is gone. wall_ns and threads: see memory_ops.stats().
	 * Optional.
	 */
	int (*stats)(struct platform *p, const struct cxl_device *device, uint64_t wall_ns,
		     struct device_stats *out);
	/*
	 * Asks a memory device for its health. The answer may take many seconds. -ENOTTY: the
	 * device does not report its health. wall_ns and threads: see memory_ops.stats(). Optional.
	 */
	int (*health)(struct platform *p, const struct cxl_device *device, uint64_t wall_ns,
		      struct device_health *out);
	/*
	 * Opens the events of CXL devices, which the kernel records by CPU. Opened events can still
	 * be read after rights_drop(). Returns 1: events are open; 0: there will never be any; or a
	 * negative errno. Optional.
	 */
	int (*events_open)(struct platform *p, const struct topology *topology, struct error *err);
	/*
	 * Takes the next event, without waiting. Returns false if no event is left. Events of one
	 * CPU come in the order of time, events of several CPUs do not. Adds to *lost the number of
	 * events that the kernel had no room for. With a virtual clock, events later than wall_ns
	 * are not taken yet. Threads: see memory_ops.stats(). Optional.
	 */
	bool (*events_next)(struct platform *p, uint64_t wall_ns, struct cxl_event *out,
			    uint64_t *lost);
};

#endif
