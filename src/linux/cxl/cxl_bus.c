/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/cxl/cxl.h"
#include "linux/cxl/cxl_private.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rootfs.h"
#include "base/text.h"
#include "linux/cxl/devdax.h"
#include "linux/system/linux_platform.h"
#include "linux/system/topology.h"
#include "platform/cxl.h"
#include "platform/kernel_stats.h"
#include "platform/memory.h"
#include "platform/pci.h"

#define CXL_BUS "sys/bus/cxl/devices"

#define LINE_SIZE 64
#define NAME_SIZE 300 /* for the path of a file below these directories */

/* Resolves a bus entry, which is a symbolic link into sys/devices. */
static bool resolve_link(const char *root, const char *path, char out[PATH_MAX])
{
	char full[ROOTFS_PATH_SIZE];

	return !rootfs_path(full, root, "%s", path) && realpath(full, out);
}

/* Parses a directory name of exactly the form "0000:35:00.0". */
static bool parse_location(const char *name, struct pci_location *out)
{
	unsigned domain, bus, device, function;
	int used = 0;

	if (sscanf(name, "%x:%x:%x.%x%n", &domain, &bus, &device, &function, &used) != 4 ||
	    name[used] || bus > UINT8_MAX || device > 31 || function > 7)
		return false;
	*out = (struct pci_location){.domain = domain,
				     .bus = (uint8_t)bus,
				     .device = (uint8_t)device,
				     .function = (uint8_t)function};
	return true;
}

/* Sets the functions in a path such as .../pci0000:34/0000:34:01.0/0000:35:00.0/mem0 */
static void read_path(const char *root, const char *entry, struct cxl_device *device)
{
	char full[PATH_MAX], *rest = full, *name;
	struct pci_location at;

	if (!resolve_link(root, entry, full))
		return;
	while ((name = strsep(&rest, "/"))) {
		if (!parse_location(name, &at))
			continue;
		/* if the path is too long, keeps its beginning and its last function */
		if (device->depth < CXL_PATH_MAX)
			device->depth++;
		device->path[device->depth - 1] = at;
	}
}

static void read_hops(struct platform *p, struct cxl_device *device)
{
	const char *root = linux_of(p)->root;
	struct device_stats now;

	cxl_device_set_hops(device);
	linux_device_stats(p, device, 0, &now);
	for (size_t h = 0; h < device->hop_count; h++) {
		struct pci_hop *hop = &device->hops[h];

		hop->now = now.links[h];
		if (device->depth > 1) /* the port of a CXL 1.1 device is unknown */
			hop->possible = pci_link_less(device_files_link(root, hop->above, "max"),
						      device_files_link(root, hop->below, "max"));
	}
}

static void read_device(struct platform *p, unsigned number, struct cxl_device *out)
{
	const char *root = linux_of(p)->root;
	char entry[64];

	*out = (struct cxl_device){.node = -1};
	snprintf(out->name, sizeof(out->name), "mem%u", number);
	snprintf(entry, sizeof(entry), CXL_BUS "/%s", out->name);
	read_path(root, entry, out);
	if (!out->depth)
		return; /* the device is not on a PCI bus, and is not listed */
	read_hops(p, out);
	out->near_node = rootfs_int(root, -1, "%s/numa_node", entry);
	out->bytes = rootfs_number(root, 0, "%s/ram/size", entry) +
		     rootfs_number(root, 0, "%s/pmem/size", entry);
	out->serial = rootfs_number(root, 0, "%s/serial", entry);
}

/*
 * Returns the node of the first block that lies wholly in a region and has a node: the region's
 * first and last block may be shared with DRAM or with another region, or be missing.
 */
static int node_of_blocks(const char *root, const struct cxl_region *region, const unsigned *blocks,
			  size_t count)
{
	const uint64_t size = linux_block_size(root);
	int node = -1;

	for (size_t i = 0; size && region->base && node < 0 && i < count; i++) {
		const uint64_t first = blocks[i] * size;

		if (first >= region->base && region->bytes >= size &&
		    first - region->base <= region->bytes - size)
			node = linux_node_of(root, "memory/memory", blocks[i]);
	}
	return node;
}

/* Sets the nodes of regions without a dax device. 0 or -ENOMEM. */
static int find_nodes_of_blocks(const char *root, struct cxl_region *regions, size_t region_count)
{
	unsigned *blocks;
	size_t count;
	const int rc = sysfs_indices(&blocks, &count, "memory", root, "sys/devices/system/memory");

	for (size_t i = 0; !rc && i < region_count; i++)
		if (regions[i].node < 0)
			regions[i].node = node_of_blocks(root, &regions[i], blocks, count);
	free(blocks);
	return rc;
}

/*
 * Finds the device of a region's target: the target is a decoder, whose parent directory is an
 * endpoint, whose uport links to the device.
 */
