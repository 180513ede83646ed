/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/devices/cxl_nodes.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rootfs.h"
#include "base/text.h"
#include "platform/cxl.h"
#include "platform/memory.h"

#define SYSFS_NODES "sys/devices/system/node"

/* The end of an error's text. */
#define ANY_NODE "; --node=N takes any node instead"

static int compare_numbers(const void *a, const void *b)
{
	const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return (x > y) - (x < y);
}

/* Sorts the nodes, and removes repeated ones. */
static void make_unique(struct cxl_nodes *nodes)
{
	size_t kept = 0;

	qsort(nodes->numbers, nodes->count, sizeof(*nodes->numbers), compare_numbers);
	for (size_t i = 0; i < nodes->count; i++)
		if (!kept || nodes->numbers[kept - 1] != nodes->numbers[i])
			nodes->numbers[kept++] = nodes->numbers[i];
	nodes->count = kept;
}

static bool is_chosen(const struct cxl_node_choice *choice, const struct cxl_device *device)
{
	return device->node >= 0 && device->node < NUMA_NODES_MOST &&
	       (!choice->devices || cxl_device_list_has(choice->devices, device->name)) &&
	       (!choice->nodes || numlist_contains(choice->nodes, (unsigned)device->node));
}

static int none_found(const struct cxl_node_choice *choice, const struct cxl_device *devices,
		      size_t count, struct error *err)
{
	char known[256] = "";

	for (size_t i = 0; i < count; i++)
		text_list(known, sizeof(known), devices[i].node < 0 ? "%s" : "%s (node %d)",
			  devices[i].name, devices[i].node);
	if (!count)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "the kernel knows no CXL memory device, so no NUMA node is known "
				 "to be CXL memory" ANY_NODE);
	if (choice->devices)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "no NUMA node is selected by --device%s; known devices: %s",
				 choice->nodes ? " and --node" : "", known);
	return error_set(err, ERROR_NO_UNIT, -ENODEV,
			 "no NUMA node is known to have memory of a CXL device (%s): see "
			 "daxctl list" ANY_NODE,
			 known);
}

static int find_of_devices(struct platform *p, const struct cxl_node_choice *choice,
			   struct cxl_nodes *out, struct error *err)
{
	struct cxl_device *devices;
	size_t count;
	int rc = p->ops->cxl->devices(p, &devices, &count, err);

	if (rc)
		return rc;
	out->numbers = calloc(count + 1, sizeof(*out->numbers));
	for (size_t i = 0; out->numbers && i < count; i++)
		if (is_chosen(choice, &devices[i]))
			out->numbers[out->count++] = (unsigned)devices[i].node;
	if (!out->numbers)
		rc = error_no_memory(err);
	else if (!out->count)
		rc = none_found(choice, devices, count, err);
	else
		make_unique(out);
	free(devices);
	return rc;
}

bool cxl_nodes_contain(const struct cxl_nodes *nodes, int node)
{
	for (size_t i = 0; i < nodes->count; i++)
		if (node >= 0 && nodes->numbers[i] == (unsigned)node)
			return true;
	return false;
}

enum cxl_nodes_region cxl_nodes_region(const struct cxl_nodes *nodes, const struct memory_map *map,
				       int region)
{
	enum cxl_nodes_region found = CXL_NODES_REGION_UNKNOWN;

	for (size_t i = 0; i < map->region_count; i++) {
		const int node = map->regions[i].node;
		const enum cxl_nodes_region of = cxl_nodes_contain(nodes, node)
							 ? CXL_NODES_REGION_CONTAINED
							 : CXL_NODES_REGION_OTHER;

		if (map->regions[i].region != region)
			continue;
		if (node < 0 || (found != CXL_NODES_REGION_UNKNOWN && found != of))
			return CXL_NODES_REGION_UNKNOWN;
		found = of;
	}
	return found;
}

/* Finds the nodes that are online or, on a simulated machine, have memory. */
static int find_online(struct platform *p, const char *root, struct cxl_nodes *out,
		       struct error *err)
{
	int *nodes;

	if (root)
		return sysfs_indices(&out->numbers, &out->count, "node", root, SYSFS_NODES)
			       ? error_no_memory(err)
			       : 0;
	int rc = p->ops->memory->nodes(p, &nodes, &out->count, err);
	if (rc)
		return rc;
	out->numbers = calloc(out->count + 1, sizeof(*out->numbers));
	for (size_t i = 0; out->numbers && i < out->count; i++)
		out->numbers[i] = (unsigned)nodes[i];
	free(nodes);
	return out->numbers ? 0 : error_no_memory(err);
}

/* Finds the nodes that have memory now, and nodes of devices, which may have some later. */
static int find_known(struct platform *p, const char *root, struct cxl_nodes *out,
		      struct error *err)
{
	const struct cxl_node_choice all = {.nodes = NULL};
	struct cxl_nodes of_devices = {.count = 0};
	struct error none;
	const int rc = find_online(p, root, out, err);

	if (rc)
		return rc;
	/* a kernel without NUMA support has no list: then any node is accepted */
	if (!out->count || find_of_devices(p, &all, &of_devices, &none)) {
		cxl_nodes_free(&of_devices);
		return 0;
	}
	const size_t both = out->count + of_devices.count;
	unsigned *grown = reallocarray(out->numbers, both, sizeof(*grown));
	if (grown) {
		memcpy(grown + out->count, of_devices.numbers, of_devices.count * sizeof(*grown));
		*out = (struct cxl_nodes){.numbers = grown, .count = both};
		make_unique(out);
	}
	cxl_nodes_free(&of_devices);
	return grown ? 0 : error_no_memory(err);
}

static int find_numbers(struct platform *p, const char *root, const char *list,
			struct cxl_nodes *out, struct error *err)
{
	struct cxl_nodes known = {.count = 0};
	char text[CXL_NODES_TEXT_SIZE];
	int rc = numlist_read(list, NUMA_NODES_MOST, &out->numbers, &out->count);

	if (rc == -ENOMEM)
		return error_no_memory(err);
	if (rc)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--node=%s: expected numbers of NUMA nodes, below %d",
				 quoted(list).text, NUMA_NODES_MOST);
	rc = find_known(p, root, &known, err);
	for (size_t i = 0; !rc && known.count && i < out->count; i++)
		if (!cxl_nodes_contain(&known, (int)out->numbers[i]))
			rc = error_set(err, ERROR_USAGE, -EINVAL,
				       "--node: there is no NUMA node %u: expected %s",
				       out->numbers[i], cxl_nodes_text(&known, text));
	cxl_nodes_free(&known);
	return rc;
}

int cxl_nodes_find(struct platform *p, const char *root, const struct cxl_node_choice *choice,
		   struct cxl_nodes *out, struct error *err)
{
	*out = (struct cxl_nodes){.count = 0};
	int rc = choice->nodes && !choice->devices ? find_numbers(p, root, choice->nodes, out, err)
						   : find_of_devices(p, choice, out, err);

	if (rc)
		cxl_nodes_free(out);
	return rc;
}

void cxl_nodes_free(struct cxl_nodes *nodes)
{
	free(nodes->numbers);
	*nodes = (struct cxl_nodes){.count = 0};
}

const char *cxl_nodes_text(const struct cxl_nodes *nodes, char text[CXL_NODES_TEXT_SIZE])
{
	strcpy(text, nodes->count == 1 ? "node" : "nodes");
	for (size_t i = 0; i < nodes->count; i++)
		text_append(text, CXL_NODES_TEXT_SIZE, "%s %u", i ? "," : "", nodes->numbers[i]);
	return text;
}
