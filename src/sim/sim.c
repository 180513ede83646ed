/* SPDX-License-Identifier: BSD-3-Clause */
/* The simulated machine as a platform. */
#include "sim/sim.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linux/kernel/clock.h"
#include "linux/kernel/limits.h"
#include "platform/clock.h"
#include "platform/cpus.h"
#include "platform/guard.h"
#include "platform/memory.h"
#include "platform/pci.h"
#include "sim/sim_cpmu.h"
#include "sim/sim_extras.h"
#include "sim/sim_machine.h"
#include "sim/sim_perf.h"
#include "sim/sim_private.h"
#include "sim/snapshot/snapshot.h"
#include "uncore/model/model.h"

static void destroy_sim(struct platform *p)
{
	struct sim *sim = sim_of(p);

	sim_perf_free(sim);
	for (size_t i = 0; i < sim->region_count; i++)
		free(sim->regions[i].words);
	sim_loads_free(&sim->loads);
	free(sim->packages);
	free(sim->units);
	free(sim->cores);
	free(sim->functions);
	free(sim->regions);
	free(sim->globals);
	free(sim->devices);
	memory_layout_free(&sim->memory);
	free(sim->cpmus);
	free(sim->mbm.caches);
	free(sim->clearings);
	free(sim->rdt);
	if (sim->snapshot)
		snapshot_free(sim->snapshot);
	free(sim->snapshot);
	free(sim);
}

static int sim_topology(struct platform *p, struct topology *out, struct error *err)
{
	const struct sim *sim = sim_of(p);

	out->count = 0;
	out->cpus = calloc(sim->core_count, sizeof(*out->cpus));
	if (!out->cpus)
		return error_no_memory(err);
	for (size_t i = 0; i < sim->core_count; i++)
		if (sim->cores[i].online)
			out->cpus[out->count++] = (struct cpu_location){
				.cpu = (unsigned)i,
				.socket = sim_package(sim, sim->cores[i].socket),
				.node = sim->cores[i].node,
				.core = (int)sim->cores[i].first_thread,
				.die = (int)sim->cores[i].die,
				.l3 = sim->cores[i].l3,
				.spared = sim->cores[i].isolated ? SPARED_ISOLATED : 0,
			};
	return 0;
}

static void processor_name(struct platform *p, char name[PROCESSOR_NAME_SIZE])
{
	const struct model *model = sim_of(p)->spec.model;

	if (model->part)
		snprintf(name, PROCESSOR_NAME_SIZE, "%s processor, part 0x%x", model->vendor,
			 model->part);
	else
		snprintf(name, PROCESSOR_NAME_SIZE, "Arm processor, part 0xfff");
}

static bool arm_part(struct platform *p, unsigned *implementer, unsigned *part)
{
	*implementer = sim_of(p)->spec.model->implementer;
	*part = sim_of(p)->spec.model->part;
	return *part;
}

static bool is_locked_down(const struct sim *sim)
{
	return sim->spec.lockdown != SIM_LOCKDOWN_NONE;
}

/* Returns the error that any access to an MSR of this CPU fails with; 0: none. */
static int msr_error(const struct sim *sim, unsigned cpu)
{
	if (!sim_core_pmu(sim)->general || cpu >= sim->core_count)
		return -ENOENT;
	return sim->cores[cpu].online ? 0 : -ENXIO;
}

static int read_msr(struct sim *sim, const struct reg *reg, uint64_t *value)
{
	const int rc = msr_error(sim, reg->cpu);
	const struct sim_unit *unit = rc ? NULL : sim_find_unit(sim, reg);

	if (unit)
		return sim_unit_read(sim, unit, reg->address - unit->address, value) ? 0 : -EIO;
	return rc ? rc : sim_core_read(sim, reg->cpu, (uint32_t)reg->address, value);
}

static int msr_may_write(struct platform *p, unsigned cpu)
{
	(void)cpu;
	return is_locked_down(sim_of(p)) ? -EPERM : 0;
}

