/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/linux.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rootfs.h"
#include "base/text.h"
#include "linux/cxl/cxl.h"
#include "linux/cxl/cxl_mailbox.h"
#include "linux/kernel/clock.h"
#include "linux/kernel/limits.h"
#include "linux/linux_private.h"
#include "linux/memory/nodes.h"
#include "linux/memory/resctrl.h"
#include "linux/perf/perf.h"
#include "linux/registers/msr_device.h"
#include "linux/registers/pci_bus.h"
#include "linux/registers/registers.h"
#include "linux/system/linux_platform.h"
#include "linux/system/topology.h"
#include "msr/cpuid.h"
#include "platform/clock.h"
#include "platform/cpus.h"
#include "platform/mbm.h"
#include "platform/pci.h"

static void destroy_platform(struct platform *p)
{
	struct linux_platform *l = linux_of(p);

	linux_registers_close(l);
	node_files_close(l->nodes);
	cxl_trace_close(l->trace);
	resctrl_close(l->resctrl);
	telemetry_close(l->telemetry);
	linux_users_free(&l->users);
	linux_subuids_free(&l->subuids);
	if (l->load_fd >= 0)
		close(l->load_fd);
	free(l->root);
	free(l);
}

static int linux_cpuid(struct platform *p, unsigned cpu, uint32_t leaf, uint32_t subleaf,
		       uint32_t regs[4], struct error *err)
{
	int rc = cpuid_read(linux_of(p)->root, cpu, leaf, subleaf, regs);
	struct error reason;

	if (!rc)
		return 0;
	if (rc == -EOPNOTSUPP)
		return error_set(err, ERROR_NO_UNIT, rc, "this processor has no CPUID");
	/* the cpuid driver has the same errors as the msr driver */
	msr_explain(linux_of(p)->root, cpu, false, false, rc, &reason);
	error_set(err, reason.kind, rc, "cpu %u cpuid leaf 0x%x: read failed: %s", cpu, leaf,
		  reason.text);
	error_hint(err, reason.command);
	return rc;
}

static void processor_name(struct platform *p, char name[PROCESSOR_NAME_SIZE])
{
	cpuinfo_name(linux_of(p)->root, name);
}

static bool arm_part(struct platform *p, unsigned *implementer, unsigned *part)
{
	return cpuinfo_part(linux_of(p)->root, implementer, part);
}

/* Pins the thread. A CPU outside the initial affinity (taskset, a container) is refused. */
static int set_affinity(struct platform *p, int cpu)
{
	const struct linux_platform *l = linux_of(p);

	if (cpu >= 0 && !affinity_has(&l->cpus, (unsigned)cpu))
		return -ENOENT;
	return (cpu < 0 ? affinity_set(&l->cpus) : affinity_set_cpu((unsigned)cpu)) ? -ENOENT : 0;
}

static int pci_list(struct platform *p, struct pci_function **out, size_t *count, struct error *err)
{
	int rc = linux_open_bus(p, err);
	return rc ? rc : pci_bus_list(linux_of(p)->bus, out, count, err);
}

static uint64_t linux_now(struct platform *p)
{
	(void)p;
	return clock_monotonic();
}

static uint64_t linux_wall(struct platform *p)
{
	(void)p;
	return clock_utc();
}

static uint64_t linux_suspended(struct platform *p)
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

static const struct clock_ops linux_clock = {
	.now = linux_now,
	.wall = linux_wall,
	.suspended = linux_suspended,
	.sleep_until = sleep_until,
};

static const struct cpu_ops linux_cpus = {
	.topology = linux_topology,
	.cpuid = linux_cpuid,
	.processor_name = processor_name,
	.arm_part = arm_part,
	.set_affinity = set_affinity,
	.has_watchdog = has_watchdog,
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
	.threads = linux_perf_threads,
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
	.destroy = destroy_platform,
	.clock = &linux_clock,
	.cpus = &linux_cpus,
	.registers = &linux_registers,
	.pci = &linux_pci,
	.cxl = &linux_cxl,
	.perf = &linux_perf,
	.memory = &linux_memory,
	.mbm = &linux_mbm,
	.rdt = &linux_rdt,
	.task_groups = &linux_task_groups,
	.samples = &linux_samples,
	.processes = &linux_processes,
	.cgroups = &linux_cgroups,
	.simulation = &linux_simulation,
};

int platform_linux(const char *root, const struct log *log, struct platform **out,
		   struct error *err)
{
	struct stat st;

	if (stat(root, &st) || !S_ISDIR(st.st_mode))
		return error_set(err, ERROR_USAGE, -ENOTDIR,
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
