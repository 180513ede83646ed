/* SPDX-License-Identifier: BSD-3-Clause */
/* Sampled loads: readers of CXL memory, their latencies, and the hotness of nodes' memory. */
#include <math.h>
#include <string.h>

#include "show/page/chart.h"
#include "show/report/report_page.h"

#define ROWS_MOST 30
#define BAR_WIDTH 200 /* pixels */

static void put_row(const struct process_report *hot, const struct sampled_row *from, FILE *out)
{
	char title[ROW_TITLE_SIZE];
	struct process_row row;

	report_row(hot, from, &row);
	html_print(out, "<tr><th scope=\"row\">%s</th>", report_row_title(hot, from, title));
	for (size_t i = 0; i < READ_COLUMNS; i++)
		if (read_columns[i].brief >= 0)
			html_cell(out, read_columns[i].name,
				  read_column_number(&read_columns[i], &row.reads),
				  (unsigned)read_columns[i].brief);
	fputs("</tr>\n", out);
}

static void put_rows(const struct process_report *hot, FILE *out)
{
	static const char *const headings[] = {
		"by",		"CXL samples", "DRAM samples", "CXL, MB/s", "DRAM, MB/s",
		"share, %",	"CXL p50, ns", "p90",	       "p99",	    "max",
		"DRAM p50, ns", "p90",	       "p99",	       "max",	    NULL};

	html_table("Sampled loads", "sampled", headings, out);
	fputs("<tbody>\n", out);
	put_row(hot, hot->all, out);
	for (size_t i = 0; i < hot->count && i < ROWS_MOST; i++)
		put_row(hot, hot->rows[i], out);
	if (sampled_row_samples(hot->others, hot->time))
		put_row(hot, hot->others, out);
	fputs("</tbody></table></div>\n", out);
	if (hot->count > ROWS_MOST)
		fprintf(out, "<p class=\"note\">And %zu more: cxlmon replay prints them.</p>\n",
			hot->count - ROWS_MOST);
}

/* Writes how loads were sampled, and how many are missing. */
static void put_sampling(const struct process_report *hot, FILE *out)
{
	html_print(out, "<p class=\"note\">%s, at the end 1 of %.10g: ", hot->event->name,
		   (double)hot->period);
	html_number(out, (double)sampled_row_samples(hot->all, hot->time), 0);
	html_print(out, " samples, by %s; ", hot->by);
	html_number(out, (double)hot->lost, 0);
	fputs(" lost, ", out);
	if (hot->records_lost > 0) {
		html_number(out, hot->records_lost, 0);
		fputs(" records of processes lost, ", out);
	}
	fputs("throttled ", out);
	html_number(out, (double)hot->throttled, 0);
	html_print(out, " times; %.2g %% of a CPU. ", report_cost_pct(hot));
	if (report_running_pct(hot) < 99.95) {
		fputs("The event had its counter in ", out);
		html_number(out, report_running_pct(hot), 1);
		fputs(" % of the time. ", out);
	}
	if (hot->unsampled)
		html_print(out, "CPUs that were not sampled: %.10g; so no rates are known. ",
			   (double)hot->unsampled);
	else if (hot->event->tagged)
		fputs("Rates are estimated from ops that are tagged. ", out);
	fputs(hot->event->no_loads ? "</p>\n"
				   : "Share: of all that ports have counted; reads of prefetchers "
				     "and devices are never sampled.</p>\n",
	      out);
}

/* Draws the part of reads that took no longer than each latency on the axis. */
static void put_distribution_line(const struct plot *plot, const struct latencies *latencies,
				  const struct plot_mark *mark)
{
	const double all = (double)latencies_weight(latencies);
	double x[LATENCY_BUCKETS], y[LATENCY_BUCKETS], below = 0;
	size_t count = 0;

	for (size_t i = 0; i < LATENCY_BUCKETS; i++) {
		if (latencies_middle(i) * plot->x.factor > plot->x.max)
			break;
		below += (double)latencies->buckets[i];
		x[count] = latencies_middle(i);
		y[count++] = 100 * below / all;
	}
	plot_line(plot, x, y, count, mark);
}

/* Returns the end of the axis: a few very slow reads would leave no room for all others. */
static double most_of(const struct process_report *hot, enum read_memory memory)
{
	const double p99 = report_latency(hot, hot->all, memory, 99);

	return isnan(p99) ? report_latency(hot, hot->all, memory, 100) : p99;
}

