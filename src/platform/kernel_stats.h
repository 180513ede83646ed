/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics that the kernel has of NUMA nodes, of the whole machine, and of CXL devices. */
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
	 * The memory of a node. Pages are counted since boot, a huge one as the pages that it is
	 * made of. The kernel counts a promotion on the node that the page has come to, a demotion
	 * on the node it has left (mm/migrate.c and mm/vmscan.c). What DAMON migrates is in none of
	 * these counters.
	 */
	NODE_USED, /* bytes, page cache included */
	NODE_FREE, /* bytes */
	NODE_PROMOTED,
	NODE_DEMOTED,	     /* before Linux 6.8 of the whole machine alone */
	NODE_HINTING_FAULTS, /* by NUMA balancing; of the whole machine alone */
	/* The narrowest hop of a device's link. */
	LINK_WIDTH, /* lanes */
	LINK_SPEED, /* transfers a second of a lane */
	LINK_RATE,  /* bytes a second each way: pci_link_rate() */
	/*
	 * Errors since boot that the functions on the way to a device have reported by Advanced
	 * Error Reporting. With firmware-first error handling the kernel sees none, and they stay
	 * 0. Source: the kernel's Documentation/ABI/testing/sysfs-bus-pci-devices-aer.
	 */
	AER_CORRECTABLE,
	AER_NONFATAL,
	AER_FATAL,
	/* What a device tells of itself: struct device_health. */
	DEVICE_TEMPERATURE, /* degrees Celsius */
	DEVICE_LIFE_USED,   /* 1: all of it */
	DEVICE_STATE,	    /* device_health.state */
	DEVICE_CORRECTED_ERRORS,
	KERNEL_STATS
};

#define NODE_MACHINE (-1) /* in place of a node: the whole machine */

struct kernel_stats {
	uint64_t at_ns;		     /* when they were read: see clock_ops.now */
	double values[KERNEL_STATS]; /* NAN: not known */
};

/* Statistics, none of which is known. */
static inline struct kernel_stats kernel_stats_unknown(uint64_t at_ns)
{
	struct kernel_stats stats = {.at_ns = at_ns};

	for (unsigned i = 0; i < KERNEL_STATS; i++)
		stats.values[i] = NAN;
	return stats;
}

/* Errors of Advanced Error Reporting by kind: those that have happened since boot. */
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

/* Adds to the count of a kind; where there is no room for another one, nothing. */
void aer_kinds_add(struct aer_kinds *kinds, enum kernel_stat severity, const char *name,
		   double count);

/* "correctable", "nonfatal" or "fatal". */
const char *aer_severity(enum kernel_stat severity);

/* A device's statistics, and its links now in the order of cxl_device.hops. */
struct device_stats {
	struct kernel_stats kernel; /* LINK_*: not set, but computed of the links */
	bool gone;		    /* it is not on the bus; then all is unknown */
	struct pci_link links[CXL_HOPS_MOST];
	struct aer_kinds kinds; /* of all functions on the way to it */
};

#endif
