/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Formats for programs. CSV: a row for each process or group; then one for each watched node on
 * which it has memory, or has returned some, and for each device that it has mapped. The columns
 * depend only on the kind of rows, not on the machine. JSON Lines: an object per scan. Unknown
 * values are empty, or null.
 */
#include <stdlib.h>

#include "base/rootfs.h"
#include "base/text.h"
#include "output/fields.h"
#include "probe/who/print.h"
#include "probe/who/watch.h"
#include "table/spell.h"

#define MIB_DECIMALS 3

static void put_names(struct fields *f, const struct who_sheet *sheet,
		      const struct process_row *row)
{
	char path[ROOTFS_PATH_SIZE];

	if (sheet->by == BY_PROCESS) {
		fields_count(f, "pid", row->is.pid);
		fields_text(f, "user", row->is.user);
		fields_text(f, "command", row->name);
		return;
	}
	fields_text(f, "name", row->name);
	if (row_by_cgroups(sheet->by))
		fields_text(f, "cgroup", printable(row->key, path, sizeof(path)));
	else if (sheet->by == BY_USER)
		fields_count(f, "uid", strtoul(row->key, NULL, 10));
}

static void put_memory(struct fields *f, const struct process_row *row, double bytes, double growth)
{
	fields_number(f, "used_MiB", who_known_mib(row, bytes), MIB_DECIMALS);
	fields_share(f, "share_pct", memory_share_pct(&row->memory, bytes));
	fields_number(f, "growth_MiB", to_MiB(growth), MIB_DECIMALS);
}

/* Puts values of all nodes, which single nodes do not have. */
static void put_total(struct fields *f, const struct who_sheet *sheet,
		      const struct process_row *row)
{
	const bool process = sheet->by == BY_PROCESS;

	fields_number(f, "total_MiB", who_known_mib(row, row->memory.cxl + row->memory.dram),
		      MIB_DECIMALS);
	if (process || sheet->by == BY_RESCTRL)
		fields_number(f, process ? "cpu_cxl_MBps" : "cxl_read_MBps", row->counted.read_MBps,
			      RATE_DECIMALS);
	if (sheet->by == BY_RESCTRL)
		return;
	fields_number(f, "sampled_per_s", row->reads.cxl.per_s, RATE_DECIMALS);
	fields_number(f, "sampled_MBps", row->reads.cxl.MBps, RATE_DECIMALS);
}

/* Puts counts of groups of resctrl, which single nodes do not have either. */
static void put_counts(struct fields *f, const struct who_sheet *sheet,
		       const struct process_row *row)
{
	static const char *const names[MEMORY_REGIONS] = {
		[REGION_CXL] = "cxl_region_MBps",
		[REGION_CXL_REMOTE] = "cxl_region_remote_MBps",
		[REGION_DRAM] = "dram_region_MBps",
		[REGION_DRAM_REMOTE] = "dram_region_remote_MBps",
	};

	if (sheet->by == BY_RESCTRL)
		fields_share(f, "l3_miss_stall_pct", row->counted.stalled_pct);
	for (unsigned kind = REGION_NONE + 1; kind < MEMORY_REGIONS; kind++)
		if (sheet->by == BY_RESCTRL || row_by_cgroups(sheet->by))
			fields_number(f, names[kind],
				      sheet->regions ? row->counted.region_MBps[kind] : NAN,
				      RATE_DECIMALS);
}

/* Subject of a row of CSV. */
struct who_place {
	const char *scope;
	int node;	      /* -1: all nodes */
	double bytes, growth; /* memory; NAN: unknown, or meaningless */
	const char *dax;      /* device; "": all devices */
	/* MiB mapped of the devices; NAN: unknown, or meaningless */
	double mapped_MiB;
};

static void put_row(const struct who_sheet *sheet, enum field_style style,
		    const struct who_scan *scan, const struct process_row *row,
		    const struct who_place *place)
{
	struct fields f = {.out = sheet->out, .style = style};

	fields_interval(&f, scan->wall_ns, scan->interval_s, (double)scan->missed);
	fields_text(&f, "scope", place->scope);
	put_names(&f, sheet, row);
	fields_index(&f, "node", place->node);
	put_memory(&f, row, place->bytes, place->growth);
	f.blank = place->node >= 0;
	put_total(&f, sheet, row);
	f.blank = false;
	if (!row_by_cgroups(sheet->by)) {
		fields_text(&f, "dax", place->dax);
		fields_number(&f, "dax_mapped_MiB", place->mapped_MiB, MIB_DECIMALS);
	}
	f.blank = place->node >= 0;
	put_counts(&f, sheet, row);
	putc('\n', sheet->out);
}

