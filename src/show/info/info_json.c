/* SPDX-License-Identifier: BSD-3-Clause */
/* `cxlmon info --json`. Addresses are strings: many JSON parsers do not keep 64 bits. */
#include <inttypes.h>

#include "platform/cpus.h"
#include "platform/cxl.h"
#include "platform/perf.h"
#include "show/info/info.h"

static json_t *encode_hex(uint64_t value)
{
	return json_sprintf("0x%" PRIx64, value);
}

static json_t *pci_name(const struct pci_location *at)
{
	return json_sprintf("%04x:%02x:%02x.%x", at->domain, at->bus, at->device, at->function);
}

static json_t *encode_processor(const struct probe *probe)
{
	const struct cpu_identity *cpu = &probe->machine.cpu;
	const struct model *model = probe->machine.model;
	const bool known = *cpu->vendor;

	if (!known && !model)
		return NULL;
	return json_pack("{s:s?, s:o, s:o, s:o, s:s?, s:s?, s:o?}", "vendor",
			 known ? cpu->vendor : NULL, "family", info_integer(known, cpu->family),
			 "model", info_integer(known, cpu->model), "stepping",
			 info_integer(known, cpu->stepping), "name",
			 *probe->brand ? probe->brand : NULL, "known_as",
			 model ? model->short_name : NULL, "virtual",
			 known ? json_boolean(cpu->hypervisor) : NULL);
}

static json_t *encode_pmu(const struct probe *probe)
{
	const struct core_pmu_info *pmu = &probe->pmu;

	if (!pmu->general)
		return NULL;
	return json_pack("{s:o?, s:i, s:i, s:i, s:o?, s:o?}", "version",
			 info_integer(pmu->version, pmu->version), "general_counters",
			 (int)pmu->general, "general_width_bits", (int)pmu->general_width,
			 "fixed_counters", (int)pmu->fixed, "fixed_width_bits",
			 info_integer(pmu->fixed_width, pmu->fixed_width), "full_width_writes",
			 probe->pmu_error.code ? NULL : json_boolean(pmu->full_width_writes));
}

static json_t *table_object(const struct discovery_table *table)
{
	json_t *left_out = json_array();

	for (unsigned f = RECORD_VALID + 1; f < RECORD_FAULTS; f++)
		if (table->faults[f])
			json_array_append_new(left_out,
					      json_pack("{s:s, s:i}", "why", record_fault_text(f),
							"records", (int)table->faults[f]));
	return json_pack("{s:o?, s:o?, s:o?, s:i, s:i, s:i, s:o}", "pci",
			 table->msr ? NULL : pci_name(&table->at), "cpu",
			 info_integer(table->msr, table->cpu), "msr",
			 table->msr ? encode_hex(table->msr) : NULL, "socket", table->socket, "die",
			 (int)table->die, "units", (int)table->faults[RECORD_VALID], "left_out",
			 left_out);
}

/* Returns a unit. perf: the kernel's PMU; null: it does not count on the unit. */
static json_t *unit_object(const struct probe *probe, const struct unit *unit)
{
	static const char *const accesses[] = {[ACCESS_MSR] = "msr",
					       [ACCESS_MMIO] = "mmio",
					       [ACCESS_PCI] = "pci",
					       [ACCESS_PERF] = "perf"};
	const bool registers = unit->access != ACCESS_PERF;
	const struct perf_pmu *pmu = probe_perf_pmu(probe, unit);
	char name[INFO_TYPE_NAME_SIZE];

	return json_pack("{s:s, s:i, s:i, s:i, s:i, s:s, s:o?, s:o?, s:o?, s:o?, s:s?}", "box",
			 info_type_name(unit, name), "type", (int)unit->type, "id", (int)unit->id,
			 "socket", unit->socket, "die", (int)unit->die, "access",
			 accesses[unit->access], "pci",
			 unit->access == ACCESS_PCI ? pci_name(&unit->pci) : NULL, "address",
			 registers ? encode_hex(unit->control) : NULL, "counters",
			 info_integer(registers, unit->counters), "width_bits",
			 info_integer(registers, unit->width), "perf", pmu ? pmu->name : NULL);
}

