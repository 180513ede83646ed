/* SPDX-License-Identifier: BSD-3-Clause */
/* Which memory is which of the regions whose bytes L3 caches count: the ACPI tables MRRM and ERDT.
 */
#include <errno.h>
#include <inttypes.h>

#include "platform/memory.h"
#include "show/info/info.h"
#include "uncore/rdt/region_tables.h"

struct found {
	struct region_tables tables;
	struct memory_map map;
	struct error error; /* code 0: none */
};

static void find(const struct probe *probe, struct found *out)
{
	struct platform *p = probe->platform;

	*out = (struct found){.error = {.code = 0}};
	if (!region_tables_read(p, &probe_devices(probe)->topology, &out->tables, &out->error))
		p->ops->memory->map(p, &out->map, &out->error);
}

static void forget(struct found *found)
{
	region_tables_free(&found->tables);
	memory_map_free(&found->map);
}

static void print_region(FILE *out, const struct region_tables *tables, int region)
{
	const char *name = region_tables_name(tables, region);

	if (region != MRRM_NO_REGION)
		fprintf(out, "  region %d: %s", region, name ? name : "not known");
}

static void print_range(FILE *out, const struct found *found, const struct mrrm_range *range)
{
	const int node = memory_map_node(&found->map, range->first);

	fprintf(out, "  0x%" PRIx64 "-0x%" PRIx64, range->first, range->last);
	if (node >= 0)
		fprintf(out, "  node %d", node);
	print_region(out, &found->tables, range->local);
	print_region(out, &found->tables, range->remote);
	putc('\n', out);
}

void info_print_memory_ranges(FILE *out, const struct probe *probe)
{
	struct found found;

	find(probe, &found);
	const struct mrrm *mrrm = &found.tables.mrrm;
	const size_t domains = found.tables.erdt.count;

	if (found.error.code && found.error.code != -ENODEV)
		fprintf(out, "Memory regions: %s\n", found.error.text);
	else if (!found.error.code)
		fprintf(out, "Memory regions, counted in %zu L3 domain%s:\n", domains,
			domains == 1 ? "" : "s");
	for (size_t i = 0; !found.error.code && i < mrrm->count; i++)
		print_range(out, &found, &mrrm->ranges[i]);
	forget(&found);
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

	find(probe, &found);
	const bool known = !found.error.code, broken = !known && found.error.code != -ENODEV;
	for (size_t i = 0; known && i < found.tables.mrrm.count; i++)
		json_array_append_new(ranges, range_object(&found, &found.tables.mrrm.ranges[i]));
	json_t *object = json_pack("{s:o, s:o, s:s?}", "l3_domains",
				   info_integer(known, found.tables.erdt.count), "ranges", ranges,
				   "error", broken ? found.error.text : NULL);
	forget(&found);
	return object;
}
