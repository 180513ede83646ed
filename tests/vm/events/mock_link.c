// SPDX-License-Identifier: BSD-3-Clause
/*
 * mock_link: lets the link of the CXL device behind a port have been trained as the parameters say:
 * qemu's device has one lane at 2.5 GT/s. They are the low ten bits of two registers, speed 3:0 and
 * width 9:4, and 0 is the device's own:
 *
 *   capabilities  what the device could do
 *   status        what it was trained to
 *
 * What is between the device's registers and a program is the kernel's: its attributes in sysfs.
 *
 * Source: PCI Express Base Specification 6.0, "Link Capabilities Register", "Link Status Register",
 * "Link Capabilities 2 Register" (the speeds up to a device's highest, from bit 1 on)
 */
#include <linux/module.h>
#include <linux/pci.h>

#define LINK 0x3ff /* speed and width */

static uint capabilities;
module_param(capabilities, uint, 0600);
static uint status;
module_param(status, uint, 0600);

static struct pci_bus *bus; /* on which is nothing but the device */
static struct pci_ops *real_ops, mock_ops;
static u8 express; /* where the device's PCI Express capability is */

static u32 with(u32 value, u32 mask, u32 bits)
{
	return (value & ~mask) | bits;
}

static u32 mock(int where, u32 value)
{
	const u32 highest = capabilities & PCI_EXP_LNKCAP_SLS;

	if (capabilities && where == express + PCI_EXP_LNKCAP)
		return with(value, LINK, capabilities);
	if (capabilities && where == express + PCI_EXP_LNKCAP2)
		return with(value, 0xfe, (2u << highest) - 2);
	/* the upper half, behind the link's control register */
	if (status && where == express + PCI_EXP_LNKCTL)
		return with(value, LINK << 16, status << 16);
	return value;
}

static int mock_read(struct pci_bus *from, unsigned int devfn, int where, int size, u32 *value)
{
	const int rest = where & 3;
	u32 all;
	int rc = real_ops->read(from, devfn, where - rest, 4, &all);

	if (!devfn)
		all = mock(where - rest, all);
	*value = all >> 8 * rest & GENMASK(8 * size - 1, 0);
	return rc;
}

static int __init mock_init(void)
{
	struct pci_dev *device = pci_get_class(PCI_CLASS_MEMORY_CXL << 8 | 0x10, NULL);

	if (!device)
		return -ENODEV;
	bus = device->bus;
	express = pci_pcie_cap(device);
	pci_dev_put(device);
	real_ops = bus->ops;
	mock_ops = *real_ops;
	mock_ops.read = mock_read;
	pci_bus_set_ops(bus, &mock_ops);
	return 0;
}

static void __exit mock_exit(void)
{
	pci_bus_set_ops(bus, real_ops);
}

module_init(mock_init);
module_exit(mock_exit);
MODULE_DESCRIPTION("Lets the emulated CXL device have a link of another width and speed");
MODULE_LICENSE("Dual BSD/GPL");
