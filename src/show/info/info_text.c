/* SPDX-License-Identifier: BSD-3-Clause */
/* `cxlmon info` as text. */
#include "platform/cpus.h"
#include "platform/cxl.h"
#include "platform/perf.h"
#include "show/info/info.h"

static const char *plural_of(size_t n)
{
	return n == 1 ? "" : "s";
}

const char *info_type_name(const struct unit *unit, char name[INFO_TYPE_NAME_SIZE])
{
	if (unit->pmu_type)
		snprintf(name, INFO_TYPE_NAME_SIZE, "%s", unit->pmu_type->name);
	else
		snprintf(name, INFO_TYPE_NAME_SIZE, "type %u", unit->type);
	return name;
}

static void print_processor(FILE *out, const struct probe *probe)
{
	const struct cpu_identity *cpu = &probe->machine.cpu;
	const struct model *model = probe->machine.model;
	const size_t cpus = probe->machine.topology.count, sockets = probe_sockets(probe);

	if (!*cpu->vendor && !model)
		fprintf(out, "Processor: unknown: %s\n", probe->machine_error.text);
	else if (!*cpu->vendor)
		fprintf(out, "Processor: %s, without CPUID\n", model->name);
	else
		fprintf(out, "Processor: %s: %s family %u model %u stepping %u%s\n",
			model ? model->name : "not one that cxlmon knows", cpu->vendor, cpu->family,
			cpu->model, cpu->stepping, cpu->hypervisor ? ", in a virtual machine" : "");
	if (*cpu->vendor || model)
		fprintf(out, "Its name:  %s\n", *probe->brand ? probe->brand : "unknown");
	if (cpus)
		fprintf(out, "Sockets:   %zu, with %zu CPU%s online\n", sockets, cpus,
			plural_of(cpus));
}

static void print_pmu(FILE *out, const struct probe *probe)
{
	const struct core_pmu_info *pmu = &probe->pmu;
	const char *writes = pmu->full_width_writes ? "full-width writes" : "32-bit writes";

	if (!pmu->general) {
		fprintf(out, "Core PMU:  unknown: %s\n", probe->pmu_error.text);
		return;
	}
	if (!pmu->version) {
		fprintf(out, "Core PMU:  %u general counters of %u bits\n", pmu->general,
			pmu->general_width);
		return;
	}
	fprintf(out,
		"Core PMU:  version %u, %u general counters of %u bits, %u fixed counters of %u "
		"bits, %s%s\n",
		pmu->version, pmu->general, pmu->general_width, pmu->fixed, pmu->fixed_width,
		probe->pmu_error.code ? "width of writes unknown: " : writes,
		probe->pmu_error.text);
}

static void print_table(FILE *out, const struct discovery_table *table)
{
	const char *separator = "; left out: ";
	char source[REG_NAME_SIZE];

	fprintf(out, "  %s  socket %d die %u: %u unit%s", discovery_table_source(table, source),
		table->socket, table->die, table->faults[RECORD_VALID],
		plural_of(table->faults[RECORD_VALID]));
	for (unsigned f = RECORD_VALID + 1; f < RECORD_FAULTS; f++) {
		if (!table->faults[f])
			continue;
		fprintf(out, "%s%u (%s)", separator, table->faults[f], record_fault_text(f));
		separator = ", ";
	}
	putc('\n', out);
}

static void print_tables(FILE *out, const struct probe *probe)
{
	const struct discovery *discovery = &probe->machine.discovery;
	const struct model *model = probe->machine.model;

	const bool has_tables = !model || (!model->units_by_cpuid && !model->kernel_counts);
	fputs(has_tables	      ? "Discovery tables:\n"
	      : model->units_by_cpuid ? "Discovery: by CPUID\n"
				      : "Discovery: by the kernel's PMUs\n",
	      out);
	for (size_t i = 0; i < discovery->table_count && !(model && model->kernel_counts); i++)
		print_table(out, &discovery->tables[i]);
	for (size_t i = 0; i < probe->warning_count; i++)
		fprintf(out, "  %s\n", probe->warnings[i]);
	if (probe->machine_error.code)
		fprintf(out, "  none: %s\n", probe->machine_error.text);
}

/* Tells if two units can share a line. */
static bool same_group(const struct probe *probe, const struct unit *a, const struct unit *b)
{
	return !probe_perf_pmu(probe, a) == !probe_perf_pmu(probe, b) && a->type == b->type &&
	       a->socket == b->socket && a->die == b->die && a->access == b->access &&
	       a->counters == b->counters && a->width == b->width;
}

/* Prints ids such as "0-7" or "2,4,8-9"; units are ordered by id. */
static void print_ids(FILE *out, const struct unit *units, size_t count)
{
	for (size_t i = 0; i < count;) {
		size_t last = i;

		while (last + 1 < count && units[last + 1].id == units[last].id + 1)
			last++;
		fprintf(out, "%s%u", i ? "," : "", units[i].id);
		if (last > i)
			fprintf(out, "%c%u", last == i + 1 ? ',' : '-', units[last].id);
		i = last + 1;
	}
}

