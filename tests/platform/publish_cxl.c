/* SPDX-License-Identifier: BSD-3-Clause */
#include "publish.h"

#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rootfs.h"
#include "base/text.h"
#include "platform/clock.h"
#include "platform/cxl.h"
#include "platform/kernel_stats.h"
#include "platform/memory.h"
#include "platform/pci.h"
#include "tree.h"

#define FUNCTION     "sys/bus/pci/devices/%s/"
#define CXL_ROOT     "platform/ACPI0017:00/root0" /* below sys/devices */
#define DEVICE	     "sys/devices/%s/"
#define DEVICES_MOST 128
#define PATH_SIZE    256

/* Makes a directory below sys/devices, and a link on the bus that leads there. Returns its path. */
__attribute__((format(printf, 4, 5))) static const char *on_bus(char path[PATH_SIZE],
								const char *root, const char *bus,
								const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(path, PATH_SIZE, format, args);
	va_end(args);
	tree_directory(root, "sys/devices/%s", path);
	tree_link(root, "sys/bus/%s/devices%s=../../../devices/%s", bus, strrchr(path, '/'), path);
	return path;
}

static void publish_memdev(const char *root, const struct cxl_device *device)
{
	char path[PATH_SIZE], functions[PATH_SIZE / 2] = "", at[PCI_TEXT_SIZE];

	for (size_t i = 0; i < device->depth; i++)
		text_append(functions, sizeof(functions), "/%s",
			    pci_location_text(device->path[i], at));
	on_bus(path, root, "cxl", "pci%04x:%02x%s/%s", device->path[0].domain, device->path[0].bus,
	       functions, device->name);
	tree_text(root, DEVICE "numa_node=%d\n", path, device->near_node);
	tree_text(root, DEVICE "ram/size=0x%" PRIx64 "\n", path, device->bytes);
	tree_text(root, DEVICE "pmem/size=0x0\n", path);
	tree_text(root, DEVICE "serial=0x0\n", path);
}

static void publish_end(const char *root, struct pci_location at, const char *prefix,
			struct pci_link link)
{
	char text[PCI_TEXT_SIZE];

	pci_location_text(at, text);
	tree_text(root, FUNCTION "%s_link_speed=%.1f GT/s PCIe\n", text, prefix, link.GTps);
	tree_text(root, FUNCTION "%s_link_width=%u\n", text, prefix, link.lanes);
}

/* Publishes the link status register, which a CXL 1.1 device has. */
static void publish_status(const char *root, const struct pci_hop *hop)
{
	char text[PCI_TEXT_SIZE];
	unsigned speed = 1;

	while (speed < 15 && pci_link_decode(speed).GTps < hop->now.GTps)
		speed++;
	tree_text(root, FUNCTION "rcd_link_status=%x\n", pci_location_text(hop->below, text),
		  hop->now.lanes << 4 | speed);
}

static void publish_links(const char *root, const struct cxl_device *device)
{
	if (device->depth == 1 && device->hop_count) {
		publish_status(root, &device->hops[0]);
		return;
	}
	for (size_t h = 0; h < device->hop_count; h++) {
		const struct pci_hop *hop = &device->hops[h];

		publish_end(root, hop->above, "current", hop->now);
		publish_end(root, hop->below, "current", hop->now);
		publish_end(root, hop->above, "max", hop->possible);
		publish_end(root, hop->below, "max", hop->possible);
	}
}

/* Publishes the endpoint and its decoder below a port of the device's host bridge. */
static void publish_endpoint(const char *root, const struct cxl_device *device, unsigned number)
{
	char port[PATH_SIZE], endpoint[PATH_SIZE], decoder[PATH_SIZE];

	on_bus(port, root, "cxl", CXL_ROOT "/port%u", 2 * number + 1);
	on_bus(endpoint, root, "cxl", "%s/endpoint%u", port, 2 * number + 2);
	tree_link(root, DEVICE "uport=../../../../../../bus/cxl/devices/%s", endpoint,
		  device->name);
	on_bus(decoder, root, "cxl", "%s/decoder%u.0", endpoint, 2 * number + 2);
	tree_text(root, DEVICE "mode=ram\n", decoder);
}

/* Returns the number of a device among all, which its endpoint and decoder also have. */
static unsigned number_of(const char *name, const struct cxl_device *devices, size_t count)
{
	unsigned i = 0;

	while (i < count && strcmp(devices[i].name, name) != 0)
		i++;
	return i;
}

static void publish_region(const char *root, const struct cxl_region *r, unsigned number,
			   const struct cxl_device *devices, size_t count)
{
	char region[PATH_SIZE], dax[PATH_SIZE];

	on_bus(region, root, "cxl", CXL_ROOT "/decoder0.0/%s", r->name);
	tree_text(root, DEVICE "mode=%s\n", region, r->mode);
	tree_text(root, DEVICE "interleave_ways=%u\n", region, r->ways);
	tree_text(root, DEVICE "interleave_granularity=%u\n", region, r->granularity);
	for (size_t i = 0; i < r->device_count; i++)
		tree_text(root, DEVICE "target%zu=decoder%u.0\n", region, i,
			  2 * number_of(r->devices[i], devices, count) + 2);
	tree_text(root, DEVICE "size=0x%" PRIx64 "\n", region, r->bytes);
	tree_text(root, DEVICE "resource=0x%" PRIx64 "\n", region, r->base);
	on_bus(dax, root, "dax", "%s/dax_region%u/dax%u.0", region, number, number);
	tree_text(root, DEVICE "target_node=%d\n", dax, r->node);
}

