/* SPDX-License-Identifier: BSD-3-Clause */
/* Behind the header: CXL devices with their links, regions, and what firmware promises of nodes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "platform/text.h"
#include "record/recording_private.h"

#define MAX_DEVICES 1024 /* of each kind: more than any machine has */
#define MAX_SPEED   64	 /* GT/s */
#define MAX_LANES   32

/* A name that fits; a mode may be empty. */
static void code_name(struct coder *c, char *name, size_t size, bool may_be_empty)
{
	const char *text = code_text(c, name);

	if (c->out)
		return;
	c->bad |= strlen(text) >= size || !(text_is_name(text) || (may_be_empty && !*text));
	if (!c->bad)
		strcpy(name, text);
}

static void code_link(struct coder *c, struct pci_link *link)
{
	link->GTps = code_number(c, link->GTps);
	link->lanes = (unsigned)code_count(c, link->lanes, MAX_LANES);
	c->bad |= !(link->GTps >= 0 && link->GTps <= MAX_SPEED);
}

static void code_location(struct coder *c, struct pci_location *at)
{
	at->domain = (unsigned)code_count(c, at->domain, UINT32_MAX);
	at->bus = (uint8_t)code_count(c, at->bus, UINT8_MAX);
	at->device = (uint8_t)code_count(c, at->device, UINT8_MAX);
	at->function = (uint8_t)code_count(c, at->function, UINT8_MAX);
}

static void code_device(struct coder *c, struct cxl_device *device)
{
	code_name(c, device->name, sizeof(device->name), false);
	device->node = code_index(c, device->node);
	device->bytes = code_varint(c, device->bytes);
	device->hop_count = code_count(c, device->hop_count, CXL_PATH_MAX / 2);
	for (size_t h = 0; h < device->hop_count; h++) {
		struct pci_hop *hop = &device->hops[h];

		code_location(c, &hop->above);
		code_location(c, &hop->below);
		code_link(c, &hop->now);
		code_link(c, &hop->possible);
	}
}

/* Not below 0. */
static double code_promise(struct coder *c, double number)
{
	number = code_number(c, number);
	c->bad |= !(number >= 0);
	return number;
}

static void code_node(struct coder *c, struct memory_node *node)
{
	node->node = code_index(c, node->node);
	node->read_MBps = code_promise(c, node->read_MBps);
	node->write_MBps = code_promise(c, node->write_MBps);
	node->read_ns = code_promise(c, node->read_ns);
	node->write_ns = code_promise(c, node->write_ns);
	node->weight = (unsigned)code_count(c, node->weight, UINT8_MAX);
	node->tier = code_index(c, node->tier);
}

static void code_region(struct coder *c, struct cxl_region *region)
{
	code_name(c, region->name, sizeof(region->name), false);
	code_name(c, region->mode, sizeof(region->mode), true);
	region->ways = (unsigned)code_count(c, region->ways, REGION_MAX_WAYS);
	region->granularity = (unsigned)code_count(c, region->granularity, UINT32_MAX);
	region->bytes = code_varint(c, region->bytes);
	region->node = code_index(c, region->node);
	region->device_count = code_count(c, region->device_count, REGION_MAX_WAYS);
	for (size_t i = 0; i < region->device_count; i++)
		code_name(c, region->devices[i], sizeof(region->devices[i]), false);
}

/* Written, nothing changes. */
static void code_items(struct coder *c, struct cxl_device *devices, size_t device_count,
		       struct memory_layout *memory)
{
	for (size_t i = 0; !c->bad && i < device_count; i++)
		code_device(c, &devices[i]);
	for (size_t i = 0; !c->bad && i < memory->node_count; i++)
		code_node(c, &memory->nodes[i]);
	for (size_t i = 0; !c->bad && i < memory->region_count; i++)
		code_region(c, &memory->regions[i]);
}

void recording_put_memory(struct bytes *out, const struct recording_info *info)
{
	struct bytes b = {.failed = false};
	struct coder c = {.out = &b};
	struct memory_layout memory = info->memory;

	if (!info->device_count && !memory.node_count && !memory.region_count)
		return;
	code_count(&c, info->device_count, MAX_DEVICES);
	code_count(&c, memory.node_count, MAX_DEVICES);
	code_count(&c, memory.region_count, MAX_DEVICES);
	code_items(&c, info->devices, info->device_count, &memory);
	block_put(out, BLOCK_MEMORY, &b);
}

size_t recording_max_memory(const struct view *view)
{
	(void)view;
	return MAX_MEMORY;
}

/* A second block would take away what the first one is pointed to for. */
int recording_decode_memory(struct coder *c, struct recording *r, struct error *err)
{
	struct recording_info *info = &r->info;

	if (info->devices)
		c->bad = true;
	const size_t devices = code_count(c, 0, MAX_DEVICES), nodes = code_count(c, 0, MAX_DEVICES),
		     regions = code_count(c, 0, MAX_DEVICES);
	if (c->bad)
		return 0;
	info->devices = calloc(devices + 1, sizeof(*info->devices));
	info->memory.nodes = calloc(nodes + 1, sizeof(*info->memory.nodes));
	info->memory.regions = calloc(regions + 1, sizeof(*info->memory.regions));
	if (!info->devices || !info->memory.nodes || !info->memory.regions)
		return error_no_memory(err);
	info->device_count = devices;
	info->memory.node_count = nodes;
	info->memory.region_count = regions;
	code_items(c, info->devices, devices, &info->memory);
	c->left = 0; /* a later version may have more */
	return 0;
}
