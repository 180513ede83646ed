/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The global control of a discovery table of one die, in memory: bit 0 freezes all units of the
 * table, and is set from power-on. Source: the kernel's uncore_mmio_global_init(), commit
 * b575fc0e3357.
 */
#ifndef CXLMON_UNCORE_DISCOVERY_TABLE_CONTROL_H
#define CXLMON_UNCORE_DISCOVERY_TABLE_CONTROL_H

#include "platform/reg.h"
#include "uncore/discovery/discovery.h"

/* Whether the table has one; the others below are for such tables only. */
bool table_has_control(const struct discovery_table *table);

/* Maps the register, and allows writes of its freeze bit in the write guard. */
int table_control_open(struct platform *p, struct discovery_table *table, struct error *err);
void table_control_close(struct platform *p, struct discovery_table *table);

/* Allows these writes, and accesses nothing. */
int table_control_allow(struct platform *p, const struct discovery_table *table, struct error *err);

/* Can be accessed while the table's control is open. */
struct reg table_control(const struct discovery_table *table);

#endif
