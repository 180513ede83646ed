/* SPDX-License-Identifier: BSD-3-Clause */
/* The header block: run, columns and rows. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "metrics/custom_text.h"
#include "platform/text.h"
#include "record/block.h"
#include "record/recording_private.h"
#include "uncore/model.h"

int recording_check_size(const struct view *view)
{
	return view->row_count > MAX_ROWS || view->column_count > MAX_COLUMNS ||
			       view->row_count * view->column_count > MAX_CELLS ||
			       recording_input_count(view) > MAX_INPUTS
		       ? -E2BIG
		       : 0;
}

_Static_assert(CUSTOM_HELP_MOST == BYTES_TEXT_MAX, "descriptions are recorded whole");

static void put_metric(struct bytes *b, const struct metric *m, const char *heading)
{
	bytes_put_text(b, m->name);
	bytes_put_text(b, m->group);
	bytes_put_varint(b, m->kind);
	bytes_put_varint(b, m->scopes);
	bytes_put_varint(b, m->decimals);
	bytes_put_optional(b, m->of);
	bytes_put_optional(b, heading);
	bytes_put_optional(b, m->unit);
	bytes_put_optional(b, m->help);
	bytes_put_optional(b, m->family.name);
	bytes_put_optional(b, m->family.unit);
	bytes_put_optional(b, m->family.help);
	bytes_put_number(b, m->family.factor);
	bytes_put_varint(b, m->family.counter);
}

/* What the header says of all rows. */
enum rows_kind {
	ROWS_METRICS,
	ROWS_EVENTS, /* each of a unit */
	ROWS_MIXED,  /* each says its kind */
};

/* What a row of mixed ones says of itself. */
enum row_kind { ROW_METRICS, ROW_EVENT, ROW_EVENT_SUM, ROW_NODE };

static enum row_kind kind_of_row(const struct row *row)
{
	if (!row->event)
		return row->of_node ? ROW_NODE : ROW_METRICS;
	return row->summed ? ROW_EVENT_SUM : ROW_EVENT;
}

static enum rows_kind kind_of_rows(const struct view *view)
{
	for (size_t r = 0; r < view->row_count; r++)
		if (view->rows[r].summed || view->rows[r].of_node)
			return ROWS_MIXED;
	if (!view->event_rows)
		return ROWS_METRICS;
	return view_metric_rows(view) ? ROWS_MIXED : ROWS_EVENTS;
}

/* The first row with the same unit or event: shared units and events are stored once. */
static size_t first_with(const struct view *view, size_t r, bool unit)
{
	size_t i = 0;

	while (unit ? view->rows[i].unit != view->rows[r].unit
		    : view->rows[i].event != view->rows[r].event)
		i++;
	return i;
}

static void put_event(struct bytes *b, const struct view *view, size_t r)
{
	const struct row *row = &view->rows[r];
	const size_t unit = first_with(view, r, true), event = first_with(view, r, false);

	bytes_put_varint(b, unit);
	if (unit == r) {
		bytes_put_text(b, row->unit->box->name);
		bytes_put_varint(b, row->unit->id);
		bytes_put_varint(b, row->unit->die);
	}
	bytes_put_varint(b, event);
	if (event == r)
		bytes_put_text(b, row->event->name);
}

static void put_row(struct bytes *b, const struct view *view, enum rows_kind rows, size_t r)
{
	const struct row *row = &view->rows[r];

	bytes_put_varint(b, row->scope);
	bytes_put_index(b, row->socket);
	bytes_put_index(b, row->port);
	bytes_put_index(b, row->cpu);
	bytes_put_index(b, row->node);
	bytes_put_text(b, row->pci);
	bytes_put_text(b, row->memdev);
	if (rows == ROWS_MIXED)
		bytes_put_varint(b, kind_of_row(row));
	if (row->event)
		put_event(b, view, r);
}

