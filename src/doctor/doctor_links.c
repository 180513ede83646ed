/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The check of links: each on the way from a root port to a memory device. A link is judged against
 * the less able of its ends: a device for 16 lanes in a slot of 8 is not at fault.
 */
#include <stdio.h>

#include "doctor/doctor_checks.h"

static void describe(const struct cxl_device *device, const struct pci_hop *hop, size_t more,
		     struct finding *out)
{
	char link[PCI_HOP_TEXT_SIZE], above[PCI_TEXT_SIZE], below[PCI_TEXT_SIZE], others[48] = "";

	if (more)
		snprintf(others, sizeof(others), "; and %zu other link%s", more,
			 more == 1 ? "" : "s");
	doctor_warn(
		out, "",
		"%s, between %s and %s: %s%s; reseat it, or see the slot's width in the firmware",
		device->name, pci_location_text(hop->above, above),
		pci_location_text(hop->below, below), pci_hop_text(hop, link), others);
}

void check_cxl_links(struct doctor *d, struct finding *out)
{
	const struct machine *machine = &d->probe.machine;
	const struct cxl_device *first_device = NULL;
	const struct pci_hop *first = NULL;
	size_t known = 0, degraded = 0;

	for (size_t i = 0; i < machine->device_count; i++) {
		const struct cxl_device *device = &machine->devices[i];

		for (size_t h = 0; h < device->hop_count; h++) {
			const struct pci_hop *hop = &device->hops[h];

			known += pci_link_rate(hop->now) > 0;
			if (!pci_hop_is_degraded(hop) || degraded++)
				continue;
			first_device = device;
			first = hop;
		}
	}
	if (degraded)
		describe(first_device, first, degraded - 1, out);
	else if (known)
		doctor_pass(out, "%zu link%s as wide and as fast as both ends allow", known,
			    known == 1 ? "" : "s");
	else
		doctor_skip(out, false, "no link of a memory device is known");
}