static int write_msr(struct sim *sim, const struct reg *reg, uint64_t value)
{
	int rc = msr_error(sim, reg->cpu);

	if (!rc)
		rc = msr_may_write(&sim->base, reg->cpu);
	if (rc)
		return rc;
	struct sim_unit *unit = sim_find_unit(sim, reg);
	if (!unit)
		return sim_core_write(sim, reg->cpu, (uint32_t)reg->address, value);
	if (value & sim_unit_reserved(unit, reg->address - unit->address))
		return -EIO;
	sim_unit_write(sim, unit, reg->address - unit->address, value);
	return 0;
}

static int pci_list(struct platform *p, struct pci_function **out, size_t *count, struct error *err)
{
	const struct sim *sim = sim_of(p);
	struct pci_function *list = calloc(sim->function_count + 1, sizeof(*list));

	if (!list)
		return error_no_memory(err);
	for (size_t i = 0; i < sim->function_count; i++)
		list[i] = sim->functions[i].info;
	*out = list;
	*count = sim->function_count;
	return 0;
}

static int config_error(const struct sim *sim, const struct reg *reg)
{
	if (!sim_find_function(sim, reg->pci))
		return -ENODEV;
	return reg->address % 4 || reg->address >= SIM_CONFIG_BYTES ? -EINVAL : 0;
}

/* A dword may be half of a unit's register. */
static int read_config(const struct sim *sim, const struct reg *reg, uint64_t *value)
{
	const struct sim_unit *unit = sim_find_unit(sim, reg);
	const uint64_t distance = unit ? reg->address - unit->address : 0;
	const int rc = config_error(sim, reg);
	uint32_t dword;
	uint64_t wide;

	if (rc)
		return rc;
	memcpy(&dword, sim_find_function(sim, reg->pci)->config + reg->address, sizeof(dword));
	if (unit && sim_unit_read(sim, unit, distance & ~UINT64_C(7), &wide))
		dword = (uint32_t)(wide >> (distance % 8 ? 32 : 0));
	*value = dword;
	return 0;
}

/* Other registers are read-only. */
static int write_config(struct sim *sim, const struct reg *reg, uint64_t value)
{
	struct sim_unit *unit = sim_find_unit(sim, reg);
	const uint64_t distance = unit ? reg->address - unit->address : 0;
	const unsigned shift = distance % 8 ? 32 : 0;
	const int rc = config_error(sim, reg);
	uint64_t wide;

	if (rc || is_locked_down(sim))
		return rc ? rc : -EPERM;
	if (unit && sim_unit_read(sim, unit, distance & ~UINT64_C(7), &wide))
		sim_unit_write(sim, unit, distance & ~UINT64_C(7),
			       (wide & ~(UINT64_C(0xFFFFFFFF) << shift)) | value << shift);
	return 0;
}

static int cxl_devices(struct platform *p, struct cxl_device **out, size_t *count,
		       struct error *err)
{
	const struct sim *sim = sim_of(p);
	struct cxl_device *list = calloc(sim->device_count + 1, sizeof(*list));

	if (!list)
		return error_no_memory(err);
	for (size_t i = 0; i < sim->device_count; i++)
		list[i] = sim->devices[i];
	*out = list;
	*count = sim->device_count;
	return 0;
}

static int memory_layout(struct platform *p, struct memory_layout *out, struct error *err)
{
	return memory_layout_copy(&sim_of(p)->memory, out) ? error_no_memory(err) : 0;
}

static int mmio_map(struct platform *p, uint64_t phys, size_t length, bool writable,
		    struct mmio_window *out, struct error *err)
{
	(void)writable;
	if (is_locked_down(sim_of(p))) {
		error_set(err, ERROR_PERMISSION, -EPERM,
			  "mmio 0x%" PRIx64 ": cannot be mapped: kernel lockdown forbids /dev/mem "
			  "(simulated)",
			  phys);
		error_hint(err, LOCKDOWN_COMMAND);
		return -EPERM;
	}
	if (!sim_find_region(sim_of(p), phys, length))
		return error_set(err, ERROR_FAILED, -ENXIO,
				 "mmio 0x%" PRIx64 ": cannot be mapped: no memory there", phys);
	*out = (struct mmio_window){.phys = phys, .length = length};
	return 0;
}

