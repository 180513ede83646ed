/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "msr/core_pmu.h"
#include "platform/cpus.h"
#include "platform/cxl.h"
#include "platform/memory.h"
#include "platform/pci.h"
#include "sim/sim_machine.h"
#include "sim/snapshot/snapshot.h"
#include "uncore/discovery/discovery.h"

#define PAGE UINT64_C(4096)

#define UNKNOWN_STEP 8 /* distance of controls whose layout is unknown: they are not accessed */

/*
 * Returns the number of a socket here: packages, which may have any number on Arm, in ascending
 * order.
 */
static unsigned socket_of(const struct sim *sim, int package)
{
	unsigned socket = 0;

	while (socket + 1 < sim->socket_count && sim->packages[socket] != package)
		socket++;
	return socket;
}

static int allocate_snapshot(struct sim *sim, const struct snapshot *s)
{
	const size_t bars = PCI_BAR_COUNT * s->function_count;

	topology_nth_socket(&s->topology, 0, &sim->socket_count);
	sim->packages = calloc(sim->socket_count, sizeof(*sim->packages));
	sim->core_count = (size_t)s->topology.cpus[s->topology.count - 1].cpu + 1;
	sim->cores = calloc(sim->core_count, sizeof(*sim->cores));
	sim->functions = calloc(s->function_count + 1, sizeof(*sim->functions));
	sim->regions = calloc(s->table_count + bars + 1, sizeof(*sim->regions));
	sim->devices = calloc(s->device_count + 1, sizeof(*sim->devices));
	if (!sim->packages || !sim->cores || !sim->functions || !sim->regions || !sim->devices ||
	    sim_add_globals(sim, s->table_count))
		return -ENOMEM;
	for (size_t i = 0; i < sim->socket_count; i++)
		sim->packages[i] = topology_nth_socket(&s->topology, i, &(size_t){0});
	return memory_layout_copy(&s->memory, &sim->memory);
}

static void add_cpus(struct sim *sim, const struct topology *topology)
{
	for (size_t i = 0; i < sim->core_count; i++)
		sim->cores[i].misc_enable = MISC_ENABLE_PERFMON_AVAILABLE;
	for (size_t i = 0; i < topology->count; i++) {
		struct sim_core *core = &sim->cores[topology->cpus[i].cpu];

		core->socket = socket_of(sim, topology->cpus[i].socket);
		core->node = topology->cpus[i].node;
		core->die = (unsigned)topology->cpus[i].die;
		core->l3 = topology->cpus[i].l3;
		/* unknown: no file names the threads of a core */
		core->first_thread = topology->cpus[i].cpu;
		core->online = true;
	}
}

/* Tables come before the BARs that have them: the first match counts. */
static void add_memory(struct sim *sim, struct snapshot *s)
{
	for (size_t i = 0; i < s->table_count; i++) {
		struct snapshot_table *table = &s->tables[i];

		sim->regions[sim->region_count++] = (struct sim_region){
			.phys = table->phys, .length = 8 * table->count, .words = table->words};
		table->words = NULL; /* the region's from now on */
	}
	for (size_t i = 0; i < s->function_count; i++) {
		const struct pci_function *f = &s->functions[i].info;
		uint64_t address;

		for (unsigned bar = 0; bar < PCI_BAR_COUNT; bar++)
			if (f->bar_size[bar] && !pci_bar_address(&sim->base, f->at, bar, &address))
				sim->regions[sim->region_count++] = (struct sim_region){
					.phys = address, .length = f->bar_size[bar]};
	}
}

static void add_functions(struct sim *sim, const struct snapshot *s)
{
	for (size_t i = 0; i < s->function_count; i++) {
		struct sim_function *f = &sim->functions[sim->function_count++];

		f->info = s->functions[i].info;
		memcpy(f->config, s->functions[i].config, sizeof(f->config));
	}
	memcpy(sim->devices, s->devices, s->device_count * sizeof(*s->devices));
	sim->device_count = s->device_count;
}

