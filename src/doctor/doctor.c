/* SPDX-License-Identifier: BSD-3-Clause */
#include "doctor/doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MSR_DEVICE "msr-device"
#define DISCOVERY  "discovery"

/* What a failure makes the others fail for comes first. */
const struct check doctor_checks[] = {
	{"processor", "its tables of units, events and formulas are known", check_processor},
	{"virtual-machine", "a hypervisor shows no uncore to its guests", check_virtual_machine},
	{"container", "a container sees only the devices that it was given", check_container, true},
	{"rights", "the kernel opens devices only to who may do raw I/O", check_rights, true},
	{"cpus", "MSRs are reached through CPUs that are online", check_cpus, true},
	{"pci-config", "the way to the discovery tables stands beyond its first 64 bytes",
	 check_pci_config},
	{DISCOVERY,
	 "the tables say where the units are",
	 check_discovery,
	 false,
	 {"processor", "pci-config"}},
	{"cxl-ports",
	 "bandwidth, queues and links are counted there",
	 check_ports,
	 false,
	 {DISCOVERY}},
	{"cxl-units",
	 "their registers are in memory, which must be mapped",
	 check_cxl_units,
	 false,
	 {DISCOVERY}},
	{"msr-module", "it makes /dev/cpu/N/msr", check_msr_module, true},
	{MSR_DEVICE,
	 "latency and core metrics are read through it",
	 check_msr_device,
	 false,
	 {"msr-module"}},
	{"lockdown", "a kernel that is locked down lets nobody write MSRs", check_lockdown, true},
	{"allow-writes", "a setting of the msr module", check_allow_writes, true, {"lockdown"}},
	{"cpuid-device", "each CPU is asked for itself", check_cpuid_device, true},
	{"other-runs", "two runs would program the same units", check_runs, true},
	{"units-free",
	 "counters that somebody else uses are not taken",
	 check_units_free,
	 false,
	 {DISCOVERY}},
	{"freeze",
	 "a socket that was left frozen counts nothing",
	 check_freeze,
	 false,
	 {"processor", MSR_DEVICE}},
	{"core-counters",
	 "core metrics need --share or --force where somebody else counts",
	 check_core_counters,
	 false,
	 {MSR_DEVICE}},
	{"nmi-watchdog", "it takes a counter of every CPU", check_watchdog, true},
	{.name = NULL},
};

__attribute__((format(printf, 2, 0))) static void say(struct finding *out, const char *format,
						      va_list args)
{
	vsnprintf(out->error.text, sizeof(out->error.text), format, args);
}

void doctor_pass(struct finding *out, const char *format, ...)
{
	va_list args;

	*out = (struct finding){.verdict = VERDICT_PASS};
	va_start(args, format);
	say(out, format, args);
	va_end(args);
}

void doctor_warn(struct finding *out, const char *command, const char *format, ...)
{
	va_list args;

	*out = (struct finding){.verdict = VERDICT_WARN};
	error_hint(&out->error, command);
	va_start(args, format);
	say(out, format, args);
	va_end(args);
}

void doctor_fail(struct finding *out, const struct error *why)
{
	*out = (struct finding){.verdict = VERDICT_FAIL, .error = *why};
}

void doctor_skip(struct finding *out, bool waits, const char *format, ...)
{
	va_list args;

	*out = (struct finding){.verdict = VERDICT_SKIP, .waits = waits};
	va_start(args, format);
	say(out, format, args);
	va_end(args);
}

static const struct finding *finding_of(const struct finding *findings, const char *name)
{
	for (size_t i = 0; doctor_checks[i].name; i++)
		if (!strcmp(doctor_checks[i].name, name))
			return &findings[i];
	return NULL;
}

/* The first check that this one has to wait for; NULL where there is none. */
static const char *missing(const struct check *check, const struct finding *findings)
{
	for (size_t i = 0; i < DOCTOR_NEEDS && check->needs[i]; i++) {
		const struct finding *needed = finding_of(findings, check->needs[i]);

		if (needed && (needed->verdict == VERDICT_FAIL || needed->waits))
			return check->needs[i];
	}
	return NULL;
}

enum exit_status doctor_run(struct doctor *d, struct finding *findings)
{
	enum exit_status status = EXIT_OK;

	for (size_t i = 0; doctor_checks[i].name; i++) {
		const struct check *check = &doctor_checks[i];
		const char *needed = missing(check, findings);

		if (check->files && d->simulated)
			doctor_skip(&findings[i], false, "simulated");
		else if (needed)
			doctor_skip(&findings[i], true, "waits for %s", needed);
		else
			check->run(d, &findings[i]);
		if (status == EXIT_OK && findings[i].verdict == VERDICT_FAIL)
			status = findings[i].error.status;
	}
	return status;
}
