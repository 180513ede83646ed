/* SPDX-License-Identifier: BSD-3-Clause */
/* The text table: a block per report, rows with most reads from CXL memory first. */
#include "probe/hot/print.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/wrap.h"
#include "output/fields.h"
#include "process/sheet.h"

#define INDENT	     "  "
#define HEADER_LINES 2

/* Phrases separated by commas, broken into lines. */
struct paragraph {
	FILE *out;
	size_t width, used; /* used: characters in the line; 0: it is empty */
};

__attribute__((format(printf, 2, 3))) static void put_phrase(struct paragraph *p,
							     const char *format, ...)
{
	char text[160];
	va_list values;

	va_start(values, format);
	vsnprintf(text, sizeof(text), format, values);
	va_end(values);
	const size_t length = strlen(text);
	if (p->used && p->used + length + strlen(", ,") > p->width) {
		fputs(",\n" INDENT, p->out);
		p->used = strlen(INDENT);
	} else if (p->used) {
		fputs(", ", p->out);
		p->used += strlen(", ");
	}
	fputs(text, p->out);
	p->used += length;
}

/* Puts the reads that ports counted, and the percentage that samples show. */
static void put_counted(struct paragraph *p, const struct process_report *report)
{
	const double seen = report_share_pct(report, report->all);

	if (isnan(report_counted_MBps(report, MEMORY_CXL)))
		return;
	put_phrase(p, "ports counted %.1f MB/s of CXL reads",
		   report_counted_MBps(report, MEMORY_CXL));
	if (!isnan(seen))
		put_phrase(p, "sampled loads are %.1f %% of it", seen);
}

static void put_report_line(const struct hot_sheet *sheet, const struct process_report *report)
{
	struct paragraph p = {.out = sheet->out, .width = sheet->width};
	char clock[FIELD_TIME_SIZE], time[FIELD_TIME_SIZE + 16];
	uint64_t samples = 0;

	for (size_t m = 0; m < READ_MEMORIES; m++)
		samples += report_samples(report, report->all, m);
	if (report->time == TIME_RUN)
		snprintf(time, sizeof(time), "All %.3f s", report_seconds(report));
	else
		snprintf(time, sizeof(time), "%s", field_clock_text(clock, report->wall_ns));
	put_phrase(&p, "%s" INDENT "%" PRIu64 " sample%s", time, samples, samples == 1 ? "" : "s");
	put_phrase(&p, "each of %" PRIu64 " %s", report->period, report->event->name);
	if (report_samples(report, report->all, MEMORY_UNKNOWN))
		put_phrase(&p, "%" PRIu64 " of unknown memory",
			   report_samples(report, report->all, MEMORY_UNKNOWN));
	if (report->lost)
		put_phrase(&p, "%" PRIu64 " lost", report->lost);
	if (report->records_lost > 0)
		put_phrase(&p, "%.0f records of processes lost", report->records_lost);
	if (report->throttled)
		put_phrase(&p, "throttled %" PRIu64 " times", report->throttled);
	if (report_running_pct(report) < 99.95)
		put_phrase(&p, "sampled %.1f %% of the time", report_running_pct(report));
	if (report->unsampled)
		put_phrase(&p, "CPUs not sampled: %zu (no rates)", report->unsampled);
	else if (report->event->tagged)
		put_phrase(&p, "rates estimated from tagged ops");
	if (!isnan(report_cost_pct(report)))
		put_phrase(&p, "sampling takes %.2f %% of a CPU", report_cost_pct(report));
	put_counted(&p, report);
	putc('\n', sheet->out);
}