static void mmio_unmap(struct platform *p, struct mmio_window *window)
{
	(void)p;
	*window = (struct mmio_window){0};
}

/* Memory without a register reads as 0. */
static uint64_t load_register(const struct sim *sim, const struct reg *reg)
{
	const struct sim_region *region = sim_find_region(sim, reg->address, reg->bytes);
	const struct sim_global_control *global = sim_find_global(sim, reg->address);
	const struct sim_unit *unit = sim_find_unit(sim, reg);
	const struct sim_cpmu *cpmu = sim_find_cpmu(sim, reg->address);
	uint64_t value = 0;

	if (region && region->words)
		value = region->words[(reg->address - region->phys) / 8] >>
			(8 * (reg->address % 8));
	else if (unit)
		sim_unit_read(sim, unit, reg->address - unit->address, &value);
	else if (global)
		value = global->value;
	else if (sim_rdt_load(sim, reg->address, sim->now, &value))
		return value;
	else if (cpmu)
		value = sim_cpmu_read(sim, cpmu, reg->address - cpmu->address, reg->bytes);
	return reg->bytes == 8 ? value : (uint32_t)value;
}

static void store_register(struct sim *sim, const struct reg *reg, uint64_t value)
{
	struct sim_global_control *global = sim_find_global(sim, reg->address);
	struct sim_unit *unit = sim_find_unit(sim, reg);
	struct sim_cpmu *cpmu = sim_find_cpmu(sim, reg->address);

	if (unit)
		sim_unit_write(sim, unit, reg->address - unit->address,
			       reg->bytes == 8 ? value : (uint32_t)value);
	else if (global)
		sim_set_global(sim, global, value);
	else if (cpmu)
		sim_cpmu_write(sim, cpmu, reg->address - cpmu->address, reg->bytes, value);
}

static int read_register(struct platform *p, const struct reg *reg, uint64_t *value)
{
	switch (reg->space) {
	case REG_MSR:
		return read_msr(sim_begin_access(p), reg, value);
	case REG_MMIO:
		*value = load_register(sim_begin_access(p), reg);
		return 0;
	case REG_PCI:
		return read_config(sim_begin_access(p), reg, value);
	case REG_MBM:
		return sim_mbm_get(sim_of(p), reg->cpu, reg->address, value);
	}
	return -EINVAL;
}

static int write_register(struct platform *p, const struct reg *reg, uint64_t value)
{
	switch (reg->space) {
	case REG_MSR:
		return write_msr(sim_begin_access(p), reg, value);
	case REG_MMIO:
		store_register(sim_begin_access(p), reg, value);
		return 0;
	case REG_PCI:
		return write_config(sim_begin_access(p), reg, value);
	case REG_MBM:
		return sim_mbm_set(sim_of(p), reg->cpu, reg->address, value);
	}
	return -EINVAL;
}

static uint64_t sim_clock_now(struct platform *p)
{
	return sim_now(sim_of(p));
}

static uint64_t sim_clock_wall(struct platform *p)
{
	const struct sim *sim = sim_of(p);

	return sim->suspended +
	       (sim->spec.virtual_clock ? SIM_EPOCH_NS + sim->virtual_now : clock_utc());
}

static uint64_t sim_clock_suspended(struct platform *p)
{
	return sim_of(p)->suspended;
}

static int sleep_until(struct platform *p, uint64_t deadline, const sigset_t *wake,
		       int *signal_number)
{
	struct sim *sim = sim_of(p);

	if (!sim->spec.virtual_clock)
		return clock_sleep_until(sim->start + deadline, wake, signal_number);
	int rc = clock_sleep_until(0, wake, signal_number);
	if (!rc && deadline > sim->virtual_now)
		sim->virtual_now = deadline;
	return rc;
}

/* Returns true for every event of a CPMU: its capabilities name the events that it counts. */
static bool sim_counts(struct platform *p, unsigned type, uint64_t control, uint64_t offcore_rsp)
{
	const struct sim *sim = sim_of(p);

	if (type == PMU_CPMU)
		return true;
	if (type == PMU_CORE)
		return sim_core_counts(sim, control, offcore_rsp);
	return traffic_knows(&sim->spec, type, control);
}

