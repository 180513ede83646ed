/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory, for both outputs: what firmware promises of NUMA nodes, and regions of CXL devices. */
#include "info/info.h"

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
			nodes,
			json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "node", node->node,
				  "read_MBps", info_real(node->read_MBps > 0, node->read_MBps),
				  "write_MBps", info_real(node->write_MBps > 0, node->write_MBps),
				  "read_latency_ns", info_real(node->read_ns > 0, node->read_ns),
				  "write_latency_ns", info_real(node->write_ns > 0, node->write_ns),
				  "interleave_weight", info_integer(node->weight, node->weight),
				  "memory_tier",
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
