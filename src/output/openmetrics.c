/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/openmetrics.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "platform/cxl.h"
#include "platform/mbm.h"
#include "platform/memory.h"
#include "platform/pci.h"
#include "sources/resctrl_source.h"
#include "table/spell.h"
#include "uncore/machine.h"

#define PREFIX	 "cxlmon_"
#define DEGRADED "link_degraded"

#define NAME_SIZE 640 /* holds a string of a recording, with prefix and suffix */

static struct family gauge_family(const char *name, const char *unit, const char *help)
{
	return (struct family){.name = name, .unit = unit, .help = help};
}

static struct family counter_family(const char *name, const char *unit, const char *help)
{
	return (struct family){.name = name, .unit = unit, .help = help, .counter = true};
}

/* An exposition that is being written. */
struct text {
	FILE *out;
	struct family family;	   /* family of the samples that are written */
	bool labelled;		   /* the sample being written has a label */
	const struct table *table; /* NULL: no samples follow */
};

void openmetrics_add(struct openmetrics *o, const struct sample *sample)
{
	o->missed += sample->missed;
	o->lost_readings += sample->lost_readings;
	o->losses = sample->losses;
	o->loss_count = sample->loss_count;
	o->wall_ns = sample->wall_ns;
	o->skipped = sample->skipped;
	o->frozen_ns += sample->frozen_ns;
}

/* Writes the shortest number that is parsed as the same one. */
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

static void begin_family(struct text *t, struct family f)
{
	t->family = f;
	fprintf(t->out, "# HELP " PREFIX "%s %s\n", f.name, f.help);
	fprintf(t->out, "# TYPE " PREFIX "%s %s\n", f.name, f.counter ? "counter" : "gauge");
	if (f.unit)
		fprintf(t->out, "# UNIT " PREFIX "%s %s\n", f.name, f.unit);
}

/* Begins a sample; labels follow, and then end_sample(). */
static void begin_sample(struct text *t)
{
	fprintf(t->out, PREFIX "%s%s", t->family.name, t->family.counter ? "_total" : "");
	t->labelled = false;
}

/*
 * Writes the value. Bytes and events are whole numbers without an exponent, however a sample was
 * scaled. Only here are they rounded, so that rounding errors do not add up.
 */
static void end_sample(const struct text *t, double number)
{
	const char *unit = t->family.unit;

	fputs(t->labelled ? "} " : " ", t->out);
	if (t->family.counter && !(unit && !strcmp(unit, "seconds")))
		fprintf(t->out, "%.0f", round(number));
	else
		put_number(t->out, number);
	putc('\n', t->out);
}

/*
 * Writes a label, with quotes, backslashes and newlines escaped. An empty label is the same as
 * none.
 */
static void put_label(struct text *t, const char *name, const char *value)
{
	if (!*value)
		return;
	fprintf(t->out, "%c%s=\"", t->labelled ? ',' : '{', name);
	t->labelled = true;
	for (; *value; value++) {
		if (*value == '"' || *value == '\\' || *value == '\n')
			putc('\\', t->out);
		putc(*value == '\n' ? 'n' : *value, t->out);
	}
	putc('"', t->out);
}

static void put_index(struct text *t, const char *name, int index)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", index);
	put_label(t, name, index >= 0 ? text : "");
}

/* Writes a family of one sample without labels. */
static void put_single(struct text *t, struct family f, double number)
{
	begin_family(t, f);
	begin_sample(t);
	end_sample(t, number);
}

static void put_place(struct text *t, const struct row *row)
{
	put_label(t, "model", t->table->model);
	put_index(t, "socket", row->place.socket);
	put_index(t, row->place.port_name ? row->place.port_name : "port", row->place.port);
	put_index(t, "node", place_node_number(&row->place));
	put_label(t, "device", place_device_label(&row->place));
	put_index(t, "cpu", row->place.cpu);
	put_label(t, "resctrl_group", row->place.group ? row->place.group : "");
}

static void put_row(struct text *t, const struct row *row, double number)
{
	begin_sample(t);
	put_place(t, row);
	if (row->event) {
		put_index(t, "die", row->summed ? -1 : (int)row->unit->die);
		put_label(t, "unit", row->unit->pmu_type->name);
		put_index(t, "box", row->summed ? -1 : (int)row->unit->id);
		put_label(t, "event", row->event->name);
	}
	end_sample(t, number);
}

/* Tells if a row has a column. Before Linux 6.8, nodes lack some columns of the machine. */
static bool has_column(const struct series *series, size_t r, size_t c)
{
	const struct row *row = &series->table->rows[r];

	return row_can_have(row, series->table->columns[c].metric) &&
	       (row->place.kind != ROW_NODE || series_cell(series, r, c)->known);
}

/*
 * Returns the finest scope for which the column has rows; SCOPE_COUNT: none. Reads counted by L3
 * caches have no rows of ports: those rows exist for other columns.
 */
