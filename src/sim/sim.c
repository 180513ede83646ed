/* SPDX-License-Identifier: BSD-3-Clause */
/* The simulated machine as a platform. */
#include "sim/sim.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linux/clock.h"
#include "linux/linux.h"
#include "platform/number.h"
#include "platform/reason.h"
#include "platform/reg.h"
#include "sim/sim_cpmu.h"
#include "sim/sim_layout.h"
#include "sim/sim_machine.h"
#include "sim/sim_perf.h"
#include "uncore/model.h"

static void destroy(struct platform *p)
{
	sim_perf_free(sim_of(p));
	sim_free_machine(sim_of(p));
	free(p);
}

static int topology(struct platform *p, struct topology *out, struct error *err)
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
				.socket = (int)sim->cores[i].socket,
				.node = sim->cores[i].node,
				.core = (int)sim->cores[i].first_thread,
				.die = (int)sim->cores[i].die,
				.l3 = sim->cores[i].l3,
			};
	return 0;
}

static int cpuid(struct platform *p, unsigned cpu, uint32_t leaf, uint32_t subleaf,
		 uint32_t regs[4], struct error *err)
{
	(void)cpu;
	if (sim_model_facts(sim_of(p)->spec.model)->vendor == SIM_ARM)
		return error_set(err, EXIT_NO_UNIT, -EOPNOTSUPP, "this processor has no CPUID");
	sim_cpuid(sim_of(p), leaf, subleaf, regs);
	return 0;
}

static void processor_name(struct platform *p, char name[PROCESSOR_NAME_SIZE])
{
	(void)p;
	snprintf(name, PROCESSOR_NAME_SIZE, "Arm processor, part 0xfff");
}

