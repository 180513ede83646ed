/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of people: a block a report, those that read most from CXL memory first. */
#include "probe/hot/print.h"

#include <inttypes.h>
#include <math.h>

#include "output/fields.h"

/* What the ports say, and how much of it samples show. */
static void put_counted(FILE *out, const struct hot_report *report)
{
	const double seen = hot_share_pct(report, report->all);

	if (isnan(hot_counted_MBps(report, MEMORY_CXL)))
		return;
	fprintf(out, "; ports counted %.1f MB/s of CXL reads",
		hot_counted_MBps(report, MEMORY_CXL));
	if (!isnan(seen))
		fprintf(out, ", of which loads that are sampled make up %.1f %%", seen);
}

static void put_heading(FILE *out, const struct hot_report *report)
{
	char time[FIELD_TIME_SIZE];
	uint64_t samples = 0;

	for (size_t m = 0; m < HOT_MEMORIES; m++)
		samples += hot_samples(report, report->all, m);
	if (report->time == HOT_RUN)
		fprintf(out, "All %.3f s", hot_seconds(report));
	else
		fputs(field_clock_text(time, report->wall_ns), out);
	fprintf(out, "  %s, 1 of %" PRIu64 ": %" PRIu64 " samples", report->event->name,
		report->period, samples);
	if (hot_samples(report, report->all, MEMORY_UNKNOWN))
		fprintf(out, ", %" PRIu64 " of unknown memory",
			hot_samples(report, report->all, MEMORY_UNKNOWN));
	if (report->lost)
		fprintf(out, ", %" PRIu64 " lost", report->lost);
	if (report->throttled)
		fprintf(out, ", throttled %" PRIu64 " times", report->throttled);
	if (hot_running_pct(report) < 99.95)
		fprintf(out, ", sampled %.1f %% of the time", hot_running_pct(report));
	if (report->unsampled)
		fprintf(out, ", CPUs not sampled: %zu (no rates)", report->unsampled);
	else if (report->event->tagged)
		fputs(", rates estimated from tagged ops", out);
	if (!isnan(hot_cost_pct(report)))
		fprintf(out, ", %.2f %% of a CPU", hot_cost_pct(report));
	put_counted(out, report);
	putc('\n', out);
}

static void put_columns(FILE *out, const struct hot_report *report)
{
	const bool loads = !report->event->no_loads;

	fprintf(out, "%9s %9s %10s %10s", "CXL", "DRAM", loads ? "CXL" : "CXL per",
		loads ? "DRAM" : "DRAM per");
	if (report->timed)
		fprintf(out, " %31s %31s", "CXL ns", "DRAM ns");
	fprintf(out, "\n%9s %9s %10s %10s", "samples", "samples", loads ? "MB/s" : "second",
		loads ? "MB/s" : "second");
	for (size_t i = 0; report->timed && i < 2; i++)
		fprintf(out, " %7s %7s %7s %7s", "p50", "p90", "p99", "max");
	fprintf(out, " %s\n", report->by);
}

static void put_latencies(FILE *out, const struct hot_report *report, const struct hot_row *row,
			  enum hot_memory memory)
{
	static const unsigned percents[] = {50, 90, 99, 100};

	for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++)
		field_column(out, hot_latency(report, row, memory, percents[i]), 8, "%.*f", 0);
}

static void put_row(FILE *out, const struct hot_report *report, const struct hot_row *row)
{
	const bool loads = !report->event->no_loads;
	const enum hot_memory memories[] = {MEMORY_CXL, MEMORY_DRAM};
	char title[HOT_TITLE_SIZE];

	fprintf(out, "%9" PRIu64 " %9" PRIu64, hot_samples(report, row, MEMORY_CXL),
		hot_samples(report, row, MEMORY_DRAM));
	for (size_t i = 0; i < 2; i++)
		field_column(out,
			     loads ? hot_MBps(report, row, memories[i])
				   : hot_per_s(report, row, memories[i]),
			     11, loads ? "~%.*f" : "%.*f", 1);
	for (size_t i = 0; report->timed && i < 2; i++)
		put_latencies(out, report, row, memories[i]);
	fprintf(out, " %s\n", hot_row_title(report, row, title));
}

