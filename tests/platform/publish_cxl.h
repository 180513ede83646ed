/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel's CXL and DAX buses on a published machine: memory devices, and for each its endpoint,
 * a region of all its memory, and the dax device through which that is memory of its NUMA node.
 */
#ifndef CXLMON_TEST_PUBLISH_CXL_H
#define CXLMON_TEST_PUBLISH_CXL_H

#include "platform/platform.h"

void publish_cxl(const char *root, struct platform *p);

/* Links and errors as they are now; a device that is gone has no directory on the PCI bus. */
void publish_update_devices(const char *root, struct platform *p);

#endif
