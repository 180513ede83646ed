/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters of bytes by region of memory (Intel RDT). They count the bytes that L3 caches read from
 * and write to each region. This header has the platform's part: uncore/rdt finds and reads the
 * counters.
 */
#ifndef CXLMON_PLATFORM_RDT_H
#define CXLMON_PLATFORM_RDT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Regions of memory, as a socket sees them. REMOTE: memory of other sockets. */
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
	 * firmware does not have the table.
	 */
	int (*table)(struct platform *p, const char *signature, uint8_t **bytes, size_t *size,
		     struct error *err);
	/* Sets ids[i] to the x2APIC id of topology->cpus[i], or to APIC_NOT_KNOWN. */
	void (*apic_ids)(struct platform *p, const struct topology *topology, uint32_t *ids);
	/* Tells if resctrl is mounted, so that tasks may be in groups with their own counts. */
	bool (*has_groups)(struct platform *p);
	/*
	 * Reads mapped counters, as reg_read_all() does. *at_ns becomes the time of the reading
	 * (clock_ops.now). wall_ns and threads: see memory_ops.stats().
	 */
	void (*read)(struct platform *p, const struct reg_handle *handles, size_t count,
		     uint64_t wall_ns, uint64_t *values, int *failures, uint64_t *at_ns);
};

#endif