static enum scope finest_scope(const struct series *series, size_t c)
{
	const struct table *table = series->table;
	enum scope found = SCOPE_COUNT;
	bool of_caches = false;

	for (size_t r = table_metric_rows(table); r-- > 0;) {
		const enum scope scope = row_scope(&table->rows[r]);

		of_caches |= !strcmp(table->rows[r].values[c].text, MBM_SOURCE);
		if (scope < found && has_column(series, r, c) &&
		    !(of_caches && scope < SCOPE_SOCKET))
			found = scope;
	}
	return found;
}

static void put_column(struct text *t, const struct openmetrics *o, size_t c)
{
	const struct family *f = &t->table->columns[c].metric->family;
	const enum scope scope = finest_scope(o->series, c);

	if (!f->name)
		return;
	begin_family(t, *f);
	for (size_t r = 0; r < table_metric_rows(t->table); r++) {
		const struct row *row = &t->table->rows[r];
		const double value = row->values[c].number;
		/*
		 * an unknown counter is left out: repeating its last value would show a rate of 0
		 */
		const double number = f->counter && isfinite(value)
					      ? series_cell(o->series, r, c)->amount
					      : value * f->factor;

		if (row_scope(row) == scope && isfinite(number))
			put_row(t, row, number);
	}
}

/*
 * Tells if an earlier row has the same event, or a part of the row's sum: an event may be requested
 * twice, but labels must be unique, and the system's sum is already in those of the sockets.
 */
static bool seen_before(const struct table *table, size_t r)
{
	const struct row *row = &table->rows[r];

	for (size_t i = table_metric_rows(table); i < r; i++) {
		const struct row *other = &table->rows[i];

		if (!strcmp(other->event->name, row->event->name) &&
		    (other->unit == row->unit ||
		     (row->summed && row_scope(other) < row_scope(row))))
			return true;
	}
	return false;
}

static void put_events(struct text *t, const struct openmetrics *o)
{
	const struct table *table = t->table;

	begin_family(t, counter_family("events", NULL, "Events that a unit's counter has counted"));
	for (size_t r = table_metric_rows(table); r < table->row_count; r++) {
		const double count = series_cell(o->series, r, series_event(table))->amount;

		if (isfinite(table->rows[r].count) && isfinite(count) && !seen_before(table, r))
			put_row(t, &table->rows[r], count);
	}
}

/*
 * Writes lost readings by port, or by socket and type of unit; as one sum for a recording, which
 * has only that.
 */
static void put_losses(struct text *t, const struct openmetrics *o)
{
	const struct family f =
		counter_family("lost_readings", NULL, "Readings of units that gave no values");

	if (!o->loss_count) {
		put_single(t, f, (double)o->lost_readings);
		return;
	}
	begin_family(t, f);
	for (size_t i = 0; i < o->loss_count; i++) {
		const struct loss *loss = &o->losses[i];
		const struct port *port = loss->port;

		begin_sample(t);
		put_label(t, "model", t->table->model);
		put_index(t, "socket", loss->unit->socket);
		if (port) {
			put_index(t, port->name ? port->name : "port", (int)port->number);
			put_label(t, "device", port->device ? port->device->name : "");
		} else {
			put_label(t, "unit", loss->unit->pmu_type->name);
		}
		end_sample(t, (double)loss->readings);
	}
}

/* Returns 1 if a link of the row's device is degraded, 0 if not; -1: unknown. */
static int is_degraded(const struct row *row)
{
	bool known = false;
	const struct pci_hop *hop =
		row->place.device ? cxl_device_degraded(row->place.device, &known) : NULL;

	return known ? hop != NULL : -1;
}

static void put_degraded(struct text *t)
{
	begin_family(
		t, gauge_family(
			   DEGRADED, NULL,
			   "1 if a link from root port to CXL device is degraded (below what both "
			   "its ends support), else 0"));
	for (size_t r = 0; r < table_metric_rows(t->table); r++) {
		const struct row *row = &t->table->rows[r];

		if (is_degraded(row) >= 0)
			put_row(t, row, is_degraded(row));
	}
}

/* Writes a family that lets rules and panels distinguish absent metrics from unmeasurable ones. */
static void put_available(struct text *t)
{
	char name[NAME_SIZE];
	bool degraded = false;

	begin_family(t, gauge_family("metric_available", NULL,
				     "1 if this machine can measure the metric, else 0"));
	for (size_t c = 0; c < t->table->column_count; c++) {
		const struct family *of = &t->table->columns[c].metric->family;

		if (!of->name)
			continue;
		snprintf(name, sizeof(name), PREFIX "%s%s", of->name, of->counter ? "_total" : "");
		begin_sample(t);
		put_label(t, "metric", name);
		end_sample(t, table_heading(t->table, c) != NULL);
	}
	for (size_t r = 0; r < table_metric_rows(t->table); r++)
		degraded |= is_degraded(&t->table->rows[r]) >= 0;
	begin_sample(t);
	put_label(t, "metric", PREFIX DEGRADED);
	end_sample(t, degraded);
}

