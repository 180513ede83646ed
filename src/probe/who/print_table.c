/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text table: a block per scan, largest rows first. Columns of single nodes are left out
 * unless all fit. Numbers are formatted as in numastat and vmstat.
 */
#include <math.h>

#include "output/fields.h"
#include "probe/who/print.h"
#include "probe/who/watch.h"
#include "process/sheet.h"

#define MIB_WIDTH   10 /* includes the blank before it */
#define CLOCK_WIDTH 12 /* width before the numbers of groups */

static int lead_width(const struct who_sheet *sheet)
{
	if (sheet->by == BY_PROCESS)
		return SHEET_LEAD_WIDTH;
	return sheet->repeats ? CLOCK_WIDTH : 0;
}

/* Tells if there is a column for devices in devdax mode. */
static bool has_dax(const struct who_sheet *sheet)
{
	return sheet->nodes->dax_count && !row_by_cgroups(sheet->by);
}

/*
 * Makes a column of memory on a node, or on all (-1). ">" marks a lower limit, without decimals, so
 * that it takes no more room.
 */
static struct sheet_column memory_column(const struct process_row *row, double bytes, int node)
{
	struct sheet_column column = {"nodes", "MiB", MIB_WIDTH, 0, NULL, 1, to_MiB(bytes)};

	if (node >= 0)
		snprintf(column.title, sizeof(column.title), "node%d", node);
	if (row->memory.partial) {
		column.format = ">%.*f";
		column.decimals = 0;
		column.number = floor(to_MiB(bytes));
	}
	return column;
}

/* Adds a column for each of several nodes, which are shown only if all fit. */
static void add_nodes(struct sheet *columns, const struct cxl_nodes *nodes,
		      const struct process_row *row)
{
	for (size_t i = 0; nodes->count > 1 && i < nodes->count && nodes->count <= SCAN_NODES_MOST;
	     i++) {
		struct sheet_column column =
			memory_column(row, (double)row->memory.bytes[i], (int)nodes->numbers[i]);

		column.rank = 1;
		sheet_add(columns, &column, 1);
	}
}

/* Makes a column of reads. "~" marks an estimate. */
static struct sheet_column reads_column(const struct who_sheet *sheet,
					const struct process_row *row)
{
	const struct sheet_column sampled[] = {
		{"cxl read", "MB/s", MIB_WIDTH, 0, "~%.*f", 1, row->reads.cxl.MBps},
		{"faults", "per s", MIB_WIDTH, 0, "~%.*f", 1, row->reads.cxl.per_s},
	};
	const struct sheet_column counted[] = {
		{"cxl read", "MB/s", MIB_WIDTH, 0, NULL, 1, row->counted.read_MBps},
		{"cpu cxl", "MB/s", MIB_WIDTH, 0, "~%.*f", 1, row->counted.read_MBps},
	};

	return sheet->sampled ? sampled[sheet->no_loads] : counted[sheet->by == BY_PROCESS];
}

/* Sums up local and remote traffic; one socket has no remote traffic. */
static double region_MBps(const struct who_sheet *sheet, double local, double remote)
{
	return sheet->one_socket && isnan(remote) ? local : local + remote;
}

static struct sheet columns_of(const struct who_sheet *sheet, const struct process_row *row)
{
	const struct cxl_nodes *nodes = &sheet->nodes->numa;
	const double *MBps = row->counted.region_MBps;
	const double cxl = region_MBps(sheet, MBps[REGION_CXL], MBps[REGION_CXL_REMOTE]);
	const double dram = region_MBps(sheet, MBps[REGION_DRAM], MBps[REGION_DRAM_REMOTE]);
	const struct sheet_column memory[] = {
		memory_column(row, row->memory.cxl, nodes->count > 1 ? -1 : (int)nodes->numbers[0]),
		{"share", "%", 7, 0, NULL, 1, memory_share_pct(&row->memory, row->memory.cxl)},
		{"growth", "MiB", MIB_WIDTH, 0, "%+.*f", 1, to_MiB(row->growth)},
		{"devdax", "MiB", MIB_WIDTH, 0, NULL, 1, who_dax_mib(sheet, row)},
	};
	const struct sheet_column reads = reads_column(sheet, row);
	const struct sheet_column stalled[] = {
		{"stalled", "%", MIB_WIDTH, 0, NULL, 1, row->counted.stalled_pct},
	};
	const struct sheet_column regions[] = {
		{"cxl", "MB/s", MIB_WIDTH, 0, NULL, 1, cxl},
		{"dram", "MB/s", MIB_WIDTH, 0, NULL, 1, dram},
	};
	struct sheet columns = {.lead = lead_width(sheet), .width = sheet->width};

	add_nodes(&columns, nodes, row);
	sheet_add(&columns, memory, has_dax(sheet) ? 4 : 3);
	sheet_add(&columns, &reads, sheet->reads || sheet->sampled);
	sheet_add(&columns, stalled, sheet->stalls);
	sheet_add(&columns, regions, sheet->regions ? 2 : 0);
	sheet_fit(&columns);
	return columns;
}

bool who_table_has_nodes(const struct who_sheet *sheet)
{
	return columns_of(sheet, &process_row_unknown).at[0].rank;
}

static void put_titles(const struct who_sheet *sheet, const struct who_scan *scan)
{
	const struct sheet columns = columns_of(sheet, &process_row_unknown);
	char time[FIELD_TIME_SIZE];

	sheet_put_header(&columns, sheet->out,
			 sheet->repeats ? field_clock_text(time, scan->wall_ns) : "",
			 sheet->by == BY_PROCESS ? SHEET_PROCESS : "", sheet_nouns[sheet->by]);
}

static void put_row(const struct who_sheet *sheet, const struct process_row *row)
{
	const struct sheet columns = columns_of(sheet, row);

	if (sheet->by == BY_PROCESS)
		sheet_put_lead(sheet->out, row->is.pid, row->is.user);
	else
		fprintf(sheet->out, "%*s", columns.lead, "");
	sheet_put_line(&columns, sheet->out, row->name);
}

/* Puts the header, if the last one would scroll off the terminal; else only the time. */
static void put_head(struct who_sheet *sheet, const struct who_scan *scan, size_t rows)
{
	char time[FIELD_TIME_SIZE];

	if (sheet->lines && !(sheet->height && sheet->lines + rows + 2 > sheet->height)) {
		fprintf(sheet->out, "%s\n", field_clock_text(time, scan->wall_ns));
	} else {
		put_titles(sheet, scan);
		sheet->lines = 1;
	}
	sheet->lines += rows + 2;
}

void who_table(struct who_sheet *sheet, const struct who_scan *scan)
{
	const struct who_rows *rows = who_shown(scan, sheet->by);

	if (sheet->scans++)
		putc('\n', sheet->out);
	put_head(sheet, scan, rows->count);
	for (size_t i = 0; i < rows->count; i++)
		put_row(sheet, &rows->at[i]);
}
