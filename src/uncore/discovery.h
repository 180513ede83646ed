/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Uncore discovery: firmware describes all PMON units in discovery tables in memory, to which a
 * DVSEC capability of a PCI function points; on some processors also an MSR of each die.
 *
 *   discovery.c        the PCI functions that point to tables, and all tables of the machine
 *   discovery_table.c  one table: the bits of its records, and which of them are units
 *
 * Source: the kernel's arch/x86/events/intel/uncore_discovery.{c,h}, and Intel PCM.
 */
#ifndef CXLMON_DISCOVERY_H
#define CXLMON_DISCOVERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/platform.h"
#include "uncore/discovery_table.h"
#include "uncore/model.h"
#include "uncore/unit.h"

struct discovery {
	struct discovery_table *tables;
	size_t table_count;
	struct unit *units; /* sorted by table, type and id */
	size_t unit_count;
};

/*
 * Reads all tables. -ENODEV (EXIT_NO_UNIT): no usable table. EXIT_PERMISSION: not allowed to read
 * them. Tables that are invalid, or whose MSR can't be read, are skipped, with a warning in the
 * platform's log.
 */
int discovery_read(struct platform *p, const struct model *model, const struct topology *topology,
		   struct discovery *out, struct error *err);
void discovery_free(struct discovery *discovery);

/* The generic discovery device; if it is absent, all Intel functions are searched. */
#define DISCOVERY_VENDOR_INTEL	 0x8086
#define DISCOVERY_DEVICE_GENERIC 0x09A7

/* The device id of this model's discovery devices. */
uint16_t discovery_device_id(const struct model *model);

/* In the DVSEC: dword +8 bits 15:0 entry id; dword +0xC bits 2:0 BAR index, 31:3 offset */
#define DVSEC_ENTRY_OFFSET   0x8
#define DVSEC_ENTRY_ID_PMON  1
#define DVSEC_TABLE_OFFSET   0xC
#define DVSEC_TABLE_BAR_MASK 0x7U

#endif
