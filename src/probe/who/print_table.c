/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text table: a block per scan, largest rows first. Columns of single nodes are left out
 * unless all fit. Numbers are formatted as in numastat and vmstat.
 */
#include "output/fields.h"
#include "probe/who/print.h"
#include "probe/who/watch.h"
#include "process/sheet.h"

#define PID_WIDTH   7
#define USER_WIDTH  8
#define MIB_WIDTH   10 /* includes the blank before it */
#define SHARE_WIDTH 7
/* longest name of a program, with the blank before it */
#define COMMAND_WIDTH 16
#define NODES_MOST    64 /* most nodes with a column each */
#define CLOCK_WIDTH   12 /* width before the numbers of groups */

static int lead_width(const struct who_sheet *sheet)
{
	if (sheet->by == BY_PROCESS)
		return PID_WIDTH + 1 + USER_WIDTH;
	return sheet->repeats ? CLOCK_WIDTH : 0;
}

/* Tells if there is a column for devices in devdax mode. */
static bool has_dax(const struct who_sheet *sheet)
{
	return sheet->nodes->dax_count && !row_by_cgroups(sheet->by);
}

static const char *reads_title(const struct who_sheet *sheet)
{
	if (sheet->sampled)
		return sheet->no_loads ? "faults" : "cxl read";
	return sheet->by == BY_PROCESS ? "cpu cxl" : "cxl read";
}

static void add_number(struct sheet *columns, const char *title, const char *unit, double number)
{
	sheet_add(columns,
		  &(struct sheet_column){
			  .unit = unit, .width = MIB_WIDTH, .decimals = 1, .number = number},
		  "%s", title);
}

/*
 * Makes a column of memory. ">" marks a lower limit, without decimals, so that it takes no more
 * room.
 */
static struct sheet_column memory_column(const struct who_row *row, uint64_t bytes, unsigned rank)
{
	struct sheet_column column = {.unit = "MiB", .width = MIB_WIDTH, .rank = rank};

	if (row->partial) {
		column.format = ">%.*f";
		column.number = (double)(bytes >> 20);
	} else {
		column.decimals = 1;
		column.number = who_mib((double)bytes);
	}
	return column;
}

/* Adds a column for each node, which are shown only if all fit, and one for their sum. */
static void add_memory(struct sheet *columns, const struct cxl_nodes *nodes,
		       const struct who_row *row)
{
	const struct sheet_column sum = memory_column(row, row->sum.bytes, 0);

	for (size_t i = 0; nodes->count > 1 && i < nodes->count && nodes->count <= NODES_MOST;
	     i++) {
		const struct sheet_column column = memory_column(row, row->memory[i].bytes, 1);

		sheet_add(columns, &column, "node%u", nodes->numbers[i]);
	}
	if (nodes->count > 1)
		sheet_add(columns, &sum, "nodes");
	else
		sheet_add(columns, &sum, "node%u", nodes->numbers[0]);
	sheet_add(columns,
		  &(struct sheet_column){.unit = "%",
					 .width = SHARE_WIDTH,
					 .decimals = 1,
					 .number = who_share_pct(row, row->sum.bytes)},
		  "share");
	sheet_add(columns,
		  &(struct sheet_column){.unit = "MiB",
					 .width = MIB_WIDTH,
					 .format = "%+.*f",
					 .decimals = 1,
					 .number = who_mib(row->sum.growth)},
		  "growth");
}

/* Adds a column of reads. "~" marks an estimate. */
static void add_reads(struct sheet *columns, const struct who_sheet *sheet,
		      const struct who_scan *scan, const struct who_row *row)
{
	const bool estimate = sheet->by == BY_PROCESS || sheet->sampled;
	struct sheet_column column = {.unit = sheet->no_loads ? "per s" : "MB/s",
				      .width = MIB_WIDTH,
				      .format = estimate ? "~%.*f" : NULL,
				      .decimals = 1,
				      .number = row->read_MBps};

	if (sheet->sampled)
		column.number = sheet->no_loads ? who_reads_per_s(sheet, scan, row)
						: who_sampled_MBps(sheet, scan, row);
	sheet_add(columns, &column, "%s", reads_title(sheet));
}

