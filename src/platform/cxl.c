/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/cxl.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "platform/pci.h"

/*
 * Pairs functions from the device on: above the root port may be other functions without a link, as
 * with Intel VMD.
 */
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

/* The beginning of a name in a list of devices, after "/dev/cxl/" if it is a path. */
static const char *device_name(const char *device)
{
	static const char directory[] = "/dev/cxl/";
	const size_t length = sizeof(directory) - 1;

	return strncmp(device, directory, length) ? device : device + length;
}

bool cxl_device_list_valid(const char *devices)
{
	const char *at = devices;

	do {
		at = device_name(at);
		at += strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789");
	} while (*at == ',' && at++);
	return *devices && !*at;
}

bool cxl_device_list_has(const char *devices, const char *name)
{
	for (const char *at = devices; *at; at = text_next_word(at))
		if (text_same_word(device_name(at), name))
			return true;
	return false;
}

const char *const cxl_event_names[CXL_EVENT_KINDS] = {
	[CXL_EVENT_AER_UNCORRECTABLE] = "cxl_aer_uncorrectable_error",
	[CXL_EVENT_AER_CORRECTABLE] = "cxl_aer_correctable_error",
	[CXL_EVENT_PORT_AER_UNCORRECTABLE] = "cxl_port_aer_uncorrectable_error",
	[CXL_EVENT_PORT_AER_CORRECTABLE] = "cxl_port_aer_correctable_error",
	[CXL_EVENT_OVERFLOW] = "cxl_overflow",
	[CXL_EVENT_GENERIC] = "cxl_generic_event",
	[CXL_EVENT_GENERAL_MEDIA] = "cxl_general_media",
	[CXL_EVENT_DRAM] = "cxl_dram",
	[CXL_EVENT_MEMORY_MODULE] = "cxl_memory_module",
	[CXL_EVENT_MEMORY_SPARING] = "cxl_memory_sparing",
	[CXL_EVENT_POISON] = "cxl_poison",
};
