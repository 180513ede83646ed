/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CSV: a row for each process, then one for each watched node on which it has memory, or
 * has given some back. The columns
 * are the same on every machine.
 */
#include <inttypes.h>

#include "output/fields.h"
#include "who/print.h"

#define UNKNOWN	     ""
#define MIB_DECIMALS 3

static void begin_csv(struct who_sheet *sheet)
{
	fputs("time,interval_s,missed,scope,pid,user,command,node,used_MiB,share_pct,growth_MiB,"
	      "total_MiB,cpu_cxl_MBps\n",
	      sheet->out);
}

/* node: -1 in the row of the process. */
static void put_row(FILE *out, const struct who_scan *scan, const struct who_process *process,
		    int node, const struct who_memory *memory)
{
	field_time(out, scan->wall_ns);
	putc(',', out);
	field_number(out, scan->interval_s, FIELD_INTERVAL_DECIMALS, UNKNOWN);
	fprintf(out, ",%" PRIu64 ",%s,%u,", scan->missed, node < 0 ? "process" : "node",
		process->pid);
	field_text(out, process->user);
	putc(',', out);
	field_text(out, process->command);
	putc(',', out);
	field_index(out, node, UNKNOWN);
	putc(',', out);
	field_number(out, who_known_mib(process, memory->bytes), MIB_DECIMALS, UNKNOWN);
	putc(',', out);
	field_share(out, who_share_pct(process, memory->bytes), UNKNOWN);
	putc(',', out);
	field_number(out, who_mib(memory->growth), MIB_DECIMALS, UNKNOWN);
	putc(',', out);
	if (node < 0)
		field_number(out, who_known_mib(process, process->total), MIB_DECIMALS, UNKNOWN);
	putc(',', out);
	if (node < 0)
		field_number(out, process->cpu_MBps, FIELD_RATE_DECIMALS, UNKNOWN);
	putc('\n', out);
}

static void scan_csv(struct who_sheet *sheet, const struct who_scan *scan)
{
	for (size_t i = 0; i < scan->count; i++) {
		const struct who_process *process = &scan->processes[i];

		put_row(sheet->out, scan, process, -1, &process->sum);
		for (size_t n = 0; n < sheet->nodes->count; n++)
			if (who_memory_is_shown(who_memory(scan, process, n)))
				put_row(sheet->out, scan, process, (int)sheet->nodes->numbers[n],
					who_memory(scan, process, n));
	}
}

const struct who_format who_csv = {
	.name = "csv",
	.begin = begin_csv,
	.scan = scan_csv,
};
