/* SPDX-License-Identifier: BSD-3-Clause */
/* The CPMUs of a simulated memory device (cpmu_kind=): a table of register values. */
#ifndef CXLMON_SIM_CPMU_KINDS_H
#define CXLMON_SIM_CPMU_KINDS_H

#include <stdbool.h>
#include <stdint.h>

#define SIM_CPMU_BLOCKS 2 /* of a device, at most */

/* Types of a counter, in bits 1:0 of its configuration. */
#define SIM_CPMU_RUNNING      0
#define SIM_CPMU_FIXED	      1
#define SIM_CPMU_CONFIGURABLE 2
#define SIM_CPMU_TYPE(cfg)    ((cfg)&3)

/* Capability bits. */
#define SIM_CPMU_WRITABLE  (UINT64_C(1) << 48) /* counters, while they are frozen */
#define SIM_CPMU_FREEZE	   (UINT64_C(1) << 49)
#define SIM_CPMU_INTERRUPT (UINT64_C(1) << 50 | UINT64_C(1) << 44) /* message 1 of MSI-X */

/* A CPMU as it is after power-on. */
struct sim_cpmu_block {
	const uint64_t *configurations; /* of its counters; ends with SIM_CPMU_END */
	const uint64_t *groups;		/* event capabilities, likewise */
	uint64_t capability;		/* these bits; the rest follows from the lists */
	uint8_t filters;		/* bit f: there is filter f, which holds junk */
	uint64_t overflow;		/* status */
	uint64_t held;			/* bits of configurations that can't be written */
	unsigned width;			/* bits a counter; 0: 48 */
	unsigned throttled_pct;		/* clocks in which its DRAM is throttled, by heat */
	unsigned precharge_pct;	 /* of its CAS commands with auto-precharge, counted apart, */
	bool contains_precharge; /* and among the others */
	bool silent;		 /* reads as all ones, ignores writes */
	bool counts_nothing;
};

#define SIM_CPMU_END UINT64_MAX

struct sim_cpmu_kind {
	const char *name;
	struct sim_cpmu_block blocks[SIM_CPMU_BLOCKS]; /* without configurations: no more */
};

/* The nth; the first is what a device has where nothing is said. NULL: there are no more. */
const struct sim_cpmu_kind *sim_cpmu_kind(unsigned n);

#endif
