/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory, for both outputs: nodes, regions of CXL devices, and regions whose bytes are counted. */
#include <errno.h>
#include <inttypes.h>

#include "platform/memory.h"
#include "show/info/info.h"
#include "uncore/rdt/region_tables.h"

static bool anything_said(const struct memory_node *node)
{
	return node->read_MBps > 0 || node->write_MBps > 0 || node->read_ns > 0 ||
	       node->write_ns > 0 || node->weight || node->tier >= 0;
}

static void print_promise(FILE *out, const char *what, double MBps, double ns)
{
	if (!(MBps > 0) && !(ns > 0))
		return;
	fprintf(out, "  %s", what);
	if (MBps > 0)
		fprintf(out, " %.4g GB/s", MBps / 1e3);
	if (ns > 0)
		fprintf(out, " %.0f ns", ns);
}

static void print_node(FILE *out, const struct memory_node *node)
{
	fprintf(out, "  node %d", node->node);
	print_promise(out, "read", node->read_MBps, node->read_ns);
	print_promise(out, "write", node->write_MBps, node->write_ns);
	if (node->weight)
		fprintf(out, "  interleave weight %u", node->weight);
	if (node->tier >= 0)
		fprintf(out, "  memory tier %d", node->tier);
	putc('\n', out);
}

static void print_region(FILE *out, const struct cxl_region *region)
{
	fprintf(out, "  %s", region->name);
	if (region->node >= 0)
		fprintf(out, "  node %d", region->node);
	if (*region->mode)
		fprintf(out, "  %s", region->mode);
	if (region->bytes)
		fprintf(out, "  %.4g GiB", (double)region->bytes / (1 << 30));
	if (region->ways > 1)
		fprintf(out, "  %u ways", region->ways);
	if (region->ways > 1 && region->granularity)
		fprintf(out, " of %u bytes", region->granularity);
	for (size_t i = 0; i < region->device_count; i++)
		fprintf(out, "%s%s", i ? ", " : "  ", region->devices[i]);
	putc('\n', out);
}

void info_print_memory(FILE *out, const struct memory_layout *memory)
{
	bool heading = false;

	for (size_t i = 0; i < memory->node_count; i++) {
		if (!anything_said(&memory->nodes[i]))
			continue;
		if (!heading)
			fputs("Memory, by firmware and kernel:\n", out);
		heading = true;
		print_node(out, &memory->nodes[i]);
	}
	if (memory->region_count)
		fputs("CXL regions:\n", out);
	for (size_t i = 0; i < memory->region_count; i++)
		print_region(out, &memory->regions[i]);
}

json_t *info_nodes(const struct memory_layout *memory)
{
	json_t *nodes = json_array();

	for (size_t i = 0; i < memory->node_count; i++) {
		const struct memory_node *node = &memory->nodes[i];

		if (!anything_said(node))
			continue;
		json_array_append_new(
			nodes, json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "node", node->node,
					 "read_MBps", info_positive(node->read_MBps), "write_MBps",
					 info_positive(node->write_MBps), "read_latency_ns",
					 info_positive(node->read_ns), "write_latency_ns",
					 info_positive(node->write_ns), "interleave_weight",
					 info_integer(node->weight, node->weight), "memory_tier",
					 info_integer(node->tier >= 0, (uint64_t)node->tier)));
	}
	return nodes;
}

json_t *info_regions(const struct memory_layout *memory)
{
	json_t *regions = json_array();

	for (size_t i = 0; i < memory->region_count; i++) {
		const struct cxl_region *region = &memory->regions[i];
		json_t *devices = json_array();

		for (size_t d = 0; d < region->device_count; d++)
			json_array_append_new(devices, json_string(region->devices[d]));
		json_array_append_new(
			regions,
			json_pack("{s:s, s:o, s:s?, s:o, s:o, s:o, s:o}", "region", region->name,
				  "node", info_integer(region->node >= 0, (uint64_t)region->node),
				  "mode", *region->mode ? region->mode : NULL, "memory_bytes",
				  info_integer(region->bytes, region->bytes), "interleave_ways",
				  info_integer(region->ways, region->ways),
				  "interleave_granularity_bytes",
				  info_integer(region->granularity, region->granularity), "memdevs",
				  devices));
	}
	return regions;
}

/* Ranges of the regions whose bytes L3 caches count: the ACPI tables MRRM and ERDT. */
struct found {
	struct region_tables tables;
	struct memory_map map;
	struct error error; /* code 0: none */
};

static void find_memory(const struct probe *probe, struct found *out)
{
	struct platform *p = probe->platform;

	*out = (struct found){.error = {.code = 0}};
	if (!region_tables_read(p, &probe_devices(probe)->topology, &out->tables, &out->error))
		p->ops->memory->map(p, &out->map, &out->error);
}

static void forget_memory(struct found *found)
{
	region_tables_free(&found->tables);
	memory_map_free(&found->map);
}

static void print_range_region(FILE *out, const struct region_tables *tables, int region)
{
	const char *name = region_tables_name(tables, region);

	if (region != MRRM_NO_REGION)
		fprintf(out, "  region %d: %s", region, name ? name : "unknown");
}

static void print_range(FILE *out, const struct found *found, const struct mrrm_range *range)
{
	const int node = memory_map_node(&found->map, range->first);

	fprintf(out, "  0x%" PRIx64 "-0x%" PRIx64, range->first, range->last);
	if (node >= 0)
		fprintf(out, "  node %d", node);
	print_range_region(out, &found->tables, range->local);
	print_range_region(out, &found->tables, range->remote);
	putc('\n', out);
}

void info_print_memory_ranges(FILE *out, const struct probe *probe)
{
	struct found found;

	find_memory(probe, &found);
	const struct mrrm *mrrm = &found.tables.mrrm;
	const size_t domains = found.tables.erdt.count;

	if (found.error.code && found.error.code != -ENODEV)
		fprintf(out, "Memory regions: %s\n", found.error.text);
	else if (!found.error.code)
		fprintf(out, "Memory regions, counted in %zu L3 domain%s:\n", domains,
			domains == 1 ? "" : "s");
	for (size_t i = 0; !found.error.code && i < mrrm->count; i++)
		print_range(out, &found, &mrrm->ranges[i]);
	forget_memory(&found);
}

static json_t *region_object(const struct region_tables *tables, int region)
{
	return region == MRRM_NO_REGION ? json_null()
					: json_pack("{s:i, s:s?}", "region", region, "memory",
						    region_tables_name(tables, region));
}

static json_t *range_object(const struct found *found, const struct mrrm_range *range)
{
	const int node = memory_map_node(&found->map, range->first);

	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "base",
			 json_sprintf("0x%" PRIx64, range->first), "bytes",
			 info_integer(true, range->last - range->first + 1), "node",
			 info_integer(node >= 0, (uint64_t)node), "local",
			 region_object(&found->tables, range->local), "remote",
			 region_object(&found->tables, range->remote));
}

json_t *info_memory_ranges(const struct probe *probe)
{
	json_t *ranges = json_array();
	struct found found;

	find_memory(probe, &found);
	const bool known = !found.error.code, broken = !known && found.error.code != -ENODEV;
	for (size_t i = 0; known && i < found.tables.mrrm.count; i++)
		json_array_append_new(ranges, range_object(&found, &found.tables.mrrm.ranges[i]));
	json_t *object = json_pack("{s:o, s:o, s:s?}", "l3_domains",
				   info_integer(known, found.tables.erdt.count), "ranges", ranges,
				   "error", broken ? found.error.text : NULL);
	forget_memory(&found);
	return object;
}