static bool read_target(const char *root, const char *region, unsigned index,
			char device[REGION_NAME_SIZE])
{
	char path[NAME_SIZE], decoder[LINE_SIZE], full[PATH_MAX];
	unsigned number;

	if (rootfs_line(decoder, sizeof(decoder), root, CXL_BUS "/%s/target%u", region, index) ||
	    !*decoder)
		return false;
	snprintf(path, sizeof(path), CXL_BUS "/%s/../uport", decoder);
	if (!resolve_link(root, path, full) || !sysfs_index(strrchr(full, '/') + 1, "mem", &number))
		return false;
	snprintf(device, REGION_NAME_SIZE, "mem%u", number);
	return true;
}

static void read_region(const char *root, unsigned number, struct cxl_region *out)
{
	char line[LINE_SIZE];

	*out = (struct cxl_region){.node = -1};
	snprintf(out->name, sizeof(out->name), "region%u", number);
	const int ways = rootfs_int(root, 0, CXL_BUS "/%s/interleave_ways", out->name);
	const int bytes = rootfs_int(root, 0, CXL_BUS "/%s/interleave_granularity", out->name);
	out->ways = ways > 0 && ways <= REGION_MAX_WAYS ? (unsigned)ways : 0;
	out->granularity = bytes > 0 ? (unsigned)bytes : 0;
	out->base = rootfs_number(root, 0, CXL_BUS "/%s/resource", out->name);
	out->bytes = rootfs_number(root, 0, CXL_BUS "/%s/size", out->name);
	rootfs_line(line, sizeof(line), root, CXL_BUS "/%s/mode", out->name);
	if (text_is_name(line) && strlen(line) < sizeof(out->mode))
		strcpy(out->mode, line);
	for (unsigned i = 0; i < out->ways; i++)
		out->device_count +=
			read_target(root, out->name, i, out->devices[out->device_count]);
}

/*
 * Returns the region of a dax device, by its place in sysfs, or by its memory if the driver
 * dax_hmem made it. NULL: none.
 */
static struct cxl_region *region_of_dax(const char *root, const char *dax,
					struct cxl_region *regions, size_t count)
{
	char path[NAME_SIZE], target[PATH_MAX], part[64];

	snprintf(path, sizeof(path), DAX_BUS "/%s", dax);
	if (!resolve_link(root, path, target))
		return NULL;
	for (size_t i = 0; i < count; i++) {
		snprintf(part, sizeof(part), "/%s/", regions[i].name);
		if (strstr(target, part))
			return &regions[i];
	}
	const uint64_t first = rootfs_number(root, 0, DAX_BUS "/%s/resource", dax);
	for (size_t i = 0; first && i < count; i++) {
		const uint64_t start = regions[i].base;

		if (start && first >= start && first - start < regions[i].bytes)
			return &regions[i];
	}
	return NULL;
}

/*
 * Sets the nodes of regions: the target_node of its dax device, or the node of its blocks. 0 or
 * -ENOMEM.
 */
static int find_nodes(const char *root, struct cxl_region *regions, size_t count)
{
	char full[ROOTFS_PATH_SIZE];
	DIR *dir = !count || rootfs_path(full, root, DAX_BUS) ? NULL : opendir(full);

	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		struct cxl_region *region =
			*entry->d_name == '.' ? NULL
					      : region_of_dax(root, entry->d_name, regions, count);

		if (region && region->node < 0)
			region->node =
				rootfs_int(root, -1, DAX_BUS "/%s/target_node", entry->d_name);
	}
	if (dir)
		closedir(dir);
	return find_nodes_of_blocks(root, regions, count);
}

int linux_cxl_regions(const char *root, struct cxl_region **out, size_t *count)
{
	unsigned *numbers = NULL;
	int rc = sysfs_indices(&numbers, count, "region", root, CXL_BUS);

	*out = rc ? NULL : calloc(*count + 1, sizeof(**out));
	if (!*out)
		rc = -ENOMEM;
	for (size_t i = 0; !rc && i < *count; i++)
		read_region(root, numbers[i], &(*out)[i]);
	if (!rc)
		rc = find_nodes(root, *out, *count);
	free(numbers);
	return rc;
}

/* Sets the node of a device: the node of the first region that has the device. */
static void set_node(struct cxl_device *device, const struct cxl_region *regions, size_t count)
{
	for (size_t r = 0; r < count; r++)
		for (size_t i = 0; i < regions[r].device_count; i++)
			if (device->node < 0 && !strcmp(device->name, regions[r].devices[i]))
				device->node = regions[r].node;
}

int linux_cxl_devices(struct platform *p, struct cxl_device **out, size_t *count, struct error *err)
{
	const char *root = linux_of(p)->root;
	struct cxl_region *regions = NULL;
	unsigned *mems = NULL;
	size_t mem_count, region_count = 0;
	int rc = sysfs_indices(&mems, &mem_count, "mem", root, CXL_BUS);

	if (!rc)
		rc = linux_cxl_regions(root, &regions, &region_count);
	*out = rc ? NULL : calloc(mem_count + 1, sizeof(**out));
	*count = 0;
	if (!*out)
		rc = -ENOMEM;
	for (size_t i = 0; !rc && i < mem_count; i++) {
		read_device(p, mems[i], &(*out)[*count]);
		set_node(&(*out)[*count], regions, region_count);
		*count += (*out)[*count].depth > 0;
	}
	free(mems);
	free(regions);
	return rc ? error_no_memory(err) : 0;
}
