/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/openmetrics.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/sink.h"
#include "platform/number.h"
#include "uncore/machine.h"

#define PREFIX "cxlmon_"

static const struct family event_family = {
	.name = "events",
	.help = "Events that a unit's counter has counted",
	.factor = 1,
	.counter = true,
};

/* Families about the run itself. */
enum run_family {
	RUN_UP,
	RUN_BUILD,
	RUN_LAST_SAMPLE,
	RUN_INTERVAL,
	RUN_SAMPLES,
	RUN_MISSED,
	RUN_SKIPPED,
	RUN_FAILED_READS,
	RUN_FROZEN,
	RUN_AVAILABLE,
	RUN_DEVICE,
	RUN_DEGRADED,
	RUN_AER_KINDS,
	RUN_EVENTS,
	RUN_LOST_EVENTS,
};
static const struct family run_families[] = {
	[RUN_UP] = {.name = "up", .help = "1 if the latest sample has a known value, else 0"},
	[RUN_BUILD] = {.name = "build_info", .help = "The version of cxlmon, as a label; always 1"},
	[RUN_LAST_SAMPLE] = {.name = "last_sample_timestamp_seconds",
			     .unit = "seconds",
			     .help = "When the latest sample was taken, since 1970"},
	[RUN_INTERVAL] = {.name = "sampling_interval_seconds",
			  .unit = "seconds",
			  .help = "Time from one sample to the next"},
	[RUN_SAMPLES] = {.name = "samples", .help = "Samples taken", .counter = true},
	[RUN_MISSED] = {.name = "missed_deadlines",
			.help = "Deadlines at which no sample could be taken",
			.counter = true},
	[RUN_SKIPPED] = {.name = "postponed_samples",
			 .help = "Samples merged with the next one, because the queue was full",
			 .counter = true},
	[RUN_FAILED_READS] = {.name = "lost_readings",
			      .help = "Readings of units that gave no values",
			      .counter = true},
	[RUN_FROZEN] = {.name = "frozen_seconds",
			.unit = "seconds",
			.help = "Time in which counters were frozen to be read",
			.counter = true},
	[RUN_AVAILABLE] = {.name = "metric_available",
			   .help = "1 if this machine can measure the metric, else 0"},
	[RUN_DEVICE] = {.name = "device_info",
			.help = "A CXL device, described by labels; always 1"},
	[RUN_DEGRADED] = {.name = "link_degraded",
			  .help = "1 if a link on the way to the CXL device is below what both "
				  "its ends can be, else 0"},
	[RUN_AER_KINDS] = {.name = "aer_errors",
			   .help = "Errors since boot that functions on the way to the CXL device "
				   "reported, by kind",
			   .counter = true},
	[RUN_EVENTS] = {.name = "cxl_events",
			.help = "Events of CXL devices that the kernel reported",
			.counter = true},
	[RUN_LOST_EVENTS] = {.name = "lost_cxl_events",
			     .help = "Events of CXL devices that came too fast to be read",
			     .counter = true},
};

/* Behind the columns stands the total of an event. */
static size_t width(const struct view *view)
{
	return view->column_count + (view->event_rows > 0);
}

int openmetrics_init(struct openmetrics *o, const struct view *view)
{
	const size_t cells = view->row_count * width(view);

	*o = (struct openmetrics){.totals = calloc(cells + 1, sizeof(*o->totals))};
	if (!o->totals)
		return -ENOMEM;
	for (size_t i = 0; i < cells; i++)
		o->totals[i] = NAN;
	return 0;
}

void openmetrics_free(struct openmetrics *o)
{
	free(o->totals);
	*o = (struct openmetrics){0};
}

/* Not rounded, see put_value(): rounding errors of samples would add up. */
static void add(struct openmetrics *o, double *total, double per_second, double seconds)
{
	const double counted = per_second * seconds;

	if (!isfinite(counted))
		return;
	o->up = true;
	*total = isnan(*total) ? counted : *total + counted;
}

