/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/devices/cpmus.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "pci/config.h"
#include "platform/cpus.h"
#include "platform/cxl.h"
#include "platform/pci.h"
#include "platform/perf.h"
#include "platform/reg.h"
#include "uncore/units/cpmu.h"

#define COMMAND_LOAD "sudo modprobe cxl_pci"

#define CPMUS_OF_A_FUNCTION 512 /* more than a locator in configuration space has room for */

/* Class code, in bits 31:16 of this dword: PCI Code and ID Assignment Specification */
#define CLASS_CODE   0x08
#define CLASS_MEMORY 0x0502 /* CXL memory device */
#define CLASS_BRIDGE 0x0604 /* PCI-to-PCI bridge: root ports, and the ports of switches */

static const struct cxl_device *find_device(const struct machine *m, struct pci_location at)
{
	for (size_t i = 0; i < m->device_count; i++) {
		const struct cxl_device *device = &m->devices[i];

		if (!pci_location_compare(&device->path[device->depth - 1], &at))
			return device;
	}
	return NULL;
}

/* Returns the class code; 0: unknown. */
static uint32_t class_of(const struct machine *m, const struct pci_function *f)
{
	uint32_t class;

	return reg_read_pci(m->platform, f->at, CLASS_CODE, &class) ? 0 : class >> 16;
}

/*
 * Notes why a CPMU is not used. A missing permission is reported only once. Bridges are on every
 * machine: one that cannot be read does not suggest a CPMU.
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
	error_set(&m->cpmu_error, why->kind, why->code, "CPMU of %s: %s", text, why->text);
	error_hint(&m->cpmu_error, why->command);
}

static int add_block(struct machine *m, const struct pci_function *f,
		     const struct register_block *block, unsigned index)
{
	struct cpmu cpmu = {.pci = f->at,
			    .node = f->numa_node,
			    .device = find_device(m, f->at),
			    .index = index};
	const struct log *log = &m->platform->log;
	struct error why = {0};
	int rc = register_block_address(m->platform, f, block, CPMU_BLOCK_BYTES, &cpmu.address);

	if (rc)
		error_set(&why, ERROR_NO_UNIT, rc,
			  "its registers, at 0x%" PRIx64
			  " in BAR %u, do not lie in a memory BAR of the function",
			  block->offset, block->bar);
	for (size_t i = 0; !rc && i < m->cpmu_count; i++)
		if (m->cpmus[i].address == cpmu.address)
			return 0;
	if (!rc)
		rc = cpmu_read(m->platform, &cpmu, &why);
	if (rc) {
		leave_out(m, f, &why, true);
		return 0;
	}
	pci_location_text(cpmu.pci, cpmu.pci_text);
	log_write(log, LEVEL_DETAIL, "CPMU of %s%s%s: %u counter%s of %u bits at 0x%" PRIx64,
		  cpmu.pci_text, cpmu.device ? ", " : "", cpmu.device ? cpmu.device->name : "",
		  cpmu.has, cpmu.has == 1 ? "" : "s", cpmu.width, cpmu.address);
	if (cpmu.has > cpmu.counter_count)
		log_write(log, LEVEL_DETAIL,
			  "CPMU of %s: only the first %u of its %u counters are used",
			  cpmu.pci_text, cpmu.counter_count, cpmu.has);
	rc = array_room(&m->cpmus, m->cpmu_count, 1, sizeof(*m->cpmus));
	if (!rc)
		m->cpmus[m->cpmu_count++] = cpmu;
	return rc;
}

static int not_enabled(uint16_t command, struct error *why)
{
	error_set(
		why, ERROR_FAILED, -ENXIO,
		"its memory space is disabled (PCI command register 0x%04x), so that its registers "
		"cannot be read: load its driver, which enables it (" COMMAND_LOAD
		" for a memory device)",
		command);
	error_hint(why, COMMAND_LOAD);
	return -ENXIO;
}

static int refuse_asleep(const struct pci_function *f, unsigned power, struct error *why)
{
	char text[PCI_TEXT_SIZE], command[96];

	snprintf(command, sizeof(command),
		 "echo on | sudo tee /sys/bus/pci/devices/%s/power/control",
		 pci_location_text(f->at, text));
	error_set(why, ERROR_FAILED, -ENXIO,
		  "it is in power state D%u, so that its registers cannot be read: keep it powered "
		  "(%s)",
		  power, command);
	error_hint(why, command);
	return -ENXIO;
}

/*
 * Checks a function before its BAR is read: a read without an answer gives all ones, or stops the
 * machine.
 */
