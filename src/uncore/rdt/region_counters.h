/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bytes by L3 domain and region of memory, as the counters that ERDT describes have them. They are
 * in memory, and only read: the write guard has no rule for any of them.
 */
#ifndef CXLMON_UNCORE_RDT_REGION_COUNTERS_H
#define CXLMON_UNCORE_RDT_REGION_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/rdt.h"
#include "platform/reg.h"
#include "uncore/rdt/region_tables.h"

/*
 * A socket of 16 channels of DDR5 at 12800 MT/s has 1.6 TB/s, beside CXL memory: no region of one
 * of its L3 caches moves more.
 */
#define REGION_MOST_BYTES_PER_S 2e12

struct region_kind {
	unsigned id;
	enum memory_region kind;
};

struct region_windows {
	struct mmio_window control, counters;
};

struct region_counters {
	struct platform *platform; /* not owned; NULL: not open */
	struct region_tables tables;
	int *sockets;				  /* by domain; -1: none of its CPUs is online */
	struct region_kind regions[ERDT_REGIONS]; /* those of which it is known what they count */
	unsigned region_count;
	unsigned rmids;			/* that are read: those from 0 on */
	double longest_s;		/* between readings, so that no counter wraps twice */
	struct region_windows *windows; /* by domain */
	struct reg *regs;		/* of each domain: its control, then by region and RMID */
	struct reg_handle *handles;
	size_t reg_count;
	uint64_t *before, *now;		/* by register: the latest two readings */
	int *failures;			/* likewise, while they are read: 0, or a negative errno */
	struct region_reading *reading; /* room for region_counters_update() */
	uint64_t before_ns, now_ns;
	/* what has happened since it was opened */
	bool overflowed; /* a counter said so */
	bool totals;	 /* counts were not by region */
	bool too_long;	 /* readings were further apart than .longest_s */
};

/*
 * ERROR_NO_UNIT: firmware has no such table, or no region is known to be of DRAM or CXL memory.
 * ERROR_FAILED: a table is broken. ERROR_PERMISSION. Reads them once. Closed by
 * region_counters_close(), also after failure.
 */
int region_counters_open(struct region_counters *out, struct platform *p,
			 const struct topology *topology, struct error *err);
void region_counters_close(struct region_counters *counters);

/* Whether some region is of this kind. */
bool region_counters_know(const struct region_counters *counters, enum memory_region kind);

/* Bytes of a reading. */
size_t region_counters_size(const struct region_counters *counters);
/* Reads for a sample of that wall-clock time: see rdt_ops.read. Changes nothing but out. */
void region_counters_read(const struct region_counters *counters, uint64_t wall_ns, void *out);
/* Takes a reading: it is the latest one now. replaces: in place of the latest one so far. */
void region_counters_take(struct region_counters *counters, const void *reading, bool replaces);
/* Both. */
void region_counters_update(struct region_counters *counters, uint64_t wall_ns);

/* The seconds between the latest two readings. */
double region_counters_seconds(const struct region_counters *counters);

/* Bytes of that kind in them, of all RMIDs; NAN: not known. */
double region_counters_bytes(const struct region_counters *counters, size_t domain,
			     enum memory_region kind);

/* Likewise of all domains, of one RMID. */
double region_counters_rmid_bytes(const struct region_counters *counters, unsigned rmid,
				  enum memory_region kind);

#endif
