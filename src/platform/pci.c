/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/pci.h"
#include "platform/pci_link.h"

#include <stdio.h>

const char *pci_location_text(struct pci_location at, char text[PCI_TEXT_SIZE])
{
	snprintf(text, PCI_TEXT_SIZE, "%04x:%02x:%02x.%x", at.domain, at.bus, at.device,
		 at.function);
	return text;
}