void openmetrics_add(struct openmetrics *o, const struct view *view, const struct sample *sample)
{
	o->samples++;
	o->missed += sample->missed;
	o->failed_reads += sample->failed_reads;
	o->losses = sample->losses;
	o->loss_count = sample->loss_count;
	o->wall_ns = sample->wall_ns;
	o->frozen_ns += sample->frozen_ns;
	o->up = false;
	for (size_t r = 0; r < view->row_count; r++) {
		const struct row *row = &view->rows[r];
		double *totals = o->totals + r * width(view);

		if (row->event)
			add(o, &totals[view->column_count], row->count, 1);
		for (size_t c = 0; !row->event && c < view->column_count; c++)
			add(o, &totals[c], row->values[c].number * view->columns[c]->family.factor,
			    row->values[c].seconds);
	}
}

/* The shortest text that is parsed as the same number. */
static void put_number(FILE *out, double number)
{
	char text[32];

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	fputs(text, out);
}

/*
 * Bytes and events are whole numbers, without an exponent, however a sample was scaled; they are
 * rounded here alone, so that rounding errors do not add up.
 */
static void put_value(FILE *out, const struct family *f, double number)
{
	if (f->counter && !(f->unit && !strcmp(f->unit, "seconds")))
		fprintf(out, "%.0f", round(number));
	else
		put_number(out, number);
	putc('\n', out);
}

/* Escapes quotes, backslashes and newlines in a label's value. */
static void put_escaped(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\n')
			fputs("\\n", out);
		else if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else
			putc(*text, out);
	}
}

/* An empty label is the same as none. */
static void put_label(FILE *out, const char *name, const char *value)
{
	if (!*value)
		return;
	fprintf(out, ",%s=\"", name);
	put_escaped(out, value);
	putc('"', out);
}

static void put_index(FILE *out, const char *name, int index)
{
	if (index >= 0)
		fprintf(out, ",%s=\"%d\"", name, index);
}

/*
 * In OpenMetrics the name of a counter family has no "_total", which its samples have. The older
 * format has no such rule: metadata whose name differs from the samples' applies to another metric.
 */
static void put_metadata(FILE *out, const struct family *f, enum exposition exposition)
{
	const bool open = exposition == EXPOSITION_OPENMETRICS;
	const char *suffix = f->counter && !open ? "_total" : "";

	fprintf(out, "# HELP " PREFIX "%s%s %s\n", f->name, suffix, f->help);
	fprintf(out, "# TYPE " PREFIX "%s%s %s\n", f->name, suffix,
		f->counter ? "counter" : "gauge");
	if (open && f->unit)
		fprintf(out, "# UNIT " PREFIX "%s %s\n", f->name, f->unit);
}

static void put_place(FILE *out, const struct view *view, const struct row *row)
{
	fprintf(out, "{model=\"%s\"", view->model);
	put_index(out, "socket", row->socket);
	put_index(out, row->port_name ? row->port_name : "port", row->port);
	put_index(out, "node", row->of_node ? row->node : -1);
	put_label(out, "device", row_is_device(row) ? row_device_name(row) : row->memdev);
	put_index(out, "cpu", row->cpu);
}

static void put_row(FILE *out, const struct view *view, const struct row *row,
		    const struct family *f, double number)
{
	fprintf(out, PREFIX "%s%s", f->name, f->counter ? "_total" : "");
	put_place(out, view, row);
	if (row->event) {
		put_index(out, "die", row->summed ? -1 : (int)row->unit->die);
		put_label(out, "unit", row->unit->pmu_type->name);
		put_index(out, "box", row->summed ? -1 : (int)row->unit->id);
		put_label(out, "event", row->event->name);
	}
	fputs("} ", out);
	put_value(out, f, number);
}

static double total_of(const struct openmetrics *o, const struct view *view, size_t r, size_t c)
{
	return o->totals[r * width(view) + c];
}

/*
 * A counter that kept its value while that is not known would be a rate of 0, which is a value.
 * NAN: not known.
 */
static double number_of(const struct openmetrics *o, const struct view *view, size_t r, size_t c)
{
	const struct family *f = &view->columns[c]->family;
	const double number = view->rows[r].values[c].number;

	return f->counter && isfinite(number) ? total_of(o, view, r, c) : number * f->factor;
}

