/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of people: a block a scan, largest first. Columns of single nodes are left out where
 * there is no room for all of them; numbers as numastat and vmstat have them.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "platform/number.h"
#include "who/print.h"

#define PID_WIDTH     7
#define USER_WIDTH    8
#define MIB_WIDTH     10 /* with the blank before it */
#define SHARE_WIDTH   7
#define COMMAND_WIDTH 16 /* that of the longest name of a program, likewise */
#define LEAD_WIDTH    (PID_WIDTH + 1 + USER_WIDTH)

/* Without columns of nodes, command and reads. */
#define FIXED_WIDTH (LEAD_WIDTH + SHARE_WIDTH + MIB_WIDTH)

const struct who_format *who_format_find(const char *name)
{
	static const struct who_format *const formats[] = {&who_table, &who_csv, &who_json};

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}

static size_t width_with(const struct who_sheet *sheet, size_t columns)
{
	return FIXED_WIDTH + (columns + sheet->reads) * MIB_WIDTH + COMMAND_WIDTH;
}

bool who_table_has_nodes(const struct who_sheet *sheet)
{
	const size_t nodes = sheet->nodes->count;

	return nodes > 1 && width_with(sheet, nodes + 1) <= sheet->width;
}

/* A column for each node, and one for their sum: with one node, that alone. */
static size_t node_columns(const struct who_sheet *sheet)
{
	return who_table_has_nodes(sheet) ? sheet->nodes->count : 0;
}

static void put_time(const struct who_sheet *sheet, uint64_t wall_ns)
{
	const time_t seconds = (time_t)(wall_ns / NS_PER_S);
	char text[16] = "";
	struct tm tm;

	localtime_r(&seconds, &tm);
	strftime(text, sizeof(text), "%H:%M:%S", &tm);
	if (sheet->repeats)
		fprintf(sheet->out, "%s.%03" PRIu64 "%*s", text, wall_ns % NS_PER_S / 1000000,
			LEAD_WIDTH - 12, "");
	else
		fprintf(sheet->out, "%*s", LEAD_WIDTH, "");
}

static void put_header(const struct who_sheet *sheet, const struct who_scan *scan)
{
	const struct who_nodes *nodes = sheet->nodes;
	char name[24];

	put_time(sheet, scan->wall_ns);
	for (size_t i = 0; i < node_columns(sheet) || (nodes->count == 1 && !i); i++) {
		snprintf(name, sizeof(name), "node%u", nodes->numbers[i]);
		fprintf(sheet->out, "%*s", MIB_WIDTH, name);
	}
	if (nodes->count > 1)
		fprintf(sheet->out, "%*s", MIB_WIDTH, "nodes");
	fprintf(sheet->out, "%*s%*s", SHARE_WIDTH, "share", MIB_WIDTH, "growth");
	fprintf(sheet->out, "%*s\n", sheet->reads ? MIB_WIDTH : 0, sheet->reads ? "cpu cxl" : "");

	fprintf(sheet->out, "%*s %-*s", PID_WIDTH, "PID", USER_WIDTH, "USER");
	for (size_t i = 0; i <= node_columns(sheet); i++)
		fprintf(sheet->out, "%*s", MIB_WIDTH, "MiB");
	fprintf(sheet->out, "%*s%*s%*s COMMAND\n", SHARE_WIDTH, "%", MIB_WIDTH, "MiB",
		sheet->reads ? MIB_WIDTH : 0, sheet->reads ? "MB/s" : "");
}

static void put_number(FILE *out, double number, int width, const char *format)
{
	char text[32] = "-";

	if (isfinite(number))
		snprintf(text, sizeof(text), format, number);
	fprintf(out, " %*s", width - 1, text);
}

/* ">": at least so much, without decimals, so that it takes no more room. */
static void put_mib(FILE *out, const struct who_process *process, uint64_t bytes)
{
	if (process->partial)
		put_number(out, (double)(bytes >> 20), MIB_WIDTH, ">%.0f");
	else
		put_number(out, who_mib((double)bytes), MIB_WIDTH, "%.1f");
}

static bool continues_character(char byte)
{
	return ((unsigned char)byte & 0xC0) == 0x80;
}

/* Up to so many characters; returns how many there were. mark stands for those that are left out.
 */
static size_t put_text(FILE *out, const char *text, size_t most, char mark)
{
	size_t all = 0, put = 0;

	for (const char *at = text; *at; at++)
		all += !continues_character(*at);
	for (; *text; text++) {
		put += !continues_character(*text);
		if (all > most && put == most) {
			putc(mark, out);
			break;
		}
		putc(*text, out);
	}
	return put;
}

static void put_process(const struct who_sheet *sheet, const struct who_scan *scan,
			const struct who_process *process)
{
	FILE *out = sheet->out;
	const size_t columns = node_columns(sheet), used = width_with(sheet, columns + 1);

	fprintf(out, "%*u ", PID_WIDTH, process->pid);
	const size_t put = put_text(out, process->user, USER_WIDTH, '+');
	fprintf(out, "%*s", (int)(USER_WIDTH - put), "");
	for (size_t i = 0; i < columns; i++)
		put_mib(out, process, who_memory(scan, process, i)->bytes);
	put_mib(out, process, process->sum.bytes);
	put_number(out, who_share_pct(process, process->sum.bytes), SHARE_WIDTH, "%.1f");
	put_number(out, who_mib(process->sum.growth), MIB_WIDTH, "%+.1f");
	if (sheet->reads)
		put_number(out, process->cpu_MBps, MIB_WIDTH, "~%.1f");
	putc(' ', out);
	/* a narrow terminal breaks the line, as it does those of other tools */
	put_text(out, process->command,
		 COMMAND_WIDTH - 1 + (sheet->width > used ? sheet->width - used : 0), '+');
	putc('\n', out);
}

static void scan_table(struct who_sheet *sheet, const struct who_scan *scan)
{
	if (sheet->scans++)
		putc('\n', sheet->out);
	put_header(sheet, scan);
	for (size_t i = 0; i < scan->count; i++)
		put_process(sheet, scan, &scan->processes[i]);
}

const struct who_format who_table = {
	.name = "table",
	.scan = scan_table,
};
