/* SPDX-License-Identifier: BSD-3-Clause */
#include "screen/screen_model.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/custom_metric.h"
#include "platform/number.h"

/* Graphs do not move faster; shorter samples are averaged. */
#define MIN_STEP_S 0.1

#define SORTED_STEPS 10

static const char *const metrics[SHOWN_COUNT] = {
	[SHOWN_CXL_READ] = "cxl_mem_read_MBps",
	[SHOWN_CXL_WRITE] = "cxl_mem_write_MBps",
	[SHOWN_DRAM_READ] = "dram_read_MBps",
	[SHOWN_DRAM_WRITE] = "dram_write_MBps",
	[SHOWN_CACHE_D2H] = "cxl_cache_d2h_MBps",
	[SHOWN_CACHE_H2D] = "cxl_cache_h2d_MBps",
	[SHOWN_CPMU_READ] = "cpmu_read_MBps",
	[SHOWN_CPMU_WRITE] = "cpmu_write_MBps",
	[SHOWN_DEVICE_READ] = "device_dram_read_MBps",
	[SHOWN_DEVICE_WRITE] = "device_dram_write_MBps",
	[SHOWN_CXL_LATENCY] = "cxl_read_latency_ns",
	[SHOWN_LOCAL_LATENCY] = "ddr_local_read_latency_ns",
	[SHOWN_REMOTE_LATENCY] = "ddr_remote_read_latency_ns",
	[SHOWN_DATA_FULL] = "rx_mem_data_full_pct",
	[SHOWN_REQUEST_FULL] = "rx_mem_req_full_pct",
	[SHOWN_DATA_BUSY] = "rx_mem_data_busy_pct",
	[SHOWN_REQUEST_BUSY] = "rx_mem_req_busy_pct",
	[SHOWN_CRC] = "crc_errors_per_s",
	[SHOWN_RETRIES] = "retries_per_s",
	[SHOWN_TX_FLITS] = "tx_flits_per_s",
	[SHOWN_RX_FLITS] = "rx_flits_per_s",
	[SHOWN_INSTRUCTIONS] = "instructions_per_s",
	[SHOWN_QUEUE_RESIDENCY] = "queue_residency_per_s",
	[SHOWN_DRAM_RETRIES] = "dram_retries_per_s",
	[SHOWN_DRAM_THROTTLING] = "dram_throttling_per_s",
	[SHOWN_PROMOTED] = "promoted_per_s",
	[SHOWN_DEMOTED] = "demoted_per_s",
	[SHOWN_HINTING_FAULTS] = "hinting_faults_per_s",
	[SHOWN_IPC] = "ipc",
	[SHOWN_AMPLIFICATION] = "amplification",
	[SHOWN_QUEUE_CLOCKS] = "queue_clocks",
	[SHOWN_FREQUENCY] = "frequency_MHz",
	[SHOWN_NODE_USED] = "node_used_MiB",
	[SHOWN_NODE_FREE] = "node_free_MiB",
};

static size_t find_column(const struct view *view, const char *name)
{
	for (size_t c = 0; c < view->column_count; c++)
		if (!strcmp(view->columns[c]->name, name))
			return c;
	return SIZE_MAX;
}

static void make_title(struct panel *p, const struct row *row)
{
	char node[24] = "";

	if (row->node >= 0)
		snprintf(node, sizeof(node), "  node %d", row->node);
	if (row->of_node)
		snprintf(p->title, sizeof(p->title), "node %d%s%.20s", row->node,
			 *row->memdev ? "  " : "", row->memdev);
	else if (row_is_device(row))
		snprintf(p->title, sizeof(p->title), "%.20s%s", row_device_name(row), node);
	else if (row->scope == SCOPE_PORT)
		snprintf(p->title, sizeof(p->title), "s%d %s%d%s%.20s%s%s%.16s", row->socket,
			 row->port_name ? row->port_name : "p", row->port, *row->memdev ? "  " : "",
			 row->memdev, node, *row->pci ? "  " : "", row->pci);
	else if (row->scope == SCOPE_SOCKET)
		snprintf(p->title, sizeof(p->title), "socket %d", row->socket);
	else
		snprintf(p->title, sizeof(p->title), "system");
}

/* Whether a row is that of a port of a port, a socket or the system. */
static bool is_port_of(const struct row *row, const struct row *port)
{
	return port->scope == SCOPE_PORT && !port->of_node &&
	       (row->socket < 0 || port->socket == row->socket) &&
	       (row->port < 0 || port->port == row->port);
}

static void make_own_values(struct panel *p, const struct view *view)
{
	for (size_t c = 0; c < view->column_count && p->own_count < OWN_VALUES; c++) {
		const struct metric *metric = view->columns[c];
		struct own_value *own = &p->own[p->own_count];

		if (strcmp(metric->group, CUSTOM_GROUP) != 0 || !(metric->scopes >> p->scope & 1))
			continue;
		p->own_columns[p->own_count++] = c;
		*own = (struct own_value){
			.decimals = metric_shown_decimals(metric),
			.number = NAN,
		};
		snprintf(own->label, sizeof(own->label), "%s", metric->heading);
		snprintf(own->unit, sizeof(own->unit), "%s", metric->unit);
	}
}

