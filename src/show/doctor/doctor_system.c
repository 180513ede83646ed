/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of the processor and the kernel. */
#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/rootfs.h"
#include "linux/kernel/limits.h"
#include "linux/rights/rights.h"
#include "linux/run/container.h"
#include "linux/run/process.h"
#include "linux/system/topology.h"
#include "msr/core_pmu.h"
#include "platform/cpus.h"
#include "platform/guard.h"
#include "platform/reg.h"
#include "show/doctor/doctor.h"
#include "uncore/models/models.h"

static unsigned first_cpu(const struct doctor *d)
{
	const struct topology *topology = &d->probe.machine.topology;

	return topology->count ? topology->cpus[0].cpu : 0;
}

static void check_processor(struct doctor *d, struct check_result *out)
{
	const struct machine *machine = &d->probe.machine;
	struct error why = d->probe.machine_error;

	if (machine->model && machine->model->pmu_types->name && !machine->model->events) {
		doctor_warn(
			out, "",
			"%s (%s family %u model %u stepping %u): no event list is published for "
			"it, so only raw events (-e), its cores (-m core) and, if firmware "
			"has the tables, regions (-m region) can be measured",
			machine->model->name, machine->cpu.vendor, machine->cpu.family,
			machine->cpu.model, machine->cpu.stepping);
		return;
	}
	if (doctor_kernel_alone(d)) {
		doctor_pass(out, "%s (%s)", machine->model->name, machine->cpu.name);
		return;
	}
	/* Intel's other processors have an entry without units */
	if (machine->model && machine->model->pmu_types->name) {
		doctor_pass(out, "%s (%s family %u model %u stepping %u)", machine->model->name,
			    machine->cpu.vendor, machine->cpu.family, machine->cpu.model,
			    machine->cpu.stepping);
		return;
	}
	if (doctor_only_cpmus(d)) {
		doctor_warn(out, "cxlmon info",
			    "%s; only what CXL devices count themselves can be measured",
			    d->probe.machine_error.text);
		return;
	}
	/* it is unknown if CXL devices have counters */
	if (machine->cpmu_error.kind == ERROR_PERMISSION)
		why = machine->cpmu_error;
	else if (!*why.command)
		error_hint(&why, machine->model ? "cxlmon -m core" : "cxlmon --sim=spr");
	doctor_fail(out, &why);
}

const struct check doctor_processor = {
	.name = "processor",
	.purpose = "cxlmon must know its units, events and formulas",
	.run = check_processor,
	.decides = true,
};

static void check_virtual_machine(struct doctor *d, struct check_result *out)
{
	char name[CPUID_HYPERVISOR_SIZE];
	struct error why;

	if ((doctor_only_cpmus(d) || doctor_kernel_alone(d)) && !*d->probe.machine.cpu.vendor) {
		doctor_skip(out, "unknown: this processor has no CPUID");
		return;
	}
	if (cpuid_hypervisor(d->probe.platform, first_cpu(d), name, &why)) {
		doctor_block(out, "needs processor");
		return;
	}
	if (!*name && !d->probe.machine.cpu.hypervisor)
		doctor_pass(out, "no hypervisor");
	else
		doctor_warn(
			out, "",
			"this is a virtual machine (hypervisor %s): it has no uncore units unless "
			"the host passes them through; run cxlmon on the host",
			*name ? name : "unnamed");
}

const struct check doctor_virtual_machine = {
	.name = "virtual-machine",
	.purpose = "most hypervisors hide the uncore from guests",
	.run = check_virtual_machine,
};

static void check_container(struct doctor *d, struct check_result *out)
{
	char name[CONTAINER_NAME_SIZE];

	if (!linux_container(d->root, name))
		doctor_pass(out, "not in a container");
	else
		doctor_warn(
			out, "docker run --privileged --user 0 -v /run/cxlmon:/run/cxlmon IMAGE",
			"this is a container (%s): /dev/cpu, /dev/mem and the capabilities that "
			"they need must be given to it when it is started",
			name);
}

const struct check doctor_container = {
	.name = "container",
	.purpose = "a container has only the devices it was given",
	.run = check_container,
	.host_only = true,
};

static void check_rights(struct doctor *d, struct check_result *out)
{
	const bool raw = linux_capable(CAP_SYS_RAWIO), admin = linux_capable(CAP_SYS_ADMIN);

	(void)d;
	if (raw && admin)
		doctor_pass(out, "CAP_SYS_RAWIO and CAP_SYS_ADMIN");
	else
		doctor_warn(out, ERROR_COMMAND_AS_ROOT,
			    "%s%s%s missing: /dev/cpu and /dev/mem need CAP_SYS_RAWIO, PCI "
			    "configuration space beyond 64 bytes needs CAP_SYS_ADMIN",
			    raw ? "" : "CAP_SYS_RAWIO", raw || admin ? "" : " and ",
			    admin ? " is"
			    : raw ? "CAP_SYS_ADMIN is"
				  : "CAP_SYS_ADMIN are");
}

