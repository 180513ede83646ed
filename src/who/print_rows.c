/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For programs. CSV: a row for each process, then one for each watched node on which it has memory,
 * or has given some back; the columns are the same on every machine. JSON Lines: an object a scan.
 * What is not known is empty, or null.
 */
#include "output/fields.h"
#include "who/print.h"

#define MIB_DECIMALS 3

static void put_process(struct fields *f, const struct who_process *process)
{
	fields_count(f, "pid", process->pid);
	fields_text(f, "user", process->user);
	fields_text(f, "command", process->command);
}

static void put_memory(struct fields *f, const struct who_process *process,
		       const struct who_memory *memory)
{
	fields_number(f, "used_MiB", who_known_mib(process, memory->bytes), MIB_DECIMALS);
	fields_share(f, "share_pct", who_share_pct(process, memory->bytes));
	fields_number(f, "growth_MiB", who_mib(memory->growth), MIB_DECIMALS);
}

/* Of the process, not of a node. */
static void put_total(struct fields *f, double total, double cpu_MBps)
{
	fields_number(f, "total_MiB", total, MIB_DECIMALS);
	fields_number(f, "cpu_cxl_MBps", cpu_MBps, FIELD_RATE_DECIMALS);
}

static void put_scan(struct fields *f, const struct who_scan *scan)
{
	fields_time(f, "time", scan->wall_ns);
	fields_number(f, "interval_s", scan->interval_s, FIELD_INTERVAL_DECIMALS);
	fields_count(f, "missed", scan->missed);
}

/* node: -1 in the row of the process. */
static void put_row(FILE *out, enum field_style style, const struct who_scan *scan,
		    const struct who_process *process, int node, const struct who_memory *memory)
{
	struct fields f = {.out = out, .style = style};

	put_scan(&f, scan);
	fields_text(&f, "scope", node < 0 ? "process" : "node");
	put_process(&f, process);
	fields_index(&f, "node", node);
	put_memory(&f, process, memory);
	put_total(&f, node < 0 ? who_known_mib(process, process->total) : NAN,
		  node < 0 ? process->cpu_MBps : NAN);
	putc('\n', out);
}

static void begin_csv(struct who_sheet *sheet)
{
	const struct who_scan scan = {.count = 0};
	const struct who_process process = {.pid = 0};

	put_row(sheet->out, FIELDS_NAMES, &scan, &process, -1, &process.sum);
}

static void scan_csv(struct who_sheet *sheet, const struct who_scan *scan)
{
	for (size_t i = 0; i < scan->count; i++) {
		const struct who_process *process = &scan->processes[i];

		put_row(sheet->out, FIELDS_CSV, scan, process, -1, &process->sum);
		for (size_t n = 0; n < sheet->nodes->count; n++)
			if (who_memory_is_shown(who_memory(scan, process, n)))
				put_row(sheet->out, FIELDS_CSV, scan, process,
					(int)sheet->nodes->numbers[n],
					who_memory(scan, process, n));
	}
}

static void put_nodes(const struct who_sheet *sheet, const struct who_scan *scan,
		      const struct who_process *process)
{
	const struct who_nodes *nodes = sheet->nodes;
	bool first = true;

	for (size_t n = 0; n < nodes->count; n++) {
		const struct who_memory *memory = who_memory(scan, process, n);
		struct fields f = {.out = sheet->out, .style = FIELDS_JSON};

		if (!who_memory_is_shown(memory))
			continue;
		fputs(first ? "{" : ",{", sheet->out);
		fields_count(&f, "node", nodes->numbers[n]);
		put_memory(&f, process, memory);
		putc('}', sheet->out);
		first = false;
	}
}

static void put_object(const struct who_sheet *sheet, const struct who_scan *scan,
		       const struct who_process *process)
{
	struct fields f = {.out = sheet->out, .style = FIELDS_JSON};

	putc('{', sheet->out);
	put_process(&f, process);
	put_memory(&f, process, &process->sum);
	put_total(&f, who_known_mib(process, process->total), process->cpu_MBps);
	fputs(",\"nodes\":[", sheet->out);
	put_nodes(sheet, scan, process);
	fputs("]}", sheet->out);
}

static void scan_json(struct who_sheet *sheet, const struct who_scan *scan)
{
	FILE *out = sheet->out;
	struct fields f = {.out = out, .style = FIELDS_JSON};

	putc('{', out);
	fields_count(&f, "schema", WHO_SCHEMA);
	put_scan(&f, scan);
	fputs(",\"nodes\":[", out);
	for (size_t n = 0; n < sheet->nodes->count; n++)
		fprintf(out, "%s%u", n ? "," : "", sheet->nodes->numbers[n]);
	fprintf(out, "],\"left_out\":{\"refused\":%zu,\"late\":%zu,\"unclear\":%zu}", scan->refused,
		scan->late, scan->unclear);
	fputs(",\"processes\":[", out);
	for (size_t i = 0; i < scan->count; i++) {
		fputs(i ? "," : "", out);
		put_object(sheet, scan, &scan->processes[i]);
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
