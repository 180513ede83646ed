// SPDX-License-Identifier: BSD-3-Clause
/*
 * mock_link: sets how the links on the path to the CXL device were trained; qemu's switches and
 * devices have one lane at 2.5 GT/s. The parameters are lists that begin with the function below
 * the root port: the device, or the upstream port, the downstream port and the device. Each number
 * is the low ten bits of a register, speed 3:0 and width 9:4; 0 keeps the function's own value:
 *
 *   capabilities  the capability of the function
 *   status        the training of its link; for a downstream port, of the link below it
 *
 * Everything between these registers and a program is the kernel's: its attributes in sysfs. The
 * kernel stores the capabilities of a function that it finds, so it must find the functions again.
 * They are mocked then, because buses below a mocked bus use its functions for reads. The module
 * stays.
 *
 * Source: PCI Express Base Specification 6.0, "Link Capabilities Register", "Link Status Register",
 * "Link Capabilities 2 Register" (the speeds up to a device's highest, from bit 1 on)
 */
#include <linux/module.h>
#include <linux/pci.h>

#define LINK  0x3ff /* bits of speed and width */
#define DEPTH 3

static uint capabilities[DEPTH];
module_param_array(capabilities, uint, NULL, 0600);
static uint status[DEPTH];
module_param_array(status, uint, NULL, 0600);

static struct pci_bus *top; /* the bus below the root port */
static struct pci_ops *real_ops, mock_ops;

static u32 with(u32 value, u32 mask, u32 bits)
{
	return (value & ~mask) | bits;
}

/* Returns the index of the function on the path, by its bus; DEPTH: it is deeper. */
static unsigned int depth_of(const struct pci_bus *bus)
{
	unsigned int depth = 0;

	while (bus != top && depth < DEPTH) {
		bus = bus->parent;
		depth++;
	}
	return depth;
}

static u32 read(struct pci_bus *bus, int where, int size)
{
	u32 value = 0;

	real_ops->read(bus, 0, where, size, &value);
	return value;
}

/* Returns the offset of the function's PCI Express capability; 0: it has none. */
static int express_of(struct pci_bus *bus)
{
	int at = read(bus, PCI_CAPABILITY_LIST, 1);

	for (int i = 0; at && i < 48 && read(bus, at, 1) != PCI_CAP_ID_EXP; i++)
		at = read(bus, at + PCI_CAP_LIST_NEXT, 1);
	return at;
}

static u32 mock(uint can, uint is, int where, u32 value)
{
	if (can && where == PCI_EXP_LNKCAP)
		return with(value, LINK, can);
	if (can && where == PCI_EXP_LNKCAP2)
		return with(value, 0xfe, (2u << (can & PCI_EXP_LNKCAP_SLS)) - 2);
	/* the upper half, after the link's control register */
	if (is && where == PCI_EXP_LNKCTL)
		return with(value, LINK << 16, is << 16);
	return value;
}

static int mock_read(struct pci_bus *bus, unsigned int devfn, int where, int size, u32 *value)
{
	const unsigned int depth = depth_of(bus);
	const int rest = where & 3;
	u32 all;
	int rc = real_ops->read(bus, devfn, where - rest, 4, &all);

	if (!devfn && depth < DEPTH && all != ~0u)
		all = mock(capabilities[depth], status[depth], where - rest - express_of(bus), all);
	*value = all >> 8 * rest & GENMASK(8 * size - 1, 0);
	return rc;
}

static int __init mock_init(void)
{
	struct pci_dev *device = pci_get_class(PCI_CLASS_MEMORY_CXL << 8 | 0x10, NULL);

	if (!device)
		return -ENODEV;
	top = device->bus;
	while (pci_pcie_type(top->self) != PCI_EXP_TYPE_ROOT_PORT)
		top = top->parent;
	pci_dev_put(device);
	real_ops = top->ops;
	mock_ops = *real_ops;
	mock_ops.read = mock_read;
	pci_bus_set_ops(top, &mock_ops);
	return 0;
}

module_init(mock_init);
MODULE_DESCRIPTION("Lets links on the way to the emulated CXL device have another width and speed");
MODULE_LICENSE("Dual BSD/GPL");
