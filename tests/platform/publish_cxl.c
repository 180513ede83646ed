/* SPDX-License-Identifier: BSD-3-Clause */
#include "publish_cxl.h"

#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/rootfs.h"
#include "tree.h"

#define PCI_BUS	     "sys/bus/pci/devices/"
#define CXL_ROOT     "platform/ACPI0017:00/root0" /* below sys/devices */
#define DEVICES_MOST 128
#define PATH_SIZE    256
#define MEMORY_BASE  UINT64_C(0x100000000000) /* of the first region */

/* Makes a directory below sys/devices, and the link on the bus that leads there. */
__attribute__((format(printf, 5, 6))) static void entry(char below[PATH_SIZE], const char *root,
							const char *bus, const char *name,
							const char *parent, ...)
{
	char path[PATH_SIZE + 64], target[PATH_SIZE + 64];
	va_list args;

	va_start(args, parent);
	int used = vsnprintf(below, PATH_SIZE, parent, args);
	va_end(args);
	snprintf(below + used, (size_t)(PATH_SIZE - used), "/%s", name);
	snprintf(path, sizeof(path), "sys/devices/%s", below);
	tree_directory(root, path);
	snprintf(path, sizeof(path), "sys/bus/%s/devices/%s", bus, name);
	snprintf(target, sizeof(target), "../../../devices/%s", below);
	tree_link(root, path, target);
}

/* A file in such a directory. */
__attribute__((format(printf, 4, 5))) static void attribute(const char *root, const char *below,
							    const char *name, const char *format,
							    ...)
{
	char path[PATH_SIZE + 64], text[64];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	snprintf(path, sizeof(path), "sys/devices/%s/%s", below, name);
	tree_text(root, path, "%s\n", text);
}

static void publish_memdev(const char *root, const struct cxl_device *device)
{
	char below[PATH_SIZE], path[PATH_SIZE / 2], at[PCI_TEXT_SIZE];

	snprintf(path, sizeof(path), "pci%04x:%02x", device->path[0].domain, device->path[0].bus);
	for (size_t i = 0; i < device->depth; i++)
		snprintf(path + strlen(path), sizeof(path) - strlen(path), "/%s",
			 pci_location_text(device->path[i], at));
	entry(below, root, "cxl", device->name, "%s", path);
	attribute(root, below, "numa_node", "%d", device->near_node);
	attribute(root, below, "ram/size", "0x%" PRIx64, device->bytes);
	attribute(root, below, "pmem/size", "0x0");
	attribute(root, below, "serial", "0x0");
}

static void publish_end(const char *root, struct pci_location at, const char *prefix,
			struct pci_link link)
{
	char path[PATH_SIZE], text[PCI_TEXT_SIZE];

	pci_location_text(at, text);
	snprintf(path, sizeof(path), PCI_BUS "%s/%s_link_speed", text, prefix);
	tree_text(root, path, "%.1f GT/s PCIe\n", link.GTps);
	snprintf(path, sizeof(path), "sys/bus/pci/devices/%s/%s_link_width", text, prefix);
	tree_text(root, path, "%u\n", link.lanes);
}

/* A CXL 1.1 device shows its link status register. */
static void publish_status(const char *root, const struct pci_hop *hop)
{
	char path[PATH_SIZE], text[PCI_TEXT_SIZE];
	unsigned speed = 1;

	while (speed < 15 && pci_link_decode(speed).GTps < hop->now.GTps)
		speed++;
	snprintf(path, sizeof(path), "sys/bus/pci/devices/%s/rcd_link_status",
		 pci_location_text(hop->below, text));
	tree_text(root, path, "%x\n", hop->now.lanes << 4 | speed);
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

/* The endpoint and its decoder stand below a port, which is that of the device's host bridge. */
static void publish_endpoint(const char *root, const struct cxl_device *device, unsigned number)
{
	char port[PATH_SIZE], endpoint[PATH_SIZE], decoder[PATH_SIZE], path[PATH_SIZE + 64],
		target[128], name[32];

	snprintf(name, sizeof(name), "port%u", 2 * number + 1);
	entry(port, root, "cxl", name, CXL_ROOT);
	snprintf(name, sizeof(name), "endpoint%u", 2 * number + 2);
	entry(endpoint, root, "cxl", name, "%s", port);
	snprintf(path, sizeof(path), "sys/devices/%s/uport", endpoint);
	snprintf(target, sizeof(target), "../../../../../../bus/cxl/devices/%s", device->name);
	tree_link(root, path, target);
	snprintf(name, sizeof(name), "decoder%u.0", 2 * number + 2);
	entry(decoder, root, "cxl", name, "%s", endpoint);
	attribute(root, decoder, "mode", "ram");
}

/* The number of a device among all, which its endpoint and decoder have, too. */
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
	char region[PATH_SIZE], dax[PATH_SIZE], name[32];

	entry(region, root, "cxl", r->name, CXL_ROOT "/decoder0.0");
	attribute(root, region, "mode", "%s", r->mode);
	attribute(root, region, "interleave_ways", "%u", r->ways);
	attribute(root, region, "interleave_granularity", "%u", r->granularity);
	for (size_t i = 0; i < r->device_count; i++) {
		snprintf(name, sizeof(name), "target%zu", i);
		attribute(root, region, name, "decoder%u.0",
			  2 * number_of(r->devices[i], devices, count) + 2);
	}
	attribute(root, region, "size", "0x%" PRIx64, r->bytes);
	attribute(root, region, "resource", "0x%" PRIx64, MEMORY_BASE + number * r->bytes);
	snprintf(name, sizeof(name), "dax%u.0", number);
	entry(dax, root, "dax", name, "%s/dax_region%u", region, number);
	attribute(root, dax, "target_node", "%d", r->node);
}