/* Writes the properties of each device, for joins with its values, which have only its name. */
static void put_devices(struct text *t)
{
	char text[PCI_LINK_TEXT_SIZE + 24];

	begin_family(t, gauge_family("device_info", NULL,
				     "A CXL device, described by labels; always 1"));
	for (size_t r = 0; r < table_metric_rows(t->table); r++) {
		const struct row *row = &t->table->rows[r];
		const struct cxl_device *device = row->place.device;

		if (!device)
			continue;
		begin_sample(t);
		put_place(t, row);
		put_label(t, "pci", row->place.pci);
		snprintf(text, sizeof(text), "0x%" PRIx64, device->serial);
		put_label(t, "serial", device->serial ? text : "");
		const struct pci_hop *hop = cxl_device_narrowest(device);
		put_label(t, "link", hop ? pci_link_text(hop->now, text) : "");
		snprintf(text, sizeof(text), "%" PRIu64, device->bytes);
		put_label(t, "capacity_bytes", device->bytes ? text : "");
		put_index(t, "node", row->place.node);
		const struct cxl_region *region =
			t->table->memory ? memory_layout_region(t->table->memory, device->name)
					 : NULL;
		put_label(t, "region", region ? region->name : "");
		end_sample(t, 1);
	}
}

/* Writes errors by severity and kind, or events by kind. Returns false if there were none. */
static bool put_tallies(struct text *t, struct family family, bool errors)
{
	bool any = false;

	for (size_t i = 0; i < t->table->tallies.count; i++) {
		const struct tally *tally = &t->table->tallies.items[i];

		if (errors != !!tally->severity || !*tally->kind)
			continue;
		if (!any)
			begin_family(t, family);
		any = true;
		begin_sample(t);
		if (errors)
			put_label(t, "severity", aer_severity(tally->severity));
		put_label(t, errors ? "kind" : "event", tally->kind);
		put_label(t, "device", tally->device);
		end_sample(t, tally->count);
	}
	return any;
}

/* Writes tallies only if there are any: a replay of a recording without them has none. */
static void put_all_tallies(struct text *t)
{
	put_tallies(
		t,
		counter_family(
			"aer_errors", NULL,
			"Errors since boot that functions from root port to CXL device reported, "
			"by kind"),
		true);
	if (put_tallies(t,
			counter_family("cxl_events", NULL,
				       "Events of CXL devices that the kernel reported"),
			false) ||
	    t->table->tallies.lost_events)
		put_single(t,
			   counter_family("lost_cxl_events", NULL,
					  "Events of CXL devices that came too fast to be read"),
			   (double)t->table->tallies.lost_events);
}

/* Writes the families that do not depend on samples. */
static void put_run(struct text *t, const struct openmetrics *o, bool up)
{
	begin_family(
		t, gauge_family("build_info", NULL, "The version of cxlmon, as a label; always 1"));
	begin_sample(t);
	put_label(t, "version", CXLMON_VERSION);
	end_sample(t, 1);
	put_single(t, gauge_family("up", NULL, "1 if the latest sample has a known value, else 0"),
		   up);
	put_single(t,
		   gauge_family("last_sample_timestamp_seconds", "seconds",
				"When the latest sample was taken, since 1970"),
		   (double)o->wall_ns / NS_PER_S);
	put_single(t,
		   gauge_family("sampling_interval_seconds", "seconds",
				"Time from one sample to the next"),
		   (double)o->interval_ns / NS_PER_S);
}

static void put_samples(struct text *t, const struct openmetrics *o)
{
	put_single(t, counter_family("samples", NULL, "Samples taken"), (double)o->series->samples);
	put_single(t,
		   counter_family("missed_deadlines", NULL,
				  "Deadlines at which no sample could be taken"),
		   (double)o->missed);
	put_single(t,
		   counter_family("postponed_samples", NULL,
				  "Samples merged with the next one, because the queue was full"),
		   (double)o->skipped);
	put_losses(t, o);
	put_single(t,
		   counter_family("frozen_seconds", "seconds",
				  "Time in which counters were frozen to be read"),
		   (double)o->frozen_ns / NS_PER_S);
}

void openmetrics_render_stale(const struct openmetrics *o, FILE *out)
{
	struct text t = {.out = out};

	put_run(&t, o, false);
	fputs("# EOF\n", out);
}

void openmetrics_render(const struct openmetrics *o, FILE *out)
{
	const struct table *table = o->series->table;
	struct text t = {.out = out, .table = table};

	put_run(&t, o, o->series->known);
	put_samples(&t, o);
	put_available(&t);
	put_devices(&t);
	put_degraded(&t);
	put_all_tallies(&t);
	if (table->event_rows)
		put_events(&t, o);
	for (size_t c = 0; c < table->column_count; c++)
		put_column(&t, o, c);
	fputs("# EOF\n", out);
}