void recording_put_header(struct bytes *out, const struct recording_info *about,
			  const struct view *view)
{
	const enum rows_kind rows = kind_of_rows(view);
	struct bytes b = {.failed = false};

	bytes_put_varint(&b, RECORDING_VERSION);
	bytes_put_text(&b, about->program);
	bytes_put_text(&b, about->processor);
	bytes_put_text(&b, view->model);
	bytes_put_varint(&b, about->interval_ns);
	bytes_put_varint(&b, about->started_ns);
	bytes_put_varint(&b, about->option_count);
	for (size_t i = 0; i < about->option_count; i++) {
		bytes_put_text(&b, about->options[i].name);
		bytes_put_text(&b, about->options[i].value);
	}
	bytes_put_varint(&b, rows);
	bytes_put_varint(&b, view->column_count);
	for (size_t c = 0; c < view->column_count; c++)
		put_metric(&b, view->columns[c], view_heading(view, c));
	bytes_put_varint(&b, view->row_count);
	for (size_t r = 0; r < view->row_count; r++)
		put_row(&b, view, rows, r);
	bytes_put(out, RECORDING_MAGIC, RECORDING_MAGIC_SIZE);
	block_put(out, BLOCK_HEADER, &b);
	bytes_free(&b);
	recording_put_formulas(out, view);
}

/* A name that outputs print without quoting. */
static const char *decode_name(struct cursor *c)
{
	const char *name = cursor_text(c);

	c->bad |= !text_is_name(name);
	return name;
}

/* What a recording doesn't keep, and headings of an earlier version. */
static void complete_metric(struct metric *m)
{
	const struct metric *known = metric_by_name(m->name);

	m->node_stat = known ? known->node_stat : NODE_STAT_NONE;
	if (known && known->heading && m->heading)
		m->heading = known->heading;
}

static void decode_metric(struct cursor *c, struct metric *m)
{
	m->name = decode_name(c);
	m->group = cursor_text(c);
	m->kind = (enum metric_kind)cursor_count(c, METRIC_CPU);
	m->scopes = (unsigned)cursor_count(c, (1U << SCOPE_COUNT) - 1);
	m->decimals = (unsigned)cursor_count(c, 17);
	m->of = cursor_optional(c);
	m->heading = cursor_optional(c);
	m->unit = cursor_optional(c);
	m->help = cursor_optional(c);
	m->family.name = cursor_optional(c);
	m->family.unit = cursor_optional(c);
	m->family.help = cursor_optional(c);
	m->family.factor = cursor_number(c);
	m->family.counter = cursor_count(c, 1);
	complete_metric(m);
	/* what outputs rely on */
	c->bad |= isnan(m->family.factor) || (m->heading && !m->unit) ||
		  (m->family.name && (!m->family.help || !text_is_name(m->family.name)));
}

/* The unit and event are those of an earlier row, or follow here. */
static void decode_event(struct cursor *c, struct recording *recording, size_t r)
{
	struct row *row = &recording->view.rows[r];
	const size_t unit = cursor_count(c, r);

	if (unit == r) {
		recording->boxes[r].name = decode_name(c);
		recording->units[r] = (struct unit){
			.box = &recording->boxes[r],
			.id = (uint16_t)cursor_count(c, UINT16_MAX),
			.die = (unsigned)cursor_count(c, UINT16_MAX),
			.socket = row->socket,
		};
	}
	row->unit = unit == r ? &recording->units[r] : recording->view.rows[unit].unit;
	const size_t event = cursor_count(c, r);
	if (event == r)
		recording->events[r].name = cursor_text(c);
	row->event = event == r ? &recording->events[r] : recording->view.rows[event].event;
	/* a row of metrics has neither */
	c->bad |= !row->unit || !row->event;
}

static enum row_kind decode_kind(struct cursor *c, enum rows_kind rows)
{
	if (rows == ROWS_MIXED)
		return (enum row_kind)cursor_count(c, ROW_NODE);
	return rows == ROWS_EVENTS ? ROW_EVENT : ROW_METRICS;
}

