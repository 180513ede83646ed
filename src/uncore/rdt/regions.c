/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/rdt/rdt_private.h"

#include <stdlib.h>

#include "base/error.h"
#include "platform/cpus.h"
#include "platform/cxl.h"
#include "platform/memory.h"
#include "platform/platform.h"

/* The kernel's knowledge about memory, from which pieces are made. */
struct known_memory {
	const struct topology *topology;
	struct memory_map map;
	struct memory_layout layout;
	struct cxl_device *devices;
	size_t device_count;
};

static bool is_cxl_node(const struct known_memory *known, int node)
{
	bool is_cxl = memory_layout_has_region(&known->layout, node);

	for (size_t i = 0; i < known->device_count; i++)
		is_cxl |= known->devices[i].node == node;
	return is_cxl && node >= 0 && topology_socket_of_node(known->topology, node) < 0;
}

static int make_pieces(const struct known_memory *known, struct memory_piece **out, size_t *count,
		       struct error *err)
{
	struct memory_piece *pieces =
		calloc(known->map.count + known->layout.region_count + 1, sizeof(*pieces));

	if (!pieces)
		return error_no_memory(err);
	for (size_t i = 0; i < known->map.count; i++) {
		const struct memory_range *range = &known->map.ranges[i];

		if (range->node < 0) /* DRAM and a CXL region may share it */
			continue;
		pieces[(*count)++] = (struct memory_piece){
			.first = range->first,
			.last = range->end - 1,
			.is_cxl = is_cxl_node(known, range->node),
		};
	}
	for (size_t i = 0; i < known->layout.region_count; i++) {
		const struct cxl_region *region = &known->layout.regions[i];

		if (region->base && region->bytes)
			pieces[(*count)++] = (struct memory_piece){
				.first = region->base,
				.last = region->base + region->bytes - 1,
				.is_cxl = true,
			};
	}
	*out = pieces;
	return 0;
}

int memory_pieces(struct platform *p, const struct topology *topology, struct memory_piece **out,
		  size_t *count, struct error *err)
{
	struct known_memory known = {.topology = topology};
	int rc = p->ops->memory->map(p, &known.map, err);

	*out = NULL;
	*count = 0;
	if (!rc)
		rc = p->ops->memory->layout(p, &known.layout, err);
	if (!rc)
		rc = p->ops->cxl->devices(p, &known.devices, &known.device_count, err);
	if (!rc)
		rc = make_pieces(&known, out, count, err);
	memory_map_free(&known.map);
	memory_layout_free(&known.layout);
	free(known.devices);
	return rc;
}

/* Properties found for a region. */
struct found {
	bool dram, cxl;
	bool local, remote;
};

static struct found memory_of(const struct mrrm_range *range, const struct memory_piece *pieces,
			      size_t count)
{
	struct found found = {.dram = false};

	for (size_t i = 0; i < count; i++) {
		const bool overlaps =
			range->first <= pieces[i].last && pieces[i].first <= range->last;

		found.cxl |= overlaps && pieces[i].is_cxl;
		found.dram |= overlaps && !pieces[i].is_cxl;
	}
	return found;
}

static enum memory_region region_of(const struct found *found)
{
	if (found->cxl)
		return found->local ? REGION_CXL : REGION_CXL_REMOTE;
	if (found->dram)
		return found->local ? REGION_DRAM : REGION_DRAM_REMOTE;
	return REGION_NONE;
}

void regions_find(const struct mrrm *mrrm, const struct memory_piece *pieces, size_t count,
		  const struct log *log, enum memory_region out[ERDT_REGIONS])
{
	for (int id = 0; id < ERDT_REGIONS; id++) {
		struct found all = {.dram = false};

		for (size_t i = 0; i < mrrm->count; i++) {
			const struct mrrm_range *range = &mrrm->ranges[i];

			if (range->local != id && range->remote != id)
				continue;
			const struct found found = memory_of(range, pieces, count);
			all.dram |= found.dram;
			all.cxl |= found.cxl;
			all.local |= range->local == id;
			all.remote |= range->remote == id;
		}
		out[id] = REGION_NONE;
		if (all.dram && all.cxl)
			log_write(log, LEVEL_WARNING,
				  "ACPI table MRRM: region %d has both DRAM and CXL memory: its "
				  "bytes are not shown",
				  id);
		else if (all.local && all.remote)
			log_write(log, LEVEL_WARNING,
				  "ACPI table MRRM: region %d has accesses both from the memory's "
				  "own socket and from others: its bytes are not shown",
				  id);
		else
			out[id] = region_of(&all);
	}
}
