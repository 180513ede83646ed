/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of the doors to MSRs. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "doctor/doctor.h"
#include "msr/core_pmu.h"
#include "platform/lockdown.h"
#include "platform/rootfs.h"

#define ALLOW_WRITES "sys/module/msr/parameters/allow_writes"

static unsigned some_cpu(const struct doctor *d)
{
	const struct topology *topology = &d->probe.machine.topology;

	return topology->count ? topology->cpus[0].cpu : 0;
}

/* What the platform says of an access to an MSR that fails with code, before anyone has tried. */
static void foresee(struct doctor *d, bool write, int code, struct finding *out)
{
	const struct reg reg = {.space = REG_MSR,
				.bytes = 8,
				.cpu = some_cpu(d),
				.address = IA32_TIME_STAMP_COUNTER};
	struct reason reason = {.status = EXIT_PERMISSION};
	struct error why;

	d->probe.platform->ops->explain(d->probe.platform, &reg, write, code, &reason);
	error_set(&why, reason.status, code, "%s", reason.text);
	error_hint(&why, reason.command);
	doctor_fail(out, &why);
}

void check_msr_module(struct doctor *d, struct finding *out)
{
	char device[64];

	snprintf(device, sizeof(device), "dev/cpu/%u/msr", some_cpu(d));
	if (rootfs_exists(d->root, "sys/module/msr"))
		doctor_pass(out, "loaded");
	else if (rootfs_exists(d->root, device))
		doctor_pass(out, "/%s is there", device);
	else
		foresee(d, false, -ENOENT, out);
}

/* Every processor has a time stamp counter, and reading it changes nothing. */
void check_msr_device(struct doctor *d, struct finding *out)
{
	const struct topology *topology = &d->probe.machine.topology;
	struct error why;
	uint64_t value;

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
	d->msrs = topology->count != 0;
	if (d->msrs)
		doctor_pass(out, "MSRs of %zu CPU%s can be read", topology->count,
			    topology->count == 1 ? "" : "s");
	else
		doctor_fail(out, &d->probe.machine_error);
}

void check_lockdown(struct doctor *d, struct finding *out)
{
	char state[LOCKDOWN_STATE_SIZE];

	if (lockdown_in_force(d->root, state))
		foresee(d, true, -EPERM, out);
	else
		doctor_pass(out, "not in force");
}

void check_allow_writes(struct doctor *d, struct finding *out)
{
	char value[32];

	if (rootfs_line(d->root, ALLOW_WRITES, value, sizeof(value)))
		doctor_pass(out, "there is no such setting");
	else if (!strcmp(value, "off"))
		foresee(d, true, -EPERM, out);
	else
		doctor_pass(out, "%s%s", value,
			    strcmp(value, "default") ? "" : ": the kernel's log will name cxlmon");
}

void check_cpuid_device(struct doctor *d, struct finding *out)
{
	char device[64];

	snprintf(device, sizeof(device), "dev/cpu/%u/cpuid", some_cpu(d));
	if (rootfs_exists(d->root, device))
		doctor_pass(out, "/%s is there", device);
	else
		doctor_warn(out, "sudo modprobe cpuid",
			    "/%s does not exist; the CPU that cxlmon runs on is asked instead",
			    device);
}
