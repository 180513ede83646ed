/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sim/fake_platform.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPUS 4

static struct fake_platform *fake_of(struct platform *p)
{
	return (struct fake_platform *)p;
}

static struct platform *inner_of(struct platform *p)
{
	return fake_of(p)->inner;
}

static void destroy_inner(struct platform *p)
{
	if (inner_of(p))
		platform_destroy(inner_of(p));
}

static uint64_t clock_now(struct platform *p)
{
	return inner_of(p) ? inner_of(p)->ops->clock->now(inner_of(p)) : fake_of(p)->now;
}

static uint64_t wall_clock(struct platform *p)
{
	return inner_of(p) ? inner_of(p)->ops->clock->wall(inner_of(p)) : fake_of(p)->now;
}

static uint64_t suspended_for(struct platform *p)
{
	return inner_of(p) ? inner_of(p)->ops->clock->suspended(inner_of(p)) : 0;
}

static int sleep_until(struct platform *p, uint64_t deadline, const sigset_t *wake,
		       int *signal_number)
{
	if (inner_of(p))
		return inner_of(p)->ops->clock->sleep_until(inner_of(p), deadline, wake,
							    signal_number);
	fake_of(p)->now = deadline;
	return 0;
}

static int read_topology(struct platform *p, struct topology *out, struct error *err)
{
	if (inner_of(p))
		return inner_of(p)->ops->cpus->topology(inner_of(p), out, err);
	out->cpus = calloc(CPUS, sizeof(*out->cpus));
	out->count = out->cpus ? CPUS : 0;
	for (unsigned i = 0; i < out->count; i++)
		out->cpus[i] = (struct cpu_location){i, (int)i / 2, (int)i / 2};
	return out->cpus ? 0 : error_set(err, ERROR_FAILED, -ENOMEM, "no memory");
}

void fake_cpuid(const char vendor[13], uint32_t signature, uint32_t leaf, uint32_t regs[4])
{
	memset(regs, 0, 4 * sizeof(regs[0]));
	if (leaf == 1)
		regs[0] = signature;
	if (leaf)
		return;
	memcpy(&regs[1], vendor, 4);
	memcpy(&regs[3], vendor + 4, 4);
	memcpy(&regs[2], vendor + 8, 4);
}

static int read_cpuid(struct platform *p, unsigned cpu, uint32_t leaf, uint32_t subleaf,
		      uint32_t regs[4], struct error *err)
{
	if (inner_of(p))
		return inner_of(p)->ops->cpus->cpuid(inner_of(p), cpu, leaf, subleaf, regs, err);
	return error_set(err, ERROR_NO_UNIT, -EOPNOTSUPP, "no CPUID (fake)");
}

static void processor_name(struct platform *p, char name[PROCESSOR_NAME_SIZE])
{
	*name = '\0';
	if (inner_of(p))
		inner_of(p)->ops->cpus->processor_name(inner_of(p), name);
}

static int read_register(struct platform *p, const struct reg *reg, uint64_t *value)
{
	return inner_of(p) ? inner_of(p)->ops->registers->read(inner_of(p), reg, value) : -ENOENT;
}

static int write_register(struct platform *p, const struct reg *reg, uint64_t value)
{
	return inner_of(p) ? inner_of(p)->ops->registers->write(inner_of(p), reg, value) : -ENOENT;
}

static int map_memory(struct platform *p, uint64_t phys, size_t length, bool writable,
		      struct mmio_window *out, struct error *err)
{
	if (inner_of(p))
		return inner_of(p)->ops->registers->mmio_map(inner_of(p), phys, length, writable,
							     out, err);
	return error_set(err, ERROR_FAILED, -ENXIO, "no memory (fake)");
}

static void unmap_memory(struct platform *p, struct mmio_window *window)
{
	if (inner_of(p))
		inner_of(p)->ops->registers->mmio_unmap(inner_of(p), window);
	else
		*window = (struct mmio_window){0};
}

static void explain_access(struct platform *p, const struct reg *reg, bool write, int code,
			   struct error *out)
{
	if (inner_of(p)) {
		inner_of(p)->ops->registers->explain(inner_of(p), reg, write, code, out);
		return;
	}
	out->kind = code == -EPERM ? ERROR_PERMISSION : ERROR_FAILED;
	snprintf(out->text, sizeof(out->text), "%s (fake)", strerror(-code));
	out->command[0] = '\0';
}

static int list_functions(struct platform *p, struct pci_function **out, size_t *count,
			  struct error *err)
{
	if (inner_of(p))
		return inner_of(p)->ops->pci->list(inner_of(p), out, count, err);
	*out = NULL;
	*count = 0;
	return 0;
}

static int list_devices(struct platform *p, struct cxl_device **out, size_t *count,
			struct error *err)
{
	if (inner_of(p))
		return inner_of(p)->ops->cxl->devices(inner_of(p), out, count, err);
	*out = NULL;
	*count = 0;
	return 0;
}

static const struct clock_ops fake_clock = {
	.now = clock_now,
	.wall = wall_clock,
	.suspended = suspended_for,
	.sleep_until = sleep_until,
};

static const struct cpu_ops fake_cpus = {
	.topology = read_topology,
	.cpuid = read_cpuid,
	.processor_name = processor_name,
};

static const struct register_ops fake_registers = {
	.read = read_register,
	.write = write_register,
	.mmio_map = map_memory,
	.mmio_unmap = unmap_memory,
	.explain = explain_access,
};

static const struct pci_ops fake_pci = {
	.list = list_functions,
};

static const struct cxl_ops fake_cxl = {
	.devices = list_devices,
};

static const struct platform_ops fake_ops = {
	.destroy = destroy_inner,
	.clock = &fake_clock,
	.cpus = &fake_cpus,
	.registers = &fake_registers,
	.pci = &fake_pci,
	.cxl = &fake_cxl,
};

void fake_platform_init(struct fake_platform *fake, struct platform *inner)
{
	*fake = (struct fake_platform){.base.ops = &fake->ops.ops, .inner = inner};
	ops_copy_init(&fake->ops, &fake_ops);
}