const struct check doctor_rights = {
	.name = "rights",
	.purpose = "the kernel requires CAP_SYS_RAWIO and CAP_SYS_ADMIN",
	.run = check_rights,
	.of_registers = true,
	.host_only = true,
};

/* Checks the support for rights_drop(), rights_restrict_files() and rights_filter(). */
static void check_sandbox(struct doctor *d, struct check_result *out)
{
	const bool user = geteuid() || (linux_capable(CAP_SETUID) && linux_capable(CAP_SETGID));
	const bool filter = rights_can_filter();
	const int landlock = rights_landlock_version();

	(void)d;
	if (user && filter && landlock)
		doctor_pass(out, "unprivileged user, seccomp, Landlock version %d", landlock);
	else
		doctor_warn(out, "",
			    "a compromised run could do more here than elsewhere: there is%s%s%s",
			    user ? ""
				 : " no capability to change the user (CAP_SETUID, CAP_SETGID);",
			    filter ? "" : " no seccomp;", landlock ? "" : " no Landlock;");
}

const struct check doctor_sandbox = {
	.name = "sandbox",
	.purpose = "a run gives up all privileges that it does not need",
	.run = check_sandbox,
	.host_only = true,
};

static void check_cpus(struct doctor *d, struct check_result *out)
{
	const struct topology *topology = &d->probe.machine.topology;
	const size_t sockets = probe_sockets(&d->probe);
	const int offline = linux_offline_cpu(d->root);
	const struct reg reg = {.space = REG_MSR, .bytes = 8, .cpu = (unsigned)offline};
	struct error reason;

	if (!topology->count) {
		doctor_fail(out, &d->probe.machine_error);
	} else if (offline >= 0) {
		/* the platform knows the command that brings the CPU online */
		d->probe.platform->ops->registers->explain(d->probe.platform, &reg, false, -ENXIO,
							   &reason);
		doctor_warn(out, reason.command, "not all CPUs have core metrics: %s", reason.text);
	} else {
		doctor_pass(out, "%zu in %zu socket%s, all online", topology->count, sockets,
			    sockets == 1 ? "" : "s");
	}
}

const struct check doctor_cpus = {
	.name = "cpus",
	.purpose = "MSRs are accessed only on online CPUs",
	.run = check_cpus,
	.host_only = true,
};

static void check_watchdog(struct doctor *d, struct check_result *out)
{
	if (!platform_has_watchdog(d->probe.platform))
		doctor_pass(out, "off");
	else if (!model_has_core(d->probe.machine.model))
		doctor_pass(out, "on: cxlmon does not count on CPUs of this processor");
	else if (d->probe.machine.model && d->probe.machine.model->units_by_cpuid)
		doctor_pass(out,
			    "on: it uses the first counter of every CPU, which cxlmon uses last");
	else
		doctor_warn(
			out, WATCHDOG_COMMAND_OFF,
			"on: it uses one counter of every CPU, usually that of cycles; -m core needs --share or --force");
}

const struct check doctor_watchdog = {
	.name = "nmi-watchdog",
	.purpose = "it uses one counter of every CPU",
	.run = check_watchdog,
	.of_registers = true,
	.host_only = true,
};

/* Checks of the access to MSRs. */

#define ALLOW_WRITES "sys/module/msr/parameters/allow_writes"

/* Fails with the reason that an MSR access would fail with, without trying it. */
static void fail_access(struct doctor *d, bool write, int code, struct check_result *out)
{
	const struct reg reg = reg_msr(first_cpu(d), IA32_TIME_STAMP_COUNTER);
	struct error why;

	d->probe.platform->ops->registers->explain(d->probe.platform, &reg, write, code, &why);
	doctor_fail(out, &why);
}

/* Tells if CPUs have counters that only MSRs reach. */
static bool has_core_counters(const struct doctor *d)
{
	return (d->probe.pmu.general || d->probe.pmu.fixed) &&
	       !rootfs_exists(d->root, "sys/bus/event_source/devices/cpu");
}

/*
 * Skips a check of MSRs that nothing needs: only CXL devices count here (a run of -m core reports
 * failures), or all counters are hidden, as in most virtual machines.
 */
static bool skip_msrs(const struct doctor *d, bool blocks, struct check_result *out)
{
	const char *why = doctor_only_cpmus(d)
				  ? "not needed: CXL devices have their counters in memory"
			  : d->probe.machine_error.kind == ERROR_NO_UNIT && !has_core_counters(d)
				  ? "would not help: no counter here is reached through it"
				  : NULL;

	if (why)
		doctor_set(out, blocks ? VERDICT_BLOCKED : VERDICT_SKIP, "", "%s", why);
	return why;
}

static void check_msr_module(struct doctor *d, struct check_result *out)
{
	const unsigned cpu = first_cpu(d);

	if (skip_msrs(d, false, out))
		return;
	if (rootfs_exists(d->root, "sys/module/msr"))
		doctor_pass(out, "loaded");
	else if (rootfs_exists(d->root, "dev/cpu/%u/msr", cpu))
		doctor_pass(out, "/dev/cpu/%u/msr exists", cpu);
	else
		fail_access(d, false, -ENOENT, out);
}

