/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernel, or a device through it, says of a node, a device, or the whole machine. */
#ifndef CXLMON_KERNEL_SOURCE_H
#define CXLMON_KERNEL_SOURCE_H

#include "platform/platform.h"

struct kernel_source {
	int node;		   /* NODE_MACHINE: the whole machine; of a device, -1 */
	struct cxl_device *device; /* NULL: none. Not owned */
	char pci[PCI_TEXT_SIZE];   /* of the device whose memory it is; "": none, or several */
	bool shown;		   /* it has a row, and is part of the system's */
	bool fresh;		   /* it was read for this sample */
	bool known;		   /* the latest reading has succeeded */
	bool has_before;	   /* so has one until then: */
	struct kernel_stats before, now; /* the latest such, and this one */
	/* of a device: the latest that was known, which a change is said of */
	struct pci_link links[CXL_HOPS_MOST];
	bool gone;
	struct aer_kinds aer; /* of a device */
};

/* Before now and known are set by another reading. */
static inline void kernel_source_begin(struct kernel_source *source)
{
	if (source->known) {
		source->before = source->now;
		source->has_before = true;
	}
	source->fresh = true;
}

#endif