static void print_shape(FILE *out, const struct probe *probe, const struct unit *unit)
{
	static const char *const accesses[] = {
		[ACCESS_MSR] = "MSR", [ACCESS_MMIO] = "memory", [ACCESS_PCI] = "PCI"};

	if (unit->access == ACCESS_PERF) {
		fputs("perf alone", out);
		return;
	}
	fprintf(out, "%u counter%s of %u bits in %s%s", unit->counters, plural_of(unit->counters),
		unit->width, accesses[unit->access],
		probe_perf_pmu(probe, unit) ? " and perf" : "");
}

/* Prints units of one kind; count 0: one unit by itself, with its address and its PMU. */
static void print_group(FILE *out, const struct probe *probe, const struct unit *units,
			size_t count)
{
	const struct perf_pmu *pmu = probe_perf_pmu(probe, units);
	char name[REG_NAME_SIZE], type[INFO_TYPE_NAME_SIZE];

	fprintf(out, "  socket %d die %u  %-8s ", units->socket, units->die,
		info_type_name(units, type));
	if (count)
		fprintf(out, "%3zu x ", count);
	else
		fprintf(out, "%3u: ", units->id);
	print_shape(out, probe, units);
	if (count) {
		fputs(": ", out);
		print_ids(out, units, count);
	} else if (units->access != ACCESS_PERF) {
		const struct reg control = unit_control(units);

		fprintf(out, ", %s", reg_name(&control, name));
	}
	if (!count && pmu)
		fprintf(out, ", %s", pmu->name);
	putc('\n', out);
}

static void print_units_of(FILE *out, const struct probe *probe, const struct machine *machine,
			   bool all)
{
	const struct unit *units = machine->discovery.units;
	const size_t count = machine->discovery.unit_count;

	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; !all && end < count && same_group(probe, &units[i], &units[end]);)
			end++;
		if (machine != &probe->kernel || probe_only_perf(probe, &units[i]))
			print_group(out, probe, &units[i], all ? 0 : end - i);
	}
}

static void print_port_unit(FILE *out, const char *name, const struct unit *unit)
{
	if (unit)
		fprintf(out, "  %s %-3u", name, unit->id);
	else
		fprintf(out, "  %s -  ", name);
}

/* Prints the device of a port, with "-" for each unknown field. */
static void print_device(FILE *out, const struct port *port)
{
	const struct cxl_device *device = port->device;

	if (!device) {
		fputs("  pci -  memdev -  node -\n", out);
		return;
	}
	fprintf(out, "  pci %s  memdev %s  node ", port->pci, device->name);
	if (device->node < 0)
		putc('-', out);
	else
		fprintf(out, "%d", device->node);
	fprintf(out, "  %.4g GiB\n", (double)device->bytes / (1 << 30));
}

static void print_ports_heading(FILE *out, const struct machine *machine)
{
	if (machine->model->port_name)
		fputs("CCMs (core complex masters) that count CXL traffic:\n", out);
	else if (machine->model->units_by_cpuid && !machine->port_count)
		fputs("CXL ports: no event that counts them is published\n", out);
	else
		fprintf(out, "CXL ports:%s\n", machine->port_count ? "" : " none");
}

/* Prints a port, and its device if it is one. */
static void print_port(FILE *out, const struct port *port)
{
	fprintf(out, "  s%d %s%-2u", port->socket, port->name ? port->name : "p", port->number);
	if (port->df) {
		print_port_unit(out, "df", port->df);
	} else if (!port->cxlcm && !port->cxldp) {
		print_port_unit(out, "pcie_tgt", port->tgt_count ? port->tgt : NULL);
	} else {
		print_port_unit(out, "cxlcm", port->cxlcm);
		print_port_unit(out, "cxldp", port->cxldp);
	}
	if (port->name)
		putc('\n', out);
	else
		print_device(out, port);
}

void info_print(FILE *out, const struct probe *probe, bool all)
{
	const struct machine *machine = &probe->machine, *kernel = &probe->kernel;
	const struct machine *ports = machine->discovery.unit_count ? machine : kernel;
	const struct machine *devices = probe_devices(probe);

	print_processor(out, probe);
	print_pmu(out, probe);
	print_tables(out, probe);
	if (machine->discovery.unit_count || kernel->discovery.unit_count)
		fputs("Units:\n", out);
	print_units_of(out, probe, machine, all);
	print_units_of(out, probe, kernel, all);
	if (ports->discovery.unit_count)
		print_ports_heading(out, ports);
	for (size_t i = 0; i < ports->port_count; i++)
		print_port(out, &ports->ports[i]);
	info_print_links(out, devices);
	info_print_memory(out, &devices->memory);
	info_print_memory_ranges(out, probe);
	info_print_errors(out, devices);
	info_print_health(out, devices);
	info_print_cpmus(out, kernel->cpmu_count && !machine->cpmu_count ? kernel : machine);
}