static void decode_row(struct cursor *c, struct recording *recording, enum rows_kind rows, size_t r)
{
	struct view *view = &recording->view;
	struct row *row = &view->rows[r];
	const struct model *model = model_by_name(view->model);

	row->scope = (enum scope)cursor_count(c, SCOPE_COUNT - 1);
	row->socket = cursor_index(c);
	row->port = cursor_index(c);
	row->port_name = model ? model->port_name : NULL;
	row->cpu = cursor_index(c);
	row->node = cursor_index(c);
	row->pci = cursor_text(c);
	row->memdev = cursor_text(c);
	row->interval_s = row->counted_pct = row->count = row->per_s = NAN;
	row->values = recording->values + r * view->column_count;
	for (size_t i = 0; i < view->column_count; i++)
		row->values[i] = (struct value){.number = NAN, .text = "", .seconds = NAN};
	const enum row_kind kind = decode_kind(c, rows);

	row->of_node = kind == ROW_NODE;
	c->bad |= row->of_node && (row->scope != SCOPE_PORT || row->port >= 0);
	if (kind == ROW_METRICS || kind == ROW_NODE) {
		c->bad |= view->event_rows > 0; /* these come first */
		return;
	}
	row->summed = kind == ROW_EVENT_SUM;
	decode_event(c, recording, r);
	view->event_rows++;
}

static enum rows_kind decode_about(struct cursor *c, struct recording *recording)
{
	struct recording_info *about = &recording->about;

	about->program = cursor_text(c);
	about->processor = cursor_text(c);
	recording->view.model = decode_name(c);
	about->interval_ns = cursor_varint(c);
	about->started_ns = cursor_varint(c);
	about->option_count = cursor_count(c, RECORDING_OPTIONS);
	for (size_t i = 0; i < about->option_count; i++) {
		about->options[i].name = cursor_text(c);
		about->options[i].value = cursor_text(c);
	}
	return (enum rows_kind)cursor_count(c, ROWS_MIXED);
}

static int decode_columns(struct cursor *c, struct recording *recording)
{
	struct view *view = &recording->view;
	const size_t count = cursor_count(c, MAX_COLUMNS);

	recording->metrics = calloc(count + 1, sizeof(*recording->metrics));
	view->columns = calloc(count + 1, sizeof(*view->columns));
	view->source_column = calloc(count + 1, sizeof(*view->source_column));
	if (!recording->metrics || !view->columns || !view->source_column)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		decode_metric(c, &recording->metrics[i]);
		view->columns[i] = &recording->metrics[i];
		view->source_column[i] = SIZE_MAX;
	}
	view->column_count = count;
	return 0;
}

static int decode_rows(struct cursor *c, struct recording *recording, enum rows_kind rows)
{
	struct view *view = &recording->view;
	/* a row has at least one byte, so a short header cannot cause a large allocation */
	const size_t count = cursor_count(c, c->left < MAX_ROWS ? c->left : MAX_ROWS);
	const size_t events = rows == ROWS_METRICS ? 0 : count;

	if (!count || count * view->column_count > MAX_CELLS)
		return -EBADMSG;
	view->rows = calloc(count, sizeof(*view->rows));
	recording->values = calloc(count * view->column_count + 1, sizeof(*recording->values));
	recording->boxes = calloc(events + 1, sizeof(*recording->boxes));
	recording->units = calloc(events + 1, sizeof(*recording->units));
	recording->events = calloc(events + 1, sizeof(*recording->events));
	if (!view->rows || !recording->values || !recording->boxes || !recording->units ||
	    !recording->events)
		return -ENOMEM;
	for (size_t r = 0; r < count; r++)
		decode_row(c, recording, rows, r);
	view->row_count = count;
	return 0;
}

int recording_decode_header(struct recording *recording, struct error *err)
{
	struct cursor c = {.at = recording->header.data, .left = recording->header.size};
	const uint64_t version = cursor_varint(&c);

	if (!c.bad && version != RECORDING_VERSION)
		return error_set(err, EXIT_FAILED, -ENOTSUP,
				 "recording version %llu, but this cxlmon supports version %d",
				 (unsigned long long)version, RECORDING_VERSION);
	const enum rows_kind rows = decode_about(&c, recording);
	int rc = decode_columns(&c, recording);
	if (!rc)
		rc = decode_rows(&c, recording, rows);
	if (rc == -ENOMEM)
		return error_set(err, EXIT_FAILED, rc, "out of memory");
	return rc || c.bad ? error_set(err, EXIT_FAILED, -EBADMSG, "invalid header") : 0;
}
