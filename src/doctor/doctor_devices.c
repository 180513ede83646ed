/* SPDX-License-Identifier: BSD-3-Clause */
/* The check of CXL devices that are no memory to the kernel. */
#include <stdio.h>
#include <stdlib.h>

#include "doctor/doctor_checks.h"
#include "pci/config.h"
#include "platform/rootfs.h"
#include "uncore/port_device.h"

/*
 * The Flex Bus Port DVSEC: capability in bits 31:16 of the dword at DVSEC_ID, status in those of
 * the dword behind it, each with a bit for CXL.mem. Source: Compute Express Link
 * Specification 2.0, 8.2.1.3
 */
#define FLEX_BUS_ID	7
#define FLEX_BUS_STATUS 0xC
#define FLEX_BUS_MEM	(UINT32_C(1) << 18)

/* Whether the function could be memory by CXL.mem, which its link has not enabled. */
static bool lacks_mem(struct platform *p, struct pci_location at)
{
	unsigned offset;
	uint32_t header, id, status;

	for (unsigned nth = 0; !pci_find_extended(p, at, PCI_EXTENDED_ID_DVSEC, nth, &offset);
	     nth++)
		if (!p->ops->pci_read(p, at, offset + DVSEC_HEADER, &header) &&
		    (header & 0xffff) == CXL_DVSEC_VENDOR &&
		    !p->ops->pci_read(p, at, offset + DVSEC_ID, &id) &&
		    (id & 0xffff) == FLEX_BUS_ID &&
		    !p->ops->pci_read(p, at, offset + FLEX_BUS_STATUS, &status))
			return id & FLEX_BUS_MEM && !(status & FLEX_BUS_MEM);
	return false;
}

static bool is_bridge(struct platform *p, struct pci_location at)
{
	uint32_t word;

	return p->ops->pci_read(p, at, PCI_HEADER_TYPE, &word) ||
	       (word >> 16 & 0x7f) == PCI_HEADER_BRIDGE;
}

static bool has_driver(const struct doctor *d, struct pci_location at)
{
	char text[PCI_TEXT_SIZE], path[64 + PCI_TEXT_SIZE];

	snprintf(path, sizeof(path), "sys/bus/pci/devices/%s/driver", pci_location_text(at, text));
	return !d->sim && rootfs_exists(d->root, path);
}

void check_cxl_devices(struct doctor *d, struct finding *out)
{
	struct platform *p = d->probe.platform;
	const struct pci_function *first = NULL;
	struct pci_function *list = NULL;
	char text[PCI_TEXT_SIZE];
	size_t count = 0, found = 0;
	struct error why;

	if (p->ops->pci_list(p, &list, &count, &why))
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
