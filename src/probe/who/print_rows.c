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

static void put_names(struct fields *f, const struct who_sheet *sheet, const struct who_row *row)
{
	char path[ROOTFS_PATH_SIZE];

	if (sheet->by == BY_PROCESS) {
		fields_count(f, "pid", row->pid);
		fields_text(f, "user", row->user);
		fields_text(f, "command", row->name);
		return;
	}
	fields_text(f, "name", row->name);
	if (row_by_cgroups(sheet->by))
		fields_text(f, "cgroup", printable(row->key, path, sizeof(path)));
	else if (sheet->by == BY_USER)
		fields_count(f, "uid", strtoul(row->key, NULL, 10));
}

/* memory NULL: unknown, or meaningless. */
static void put_memory(struct fields *f, const struct who_row *row, const struct who_memory *memory)
{
	fields_number(f, "used_MiB", memory ? who_known_mib(row, memory->bytes) : NAN,
		      MIB_DECIMALS);
	fields_share(f, "share_pct", memory ? who_share_pct(row, memory->bytes) : NAN);
	fields_number(f, "growth_MiB", memory ? who_mib(memory->growth) : NAN, MIB_DECIMALS);
}

/* Puts values of all nodes, which are empty in the rows of single nodes. */
static void put_total(struct fields *f, const struct who_sheet *sheet, const struct who_scan *scan,
		      const struct who_row *row, bool of_node)
{
	const bool process = sheet->by == BY_PROCESS;

	fields_number(f, "total_MiB", of_node ? NAN : who_known_mib(row, row->total), MIB_DECIMALS);
	if (process || sheet->by == BY_RESCTRL)
		fields_number(f, process ? "cpu_cxl_MBps" : "cxl_read_MBps",
			      of_node ? NAN : row->read_MBps, RATE_DECIMALS);
	if (sheet->by == BY_RESCTRL)
		return;
	fields_number(f, "sampled_per_s", of_node ? NAN : who_reads_per_s(sheet, scan, row),
		      RATE_DECIMALS);
	fields_number(f, "sampled_MBps", of_node ? NAN : who_sampled_MBps(sheet, scan, row),
		      RATE_DECIMALS);
}

static void put_stalls(struct fields *f, const struct who_sheet *sheet, const struct who_row *row,
		       bool of_node)
{
	if (sheet->by == BY_RESCTRL)
		fields_share(f, "l3_miss_stall_pct", of_node ? NAN : row->stalled_pct);
}

/* Puts the monitor's columns by region. */
static void put_regions(struct fields *f, const struct who_sheet *sheet, const struct who_row *row,
			bool of_node)
{
	static const char *const names[MEMORY_REGIONS] = {
		[REGION_CXL] = "cxl_region_MBps",
		[REGION_CXL_REMOTE] = "cxl_region_remote_MBps",
		[REGION_DRAM] = "dram_region_MBps",
		[REGION_DRAM_REMOTE] = "dram_region_remote_MBps",
	};
	const bool known = sheet->regions && !of_node;

	for (unsigned kind = REGION_NONE + 1; kind < MEMORY_REGIONS; kind++)
		if (sheet->by == BY_RESCTRL || row_by_cgroups(sheet->by))
			fields_number(f, names[kind], known ? row->region_MBps[kind] : NAN,
				      RATE_DECIMALS);
}

static void put_scan(struct fields *f, const struct who_scan *scan)
{
	fields_time(f, "time", scan->wall_ns);
	fields_number(f, "interval_s", scan->interval_s, FIELD_INTERVAL_DECIMALS);
	fields_count(f, "missed", scan->missed);
}

/* Subject of a row of CSV. */
struct who_place {
	const char *scope;
	int node; /* -1: all nodes */
	const struct who_memory *memory;
	const char *dax; /* device; "": all devices */
	/* MiB mapped of the devices; NAN: unknown, or meaningless */
	double mapped_MiB;
};

static void put_row(const struct who_sheet *sheet, enum field_style style,
		    const struct who_scan *scan, const struct who_row *row,
		    const struct who_place *place)
{
	struct fields f = {.out = sheet->out, .style = style};

	put_scan(&f, scan);
	fields_text(&f, "scope", place->scope);
	put_names(&f, sheet, row);
	fields_index(&f, "node", place->node);
	put_memory(&f, row, place->memory);
	put_total(&f, sheet, scan, row, place->node >= 0);
	if (!row_by_cgroups(sheet->by)) {
		fields_text(&f, "dax", place->dax);
		fields_number(&f, "dax_mapped_MiB", place->mapped_MiB, MIB_DECIMALS);
	}
	put_stalls(&f, sheet, row, place->node >= 0);
	put_regions(&f, sheet, row, place->node >= 0);
	putc('\n', sheet->out);
}

