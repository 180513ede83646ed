/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of a simulated machine: its regions, and what its firmware promises. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/sim_machine.h"

#define GRANULARITY 256 /* bytes: the least of CXL, and what most firmware chooses */

static struct cxl_region *region_of(struct memory_layout *memory, int node)
{
	struct cxl_region *region = memory->regions;

	while (region < memory->regions + memory->region_count && region->node != node)
		region++;
	if (region == memory->regions + memory->region_count) {
		*region = (struct cxl_region){
			.mode = "ram", .granularity = GRANULARITY, .node = node};
		snprintf(region->name, sizeof(region->name), "region%zu", memory->region_count++);
	}
	return region;
}

static void add_device(struct memory_layout *memory, const struct cxl_device *device)
{
	struct cxl_region *region = region_of(memory, device->node);

	snprintf(region->devices[region->device_count++], REGION_NAME_SIZE, "%s", device->name);
	region->ways++;
	region->bytes += device->bytes;
}

static void add_promise(const struct sim_spec *spec, struct memory_layout *memory, int node)
{
	memory->nodes[memory->node_count++] = (struct memory_node){
		.node = node,
		.read_MBps = spec->promised_bandwidth * 1e3,
		.write_MBps = spec->promised_bandwidth * 1e3,
		.read_ns = spec->promised_latency,
		.write_ns = spec->promised_latency,
		.tier = -1,
	};
}

int sim_node_of_device(const struct sim_spec *spec, unsigned socket, unsigned port)
{
	const unsigned regions = (spec->ports + spec->ways - 1) / spec->ways;

	return (int)(spec->sockets + socket * regions + port / spec->ways);
}

int sim_lay_out_memory(struct sim *sim)
{
	struct memory_layout *memory = &sim->memory;

	memory->nodes = calloc(sim->device_count + 1, sizeof(*memory->nodes));
	memory->regions = calloc(sim->device_count + 1, sizeof(*memory->regions));
	if (!memory->nodes || !memory->regions)
		return -ENOMEM;
	for (size_t i = 0; i < sim->device_count; i++)
		add_device(memory, &sim->devices[i]);
	for (size_t i = 0; i < memory->region_count; i++)
		add_promise(&sim->spec, memory, memory->regions[i].node);
	return 0;
}
