/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory bandwidth monitoring (MBM) of AMD's L3 caches: two events, of which the kernel's resctrl
 * lets one choose what they count (BMEC). The choice is one of the whole machine, and changing it
 * clears the counts of everybody.
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

/* Bits of the files mbm_*_bytes_config, which say what an event counts. */
#define MBM_SLOW_READS	  0x30 /* of memory of the same NUMA domain, and of another one */
#define MBM_TOTAL_DEFAULT 0x7F
#define MBM_LOCAL_DEFAULT 0x15
#define MBM_ALL_BITS	  0x7F
#define MBM_UNKNOWN	  (UINT32_C(1) << 31) /* it counts something else, too */

/* In place of a cache: all of them, which have one setting where counters are assigned (ABMC). */
#define MBM_EVERY_CACHE 65535

#define MBM_GROUP_SIZE 64

struct mbm_cache {
	unsigned number; /* the kernel's, of the L3 cache */
	uint32_t settings[MBM_EVENTS];
};

struct mbm {
	struct mbm_cache *caches; /* ascending */
	size_t count;
	bool at_once;		    /* they have one setting */
	char group[MBM_GROUP_SIZE]; /* that exists beside the default group, printable; "": none */
};

static inline const char *mbm_event_name(enum mbm_event event)
{
	return event == MBM_TOTAL ? "mbm_total_bytes" : "mbm_local_bytes";
}

/*
 * Chooses the event that counts reads of CXL memory: one that does already, or else one that is to
 * be set so (*set). ERROR_IN_USE: others use both, as there are groups, or settings of their own.
 */
int mbm_choose(const struct mbm *mbm, enum mbm_event *event, bool *set, struct error *err);

struct platform;
struct reg;

/*
 * What L3 caches count of memory traffic, by resctrl. open finds the caches and their settings,
 * which stay valid until the next call: ERROR_NO_UNIT, ERROR_PERMISSION: there are none, or resctrl
 * is not mounted. A setting is a register, which can be accessed also before open, and after
 * rights_drop() if it was accessed likewise before. read reads bytes by cache, in the order of
 * open: NAN where they are not known, or are not of MBM_SLOW_READS alone; it opens what it reads
 * when it is called first. -ESTALE: since open another program has changed the setting, or groups.
 * Threads: as memory_ops.stats().
 */
struct mbm_ops {
	int (*open)(struct platform *p, const struct mbm **out, struct error *err);
	int (*read)(struct platform *p, enum mbm_event event, uint64_t wall_ns, double *bytes,
		    uint64_t *at_ns);
};

/* The setting of an event as a register (REG_MBM). */
struct reg mbm_register(unsigned cache, enum mbm_event event);
/* Allows writes to the settings of all caches, in the write guard. 0 or -ENOMEM. */
int mbm_allow(struct platform *p, struct error *err);

#endif
