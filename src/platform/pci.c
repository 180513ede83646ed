/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/pci.h"

#include <stdio.h>

#define MAX_LANES 32

/* GT/s by the number in bits 3:0. */
static const double speeds[] = {0, 2.5, 5, 8, 16, 32, 64};

#define SPEED_COUNT (sizeof(speeds) / sizeof(speeds[0]))

int pci_function_compare(const void *a, const void *b)
{
	const struct pci_function *x = a, *y = b;

	return pci_location_compare(&x->at, &y->at);
}

const char *pci_location_text(struct pci_location at, char text[PCI_TEXT_SIZE])
{
	snprintf(text, PCI_TEXT_SIZE, "%04x:%02x:%02x.%x", at.domain, at.bus, at.device,
		 at.function);
	return text;
}

double pci_link_rate(struct pci_link link)
{
	const double part = link.GTps <= 5 ? 8.0 / 10 : link.GTps <= 32 ? 128.0 / 130 : 1;

	return link.GTps * 1e9 * link.lanes / 8 * part;
}

const char *pci_link_text(struct pci_link link, char text[PCI_LINK_TEXT_SIZE])
{
	text[0] = '\0';
	if (link.GTps > 0 && link.lanes)
		snprintf(text, PCI_LINK_TEXT_SIZE, "%.1f GT/s x%u", link.GTps, link.lanes);
	return text;
}

struct pci_link pci_link_less(struct pci_link a, struct pci_link b)
{
	return (struct pci_link){.GTps = a.GTps < b.GTps ? a.GTps : b.GTps,
				 .lanes = a.lanes < b.lanes ? a.lanes : b.lanes};
}

bool pci_hop_is_degraded(const struct pci_hop *hop)
{
	return (hop->now.lanes && hop->now.lanes < hop->possible.lanes) ||
	       (hop->now.GTps > 0 && hop->now.GTps < hop->possible.GTps);
}

const char *pci_hop_trained(const struct pci_hop *hop, char text[PCI_TRAINED_SIZE])
{
	const struct pci_link *now = &hop->now, *possible = &hop->possible;
	char lanes[24] = "", speed[24] = "";

	if (now->lanes < possible->lanes)
		snprintf(lanes, sizeof(lanes), " of x%u", possible->lanes);
	if (now->GTps < possible->GTps)
		snprintf(speed, sizeof(speed), " of %g", possible->GTps);
	text[0] = '\0';
	if (now->lanes && now->GTps > 0)
		snprintf(text, PCI_TRAINED_SIZE, "x%u%s at %g%s GT/s", now->lanes, lanes, now->GTps,
			 speed);
	return text;
}

const char *pci_hop_text(const struct pci_hop *hop, char text[PCI_HOP_TEXT_SIZE])
{
	char trained[PCI_TRAINED_SIZE];

	snprintf(text, PCI_HOP_TEXT_SIZE, "%s, at most %.1f GB/s each way",
		 pci_hop_trained(hop, trained), pci_link_rate(hop->now) / 1e9);
	return text;
}

struct pci_link pci_link_decode(unsigned value)
{
	const unsigned speed = value & 0xf, lanes = value >> 4 & 0x3f;

	return (struct pci_link){.GTps = speed < SPEED_COUNT ? speeds[speed] : 0,
				 .lanes = lanes <= MAX_LANES ? lanes : 0};
}
