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
	/*
	 * Memory of a node. Promotions, demotions and candidates are in pages since boot; a huge
	 * page counts as its small pages. None of them includes DAMON's migrations.
	 */
	NODE_USED,     /* bytes, page cache included */
	NODE_FREE,     /* bytes */
	NODE_PROMOTED, /* counted on the node that the page moved to: mm/migrate.c */
	NODE_DEMOTED,  /* on the node that it left; before Linux 6.8 only NODE_MACHINE has it */
	NODE_HINTING_FAULTS, /* by NUMA balancing, since boot; only NODE_MACHINE has it */
	/* Pages found hot enough to promote, promoted or not; unknown if the kernel omits some. */
	NODE_CANDIDATES,
	/* The hop of a device's path with the lowest rate: cxl_device_narrowest(). */
	LINK_WIDTH, /* lanes */
	LINK_SPEED, /* transfers per second and lane */
	LINK_RATE,  /* bytes per second each way: pci_link_rate() */
	/*
	 * Errors since boot that the functions from the root port to a device have reported by
	 * Advanced Error Reporting. Unknown instead of 0 if firmware handles errors, which the
	 * kernel then does not see.
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

/* Counts of Advanced Error Reporting by kind, since boot. */
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

/* Adds to the count of a kind, or adds the kind; does nothing if there is no room for it. */
void aer_kinds_add(struct aer_kinds *kinds, enum kernel_stat severity, const char *name,
		   double count);

/* Returns "correctable", "nonfatal" or "fatal". */
const char *aer_severity(enum kernel_stat severity);

/* A device's statistics, and the present state of its links in the order of cxl_device.hops. */
struct device_stats {
	struct kernel_stats kernel; /* without LINK_*, which the caller computes from .links */
	bool gone;		    /* the device is not on the bus, and all else is unknown */
	struct pci_link links[CXL_HOPS_MOST];
	struct aer_kinds kinds; /* sums over all functions from the root port to the device */
};

#endif
