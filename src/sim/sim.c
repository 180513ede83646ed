/* SPDX-License-Identifier: BSD-3-Clause */
/* The simulated machine as a platform, and what tests may do to it. */
#include "sim/sim.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linux/clock.h"
#include "platform/reg.h"
#include "sim/machine.h"

/* The virtual clock starts here, so that every run prints the same: 2026-01-01T00:00:00Z. */
#define VIRTUAL_EPOCH_NS UINT64_C(1767225600000000000)

enum { ACCESS_MMIO = 1 };

struct sim *sim_of(struct platform *p)
{
	return (struct sim *)p;
}

uint64_t sim_now(struct sim *sim)
{
	return sim->spec.virtual_clock ? sim->virtual_now : clock_monotonic() - sim->start;
}

static void take_time(struct sim *sim)
{
	sim->virtual_now += sim->access_time;
}

static void destroy(struct platform *p)
{
	sim_demolish(sim_of(p));
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
			};
	return 0;
}

static int cpuid(struct platform *p, unsigned cpu, uint32_t leaf, uint32_t subleaf,
		 uint32_t regs[4], struct error *err)
{
	(void)cpu;
	(void)err;
	sim_cpuid(sim_of(p), leaf, subleaf, regs);
	return 0;
}

static int msr_read(struct platform *p, unsigned cpu, uint32_t msr, uint64_t *value)
{
	take_time(sim_of(p));
	return sim_msr_read(sim_of(p), cpu, msr, value);
}

