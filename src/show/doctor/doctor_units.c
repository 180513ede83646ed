/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of the discovery tables, the ports and their units, and of counting through the kernel. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "pci/config.h"
#include "platform/guard.h"
#include "platform/pci.h"
#include "session/session.h"
#include "show/doctor/doctor.h"
#include "uncore/discovery/perf_units.h"

/* Finds a function that may have a discovery table: the generic one, if there is one. */
static const struct pci_function *find_function(const struct pci_function *list, size_t count,
						uint16_t device)
{
	const struct pci_function *found = NULL;

	for (size_t i = 0; i < count; i++) {
		if (list[i].vendor != DISCOVERY_VENDOR_INTEL)
			continue;
		if (list[i].device == device)
			return &list[i];
		found = found ? found : &list[i];
	}
	return found;
}

static void check_pci_config(struct doctor *d, struct check_result *out)
{
	const struct model *model = d->probe.machine.model;
	const uint16_t device = model ? discovery_device_id(model) : DISCOVERY_DEVICE_GENERIC;
	struct platform *p = d->probe.platform;
	struct pci_function *list = NULL;
	struct error why;
	size_t count = 0;
	uint64_t value;

	if (doctor_only_cpmus(d)) {
		doctor_skip(out, "not needed: " DOCTOR_NO_UNCORE);
		return;
	}
	if (model && model->units_by_cpuid) {
		doctor_skip(out, "not needed: this processor has no discovery tables");
		return;
	}
	int rc = p->ops->pci->list(p, &list, &count, &why);
	const struct pci_function *function = rc ? NULL : find_function(list, count, device);

	if (!rc && !function)
		rc = error_set(&why, ERROR_NO_UNIT, -ENODEV,
			       "none of %zu PCI functions is from Intel, so there is no discovery "
			       "table",
			       count);
	if (!rc) {
		const struct reg reg = {.space = REG_PCI,
					.bytes = 4,
					.pci = function->at,
					.address = PCI_EXTENDED_CAPABILITIES};

		rc = reg_read(p, &reg, &value, &why);
	}
	if (rc)
		doctor_fail(out, &why);
	else
		doctor_pass(out, "%04x:%02x:%02x.%x can be read beyond 64 bytes",
			    function->at.domain, function->at.bus, function->at.device,
			    function->at.function);
	free(list);
}

const struct check doctor_pci_config = {
	.name = "pci-config",
	.purpose = "Intel's discovery tables are found beyond its first 64 bytes",
	.run = check_pci_config,
	.of_registers = true,
};

static void check_discovery(struct doctor *d, struct check_result *out)
{
	const struct probe *probe = &d->probe;
	const struct discovery *discovery = &probe->machine.discovery;

	if (doctor_only_cpmus(d))
		doctor_block(out, DOCTOR_NO_UNCORE);
	else if (probe->machine_error.code)
		doctor_fail(out, &probe->machine_error);
	else if (probe->register_warning_count)
		doctor_warn(out, "", "%s%s", probe->warnings[0],
			    probe->register_warning_count > 1 ? "; cxlmon info shows more" : "");
	else if (probe->machine.model->units_by_cpuid)
		doctor_pass(out, "%zu unit%s, found by CPUID", discovery->unit_count,
			    discovery->unit_count == 1 ? "" : "s");
	else
		doctor_pass(out, "%zu unit%s in %zu table%s", discovery->unit_count,
			    discovery->unit_count == 1 ? "" : "s", discovery->table_count,
			    discovery->table_count == 1 ? "" : "s");
}

const struct check doctor_discovery = {
	.name = "discovery",
	.purpose = "uncore units are found by discovery tables (Intel) or CPUID (AMD)",
	.run = check_discovery,
	.of_registers = true,
	.needs = {&doctor_processor, &doctor_pci_config},
};

/* Checks ports of a processor whose data fabric counts them. */
static void check_ports_of_df(const struct model *model, struct check_result *out)
{
	if (!model->ports_of_df)
		doctor_warn(out, "cxlmon -m latency,dram,core",
			    "no event is published that counts CXL bandwidth on %s; latency, "
			    "dram and core metrics work",
			    model->name);
	else if (model->port_name)
		doctor_pass(out, "CXL traffic is counted by CCM, %u per socket",
			    model->ports_of_df);
	else
		doctor_pass(out, "%u CXL master ports per socket", model->ports_of_df);
}

/* Checks root complexes: those with a CXL region are ports. */
static void check_root_complexes(const struct machine *machine, struct check_result *out)
{
	const size_t count = machine->port_count;
	size_t counted = 0;

	for (size_t i = 0; i < count; i++)
		counted += machine->ports[i].tgt_count > 0;
	if (!machine->memory.region_count)
		doctor_warn(
			out, "cxl list -R",
			"the kernel has no CXL region, so no traffic is known to be CXL memory's");
	else if (!count)
		doctor_warn(out, "cxlmon info -v",
			    "which root complexes have CXL regions is readable only by root: CXL "
			    "traffic is counted by socket, not by device");
	else if (counted < count)
		doctor_warn(out, "cxlmon info -v",
			    "%zu of %zu root complexes with a CXL region cannot be counted by "
			    "address: sums are of the whole socket",
			    count - counted, count);
	else
		doctor_pass(out, "%zu root complex%s with CXL regions", count,
			    count == 1 ? "" : "es");
}

