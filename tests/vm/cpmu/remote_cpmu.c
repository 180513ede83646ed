/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * remote_cpmu: adds to each CXL memory device among the functions of remote_uncore the things that
 * the kernel's cxl_pci adds to a real one and that its CPMUs need: a device memN on the CXL bus,
 * the memory of each CPMU claimed, and a device pmu_memN.M for the driver cxl_pmu. cxl_pci itself
 * needs mailboxes and decoders, which the simulated devices do not have.
 *
 * The driver needs an interrupt of MSI-X, which never comes: it is that of another function of the
 * guest.
 */
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/slab.h>

#include "../cxl/cxl.h"
#include "../cxl/cxlpci.h"
#include "../cxl/pmu.h"

#define INTERRUPTS	 0x10D3 /* the device 82574L, qemu's e1000e */
#define CLASS_CXL_MEMORY 0x050210

#define REGISTER_LOCATOR 8
#define FIRST_BLOCK	 0x0C
#define BLOCK_CPMU	 4

static const struct device_type memdev_type = {.name = "memdev of remote_cpmu"};

static void release_memdev(struct device *dev)
{
	kfree(dev);
}

static int add_memdev(struct pci_dev *function, int number)
{
	struct device *dev = kzalloc(sizeof(*dev), GFP_KERNEL);
	int rc;

	if (!dev)
		return -ENOMEM;
	device_initialize(dev);
	dev->parent = &function->dev;
	dev->bus = &cxl_bus_type;
	dev->type = &memdev_type;
	dev->release = release_memdev;
	rc = dev_set_name(dev, "mem%d", number);
	if (!rc)
		rc = device_add(dev);
	if (rc)
		put_device(dev);
	return rc;
}

static int add_cpmu(struct pci_dev *function, struct pci_dev *interrupts, u32 low, u32 high,
		    int number, int index)
{
	const resource_size_t address =
		pci_resource_start(function, low & 7) + ((u64)high << 32 | (low & 0xffff0000));
	struct cxl_pmu_regs regs;

	if (!request_mem_region(address, CXL_PMU_REGMAP_SIZE, pci_name(function)))
		return -EBUSY;
	regs.pmu = ioremap(address, CXL_PMU_REGMAP_SIZE);
	if (!regs.pmu)
		return -ENOMEM;
	return devm_cxl_pmu_add(&interrupts->dev, &regs, number, index, CXL_PMU_MEMDEV);
}

static int add_cpmus(struct pci_dev *function, struct pci_dev *interrupts, int number)
{
	const u16 locator =
		pci_find_dvsec_capability(function, PCI_VENDOR_ID_CXL, REGISTER_LOCATOR);
	u32 header, low, high;
	int rc = 0, index = 0;

	if (!locator)
		return -ENODEV;
	pci_read_config_dword(function, locator + PCI_DVSEC_HEADER1, &header);
	for (u32 at = FIRST_BLOCK; !rc && at < header >> 20; at += 8) {
		pci_read_config_dword(function, locator + at, &low);
		pci_read_config_dword(function, locator + at + 4, &high);
		if ((low >> 8 & 0xff) == BLOCK_CPMU)
			rc = add_cpmu(function, interrupts, low, high, number, index++);
	}
	return rc;
}

static struct pci_dev *get_interrupts(void)
{
	struct pci_dev *found = pci_get_device(PCI_VENDOR_ID_INTEL, INTERRUPTS, NULL);

	if (!found || pci_enable_device(found) ||
	    pci_alloc_irq_vectors(found, 2, 2, PCI_IRQ_MSIX) < 0)
		return NULL;
	return found;
}

static int __init remote_cpmu_init(void)
{
	struct pci_dev *interrupts = get_interrupts(), *function = NULL;
	int rc = interrupts ? 0 : -ENODEV, number = 0;

	while (!rc && (function = pci_get_class(CLASS_CXL_MEMORY, function))) {
		rc = add_memdev(function, number);
		if (!rc)
			rc = add_cpmus(function, interrupts, number++);
	}
	return rc ? rc : number ? 0 : -ENODEV;
}

module_init(remote_cpmu_init);

MODULE_DESCRIPTION("The CPMUs of simulated CXL devices");
MODULE_IMPORT_NS(CXL);
MODULE_LICENSE("Dual BSD/GPL");
