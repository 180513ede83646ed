/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks of CXL devices: those that the kernel does not use as memory, links, health, and devices
 * that count.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/rootfs.h"
#include "linux/cxl/cxl_mailbox.h"
#include "pci/config.h"
#include "platform/pci.h"
#include "platform/reg.h"
#include "show/doctor/doctor.h"
#include "show/info/info.h"
#include "uncore/devices/cpmus.h"
#include "uncore/devices/ports.h"

/* Tells if a function supports CXL.mem, but its link has not enabled it. */
static bool lacks_mem(struct platform *p, struct pci_location at)
{
	struct flex_bus bus;

	return !flex_bus_read(p, at, &bus) && bus.capability & ~bus.status & FLEX_BUS_MEM;
}

static bool is_bridge(struct platform *p, struct pci_location at)
{
	uint32_t word;

	return reg_read_pci(p, at, PCI_HEADER_TYPE, &word) ||
	       (word >> 16 & 0x7f) == PCI_HEADER_BRIDGE;
}

static bool has_driver(const struct doctor *d, struct pci_location at)
{
	char text[PCI_TEXT_SIZE];

	return !d->sim &&
	       rootfs_exists(d->root, "sys/bus/pci/devices/%s/driver", pci_location_text(at, text));
}

static void check_cxl_devices(struct doctor *d, struct check_result *out)
{
	struct platform *p = d->probe.platform;
	const struct pci_function *first = NULL;
	struct pci_function *list = NULL;
	char text[PCI_TEXT_SIZE];
	size_t count = 0, found = 0;
	struct error why;

	if (p->ops->pci->list(p, &list, &count, &why))
		count = 0;
	for (size_t i = 0; i < count; i++)
		if (!is_bridge(p, list[i].at) && lacks_mem(p, list[i].at) &&
		    !has_driver(d, list[i].at) && !found++)
			first = &list[i];
	if (found)
		doctor_warn(out, "",
			    "%s (%04x:%04x)%s no memory: the link has not enabled CXL.mem (lspci "
			    "-vv: Mem-), and it has no driver; see the firmware's CXL settings",
			    pci_location_text(first->at, text), first->vendor, first->device,
			    found > 1 ? " and others are" : " is");
	else
		doctor_pass(out, "%zu memory device%s", d->probe.machine.device_count,
			    d->probe.machine.device_count == 1 ? "" : "s");
	free(list);
}

const struct check doctor_cxl_devices = {
	.name = "cxl-devices",
	.purpose = "a device whose link has not enabled CXL.mem provides no memory",
	.run = check_cxl_devices,
};

/*
 * The check of links, each from a root port to a memory device. A link is compared with the less
 * able of its ends: a device for 16 lanes in a slot of 8 is not at fault.
 */

static void describe_hop(const struct cxl_device *device, const struct pci_hop *hop, size_t more,
			 struct check_result *out)
{
	char link[PCI_TRAINED_SIZE], above[PCI_TEXT_SIZE], below[PCI_TEXT_SIZE], others[48] = "";

	if (more)
		snprintf(others, sizeof(others), "; and %zu other link%s", more,
			 more == 1 ? "" : "s");
	doctor_warn(out, "",
		    "%s: %s between %s and %s: at most %.1f GB/s each way%s; reseat it, or see the "
		    "slot's width in the firmware",
		    device->name, pci_hop_trained(hop, link), pci_location_text(hop->above, above),
		    pci_location_text(hop->below, below), pci_link_rate(hop->now) / 1e9, others);
}

static void check_cxl_links(struct doctor *d, struct check_result *out)
{
	const struct machine *machine = &d->probe.machine;
	const struct cxl_device *first_device = NULL;
	const struct pci_hop *first = NULL;
	size_t known = 0, judged = 0, degraded = 0;

	for (size_t i = 0; i < machine->device_count; i++) {
		const struct cxl_device *device = &machine->devices[i];

		for (size_t h = 0; h < device->hop_count; h++) {
			const struct pci_hop *hop = &device->hops[h];

			known += pci_link_rate(hop->now) > 0;
			judged += pci_link_rate(hop->now) > 0 && pci_link_rate(hop->possible) > 0;
			if (!pci_hop_is_degraded(hop) || degraded++)
				continue;
			first_device = device;
			first = hop;
		}
	}
	if (degraded)
		describe_hop(first_device, first, degraded - 1, out);
	else if (judged)
		doctor_pass(out, "%zu link%s as wide and as fast as both ends allow", judged,
			    judged == 1 ? "" : "s");
	else if (known)
		doctor_skip(out,
			    "what the ports of %zu CXL 1.1 device%s support is hidden; cxlmon "
			    "info shows how wide and fast the link%s",
			    known, known == 1 ? "" : "s", known == 1 ? " is" : "s are");
	else
		doctor_skip(out, "no link of a memory device is known");
}

const struct check doctor_cxl_links = {
	.name = "cxl-links",
	.purpose = "a degraded link, trained below what both its ends support, limits bandwidth",
	.run = check_cxl_links,
};

/* The check of the health that devices report. It names the first device with a problem. */