/* Sums up local and remote traffic; one socket has no remote traffic. */
static double region_MBps(const struct who_sheet *sheet, double local, double remote)
{
	return sheet->one_socket && isnan(remote) ? local : local + remote;
}

static struct sheet columns_of(const struct who_sheet *sheet, const struct who_scan *scan,
			       const struct who_row *row)
{
	const size_t others = (size_t)lead_width(sheet) + COMMAND_WIDTH;
	const double *MBps = row->region_MBps;
	struct sheet columns = {.count = 0};

	add_memory(&columns, &sheet->nodes->numa, row);
	if (has_dax(sheet))
		add_number(&columns, "devdax", "MiB", who_dax_mib(sheet, row));
	if (sheet->reads || sheet->sampled)
		add_reads(&columns, sheet, scan, row);
	if (sheet->stalls)
		add_number(&columns, "stalled", "%", row->stalled_pct);
	if (sheet->regions) {
		add_number(&columns, "cxl", "MB/s",
			   region_MBps(sheet, MBps[REGION_CXL], MBps[REGION_CXL_REMOTE]));
		add_number(&columns, "dram", "MB/s",
			   region_MBps(sheet, MBps[REGION_DRAM], MBps[REGION_DRAM_REMOTE]));
	}
	sheet_fit(&columns, sheet->width > others ? sheet->width - others : 0);
	return columns;
}

/* Returns the columns without numbers. */
static struct sheet titles_of(const struct who_sheet *sheet)
{
	struct who_memory memory[NODES_MOST] = {{.bytes = 0}};

	return columns_of(sheet, &(struct who_scan){.taken = false},
			  &(struct who_row){.memory = memory});
}

bool who_table_has_nodes(const struct who_sheet *sheet)
{
	const struct sheet columns = titles_of(sheet);

	return columns.at[0].rank;
}

static void put_titles(const struct who_sheet *sheet, const struct who_scan *scan)
{
	static const char *const nouns[WHO_BYS] = {"COMMAND", "CGROUP", "CONTAINER",
						   "VM",      "USER",	"GROUP"};
	const struct sheet columns = titles_of(sheet);
	char time[FIELD_TIME_SIZE];

	fprintf(sheet->out, "%-*s", lead_width(sheet),
		sheet->repeats ? field_clock_text(time, scan->wall_ns) : "");
	sheet_put_titles(&columns, sheet->out);
	if (sheet->by == BY_PROCESS)
		fprintf(sheet->out, "\n%*s %-*s", PID_WIDTH, "PID", USER_WIDTH, "USER");
	else
		fprintf(sheet->out, "\n%*s", lead_width(sheet), "");
	sheet_put_units(&columns, sheet->out);
	fprintf(sheet->out, " %s\n", nouns[sheet->by]);
}

/* Puts the fields before the numbers. */
static void put_lead(const struct who_sheet *sheet, const struct who_row *row)
{
	if (sheet->by != BY_PROCESS) {
		fprintf(sheet->out, "%*s", lead_width(sheet), "");
		return;
	}
	fprintf(sheet->out, "%*u ", PID_WIDTH, row->pid);
	const int put = sheet_put_text(sheet->out, row->user, USER_WIDTH, '+');
	fprintf(sheet->out, "%*s", USER_WIDTH - put, "");
}

/* Puts a row. A narrow terminal breaks the line, as with other tools. */
static void put_row(const struct who_sheet *sheet, const struct who_scan *scan,
		    const struct who_row *row)
{
	const struct sheet columns = columns_of(sheet, scan, row);
	const size_t used = (size_t)lead_width(sheet) + sheet_width(&columns) + COMMAND_WIDTH;

	put_lead(sheet, row);
	sheet_put_numbers(&columns, sheet->out);
	putc(' ', sheet->out);
	sheet_put_text(sheet->out, row->name,
		       COMMAND_WIDTH - 1 + (int)(sheet->width > used ? sheet->width - used : 0),
		       '+');
	putc('\n', sheet->out);
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
		put_row(sheet, scan, &rows->at[i]);
}