/* Before Linux 6.8, nodes don't have all that the machine has. */
static bool has_column(const struct openmetrics *o, const struct view *view, size_t r, size_t c)
{
	const struct metric *metric = view->columns[c];

	if (view->rows[r].of_node)
		return metric_is_of_nodes(metric) && isfinite(total_of(o, view, r, c));
	return metric->scopes >> view->rows[r].scope & 1;
}

/*
 * The finest scope for which the column has rows; SCOPE_COUNT: none. Reads that L3 caches count
 * have none of ports, whose rows are there for other columns.
 */
static enum scope finest_scope(const struct openmetrics *o, const struct view *view, size_t c)
{
	enum scope found = SCOPE_COUNT;
	bool of_caches = false;

	for (size_t r = view_metric_rows(view); r-- > 0;) {
		const enum scope scope = view->rows[r].scope;

		of_caches |= !strcmp(view->rows[r].values[c].text, MBM_SOURCE);
		if (scope < found && has_column(o, view, r, c) &&
		    !(of_caches && scope < SCOPE_SOCKET))
			found = scope;
	}
	return found;
}

static void put_column(const struct openmetrics *o, const struct view *view, size_t c,
		       enum exposition exposition, FILE *out)
{
	const struct family *f = &view->columns[c]->family;
	const enum scope scope = finest_scope(o, view, c);

	if (!f->name)
		return;
	put_metadata(out, f, exposition);
	for (size_t r = 0; r < view_metric_rows(view); r++) {
		const struct row *row = &view->rows[r];
		const double number = number_of(o, view, r, c);

		if (row->scope == scope && isfinite(number))
			put_row(out, view, row, f, number);
	}
}

/*
 * An event may be requested twice, but labels must be unique; and what the sum of the system counts
 * is in those of the sockets.
 */
static bool seen_before(const struct view *view, size_t r)
{
	const struct row *row = &view->rows[r];

	for (size_t i = view_metric_rows(view); i < r; i++) {
		const struct row *other = &view->rows[i];

		if (!strcmp(other->event->name, row->event->name) &&
		    (other->unit == row->unit || (row->summed && other->scope < row->scope)))
			return true;
	}
	return false;
}

static void put_events(const struct openmetrics *o, const struct view *view,
		       enum exposition exposition, FILE *out)
{
	put_metadata(out, &event_family, exposition);
	for (size_t r = view_metric_rows(view); r < view->row_count; r++) {
		if (isfinite(view->rows[r].count) && !seen_before(view, r))
			put_row(out, view, &view->rows[r], &event_family,
				total_of(o, view, r, view->column_count));
	}
}

static void put_run_family(FILE *out, enum run_family which, const char *labels, double number,
			   enum exposition exposition)
{
	const struct family *f = &run_families[which];

	put_metadata(out, f, exposition);
	fprintf(out, PREFIX "%s%s%s ", f->name, f->counter ? "_total" : "", labels);
	put_value(out, f, number);
}

/* By port, or socket and type of unit; of a recording, which does not have that, in all. */
static void put_losses(const struct openmetrics *o, const struct view *view,
		       enum exposition exposition, FILE *out)
{
	const struct family *f = &run_families[RUN_FAILED_READS];

	if (!o->loss_count) {
		put_run_family(out, RUN_FAILED_READS, "", (double)o->failed_reads, exposition);
		return;
	}
	put_metadata(out, f, exposition);
	for (size_t i = 0; i < o->loss_count; i++) {
		const struct loss *loss = &o->losses[i];
		const struct port *port = loss->port;

		fprintf(out, PREFIX "%s_total{model=\"%s\"", f->name, view->model);
		put_index(out, "socket", loss->unit->socket);
		if (port) {
			put_index(out, port->name ? port->name : "port", (int)port->number);
			put_label(out, "device", port->device ? port->device->name : "");
		} else {
			put_label(out, "unit", loss->unit->pmu_type->name);
		}
		fprintf(out, "} %" PRIu64 "\n", loss->readings);
	}
}

