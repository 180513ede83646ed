/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON Lines: an object a scan. What is not known is null. */
#include <inttypes.h>

#include "output/fields.h"
#include "who/print.h"

#define UNKNOWN	     "null"
#define MIB_DECIMALS 3

static void put_memory(FILE *out, const struct who_process *process,
		       const struct who_memory *memory)
{
	fputs("\"used_MiB\":", out);
	field_number(out, who_known_mib(process, memory->bytes), MIB_DECIMALS, UNKNOWN);
	fputs(",\"share_pct\":", out);
	field_share(out, who_share_pct(process, memory->bytes), UNKNOWN);
	fputs(",\"growth_MiB\":", out);
	field_number(out, who_mib(memory->growth), MIB_DECIMALS, UNKNOWN);
}

static void put_process(const struct who_sheet *sheet, const struct who_scan *scan,
			const struct who_process *process)
{
	const struct who_nodes *nodes = sheet->nodes;
	FILE *out = sheet->out;
	bool first = true;

	fprintf(out, "{\"pid\":%u,\"user\":", process->pid);
	field_json_text(out, process->user);
	fputs(",\"command\":", out);
	field_json_text(out, process->command);
	putc(',', out);
	put_memory(out, process, &process->sum);
	fputs(",\"total_MiB\":", out);
	field_number(out, who_known_mib(process, process->total), MIB_DECIMALS, UNKNOWN);
	fputs(",\"cpu_cxl_MBps\":", out);
	field_number(out, process->cpu_MBps, FIELD_RATE_DECIMALS, UNKNOWN);
	fputs(",\"nodes\":[", out);
	for (size_t n = 0; n < nodes->count; n++) {
		const struct who_memory *memory = who_memory(scan, process, n);

		if (!who_memory_is_shown(memory))
			continue;
		fprintf(out, "%s{\"node\":%u,", first ? "" : ",", nodes->numbers[n]);
		put_memory(out, process, memory);
		putc('}', out);
		first = false;
	}
	fputs("]}", out);
}

static void scan_json(struct who_sheet *sheet, const struct who_scan *scan)
{
	FILE *out = sheet->out;

	fprintf(out, "{\"schema\":%d,\"time\":\"", WHO_SCHEMA);
	field_time(out, scan->wall_ns);
	fputs("\",\"interval_s\":", out);
	field_number(out, scan->interval_s, FIELD_INTERVAL_DECIMALS, UNKNOWN);
	fprintf(out, ",\"missed\":%" PRIu64 ",\"nodes\":[", scan->missed);
	for (size_t n = 0; n < sheet->nodes->count; n++)
		fprintf(out, "%s%u", n ? "," : "", sheet->nodes->numbers[n]);
	fprintf(out, "],\"left_out\":{\"refused\":%zu,\"late\":%zu,\"unclear\":%zu}", scan->refused,
		scan->late, scan->unclear);
	fputs(",\"processes\":[", out);
	for (size_t i = 0; i < scan->count; i++) {
		fputs(i ? "," : "", out);
		put_process(sheet, scan, &scan->processes[i]);
	}
	fputs("]}\n", out);
}

const struct who_format who_json = {
	.name = "json",
	.scan = scan_json,
};