static void check_ports(struct doctor *d, struct check_result *out)
{
	const struct machine *machine = &d->probe.machine;
	size_t complete = 0;

	if (machine->model->units_by_cpuid) {
		check_ports_of_df(machine->model, out);
		return;
	}
	if (machine->model->kernel_counts) {
		check_root_complexes(machine, out);
		return;
	}
	for (size_t i = 0; i < machine->port_count; i++)
		complete += machine->ports[i].cxlcm &&
			    (machine->ports[i].cxldp || !model_pmu_type(machine->model, PMU_CXLDP));
	if (!machine->port_count)
		doctor_warn(out, "cxlmon -m latency,dram",
			    "no unit of a CXL port was found; metrics of other units work");
	else if (complete < machine->port_count)
		doctor_warn(out, "cxlmon info",
			    "%zu of %zu CXL ports have no CXLCM or no CXLDP unit; columns of "
			    "the missing unit stay empty",
			    machine->port_count - complete, machine->port_count);
	else
		doctor_pass(out, "%zu CXL port%s", complete, complete == 1 ? "" : "s");
}

const struct check doctor_ports = {
	.name = "cxl-ports",
	.purpose = "bandwidth, queue and link metrics are counted per port",
	.run = check_ports,
	.needs = {&doctor_discovery},
};

/* The result of opening the units of all ports. */
struct port_units {
	struct doctor_names gone;
	struct error first;  /* first error of units that are gone */
	struct error failed; /* first error of another kind; code 0: none */
};

static void open_units(struct doctor *d, struct port_units *units)
{
	struct discovery *discovery = &d->probe.machine.discovery;
	struct error why;

	for (size_t i = 0; i < discovery->unit_count; i++) {
		struct unit *unit = &discovery->units[i];

		if (!unit->pmu_type || (!pmu_type_is_cxlcm(unit->type) && unit->type != PMU_CXLDP))
			continue;
		const int rc = unit_open(d->probe.platform, unit, &why);
		if (rc == -ENXIO) {
			units->first = units->gone.count ? units->first : why;
			doctor_names_add(&units->gone, unit);
		} else if (rc && !units->failed.code) {
			units->failed = why;
		}
	}
}

/*
 * Checks units of a processor that counts CXL traffic and latency by its data fabrics and L3
 * caches.
 */
static void check_df_and_l3s(struct doctor *d, struct check_result *out)
{
	struct discovery *discovery = &d->probe.machine.discovery;
	size_t dfs = 0, l3s = 0;
	struct error why;

	if (!d->msr_readable) {
		doctor_block(out, "needs msr-device");
		return;
	}
	for (size_t i = 0; i < discovery->unit_count; i++) {
		struct unit *unit = &discovery->units[i];

		if (unit->type != PMU_DF && unit->type != PMU_L3)
			continue;
		if (unit_open(d->probe.platform, unit, &why)) {
			doctor_fail(out, &why);
			return;
		}
		dfs += unit->type == PMU_DF;
		l3s += unit->type == PMU_L3;
	}
	doctor_pass(out, "%zu data fabric%s and %zu L3 cache%s respond", dfs, dfs == 1 ? "" : "s",
		    l3s, l3s == 1 ? "" : "s");
}

/*
 * Checks the units of ports. As in a run, a port that does not respond is left out; only if none
 * responds, the check fails.
 */
static void check_port_units(struct doctor *d, struct check_result *out)
{
	const struct machine *machine = &d->probe.machine;
	struct port_units units = {.first.code = 0};
	size_t usable = 0;
	struct error why;

	open_units(d, &units);
	for (size_t i = 0; i < machine->port_count; i++) {
		const struct port *port = &machine->ports[i];

		usable +=
			(!port->cxlcm || port->cxlcm->open) && (!port->cxldp || port->cxldp->open);
	}
	why = units.gone.count ? units.first : units.failed;
	if (units.gone.count)
		snprintf(why.text, sizeof(why.text), "%s: " DOCTOR_NO_RESPONSE "%s%.150s",
			 doctor_names_end(&units.gone), units.failed.code ? "; " : "",
			 units.failed.text);
	if (!why.code)
		doctor_pass(out, "the units of %zu port%s respond", usable, usable == 1 ? "" : "s");
	else if (usable && units.failed.kind != ERROR_PERMISSION)
		doctor_warn(out, why.command, "%zu of %zu ports are left out: %s",
			    machine->port_count - usable, machine->port_count, why.text);
	else
		doctor_fail(out, units.failed.kind == ERROR_PERMISSION ? &units.failed : &why);
}

static void check_cxl_units(struct doctor *d, struct check_result *out)
{
	if (d->probe.machine.model->units_by_cpuid)
		check_df_and_l3s(d, out);
	else
		check_port_units(d, out);
}