/* 1: a link of the row's device is below what it can be; -1: not known. */
static int is_degraded(const struct row *row)
{
	bool known = false;
	const struct pci_hop *hop =
		row->device && !row->of_node ? cxl_device_degraded(row->device, &known) : NULL;

	return known ? hop != NULL : -1;
}

static bool knows_degraded(const struct view *view)
{
	for (size_t r = 0; r < view_metric_rows(view); r++)
		if (is_degraded(&view->rows[r]) >= 0)
			return true;
	return false;
}

/* Rules and panels that need a metric can tell what is not there from what can't be measured. */
static void put_available(const struct view *view, enum exposition exposition, FILE *out)
{
	put_metadata(out, &run_families[RUN_AVAILABLE], exposition);
	for (size_t c = 0; c < view->column_count; c++) {
		const struct family *f = &view->columns[c]->family;

		if (f->name)
			fprintf(out, PREFIX "%s{metric=\"" PREFIX "%s%s\"} %d\n",
				run_families[RUN_AVAILABLE].name, f->name,
				f->counter ? "_total" : "", view_heading(view, c) != NULL);
	}
	fprintf(out, PREFIX "%s{metric=\"" PREFIX "%s\"} %d\n", run_families[RUN_AVAILABLE].name,
		run_families[RUN_DEGRADED].name, knows_degraded(view));
}

static void put_hex(FILE *out, const char *name, uint64_t number)
{
	if (number)
		fprintf(out, ",%s=\"0x%" PRIx64 "\"", name, number);
}

/* The name of its region; "": none. */
static const char *region_of(const struct view *view, const struct cxl_device *device)
{
	const struct cxl_region *region =
		view->memory ? memory_layout_region(view->memory, device->name) : NULL;

	return region ? region->name : "";
}

/* For joins: all that tells a device from others, where its values have the name alone. */
static void put_devices(const struct view *view, enum exposition exposition, FILE *out)
{
	char link[PCI_LINK_TEXT_SIZE];

	put_metadata(out, &run_families[RUN_DEVICE], exposition);
	for (size_t r = 0; r < view_metric_rows(view); r++) {
		const struct row *row = &view->rows[r];

		if (!row->device)
			continue;
		fputs(PREFIX "device_info", out);
		put_place(out, view, row);
		put_label(out, "pci", row->pci);
		put_hex(out, "serial", row->device->serial);
		const struct pci_hop *hop = cxl_device_narrowest(row->device);
		put_label(out, "link", hop ? pci_link_text(hop->now, link) : "");
		if (row->device->bytes)
			fprintf(out, ",capacity_bytes=\"%" PRIu64 "\"", row->device->bytes);
		put_index(out, "node", row->node);
		put_label(out, "region", region_of(view, row->device));
		fputs("} 1\n", out);
	}
}

static void put_degraded(const struct view *view, enum exposition exposition, FILE *out)
{
	put_metadata(out, &run_families[RUN_DEGRADED], exposition);
	for (size_t r = 0; r < view_metric_rows(view); r++) {
		const int degraded = is_degraded(&view->rows[r]);

		if (degraded < 0)
			continue;
		fprintf(out, PREFIX "%s", run_families[RUN_DEGRADED].name);
		put_place(out, view, &view->rows[r]);
		fprintf(out, "} %d\n", degraded);
	}
}

/* Only of kinds that have happened. */
static void put_aer_kinds(const struct view *view, enum exposition exposition, FILE *out)
{
	const struct kernel_sources *k = &view->kernel;
	bool any = false;

	for (size_t i = 0; i < k->device_count; i++)
		for (size_t n = 0; n < k->devices[i].aer.count; n++) {
			const struct aer_kind *kind = &k->devices[i].aer.items[n];

			if (!any)
				put_metadata(out, &run_families[RUN_AER_KINDS], exposition);
			any = true;
			fprintf(out, PREFIX "aer_errors_total{severity=\"%s\"",
				aer_severity(kind->severity));
			put_label(out, "kind", kind->name);
			put_label(out, "device", k->devices[i].device->name);
			fprintf(out, "} %.0f\n", kind->count);
		}
}