static void publish_promise(const char *root, int node, const char *name, double number)
{
	if (number > 0)
		tree_text(root, "sys/devices/system/node/node%d/access1/initiators/%s=%.0f\n", node,
			  name, number);
}

static void publish_layout(const char *root, struct platform *p, const struct cxl_device *devices,
			   size_t count)
{
	struct memory_layout memory;
	struct error why;

	if (p->ops->memory->layout(p, &memory, &why))
		errx(1, "%s", why.text);
	for (size_t i = 0; i < memory.region_count; i++)
		publish_region(root, &memory.regions[i], (unsigned)i, devices, count);
	for (size_t i = 0; i < memory.node_count; i++) {
		const struct memory_node *node = &memory.nodes[i];

		publish_promise(root, node->node, "read_bandwidth", node->read_MBps);
		publish_promise(root, node->node, "write_bandwidth", node->write_MBps);
		publish_promise(root, node->node, "read_latency", node->read_ns);
		publish_promise(root, node->node, "write_latency", node->write_ns);
	}
	memory_layout_free(&memory);
}

/* Updates errors, with numbers that always have the same length. */
static void update_errors(const char *root, const char *at, const struct kernel_stats *stats)
{
	static const struct {
		const char *file, *total;
		enum kernel_stat stat;
	} files[] = {{"correctable", "COR", AER_CORRECTABLE},
		     {"nonfatal", "NONFATAL", AER_NONFATAL},
		     {"fatal", "FATAL", AER_FATAL}};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		tree_overwrite(root, FUNCTION "aer_dev_%s=TOTAL_ERR_%s %20.0f\n", at, files[i].file,
			       files[i].total, stats->values[files[i].stat]);
}

static void update_links(const char *root, const struct cxl_device *device,
			 const struct device_stats *stats)
{
	char text[PCI_TEXT_SIZE];

	for (size_t h = 0; device->depth > 1 && h < device->hop_count; h++)
		tree_overwrite(root, FUNCTION "current_link_width=%-2u\n",
			       pci_location_text(device->hops[h].below, text),
			       stats->links[h].lanes);
}

/* Renames a device that is gone, or has come back. */
static void update_presence(const char *root, const char *at, bool gone)
{
	char here[ROOTFS_PATH_SIZE], away[ROOTFS_PATH_SIZE];

	if (rootfs_path(here, root, "sys/bus/pci/devices/%s", at) ||
	    rootfs_path(away, root, "sys/bus/pci/devices/gone-%s", at))
		errx(1, "path too long");
	if (rename(gone ? here : away, gone ? away : here) && errno != ENOENT)
		err(1, "%s", here);
}

/*
 * Updates devices that have changed. Files of a link and a device that a test has changed stay
 * until then.
 */
void publish_update_devices(const char *root, struct platform *p)
{
	static struct device_stats before[DEVICES_MOST];
	struct cxl_device *devices;
	struct device_stats stats;
	char at[PCI_TEXT_SIZE];
	struct error why;
	size_t count;

	if (p->ops->cxl->devices(p, &devices, &count, &why))
		errx(1, "%s", why.text);
	for (size_t i = 0; i < count && i < DEVICES_MOST; i++) {
		p->ops->cxl->stats(p, &devices[i], p->ops->clock->wall(p), &stats);
		pci_location_text(devices[i].path[devices[i].depth - 1], at);
		if (stats.gone != before[i].gone)
			update_presence(root, at, stats.gone);
		if (!stats.gone && memcmp(stats.links, before[i].links, sizeof(stats.links)) != 0)
			update_links(root, &devices[i], &stats);
		if (!stats.gone)
			update_errors(root, at, &stats.kernel);
		before[i] = stats;
	}
	free(devices);
}

/* Publishes empty error files: functions without errors have none, as without CONFIG_PCIEAER. */
static void publish_errors(const char *root, const struct cxl_device *device)
{
	static const char *const kinds[] = {"correctable", "nonfatal", "fatal"};
	char at[PCI_TEXT_SIZE];

	pci_location_text(device->path[device->depth - 1], at);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		tree_zeros(root, 0, FUNCTION "aer_dev_%s", at, kinds[i]);
}

void publish_cxl(const char *root, struct platform *p)
{
	struct cxl_device *devices;
	struct error why;
	size_t count;

	if (p->ops->cxl->devices(p, &devices, &count, &why))
		errx(1, "%s", why.text);
	tree_directory(root, "sys/bus/cxl/devices");
	for (size_t i = 0; i < count; i++) {
		publish_memdev(root, &devices[i]);
		publish_links(root, &devices[i]);
		publish_errors(root, &devices[i]);
		publish_endpoint(root, &devices[i], (unsigned)i);
	}
	publish_layout(root, p, devices, count);
	free(devices);
	publish_update_devices(root, p);
}