const struct check doctor_cxl_units = {
	.name = "cxl-units",
	.purpose = "they must respond (Intel: memory-mapped registers; AMD: MSRs)",
	.run = check_cxl_units,
	.of_registers = true,
	.needs = {&doctor_discovery},
};

/*
 * Checks of counting through the kernel. Monitoring works without it if registers can be accessed:
 * missing parts are warnings.
 */

/* Tells if the kernel counts on CPMUs, and nothing else can be counted. */
static bool counts_on_cpmus(const struct doctor *d)
{
	return doctor_only_cpmus(d) && d->probe.kernel.cpmu_count;
}

/*
 * Checks the kernel's units if only the kernel can count: then no PMU is a failure. There are
 * several drivers.
 */
static void check_kernel_units(const struct doctor *d, struct check_result *out)
{
	const struct machine *machine = &d->probe.kernel;
	const struct model *model = d->probe.machine.model;
	char types[128] = "", drivers[128] = "", command[256];

	for (const struct pmu_type *type = model->pmu_types; type->name; type++) {
		const char *driver = type->perf_driver ? type->perf_driver : model->perf_driver;

		if (machine->pmus.count && !perf_units_hide(model, &machine->pmus, type->type))
			continue;
		text_list(types, sizeof(types), "%s", type->name);
		if (!strstr(drivers, driver))
			text_append(drivers, sizeof(drivers), " %s", driver);
	}
	snprintf(command, sizeof(command), "sudo modprobe -a%s", drivers);
	struct error why = d->probe.kernel_error;
	if (why.code && !*why.command)
		error_hint(&why, command);
	if (why.code)
		doctor_fail(out, &why);
	else if (*types)
		doctor_warn(out, command, "the kernel shows no PMU of %s: their metrics stay empty",
			    types);
	else
		doctor_pass(out, "the kernel can count on %zu unit%s",
			    machine->discovery.unit_count,
			    machine->discovery.unit_count == 1 ? "" : "s");
}

static void check_perf_units(struct doctor *d, struct check_result *out)
{
	const struct probe *probe = &d->probe;
	const struct discovery *units = &probe->kernel.discovery;
	const size_t warnings = probe->warning_count - probe->register_warning_count;
	const struct unit *first = NULL;
	char name[UNIT_NAME_SIZE];
	size_t uncounted = 0;

	if (doctor_kernel_alone(d)) {
		check_kernel_units(d, out);
		return;
	}
	for (size_t i = 0; i < units->unit_count; i++)
		if (units->units[i].uncounted && !uncounted++)
			first = &units->units[i];
	if (counts_on_cpmus(d))
		doctor_pass(out, "the kernel can count on %zu CPMU%s", probe->kernel.cpmu_count,
			    probe->kernel.cpmu_count == 1 ? "" : "s");
	else if (doctor_only_cpmus(d))
		doctor_block(out, DOCTOR_NO_UNCORE);
	else if (probe->kernel_error.code)
		doctor_warn(out, "", "%s", probe->kernel_error.text);
	else if (warnings)
		doctor_warn(out, "", "%s%s", probe->warnings[probe->register_warning_count],
			    warnings > 1 ? "; cxlmon info shows more" : "");
	else if (uncounted)
		doctor_warn(
			out, "",
			"the kernel counts on %zu of %zu units, and not on the others, as on a die "
			"without an online CPU; first: %s",
			units->unit_count - uncounted, units->unit_count, unit_name(first, name));
	else
		doctor_pass(out, "the kernel can count on %zu unit%s", units->unit_count,
			    units->unit_count == 1 ? "" : "s");
}

const struct check doctor_perf_units = {
	.name = "perf-units",
	.purpose = "--backend=perf: the kernel must have PMUs of this processor's units",
	.run = check_perf_units,
	.needs = {&doctor_processor},
};

/* Opens and closes the events of a run without options; they never count. */
static void check_perf_events(struct doctor *d, struct check_result *out)
{
	const struct session_options wanted = {
		.sim = d->sim,
		.root = d->root,
		.backend = BACKEND_PERF,
		.view = {.groups = METRIC_DEFAULTS, .finest = SCOPE_PORT},
		.freeze = FREEZE_AUTO,
		.interval_ns = NS_PER_S};
	const struct log silent = {.write = NULL};
	struct session session;
	struct error why;

	if (d->probe.kernel_error.code && !counts_on_cpmus(d)) {
		doctor_block(out, "needs perf-units");
		return;
	}
	const int rc = session_open(&wanted, &silent, &session, &why);
	if (rc && doctor_kernel_alone(d))
		doctor_fail(out, &why);
	else if (rc)
		doctor_warn(out, why.command, "%s", why.text);
	else
		doctor_pass(out, "%zu events were opened", session.plan.counter_count);
	session_close(&session);
}

const struct check doctor_perf_events = {
	.name = "perf-events",
	.purpose = "--backend=perf: the kernel must allow this user to count",
	.run = check_perf_events,
	.needs = {&doctor_perf_units},
};