/* Adds pages for registers that are in no BAR, such as a memory controller's. */
static int add_pages(struct sim *sim, uint64_t address, uint64_t size)
{
	const uint64_t first = address & ~(PAGE - 1);
	const uint64_t length = (address - first + size + PAGE - 1) & ~(PAGE - 1);
	struct sim_region *grown;

	if (sim_find_region(sim, address, size))
		return 0;
	grown = reallocarray(sim->regions, sim->region_count + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	sim->regions = grown;
	grown[sim->region_count++] = (struct sim_region){.phys = first, .length = length};
	return 0;
}

/*
 * Adds the controls of tables. No file has their values: they freeze their units, as from
 * power-on.
 */
static int add_table_controls(struct sim *sim, const struct discovery *discovery)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < discovery->table_count; i++) {
		const struct discovery_table *table = &discovery->tables[i];

		if (!table_has_control(table))
			continue;
		sim->globals[sim->global_count++] = (struct sim_global_control){
			.socket = socket_of(sim, table->socket),
			.die = (int)table->die,
			.phys = table->global.control,
			.value = UNIT_CTL_FREEZE,
		};
		rc = add_pages(sim, table->global.control, sizeof(uint32_t));
	}
	return rc;
}

static unsigned count_units(const struct sim *sim, unsigned type, unsigned socket)
{
	unsigned count = 0;

	for (size_t i = 0; i < sim->unit_count; i++)
		count += sim->units[i].type == type && sim->units[i].socket == socket;
	return count;
}

/* Sets the registers to their values in the snapshot, without reserved bits. */
static void load_registers(struct sim_unit *unit, const struct unit *found,
			   const struct snapshot *s)
{
	for (size_t i = 0; i < s->unit_count; i++) {
		const struct snapshot_unit *from = &s->units[i];

		if (from->socket != found->socket || from->die != found->die ||
		    from->type != found->type || from->id != found->id)
			continue;
		for (unsigned c = 0; c < from->counters && c < unit->counters; c++) {
			unit->controls[c] =
				from->controls[c] &
				~sim_unit_reserved(unit,
						   unit->control_offset + unit->control_step * c);
			unit->counter[c].base = from->values[c] & SIM_COUNTER_MASK;
		}
		unit->control = from->control & UNIT_CTL_FREEZE;
		unit->dead = from->dead;
		return;
	}
}

/*
 * Returns the die whose CPUs access a unit. A table without CPUs, such as an IO die's, uses those
 * of the socket's first die.
 */
static unsigned find_cpu_die(const struct sim *sim, const struct discovery *discovery,
			     const struct unit *found)
{
	const unsigned socket = socket_of(sim, found->socket);

	for (size_t i = 0; i < discovery->table_count; i++) {
		const struct discovery_table *table = &discovery->tables[i];

		if (table->msr && table->socket == found->socket && table->die == found->die)
			return sim->cores[table->cpu].die;
	}
	if (sim->spec.facts->dies_have_tables)
		return 0;
	return sim_die_online(sim, socket, found->die) ? found->die : 0;
}

static void add_unit(struct sim *sim, const struct discovery *discovery, const struct unit *found,
		     const struct snapshot *s)
{
	const unsigned socket = socket_of(sim, found->socket);
	const struct unit_registers *at = &found->registers;
	const struct sim_unit unit = {
		.type = found->type,
		.id = found->l3_scoped ? (unsigned)found->l3 : found->id,
		.socket = socket,
		.die = found->die,
		.cpu_die = find_cpu_die(sim, discovery, found),
		.l3 = found->l3,
		.index = count_units(sim, found->type, socket),
		.access = (enum sim_access)found->access,
		.address = found->control,
		.pci = found->pci,
		.counters = found->counters,
		.control_offset = (uint8_t)at->control_offset,
		.control_step = at->control_step ? at->control_step : UNKNOWN_STEP,
		.counter_offset = (uint8_t)at->counter_offset,
		.counter_step = at->counter_step,
	};

	sim->units[sim->unit_count] = unit;
	load_registers(&sim->units[sim->unit_count], found, s);
	sim->unit_count++;
}

