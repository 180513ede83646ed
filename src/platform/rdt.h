/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters of bytes by region of memory (Intel RDT): the bytes that L3 caches read from and write
 * to DRAM and CXL memory, of this socket and of others. This header has the platform's part;
 * uncore/rdt finds and reads the counters.
 */
#ifndef CXLMON_PLATFORM_RDT_H
#define CXLMON_PLATFORM_RDT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Regions of memory: CXL memory or DRAM, of this socket or (remote) of others. */
enum memory_region {
	REGION_NONE,
	REGION_CXL,
	REGION_CXL_REMOTE,
	REGION_DRAM,
	REGION_DRAM_REMOTE,
	MEMORY_REGIONS
};

#define APIC_NOT_KNOWN UINT32_MAX /* an unknown x2APIC id */

struct error;
struct platform;
struct reg_handle;
struct topology;

struct rdt_ops {
	/*
	 * Reads a table of ACPI by its signature ("ERDT"). The caller frees *bytes. ERROR_NO_UNIT:
	 * firmware has none.
	 */
	int (*table)(struct platform *p, const char *signature, uint8_t **bytes, size_t *size,
		     struct error *err);
	/* Sets the x2APIC ids of a topology's CPUs, in its order; APIC_NOT_KNOWN if unknown. */
	void (*apic_ids)(struct platform *p, const struct topology *topology, uint32_t *ids);
	/* Tells if resctrl is mounted: tasks may be in groups, which are counted separately. */
	bool (*has_groups)(struct platform *p);
	/*
	 * Reads mapped counters as reg_read_all(), and sets *at_ns to the time of the reading
	 * (clock_ops.now). wall_ns and threads are as in memory_ops.stats().
	 */
	void (*read)(struct platform *p, const struct reg_handle *handles, size_t count,
		     uint64_t wall_ns, uint64_t *values, int *failures, uint64_t *at_ns);
};

#endif
