/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/linux.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/rootfs.h"
#include "base/text.h"
#include "linux/clock.h"
#include "linux/cxl/device_files.h"
#include "linux/memory/node_files.h"
#include "linux/memory/resctrl.h"
#include "linux/perf/perf.h"
#include "msr/cpuid.h"
#include "msr/device.h"
#include "pci/bus.h"
#include "platform/clock.h"
#include "platform/cpus.h"
#include "platform/guard.h"
#include "platform/mbm.h"
#include "platform/pci.h"
#include "platform/reg.h"

static void destroy(struct platform *p)
{
	struct linux_platform *l = linux_of(p);

	for (size_t i = 0; i < l->msr_count; i++)
		if (l->msrs[i].fd >= 0)
			close(l->msrs[i].fd);
	free(l->msrs);
	node_files_close(l->nodes);
	cxl_trace_close(l->trace);
	resctrl_close(l->resctrl);
	pci_bus_close(l->bus);
	if (l->load_fd >= 0)
		close(l->load_fd);
	free(l->root);
	free(l);
}

static int cpuid(struct platform *p, unsigned cpu, uint32_t leaf, uint32_t subleaf,
		 uint32_t regs[4], struct error *err)
{
	int rc = cpuid_read(linux_of(p)->root, cpu, leaf, subleaf, regs);
	struct error reason;

	if (!rc)
		return 0;
	if (rc == -EOPNOTSUPP)
		return error_set(err, EXIT_NO_UNIT, rc, "this processor has no CPUID");
	/* the cpuid driver has the same errors as the msr driver */
	msr_explain(linux_of(p)->root, cpu, false, false, rc, &reason);
	error_set(err, reason.status, rc, "cpu %u cpuid leaf 0x%x: read failed: %s", cpu, leaf,
		  reason.text);
	error_hint(err, reason.command);
	return rc;
}

static void processor_name(struct platform *p, char name[PROCESSOR_NAME_SIZE])
{
	cpuinfo_name(linux_of(p)->root, name);
}

