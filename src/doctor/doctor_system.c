/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of the processor and the kernel. */
#include <errno.h>
#include <linux/capability.h>
#include <unistd.h>

#include "doctor/doctor_checks.h"
#include "linux/linux.h"
#include "linux/process.h"
#include "linux/rights.h"

void check_processor(struct doctor *d, struct finding *out)
{
	const struct machine *machine = &d->probe.machine;
	struct error why = d->probe.machine_error;

	if (machine->model && machine->model->pmu_types->name && !machine->model->events) {
		doctor_warn(
			out, "",
			"%s (%s family %u model %u stepping %u): no event list is published for "
			"it, so only raw events (-e) and cores (-m core) can be measured",
			machine->model->name, machine->cpu.vendor, machine->cpu.family,
			machine->cpu.model, machine->cpu.stepping);
		return;
	}
	/* other processors of Intel have an entry without units */
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
	/* whether it has counters can't be seen */
	if (machine->cpmu_error.status == EXIT_PERMISSION)
		why = machine->cpmu_error;
	else if (!*why.command)
		error_hint(&why, machine->model ? "cxlmon -m core" : "cxlmon --sim=spr");
	doctor_fail(out, &why);
}

void check_virtual_machine(struct doctor *d, struct finding *out)
{
	const struct topology *topology = &d->probe.machine.topology;
	const unsigned cpu = topology->count ? topology->cpus[0].cpu : 0;
	char name[CPUID_HYPERVISOR_SIZE];
	struct error why;

	if (doctor_only_cpmus(d) && !*d->probe.machine.cpu.vendor) {
		doctor_skip(out, false, "not known: this processor has no CPUID");
		return;
	}
	if (cpuid_hypervisor(d->probe.platform, cpu, name, &why)) {
		doctor_skip(out, true, "needs processor");
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

void check_container(struct doctor *d, struct finding *out)
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

void check_rights(struct doctor *d, struct finding *out)
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

/* What rights_drop(), rights_restrict_files() and rights_filter() will do. */
void check_sandbox(struct doctor *d, struct finding *out)
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

/* The platform has the command that brings a CPU online. */
static void warn_offline(struct doctor *d, unsigned cpu, struct finding *out)
{
	const struct reg reg = {.space = REG_MSR, .bytes = 8, .cpu = cpu};
	struct reason reason;

	d->probe.platform->ops->explain(d->probe.platform, &reg, false, -ENXIO, &reason);
	doctor_warn(out, reason.command, "not all CPUs have core metrics: %s", reason.text);
}

void check_cpus(struct doctor *d, struct finding *out)
{
	const struct topology *topology = &d->probe.machine.topology;
	const int offline = linux_offline_cpu(d->root);

	if (!topology->count)
		doctor_fail(out, &d->probe.machine_error);
	else if (offline >= 0)
		warn_offline(d, (unsigned)offline, out);
	else
		doctor_pass(out, "%zu in %zu socket%s, all online", topology->count,
			    probe_sockets(&d->probe), probe_sockets(&d->probe) == 1 ? "" : "s");
}

void check_watchdog(struct doctor *d, struct finding *out)
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
