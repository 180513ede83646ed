/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of people: a block a scan, largest first. Columns of single nodes are left out where
 * there is no room for all of them; numbers as numastat and vmstat have them.
 */

#include "base/text.h"
#include "output/fields.h"
#include "probe/who/print.h"
#include "probe/who/watch.h"

#define PID_WIDTH     7
#define USER_WIDTH    8
#define MIB_WIDTH     10 /* with the blank before it */
#define SHARE_WIDTH   7
#define COMMAND_WIDTH 16 /* that of the longest name of a program, likewise */
#define CLOCK_WIDTH   12 /* of groups, before whose numbers stands nothing else */

static int lead_width(const struct who_sheet *sheet)
{
	if (sheet->by == WHO_BY_PROCESS)
		return PID_WIDTH + 1 + USER_WIDTH;
	return sheet->repeats ? CLOCK_WIDTH : 0;
}

static bool has_reads(const struct who_sheet *sheet)
{
	return sheet->reads || sheet->sampled;
}

/* Devices in devdax mode: what processes have mapped of them. */
static bool has_dax(const struct who_sheet *sheet)
{
	return sheet->nodes->dax_count && !who_by_cgroups(sheet->by);
}

static size_t width_with(const struct who_sheet *sheet, size_t columns)
{
	return (size_t)lead_width(sheet) + SHARE_WIDTH + MIB_WIDTH +
	       (columns + has_reads(sheet) + has_dax(sheet) + sheet->stalls + 2 * sheet->regions) *
		       MIB_WIDTH +
	       COMMAND_WIDTH;
}

bool who_table_has_nodes(const struct who_sheet *sheet)
{
	const size_t nodes = sheet->nodes->numa.count;

	return nodes > 1 && width_with(sheet, nodes + 1) <= sheet->width;
}

/* A column for each node, and one for their sum: with one node, that alone. */
static size_t node_columns(const struct who_sheet *sheet)
{
	return who_table_has_nodes(sheet) ? sheet->nodes->numa.count : 0;
}

static const char *reads_title(const struct who_sheet *sheet)
{
	if (sheet->sampled)
		return sheet->no_loads ? "faults" : "cxl read";
	return sheet->by == WHO_BY_PROCESS ? "cpu cxl" : "cxl read";
}

/* A word of the header, in a column that the sheet may lack. */
static void put_word(FILE *out, bool has, int width, const char *word)
{
	if (has)
		fprintf(out, "%*s", width, word);
}

static void put_titles(const struct who_sheet *sheet, const struct who_scan *scan)
{
	const struct who_nodes *nodes = sheet->nodes;
	const size_t columns = nodes->numa.count == 1 ? 1 : node_columns(sheet);
	char name[24], time[FIELD_TIME_SIZE];

	fprintf(sheet->out, "%-*s", lead_width(sheet),
		sheet->repeats ? field_clock_text(time, scan->wall_ns) : "");
	for (size_t i = 0; i < columns; i++) {
		snprintf(name, sizeof(name), "node%u", nodes->numa.numbers[i]);
		put_word(sheet->out, true, MIB_WIDTH, name);
	}
	put_word(sheet->out, nodes->numa.count > 1, MIB_WIDTH, "nodes");
	put_word(sheet->out, true, SHARE_WIDTH, "share");
	put_word(sheet->out, true, MIB_WIDTH, "growth");
	put_word(sheet->out, has_dax(sheet), MIB_WIDTH, "devdax");
	put_word(sheet->out, has_reads(sheet), MIB_WIDTH, reads_title(sheet));
	put_word(sheet->out, sheet->stalls, MIB_WIDTH, "stalled");
	put_word(sheet->out, sheet->regions, MIB_WIDTH, "cxl");
	put_word(sheet->out, sheet->regions, MIB_WIDTH, "dram");
	putc('\n', sheet->out);
}

static void put_units(const struct who_sheet *sheet)
{
	static const char *const titles[WHO_BYS] = {"COMMAND", "CGROUP", "CONTAINER",
						    "VM",      "USER",	 "GROUP"};

	if (sheet->by == WHO_BY_PROCESS)
		fprintf(sheet->out, "%*s %-*s", PID_WIDTH, "PID", USER_WIDTH, "USER");
	else
		fprintf(sheet->out, "%*s", lead_width(sheet), "");
	for (size_t i = 0; i <= node_columns(sheet); i++)
		put_word(sheet->out, true, MIB_WIDTH, "MiB");
	put_word(sheet->out, true, SHARE_WIDTH, "%");
	put_word(sheet->out, true, MIB_WIDTH, "MiB");
	put_word(sheet->out, has_dax(sheet), MIB_WIDTH, "MiB");
	put_word(sheet->out, has_reads(sheet), MIB_WIDTH, sheet->no_loads ? "per s" : "MB/s");
	put_word(sheet->out, sheet->stalls, MIB_WIDTH, "%");
	put_word(sheet->out, sheet->regions, MIB_WIDTH, "MB/s");
	put_word(sheet->out, sheet->regions, MIB_WIDTH, "MB/s");
	fprintf(sheet->out, " %s\n", titles[sheet->by]);
}

