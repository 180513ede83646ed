/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/cpmus.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pci/config.h"
#include "pci/register_locator.h"
#include "uncore/cpmu_unit.h"

#define COMMAND_LOAD "sudo modprobe cxl_pci"

#define CPMUS_OF_A_FUNCTION 512 /* more than a locator in configuration space has room for */

/* Class code, in bits 31:16 of this dword: PCI Code and ID Assignment Specification */
#define CLASS_CODE   0x08
#define CLASS_MEMORY 0x0502 /* CXL memory device */
#define CLASS_BRIDGE 0x0604 /* PCI-to-PCI bridge: root ports, and the ports of switches */

static int compare_functions(const void *a, const void *b)
{
	return pci_location_compare(&((const struct pci_function *)a)->at,
				    &((const struct pci_function *)b)->at);
}

static const struct cxl_device *find_device(const struct machine *m, struct pci_location at)
{
	for (size_t i = 0; i < m->device_count; i++) {
		const struct cxl_device *device = &m->devices[i];

		if (!pci_location_compare(&device->path[device->depth - 1], &at))
			return device;
	}
	return NULL;
}

/* 0: not known */
static uint32_t class_of(const struct machine *m, const struct pci_function *f)
{
	uint32_t class;

	return m->platform->ops->pci_read(m->platform, f->at, CLASS_CODE, &class) ? 0 : class >> 16;
}

/* Memory of an accelerator has no class of its own. */
static bool may_have_cpmu(const struct machine *m, const struct pci_function *f)
{
	const uint32_t class = class_of(m, f);

	return class == CLASS_MEMORY || class == CLASS_BRIDGE || find_device(m, f->at);
}

/*
 * What any function may not be read for is said once. Bridges are on every machine: one that can't
 * be read is no sign of a CPMU.
 */
static void leave_out(struct machine *m, const struct pci_function *f, const struct error *why,
		      bool is_sign)
{
	char text[PCI_TEXT_SIZE];

	if (why->code == -EPERM && (m->cpmu_error.code == -EPERM || !is_sign))
		return;
	pci_location_text(f->at, text);
	log_write(&m->platform->log, LEVEL_DETAIL, "CPMU of %s is not used: %s", text, why->text);
	if (m->cpmu_error.code || !is_sign)
		return;
	error_set(&m->cpmu_error, why->status, why->code, "CPMU of %s: %s", text, why->text);
	error_hint(&m->cpmu_error, why->command);
}

static bool is_known(const struct machine *m, uint64_t address)
{
	for (size_t i = 0; i < m->cpmu_count; i++)
		if (m->cpmus[i].address == address)
			return true;
	return false;
}

static void report(const struct machine *m, const struct cpmu *cpmu)
{
	char text[PCI_TEXT_SIZE];

	log_write(&m->platform->log, LEVEL_DETAIL,
		  "CPMU of %s%s%s: %u counter%s of %u bits at 0x%" PRIx64,
		  pci_location_text(cpmu->pci, text), cpmu->device ? ", " : "",
		  cpmu->device ? cpmu->device->name : "", cpmu->has, cpmu->has == 1 ? "" : "s",
		  cpmu->width, cpmu->address);
	if (cpmu->has > cpmu->counter_count)
		log_write(&m->platform->log, LEVEL_DETAIL,
			  "CPMU of %s: only the first %u of its %u counters are used",
			  pci_location_text(cpmu->pci, text), cpmu->counter_count, cpmu->has);
}

