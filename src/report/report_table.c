/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/report_page.h"

#include <math.h>
#include <string.h>

#include "output/html.h"
#include "report/report_axis.h"
#include "report/report_chart.h"

#define EVENT_DECIMALS 1

static const char *const tiles[] = {
	"cxl_mem_read_MBps",   "cxl_mem_write_MBps",
	"cxl_read_latency_ns", "ddr_local_read_latency_ns",
	"dram_read_MBps",      "dram_write_MBps",
	"crc_errors_per_s",    "ipc",
};

#define TILES	  (sizeof(tiles) / sizeof(tiles[0]))
#define MAX_TILES 6

/* Three significant digits, in a unit that fits the largest value. */
static void put_scaled(FILE *out, const char *name, double value, const struct axis *axis)
{
	const double scaled = value * axis->factor;
	const unsigned decimals = scaled >= 100 || scaled == 0 ? 0 : scaled >= 10 ? 1 : 2;
	char text[NUMBER_SIZE];

	fprintf(out, "%s%s", name, number_grouped(scaled, decimals, text));
}

static void put_tile(const struct series *s, FILE *out)
{
	const struct statistics *t = &s->statistics;
	const struct axis axis = axis_of_values(s->metric->unit ? s->metric->unit : "", t->max);

	html_print(out, "<div class=\"tile\"><h3>%t</h3><p class=\"big\">",
		   s->metric->heading ? s->metric->heading : s->metric->name);
	put_scaled(out, "", t->mean, &axis);
	html_print(out, " <small>%t</small></p><p>", axis.unit);
	put_scaled(out, "p99 ", t->p99, &axis);
	put_scaled(out, " \u00b7 max ", t->max, &axis);
	fputs("</p></div>", out);
}

void report_tiles(const struct report *r, FILE *out)
{
	const size_t rows = view_metric_rows(r->view), last = rows - 1; /* the system's row */
	unsigned shown = 0;

	if (!rows || r->view->rows[last].scope != SCOPE_SYSTEM)
		return;
	fputs("<h2>The whole system, on average</h2>\n<div class=\"tiles\">", out);
	for (size_t i = 0; i < TILES; i++) {
		for (size_t c = 0; c < r->view->column_count && shown < MAX_TILES; c++) {
			const struct series *s = report_series(r, last, c);

			if (strcmp(r->view->columns[c]->name, tiles[i]) || !s->values)
				continue;
			put_tile(s, out);
			shown++;
		}
	}
	fputs("</div>\n", out);
}

/* As many as in the table format. */
static unsigned decimals_of(const struct metric *metric)
{
	return metric ? metric_shown_decimals(metric) : EVENT_DECIMALS;
}

static void put_row(const struct report *r, const struct series *s, FILE *out)
{
	char place[LOCATION_SIZE], known[NUMBER_SIZE], samples[NUMBER_SIZE];

	html_print(out, "<tr><th scope=\"row\">%t</th>", location_with_unit(s->row, true, place));
	for (enum figure f = 0; f < FIGURES; f++)
		html_cell(out, figure_names[f], figure_of(s, f), decimals_of(s->metric));
	fprintf(out, "<td data-of=\"known\">%s<span class=\"of\">/%s</span></td></tr>\n",
		number_grouped((double)s->statistics.known, 0, known),
		number_grouped((double)r->samples, 0, samples));
}

void report_table_begin(const char *label, const char *class_name, FILE *out)
{
	/* scrolled by the keyboard, too */
	html_print(out,
		   "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
		   "aria-label=\"%t\"><table class=\"%t\">\n",
		   label, class_name);
}

void report_table_group(const char *metric, const char *unit, FILE *out)
{
	html_print(out,
		   "<tbody data-metric=\"%t\"><tr class=\"group\"><th colspan=\"7\" "
		   "scope=\"rowgroup\">%t <small>%t</small></th></tr>\n",
		   metric, metric, unit);
}