static int check_responds(const struct machine *m, const struct pci_function *f, struct error *why)
{
	struct pci_memory_state state;
	int rc = pci_read_memory_state(m->platform, f->at, &state);

	if (rc)
		return error_set(why, rc == -EPERM ? ERROR_PERMISSION : ERROR_FAILED, rc,
				 "its PCI command register cannot be read: %s", strerror(-rc));
	if (state.power != PCI_POWER_D0)
		return refuse_asleep(f, state.power, why);
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
		error_set(&why, rc == -EPERM ? ERROR_PERMISSION : ERROR_FAILED, rc,
			  "its register locator cannot be read: %s", strerror(-rc));
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

/*
 * Sets cpmu->socket, and returns the socket of its unit. Its registers can be accessed from every
 * socket: if the nearest is unknown, the first is used.
 */
static int place_cpmu(const struct machine *m, struct cpmu *cpmu)
{
	cpmu->socket = topology_socket_of_device(
		&m->topology, cpmu->device ? cpmu->device->near_node : cpmu->node);
	return cpmu->socket < 0 ? m->sockets[0] : cpmu->socket;
}

int cpmus_find(struct machine *m, struct error *err)
{
	struct pci_function *functions;
	size_t count;
	int rc = m->platform->ops->pci->list(m->platform, &functions, &count, &m->cpmu_error);

	/* without a PCI bus there is no CXL device */
	if (rc)
		return 0;
	qsort(functions, count, sizeof(*functions), pci_function_compare);
	for (size_t i = 0; !rc && i < count; i++) {
		const uint32_t class = class_of(m, &functions[i]);

		/* an accelerator's memory has no class of its own */
		if (class == CLASS_MEMORY || class == CLASS_BRIDGE ||
		    find_device(m, functions[i].at))
			rc = add_function(m, &functions[i]);
	}
	free(functions);
	/* only when all are found, because a unit points to its CPMU */
	for (size_t i = 0; i < m->cpmu_count; i++) {
		struct cpmu *cpmu = &m->cpmus[i];
		const int socket = place_cpmu(m, cpmu);

		cpmu->unit = cpmu_unit(cpmu, (unsigned)i, socket);
	}
	return rc ? error_no_memory(err) : 0;
}

const struct port *cpmu_port(const struct machine *m, const struct cpmu *cpmu)
{
	for (size_t i = 0; i < m->port_count; i++)
		if (cpmu->device && m->ports[i].device == cpmu->device)
			return &m->ports[i];
	return NULL;
}

static bool is_of_port(const struct port *port, const struct unit *unit)
{
	for (size_t i = 0; i < port->tgt_count; i++)
		if (unit == &port->tgt[i])
			return true;
	return port->cxlcm == unit || port->cxldp == unit;
}

const struct port *unit_port(const struct machine *m, const struct unit *unit)
{
	if (unit->cpmu)
		return cpmu_port(m, unit->cpmu);
	for (size_t i = 0; i < m->port_count; i++)
		if (is_of_port(&m->ports[i], unit))
			return &m->ports[i];
	return NULL;
}

/*
 * Sets the PMU of each CPMU on which the kernel counts: "cxl_pmu_mem0.1" is the second CPMU of
 * mem0.
 */
static void find_pmus(struct machine *m, const struct perf_pmus *pmus)
{
	for (size_t i = 0; i < m->cpmu_count; i++) {
		struct cpmu *cpmu = &m->cpmus[i];
		char name[PERF_NAME_SIZE];

		if (!cpmu->device || snprintf(name, sizeof(name), PERF_CXL_PREFIX "%s.%u",
					      cpmu->device->name, cpmu->index) >= (int)sizeof(name))
			continue;
		if (!perf_find_pmu(pmus, name))
			continue;
		memcpy(cpmu->kernel_pmu, name, sizeof(name));
		cpmu->first_group_alone = cpmu_driver_takes_first_group(pmus->kernel);
	}
}

int cpmus_leave_to_kernel(struct machine *m, struct error *err)
{
	struct perf_pmus pmus;
	int rc;

	if (!m->cpmu_count || !m->platform->ops->perf)
		return 0;
	rc = m->platform->ops->perf->pmus(m->platform, &pmus, err);
	if (rc && rc != -ENOMEM) {
		log_write(&m->platform->log, LEVEL_DETAIL,
			  "cannot check whether the kernel counts on CPMUs: %s", err->text);
		return 0;
	}
	if (rc)
		return rc;
	find_pmus(m, &pmus);
	perf_pmus_free(&pmus);
	return 0;
}

/* Returns the device of "cxl_pmu_mem0.1"; NULL: unknown. */
static const struct cxl_device *find_device_of_pmu(const struct machine *m, const char *pmu)
{
	const char *name = pmu + strlen(PERF_CXL_PREFIX);
	const size_t length = strcspn(name, ".");

	for (size_t i = 0; i < m->device_count; i++)
		if (strlen(m->devices[i].name) == length &&
		    !strncmp(m->devices[i].name, name, length))
			return &m->devices[i];
	return NULL;
}

/* Adds events that the kernel names to the events of their group. */
static void add_events(struct cpmu *cpmu, uint16_t vendor, uint16_t id, uint32_t events)
{
	unsigned g = 0;

	while (g < cpmu->group_count &&
	       (cpmu->groups[g].vendor != vendor || cpmu->groups[g].id != id))
		g++;
	if (g == CPMU_MAX_GROUPS)
		return;
	if (g == cpmu->group_count)
		cpmu->groups[cpmu->group_count++] = (struct cpmu_group){.vendor = vendor, .id = id};
	cpmu->groups[g].events |= events;
}

/* Makes a CPMU whose registers cannot be read from the PMU's name and events. */
static struct cpmu from_events(const struct machine *m, const struct perf_pmu *pmu)
{
	struct cpmu cpmu = {.node = -1, .device = find_device_of_pmu(m, pmu->name)};
	const char *index = strrchr(pmu->name, '.');

	cpmu.index = index ? (unsigned)strtoul(index + 1, NULL, 10) : 0;
	if (cpmu.device) {
		cpmu.pci = cpmu.device->path[cpmu.device->depth - 1];
		pci_location_text(cpmu.pci, cpmu.pci_text);
	}
	for (size_t i = 0; i < pmu->alias_count; i++) {
		const uint64_t *config = pmu->aliases[i].config;

		add_events(&cpmu, (uint16_t)perf_get_field(pmu, "vid", config),
			   (uint16_t)perf_get_field(pmu, "gid", config),
			   (uint32_t)perf_get_field(pmu, "mask", config));
	}
	return cpmu;
}

static struct cpmu make_cpmu(const struct machine *m, const struct perf_pmu *pmu)
{
	struct cpmu cpmu;
	size_t i = 0;

	while (i < m->cpmu_count && strcmp(m->cpmus[i].kernel_pmu, pmu->name) != 0)
		i++;
	cpmu = i < m->cpmu_count ? m->cpmus[i] : from_events(m, pmu);
	memcpy(cpmu.kernel_pmu, pmu->name, sizeof(cpmu.kernel_pmu));
	cpmu.first_group_alone = cpmu_driver_takes_first_group(m->pmus.kernel);
	/* others of the function that were found by their registers */
	for (i = 0; i < m->cpmu_count; i++)
		cpmu.is_part |=
			!*m->cpmus[i].kernel_pmu && !strcmp(m->cpmus[i].pci_text, cpmu.pci_text);
	/* outside the first group the driver counts correctly only on fixed-function counters */
	for (unsigned g = 1; cpmu.address && cpmu.first_group_alone && g < cpmu.group_count; g++) {
		struct cpmu_group *group = &cpmu.groups[g];

		if (group->is_fixed)
			continue;
		group->hidden = group->events;
		group->events = 0;
	}
	return cpmu;
}

/*
 * Sets the reason why the kernel does not count on the first CPMU that only its registers showed.
 * The driver takes none whose counters cannot be set.
 */
static void set_no_pmu(struct machine *m, bool is_loaded)
{
	struct error *why = &m->cpmu_error;
	size_t i = 0;

	while (i < m->cpmu_count && *m->cpmus[i].kernel_pmu)
		i++;
	if (i == m->cpmu_count)
		return;
	if (is_loaded || !m->cpmus[i].is_writable) {
		error_set(why, ERROR_NO_UNIT, -ENODEV,
			  "CPMU of %s: the kernel's driver cxl_pmu does not count on it; "
			  "--backend=raw counts with registers",
			  m->cpmus[i].pci_text);
		return;
	}
	error_set(why, ERROR_PERMISSION, -ENODEV,
		  "CPMU of %s: --backend=perf needs the kernel's driver cxl_pmu, which is not "
		  "loaded (" CPMU_COMMAND_LOAD "); --backend=raw counts with registers",
		  m->cpmus[i].pci_text);
	error_hint(why, CPMU_COMMAND_LOAD);
}

int cpmus_use_perf(struct machine *m, struct error *err)
{
	struct cpmu *cpmus = calloc(m->pmus.count + 1, sizeof(*cpmus));
	size_t count = 0;

	if (!cpmus)
		return error_no_memory(err);
	find_pmus(m, &m->pmus);
	for (size_t i = 0; i < m->pmus.count; i++) {
		const struct perf_pmu *pmu = &m->pmus.items[i];

		if (strncmp(pmu->name, PERF_CXL_PREFIX, strlen(PERF_CXL_PREFIX)) || !pmu->cpu_count)
			continue;
		struct cpmu *cpmu = &cpmus[count];
		*cpmu = make_cpmu(m, pmu);
		cpmu->unit = cpmu_perf_unit(cpmu, (unsigned)count, place_cpmu(m, cpmu), pmu);
		count++;
	}
	set_no_pmu(m, count > 0);
	free(m->cpmus);
	m->cpmus = cpmus;
	m->cpmu_count = count;
	return 0;
}

void cpmus_report_driver(const struct machine *m)
{
	const struct cpmu *first = NULL;
	char name[UNIT_NAME_SIZE], limits[CPMU_LIMITS_SIZE], others[64] = "";
	size_t count = 0;

	for (size_t i = 0; i < m->cpmu_count; i++) {
		const struct cpmu *cpmu = &m->cpmus[i];

		if (!cpmu->unit.open || !cpmu->first_group_alone)
			continue;
		first = count++ ? first : cpmu;
	}
	if (!first)
		return;
	if (count > 1)
		snprintf(others, sizeof(others), "; so with %zu other%s", count - 1,
			 count == 2 ? "" : "s");
	log_write(&m->platform->log, LEVEL_NOTE, "%s: %s%s", unit_name(&first->unit, name),
		  cpmu_driver_limits(first, limits), others);
}
