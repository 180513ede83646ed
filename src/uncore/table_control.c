/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/table_control.h"

#define CONTROL_BYTES 4 /* the kernel writes so many */

bool table_has_control(const struct discovery_table *table)
{
	return table->msr && table->global.control && !(table->global.control % CONTROL_BYTES);
}

struct reg table_control(const struct discovery_table *table)
{
	return (struct reg){
		.space = REG_MMIO,
		.bytes = CONTROL_BYTES,
		.window = &table->control,
		.address = table->global.control,
	};
}

int table_control_allow(struct platform *p, const struct discovery_table *table, struct error *err)
{
	const struct guard_rule rule = {
		.space = REG_MMIO,
		.first = table->global.control,
		.last = table->global.control + CONTROL_BYTES - 1,
		.mask = UNIT_CTL_FREEZE,
		.denied = ~UNIT_CTL_FREEZE,
		.what = "uncore global control",
	};

	return guard_allow(&p->guard, &rule) ? error_no_memory(err) : 0;
}

int table_control_open(struct platform *p, struct discovery_table *table, struct error *err)
{
	int rc = 0;

	if (!table->control.length)
		rc = p->ops->mmio_map(p, table->global.control, CONTROL_BYTES, true,
				      &table->control, err);
	return rc ? rc : table_control_allow(p, table, err);
}

void table_control_close(struct platform *p, struct discovery_table *table)
{
	if (table->control.length)
		p->ops->mmio_unmap(p, &table->control);
	table->control = (struct mmio_window){.length = 0};
}