/* Where there were any: a replay of what had none has none, either. */
static void put_cxl_events(const struct view *view, enum exposition exposition, FILE *out)
{
	const struct cxl_events *events = &view->cxl_events;

	if (!events->count_count && !events->lost)
		return;
	if (events->count_count)
		put_metadata(out, &run_families[RUN_EVENTS], exposition);
	for (size_t i = 0; i < events->count_count; i++) {
		const struct cxl_event_count *count = &events->counts[i];

		fprintf(out, PREFIX "cxl_events_total{event=\"%s\"",
			cxl_event_names[count->last.kind]);
		put_label(out, "device", count->last.device);
		fprintf(out, "} %" PRIu64 "\n", count->count);
	}
	put_run_family(out, RUN_LOST_EVENTS, "", (double)events->lost, exposition);
}

/* What is known of the run whether or not it takes samples. */
static void put_run(const struct openmetrics *o, bool up, enum exposition exposition, FILE *out)
{
	put_run_family(out, RUN_BUILD, "{version=\"" CXLMON_VERSION "\"}", 1, exposition);
	put_run_family(out, RUN_UP, "", up, exposition);
	put_run_family(out, RUN_LAST_SAMPLE, "", (double)o->wall_ns / NS_PER_S, exposition);
	put_run_family(out, RUN_INTERVAL, "", (double)o->interval_ns / NS_PER_S, exposition);
}

static void put_end(enum exposition exposition, FILE *out)
{
	if (exposition == EXPOSITION_OPENMETRICS)
		fputs("# EOF\n", out);
}

void openmetrics_render_stale(const struct openmetrics *o, enum exposition exposition, FILE *out)
{
	put_run(o, false, exposition, out);
	put_end(exposition, out);
}

void openmetrics_render(const struct openmetrics *o, const struct view *view,
			enum exposition exposition, FILE *out)
{
	put_run(o, o->up, exposition, out);
	put_run_family(out, RUN_SAMPLES, "", (double)o->samples, exposition);
	put_run_family(out, RUN_MISSED, "", (double)o->missed, exposition);
	put_run_family(out, RUN_SKIPPED, "", (double)o->skipped, exposition);
	put_losses(o, view, exposition, out);
	put_run_family(out, RUN_FROZEN, "", (double)o->frozen_ns / NS_PER_S, exposition);
	put_available(view, exposition, out);
	put_devices(view, exposition, out);
	put_degraded(view, exposition, out);
	put_aer_kinds(view, exposition, out);
	put_cxl_events(view, exposition, out);
	if (view->event_rows)
		put_events(o, view, exposition, out);
	for (size_t c = 0; c < view->column_count; c++)
		put_column(o, view, c, exposition, out);
	put_end(exposition, out);
}

/*
 * An exposition per sample: on standard output one after the other; a file is replaced. A file
 * whose name ends with .prom is for node_exporter's textfile collector, and gets the older format,
 * which is all that the collector reads.
 */

static int begin(struct sink *sink)
{
	struct openmetrics *state = calloc(1, sizeof(*state));

	sink->state = state;
	return state ? openmetrics_init(state, sink->view) : -ENOMEM;
}

static enum exposition exposition_of(const char *path)
{
	const char *dot = path ? strrchr(path, '.') : NULL;

	return dot && !strcmp(dot, ".prom") ? EXPOSITION_PROMETHEUS : EXPOSITION_OPENMETRICS;
}

static void sample_openmetrics(struct sink *sink, const struct sample *sample)
{
	struct openmetrics *state = sink->state;

	state->skipped = sink->skipped;
	state->interval_ns = sink->info ? sink->info->interval_ns : 0;
	openmetrics_add(state, sink->view, sample);
	openmetrics_render(state, sink->view, exposition_of(sink->path), sink->out);
}

static void end(struct sink *sink)
{
	if (sink->state)
		openmetrics_free(sink->state);
	free(sink->state);
}

const struct format format_openmetrics = {
	.name = "openmetrics",
	.replaces = true,
	.begin = begin,
	.sample = sample_openmetrics,
	.end = end,
};