static void check_cxl_health(struct doctor *d, struct check_result *out)
{
	const struct machine *machine = &d->probe.machine;
	const struct cxl_device *first = NULL, *silent = NULL;
	char text[DEVICE_HEALTH_TEXT_SIZE] = "", others[48] = "";
	size_t unwell = 0, unknown = 0;
	int why = 0;

	for (size_t i = 0; i < machine->device_count; i++) {
		const struct cxl_device *device = &machine->devices[i];
		struct device_health health;
		const int rc = info_ask_health(machine, device, &health);

		if (rc && !unknown++) {
			silent = device;
			why = rc;
		}
		if (rc || !health.state || unwell++)
			continue;
		first = device;
		device_health_text(health.state, text);
	}
	if (unwell > 1)
		snprintf(others, sizeof(others), "; and %zu other device%s", unwell - 1,
			 unwell == 2 ? "" : "s");
	if (unwell)
		doctor_warn(out, "", "%s reports: %s%s; see cxlmon info", first->name, text,
			    others);
	else if (unknown)
		doctor_skip(out, "%s: cannot read its health: %s", silent->name,
			    cxl_mailbox_reason(why));
	else if (machine->device_count)
		doctor_pass(out, "%zu memory device%s fine", machine->device_count,
			    machine->device_count == 1 ? " reports that it is"
						       : "s report that they are");
	else
		doctor_skip(out, "no memory device");
}

const struct check doctor_cxl_health = {
	.name = "cxl-health",
	.purpose = "a device may report that it fails, or has lost its data",
	.run = check_cxl_health,
};

/* The check of memory tiers, between which the kernel demotes and promotes pages. */

static void check_memory_tiers(struct doctor *d, struct check_result *out)
{
	const struct memory_layout *memory = &d->probe.machine.memory;
	size_t known = 0;

	for (size_t r = 0; r < memory->region_count; r++) {
		const struct cxl_region *region = &memory->regions[r];
		const struct memory_node *node = memory_layout_node(memory, region->node);
		const struct memory_node *dram = memory_layout_same_tier(memory, region->node);

		if (dram) {
			doctor_warn(out, "",
				    "nodes %d (DRAM) and %d (CXL memory, %s) are in one memory "
				    "tier: the kernel demotes and promotes no pages between them",
				    dram->node, region->node, region->name);
			return;
		}
		known += node && node->tier >= 0;
	}
	if (known)
		doctor_pass(out, "CXL memory and DRAM are in different memory tiers");
	else
		doctor_skip(out, "no memory tier of CXL memory is known");
}

const struct check doctor_memory_tiers = {
	.name = "memory-tiers",
	.purpose = "the kernel demotes and promotes pages only between memory tiers",
	.run = check_memory_tiers,
};

/* The check of CXL devices that count their traffic. Other metrics do not need them. */

bool doctor_kernel_alone(const struct doctor *d)
{
	const struct model *model = d->probe.machine.model;

	return model && model->kernel_counts;
}

bool doctor_only_cpmus(const struct doctor *d)
{
	const struct machine *machine = &d->probe.machine;

	return machine->model && !machine->model->pmu_types->name && machine->cpmu_count;
}

/* Unusable CPMUs of two kinds, with the first error of each. */
struct unusable_cpmus {
	size_t lost, in_use;
	struct error lost_why, in_use_why;
};

static struct unusable_cpmus find_unusable(struct doctor *d)
{
	struct machine *machine = &d->probe.machine;
	struct platform *p = d->probe.platform;
	struct unusable_cpmus found = {0};
	struct error why;

	for (size_t i = 0; i < machine->cpmu_count; i++) {
		struct unit *unit = &machine->cpmus[i].unit;

		if (unit_open(p, unit, &why)) {
			if (!found.lost++)
				found.lost_why = why;
		} else if (!d->stale_run && unit_find_use(p, unit, UINT32_MAX, &why)) {
			if (!found.in_use++)
				found.in_use_why = why;
		}
	}
	return found;
}

/* Checks CPMUs. If nothing else can be measured, an obstacle is a failure. */
static void check_cpmus(struct doctor *d, struct check_result *out)
{
	const struct machine *machine = &d->probe.machine;
	const size_t count = machine->cpmu_count;
	const struct unusable_cpmus unusable = find_unusable(d);
	const struct error *why = unusable.in_use ? &unusable.in_use_why
				  : unusable.lost ? &unusable.lost_why
						  : &machine->cpmu_error;
	const bool none_left = unusable.in_use || (count && unusable.lost == count);

	if (doctor_only_cpmus(d) && none_left)
		doctor_fail(out, why);
	else if (why->code)
		doctor_warn(out, why->command, "%s", why->text);
	else if (count)
		doctor_pass(out, "%zu CXL device%s respond%s", count,
			    count == 1 ? "'s CPMU" : "s' CPMUs", count == 1 ? "s" : "");
	else
		doctor_pass(out, "none");
}

const struct check doctor_cpmus = {
	.name = "cpmus",
	.purpose = "counters in CXL devices, on any processor",
	.run = check_cpmus,
};