static struct sheet columns_of(const struct hot_sheet *sheet, const struct process_report *report,
			       const struct sampled_row *from)
{
	const bool loads = !report->event->no_loads;
	struct process_row row;

	report_row(report, from, &row);
	const struct memory_reads *cxl = &row.reads.cxl, *dram = &row.reads.dram;
	const struct sheet_column rates[] = {
		{"CXL", "MB/s", 11, 1, "~%.*f", 1, cxl->MBps},
		{"DRAM", "MB/s", 11, 2, "~%.*f", 1, dram->MBps},
	};
	const struct sheet_column events[] = {
		{"CXL", "per s", 11, 1, NULL, 1, cxl->per_s},
		{"DRAM", "per s", 11, 2, NULL, 1, dram->per_s},
	};
	const struct sheet_column latencies[] = {
		{"CXL", "p50 ns", 8, 3, NULL, 0, cxl->p50_ns},
		{"CXL", "p90 ns", 8, 9, NULL, 0, cxl->p90_ns},
		{"CXL", "p99 ns", 8, 4, NULL, 0, cxl->p99_ns},
		{"CXL", "max ns", 8, 10, NULL, 0, cxl->max_ns},
		{"DRAM", "p50 ns", 8, 6, NULL, 0, dram->p50_ns},
		{"DRAM", "p90 ns", 8, 11, NULL, 0, dram->p90_ns},
		{"DRAM", "p99 ns", 8, 7, NULL, 0, dram->p99_ns},
		{"DRAM", "max ns", 8, 12, NULL, 0, dram->max_ns},
	};
	const struct sheet_column samples[] = {
		{"CXL", "samples", 10, 5, NULL, 0, (double)cxl->samples},
		{"DRAM", "samples", 10, 8, NULL, 0, (double)dram->samples},
	};
	struct sheet columns = {.width = sheet->width};

	sheet_add(&columns, loads ? rates : events, 2);
	sheet_add(&columns, latencies, report->timed ? 8 : 0);
	sheet_add(&columns, samples, 2);
	sheet_fit(&columns);
	return columns;
}

static void put_row(const struct hot_sheet *sheet, const struct process_report *report,
		    const struct sampled_row *row)
{
	const struct sheet columns = columns_of(sheet, report, row);
	char title[ROW_TITLE_SIZE];

	const int used = sheet_put_numbers(&columns, sheet->out);
	putc(' ', sheet->out);
	/* the end of a long name stands in the right half of the next line of a terminal */
	wrapped_print(sheet->out, report_row_title(report, row, title), used + 1,
		      (int)sheet->width / 2, sheet->height ? (int)sheet->width : 0);
}

#define BAR_WIDTH    40
#define BUCKET_WIDTH 37 /* characters before the bar */

/* Puts the ranges by number of samples, the hottest last. */
static void put_histogram(const struct hot_sheet *sheet, const struct heat_node *heat)
{
	FILE *out = sheet->out;
	const size_t room = sheet->width > BUCKET_WIDTH ? sheet->width - BUCKET_WIDTH : 1;
	const size_t width = room < BAR_WIDTH ? room : BAR_WIDTH;
	const struct heat_histogram histogram = heat_histogram_of(heat);

	for (size_t i = 0; i < histogram.used; i++) {
		const size_t most = histogram.most;

		fprintf(out, "%6u to %5u samples %8.3f GiB ", 1U << i, (2U << i) - 1,
			heat_GiB(heat->buckets[i]));
		for (size_t n = most ? (heat->buckets[i] * width + most - 1) / most : 0; n; n--)
			putc('#', out);
		putc('\n', out);
	}
}

static void put_node(const struct hot_sheet *sheet, const struct reported_node *node)
{
	struct paragraph p = {.out = sheet->out, .width = sheet->width};
	const struct heat_node *heat = &node->heat;

	for (size_t i = 0; i < HEAT_PARTS; i++) {
		char of[32] = "";

		if (!i)
			snprintf(of, sizeof(of), "node %d (%s): ", heat->node,
				 node->cxl ? "CXL" : "DRAM");
		put_phrase(&p, "%s%u %% of samples in %.3f GiB", of, heat_percents[i],
			   heat_GiB(heat->parts[i]));
	}
	if (!isnan(node->used_GiB))
		put_phrase(&p, "%.3f GiB used but never sampled", report_unseen_GiB(node));
	putc('\n', sheet->out);
}