#define BAR_WIDTH 40

/* Ranges by how often they were sampled: hot ones at the end. */
static void put_histogram(FILE *out, const struct heat_node *heat)
{
	const struct hot_histogram histogram = hot_histogram_of(heat);

	for (size_t i = 0; i < histogram.used; i++) {
		const size_t most = histogram.most;

		fprintf(out, "%6u to %5u samples %8.3f GiB ", 1U << i, (2U << i) - 1,
			heat_GiB(heat->buckets[i]));
		for (size_t n = most ? (heat->buckets[i] * BAR_WIDTH + most - 1) / most : 0; n; n--)
			putc('#', out);
		putc('\n', out);
	}
}

/* The same in a line, for each interval: the more memory, the denser. */
static void put_strip(FILE *out, const struct heat_node *heat)
{
	static const char shades[] = " .:-=+*#";
	const struct hot_histogram histogram = hot_histogram_of(heat);

	fputs("  [", out);
	for (size_t i = 0; i < histogram.used; i++) {
		const size_t ranges = heat->buckets[i];

		putc(shades[ranges ? 1 + (sizeof(shades) - 3) * ranges / histogram.most : 0], out);
	}
	fputs("]\n", out);
}

static void put_node(FILE *out, const struct hot_node *node)
{
	const struct heat_node *heat = &node->heat;

	fprintf(out, "node %d (%s): ", heat->node, node->cxl ? "CXL" : "DRAM");
	for (size_t i = 0; i < HEAT_PARTS; i++)
		fprintf(out, "%s%u %% in %.3f GiB", i ? ", " : "", heat_percents[i],
			heat_GiB(heat->parts[i]));
	if (!isnan(node->used_GiB))
		fprintf(out, "; %.3f GiB used and never seen", hot_unseen_GiB(node));
}

static void put_comparison(FILE *out, const struct hot_report *report)
{
	if (isnan(report->colder_dram_GiB))
		return;
	fprintf(out,
		"\nThe hottest %.3f GiB of CXL memory have half of its sampled loads; %.3f GiB of "
		"DRAM were sampled less than half as often",
		report->hot_cxl_GiB, report->colder_dram_GiB);
	if (!isnan(report->unseen_dram_GiB))
		fprintf(out, ", %.3f GiB of these never", report->unseen_dram_GiB);
	fputs(".\n" HOT_UNSEEN_CAVEAT "\n", out);
}

static void put_heat(FILE *out, const struct hot_report *report)
{
	for (size_t i = 0; i < report->node_count; i++) {
		putc('\n', out);
		put_node(out, &report->nodes[i]);
		putc('\n', out);
		put_histogram(out, &report->nodes[i].heat);
	}
	put_comparison(out, report);
	if (report->left_out)
		fprintf(out, "%" PRIu64 " samples are of further ranges of memory.\n",
			report->left_out);
}

static void report_table(struct hot_sheet *sheet, const struct hot_report *report)
{
	FILE *out = sheet->out;

	if (sheet->reports)
		putc('\n', out);
	put_heading(out, report);
	if (!report->count)
		return;
	put_columns(out, report);
	for (size_t i = 0; i < report->count && i < HOT_TABLE_ROWS; i++)
		put_row(out, report, report->rows[i]);
	if (report->count > HOT_TABLE_ROWS)
		fprintf(out, "%zu rows more (--csv has all)\n", report->count - HOT_TABLE_ROWS);
	if (hot_row_samples(report->others, report->time))
		put_row(out, report, report->others);
	if (report->time == HOT_RUN)
		put_heat(out, report);
	for (size_t i = 0; report->time != HOT_RUN && i < report->node_count; i++) {
		put_node(out, &report->nodes[i]);
		put_strip(out, &report->nodes[i].heat);
	}
}

const struct hot_format hot_table = {
	.report = report_table,
	.sums_up = true,
};

const struct hot_format *hot_format_choose(const struct format *chosen, bool terminal)
{
	if (!chosen)
		return terminal ? &hot_table : &hot_csv;
	if (chosen == &format_table)
		return &hot_table;
	return chosen == &format_csv ? &hot_csv : chosen == &format_json ? &hot_json : NULL;
}
