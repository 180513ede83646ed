/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Uncore discovery: firmware describes all PMON units in discovery tables in memory, to which a
 * DVSEC capability of a PCI function points; on some processors also an MSR of each die.
 *
 *   discovery.c        all tables of the machine
 *   discovery_find.c   the PCI functions that point to tables, and their sockets
 *   discovery_table.c  one table: the bits of its records, and which of them are units
 *
 * Source: the kernel's arch/x86/events/intel/uncore_discovery.{c,h}, and Intel PCM.
 */
#ifndef CXLMON_DISCOVERY_H
#define CXLMON_DISCOVERY_H

#include <stddef.h>
#include <stdint.h>

#include "platform/platform.h"
#include "uncore/discovery_find.h"
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

#endif
