/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/discovery/table_control.h"
#include "platform/guard.h"

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
	const struct reg reg = table_control(table);
	const struct guard_rule rule = {.mask = UNIT_CTL_FREEZE,
					.denied = ~UNIT_CTL_FREEZE,
					.what = "uncore global control"};

	return guard_allow_registers(&p->guard, &reg, 1, rule, err);
}

int table_control_open(struct platform *p, struct discovery_table *table, struct error *err)
{
	struct mmio_window window = table->control;
	const int rc = window.length
			       ? 0
			       : p->ops->registers->mmio_map(p, table->global.control,
							     CONTROL_BYTES, true, &window, err);

	/* what could not be mapped is no window */
	if (rc)
		return rc;
	table->control = window;
	return table_control_allow(p, table, err);
}

void table_control_close(struct platform *p, struct discovery_table *table)
{
	if (table->control.length)
		p->ops->registers->mmio_unmap(p, &table->control);
	table->control = (struct mmio_window){.length = 0};
}