/* Puts rows of all nodes, of each node, and of each device in devdax mode. */
static void put_rows(const struct who_sheet *sheet, enum field_style style,
		     const struct who_scan *scan, const struct process_row *row)
{
	const struct who_nodes *nodes = sheet->nodes;

	put_row(sheet, style, scan, row,
		&(struct who_place){row_by_names[sheet->by], -1, row->memory.cxl, row->growth, "",
				    who_dax_mib(sheet, row)});
	if (style == FIELDS_NAMES)
		return;
	for (size_t n = 0; n < who_nodes_shown(nodes); n++)
		if (who_memory_is_shown(row, n))
			put_row(sheet, style, scan, row,
				&(struct who_place){"node", (int)nodes->numa.numbers[n],
						    (double)row->memory.bytes[n],
						    row->node_growth[n], "", NAN});
	for (size_t i = 0; i < nodes->dax_count; i++)
		if (row->dax[i])
			put_row(sheet, style, scan, row,
				&(struct who_place){"dax", nodes->dax[i].node, NAN, NAN,
						    nodes->dax[i].name,
						    to_MiB((double)row->dax[i])});
}

void who_csv(struct who_sheet *sheet, const struct who_scan *scan)
{
	struct process_row none = process_row_unknown;
	const struct who_rows *rows = who_shown(scan, sheet->by);

	none.key = "";
	none.name = "";
	if (!sheet->scans++)
		put_rows(sheet, FIELDS_NAMES, scan, &none);
	for (size_t i = 0; i < rows->count; i++)
		put_rows(sheet, FIELDS_CSV, scan, &rows->at[i]);
}

static void put_nodes(struct fields *f, const struct who_nodes *nodes,
		      const struct process_row *row)
{
	fields_open(f, "nodes", '[');
	for (size_t n = 0; n < who_nodes_shown(nodes); n++) {
		if (!who_memory_is_shown(row, n))
			continue;
		fields_open(f, NULL, '{');
		fields_count(f, "node", nodes->numa.numbers[n]);
		put_memory(f, row, (double)row->memory.bytes[n], row->node_growth[n]);
		fields_close(f, '}');
	}
	fields_close(f, ']');
}

static void put_dax(struct fields *f, const struct who_nodes *nodes, const struct process_row *row)
{
	fields_open(f, "dax", '[');
	for (size_t i = 0; i < nodes->dax_count; i++) {
		if (!row->dax[i])
			continue;
		fields_open(f, NULL, '{');
		fields_text(f, "dax", nodes->dax[i].name);
		fields_count(f, "node", (unsigned)nodes->dax[i].node);
		fields_number(f, "mapped_MiB", to_MiB((double)row->dax[i]), MIB_DECIMALS);
		fields_close(f, '}');
	}
	fields_close(f, ']');
}

static void put_object(struct fields *f, const struct who_sheet *sheet,
		       const struct process_row *row)
{
	fields_open(f, NULL, '{');
	put_names(f, sheet, row);
	put_memory(f, row, row->memory.cxl, row->growth);
	put_total(f, sheet, row);
	put_nodes(f, sheet->nodes, row);
	if (!row_by_cgroups(sheet->by)) {
		fields_number(f, "dax_mapped_MiB", who_dax_mib(sheet, row), MIB_DECIMALS);
		put_dax(f, sheet->nodes, row);
	}
	put_counts(f, sheet, row);
	fields_close(f, '}');
}

void who_json(struct who_sheet *sheet, const struct who_scan *scan)
{
	static const char *const keys[WHO_BYS] = {"processes", "cgroups", "containers",
						  "vms",       "users",	  "groups"};
	const struct who_rows *rows = who_shown(scan, sheet->by);
	const struct cxl_nodes *nodes = &sheet->nodes->numa;
	struct fields f = {.out = sheet->out, .style = FIELDS_JSON};

	sheet->scans++;
	fields_open(&f, NULL, '{');
	fields_count(&f, "schema", WHO_SCHEMA);
	fields_interval(&f, scan->wall_ns, scan->interval_s, (double)scan->missed);
	if (row_by_cgroups(sheet->by))
		fields_count(&f, "cgroup_version", scan->cgroup_v1 ? 1 : 2);
	fields_open(&f, "nodes", '[');
	for (size_t n = 0; n < nodes->count; n++)
		fields_count(&f, NULL, nodes->numbers[n]);
	fields_close(&f, ']');
	fields_open(&f, "left_out", '{');
	fields_count(&f, "refused", scan->refused);
	fields_count(&f, "late", scan->late);
	fields_count(&f, "unclear", scan->unclear);
	if (row_by_cgroups(sheet->by))
		fields_count(&f, "beyond", scan->beyond);
	fields_close(&f, '}');
	fields_open(&f, keys[sheet->by], '[');
	for (size_t i = 0; i < rows->count; i++)
		put_object(&f, sheet, &rows->at[i]);
	fputs("]}\n", sheet->out);
}
