/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory bandwidth monitoring (MBM) of AMD's L3 caches: two events, each with a selection of memory
 * traffic that the kernel's resctrl can change (BMEC). A selection holds for the whole machine, and
 * a change clears everybody's counts.
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

/* Bits of the files mbm_*_bytes_config: the traffic that an event counts. */
#define MBM_SLOW_READS	  0x30 /* slow memory of the same NUMA domain, and of others */
#define MBM_TOTAL_DEFAULT 0x7F
#define MBM_LOCAL_DEFAULT 0x15
#define MBM_ALL_BITS	  0x7F
#define MBM_UNKNOWN	  (UINT32_C(1) << 31) /* the event also counts other traffic */

/* In place of a cache: all caches, which share one setting if counters are assigned (ABMC). */
#define MBM_EVERY_CACHE 65535

#define MBM_GROUP_SIZE 64

struct mbm_cache {
	unsigned number; /* the kernel's number of the L3 cache */
	uint32_t settings[MBM_EVENTS];
};

struct mbm {
	struct mbm_cache *caches; /* ascending */
	size_t count;
	bool at_once;		    /* all caches share one setting */
	char group[MBM_GROUP_SIZE]; /* a group other than the default group, printable; "": none */
};

static inline const char *mbm_event_name(enum mbm_event event)
{
	return event == MBM_TOTAL ? "mbm_total_bytes" : "mbm_local_bytes";
}

/*
 * Chooses the event that counts reads of CXL memory: one that already does, or else one whose
 * setting has to be changed (*set). ERROR_IN_USE: others use both events, as groups or changed
 * settings show.
 */
int mbm_choose(const struct mbm *mbm, enum mbm_event *event, bool *set, struct error *err);

struct platform;
struct reg;

/*
 * Bytes of memory traffic by L3 cache, from resctrl.
 *
 * open finds the caches and their settings; *out is valid until the next call. ERROR_NO_UNIT: there
 * are none. ERROR_PERMISSION: resctrl is not mounted.
 *
 * read reads bytes by cache, in the order of open. NAN: unknown, or the event does not count only
 * MBM_SLOW_READS. Its first call opens the files. -ESTALE: another program has changed the setting,
 * or groups, since open. Threads: as memory_ops.stats().
 *
 * A setting is a register, which can be accessed before open. It can be accessed after
 * rights_drop() if the same kind of access was made before.
 */
struct mbm_ops {
	int (*open)(struct platform *p, const struct mbm **out, struct error *err);
	int (*read)(struct platform *p, enum mbm_event event, uint64_t wall_ns, double *bytes,
		    uint64_t *at_ns);
};

/* Returns the setting of an event as a register (REG_MBM). */
struct reg mbm_register(unsigned cache, enum mbm_event event);
/* Allows writes to the settings of all caches in the write guard. 0 or -ENOMEM. */
int mbm_allow(struct platform *p, struct error *err);

#endif
