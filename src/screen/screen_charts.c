/* SPDX-License-Identifier: BSD-3-Clause */
/* Which metrics of a panel are drawn together, and the share of the link that they take. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "screen/screen_draw.h"

/* Metrics of one picture, of one unit. Others have one each. */
static const struct {
	const char *title;
	bool mirrored; /* the first up, the second down */
	const char *names[CHART_SERIES];
} pictures[] = {
	{"CXL", true, {"cxl_mem_read_MBps", "cxl_mem_write_MBps"}},
	{"read latency",
	 false,
	 {"cxl_read_latency_ns", "ddr_local_read_latency_ns", "ddr_remote_read_latency_ns",
	  "cxl_far_read_latency_ns"}},
	{"DRAM", true, {"dram_read_MBps", "dram_write_MBps"}},
	{"CXL.cache", true, {"cxl_cache_d2h_MBps", "cxl_cache_h2d_MBps"}},
	{"CPMU", true, {"cpmu_read_MBps", "cpmu_write_MBps"}},
	{"device DRAM", true, {"device_dram_read_MBps", "device_dram_write_MBps"}},
	{"link errors", false, {"crc_errors_per_s", "retries_per_s"}},
	{"buffers",
	 false,
	 {"rx_mem_data_full_pct", "rx_mem_req_full_pct", "rx_mem_data_busy_pct",
	  "rx_mem_req_busy_pct"}},
	{"flits", true, {"rx_flits_per_s", "tx_flits_per_s"}},
	{"CXL read by CPUs", false, {"cxl_read_local_MBps", "cxl_read_remote_MBps"}},
	{"throttling", false, {"dram_thermal_throttled_pct", "dram_power_throttled_pct"}},
	{"memory", false, {"node_used_MiB", "node_free_MiB"}},
	{"pages", true, {"promoted_per_s", "demoted_per_s"}},
};

static bool is_shown(const struct scene *scene, const struct panel *p, size_t c)
{
	const char *group = panels_group(scene->panels, scene->state->group);

	return p->readings[c].seen && (!group || !strcmp(scene->panels->metrics[c]->group, group));
}

static bool is_placed(const struct chart *charts, size_t count, size_t column)
{
	for (size_t i = 0; i < count; i++)
		for (unsigned s = 0; s < charts[i].count; s++)
			if (charts[i].columns[s] == column)
				return true;
	return false;
}

size_t screen_charts(const struct scene *scene, const struct panel *p, struct chart *out)
{
	const struct panels *panels = scene->panels;
	size_t count = 0;

	for (size_t i = 0; i < sizeof(pictures) / sizeof(pictures[0]); i++) {
		struct chart chart = {.title = pictures[i].title, .panel = p};

		for (unsigned s = 0; s < CHART_SERIES && pictures[i].names[s]; s++) {
			const size_t c = panels_find(panels, pictures[i].names[s]);

			if (c != SIZE_MAX && is_shown(scene, p, c))
				chart.columns[chart.count++] = c;
		}
		chart.mirrored = pictures[i].mirrored && chart.count == 2;
		if (chart.count && count < MAX_CHARTS)
			out[count++] = chart;
	}
	for (size_t c = 0; c < panels->columns && count < MAX_CHARTS; c++) {
		if (!is_shown(scene, p, c) || is_placed(out, count, c))
			continue;
		out[count] = (struct chart){.title = screen_label(panels->metrics[c]),
					    .panel = p,
					    .columns = {c},
					    .count = 1};
		count++;
	}
	return count;
}

double screen_link_MBps(const struct scene *scene, const struct panel *p)
{
	if (!p->ports)
		return NAN;
	return scene->link_MBps > 0 ? scene->link_MBps * p->ports : p->link_MBps;
}

double screen_link_share(const struct scene *scene, const struct panel *p, size_t column)
{
	const struct panels *panels = scene->panels;

	if (column != panels->cxl_read && column != panels->cxl_write)
		return NAN;
	return panel_value(p, column, scene->back) / screen_link_MBps(scene, p);
}