/* Puts rows of all nodes, of each node, and of each device in devdax mode. */
static void put_rows(const struct who_sheet *sheet, enum field_style style,
		     const struct who_scan *scan, const struct who_row *row)
{
	const struct who_nodes *nodes = sheet->nodes;

	put_row(sheet, style, scan, row,
		&(struct who_place){row_by_names[sheet->by], -1, &row->sum, "",
				    who_dax_mib(sheet, row)});
	if (style == FIELDS_NAMES)
		return;
	for (size_t n = 0; n < nodes->numa.count; n++)
		if (who_memory_is_shown(&row->memory[n]))
			put_row(sheet, style, scan, row,
				&(struct who_place){"node", (int)nodes->numa.numbers[n],
						    &row->memory[n], "", NAN});
	for (size_t i = 0; i < nodes->dax_count; i++)
		if (row->dax[i])
			put_row(sheet, style, scan, row,
				&(struct who_place){"dax", nodes->dax[i].node, NULL,
						    nodes->dax[i].name,
						    who_mib((double)row->dax[i])});
}

void who_csv(struct who_sheet *sheet, const struct who_scan *scan)
{
	const struct who_row none = {.key = "", .name = ""};
	const struct who_rows *rows = who_shown(scan, sheet->by);

	if (!sheet->scans++)
		put_rows(sheet, FIELDS_NAMES, scan, &none);
	for (size_t i = 0; i < rows->count; i++)
		put_rows(sheet, FIELDS_CSV, scan, &rows->at[i]);
}

static void put_dax(const struct who_sheet *sheet, const struct who_row *row)
{
	bool first = true;

	for (size_t i = 0; i < sheet->nodes->dax_count; i++) {
		struct fields f = {.out = sheet->out, .style = FIELDS_JSON};

		if (!row->dax[i])
			continue;
		fputs(first ? "{" : ",{", sheet->out);
		fields_text(&f, "dax", sheet->nodes->dax[i].name);
		fields_count(&f, "node", (unsigned)sheet->nodes->dax[i].node);
		fields_number(&f, "mapped_MiB", who_mib((double)row->dax[i]), MIB_DECIMALS);
		putc('}', sheet->out);
		first = false;
	}
}

static void put_nodes(const struct who_sheet *sheet, const struct who_row *row)
{
	const struct who_nodes *nodes = sheet->nodes;
	bool first = true;

	for (size_t n = 0; n < nodes->numa.count; n++) {
		struct fields f = {.out = sheet->out, .style = FIELDS_JSON};

		if (!who_memory_is_shown(&row->memory[n]))
			continue;
		fputs(first ? "{" : ",{", sheet->out);
		fields_count(&f, "node", nodes->numa.numbers[n]);
		put_memory(&f, row, &row->memory[n]);
		putc('}', sheet->out);
		first = false;
	}
}

static void put_object(const struct who_sheet *sheet, const struct who_scan *scan,
		       const struct who_row *row)
{
	struct fields f = {.out = sheet->out, .style = FIELDS_JSON};

	putc('{', sheet->out);
	put_names(&f, sheet, row);
	put_memory(&f, row, &row->sum);
	put_total(&f, sheet, scan, row, false);
	fputs(",\"nodes\":[", sheet->out);
	put_nodes(sheet, row);
	putc(']', sheet->out);
	if (!row_by_cgroups(sheet->by)) {
		fields_number(&f, "dax_mapped_MiB", who_dax_mib(sheet, row), MIB_DECIMALS);
		fputs(",\"dax\":[", sheet->out);
		put_dax(sheet, row);
		putc(']', sheet->out);
	}
	put_stalls(&f, sheet, row, false);
	put_regions(&f, sheet, row, false);
	putc('}', sheet->out);
}

void who_json(struct who_sheet *sheet, const struct who_scan *scan)
{
	static const char *const keys[WHO_BYS] = {"processes", "cgroups", "containers",
						  "vms",       "users",	  "groups"};
	const struct who_rows *rows = who_shown(scan, sheet->by);
	FILE *out = sheet->out;
	struct fields f = {.out = out, .style = FIELDS_JSON};

	sheet->scans++;
	putc('{', out);
	fields_count(&f, "schema", WHO_SCHEMA);
	put_scan(&f, scan);
	if (row_by_cgroups(sheet->by))
		fields_count(&f, "cgroup_version", scan->lacking == CGROUP_ALL ? 2 : 1);
	fputs(",\"nodes\":[", out);
	for (size_t n = 0; n < sheet->nodes->numa.count; n++)
		fprintf(out, "%s%u", n ? "," : "", sheet->nodes->numa.numbers[n]);
	fprintf(out, "],\"left_out\":{\"refused\":%zu,\"late\":%zu,\"unclear\":%zu", scan->refused,
		scan->late, scan->unclear);
	if (row_by_cgroups(sheet->by))
		fprintf(out, ",\"beyond\":%zu", scan->beyond);
	fprintf(out, "},\"%s\":[", keys[sheet->by]);
	for (size_t i = 0; i < rows->count; i++) {
		fputs(i ? "," : "", out);
		put_object(sheet, scan, &rows->at[i]);
	}
	fputs("]}\n", out);
}