static void put_metric(const struct report *r, size_t column, FILE *out)
{
	bool begun = false;

	for (size_t row = 0; row < r->view->row_count; row++) {
		const struct series *s = report_series(r, row, column);

		if (!s->values)
			continue;
		if (!begun)
			report_table_group(s->metric->name, s->metric->unit ? s->metric->unit : "",
					   out);
		begun = true;
		put_row(r, s, out);
	}
	if (begun)
		fputs("</tbody>\n", out);
}

static void put_events(const struct report *r, FILE *out)
{
	const struct event *event = NULL;

	for (size_t row = view_metric_rows(r->view); row < r->view->row_count; row++) {
		const struct series *s = report_event_series(r, row);

		if (!s->values)
			continue;
		if (s->row->event != event) {
			fputs(event ? "</tbody>\n" : "", out);
			report_table_group(s->row->event->name, "1/s", out);
		}
		event = s->row->event;
		put_row(r, s, out);
	}
	fputs(event ? "</tbody>\n" : "", out);
}

void report_table(const struct report *r, FILE *out)
{
	fputs("<h2>Figures</h2>\n", out);
	report_table_begin("Figures", "figures", out);
	fputs("<thead><tr><th scope=\"col\">where</th>", out);
	for (enum figure f = 0; f < FIGURES; f++)
		html_print(out, "<th scope=\"col\">%t</th>", figure_names[f]);
	fputs("<th scope=\"col\">known</th></tr></thead>\n", out);
	for (size_t c = 0; c < r->view->column_count; c++)
		put_metric(r, c, out);
	put_events(r, out);
	fputs("</table></div>\n", out);
}

static bool ever_known(const struct report *r, size_t column)
{
	for (size_t row = 0; row < r->view->row_count; row++)
		if (report_series(r, row, column)->values)
			return true;
	return false;
}

void report_unknown(const struct report *r, FILE *out)
{
	const char *separator = "<p class=\"note\">Without any known value in this recording: ";

	for (size_t c = 0; c < r->view->column_count; c++) {
		if (r->view->columns[c]->kind != METRIC_NUMBER || ever_known(r, c))
			continue;
		fputs(separator, out);
		html_text(out, r->view->columns[c]->name);
		separator = ", ";
	}
	if (*separator == ',')
		fputs(".</p>\n", out);
}

/* Each port once, even if it has a row per event. */
static bool is_new_port(const struct view *view, size_t r)
{
	const struct row *row = &view->rows[r];

	if (row->scope != SCOPE_PORT || row->of_node)
		return false;
	return !r || view->rows[r - 1].scope != SCOPE_PORT ||
	       view->rows[r - 1].socket != row->socket || view->rows[r - 1].port != row->port ||
	       strcmp(view->rows[r - 1].pci, row->pci) != 0;
}

static void put_device(const struct row *row, FILE *out)
{
	if (row_is_device(row))
		fputs("<tr><th scope=\"row\">not known</th>", out);
	else
		fprintf(out, "<tr><th scope=\"row\">socket %d %s %d</th>", row->socket,
			row_scope_name(row), row->port);
	html_print(out, "<td>%t</td><td>%t</td><td>", row->memdev, row->pci);
	if (row->node >= 0)
		fprintf(out, "%d", row->node);
	fputs("</td></tr>\n", out);
}

/* With events, the rows of the first one of ports have all of them; metrics have them, too. */
void report_devices(const struct report *r, FILE *out)
{
	const struct view *view = r->view;
	const struct row *first = NULL;

	for (size_t i = 0; i < view->row_count; i++) {
		if (!is_new_port(view, i) || (first && view->rows[i].event != first->event))
			continue;
		if (!first)
			fputs("<h2>Ports</h2>\n<div class=\"scroll\"><table class=\"devices\">"
			      "<thead><tr><th scope=\"col\">port</th><th scope=\"col\">device</th>"
			      "<th scope=\"col\">PCI address</th><th scope=\"col\">NUMA node</th>"
			      "</tr></thead>\n<tbody>",
			      out);
		first = first ? first : &view->rows[i];
		put_device(&view->rows[i], out);
	}
	if (first)
		fputs("</tbody></table></div>\n", out);
}
