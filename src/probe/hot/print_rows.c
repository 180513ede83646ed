/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Formats for programs. CSV: in each report a row of the system, then one of each process (or
 * other kind of row). The columns are the same on every machine. JSON Lines: an object per report.
 * Unknown values are empty, or null.
 */
#include <inttypes.h>
#include <math.h>

#include "output/fields.h"
#include "platform/load_sample.h"
#include "probe/hot/print.h"
#include "process/intake.h"

#define MBPS_DECIMALS 3
#define GIB_DECIMALS  3

static void put_place(struct fields *f, const struct process_row *row)
{
	char address[24] = "";

	if (row->address)
		snprintf(address, sizeof(address), "0x%" PRIx64, row->address);
	fields_index(f, "pid", row->is.pid ? (int)row->is.pid : -1);
	fields_text(f, "command", row->is.name);
	fields_text(f, "name", row->name);
	fields_index(f, "node", row->node);
	fields_text(f, "address", address);
	fields_text(f, "function", row->function);
}

static void put_reads(struct fields *f, const struct row_reads *reads)
{
	for (size_t i = 0; i < READ_COLUMNS; i++) {
		const struct read_column *column = &read_columns[i];
		const double number = read_column_number(column, reads);

		if (column->decimals == READ_SHARE)
			fields_share(f, column->name, number);
		else
			fields_number(f, column->name, number, column->decimals);
	}
}

/* Puts fields that only the whole system has. */
static void put_totals(struct fields *f, const struct process_report *report)
{
	fields_number(f, "cxl_counted_MBps", report_counted_MBps(report, MEMORY_CXL),
		      MBPS_DECIMALS);
	fields_number(f, "cxl_unseen_MBps",
		      report_counted_MBps(report, MEMORY_CXL) -
			      report_MBps(report, report->all, MEMORY_CXL),
		      MBPS_DECIMALS);
	fields_number(f, "dram_counted_MBps", report_counted_MBps(report, MEMORY_DRAM),
		      MBPS_DECIMALS);
	fields_text(f, "event", report->event->name);
	fields_count(f, "period", report->period);
	fields_count(f, "lost", report->lost);
	fields_count(f, "throttled", report->throttled);
	fields_number(f, "cost_pct", report_cost_pct(report), MBPS_DECIMALS);
}

/* Puts the system's fields that tell how much was sampled. */
static void put_coverage(struct fields *f, const struct process_report *report)
{
	fields_text(f, "rates", report_rates(report));
	fields_number(f, "running_pct", report_running_pct(report), MBPS_DECIMALS);
	fields_count(f, "unsampled_cpus", report->unsampled);
	fields_number(f, "records_lost", report->records_lost, 0);
}

static void put_timed(struct fields *f, const struct row_reads *reads)
{
	fields_count(f, "cxl_timed_samples", reads->cxl.timed);
	fields_count(f, "dram_timed_samples", reads->dram.timed);
}

/* Puts a row of CSV. from: the row's samples. */
static void put_row(FILE *out, enum field_style style, const struct process_report *report,
		    const struct sampled_row *from, const char *scope)
{
	struct fields f = {.out = out, .style = style};
	struct process_row row;

	report_row(report, from, &row);
	fields_interval(&f, report->wall_ns, report_seconds(report), (double)report->missed);
	fields_text(&f, "scope", scope);
	put_place(&f, &row);
	put_reads(&f, &row.reads);
	f.blank = from != report->all;
	put_totals(&f, report);
	f.blank = false;
	put_timed(&f, &row.reads);
	f.blank = from != report->all;
	put_coverage(&f, report);
	f.blank = false;
	fields_index(&f, "cpu", row.cpu);
	putc('\n', out);
}

static void begin_csv(struct hot_sheet *sheet)
{
	struct kept_name unnamed = {.text = ""};
	const struct process_names names = {.at = &unnamed};
	const struct load_event event = {.name = ""};
	const struct sampled_row row = {.node = -1, .cpu = -1};
	const struct process_report report = {.names = &names, .event = &event, .all = &row};

	put_row(sheet->out, FIELDS_NAMES, &report, &row, "");
}

static void report_csv(struct hot_sheet *sheet, const struct process_report *report)
{
	put_row(sheet->out, FIELDS_CSV, report, report->all, "system");
	for (size_t i = 0; i < report->count; i++)
		put_row(sheet->out, FIELDS_CSV, report, report->rows[i], report->by);
	if (sampled_row_samples(report->others, report->time))
		put_row(sheet->out, FIELDS_CSV, report, report->others, "others");
}