static int grow_msrs(struct linux_platform *l, size_t count)
{
	struct msr_handle *grown = realloc(l->msrs, count * sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	l->msrs = grown;
	for (; l->msr_count < count; l->msr_count++)
		l->msrs[l->msr_count] = (struct msr_handle){.fd = -1};
	return 0;
}

static int get_handle(struct platform *p, unsigned cpu, const struct msr_handle **out)
{
	struct linux_platform *l = linux_of(p);
	int rc = 0;

	if (cpu >= l->msr_count)
		rc = grow_msrs(l, (size_t)cpu + 1);
	if (!rc && l->msrs[cpu].fd < 0)
		rc = msr_open(&l->msrs[cpu], l->root, cpu);
	if (!rc)
		*out = &l->msrs[cpu];
	return rc;
}

static void open_msr(struct platform *p, unsigned cpu)
{
	const struct msr_handle *ignored;

	/* errors are reported by the first access */
	get_handle(p, cpu, &ignored);
}

static int may_write_msr(struct platform *p, unsigned cpu)
{
	const struct msr_handle *handle;
	int rc = get_handle(p, cpu, &handle);
	return rc ? rc : msr_may_write(handle);
}

static int register_files(struct platform *p, struct register_file **out, size_t *count)
{
	const struct linux_platform *l = linux_of(p);

	*out = NULL;
	*count = 0;
	if (array_room(out, 0, l->msr_count + 1, sizeof(**out)))
		return -ENOMEM;
	for (size_t cpu = 0; cpu < l->msr_count; cpu++)
		if (l->msrs[cpu].fd >= 0)
			(*out)[(*count)++] =
				(struct register_file){.fd = l->msrs[cpu].fd, .space = REG_MSR};
	return l->bus ? pci_bus_files(l->bus, out, count) : 0;
}

static int open_bus(struct platform *p, struct error *err)
{
	struct linux_platform *l = linux_of(p);
	return l->bus ? 0 : pci_bus_open(l->root, &l->bus, err);
}

static int pci_list(struct platform *p, struct pci_function **out, size_t *count, struct error *err)
{
	int rc = open_bus(p, err);
	return rc ? rc : pci_bus_list(linux_of(p)->bus, out, count, err);
}

static int mmio_map(struct platform *p, uint64_t phys, size_t length, bool writable,
		    struct mmio_window *out, struct error *err)
{
	int rc = open_bus(p, err);
	return rc ? rc
		  : memory_map(linux_of(p)->root, linux_of(p)->bus, phys, length, writable, out,
			       err);
}

static void mmio_unmap(struct platform *p, struct mmio_window *window)
{
	(void)p;
	memory_unmap(window);
}

static int read_register(struct platform *p, const struct reg *reg, uint64_t *value)
{
	const struct msr_handle *handle;
	uint32_t dword;
	int rc;

	switch (reg->space) {
	case REG_MSR:
		rc = get_handle(p, reg->cpu, &handle);
		return rc ? rc : msr_read(handle->fd, (uint32_t)reg->address, value);
	case REG_MMIO:
		*value = memory_load(reg->window, reg->address - reg->window->phys, reg->bytes);
		return 0;
	case REG_PCI:
		rc = open_bus(p, NULL);
		if (!rc)
			rc = pci_bus_read(linux_of(p)->bus, reg->pci, (unsigned)reg->address,
					  &dword);
		if (!rc)
			*value = dword;
		return rc;
	case REG_MBM:
		return resctrl_get(linux_of(p)->resctrl, reg->cpu, reg->address, value);
	}
	return -EINVAL;
}

static int write_register(struct platform *p, const struct reg *reg, uint64_t value)
{
	const struct msr_handle *handle;
	int rc;

	switch (reg->space) {
	case REG_MSR:
		rc = get_handle(p, reg->cpu, &handle);
		return rc ? rc : msr_write(handle->fd, (uint32_t)reg->address, value);
	case REG_MMIO:
		memory_store(reg->window, reg->address - reg->window->phys, reg->bytes, value);
		return 0;
	case REG_PCI:
		rc = open_bus(p, NULL);
		return rc ? rc
			  : pci_bus_write(linux_of(p)->bus, reg->pci, (unsigned)reg->address,
					  (uint32_t)value);
	case REG_MBM:
		return resctrl_set(linux_of(p)->resctrl, reg->cpu, reg->address, value);
	}
	return -EINVAL;
}

static void prepare(struct platform *p, struct reg_handle *handle)
{
	const struct reg *reg = handle->reg;
	const struct msr_handle *msr;

	if (reg->space == REG_MMIO)
		*(reg->bytes == 8 ? &handle->map64 : &handle->map32) =
			(char *)reg->window->base + (reg->address - reg->window->phys);
	if (reg->space != REG_MSR || get_handle(p, reg->cpu, &msr))
		return;
	handle->fd = msr->fd;
	handle->offset = (uint32_t)reg->address;
}

/* Current position in a read of several registers. */
struct position {
	const struct reg_handle *handle, *end;
	uint64_t *value;
};

/* Reads mapped registers, up to the first that is not mapped. */
static inline struct position load_mapped(struct position at)
{
	for (; at.handle < at.end && at.handle->map64; at.handle++, at.value++)
		*at.value = *(const volatile uint64_t *)at.handle->map64;
	return at;
}

/* Reads registers of files, up to the first that is none or fails (*rc). */
static inline struct position read_files(struct position at, int *rc)
{
	for (*rc = 0; at.handle < at.end && at.handle->fd >= 0; at.handle++, at.value++) {
		*rc = msr_read(at.handle->fd, at.handle->offset, at.value);
		if (*rc)
			break;
	}
	return at;
}

/* Consecutive registers mostly have the same kind of access, so runs of each are read in loops. */
static size_t read_prepared(struct platform *p, const struct reg_handle *handles, size_t count,
			    uint64_t *values, int *failures)
{
	struct position at = {handles, handles + count, values};
	size_t failed = 0;
	int rc;

	while (at.handle < at.end) {
		at = read_files(load_mapped(at), &rc);
		if (at.handle == at.end || (at.handle->map64 && !rc))
			continue;
		if (!rc)
			rc = reg_read(p, at.handle->reg, at.value, NULL);
		if (rc) {
			failures[at.handle - handles] = rc;
			failed++;
		}
		at.handle++;
		at.value++;
	}
	return failed;
}

static int write_prepared(struct platform *p, const struct reg_handle *handle, uint64_t value)
{
	(void)p;
	if (handle->map64)
		*(volatile uint64_t *)handle->map64 = value;
	else if (handle->map32)
		*(volatile uint32_t *)handle->map32 = (uint32_t)value;
	else
		return msr_write(handle->fd, handle->offset, value);
	return 0;
}

/* A CPU outside the initial affinity (taskset, a container) is refused. */
static int set_affinity(struct platform *p, int cpu)
{
	const struct linux_platform *l = linux_of(p);

	if (cpu >= 0 && !affinity_has(&l->cpus, (unsigned)cpu))
		return -ENOENT;
	return (cpu < 0 ? affinity_set(&l->cpus) : affinity_set_cpu((unsigned)cpu)) ? -ENOENT : 0;
}

static uint64_t now(struct platform *p)
{
	(void)p;
	return clock_monotonic();
}

static uint64_t wall(struct platform *p)
{
	(void)p;
	return clock_utc();
}

static uint64_t suspended(struct platform *p)
{
	(void)p;
	return clock_suspended();
}

static int sleep_until(struct platform *p, uint64_t deadline, const sigset_t *wake,
		       int *signal_number)
{
	(void)p;
	return clock_sleep_until(deadline, wake, signal_number);
}

/* Source: the kernel's Documentation/admin-guide/sysctl/kernel.rst */
static bool has_watchdog(struct platform *p)
{
	char line[16];

	rootfs_line(line, sizeof(line), linux_of(p)->root, "proc/sys/kernel/nmi_watchdog");
	return !strcmp(line, "1");
}

static int mbm_open(struct platform *p, const struct mbm **out, struct error *err)
{
	return resctrl_open(linux_of(p)->resctrl, out, err);
}

static int mbm_read(struct platform *p, enum mbm_event event, uint64_t wall_ns, double *bytes,
		    uint64_t *at_ns)
{
	const uint64_t begin = clock_monotonic();
	const int rc = resctrl_read(linux_of(p)->resctrl, event, bytes);

	(void)wall_ns;
	*at_ns = begin + (clock_monotonic() - begin) / 2;
	return rc;
}

static void explain(struct platform *p, const struct reg *reg, bool write, int code,
		    struct error *out)
{
	const struct linux_platform *l = linux_of(p);

	if (reg->space == REG_MSR) {
		msr_explain(l->root, reg->cpu, reg->cpu < l->msr_count && l->msrs[reg->cpu].safe,
			    write, code, out);
		return;
	}
	if (reg->space == REG_MBM) {
		resctrl_explain(l->root, code, out);
		return;
	}
	if (reg->space == REG_PCI && code == -EPERM) {
		error_set(out, EXIT_PERMISSION, code,
			  "without CAP_SYS_ADMIN the kernel allows reads of the first 64 bytes "
			  "only, and no writes; " ERROR_RUN_AS_ROOT);
		error_hint(out, ERROR_COMMAND_AS_ROOT);
		return;
	}
	error_set(out, code == -EPERM || code == -EACCES ? EXIT_PERMISSION : EXIT_FAILED, code,
		  "%s", strerror(-code));
}

static const struct clock_ops linux_clock = {
	.now = now,
	.wall = wall,
	.suspended = suspended,
	.sleep_until = sleep_until,
};

static const struct cpu_ops linux_cpus = {
	.topology = linux_topology,
	.cpuid = cpuid,
	.processor_name = processor_name,
	.set_affinity = set_affinity,
	.has_watchdog = has_watchdog,
};

static const struct register_ops linux_registers = {
	.read = read_register,
	.write = write_register,
	.explain = explain,
	.msr_open = open_msr,
	.msr_may_write = may_write_msr,
	.files = register_files,
	.mmio_map = mmio_map,
	.mmio_unmap = mmio_unmap,
	.prepare = prepare,
	.read_prepared = read_prepared,
	.write_prepared = write_prepared,
};

static const struct pci_ops linux_pci = {
	.list = pci_list,
};

static const struct cxl_ops linux_cxl = {
	.devices = linux_cxl_devices,
	.health = linux_device_health,
	.stats = linux_device_stats,
	.events_open = linux_cxl_events_open,
	.events_next = linux_cxl_events_next,
};

static const struct perf_ops linux_perf = {
	.pmus = linux_perf_pmus,
	.open = linux_perf_open,
	.enable = linux_perf_enable,
	.read = linux_perf_read,
	.close = linux_perf_close,
	.explain = linux_perf_explain,
};

static const struct memory_ops linux_memory = {
	.layout = linux_memory_layout,
	.nodes = linux_nodes,
	.stats = linux_node_stats,
	.map = linux_memory_map,
};

static const struct mbm_ops linux_mbm = {
	.open = mbm_open,
	.read = mbm_read,
};

static const struct sampling_ops linux_samples = {
	.open = linux_sampler_open,
};

static const struct simulation_ops linux_simulation = {
	.inject_load = linux_inject_load,
};

static const struct platform_ops linux_ops = {
	.destroy = destroy,
	.clock = &linux_clock,
	.cpus = &linux_cpus,
	.registers = &linux_registers,
	.pci = &linux_pci,
	.cxl = &linux_cxl,
	.perf = &linux_perf,
	.memory = &linux_memory,
	.mbm = &linux_mbm,
	.samples = &linux_samples,
	.simulation = &linux_simulation,
};

int platform_linux(const char *root, const struct log *log, struct platform **out,
		   struct error *err)
{
	struct stat st;

	if (stat(root, &st) || !S_ISDIR(st.st_mode))
		return error_set(err, EXIT_USAGE, -ENOTDIR,
				 "--root=%s: expected a directory with dev, sys and proc",
				 quoted(root).text);
	struct linux_platform *l = calloc(1, sizeof(*l));

	if (l) {
		l->load_fd = -1;
		l->root = strdup(root);
		l->resctrl = l->root ? resctrl_new(l->root) : NULL;
	}
	if (!l || !l->resctrl) {
		free(l ? l->root : NULL);
		free(l);
		return error_no_memory(err);
	}
	l->cpus = affinity_get();
	l->base = (struct platform){.ops = &linux_ops, .log = *log};
	*out = &l->base;
	return 0;
}