static json_t *id_of(const struct unit *unit)
{
	return info_integer(unit, unit ? unit->id : 0);
}

/* Returns a port. Members of an unknown device are null. */
static json_t *port_object(const struct port *port)
{
	const struct cxl_device *device = port->device;
	const bool in_node = device && device->node >= 0;

	return json_pack("{s:i, s:i, s:s, s:o?, s:o?, s:o?, s:o*, s:s?, s:s?, s:o?, s:o?}",
			 "socket", port->socket, "port", (int)port->number, "scope",
			 port->name ? port->name : "port", "df", id_of(port->df), "cxlcm",
			 id_of(port->cxlcm), "cxldp", id_of(port->cxldp), "pcie_tgt",
			 port->tgt_count ? id_of(port->tgt) : NULL, "pci",
			 device ? port->pci : NULL, "memdev", device ? device->name : NULL, "node",
			 info_integer(in_node, in_node ? (uint64_t)device->node : 0),
			 "memory_bytes", info_integer(device, device ? device->bytes : 0));
}

static json_t *encode_errors(const struct probe *probe)
{
	json_t *list = json_array();

	for (size_t i = 0; i < probe->warning_count; i++)
		json_array_append_new(list, json_string(probe->warnings[i]));
	if (probe->machine_error.code)
		json_array_append_new(list, json_string(probe->machine_error.text));
	if (probe->pmu_error.code && probe->machine.topology.count)
		json_array_append_new(list, json_string(probe->pmu_error.text));
	return list;
}

json_t *info_json(const struct probe *probe)
{
	const struct machine *machine = &probe->machine, *kernel = &probe->kernel;
	const struct machine *with_ports = machine->discovery.unit_count ? machine : kernel;
	const struct machine *with_devices = probe_devices(probe);
	json_t *tables = json_array(), *units = json_array(), *ports = json_array();

	const bool has_tables = !machine->model || !machine->model->kernel_counts;
	for (size_t i = 0; has_tables && i < machine->discovery.table_count; i++)
		json_array_append_new(tables, table_object(&machine->discovery.tables[i]));
	for (size_t i = 0; i < machine->discovery.unit_count; i++)
		json_array_append_new(units, unit_object(probe, &machine->discovery.units[i]));
	for (size_t i = 0; i < kernel->discovery.unit_count; i++)
		if (probe_only_perf(probe, &kernel->discovery.units[i]))
			json_array_append_new(units,
					      unit_object(probe, &kernel->discovery.units[i]));
	for (size_t i = 0; i < with_ports->port_count; i++)
		json_array_append_new(ports, port_object(&with_ports->ports[i]));
	return json_pack(
		"{s:i, s:o?, s:i, s:i, s:o?, s:o, s:o, s:o, s:o, s:o, s:o, s:s?, s:o, s:o, s:o, s:o, s:o}",
		"schema", INFO_SCHEMA, "processor", encode_processor(probe), "sockets",
		(int)probe_sockets(probe), "cpus_online", (int)machine->topology.count, "core_pmu",
		encode_pmu(probe), "discovery_tables", tables, "units", units, "ports", ports,
		"links", info_links(with_devices), "errors", encode_errors(probe), "cpmus",
		info_cpmus(machine->cpmu_count ? machine : kernel), "cpmu_error",
		machine->cpmu_error.code ? machine->cpmu_error.text : NULL, "nodes",
		info_nodes(&with_devices->memory), "regions", info_regions(&with_devices->memory),
		"health", info_health(with_devices), "aer", info_aer(with_devices),
		"memory_regions", info_memory_ranges(probe));
}