const struct check doctor_msr_module = {
	.name = "msr-module",
	.purpose = "it creates /dev/cpu/N/msr",
	.run = check_msr_module,
	.of_registers = true,
	.host_only = true,
};

/*
 * Checks the device by the time stamp counter: every processor has one, and reading it changes
 * nothing.
 */
static void check_msr_device(struct doctor *d, struct check_result *out)
{
	const struct topology *topology = &d->probe.machine.topology;
	struct error why;
	uint64_t value;

	if (skip_msrs(d, true, out))
		return;
	for (size_t i = 0; i < topology->count; i++) {
		const struct reg reg = reg_msr(topology->cpus[i].cpu, IA32_TIME_STAMP_COUNTER);

		if (reg_read(d->probe.platform, &reg, &value, &why)) {
			doctor_fail(out, &why);
			return;
		}
	}
	d->msr_readable = topology->count != 0;
	if (d->msr_readable)
		doctor_pass(out, "MSRs of %zu CPU%s can be read", topology->count,
			    topology->count == 1 ? "" : "s");
	else
		doctor_fail(out, &d->probe.machine_error);
}

const struct check doctor_msr_device = {
	.name = "msr-device",
	.purpose = "latency, core metrics, and everything on AMD are read through it",
	.run = check_msr_device,
	.of_registers = true,
	.needs = {&doctor_msr_module},
};

static void check_lockdown(struct doctor *d, struct check_result *out)
{
	char state[LOCKDOWN_STATE_SIZE];

	if (lockdown_in_force(d->root, state))
		fail_access(d, true, -EPERM, out);
	else if (rootfs_exists(d->root, "sys/kernel/security/lockdown"))
		doctor_pass(out, "the kernel is not locked down");
	else
		doctor_pass(out, "the kernel has no lockdown, or does not show it here");
}

const struct check doctor_lockdown = {
	.name = "lockdown",
	.purpose = "kernel lockdown forbids MSR writes",
	.run = check_lockdown,
	.of_registers = true,
	.host_only = true,
};

static void check_allow_writes(struct doctor *d, struct check_result *out)
{
	char value[32];
	const int rc = rootfs_line(value, sizeof(value), d->root, ALLOW_WRITES);

	if (skip_msrs(d, false, out))
		return;
	if (rc == -ENOENT)
		doctor_pass(out, "this kernel has no such parameter");
	else if (rc)
		doctor_skip(out, "cannot be read: %s", strerror(-rc));
	else if (!strcmp(value, "off"))
		fail_access(d, true, -EPERM, out);
	else
		doctor_pass(out, "%s%s", value,
			    strcmp(value, "default") ? ""
						     : ": the kernel logs MSR writes by cxlmon");
}

const struct check doctor_allow_writes = {
	.name = "allow-writes",
	.purpose = "a parameter of the msr module",
	.run = check_allow_writes,
	.of_registers = true,
	.host_only = true,
	.needs = {&doctor_lockdown},
};

static void check_msr_writes(struct doctor *d, struct check_result *out)
{
	struct platform *p = d->probe.platform;
	const int rc = p->ops->registers->msr_may_write
			       ? p->ops->registers->msr_may_write(p, first_cpu(d))
			       : -ENOTSUP;

	struct error why;

	if (rc == -ENOTSUP) {
		doctor_skip(out, "untested: only writing an MSR would tell");
	} else if (rc == -EPERM || rc == -EACCES) {
		/* lockdown and allow_writes have checks of their own */
		error_set(
			&why, ERROR_PERMISSION, rc,
			"cpu %u: the kernel refuses to write MSRs (%s)%s", first_cpu(d),
			strerror(-rc),
			d->sim ? ", as under lockdown (simulated)"
			       : ", and neither lockdown nor allow_writes is the reason; a container "
				 "or a security module (LSM) may be");
		if (!d->sim)
			error_hint(&why, "sudo dmesg | grep -iE 'msr|lockdown|denied'");
		doctor_fail(out, &why);
	} else if (rc) {
		fail_access(d, true, rc, out);
	} else {
		doctor_pass(out, "the kernel permits them");
	}
}

const struct check doctor_msr_writes = {
	.name = "msr-writes",
	.purpose = "events are selected by writing registers",
	.run = check_msr_writes,
	.of_registers = true,
	.needs = {&doctor_msr_device, &doctor_allow_writes},
};

static void check_cpuid_device(struct doctor *d, struct check_result *out)
{
	const unsigned cpu = first_cpu(d);

	if (skip_msrs(d, false, out))
		return;
	if (rootfs_exists(d->root, "dev/cpu/%u/cpuid", cpu))
		doctor_pass(out, "/dev/cpu/%u/cpuid exists", cpu);
	else
		doctor_warn(out, "sudo modprobe cpuid",
			    "/dev/cpu/%u/cpuid does not exist; CPUID is read on the CPU that "
			    "cxlmon runs on",
			    cpu);
}

const struct check doctor_cpuid_device = {
	.name = "cpuid-device",
	.purpose = "CPUID is read on each CPU through it",
	.run = check_cpuid_device,
	.of_registers = true,
	.host_only = true,
};