static int msr_write(struct platform *p, unsigned cpu, uint32_t msr, uint64_t value)
{
	take_time(sim_of(p));
	return sim_msr_write(sim_of(p), cpu, msr, value);
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

static struct sim_function *find_function(struct sim *sim, struct pci_location at)
{
	for (size_t i = 0; i < sim->function_count; i++) {
		const struct pci_location *here = &sim->functions[i].info.at;

		if (here->domain == at.domain && here->bus == at.bus && here->device == at.device &&
		    here->function == at.function)
			return &sim->functions[i];
	}
	return NULL;
}

/* The 8-byte register that a dword is half of, and how far up it stands. */
static uint64_t register_of(const struct sim_unit *unit, unsigned offset, unsigned *shift)
{
	const uint64_t within = offset - unit->address;

	*shift = within % 8 ? 32 : 0;
	return within & ~UINT64_C(7);
}

static int pci_read(struct platform *p, struct pci_location at, unsigned offset, uint32_t *value)
{
	struct sim *sim = sim_of(p);
	const struct sim_function *f = find_function(sim, at);
	struct sim_unit *unit = sim_find_pci_unit(sim, at, offset);
	uint64_t wide;
	unsigned shift;

	take_time(sim);
	if (!f)
		return -ENODEV;
	if (offset % 4 || offset >= SIM_CONFIG_BYTES)
		return -EINVAL;
	memcpy(value, f->config + offset, sizeof(*value));
	if (unit && sim_unit_read(sim, unit, register_of(unit, offset, &shift), &wide))
		*value = (uint32_t)(wide >> shift);
	return 0;
}

static int pci_write(struct platform *p, struct pci_location at, unsigned offset, uint32_t value)
{
	struct sim *sim = sim_of(p);
	struct sim_unit *unit = sim_find_pci_unit(sim, at, offset);
	uint64_t wide;
	unsigned shift;

	take_time(sim);
	if (!find_function(sim, at))
		return -ENODEV;
	if (offset % 4 || offset >= SIM_CONFIG_BYTES)
		return -EINVAL;
	if (unit && sim_unit_read(sim, unit, register_of(unit, offset, &shift), &wide)) {
		wide &= ~(UINT64_C(0xFFFFFFFF) << shift);
		wide |= (uint64_t)value << shift;
		sim_unit_write(sim, unit, register_of(unit, offset, &shift), wide);
	}
	return 0; /* other registers keep what they hold, as read-only ones do */
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

const struct sim_region *sim_find_region(const struct sim *sim, uint64_t phys, uint64_t length)
{
	for (size_t i = 0; i < sim->region_count; i++) {
		const struct sim_region *r = &sim->regions[i];

		if (phys >= r->phys && length <= r->length && phys - r->phys <= r->length - length)
			return r;
	}
	return NULL;
}

static int mmio_map(struct platform *p, uint64_t phys, size_t length, bool writable,
		    struct mmio_window *out, struct error *err)
{
	const struct sim *sim = sim_of(p);
	const bool closed =
		phys < sim->closed_phys + sim->closed_length && phys + length > sim->closed_phys;

	(void)writable;
	if (closed)
		return error_set(err, EXIT_PERMISSION, -EPERM,
				 "mmio 0x%" PRIx64 ": can't be mapped: closed in this simulation",
				 phys);
	if (!sim_find_region(sim, phys, length))
		return error_set(err, EXIT_FAILED, -ENXIO,
				 "mmio 0x%" PRIx64 ": can't be mapped: nothing is there", phys);
	*out = (struct mmio_window){.phys = phys, .length = length};
	return 0;
}

static void mmio_unmap(struct platform *p, struct mmio_window *window)
{
	(void)p;
	*window = (struct mmio_window){0};
}

/* Memory where no register is reads as 0. */
static uint64_t load(struct sim *sim, uint64_t phys, unsigned bytes)
{
	const struct sim_region *region = sim_find_region(sim, phys, bytes);
	struct sim_unit *unit = sim_find_unit(sim, ACCESS_MMIO, phys);
	const uint64_t mask = bytes == 8 ? UINT64_MAX : UINT32_MAX;
	uint64_t value = 0;

	if (region && region->words)
		return region->words[(phys - region->phys) / 8] >> (8 * (phys % 8)) & mask;
	if (unit)
		sim_unit_read(sim, unit, phys - unit->address, &value);
	return value & mask;
}

static int mmio_read(struct platform *p, const struct mmio_window *window, uint64_t offset,
		     unsigned bytes, uint64_t *value)
{
	take_time(sim_of(p));
	*value = load(sim_of(p), window->phys + offset, bytes);
	return 0;
}

static int mmio_write(struct platform *p, const struct mmio_window *window, uint64_t offset,
		      unsigned bytes, uint64_t value)
{
	struct sim *sim = sim_of(p);
	const uint64_t phys = window->phys + offset;
	struct sim_unit *unit = sim_find_unit(sim, ACCESS_MMIO, phys);

	take_time(sim);
	if (unit)
		sim_unit_write(sim, unit, phys - unit->address,
			       bytes == 8 ? value : (uint32_t)value);
	return 0;
}

static uint64_t now(struct platform *p)
{
	return sim_now(sim_of(p));
}

static uint64_t wall(struct platform *p)
{
	struct sim *sim = sim_of(p);

	return sim->suspended +
	       (sim->spec.virtual_clock ? VIRTUAL_EPOCH_NS + sim->virtual_now : clock_utc());
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

static void explain(struct platform *p, const struct reg *reg, bool write, int code,
		    struct reason *out)
{
	(void)p;
	(void)reg;
	(void)write;
	out->status = code == -EPERM || code == -EACCES || code == -ENOENT ? EXIT_PERMISSION
									   : EXIT_FAILED;
	snprintf(out->text, sizeof(out->text), "%s (simulated)", strerror(-code));
	out->command[0] = '\0';
}

static const struct platform_ops sim_ops = {
	.destroy = destroy,
	.topology = topology,
	.cpuid = cpuid,
	.msr_read = msr_read,
	.msr_write = msr_write,
	.pci_list = pci_list,
	.pci_read = pci_read,
	.pci_write = pci_write,
	.cxl_devices = cxl_devices,
	.mmio_map = mmio_map,
	.mmio_unmap = mmio_unmap,
	.mmio_read = mmio_read,
	.mmio_write = mmio_write,
	.now = now,
	.wall = wall,
	.suspended = suspended,
	.sleep_until = sleep_until,
	.explain = explain,
};

static int build(struct sim *sim, struct error *err)
{
	return sim_build(sim) ? error_no_memory(err) : 0;
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
		rc = *sim->spec.file ? sim_rebuild(sim, err) : build(sim, err);
	sim->base.virtual_clock = sim->spec.virtual_clock;
	if (rc) {
		destroy(&sim->base);
		return rc;
	}
	*out = &sim->base;
	return 0;
}

void sim_set_access_time(struct sim *sim, uint64_t ns)
{
	sim->access_time = ns;
}

static struct sim_unit *find_by_id(struct sim *sim, unsigned socket, unsigned type, unsigned id)
{
	for (size_t i = 0; i < sim->unit_count; i++) {
		struct sim_unit *unit = &sim->units[i];

		if (unit->place.socket == socket && unit->place.box == type && unit->id == id)
			return unit;
	}
	return NULL;
}

int sim_set_unit_dead(struct sim *sim, unsigned socket, unsigned type, unsigned id, bool dead)
{
	struct sim_unit *unit = find_by_id(sim, socket, type, id);

	if (!unit)
		return -ENOENT;
	unit->dead = dead;
	return 0;
}

int sim_set_counter(struct sim *sim, unsigned socket, unsigned type, unsigned id, unsigned counter,
		    uint64_t value)
{
	struct sim_unit *unit = find_by_id(sim, socket, type, id);

	if (!unit || counter >= unit->counters)
		return -ENOENT;
	return sim_unit_write(sim, unit, unit->counter_offset + unit->counter_step * counter, value)
		       ? 0
		       : -ENOENT;
}

void sim_set_msr_fault(struct sim *sim, uint32_t msr, int code)
{
	sim->faulty_msr = msr;
	sim->msr_fault = code;
}

void sim_set_writes_refused(struct sim *sim, bool refused)
{
	sim->writes_refused = refused;
}

void sim_set_cpu_online(struct sim *sim, unsigned cpu, bool online)
{
	if (cpu < sim->core_count)
		sim->cores[cpu].online = online;
}

bool sim_cpu_online(const struct sim *sim, unsigned cpu)
{
	return cpu < sim->core_count && sim->cores[cpu].online;
}

/* What firmware leaves of an uncore that was without power: everything is 0, and nothing counts. */
void sim_suspend(struct sim *sim, uint64_t ns)
{
	const uint64_t at = sim_now(sim);

	sim->suspended += ns;
	for (unsigned s = 0; s < sim->socket_count; s++)
		sim_socket_freeze(sim, s, 0);
	for (size_t u = 0; u < sim->unit_count; u++) {
		struct sim_unit *unit = &sim->units[u];

		unit->control = 0;
		memset(unit->controls, 0, sizeof(unit->controls));
		for (unsigned i = 0; i < SIM_MAX_COUNTERS; i++)
			unit->counter[i] = (struct sim_counter){.since = at};
	}
	for (size_t c = 0; c < sim->core_count; c++) {
		struct sim_core *core = &sim->cores[c];

		*core = (struct sim_core){
			.socket = core->socket,
			.node = core->node,
			.online = core->online,
			.misc_enable = core->misc_enable,
		};
		for (unsigned x = 0; x < SIM_GENERAL_COUNTERS; x++)
			core->general[x].since = at;
		for (unsigned n = 0; n < SIM_FIXED_COUNTERS; n++)
			core->fixed[n].since = at;
	}
}

void sim_set_hypervisor(struct sim *sim, const char *name)
{
	snprintf(sim->hypervisor, sizeof(sim->hypervisor), "%s", name);
}

void sim_set_msr_absent(struct sim *sim, bool absent)
{
	sim->msr_absent = absent;
}

void sim_set_memory_closed(struct sim *sim, uint64_t phys, uint64_t length)
{
	sim->closed_phys = phys;
	sim->closed_length = length;
}

static void visit_unit(const struct sim_unit *unit, sim_visitor *visit, void *context)
{
	const uint8_t bytes = unit->control_step < 8 ? 4 : 8;
	struct reg reg = {
		.space = unit->access == ACCESS_MMIO ? REG_MMIO : REG_PCI,
		.bytes = bytes,
		.pci = unit->pci,
		.address = unit->address,
	};

	visit(context, &reg, true);
	for (unsigned i = 0; i < unit->counters; i++) {
		reg.bytes = bytes;
		reg.address = unit->address + unit->control_offset + unit->control_step * i;
		visit(context, &reg, false);
		reg.bytes = 8;
		reg.address = unit->address + unit->counter_offset + unit->counter_step * i;
		visit(context, &reg, false);
	}
}

void sim_each_register(struct sim *sim, sim_visitor *visit, void *context)
{
	for (size_t i = 0; i < sim->unit_count; i++)
		if (sim->units[i].access >= ACCESS_MMIO)
			visit_unit(&sim->units[i], visit, context);
}

size_t sim_memory_count(const struct sim *sim)
{
	return sim->region_count;
}

struct sim_memory sim_memory(const struct sim *sim, size_t index)
{
	const struct sim_region *region = &sim->regions[index];

	return (struct sim_memory){
		.phys = region->phys, .length = region->length, .content = region->words};
}

const uint8_t *sim_config_space(const struct sim *sim, size_t index)
{
	return sim->functions[index].config;
}

const struct sim_spec *sim_spec(const struct sim *sim)
{
	return &sim->spec;
}

/* FNV-1a */
static void mix(uint64_t *hash, uint64_t value)
{
	for (unsigned i = 0; i < 8; i++)
		*hash = (*hash ^ (value >> (8 * i) & 0xff)) * UINT64_C(0x100000001b3);
}

uint64_t sim_state_hash(struct sim *sim)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (unsigned s = 0; s < sim->socket_count; s++)
		mix(&hash, sim->sockets[s].global_control);
	for (size_t u = 0; u < sim->unit_count; u++) {
		const struct sim_unit *unit = &sim->units[u];

		mix(&hash, unit->control);
		for (unsigned i = 0; i < unit->counters; i++) {
			mix(&hash, unit->controls[i]);
			mix(&hash, unit->counter[i].base);
		}
	}
	for (size_t c = 0; c < sim->core_count; c++) {
		const struct sim_core *core = &sim->cores[c];

		mix(&hash, core->global_ctrl);
		mix(&hash, core->global_status);
		mix(&hash, core->fixed_ctr_ctrl);
		for (unsigned x = 0; x < SIM_GENERAL_COUNTERS; x++) {
			mix(&hash, core->perfevtsel[x]);
			mix(&hash, core->general[x].base);
		}
		for (unsigned n = 0; n < SIM_FIXED_COUNTERS; n++)
			mix(&hash, core->fixed[n].base);
	}
	return hash;
}
