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

/* A CXL memory device, with the names of `cxl list`. Its serial number is deliberately not read. */
struct cxl_device {
	char name[CXL_NAME_SIZE]; /* "mem0" */
	/*
	 * The PCI functions from the root bus to the device: path[0] is the root port (or the
	 * device itself for a CXL 1.1 device), path[depth - 1] the device. depth is at least 1.
	 */
	struct pci_location path[CXL_PATH_MAX];
	size_t depth;
	int near_node;	 /* NUMA node of the CPUs it is attached to; -1: not known */
	int node;	 /* NUMA node of its memory; -1: none, or not known */
	uint64_t bytes;	 /* capacity, volatile plus persistent; 0: not known */
	uint64_t serial; /* 0: not known */
	/* The links of the path, from the root port on: a switch is crossed between two of them. */
	struct pci_hop hops[CXL_HOPS_MOST];
	size_t hop_count;
};

/*
 * Sets which functions its hops are between. They are counted from the device: above the root port
 * there may be others, as of Intel VMD, without a link.
 */
void cxl_device_set_hops(struct cxl_device *device);

/* The hop with the lowest rate; NULL: no link is known. */
const struct pci_hop *cxl_device_narrowest(const struct cxl_device *device);
/* The rate of the narrowest hop in bytes a second each way, of which shares of the link are shown;
 * NAN: not known. */
double cxl_device_rate(const struct cxl_device *device);
/* The rate that its link could have at most; NAN: not known. */
double cxl_device_possible_rate(const struct cxl_device *device);

/* The first hop that is degraded; NULL: none. *known: whether any hop says what it could be. */
const struct pci_hop *cxl_device_degraded(const struct cxl_device *device, bool *known);

/* Tells if a text is a list of memory devices, or of paths of them: "mem0,/dev/cxl/mem2". */
bool cxl_device_list_valid(const char *devices);

/* Tells if such a list names the device. */
bool cxl_device_list_has(const char *devices, const char *name);

/* Events that the kernel's CXL driver reports: errors, and records of devices' event logs. */

/* The trace events of the kernel's drivers/cxl/core/trace.h. */
enum cxl_event_kind {
	CXL_EVENT_AER_UNCORRECTABLE,
	CXL_EVENT_AER_CORRECTABLE,
	CXL_EVENT_PORT_AER_UNCORRECTABLE, /* of a port on the way to a device */
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

/* "cxl_aer_uncorrectable_error", as the kernel names it. */
extern const char *const cxl_event_names[CXL_EVENT_KINDS];

#define CXL_EVENT_DEVICE_SIZE 32  /* "mem0", or of a port the name of its PCI function */
#define CXL_EVENT_TEXT_SIZE   352 /* more than the longest sentence */

struct cxl_event {
	enum cxl_event_kind kind;
	uint64_t wall_ns;		    /* since 1970, UTC */
	char device[CXL_EVENT_DEVICE_SIZE]; /* "": not known */
	char text[CXL_EVENT_TEXT_SIZE];	    /* one line; does not name the device */
};

struct cxl_ops {
	/*
	 * The memory devices of the kernel's CXL bus, by number; none if there is no CXL bus.
	 * *out is freed by the caller.
	 */
	int (*devices)(struct platform *p, struct cxl_device **out, size_t *count,
		       struct error *err);
	/*
	 * Reads what memory_ops.stats() reads of a node, of a memory device that devices() has
	 * listed; -ENODEV: it is gone. NULL: nothing is known of any device.
	 */
	int (*stats)(struct platform *p, const struct cxl_device *device, uint64_t wall_ns,
		     struct device_stats *out);
	/*
	 * Asks a memory device for its health, which may take many seconds; with a virtual clock,
	 * it is that of wall_ns. -ENOTTY: the device does not tell it. Threads: as
	 * memory_ops.stats(). NULL: no device tells it.
	 */
	int (*health)(struct platform *p, const struct cxl_device *device, uint64_t wall_ns,
		      struct device_health *out);
	/*
	 * Opens the events of CXL devices on these CPUs, so that they can still be read after
	 * rights_drop(). 1; 0: there never are any. events_next takes the next one; with a virtual
	 * clock, none that is later than wall_ns. False: there is none left. *lost grows by those
	 * for which there was no room. Threads: as memory_ops.stats(). NULL: there never are any.
	 */
	int (*events_open)(struct platform *p, const struct topology *topology, struct error *err);
	bool (*events_next)(struct platform *p, uint64_t wall_ns, struct cxl_event *out,
			    uint64_t *lost);
};

#endif