/* Whether the panel of a row has a column. What devices and nodes do not count is not missed. */
static bool has_column(const struct view *view, const struct row *row, size_t c)
{
	if (c == SIZE_MAX)
		return false;
	const struct metric *metric = view->columns[c];

	if ((metric->device || metric->node_stat) && view->never_known[c])
		return false;
	return row->of_node ? metric_is_of_nodes(metric) : metric->scopes >> row->scope & 1;
}

static void make_panel(const struct panels *panels, struct panel *p, const struct view *view,
		       const struct row *row)
{
	p->scope = row->scope;
	p->of_node = row->of_node;
	p->socket = row->socket;
	p->port = row->port;
	make_title(p, row);
	for (size_t r = 0; r < view->row_count; r++)
		p->ports += row_is_device(row) ? &view->rows[r] == row
					       : is_port_of(row, &view->rows[r]);
	for (unsigned s = 0; s < SHOWN_COUNT; s++) {
		p->values[s].has = has_column(view, row, panels->columns[s]);
		p->values[s].number = NAN;
	}
	if (!row->of_node)
		make_own_values(p, view);
}

int panels_init(struct panels *panels, const struct view *view)
{
	*panels = (struct panels){.count = view->row_count};
	panels->all = calloc(view->row_count + 1, sizeof(*panels->all));
	if (!panels->all) {
		panels->count = 0;
		return -ENOMEM;
	}
	for (unsigned s = 0; s < SHOWN_COUNT; s++)
		panels->columns[s] = find_column(view, metrics[s]);
	for (size_t r = 0; r < view->row_count; r++)
		make_panel(panels, &panels->all[r], view, &view->rows[r]);
	return 0;
}

void panels_free(struct panels *panels)
{
	free(panels->all);
	*panels = (struct panels){0};
}

static void update_panel(const struct panels *panels, struct panel *p, const struct row *row,
			 double seconds, double step_s)
{
	for (unsigned s = 0; s < SHOWN_COUNT; s++) {
		if (!p->values[s].has)
			continue;
		const struct value *value = &row->values[panels->columns[s]];

		p->values[s].number = value->number;
		p->values[s].scaled = value->scaled;
		if (s < HISTORY_COUNT)
			history_add(&p->history[s], value->number, seconds, step_s);
	}
	for (unsigned i = 0; i < p->own_count; i++) {
		p->own[i].number = row->values[p->own_columns[i]].number;
		p->own[i].scaled = row->values[p->own_columns[i]].scaled;
	}
	/* max_double() ignores NAN */
	p->cxl_peak = max_double(p->cxl_peak, max_double(p->values[SHOWN_CXL_READ].number,
							 p->values[SHOWN_CXL_WRITE].number));
	p->dram_peak = max_double(p->dram_peak, max_double(p->values[SHOWN_DRAM_READ].number,
							   p->values[SHOWN_DRAM_WRITE].number));
}

void panels_update(struct panels *panels, const struct view *view, const struct sample *sample,
		   uint64_t interval_ns)
{
	const double interval_s = (double)interval_ns / 1e9;
	const double step_s = max_double(interval_s, MIN_STEP_S);
	/* the wall clock may be set back, or forward */
	const double since = panels->wall_ns && sample->wall_ns > panels->wall_ns
				     ? (double)(sample->wall_ns - panels->wall_ns) / 1e9
				     : interval_s;

	for (size_t r = 0; r < panels->count; r++)
		update_panel(panels, &panels->all[r], &view->rows[r], since, step_s);
	panels->wall_ns = sample->wall_ns;
}

void panels_copy(struct panels *to, const struct panels *from)
{
	memcpy(to->all, from->all, from->count * sizeof(*from->all));
	to->wall_ns = from->wall_ns;
}

static bool has_scope(const struct panels *panels, enum scope scope)
{
	for (size_t i = 0; i < panels->count; i++)
		if (panels->all[i].scope == scope)
			return true;
	return false;
}

enum scope panels_next_scope(const struct panels *panels, enum scope scope)
{
	for (unsigned step = 1; step <= SCOPE_COUNT; step++)
		if (has_scope(panels, (scope + step) % SCOPE_COUNT))
			return (scope + step) % SCOPE_COUNT;
	return scope;
}

/* Of the last steps of the graph, so that panels do not change places with every sample. */
static double mean_of(const struct panel *p, enum shown shown)
{
	return p->history[shown].count ? history_mean(&p->history[shown], SORTED_STEPS)
				       : p->values[shown].number;
}

static double traffic(const struct panel *p)
{
	const double read = mean_of(p, SHOWN_CXL_READ);
	const double write = mean_of(p, SHOWN_CXL_WRITE);

	if (isnan(read) && isnan(write))
		return -1;
	return (isnan(read) ? 0 : read) + (isnan(write) ? 0 : write);
}

/* Insertion sort: there are few panels, and it is stable. */
static void insert_by_traffic(const struct panel **panels, size_t count, const struct panel *p)
{
	for (; count && traffic(panels[count - 1]) < traffic(p); count--)
		panels[count] = panels[count - 1];
	panels[count] = p;
}

size_t panels_choose(const struct panels *panels, enum scope scope, bool by_traffic,
		     const struct panel **out)
{
	size_t count = 0;

	for (size_t i = 0; i < panels->count; i++) {
		if (panels->all[i].scope != scope)
			continue;
		if (by_traffic)
			insert_by_traffic(out, count, &panels->all[i]);
		else
			out[count] = &panels->all[i];
		count++;
	}
	return count;
}
