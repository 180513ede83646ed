/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For programs. CSV: a row for each process or group, then one for each watched node on which it
 * has memory, or has given some back; the columns are the same on every machine, but not for
 * processes and groups. JSON Lines: an object a scan. What is not known is empty, or null.
 */
#include <stdlib.h>

#include "output/fields.h"
#include "platform/rootfs.h"
#include "platform/text.h"
#include "who/print.h"

#define MIB_DECIMALS 3

static void put_names(struct fields *f, const struct who_sheet *sheet, const struct who_row *row)
{
	char path[ROOTFS_PATH_SIZE];

	if (row->process) {
		fields_count(f, "pid", row->process->pid);
		fields_text(f, "user", row->process->user);
		fields_text(f, "command", row->process->command);
		return;
	}
	fields_text(f, "name", row->group->name);
	if (who_by_cgroups(sheet->by))
		fields_text(f, "cgroup", printable(row->group->key, path, sizeof(path)));
	else if (sheet->by == WHO_BY_USER)
		fields_count(f, "uid", strtoul(row->group->key, NULL, 10));
}

static void put_memory(struct fields *f, const struct who_use *use, const struct who_memory *memory)
{
	fields_number(f, "used_MiB", who_known_mib(use, memory->bytes), MIB_DECIMALS);
	fields_share(f, "share_pct", who_share_pct(use, memory->bytes));
	fields_number(f, "growth_MiB", who_mib(memory->growth), MIB_DECIMALS);
}

/* Of all nodes: empty in the row of one. */
static void put_total(struct fields *f, const struct who_sheet *sheet, const struct who_scan *scan,
		      const struct who_row *row, bool of_node)
{
	fields_number(f, "total_MiB", of_node ? NAN : who_known_mib(row->use, row->use->total),
		      MIB_DECIMALS);
	if (row->process || sheet->by == WHO_BY_RESCTRL)
		fields_number(f, row->process ? "cpu_cxl_MBps" : "cxl_read_MBps",
			      of_node ? NAN : row->read_MBps, FIELD_RATE_DECIMALS);
	if (sheet->by == WHO_BY_RESCTRL)
		return;
	fields_number(f, "sampled_per_s", of_node ? NAN : who_reads_per_s(sheet, scan, row->use),
		      FIELD_RATE_DECIMALS);
	fields_number(f, "sampled_MBps", of_node ? NAN : who_sampled_MBps(sheet, scan, row->use),
		      FIELD_RATE_DECIMALS);
}

static void put_scan(struct fields *f, const struct who_scan *scan)
{
	fields_time(f, "time", scan->wall_ns);
	fields_number(f, "interval_s", scan->interval_s, FIELD_INTERVAL_DECIMALS);
	fields_count(f, "missed", scan->missed);
}

/* node: -1 in the row of all nodes. */
static void put_row(const struct who_sheet *sheet, enum field_style style,
		    const struct who_scan *scan, const struct who_row *row, int node,
		    const struct who_memory *memory)
{
	struct fields f = {.out = sheet->out, .style = style};

	put_scan(&f, scan);
	fields_text(&f, "scope", node < 0 ? who_by_names[sheet->by] : "node");
	put_names(&f, sheet, row);
	fields_index(&f, "node", node);
	put_memory(&f, row->use, memory);
	put_total(&f, sheet, scan, row, node >= 0);
	putc('\n', sheet->out);
}

static void begin_csv(struct who_sheet *sheet)
{
	struct who_process process = {.pid = 0};
	struct who_group group = {.key = "", .name = ""};
	const struct who_scan one = {
		.processes = &process, .count = 1, .groups = &group, .group_count = 1};
	struct who_row row;

	who_row(sheet, &one, 0, &row);
	put_row(sheet, FIELDS_NAMES, &one, &row, -1, &row.use->sum);
}

static void scan_csv(struct who_sheet *sheet, const struct who_scan *scan)
{
	struct who_row row;

	for (size_t i = 0; who_row(sheet, scan, i, &row); i++) {
		put_row(sheet, FIELDS_CSV, scan, &row, -1, &row.use->sum);
		for (size_t n = 0; n < sheet->nodes->count; n++)
			if (who_memory_is_shown(&row.memory[n]))
				put_row(sheet, FIELDS_CSV, scan, &row,
					(int)sheet->nodes->numbers[n], &row.memory[n]);
	}
}

static void put_nodes(const struct who_sheet *sheet, const struct who_row *row)
{
	const struct who_nodes *nodes = sheet->nodes;
	bool first = true;

	for (size_t n = 0; n < nodes->count; n++) {
		struct fields f = {.out = sheet->out, .style = FIELDS_JSON};

		if (!who_memory_is_shown(&row->memory[n]))
			continue;
		fputs(first ? "{" : ",{", sheet->out);
		fields_count(&f, "node", nodes->numbers[n]);
		put_memory(&f, row->use, &row->memory[n]);
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
	put_memory(&f, row->use, &row->use->sum);
	put_total(&f, sheet, scan, row, false);
	fputs(",\"nodes\":[", sheet->out);
	put_nodes(sheet, row);
	fputs("]}", sheet->out);
}

static void scan_json(struct who_sheet *sheet, const struct who_scan *scan)
{
	static const char *const keys[WHO_BYS] = {"processes", "cgroups", "containers",
						  "vms",       "users",	  "groups"};
	FILE *out = sheet->out;
	struct fields f = {.out = out, .style = FIELDS_JSON};
	struct who_row row;

	putc('{', out);
	fields_count(&f, "schema", WHO_SCHEMA);
	put_scan(&f, scan);
	fputs(",\"nodes\":[", out);
	for (size_t n = 0; n < sheet->nodes->count; n++)
		fprintf(out, "%s%u", n ? "," : "", sheet->nodes->numbers[n]);
	fprintf(out, "],\"left_out\":{\"refused\":%zu,\"late\":%zu,\"unclear\":%zu", scan->refused,
		scan->late, scan->unclear);
	if (who_by_cgroups(sheet->by))
		fprintf(out, ",\"beyond\":%zu", scan->beyond);
	fprintf(out, "},\"%s\":[", keys[sheet->by]);
	for (size_t i = 0; who_row(sheet, scan, i, &row); i++) {
		fputs(i ? "," : "", out);
		put_object(sheet, scan, &row);
	}
	fputs("]}\n", out);
}

const struct who_format who_csv = {
	.begin = begin_csv,
	.scan = scan_csv,
};

const struct who_format who_json = {
	.scan = scan_json,
};