static int add_cpmu(struct machine *m, const struct cpmu *cpmu)
{
	struct cpmu *grown = reallocarray(m->cpmus, m->cpmu_count + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	m->cpmus = grown;
	m->cpmus[m->cpmu_count++] = *cpmu;
	return 0;
}

static int add_block(struct machine *m, const struct pci_function *f,
		     const struct register_block *block, unsigned index)
{
	struct cpmu cpmu = {.pci = f->at,
			    .node = f->numa_node,
			    .device = find_device(m, f->at),
			    .index = index};
	struct error why = {0};
	int rc = register_block_address(m->platform, f, block, CPMU_BLOCK_BYTES, &cpmu.address);

	if (rc)
		error_set(&why, EXIT_NO_UNIT, rc,
			  "its registers, at 0x%" PRIx64
			  " in BAR %u, do not lie in a memory BAR of the function",
			  block->offset, block->bar);
	else if (is_known(m, cpmu.address))
		return 0;
	else
		rc = cpmu_read(m->platform, &cpmu, &why);
	if (rc) {
		leave_out(m, f, &why, true);
		return 0;
	}
	report(m, &cpmu);
	return add_cpmu(m, &cpmu);
}

static int not_enabled(uint16_t command, struct error *why)
{
	error_set(
		why, EXIT_FAILED, -ENXIO,
		"its memory space is disabled (PCI command register 0x%04x), so that its registers "
		"can't be read: load its driver, which enables it (" COMMAND_LOAD
		" for a memory device)",
		command);
	error_hint(why, COMMAND_LOAD);
	return -ENXIO;
}

static int asleep(const struct pci_function *f, unsigned power, struct error *why)
{
	char text[PCI_TEXT_SIZE], command[96];

	snprintf(command, sizeof(command),
		 "echo on | sudo tee /sys/bus/pci/devices/%s/power/control",
		 pci_location_text(f->at, text));
	error_set(why, EXIT_FAILED, -ENXIO,
		  "it is in power state D%u, so that its registers can't be read: keep it powered "
		  "(%s)",
		  power, command);
	error_hint(why, command);
	return -ENXIO;
}

/* Before a BAR is read: a read that nothing answers gives all ones, or stops the machine. */
static int check_responds(const struct machine *m, const struct pci_function *f, struct error *why)
{
	struct pci_memory_state state;
	int rc = pci_read_memory_state(m->platform, f->at, &state);

	if (rc)
		return error_set(why, rc == -EPERM ? EXIT_PERMISSION : EXIT_FAILED, rc,
				 "its PCI command register can't be read: %s", strerror(-rc));
	if (state.power != PCI_POWER_D0)
		return asleep(f, state.power, why);
	return state.enabled ? 0 : not_enabled(state.command, why);
}

static int add_function(struct machine *m, const struct pci_function *f)
{
	struct register_block blocks[CPMUS_OF_A_FUNCTION];
	struct error why = {0};
	size_t count;
	int rc = register_locator_find(m->platform, f->at, REGISTER_BLOCK_CPMU, blocks,
				       CPMUS_OF_A_FUNCTION, &count);

	if (rc && rc != -ENOENT) {
		error_set(&why, rc == -EPERM ? EXIT_PERMISSION : EXIT_FAILED, rc,
			  "its register locator can't be read: %s", strerror(-rc));
		leave_out(m, f, &why, find_device(m, f->at) || class_of(m, f) == CLASS_MEMORY);
	}
	if (rc || !count)
		return 0;
	if (check_responds(m, f, &why)) {
		leave_out(m, f, &why, true);
		return 0;
	}
	const size_t first = m->cpmu_count;
	for (size_t i = 0; !rc && i < count; i++)
		rc = add_block(m, f, &blocks[i], (unsigned)i);
	for (size_t i = first; i < m->cpmu_count; i++)
		m->cpmus[i].is_part = m->cpmu_count - first < count;
	return rc;
}

static int socket_of(const struct machine *m, const struct cpmu *cpmu)
{
	const int node = cpmu->device ? cpmu->device->near_node : cpmu->node;

	return topology_socket_of_device(&m->topology, node);
}

int cpmu_place(const struct machine *m, struct cpmu *cpmu)
{
	cpmu->socket = socket_of(m, cpmu);
	return cpmu->socket < 0 ? m->sockets[0] : cpmu->socket;
}

/* When all are found, as a unit points to its CPMU. */
static void make_units(struct machine *m)
{
	for (size_t i = 0; i < m->cpmu_count; i++) {
		struct cpmu *cpmu = &m->cpmus[i];
		const int socket = cpmu_place(m, cpmu);

		pci_location_text(cpmu->pci, cpmu->pci_text);
		cpmu->unit = cpmu_unit(cpmu, (unsigned)i, socket);
	}
}

int cpmus_find(struct machine *m, struct error *err)
{
	struct pci_function *functions;
	size_t count;
	int rc = m->platform->ops->pci_list(m->platform, &functions, &count, &m->cpmu_error);

	/* no PCI bus, no CXL device */
	if (rc)
		return 0;
	qsort(functions, count, sizeof(*functions), compare_functions);
	for (size_t i = 0; !rc && i < count; i++)
		if (may_have_cpmu(m, &functions[i]))
			rc = add_function(m, &functions[i]);
	free(functions);
	make_units(m);
	return rc ? error_no_memory(err) : 0;
}

const struct port *cpmu_port(const struct machine *m, const struct cpmu *cpmu)
{
	for (size_t i = 0; i < m->port_count; i++)
		if (cpmu->device && m->ports[i].device == cpmu->device)
			return &m->ports[i];
	return NULL;
}

const struct port *unit_port(const struct machine *m, const struct unit *unit)
{
	if (unit->cpmu)
		return cpmu_port(m, unit->cpmu);
	for (size_t i = 0; i < m->port_count; i++)
		if (m->ports[i].cxlcm == unit || m->ports[i].cxldp == unit)
			return &m->ports[i];
	return NULL;
}