/* ">": at least so much, without decimals, so that it takes no more room. */
static void put_mib(FILE *out, const struct who_row *row, uint64_t bytes)
{
	if (row->partial)
		field_column(out, (double)(bytes >> 20), MIB_WIDTH, ">%.*f", 0);
	else
		field_column(out, who_mib((double)bytes), MIB_WIDTH, "%.*f", 1);
}

/* Up to so many columns of a terminal; returns how many. mark stands for the rest. */
static int put_text(FILE *out, const char *text, int most, char mark)
{
	const int all = text_columns(text);
	const size_t bytes = text_beginning(text, all > most ? most - 1 : most);

	if (all <= most) {
		fputs(text, out);
		return all;
	}
	fprintf(out, "%.*s%c", (int)bytes, text, mark);
	return most;
}

/* What stands before the numbers. */
static void put_lead(const struct who_sheet *sheet, const struct who_row *row)
{
	if (sheet->by != WHO_BY_PROCESS) {
		fprintf(sheet->out, "%*s", lead_width(sheet), "");
		return;
	}
	fprintf(sheet->out, "%*u ", PID_WIDTH, row->pid);
	const int put = put_text(sheet->out, row->user, USER_WIDTH, '+');
	fprintf(sheet->out, "%*s", USER_WIDTH - put, "");
}

/* "~": an estimate. */
static void put_reads(const struct who_sheet *sheet, const struct who_scan *scan,
		      const struct who_row *row)
{
	const double reads = !sheet->sampled   ? row->read_MBps
			     : sheet->no_loads ? who_reads_per_s(sheet, scan, row)
					       : who_sampled_MBps(sheet, scan, row);

	field_column(sheet->out, reads, MIB_WIDTH,
		     sheet->by == WHO_BY_PROCESS || sheet->sampled ? "~%.*f" : "%.*f", 1);
}

/* Of this socket and of others. */
static void put_region(const struct who_sheet *sheet, double local, double remote)
{
	field_column(sheet->out, sheet->one_socket && isnan(remote) ? local : local + remote,
		     MIB_WIDTH, "%.*f", 1);
}

static void put_regions(const struct who_sheet *sheet, const double MBps[MEMORY_REGIONS])
{
	put_region(sheet, MBps[REGION_CXL], MBps[REGION_CXL_REMOTE]);
	put_region(sheet, MBps[REGION_DRAM], MBps[REGION_DRAM_REMOTE]);
}

static void put_row(const struct who_sheet *sheet, const struct who_scan *scan,
		    const struct who_row *row)
{
	FILE *out = sheet->out;
	const size_t columns = node_columns(sheet), used = width_with(sheet, columns + 1);

	put_lead(sheet, row);
	for (size_t i = 0; i < columns; i++)
		put_mib(out, row, row->memory[i].bytes);
	put_mib(out, row, row->sum.bytes);
	field_column(out, who_share_pct(row, row->sum.bytes), SHARE_WIDTH, "%.*f", 1);
	field_column(out, who_mib(row->sum.growth), MIB_WIDTH, "%+.*f", 1);
	if (has_dax(sheet))
		field_column(out, who_dax_mib(sheet, row), MIB_WIDTH, "%.*f", 1);
	if (has_reads(sheet))
		put_reads(sheet, scan, row);
	if (sheet->stalls)
		field_column(out, row->stalled_pct, MIB_WIDTH, "%.*f", 1);
	if (sheet->regions)
		put_regions(sheet, row->region_MBps);
	putc(' ', out);
	/* a narrow terminal breaks the line, as it does those of other tools */
	put_text(out, row->name,
		 COMMAND_WIDTH - 1 + (int)(sheet->width > used ? sheet->width - used : 0), '+');
	putc('\n', out);
}

/* The header, where the last one would scroll off the terminal; else the time alone. */
static void put_head(struct who_sheet *sheet, const struct who_scan *scan, size_t rows)
{
	char time[FIELD_TIME_SIZE];

	if (sheet->lines && !(sheet->height && sheet->lines + rows + 2 > sheet->height)) {
		fprintf(sheet->out, "%s\n", field_clock_text(time, scan->wall_ns));
	} else {
		put_titles(sheet, scan);
		put_units(sheet);
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
		put_row(sheet, scan, &rows->at[i]);
}
