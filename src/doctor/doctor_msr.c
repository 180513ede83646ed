/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of the access to MSRs. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "doctor/doctor_checks.h"
#include "msr/core_pmu.h"
#include "platform/lockdown.h"
#include "platform/rootfs.h"

#define ALLOW_WRITES "sys/module/msr/parameters/allow_writes"

static unsigned first_cpu(const struct doctor *d)
{
	const struct topology *topology = &d->probe.machine.topology;

	return topology->count ? topology->cpus[0].cpu : 0;
}

/* Fails with the reason that an MSR access would fail with, without trying it. */
static void fail_access(struct doctor *d, bool write, int code, struct finding *out)
{
	const struct reg reg = {.space = REG_MSR,
				.bytes = 8,
				.cpu = first_cpu(d),
				.address = IA32_TIME_STAMP_COUNTER};
	struct reason reason = {.status = EXIT_PERMISSION};
	struct error why;

	d->probe.platform->ops->explain(d->probe.platform, &reg, write, code, &reason);
	error_set(&why, reason.status, code, "%s", reason.text);
	error_hint(&why, reason.command);
	doctor_fail(out, &why);
}

/* What is not needed where CXL devices are all that counts; a run of -m core says what it lacks. */
static bool skip_msrs(const struct doctor *d, bool blocks, struct finding *out)
{
	if (!doctor_only_cpmus(d))
		return false;
	doctor_skip(out, blocks, "not needed: CXL devices have their counters in memory");
	return true;
}

void check_msr_module(struct doctor *d, struct finding *out)
{
	char device[64];

	if (skip_msrs(d, false, out))
		return;
	snprintf(device, sizeof(device), "dev/cpu/%u/msr", first_cpu(d));
	if (rootfs_exists(d->root, "sys/module/msr"))
		doctor_pass(out, "loaded");
	else if (rootfs_exists(d->root, device))
		doctor_pass(out, "/%s exists", device);
	else
		fail_access(d, false, -ENOENT, out);
}

/* Every processor has a time stamp counter, and reading it changes nothing. */
void check_msr_device(struct doctor *d, struct finding *out)
{
	const struct topology *topology = &d->probe.machine.topology;
	struct error why;
	uint64_t value;

	if (skip_msrs(d, true, out))
		return;
	for (size_t i = 0; i < topology->count; i++) {
		const struct reg reg = {.space = REG_MSR,
					.bytes = 8,
					.cpu = topology->cpus[i].cpu,
					.address = IA32_TIME_STAMP_COUNTER};

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

void check_lockdown(struct doctor *d, struct finding *out)
{
	char state[LOCKDOWN_STATE_SIZE];

	if (lockdown_in_force(d->root, state))
		fail_access(d, true, -EPERM, out);
	else if (rootfs_exists(d->root, "sys/kernel/security/lockdown"))
		doctor_pass(out, "the kernel is not locked down");
	else
		doctor_pass(out, "the kernel has no lockdown, or does not show it here");
}

void check_allow_writes(struct doctor *d, struct finding *out)
{
	char value[32];
	const int rc = rootfs_line(d->root, ALLOW_WRITES, value, sizeof(value));

	if (skip_msrs(d, false, out))
		return;
	if (rc == -ENOENT)
		doctor_pass(out, "this kernel has no such parameter");
	else if (rc)
		doctor_skip(out, false, "cannot be read: %s", strerror(-rc));
	else if (!strcmp(value, "off"))
		fail_access(d, true, -EPERM, out);
	else
		doctor_pass(out, "%s%s", value,
			    strcmp(value, "default") ? ""
						     : ": the kernel logs MSR writes by cxlmon");
}

/* Lockdown and allow_writes have their own checks. */
static void fail_refused(struct doctor *d, int code, struct finding *out)
{
	struct error why;

	error_set(&why, EXIT_PERMISSION, code, "cpu %u: the kernel refuses to write MSRs (%s)%s",
		  first_cpu(d), strerror(-code),
		  d->sim ? ", as under lockdown (simulated)"
			 : ", and neither lockdown nor allow_writes is the reason; a container or "
			   "a security module (LSM) may be");
	if (!d->sim)
		error_hint(&why, "sudo dmesg | grep -iE 'msr|lockdown|denied'");
	doctor_fail(out, &why);
}

void check_msr_writes(struct doctor *d, struct finding *out)
{
	struct platform *p = d->probe.platform;
	const int rc = p->ops->msr_may_write ? p->ops->msr_may_write(p, first_cpu(d)) : -ENOTSUP;

	if (rc == -ENOTSUP)
		doctor_skip(out, false, "untested: only writing an MSR would tell");
	else if (rc == -EPERM || rc == -EACCES)
		fail_refused(d, rc, out);
	else if (rc)
		fail_access(d, true, rc, out);
	else
		doctor_pass(out, "the kernel permits them");
}

void check_cpuid_device(struct doctor *d, struct finding *out)
{
	char device[64];

	if (skip_msrs(d, false, out))
		return;
	snprintf(device, sizeof(device), "dev/cpu/%u/cpuid", first_cpu(d));
	if (rootfs_exists(d->root, device))
		doctor_pass(out, "/%s exists", device);
	else
		doctor_warn(out, "sudo modprobe cpuid",
			    "/%s does not exist; CPUID is read on the CPU that cxlmon runs on",
			    device);
}