static int add_units(struct sim *sim, const struct discovery *discovery, const struct snapshot *s)
{
	int rc = 0;

	sim->units = calloc(discovery->unit_count + 1, sizeof(*sim->units));
	if (!sim->units)
		return -ENOMEM;
	for (size_t i = 0; !rc && i < discovery->unit_count; i++) {
		add_unit(sim, discovery, &discovery->units[i], s);
		if (sim->units[i].access == SIM_ACCESS_MMIO)
			rc = add_pages(sim, sim->units[i].address, sim_unit_size(&sim->units[i]));
	}
	return rc;
}

/*
 * Sets the counts of units in the spec, which has one count for all sockets: that of the first
 * socket that has any.
 */
static void set_unit_counts(struct sim *sim)
{
	struct sim_spec *spec = &sim->spec;
	const struct {
		unsigned type, other_type;
		unsigned *count;
	} counts[] = {{PMU_CXLCM, PMU_CXLCM_DMR, &spec->ports},
		      {PMU_CHA, PMU_CBO, &spec->chas},
		      {PMU_IMC, PMU_UMC, &spec->imcs},
		      {PMU_HBM, PMU_HBM, &spec->hbms}};
	const unsigned given_ports = spec->ports, max_ports = spec->facts->max_ports;
	const unsigned devices =
		(unsigned)((sim->device_count + sim->socket_count - 1) / sim->socket_count);

	spec->sockets = (unsigned)sim->socket_count;
	spec->cpus = (unsigned)((sim->core_count + sim->socket_count - 1) / sim->socket_count);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		unsigned count = 0;

		for (unsigned s = 0; !count && s < spec->sockets; s++) {
			count = count_units(sim, counts[i].type, s);
			count = count ? count : count_units(sim, counts[i].other_type, s);
		}
		*counts[i].count = count ? count : 1;
	}
	/* ports without a unit carry traffic if they have a memory device */
	if (spec->facts->vendor != SIM_INTEL || spec->facts->no_uncore)
		spec->ports = !devices				 ? given_ports
			      : max_ports && devices > max_ports ? max_ports
								 : devices;
}

static int find_units(struct sim *sim, const struct snapshot *s, struct error *err)
{
	const unsigned cpu = s->topology.cpus[0].cpu;
	struct discovery discovery = {.tables = NULL};
	const struct log log = sim->base.log;
	const struct model *model;
	struct cpu_identity id;
	int rc = machine_identify(&sim->base, cpu, &id, &model, err);

	/* the code that opens the machine gets these warnings */
	sim->base.log = (struct log){.write = NULL};
	/* units that only the kernel counts on are in no snapshot */
	if (!rc && !sim->spec.facts->no_uncore && !model->kernel_counts)
		rc = machine_find_units(&sim->base, model, &s->topology, &discovery, err);
	sim->base.log = log;
	if (!rc && (add_units(sim, &discovery, s) || add_table_controls(sim, &discovery)))
		rc = error_no_memory(err);
	discovery_free(&discovery);
	return rc;
}

static void find_owner(const struct sim *sim, struct pci_location at, struct sim_cpmu *cpmu)
{
	for (size_t i = 0; i < sim->device_count; i++) {
		const struct cxl_device *device = &sim->devices[i];

		if (pci_location_compare(&device->path[device->depth - 1], &at))
			continue;
		cpmu->port = sim_device_port(sim, i);
		for (size_t c = 0; c < sim->core_count; c++)
			if (sim->cores[c].online && sim->cores[c].node == device->near_node)
				cpmu->socket = sim->cores[c].socket;
	}
	if (cpmu->port >= sim->spec.ports)
		cpmu->port = sim->spec.ports - 1;
}

