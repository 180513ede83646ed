/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REMOTE_UNCORE_H
#define REMOTE_UNCORE_H

#include <linux/pci.h>

/* Show the contents of the BARs of this function, which is enabled. 0 or a negative errno. */
int remote_buses_add(struct pci_dev *device);
int remote_msrs_serve(struct pci_dev *device);

#endif