static void explain_access(struct platform *p, const struct reg *reg, bool write, int code,
			   struct error *out)
{
	const bool locked_down = is_locked_down(sim_of(p)) && write && code == -EPERM;

	(void)reg;
	error_set(out,
		  code == -EPERM || code == -EACCES || code == -ENOENT ? ERROR_PERMISSION
								       : ERROR_FAILED,
		  code, "%s (simulated)",
		  locked_down ? "kernel lockdown forbids writes" : strerror(-code));
	if (locked_down)
		error_hint(out, LOCKDOWN_COMMAND);
}

static const struct clock_ops sim_clock = {
	.now = sim_clock_now,
	.wall = sim_clock_wall,
	.suspended = sim_clock_suspended,
	.sleep_until = sleep_until,
};

static const struct cpu_ops sim_cpus = {
	.topology = sim_topology,
	.cpuid = sim_cpuid,
	.processor_name = processor_name,
	.arm_part = arm_part,
};

static const struct register_ops sim_registers = {
	.read = read_register,
	.write = write_register,
	.explain = explain_access,
	.msr_may_write = msr_may_write,
	.mmio_map = mmio_map,
	.mmio_unmap = mmio_unmap,
};

static const struct pci_ops sim_pci = {
	.list = pci_list,
};

static const struct cxl_ops sim_cxl = {
	.devices = cxl_devices,
	.health = sim_device_health,
	.stats = sim_device_stats,
	.events_open = sim_open_events,
	.events_next = sim_next_event,
};

static const struct perf_ops sim_perf = {
	.pmus = sim_perf_pmus,
	.threads = sim_perf_threads,
	.open = sim_perf_open,
	.enable = sim_perf_enable,
	.read = sim_perf_read,
	.close = sim_perf_close,
	.explain = sim_perf_explain,
};

static const struct memory_ops sim_memory = {
	.layout = memory_layout,
	.nodes = sim_nodes,
	.stats = sim_node_stats,
	.map = sim_memory_map,
};

static const struct mbm_ops sim_mbm = {
	.open = sim_mbm_open,
	.read = sim_mbm_read,
};

static const struct sampling_ops sim_samples = {
	.open = sim_sampler_open,
};

static const struct simulation_ops sim_simulation = {
	.counts = sim_counts,
	.inject_load = sim_inject_load,
};

static const struct platform_ops sim_ops = {
	.destroy = destroy_sim,
	.clock = &sim_clock,
	.cpus = &sim_cpus,
	.registers = &sim_registers,
	.pci = &sim_pci,
	.cxl = &sim_cxl,
	.perf = &sim_perf,
	.memory = &sim_memory,
	.mbm = &sim_mbm,
	.rdt = &sim_rdt_ops,
	.task_groups = &sim_task_groups,
	.samples = &sim_samples,
	.processes = &sim_processes,
	.cgroups = &sim_cgroups,
	.simulation = &sim_simulation,
};

int platform_sim(const char *spec, const struct log *log, struct platform **out, struct error *err)
{
	struct sim *sim = calloc(1, sizeof(*sim));

	if (!sim)
		return error_no_memory(err);
	sim->base = (struct platform){.ops = &sim_ops, .log = *log};
	sim->start = clock_monotonic();
	int rc = sim_spec_parse(spec, &sim->spec, err);
	if (!rc && *sim->spec.file)
		rc = sim_load_snapshot(sim, err);
	else if (!rc && (sim_generate(sim) || sim_loads_init(&sim->loads, &sim->spec)))
		rc = error_no_memory(err);
	sim->base.virtual_clock = sim->spec.virtual_clock;
	for (size_t i = 0; !rc && i < sim->core_count; i++) {
		sim->cores[i].stalls = sim_stalls_of(&sim->spec);
		sim->cores[i].kernel_node = -1;
	}
	if (!rc && sim_extras.change && sim_extras.change(sim))
		rc = error_no_memory(err);
	if (rc) {
		sim->base.ops->destroy(&sim->base);
		return rc;
	}
	*out = &sim->base;
	return 0;
}
