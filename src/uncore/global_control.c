/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/global_control.h"
#include "platform/cpus.h"
#include "platform/reg.h"
#include "uncore/discovery/discovery.h"

#include <inttypes.h>
#include <stdio.h>

static struct reg control_of(const struct machine *machine, const struct discovery_table *table)
{
	struct reg reg = {.bytes = 8, .address = table->global.control};

	switch (table->global.access) {
	case ACCESS_MSR:
		reg.space = REG_MSR;
		reg.cpu = (unsigned)topology_reader_cpu(&machine->topology, table->socket);
		break;
	case ACCESS_MMIO:
		reg.space = REG_MMIO;
		break;
	default:
		reg.space = REG_PCI;
		reg.bytes = 4;
		discovery_decode_pci(table->global.control, &reg.pci, &reg.address);
		break;
	}
	return reg;
}

static int read_control(struct platform *p, struct reg reg, uint64_t *value, struct error *err)
{
	struct mmio_window window;
	int rc;

	if (reg.space != REG_MMIO)
		return reg_read(p, &reg, value, err);
	rc = p->ops->registers->mmio_map(p, reg.address, reg.bytes, false, &window, err);
	if (rc)
		return rc;
	reg.window = &window;
	rc = reg_read(p, &reg, value, err);
	p->ops->registers->mmio_unmap(p, &window);
	return rc;
}

/* Returns true if an earlier table of the socket names the same register: its dies' tables may. */
static bool is_repeated(const struct discovery *discovery, size_t t)
{
	const struct discovery_table *tables = discovery->tables;

	for (size_t i = 0; i < t; i++)
		if (tables[i].socket == tables[t].socket &&
		    tables[i].global.access == tables[t].global.access &&
		    tables[i].global.control == tables[t].global.control)
			return true;
	return false;
}

bool global_control_of(const struct machine *machine, size_t t, struct reg *out)
{
	const struct discovery_table *table = &machine->discovery.tables[t];

	if (!table->global.control || table_has_control(table) ||
	    is_repeated(&machine->discovery, t))
		return false;
	*out = control_of(machine, table);
	return true;
}

size_t global_control_find_frozen(struct machine *machine, struct frozen_control *out, size_t room,
				  struct error *unread)
{
	const struct discovery *discovery = &machine->discovery;
	size_t frozen = 0;

	*unread = (struct error){.code = 0};
	for (size_t t = 0; t < discovery->table_count; t++) {
		const struct discovery_table *table = &discovery->tables[t];
		struct reg reg;
		struct error why;
		uint64_t value;

		if (!global_control_of(machine, t, &reg))
			continue;
		if (read_control(machine->platform, reg, &value, &why))
			*unread = unread->code ? *unread : why;
		else if (value & UNIT_CTL_FREEZE && !unit_value_no_response(value)) {
			if (frozen < room)
				out[frozen] = (struct frozen_control){table->socket, reg, value};
			frozen++;
		}
	}
	return frozen;
}

const char *global_control_unfreeze_command(const struct frozen_control *frozen,
					    char command[ERROR_COMMAND_SIZE])
{
	const struct reg *reg = &frozen->reg;
	const uint64_t unfrozen = frozen->value & ~UNIT_CTL_FREEZE;

	command[0] = '\0';
	if (reg->space == REG_MSR)
		snprintf(command, ERROR_COMMAND_SIZE, "sudo wrmsr -p %u 0x%" PRIx64 " %#" PRIx64,
			 reg->cpu, reg->address, unfrozen);
	else if (reg->space == REG_MMIO)
		snprintf(command, ERROR_COMMAND_SIZE,
			 "sudo busybox devmem 0x%" PRIx64 " 64 %#" PRIx64, reg->address, unfrozen);
	return command;
}
