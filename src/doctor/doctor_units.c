/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of the discovery tables, the ports, and their units. */
#include <errno.h>
#include <stdlib.h>

#include "doctor/doctor_checks.h"
#include "pci/config.h"

/* A function that may have a discovery table: the generic one where there is one. */
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

static int read_extended(struct platform *p, const struct pci_function *f, struct error *err)
{
	const struct reg reg = {
		.space = REG_PCI, .bytes = 4, .pci = f->at, .address = PCI_EXTENDED_CAPABILITIES};
	uint64_t value;

	return reg_read(p, &reg, &value, err);
}

void check_pci_config(struct doctor *d, struct finding *out)
{
	const struct model *model = d->probe.machine.model;
	const uint16_t device = model ? discovery_device_id(model) : DISCOVERY_DEVICE_GENERIC;
	struct platform *p = d->probe.platform;
	struct pci_function *list = NULL;
	struct error why;
	size_t count = 0;
	int rc = p->ops->pci_list(p, &list, &count, &why);
	const struct pci_function *function = rc ? NULL : find_function(list, count, device);

	if (!rc && !function)
		rc = error_set(&why, EXIT_NO_UNIT, -ENODEV,
			       "none of %zu PCI functions is from Intel, so there is no discovery "
			       "table",
			       count);
	if (!rc)
		rc = read_extended(p, function, &why);
	if (rc)
		doctor_fail(out, &why);
	else
		doctor_pass(out, "%04x:%02x:%02x.%x can be read beyond 64 bytes",
			    function->at.domain, function->at.bus, function->at.device,
			    function->at.function);
	free(list);
}

void check_discovery(struct doctor *d, struct finding *out)
{
	const struct probe *probe = &d->probe;
	const struct discovery *discovery = &probe->machine.discovery;

	if (probe->machine_error.code)
		doctor_fail(out, &probe->machine_error);
	else if (probe->warning_count)
		doctor_warn(out, "", "%s%s", probe->warnings[0],
			    probe->warning_count > 1 ? "; cxlmon info shows more" : "");
	else
		doctor_pass(out, "%zu unit%s in %zu table%s", discovery->unit_count,
			    discovery->unit_count == 1 ? "" : "s", discovery->table_count,
			    discovery->table_count == 1 ? "" : "s");
}

void check_ports(struct doctor *d, struct finding *out)
{
	const struct machine *machine = &d->probe.machine;
	size_t complete = 0;

	for (size_t i = 0; i < machine->port_count; i++)
		complete += machine->ports[i].cxlcm &&
			    (machine->ports[i].cxldp || !model_box(machine->model, BOX_CXLDP));
	if (!machine->port_count)
		doctor_warn(out, "cxlmon -m latency,dram",
			    "this machine has no CXL port; metrics of other units work");
	else if (complete < machine->port_count)
		doctor_warn(out, "cxlmon info",
			    "%zu of %zu CXL ports have no CXLCM or no CXLDP unit; columns of "
			    "the missing unit stay empty",
			    machine->port_count - complete, machine->port_count);
	else
		doctor_pass(out, "%zu CXL port%s", complete, complete == 1 ? "" : "s");
}

static int open_port(struct platform *p, const struct port *port, struct error *err)
{
	int rc = port->cxlcm ? unit_open(p, port->cxlcm, err) : 0;

	return rc || !port->cxldp ? rc : unit_open(p, port->cxldp, err);
}

/* As in the monitor: a port that does not respond is left out; only if none does, it fails. */
void check_cxl_units(struct doctor *d, struct finding *out)
{
	const struct machine *machine = &d->probe.machine;
	struct error first = {0}, why;
	size_t usable = 0;

	for (size_t i = 0; i < machine->port_count; i++) {
		if (!open_port(d->probe.platform, &machine->ports[i], &why))
			usable++;
		else if (!first.code)
			first = why;
	}
	if (!first.code)
		doctor_pass(out, "the units of %zu port%s respond", usable, usable == 1 ? "" : "s");
	else if (usable && first.status != EXIT_PERMISSION)
		doctor_warn(out, first.command, "%zu of %zu ports are left out: %s",
			    machine->port_count - usable, machine->port_count, first.text);
	else
		doctor_fail(out, &first);
}