static int msr_may_write(struct platform *p, unsigned cpu)
{
	(void)cpu;
	return sim_msr_may_write(sim_of(p));
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

/* The offset of the 8-byte register that a dword is part of, and the shift to that part. */
static uint64_t register_offset(const struct sim_unit *unit, unsigned offset, unsigned *shift)
{
	const uint64_t relative = offset - unit->address;

	*shift = relative % 8 ? 32 : 0;
	return relative & ~UINT64_C(7);
}

static int read_config(const struct sim *sim, const struct reg *reg, uint64_t *value)
{
	const unsigned offset = (unsigned)reg->address;
	const struct sim_function *f = sim_find_function(sim, reg->pci);
	struct sim_unit *unit = sim_find_pci_unit(sim, reg->pci, offset);
	uint32_t dword;
	uint64_t wide;
	unsigned shift;

	if (!f)
		return -ENODEV;
	if (offset % 4 || offset >= SIM_CONFIG_BYTES)
		return -EINVAL;
	memcpy(&dword, f->config + offset, sizeof(dword));
	if (unit && sim_unit_read(sim, unit, register_offset(unit, offset, &shift), &wide))
		dword = (uint32_t)(wide >> shift);
	*value = dword;
	return 0;
}

static int write_config(struct sim *sim, const struct reg *reg, uint64_t value)
{
	const unsigned offset = (unsigned)reg->address;
	struct sim_unit *unit = sim_find_pci_unit(sim, reg->pci, offset);
	uint64_t wide;
	unsigned shift;

	if (!sim_find_function(sim, reg->pci))
		return -ENODEV;
	if (offset % 4 || offset >= SIM_CONFIG_BYTES)
		return -EINVAL;
	if (sim_is_locked_down(sim))
		return -EPERM;
	if (unit && sim_unit_read(sim, unit, register_offset(unit, offset, &shift), &wide)) {
		wide &= ~(UINT64_C(0xFFFFFFFF) << shift);
		wide |= value << shift;
		sim_unit_write(sim, unit, register_offset(unit, offset, &shift), wide);
	}
	return 0; /* other registers are read-only */
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
	if (sim_is_locked_down(sim_of(p))) {
		error_set(err, EXIT_PERMISSION, -EPERM,
			  "mmio 0x%" PRIx64 ": can't be mapped: kernel lockdown forbids /dev/mem "
			  "(simulated)",
			  phys);
		error_hint(err, LOCKDOWN_COMMAND);
		return -EPERM;
	}
	if (!sim_find_region(sim_of(p), phys, length))
		return error_set(err, EXIT_FAILED, -ENXIO,
				 "mmio 0x%" PRIx64 ": can't be mapped: no memory there", phys);
	*out = (struct mmio_window){.phys = phys, .length = length};
	return 0;
}

static void mmio_unmap(struct platform *p, struct mmio_window *window)
{
	(void)p;
	*window = (struct mmio_window){0};
}

/* Memory without a register reads as 0. */
static uint64_t load(struct sim *sim, uint64_t phys, unsigned bytes)
{
	const struct sim_region *region = sim_find_region(sim, phys, bytes);
	const struct sim_table_control *control = sim_find_table_control(sim, phys);
	struct sim_unit *unit = sim_find_mmio_unit(sim, phys);
	struct sim_cpmu *cpmu = sim_find_cpmu(sim, phys);
	const uint64_t mask = bytes == 8 ? UINT64_MAX : UINT32_MAX;
	uint64_t value = 0;

	if (region && region->words)
		return region->words[(phys - region->phys) / 8] >> (8 * (phys % 8)) & mask;
	if (unit)
		sim_unit_read(sim, unit, phys - unit->address, &value);
	else if (control)
		value = control->value;
	else if (cpmu)
		value = sim_cpmu_read(sim, cpmu, phys - cpmu->address, bytes);
	return value & mask;
}

static void store(struct sim *sim, uint64_t phys, unsigned bytes, uint64_t value)
{
	struct sim_table_control *control = sim_find_table_control(sim, phys);
	struct sim_unit *unit = sim_find_mmio_unit(sim, phys);
	struct sim_cpmu *cpmu = sim_find_cpmu(sim, phys);

	if (unit)
		sim_unit_write(sim, unit, phys - unit->address,
			       bytes == 8 ? value : (uint32_t)value);
	else if (control)
		sim_set_table_control(sim, control, value);
	else if (cpmu)
		sim_cpmu_write(sim, cpmu, phys - cpmu->address, bytes, value);
}

static int read_register(struct platform *p, const struct reg *reg, uint64_t *value)
{
	switch (reg->space) {
	case REG_MSR:
		return sim_msr_read(sim_begin_access(p), reg->cpu, (uint32_t)reg->address, value);
	case REG_MMIO:
		*value = load(sim_begin_access(p), reg->address, reg->bytes);
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
		return sim_msr_write(sim_begin_access(p), reg->cpu, (uint32_t)reg->address, value);
	case REG_MMIO:
		store(sim_begin_access(p), reg->address, reg->bytes, value);
		return 0;
	case REG_PCI:
		return write_config(sim_begin_access(p), reg, value);
	case REG_MBM:
		return sim_mbm_set(sim_of(p), reg->cpu, reg->address, value);
	}
	return -EINVAL;
}

static uint64_t now(struct platform *p)
{
	return sim_now(sim_of(p));
}

static uint64_t wall(struct platform *p)
{
	const struct sim *sim = sim_of(p);

	return sim->suspended +
	       (sim->spec.virtual_clock ? SIM_EPOCH_NS + sim->virtual_now : clock_utc());
}

static uint64_t suspended(struct platform *p)
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

static int nodes(struct platform *p, int **out, size_t *count, struct error *err)
{
	return sim_nodes_list(sim_of(p), out, count) ? error_no_memory(err) : 0;
}

static int node_stats(struct platform *p, int node, uint64_t wall_ns, struct kernel_stats *out)
{
	return sim_node_stats(sim_of(p), node, sim_time_of(sim_of(p), wall_ns), out);
}

static int device_stats(struct platform *p, const struct cxl_device *device, uint64_t wall_ns,
			struct device_stats *out)
{
	return sim_device_stats(sim_of(p), device, sim_time_of(sim_of(p), wall_ns), out);
}

static int device_health(struct platform *p, const struct cxl_device *device, uint64_t wall_ns,
			 struct device_health *out)
{
	const struct sim *sim = sim_of(p);
	const struct sim_spec *spec = &sim->spec;

	(void)device; /* all are alike */
	if (sim->snapshot)
		return -ENOENT; /* it does not have it */
	*out = (struct device_health){
		.state = spec->health,
		.temperature_C = spec->temperature,
		.life_used_pct = spec->life_used,
		.corrected_errors =
			floor(spec->corrected * (double)sim_time_of(sim, wall_ns) / NS_PER_S),
	};
	return 0;
}

static int open_events(struct platform *p, const struct topology *topology, struct error *err)
{
	(void)p;
	(void)topology;
	(void)err;
	return 0;
}

static bool next_event(struct platform *p, uint64_t wall_ns, struct cxl_event *out, uint64_t *lost)
{
	struct sim *sim = sim_of(p);
	const uint64_t t = sim_time_of(sim, wall_ns);

	(void)lost;
	if (!sim_next_event(sim, t, out))
		return false;
	/* from the machine's time to that of day */
	out->wall_ns += (sim->spec.virtual_clock ? wall_ns : wall(p)) - t;
	return true;
}

static int find_memory(struct platform *p, struct memory_map *out, struct error *err)
{
	return sim_memory_map(sim_of(p), out) ? error_no_memory(err) : 0;
}

static int inject_load(struct platform *p, struct injected_load *load, struct error *err)
{
	struct sim *sim = sim_of(p);
	const double read = load->read / 1e9, write = load->write / 1e9;
	struct sim_load *at = sim_load_of_node(sim, load->node, &load->latency_ns);

	if (!at)
		return error_set(err, EXIT_FAILED, -ENODEV,
				 "node %d: this simulated machine has no such memory", load->node);
	sim_begin_access(p);
	const struct sim_segment *now = sim_load_segment(at, sim->now);
	if ((read != (now ? now->read : 0) || write != (now ? now->write : 0)) &&
	    sim_load_inject(&sim->loads, at, read, write, sim->now))
		return error_no_memory(err);
	now = sim_load_segment(at, sim->now);
	load->bytes_read = (uint64_t)sim_load_injected(at, INJECTED_READ, sim->now);
	load->bytes_written = (uint64_t)sim_load_injected(at, INJECTED_WRITE, sim->now);
	load->latency_ns *= now ? now->latency : 1;
	return 0;
}

/* What a CPMU counts, its capabilities say. */
static bool counts(struct platform *p, unsigned type, uint64_t control, uint64_t offcore_rsp)
{
	const struct sim *sim = sim_of(p);

	if (type == PMU_CPMU)
		return true;
	if (type == PMU_CORE)
		return sim_core_counts(sim, control, offcore_rsp);
	return traffic_knows(&sim->spec, type, control);
}

static void explain(struct platform *p, const struct reg *reg, bool write, int code,
		    struct reason *out)
{
	const bool locked_down = sim_is_locked_down(sim_of(p)) && write && code == -EPERM;

	(void)reg;
	out->status = code == -EPERM || code == -EACCES || code == -ENOENT ? EXIT_PERMISSION
									   : EXIT_FAILED;
	snprintf(out->text, sizeof(out->text), "%s (simulated)",
		 locked_down ? "kernel lockdown forbids writes" : strerror(-code));
	snprintf(out->command, sizeof(out->command), "%s", locked_down ? LOCKDOWN_COMMAND : "");
}

static const struct platform_ops sim_ops = {
	.destroy = destroy,
	.topology = topology,
	.cpuid = cpuid,
	.processor_name = processor_name,
	.read = read_register,
	.write = write_register,
	.explain = explain,
	.msr_may_write = msr_may_write,
	.pci_list = pci_list,
	.cxl_devices = cxl_devices,
	.memory_layout = memory_layout,
	.mmio_map = mmio_map,
	.mmio_unmap = mmio_unmap,
	.now = now,
	.wall = wall,
	.suspended = suspended,
	.sleep_until = sleep_until,
	.perf_pmus = sim_perf_pmus,
	.perf_open = sim_perf_open,
	.perf_enable = sim_perf_enable,
	.perf_read = sim_perf_read,
	.perf_close = sim_perf_close,
	.perf_explain = sim_perf_explain,
	.nodes = nodes,
	.node_stats = node_stats,
	.device_health = device_health,
	.device_stats = device_stats,
	.mbm_open = sim_mbm_open,
	.mbm_read = sim_mbm_read,
	.cxl_events_open = open_events,
	.cxl_events_next = next_event,
	.sampler_open = sim_sampler_open,
	.memory_map = find_memory,
	.counts = counts,
	.inject_load = inject_load,
};

static int generate(struct sim *sim, struct error *err)
{
	return sim_generate(sim) || sim_loads_init(&sim->loads, &sim->spec) ? error_no_memory(err)
									    : 0;
}

int platform_sim(const char *spec, const struct log *log, struct platform **out, struct error *err)
{
	struct sim *sim = calloc(1, sizeof(*sim));

	if (!sim)
		return error_no_memory(err);
	sim->base = (struct platform){.ops = &sim_ops, .log = *log};
	sim->start = clock_monotonic();
	int rc = sim_spec_parse(spec, &sim->spec, err);
	if (!rc)
		rc = *sim->spec.file ? sim_load_snapshot(sim, err) : generate(sim, err);
	sim->base.virtual_clock = sim->spec.virtual_clock;
	if (rc) {
		destroy(&sim->base);
		return rc;
	}
	*out = &sim->base;
	return 0;
}

int platform_open(const char *sim, const char *root, const struct log *log, struct platform **out,
		  struct error *err)
{
	return sim ? platform_sim(sim, log, out, err) : platform_linux(root, log, out, err);
}

int open_session(const struct session_options *options, const struct log *log, struct session *out,
		 struct error *err)
{
	struct platform *platform;
	const int rc = platform_open(options->sim, options->root, log, &platform, err);

	*out = (struct session){.platform = NULL};
	return rc ? rc : session_open(options, platform, out, err);
}
