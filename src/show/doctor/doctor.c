/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of checks, and running them. */
#include "show/doctor/doctor.h"

#include <string.h>

#define PROCESSOR   "processor"
#define MSR_DEVICE  "msr-device"
#define DISCOVERY   "discovery"
#define LOCKDOWN    "lockdown"
#define ALLOW	    "allow-writes"
#define WRITES	    "msr-writes"
#define RUNS	    "other-runs"
#define PERF_UNITS  "perf-units"
#define PERF_EVENTS "perf-events"

/* A check that others need stands before them. */
const struct check doctor_checks[] = {
	{.name = PROCESSOR,
	 .purpose = "cxlmon must know its units, events and formulas",
	 .run = check_processor,
	 .decides = true},
	{"virtual-machine", "most hypervisors hide the uncore from guests", check_virtual_machine},
	{"container", "a container has only the devices it was given", check_container, true},
	{"rights", "the kernel requires CAP_SYS_RAWIO and CAP_SYS_ADMIN", check_rights, true},
	{"sandbox", "a run gives up all rights that it does not need", check_sandbox, true},
	{"cpus", "MSRs are accessed on online CPUs only", check_cpus, true},
	{"pci-config", "Intel's discovery tables are found beyond its first 64 bytes",
	 check_pci_config},
	{DISCOVERY,
	 "uncore units are found by discovery tables (Intel) or CPUID (AMD)",
	 check_discovery,
	 false,
	 {PROCESSOR, "pci-config"}},
	{"cxl-ports",
	 "bandwidth, queue and link metrics are counted per port",
	 check_ports,
	 false,
	 {DISCOVERY}},
	{"cxl-devices", "a device whose link has not enabled CXL.mem provides no memory",
	 check_cxl_devices},
	{"cxl-links", "a link trained below what both its ends support limits bandwidth",
	 check_cxl_links},
	{"cxl-health", "a device may say of itself that it fails, or has lost its data",
	 check_cxl_health},
	{"msr-module", "it creates /dev/cpu/N/msr", check_msr_module, true},
	{MSR_DEVICE,
	 "latency, core metrics, and everything on AMD are read through it",
	 check_msr_device,
	 false,
	 {"msr-module"}},
	{"cxl-units",
	 "they must respond (Intel: memory-mapped registers; AMD: MSRs)",
	 check_cxl_units,
	 false,
	 {DISCOVERY}},
	{LOCKDOWN, "kernel lockdown forbids MSR writes", check_lockdown, true},
	{ALLOW, "a parameter of the msr module", check_allow_writes, true, {LOCKDOWN}},
	{WRITES,
	 "events are selected by writing registers",
	 check_msr_writes,
	 false,
	 {MSR_DEVICE, ALLOW}},
	{"cpuid-device", "CPUID is read on each CPU through it", check_cpuid_device, true},
	{RUNS, "two runs would program the same units", check_runs, true},
	{"units-free",
	 "counters in use by other programs are not taken",
	 check_units_free,
	 false,
	 {DISCOVERY}},
	{"cpmus", "counters in CXL devices, on any processor", check_cpmus},
	{"freeze", "a frozen socket counts nothing", check_freeze, false, {DISCOVERY, MSR_DEVICE}},
	{"core-counters",
	 "core metrics need --share or --force where a counter that they use is enabled",
	 check_core_counters,
	 false,
	 {MSR_DEVICE}},
	{"nmi-watchdog", "it uses one counter of every CPU", check_watchdog, true},
	{PERF_UNITS,
	 "--backend=perf: the kernel must have PMUs of this processor's units",
	 check_perf_units,
	 false,
	 {PROCESSOR}},
	{PERF_EVENTS,
	 "--backend=perf: the kernel must allow this user to count",
	 check_perf_events,
	 false,
	 {PERF_UNITS}},
	{.name = NULL},
};

static const struct finding *finding_of(const struct finding *findings, const char *name)
{
	for (size_t i = 0; doctor_checks[i].name; i++)
		if (!strcmp(doctor_checks[i].name, name))
			return &findings[i];
	return NULL;
}

/* The first of its needs that failed or was blocked itself; NULL: none. */
static const char *unmet_need(const struct check *check, const struct finding *findings)
{
	for (size_t i = 0; i < DOCTOR_NEEDS && check->needs[i]; i++) {
		const struct finding *needed = finding_of(findings, check->needs[i]);

		if (needed &&
		    (needed->verdict == VERDICT_FAIL || needed->verdict == VERDICT_BLOCKED))
			return check->needs[i];
	}
	return NULL;
}

static bool has(const struct finding *findings, const char *name, enum verdict verdict)
{
	return finding_of(findings, name)->verdict == verdict;
}

static struct doctor_verdict sum_up(const struct finding *findings, enum exit_status status)
{
	const struct finding *processor = finding_of(findings, PROCESSOR);
	const bool refused = has(findings, LOCKDOWN, VERDICT_FAIL) ||
			     has(findings, ALLOW, VERDICT_FAIL) ||
			     has(findings, WRITES, VERDICT_FAIL);
	const bool perf = has(findings, PERF_EVENTS, VERDICT_PASS);

	return (struct doctor_verdict){
		.status = status,
		.supports_processor = processor->verdict != VERDICT_FAIL ||
				      processor->error.status != EXIT_NO_UNIT,
		.perf_works = perf,
		.perf_is_complete = perf && has(findings, PERF_UNITS, VERDICT_PASS),
		.uses_perf = perf && (status == EXIT_PERMISSION || status == EXIT_IN_USE) &&
			     !has(findings, RUNS, VERDICT_FAIL),
		.writes = refused				? DOCTOR_WRITES_REFUSED
			  : has(findings, WRITES, VERDICT_PASS) ? DOCTOR_WRITES_PERMITTED
								: DOCTOR_WRITES_UNTESTED,
	};
}

struct doctor_verdict doctor_run(struct doctor *d, struct finding *findings)
{
	enum exit_status status = EXIT_OK;
	bool stopped = false;

	for (size_t i = 0; doctor_checks[i].name; i++) {
		const struct check *check = &doctor_checks[i];
		const char *need = unmet_need(check, findings);

		if (stopped)
			findings[i] = (struct finding){.verdict = VERDICT_NOT_RUN};
		else if (check->host_only && d->sim)
			doctor_skip(&findings[i], "simulated");
		else if (need)
			doctor_block(&findings[i], "needs %s", need);
		else
			check->run(d, &findings[i]);
		if (d->as_root)
			doctor_advise_root(&findings[i], d->by_sudo);
		if (status == EXIT_OK && findings[i].verdict == VERDICT_FAIL)
			status = findings[i].error.status;
		stopped |= check->decides && status == EXIT_NO_UNIT;
	}
	return sum_up(findings, status);
}