static void put_comparison(const struct hot_sheet *sheet, const struct process_report *report)
{
	char text[320], unseen[64] = "";

	if (isnan(report->colder_dram_GiB))
		return;
	if (!isnan(report->unseen_dram_GiB))
		snprintf(unseen, sizeof(unseen), ", %.3f GiB of these never",
			 report->unseen_dram_GiB);
	snprintf(text, sizeof(text),
		 "The hottest %.3f GiB of CXL memory have half of its sampled loads; %.3f GiB of "
		 "DRAM were sampled less than half as often%s.",
		 report->hot_cxl_GiB, report->colder_dram_GiB, unseen);
	putc('\n', sheet->out);
	wrapped_print(sheet->out, text, 0, 0, (int)sheet->width);
	wrapped_print(sheet->out, UNSEEN_CAVEAT, 0, 0, (int)sheet->width);
}

static void put_heat(const struct hot_sheet *sheet, const struct process_report *report)
{
	for (size_t i = 0; i < report->node_count; i++) {
		putc('\n', sheet->out);
		put_node(sheet, &report->nodes[i]);
		put_histogram(sheet, &report->nodes[i].heat);
	}
	put_comparison(sheet, report);
	if (report->left_out)
		fprintf(sheet->out, "%" PRIu64 " samples are of further ranges of memory.\n",
			report->left_out);
}

static void put_report(const struct hot_sheet *sheet, const struct process_report *report)
{
	put_report_line(sheet, report);
	if (!report->count)
		return;
	for (size_t i = 0; i < report->count && i < HOT_TABLE_ROWS; i++)
		put_row(sheet, report, report->rows[i]);
	if (report->count > HOT_TABLE_ROWS)
		fprintf(sheet->out, "%zu rows more (--csv has all)\n",
			report->count - HOT_TABLE_ROWS);
	if (sampled_row_samples(report->others, report->time))
		put_row(sheet, report, report->others);
	if (report->time == TIME_RUN)
		put_heat(sheet, report);
	else
		for (size_t i = 0; i < report->node_count; i++)
			put_node(sheet, &report->nodes[i]);
}

/* Returns the text of a report; NULL: out of memory. */
static char *report_text(const struct hot_sheet *sheet, const struct process_report *report)
{
	struct hot_sheet in_memory = *sheet;
	char *text = NULL;
	size_t size;

	in_memory.out = open_memstream(&text, &size);
	if (!in_memory.out)
		return NULL;
	put_report(&in_memory, report);
	if (!fclose(in_memory.out))
		return text;
	free(text);
	return NULL;
}

/* Returns the lines of a text on a terminal of this width: long lines take several. */
static size_t terminal_lines(const char *text, size_t width)
{
	size_t lines = 0;

	while (*text) {
		const size_t length = strcspn(text, "\n");

		lines += length ? (length + width - 1) / width : 1;
		text += length + (text[length] == '\n');
	}
	return lines;
}

/* Puts the header at the beginning, and on a terminal if the last header would scroll off. */
static void repeat_header(struct hot_sheet *sheet, const struct process_report *report,
			  size_t lines)
{
	if (!sheet->lines || (sheet->height && sheet->lines + lines > sheet->height)) {
		const struct sheet titles = columns_of(sheet, report, report->all);

		sheet_put_header(&titles, sheet->out, "", "", report->by);
		sheet->lines = HEADER_LINES;
	}
	sheet->lines += lines;
}

static void report_table(struct hot_sheet *sheet, const struct process_report *report)
{
	char *text = sheet->height ? report_text(sheet, report) : NULL;
	/* one line more for the cursor, or the blank line before the next report */
	const size_t lines = text ? terminal_lines(text, sheet->width) + 1 : sheet->height;

	if (sheet->reports)
		putc('\n', sheet->out);
	if (report->count)
		repeat_header(sheet, report, lines);
	if (text)
		fputs(text, sheet->out);
	else
		put_report(sheet, report);
	free(text);
}

const struct hot_format hot_table = {
	.report = report_table,
	.sums_up = true,
};

const struct hot_format *hot_format_of(const struct format *format)
{
	return format == &format_table	? &hot_table
	       : format == &format_csv	? &hot_csv
	       : format == &format_json ? &hot_json
					: NULL;
}
