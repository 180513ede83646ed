/* SPDX-License-Identifier: BSD-3-Clause */
/* Root buses with the simulated processor's PCI functions. */
#include <linux/ioport.h>
#include <linux/module.h>
#include <linux/pci.h>

#include "device.h"
#include "remote_uncore.h"

#define BUSES	  256
#define BUS_SHIFT 20

static bool nodes = true;
module_param(nodes, bool, 0444);
MODULE_PARM_DESC(nodes, "whether the NUMA nodes of the functions are known");

static void __iomem *config_space, *node_of_bus;
static struct pci_sysdata sysdata[BUSES];
static struct resource bus_numbers[BUSES];

/* The memory of the functions' BARs. It is not requested as by a driver: /dev/mem must show it. */
static struct resource memory = {.name = "simulated uncore", .flags = IORESOURCE_MEM};

static void __iomem *map_bus(struct pci_bus *bus, unsigned int devfn, int where)
{
	return config_space + (bus->number << BUS_SHIFT) + (devfn << 12) + where;
}

static struct pci_ops ops = {
	.map_bus = map_bus,
	.read = pci_generic_config_read,
	.write = pci_generic_config_write,
};

static int find_node(int bus)
{
	const u8 node = readb(node_of_bus + bus);

	return nodes && node != DEVICE_NODE_NOT_KNOWN ? node : NUMA_NO_NODE;
}

static int add_bus(int number)
{
	struct resource *range = &bus_numbers[number];
	struct pci_bus *bus;
	LIST_HEAD(resources);

	sysdata[number] = (struct pci_sysdata){.domain = 0, .node = find_node(number)};
	*range = (struct resource)DEFINE_RES_NAMED(number, 1, "simulated bus", IORESOURCE_BUS);
	pci_add_resource(&resources, range);
	pci_add_resource(&resources, &memory);
	bus = pci_create_root_bus(NULL, number, &ops, &sysdata[number], &resources);
	if (!bus) {
		pci_free_resource_list(&resources);
		return -ENODEV;
	}
	pci_scan_child_bus(bus);
	pci_bus_claim_resources(bus);
	pci_bus_add_devices(bus);
	return 0;
}

/* Adds all buses that have functions; each of them has a device 0. */
int remote_buses_add(struct pci_dev *device)
{
	struct resource *bar = &device->resource[DEVICE_MEMORY_BAR];
	int rc;

	config_space = pci_ioremap_bar(device, DEVICE_CONFIG_BAR);
	node_of_bus = pci_ioremap_bar(device, DEVICE_NODE_BAR);
	if (!config_space || !node_of_bus)
		return -ENOMEM;
	memory.start = bar->start;
	memory.end = bar->end;
	rc = request_resource(bar, &memory);
	for (int number = 0; !rc && number < BUSES; number++)
		if (readw(config_space + (number << BUS_SHIFT)) != 0xffff)
			rc = add_bus(number);
	return rc;
}
