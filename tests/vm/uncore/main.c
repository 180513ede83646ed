/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * remote_uncore: lets a guest's kernel find the uncore of a simulated processor, which another
 * process on the host shows behind the BARs of one PCI function (device.h). What lies in memory is
 * there already; this adds the PCI functions, and the MSRs. It stays until the guest ends.
 */
#include <linux/module.h>
#include <linux/pci.h>

#include "device.h"
#include "remote_uncore.h"

static int __init remote_uncore_init(void)
{
	struct pci_dev *device = pci_get_device(DEVICE_VENDOR, DEVICE_ID, NULL);
	int rc;

	if (!device)
		return -ENODEV;
	rc = pci_enable_device(device);
	if (!rc)
		rc = remote_msrs_serve(device);
	if (!rc)
		rc = remote_buses_add(device);
	return rc;
}

module_init(remote_uncore_init);

MODULE_DESCRIPTION("The uncore of a simulated processor");
MODULE_LICENSE("Dual BSD/GPL");
