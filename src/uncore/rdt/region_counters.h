/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters of Intel RDT: the bytes of accesses from each L3 domain (CPUs that share an L3 cache) to
 * each region of memory, by RMID. A region has memory of one kind, such as CXL memory; an RMID is
 * the number of a group of tasks: see region_tables.h. The counters are in MMIO, at addresses from
 * the ACPI table ERDT, and are only read.
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
 * Upper limit of the traffic between one L3 cache and one region: a socket with 16 channels of DDR5
 * at 12800 MT/s has 1.6 TB/s, plus CXL memory.
 */
#define REGION_MOST_BYTES_PER_S 2e12

/* A region of a known kind. */
struct region_kind {
	unsigned id; /* its number in the ACPI tables */
	enum memory_region kind;
};

/* The mapped registers of a domain. */
struct region_windows {
	struct mmio_window control, counters;
};

struct region_counters {
	struct platform *platform; /* not owned; NULL: not open */
	struct region_tables tables;
	int *sockets;				  /* by domain; -1: none of its CPUs is online */
	struct region_kind regions[ERDT_REGIONS]; /* only those of a known kind are read */
	unsigned region_count;
	unsigned rmids; /* RMIDs 0 to .rmids - 1 are read; without resctrl, only RMID 0 */
	/* seconds within which no counter can wrap twice */
	double longest_s;
	struct region_windows *windows; /* by domain */
	/* registers: for each domain, its control, then its counters by region and RMID */
	struct reg *regs;
	struct reg_handle *handles;
	size_t reg_count;
	uint64_t *before, *now;		/* by register: the latest two readings */
	int *failures;			/* room for region_counters_read() */
	struct region_reading *reading; /* room for region_counters_update() */
	uint64_t before_ns, now_ns;	/* times of the readings .before and .now */
	/* faults in any interval since the counters were opened */
	bool overflowed; /* a counter reported an overflow */
	bool totals;	 /* some domain counted all memory together, not by region */
	bool too_long;	 /* readings were further apart than .longest_s */
};

/*
 * Opens the counters, and reads them once. *p must outlive them. *out is closed by
 * region_counters_close(), also after an error:
 *   ERROR_NO_UNIT     firmware lacks a table, a table lacks a CPU or a domain's counters, no region
 *                     is known to be DRAM or CXL memory, or counts are not by region
 *   ERROR_FAILED      a table is broken, or memory is lacking
 *   ERROR_PERMISSION  tables or counters may not be read
 */
int region_counters_open(struct region_counters *out, struct platform *p,
			 const struct topology *topology, struct error *err);
void region_counters_close(struct region_counters *counters);

/* Returns true if some region is of this kind. */
bool region_counters_know(const struct region_counters *counters, enum memory_region kind);

/* Returns the size of a reading in bytes. */
size_t region_counters_size(const struct region_counters *counters);
/*
 * Reads the counters into out, which has region_counters_size() bytes. Counters that cannot be read
 * are unknown in it. wall_ns: the time of the sample, used only with a virtual clock
 * (memory_ops.stats). Another thread may meanwhile call the functions below, except
 * region_counters_update().
 */
void region_counters_read(const struct region_counters *counters, uint64_t wall_ns, void *out);
/*
 * Stores a copy of a reading as .now. The old .now becomes .before, or is dropped if replaces is
 * true.
 */
void region_counters_take(struct region_counters *counters, const void *reading, bool replaces);
/* Reads the counters, and stores the reading as .now; the old .now becomes .before. */
void region_counters_update(struct region_counters *counters, uint64_t wall_ns);

/* Returns the seconds between the latest two readings. */
double region_counters_seconds(const struct region_counters *counters);

/*
 * Return bytes of accesses to memory of that kind between the latest two readings: a domain's, by
 * all RMIDs; or one RMID's, from all domains. NAN: unknown.
 */
double region_counters_bytes(const struct region_counters *counters, size_t domain,
			     enum memory_region kind);
double region_counters_rmid_bytes(const struct region_counters *counters, unsigned rmid,
				  enum memory_region kind);

#endif
