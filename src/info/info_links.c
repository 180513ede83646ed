/* SPDX-License-Identifier: BSD-3-Clause */
/* The PCIe links on the way to each CXL memory device. */
#include "info/info.h"

static void print_hop(FILE *out, const struct cxl_device *device, const struct pci_hop *hop)
{
	const bool has_port = pci_location_compare(&hop->above, &hop->below);
	char at[PCI_TEXT_SIZE], now[PCI_LINK_TEXT_SIZE], possible[PCI_LINK_TEXT_SIZE];

	fprintf(out, "  %-5s ", device->name);
	if (has_port)
		fprintf(out, "%s - ", pci_location_text(hop->above, at));
	fprintf(out, "%s  %s  %.3g GB/s each way", pci_location_text(hop->below, at),
		pci_link_text(hop->now, now), pci_link_rate(hop->now) / 1e9);
	if (pci_hop_is_degraded(hop))
		fprintf(out, "  (could be %s)", pci_link_text(hop->possible, possible));
	putc('\n', out);
}

void info_print_links(FILE *out, const struct machine *machine)
{
	bool heading = false;

	for (size_t i = 0; i < machine->device_count; i++) {
		const struct cxl_device *device = &machine->devices[i];

		for (size_t h = 0; h < device->hop_count; h++) {
			if (!(pci_link_rate(device->hops[h].now) > 0))
				continue;
			if (!heading)
				fputs("CXL links:\n", out);
			heading = true;
			print_hop(out, device, &device->hops[h]);
		}
	}
}

/* null where it is not known. */
static json_t *speed(struct pci_link link)
{
	return link.GTps > 0 ? json_real(link.GTps) : json_null();
}

static json_t *lanes(struct pci_link link)
{
	return link.lanes ? json_integer(link.lanes) : json_null();
}

static json_t *hop_object(const struct cxl_device *device, const struct pci_hop *hop)
{
	char above[PCI_TEXT_SIZE], below[PCI_TEXT_SIZE];
	const double rate = pci_link_rate(hop->now);

	return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "memdev", device->name,
			 "above", pci_location_text(hop->above, above), "below",
			 pci_location_text(hop->below, below), "speed_GTps", speed(hop->now),
			 "width", lanes(hop->now), "possible_speed_GTps", speed(hop->possible),
			 "possible_width", lanes(hop->possible), "bytes_per_s",
			 rate > 0 ? json_real(rate) : json_null());
}

json_t *info_links(const struct machine *machine)
{
	json_t *links = json_array();

	for (size_t i = 0; i < machine->device_count; i++)
		for (size_t h = 0; h < machine->devices[i].hop_count; h++)
			json_array_append_new(links, hop_object(&machine->devices[i],
								&machine->devices[i].hops[h]));
	return links;
}