static void load_cpmu(struct sim_cpmu *cpmu, const struct snapshot_cpmu *from)
{
	cpmu->at = from->at;
	cpmu->address = from->address;
	cpmu->capability = from->capability;
	cpmu->counter_count = cpmu_counters(from->capability);
	cpmu->group_count = cpmu_groups(from->capability);
	cpmu->overflow = from->overflow;
	cpmu->freeze = cpmu->still = from->freeze;
	memcpy(cpmu->groups, from->groups, sizeof(cpmu->groups));
	memcpy(cpmu->configurations, from->configurations, sizeof(cpmu->configurations));
	for (unsigned i = 0; i < SIM_CPMU_COUNTERS; i++) {
		cpmu->counters[i].base = from->counters[i];
		for (unsigned f = 0; f < SIM_CPMU_FILTERS; f++)
			if (from->capability >> (32 + f) & 1)
				cpmu->filters[i][f] =
					(uint32_t)from->filters[SIM_CPMU_FILTERS * i + f];
	}
}

static int add_cpmus(struct sim *sim, const struct snapshot *s)
{
	int rc = 0;

	sim->cpmus = calloc(s->cpmu_count + 1, sizeof(*sim->cpmus));
	if (!sim->cpmus)
		return -ENOMEM;
	for (size_t i = 0; !rc && i < s->cpmu_count; i++) {
		struct sim_cpmu *cpmu = &sim->cpmus[sim->cpmu_count++];

		load_cpmu(cpmu, &s->cpmus[i]);
		find_owner(sim, s->cpmus[i].at, cpmu);
		rc = add_pages(sim, cpmu->address, CPMU_BLOCK_BYTES);
	}
	return rc;
}

static int build_snapshot(struct sim *sim, struct snapshot *s, struct error *err)
{
	struct error why = {0};
	int rc;

	if (allocate_snapshot(sim, s))
		return error_no_memory(err);
	for (size_t i = 0; i < s->leaf_count; i++)
		if (s->leaves[i].leaf == 0x40000000)
			memcpy(sim->hypervisor, &s->leaves[i].regs[1], sizeof(sim->hypervisor) - 1);
	add_cpus(sim, &s->topology);
	add_functions(sim, s);
	add_memory(sim, s);
	/* these MSRs have the addresses of tables */
	for (size_t i = 0; i < s->msr_count; i++)
		if (s->msrs[i].msr == SIM_TABLE_MSR)
			sim_core_set(sim, s->msrs[i].cpu, s->msrs[i].msr, s->msrs[i].value);
	rc = find_units(sim, s, &why);
	if (rc)
		return error_set(err, ERROR_USAGE, rc, "%s: %s", quoted(sim->spec.file).text,
				 why.text);
	set_unit_counts(sim);
	if (add_cpmus(sim, s) || sim_loads_init(&sim->loads, &sim->spec))
		return error_no_memory(err);
	for (size_t i = 0; i < s->msr_count; i++)
		sim_core_set(sim, s->msrs[i].cpu, s->msrs[i].msr, s->msrs[i].value);
	return 0;
}

int sim_load_snapshot(struct sim *sim, struct error *err)
{
	struct snapshot *s = calloc(1, sizeof(*s));

	sim->snapshot = s;
	if (!s)
		return error_no_memory(err);
	int rc = snapshot_load(sim->spec.file, s, err);
	if (rc)
		return rc;
	/* a processor that is not listed is simulated as any one with CPUID, or without it */
	const char *any = s->leaf_count ? "intel" : "arm";
	const bool other = !strcmp(s->model, SNAPSHOT_OTHER);
	rc = sim_spec_set_model(&sim->spec, other ? any : s->model, err);
	return rc ? rc : build_snapshot(sim, s, err);
}
