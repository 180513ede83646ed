/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/cxl.h"
#include "platform/pci_link.h"

#include <math.h>

void cxl_device_set_hops(struct cxl_device *device)
{
	const size_t depth = device->depth;

	device->hop_count = 0;
	for (size_t i = depth > 1 ? depth % 2 : 0; i < depth; i += 2)
		device->hops[device->hop_count++] = (struct pci_hop){
			.above = device->path[i],
			.below = device->path[depth > 1 ? i + 1 : i],
		};
}

const struct pci_hop *cxl_device_narrowest(const struct cxl_device *device)
{
	const struct pci_hop *narrowest = NULL;

	for (size_t h = 0; h < device->hop_count; h++) {
		const struct pci_hop *hop = &device->hops[h];
		const double rate = pci_link_rate(hop->now);

		if (rate > 0 && (!narrowest || rate < pci_link_rate(narrowest->now)))
			narrowest = hop;
	}
	return narrowest;
}

const struct pci_hop *cxl_device_degraded(const struct cxl_device *device, bool *known)
{
	const struct pci_hop *degraded = NULL;

	*known = false;
	for (size_t h = 0; h < device->hop_count; h++) {
		const struct pci_hop *hop = &device->hops[h];

		*known |= pci_link_rate(hop->now) > 0 && pci_link_rate(hop->possible) > 0;
		if (!degraded && pci_hop_is_degraded(hop))
			degraded = hop;
	}
	return degraded;
}

double cxl_device_rate(const struct cxl_device *device)
{
	const struct pci_hop *hop = cxl_device_narrowest(device);

	return hop ? pci_link_rate(hop->now) : NAN;
}

double cxl_device_possible_rate(const struct cxl_device *device)
{
	double least = NAN;

	for (size_t h = 0; h < device->hop_count; h++) {
		const double rate = pci_link_rate(device->hops[h].possible);

		if (!(rate > 0))
			return NAN;
		least = fmin(least, rate);
	}
	return least;
}
