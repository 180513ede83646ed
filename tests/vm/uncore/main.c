/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * remote_uncore: lets a guest's kernel find the uncore of a simulated processor, which another
 * process on the host shows in the BARs of one PCI function (device.h). Tables and registers in
 * memory are there already; this adds the PCI functions, and the MSRs. It stays until the guest
 * ends. The processor's time passes as the guest's time, and by the seconds that are written to
 * the parameter pass.
 */
#include <linux/module.h>
#include <linux/pci.h>

#include "device.h"
#include "remote_uncore.h"

static void __iomem *clock;

static int pass(const char *text, const struct kernel_param *param)
{
	u64 seconds;
	const int rc = kstrtou64(text, 0, &seconds);

	if (!rc && clock)
		writeq(seconds * NSEC_PER_SEC, clock);
	return rc;
}

static const struct kernel_param_ops pass_ops = {.set = pass};
module_param_cb(pass, &pass_ops, NULL, 0200);
MODULE_PARM_DESC(pass, "seconds that have passed then");

static int map_clock(struct pci_dev *device)
{
	void __iomem *bar = pci_ioremap_bar(device, DEVICE_NODE_BAR);

	clock = bar ? bar + DEVICE_PASS : NULL;
	return clock ? 0 : -ENOMEM;
}

static int __init remote_uncore_init(void)
{
	struct pci_dev *device = pci_get_device(DEVICE_VENDOR, DEVICE_ID, NULL);
	int rc;

	if (!device)
		return -ENODEV;
	rc = pci_enable_device(device);
	if (!rc)
		rc = map_clock(device);
	if (!rc)
		rc = remote_msrs_serve(device);
	if (!rc)
		rc = remote_buses_add(device);
	return rc;
}

module_init(remote_uncore_init);

MODULE_DESCRIPTION("The uncore of a simulated processor");
MODULE_LICENSE("Dual BSD/GPL");