static void put_object(struct fields *f, const char *name, const struct process_report *report,
		       const struct sampled_row *from)
{
	struct process_row row;

	report_row(report, from, &row);
	fields_open(f, name, '{');
	put_place(f, &row);
	put_reads(f, &row.reads);
	put_timed(f, &row.reads);
	fields_index(f, "cpu", row.cpu);
	fields_close(f, '}');
}

static void put_node(struct fields *f, const struct reported_node *node)
{
	static const char *const parts[HEAT_PARTS] = {"GiB_50_pct", "GiB_90_pct", "GiB_99_pct"};

	fields_open(f, NULL, '{');
	fields_index(f, "node", node->heat.node);
	fields_text(f, "memory", node->cxl ? "cxl" : "dram");
	for (size_t i = 0; i < HEAT_PARTS; i++)
		fields_number(f, parts[i], heat_GiB(node->heat.parts[i]), GIB_DECIMALS);
	fields_number(f, "seen_GiB", heat_GiB(node->heat.ranges), GIB_DECIMALS);
	fields_number(f, "unseen_GiB", report_unseen_GiB(node), GIB_DECIMALS);
	fields_open(f, "GiB_by_samples", '[');
	for (size_t i = 0; i < HEAT_BUCKETS; i++)
		fields_number(f, NULL, heat_GiB(node->heat.buckets[i]), GIB_DECIMALS);
	fields_close(f, ']');
	fields_close(f, '}');
}

/* Puts the hotness of memory, at the end of a run. */
static void put_heat(struct fields *f, const struct process_report *report)
{
	fields_open(f, "heat", '[');
	for (size_t i = 0; i < report->node_count; i++)
		put_node(f, &report->nodes[i]);
	fields_close(f, ']');
	fields_number(f, "hot_cxl_GiB", report->hot_cxl_GiB, GIB_DECIMALS);
	fields_number(f, "colder_dram_GiB", report->colder_dram_GiB, GIB_DECIMALS);
	fields_count(f, "coolings", report->coolings);
	fields_count(f, "ranges_left_out", report->left_out);
	fields_number(f, "unseen_dram_GiB", report->unseen_dram_GiB, GIB_DECIMALS);
}

static void report_json(struct hot_sheet *sheet, const struct process_report *report)
{
	struct fields f = {.out = sheet->out, .style = FIELDS_JSON};

	fields_open(&f, NULL, '{');
	fields_count(&f, "schema", HOT_SCHEMA);
	fields_interval(&f, report->wall_ns, report_seconds(report), (double)report->missed);
	fields_text(&f, "of", report->time == TIME_RUN ? "run" : "interval");
	put_totals(&f, report);
	put_coverage(&f, report);
	fields_text(&f, "by", report->by);
	put_object(&f, "system", report, report->all);
	put_object(&f, "others", report, report->others);
	fields_open(&f, "rows", '[');
	for (size_t i = 0; i < report->count; i++)
		put_object(&f, NULL, report, report->rows[i]);
	fields_close(&f, ']');
	if (report->time == TIME_RUN)
		put_heat(&f, report);
	fputs("}\n", sheet->out);
}

static void put_range(FILE *out, enum field_style style, const struct heat_range *range,
		      unsigned shift, const char *command)
{
	struct fields f = {.out = out, .style = style};
	char start[24], end[24];

	snprintf(start, sizeof(start), "0x%" PRIx64, range->first);
	snprintf(end, sizeof(end), "0x%" PRIx64, range->first + (UINT64_C(1) << shift));
	fields_count(&f, "pid", range->pid);
	fields_text(&f, "command", command);
	fields_text(&f, "start", start);
	fields_text(&f, "end", end);
	fields_index(&f, "node", range->node);
	fields_count(&f, "samples", range->samples);
	fields_count(&f, "events", range->events);
	putc('\n', out);
}

/* Puts ranges, except those in without. */
static void put_ranges(FILE *out, const struct heat_table *heat, const struct heat_detail *without,
		       const struct process_names *names)
{
	for (size_t i = 0; i < heat->count; i++)
		if (!heat_detail_has(without, heat->ranges[i].first))
			put_range(out, FIELDS_CSV, &heat->ranges[i], heat->shift,
				  process_name(names, heat->ranges[i].command));
}

void hot_print_pages(FILE *out, const struct process_intake *intake)
{
	const struct heat_range none = {.node = -1};
	const struct row_set *set = &intake->sets[0];

	put_range(out, FIELDS_NAMES, &none, 0, "");
	put_ranges(out, &set->heat, &set->detail, &intake->names);
	put_ranges(out, &set->pages, &(struct heat_detail){0}, &intake->names);
}

const struct hot_format hot_csv = {
	.begin = begin_csv,
	.report = report_csv,
};

const struct hot_format hot_json = {
	.report = report_json,
	.sums_up = true,
};
