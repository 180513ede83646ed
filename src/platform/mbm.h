/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory bandwidth monitoring (MBM) of AMD's L3 caches. It has two events. A setting of each event
 * selects the memory traffic that the event counts. The kernel's resctrl can change settings
 * (BMEC). A setting applies to all users of the machine, and a change clears everybody's counts.
 *
 * The slow memory that settings distinguish is CXL memory.
 *
 * Source: the kernel's Documentation/filesystems/resctrl.rst (before Linux 6.16, arch/x86).
 */
#ifndef CXLMON_PLATFORM_MBM_H
#define CXLMON_PLATFORM_MBM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum mbm_event { MBM_TOTAL, MBM_LOCAL, MBM_EVENTS };

/* Bits of a setting, as in the files mbm_*_bytes_config: the traffic that an event counts. */
#define MBM_SLOW_READS	  0x30 /* reads of slow memory, in the same NUMA domain and in others */
#define MBM_TOTAL_DEFAULT 0x7F /* setting of MBM_TOTAL after boot */
#define MBM_LOCAL_DEFAULT 0x15 /* setting of MBM_LOCAL after boot */
#define MBM_ALL_BITS	  0x7F
#define MBM_UNKNOWN	  (UINT32_C(1) << 31) /* the setting is missing, or partly unknown */

/* The cache number that stands for all caches, if mbm.at_once is true. */
#define MBM_EVERY_CACHE 65535

#define MBM_GROUP_SIZE 64

struct mbm_cache {
	unsigned number; /* the kernel's number of the L3 cache */
	uint32_t settings[MBM_EVENTS];
};

struct mbm {
	struct mbm_cache *caches; /* by number */
	size_t count;
	bool at_once; /* all caches share one setting, because counters are assigned (ABMC) */
	char group[MBM_GROUP_SIZE]; /* a resctrl group besides the default one; "": none exists */
};

/* Returns the kernel's name of an event. */
static inline const char *mbm_event_name(enum mbm_event event)
{
	return event == MBM_TOTAL ? "mbm_total_bytes" : "mbm_local_bytes";
}

/*
 * Chooses the event that is to count reads of CXL memory.
 *
 * - If an event already does so in all caches, chooses it. *set becomes false.
 * - Otherwise chooses MBM_LOCAL, whose setting has to be changed. *set becomes true.
 *
 * ERROR_IN_USE: the change would disturb others, because a setting is not the default, or a group
 * besides the default one exists.
 */
int mbm_choose(const struct mbm *mbm, enum mbm_event *event, bool *set, struct error *err);

struct platform;
struct reg;

/* Bytes of memory traffic by L3 cache, from resctrl. */
struct mbm_ops {
	/*
	 * Finds the caches and their settings. The platform owns *out, which is valid until the
	 * next call of .open. ERROR_NO_UNIT: the machine has no monitoring, or its settings cannot
	 * be changed. ERROR_PERMISSION: resctrl is not mounted, or may not be read.
	 */
	int (*open)(struct platform *p, const struct mbm **out, struct error *err);
	/*
	 * Reads the bytes that an event has counted in each cache, in the order of mbm.caches.
	 * *at_ns becomes the time of the reading (clock_ops.now). NAN: the count is unknown.
	 *
	 * -ESTALE: the setting of some cache is not MBM_SLOW_READS, so that its count is NAN; or
	 * groups have changed since .open, so that all counts are NAN.
	 *
	 * The first call after .open opens the files of its event. Later calls must name the same
	 * event. wall_ns and threads: see memory_ops.stats().
	 */
	int (*read)(struct platform *p, enum mbm_event event, uint64_t wall_ns, double *bytes,
		    uint64_t *at_ns);
};

/*
 * Returns the setting of an event in a cache as a register (REG_MBM). It can be accessed without
 * mbm_ops.open.
 *
 * After rights_drop(), only files that are open can be used. A read needs an earlier .open, or an
 * earlier access to the event's setting. A write needs an earlier write since the last .open.
 */
struct reg mbm_register(unsigned cache, enum mbm_event event);
/* Allows writes to the settings of all caches in the write guard. 0 or -ENOMEM. */
int mbm_allow(struct platform *p, struct error *err);

#endif
