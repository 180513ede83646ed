/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory bandwidth monitoring (MBM) of AMD's L3 caches. It has two events, each with a setting that
 * selects the memory traffic to count; the kernel's resctrl can change settings (BMEC). A setting
 * holds for all users of the machine, and a change clears everybody's counts.
 *
 * Source: the kernel's Documentation/filesystems/resctrl.rst (before Linux 6.16, arch/x86), which
 * says that CXL.memory is the only slow memory.
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
#define MBM_TOTAL_DEFAULT 0x7F
#define MBM_LOCAL_DEFAULT 0x15
#define MBM_ALL_BITS	  0x7F
#define MBM_UNKNOWN	  (UINT32_C(1) << 31) /* a part of the setting is unknown or missing */

/* The cache number that stands for all caches, if they share one setting: mbm.at_once. */
#define MBM_EVERY_CACHE 65535

#define MBM_GROUP_SIZE 64

struct mbm_cache {
	unsigned number; /* the kernel's number of the L3 cache */
	uint32_t settings[MBM_EVENTS];
};

struct mbm {
	struct mbm_cache *caches; /* ascending */
	size_t count;
	bool at_once; /* all caches share one setting, because counters are assigned (ABMC) */
	char group[MBM_GROUP_SIZE]; /* a resctrl group other than the default one; "": none */
};

/* Returns the kernel's name of an event. */
static inline const char *mbm_event_name(enum mbm_event event)
{
	return event == MBM_TOTAL ? "mbm_total_bytes" : "mbm_local_bytes";
}

/*
 * Chooses the event to count reads of CXL memory: one that already does in all caches (*set is
 * false), or else MBM_LOCAL, whose setting has to be changed (*set is true). ERROR_IN_USE: the
 * change would disturb others, because a setting is not the default, or there is another group.
 */
int mbm_choose(const struct mbm *mbm, enum mbm_event *event, bool *set, struct error *err);

struct platform;
struct reg;

/* Bytes of memory traffic by L3 cache, from resctrl. */
struct mbm_ops {
	/*
	 * Finds the caches and their settings. The platform owns *out, which is valid until the
	 * next call of .open. ERROR_NO_UNIT: there is no monitoring, or its settings cannot be
	 * changed. ERROR_PERMISSION: resctrl is not mounted, or may not be read.
	 */
	int (*open)(struct platform *p, const struct mbm **out, struct error *err);
	/*
	 * Reads the bytes that an event has counted, for each cache in the order of .open, and the
	 * time of the reading (clock_ops.now). NAN: the count is unknown, the setting is not
	 * MBM_SLOW_READS, or groups have changed since .open. -ESTALE: another program has changed
	 * the setting or groups since .open; *bytes is set nevertheless.
	 *
	 * The first call after .open opens the files of its event; later calls must name the same
	 * event. wall_ns, and the threads that may call it, are as in memory_ops.stats().
	 */
	int (*read)(struct platform *p, enum mbm_event event, uint64_t wall_ns, double *bytes,
		    uint64_t *at_ns);
};

/*
 * Returns the setting of an event as a register (REG_MBM), which can be accessed without .open.
 * After rights_drop(), only files that are already open can be used. A read then needs an earlier
 * .open, read or write of the event; a write needs an earlier write since the last .open.
 */
struct reg mbm_register(unsigned cache, enum mbm_event event);
/* Allows writes to the settings of all caches in the write guard. 0 or -ENOMEM. */
int mbm_allow(struct platform *p, struct error *err);

#endif
