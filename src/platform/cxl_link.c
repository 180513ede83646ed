/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/cxl_link.h"

#include <math.h>

#include "platform/cxl.h"

#define SLOTS_PER_LINE	4
#define RAW_PER_SLOTS	(68.0 / 64) /* a flit also has a CRC and a protocol id */
#define FASTEST_68_GTps 32

/* Returns a number of slots per line as a fraction of a direction's capacity. */
static double of_raw_rate(double slots)
{
	return slots / SLOTS_PER_LINE * RAW_PER_SLOTS;
}

struct cxl_link_use cxl_link_use(double read, double write)
{
	/* a response slot has room for headers with data next to two without */
	const double response_slots = fmax(write / 2, (read + write) / 3);

	if (isnan(read) || isnan(write))
		return (struct cxl_link_use){NAN, NAN};
	return (struct cxl_link_use){
		.from_device = of_raw_rate(SLOTS_PER_LINE * read + response_slots),
		.to_device = of_raw_rate((SLOTS_PER_LINE + 1) * write + read),
	};
}

double cxl_link_fullest(struct cxl_link_use use)
{
	return isnan(use.from_device) || isnan(use.to_device)
		       ? NAN
		       : fmax(use.from_device, use.to_device);
}

bool cxl_device_has_68_byte_flits(const struct cxl_device *device)
{
	bool known = false;

	for (size_t h = 0; h < device->hop_count; h++) {
		const struct pci_hop *hop = &device->hops[h];

		if (hop->now.GTps > FASTEST_68_GTps || hop->possible.GTps > FASTEST_68_GTps)
			return false;
		known |= hop->now.GTps > 0 || hop->possible.GTps > 0 ||
			 !pci_location_compare(&hop->above, &hop->below);
	}
	return known;
}