static void publish_promise(const char *root, int node, const char *name, double number)
{
	char path[PATH_SIZE];

	snprintf(path, sizeof(path), "sys/devices/system/node/node%d/access1/initiators/%s", node,
		 name);
	if (number > 0)
		tree_text(root, path, "%.0f\n", number);
}

static void publish_layout(const char *root, struct platform *p, const struct cxl_device *devices,
			   size_t count)
{
	struct memory_layout memory;
	struct error why;

	if (p->ops->memory_layout(p, &memory, &why))
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

/* Numbers have the same length, whatever they are. */
static void update_errors(const char *root, const char *at, const struct kernel_stats *stats)
{
	static const struct {
		const char *file, *total;
		enum kernel_stat stat;
	} files[] = {{"correctable", "COR", AER_CORRECTABLE},
		     {"nonfatal", "NONFATAL", AER_NONFATAL},
		     {"fatal", "FATAL", AER_FATAL}};
	char path[PATH_SIZE];

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(path, sizeof(path), PCI_BUS "%s/aer_dev_%s", at, files[i].file);
		tree_overwrite(root, path, "TOTAL_ERR_%s %20.0f\n", files[i].total,
			       stats->values[files[i].stat]);
	}
}

static void update_links(const char *root, const struct cxl_device *device,
			 const struct device_stats *stats)
{
	char path[PATH_SIZE], text[PCI_TEXT_SIZE];

	for (size_t h = 0; device->depth > 1 && h < device->hop_count; h++) {
		snprintf(path, sizeof(path), PCI_BUS "%s/current_link_width",
			 pci_location_text(device->hops[h].below, text));
		tree_overwrite(root, path, "%-2u\n", stats->links[h].lanes);
	}
}

/* A device that is gone has another name meanwhile. */
static void update_presence(const char *root, const char *at, bool gone)
{
	char here[ROOTFS_PATH_SIZE], away[ROOTFS_PATH_SIZE];

	if (rootfs_path(here, root, PCI_BUS "%s", at) ||
	    rootfs_path(away, root, PCI_BUS "gone-%s", at))
		errx(1, "path too long");
	if (rename(gone ? here : away, gone ? away : here) && errno != ENOENT)
		err(1, "%s", here);
}

/* A test may change files, too: those of a link and a device stay until these change. */
void publish_update_devices(const char *root, struct platform *p)
{
	static struct device_stats before[DEVICES_MOST];
	struct cxl_device *devices;
	struct device_stats stats;
	char at[PCI_TEXT_SIZE];
	struct error why;
	size_t count;

	if (p->ops->cxl_devices(p, &devices, &count, &why))
		errx(1, "%s", why.text);
	for (size_t i = 0; i < count && i < DEVICES_MOST; i++) {
		p->ops->device_stats(p, &devices[i], p->ops->wall(p), &stats);
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

/* Functions without errors have none of these files, as where the kernel has no CONFIG_PCIEAER. */
static void publish_errors(const char *root, const struct cxl_device *device)
{
	static const char *const kinds[] = {"correctable", "nonfatal", "fatal"};
	char path[PATH_SIZE], at[PCI_TEXT_SIZE];

	pci_location_text(device->path[device->depth - 1], at);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		snprintf(path, sizeof(path), PCI_BUS "%s/aer_dev_%s", at, kinds[i]);
		tree_text(root, path, "%s", "");
	}
}

void publish_cxl(const char *root, struct platform *p)
{
	struct cxl_device *devices;
	struct error why;
	size_t count;

	if (p->ops->cxl_devices(p, &devices, &count, &why))
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
