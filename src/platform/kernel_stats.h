/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics of the kernel about NUMA nodes, the whole machine, and CXL devices. */
#ifndef CXLMON_PLATFORM_KERNEL_STATS_H
#define CXLMON_PLATFORM_KERNEL_STATS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/cxl.h"
#include "platform/pci.h"

enum kernel_stat {
	KERNEL_STAT_NONE,
	/* Memory of a node, or of the machine (NODE_MACHINE), in bytes. */
	NODE_USED, /* includes the page cache */
	NODE_FREE,
	/*
	 * Pages since boot, without those that DAMON migrates. A huge page counts as its small
	 * pages.
	 */
	NODE_PROMOTED,	     /* counted on the node that the page moved to: mm/migrate.c */
	NODE_DEMOTED,	     /* counted on the node that the page left; by node from Linux 6.8 on */
	NODE_HINTING_FAULTS, /* faults of NUMA balancing since boot; only of the machine */
	/*
	 * Pages hot enough to promote, even if they were not promoted. Unknown if the kernel does
	 * not count all of them.
	 */
	NODE_CANDIDATES,
	/* The narrowest hop of a device's path: cxl_device_narrowest(). */
	LINK_WIDTH, /* lanes */
	LINK_SPEED, /* transfers per second and lane */
	LINK_RATE,  /* bytes per second each way: pci_link_rate() */
	/*
	 * Errors since boot that the PCI functions of a device's path (cxl_device.path) have
	 * reported by Advanced Error Reporting (AER). If firmware handles errors, the kernel counts
	 * 0, and the statistic is unknown.
	 * Source: the kernel's Documentation/ABI/testing/sysfs-bus-pci-devices-aer.
	 */
	AER_CORRECTABLE,
	AER_NONFATAL,
	AER_FATAL,
	/* The health that a device reports: struct device_health. */
	DEVICE_TEMPERATURE,	 /* degrees Celsius */
	DEVICE_LIFE_USED,	 /* used share of its life, from 0 to 1 */
	DEVICE_STATE,		 /* device_health.state */
	DEVICE_CORRECTED_ERRORS, /* device_health.corrected_errors */
	KERNEL_STATS
};

#define NODE_MACHINE (-1) /* in place of a node: the whole machine */

struct kernel_stats {
	uint64_t at_ns;		     /* time of the reading: see clock_ops.now */
	double values[KERNEL_STATS]; /* NAN: unknown */
};

/* Returns statistics that are all unknown. */
static inline struct kernel_stats kernel_stats_unknown(uint64_t at_ns)
{
	struct kernel_stats stats = {.at_ns = at_ns};

	for (unsigned i = 0; i < KERNEL_STATS; i++)
		stats.values[i] = NAN;
	return stats;
}

/* Errors since boot by kind, as AER counts them. */
#define AER_KINDS_MOST 48 /* the kernel has 9 correctable kinds, and 18 that are fatal or not */
#define AER_NAME_SIZE  24
#define AER_SEVERITIES 3

struct aer_kind {
	enum kernel_stat severity; /* AER_CORRECTABLE, AER_NONFATAL or AER_FATAL */
	char name[AER_NAME_SIZE];  /* "BadTLP", as the kernel calls it */
	double count;
};

struct aer_kinds {
	struct aer_kind items[AER_KINDS_MOST];
	size_t count;
};

/* Adds to the count of a kind, or adds a new kind. If a new kind has no room, does nothing. */
void aer_kinds_add(struct aer_kinds *kinds, enum kernel_stat severity, const char *name,
		   double count);

/* Returns "correctable", "nonfatal" or "fatal". */
const char *aer_severity(enum kernel_stat severity);

/* The statistics of a CXL device. */
struct device_stats {
	struct kernel_stats kernel; /* only AER_*; the others are unknown */
	bool gone;		    /* the device is not on the bus, and all else is unknown */
	struct pci_link links[CXL_HOPS_MOST]; /* present links, in the order of cxl_device.hops */
	struct aer_kinds kinds;		      /* sums over all functions of the device's path */
};

#endif