static void put_distribution(const struct process_report *hot, FILE *out)
{
	static const char *const names[] = {"CXL", "DRAM"};
	const double most = fmax(most_of(hot, MEMORY_CXL), most_of(hot, MEMORY_DRAM));
	struct plot plot = {
		.out = out, .x = axis_of_range("ns", 0, most), .y = axis_of_range("%", 0, 100)};
	struct chart chart = {.title = "Sampled reads by latency",
			      .help = "Part of the reads of all intervals that took no longer"};

	fputs("<figure class=\"chart distribution\">", out);
	chart_begin(&chart, &plot);
	html_print(out, "<title>%s</title><desc>%s</desc>", chart.title, chart.help);
	plot_frame(&plot, "latency");
	for (enum read_memory m = MEMORY_CXL; m <= MEMORY_DRAM; m++) {
		const struct latencies *latencies = sampled_row_latencies(hot->all, hot->time, m);
		const struct plot_mark mark = {"line", names[m], chart.count, 2};

		if (!latencies_weight(latencies))
			continue;
		put_distribution_line(&plot, latencies, &mark);
		chart.lines[chart.count++].name = names[m];
	}
	chart_end(&chart, out);
}

static void put_latency(const struct report *r, FILE *out)
{
	struct chart chart = {.name = "sampled_latency_ns",
			      .title = "Latency of sampled reads",
			      .unit = "ns",
			      .help = "From the load to its data: percentiles of each interval",
			      .report = r};

	for (size_t i = 0; i < REPORT_HOT_SERIES; i++)
		if (report_hot_series(r, i)->values)
			chart_add(&chart, r, report_hot_series(r, i),
				  report_hot_series(r, i)->metric->heading);
	if (!chart.count)
		return;
	fputs("<div class=\"charts\">\n", out);
	chart_over_time(&chart, out);
	put_distribution(r->hot, out);
	fputs("</div>\n", out);
}

static void put_bucket(const struct heat_node *heat, size_t bucket, size_t most, FILE *out)
{
	const double width = most ? BAR_WIDTH * (double)heat->buckets[bucket] / (double)most : 0;

	if (bucket)
		html_print(out, "<tr><th scope=\"row\">%u to %u samples</th>", 1U << bucket,
			   (2U << bucket) - 1);
	else
		fputs("<tr><th scope=\"row\">1 sample</th>", out);
	html_cell(out, "GiB", heat_GiB(heat->buckets[bucket]), 3);
	html_print(out,
		   "<td><svg class=\"c0\" width=\"%d\" height=\"10\" aria-hidden=\"true\">"
		   "<path d=\"M0 5H%.5g\" stroke-width=\"10\"/></svg></td></tr>\n",
		   BAR_WIDTH, width);
}

static void put_node(const struct reported_node *node, FILE *out)
{
	const struct heat_node *heat = &node->heat;
	const struct heat_histogram histogram = heat_histogram_of(heat);

	html_print(out,
		   "<tbody data-node=\"%d\"><tr class=\"group\"><th colspan=\"3\" "
		   "scope=\"rowgroup\">node %d (%s) <small>",
		   heat->node, heat->node, node->cxl ? "CXL" : "DRAM");
	for (size_t i = 0; i < HEAT_PARTS; i++)
		html_print(out, "%u %% of its samples in %.4g GiB, ", heat_percents[i],
			   heat_GiB(heat->parts[i]));
	html_print(out, "%.4g GiB seen", heat_GiB(heat->ranges));
	if (!isnan(node->used_GiB))
		html_print(out, ", %.4g GiB used but never sampled", report_unseen_GiB(node));
	fputs("</small></th></tr>\n", out);
	for (size_t i = 0; i < histogram.used; i++)
		put_bucket(heat, i, histogram.most, out);
	fputs("</tbody>\n", out);
}

static void put_heat(const struct process_report *hot, FILE *out)
{
	static const char *const headings[] = {"sampled", "GiB", "", NULL};

	if (!hot->node_count)
		return;
	fputs("<h2>How hot memory is</h2>\n", out);
	html_table("Memory by how often it was sampled", "heat devices", headings, out);
	for (size_t i = 0; i < hot->node_count; i++)
		put_node(&hot->nodes[i], out);
	fputs("</table></div>\n<p class=\"note\">Ranges of 2 MiB of processes' addresses, at the "
	      "end of the recording",
	      out);
	if (hot->coolings)
		html_print(out, "; counts were halved %.10g times, so that they cool down",
			   (double)hot->coolings);
	fputs(".</p>\n", out);
}

void report_hot(const struct report *r, FILE *out)
{
	if (!r->hot)
		return;
	fputs(r->hot->event->no_loads ? "<h2>Who uses memory, by sampled page faults</h2>\n"
				      : "<h2>Who reads CXL memory, by sampled loads</h2>\n",
	      out);
	put_latency(r, out);
	put_rows(r->hot, out);
	put_sampling(r->hot, out);
	put_heat(r->hot, out);
}
