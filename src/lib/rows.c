/* SPDX-License-Identifier: BSD-3-Clause */
/* Metrics and events that can be measured; rows, columns and marks of the last sample. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "events/event_catalogue.h"
#include "lib/context.h"
#include "metrics/metric.h"
#include "session/session.h"
#include "table/spell.h"
#include "uncore/models/models.h"

size_t cxlmon_metric_count(void)
{
	size_t count = 0;

	while (metric_table[count].name)
		count++;
	return count;
}

static const struct metric *metric_of(size_t metric)
{
	static const struct metric none = {.name = "", .group = "", .unit = "", .help = ""};

	return metric < cxlmon_metric_count() ? &metric_table[metric] : &none;
}

const char *cxlmon_metric_name(size_t metric)
{
	return metric_of(metric)->name;
}

const char *cxlmon_metric_group(size_t metric)
{
	return metric_of(metric)->group;
}

const char *cxlmon_metric_unit(size_t metric)
{
	const struct metric *m = metric_of(metric);

	return m->kind == METRIC_NUMBER && m->unit ? m->unit : "";
}

const char *cxlmon_metric_help(size_t metric)
{
	return metric_of(metric)->help;
}

static int list_events(struct cxlmon_ctx *ctx)
{
	const struct log silent = {.write = NULL};
	const struct model *model = NULL;
	struct cpu_identity id;
	struct event_catalogue catalogue;
	struct platform *p = NULL;
	size_t count;

	int rc = platform_open(ctx->options.sim, ctx->options.root ? ctx->options.root : "/",
			       &silent, &p, &ctx->error);
	if (!rc)
		rc = machine_find_model(p, &id, &model, &ctx->error);
	platform_destroy(p);
	if (rc)
		return rc;
	catalogue_init(&catalogue, model);
	const struct event **events =
		catalogue_events(&catalogue, &count); /* elements of constant tables */
	catalogue_free(&catalogue);
	if (!events)
		return error_no_memory(&ctx->error);
	free(ctx->listed);
	ctx->listed = events;
	ctx->listed_count = count;
	ctx->listed_model = model;
	return 0;
}

int cxlmon_list_events(struct cxlmon_ctx *ctx)
{
	return context_in_c_locale(ctx, list_events);
}

size_t cxlmon_event_count(const struct cxlmon_ctx *ctx)
{
	return ctx ? ctx->listed_count : 0;
}

static const struct event *event_of(const struct cxlmon_ctx *ctx, size_t event)
{
	static const struct event none = {.name = "", .help = ""};

	return event < cxlmon_event_count(ctx) ? ctx->listed[event] : &none;
}

const char *cxlmon_event_name(const struct cxlmon_ctx *ctx, size_t event)
{
	return event_of(ctx, event)->name;
}

const char *cxlmon_event_unit(const struct cxlmon_ctx *ctx, size_t event)
{
	const struct pmu_type *pmu_type =
		event < cxlmon_event_count(ctx)
			? model_pmu_type_of(ctx->listed_model, ctx->listed[event])
			: NULL;

	return pmu_type ? pmu_type->name : "";
}

const char *cxlmon_event_help(const struct cxlmon_ctx *ctx, size_t event)
{
	const char *help = event_of(ctx, event)->help;

	return help ? help : "";
}

/* Rows and columns of the last sample, from the session's table. */

static const struct table *view_of(const struct cxlmon_ctx *ctx)
{
	static const struct table nothing = {.model = ""};

	return ctx && ctx->table ? ctx->table : &nothing;
}

static const struct sample *sample_of(const struct cxlmon_ctx *ctx)
{
	static const struct sample none = {.counts = NULL};

	return ctx ? &ctx->sample : &none;
}

static bool is_sampled(const struct cxlmon_ctx *ctx)
{
	return ctx && ctx->sampled;
}

static const struct row *row_of(const struct cxlmon_ctx *ctx, size_t row)
{
	const struct table *table = view_of(ctx);

	return row < table->row_count ? &table->rows[row] : &row_unknown;
}

static const struct metric *column_of(const struct cxlmon_ctx *ctx, size_t column)
{
	static const struct metric none = {.name = "", .unit = "", .help = ""};
	const struct table *table = view_of(ctx);

	return column < table->column_count ? table->columns[column].metric : &none;
}

/* Returns a cell; before the first sample, all values are unknown. */
static struct value value_of(const struct cxlmon_ctx *ctx, size_t row, size_t column)
{
	const struct table *table = view_of(ctx);

	if (row >= table->row_count || column >= table->column_count || !is_sampled(ctx))
		return (struct value){.number = NAN, .text = ""};
	return table->rows[row].values[column];
}

const char *cxlmon_model(const struct cxlmon_ctx *ctx)
{
	return view_of(ctx)->model;
}

uint64_t cxlmon_time_ns(const struct cxlmon_ctx *ctx)
{
	return sample_of(ctx)->wall_ns;
}

uint64_t cxlmon_missed(const struct cxlmon_ctx *ctx)
{
	return sample_of(ctx)->missed;
}

size_t cxlmon_lost_units(const struct cxlmon_ctx *ctx)
{
	return sample_of(ctx)->lost_readings;
}

size_t cxlmon_mark_count(const struct cxlmon_ctx *ctx)
{
	return is_sampled(ctx) ? view_of(ctx)->marks.count : 0;
}

/* Returns a mark; NULL: there is no such mark. */
static const struct mark *mark_of(const struct cxlmon_ctx *ctx, size_t mark)
{
	return mark < cxlmon_mark_count(ctx) ? &view_of(ctx)->marks.items[mark] : NULL;
}

uint64_t cxlmon_mark_time_ns(const struct cxlmon_ctx *ctx, size_t mark)
{
	const struct mark *found = mark_of(ctx, mark);

	return found ? found->wall_ns : 0;
}

const char *cxlmon_mark_kind(const struct cxlmon_ctx *ctx, size_t mark)
{
	const struct mark *found = mark_of(ctx, mark);

	return found ? mark_kind_name(found->kind) : "";
}

const char *cxlmon_mark_device(const struct cxlmon_ctx *ctx, size_t mark)
{
	const struct mark *found = mark_of(ctx, mark);

	return found ? found->device : "";
}

const char *cxlmon_mark_text(const struct cxlmon_ctx *ctx, size_t mark)
{
	const struct mark *found = mark_of(ctx, mark);

	return found ? found->text : "";
}

size_t cxlmon_column_count(const struct cxlmon_ctx *ctx)
{
	return view_of(ctx)->column_count;
}

size_t cxlmon_find_column(const struct cxlmon_ctx *ctx, const char *name)
{
	size_t column = 0;

	if (!name)
		return cxlmon_column_count(ctx);
	while (column < cxlmon_column_count(ctx) && strcmp(column_of(ctx, column)->name, name) != 0)
		column++;
	return column;
}

const char *cxlmon_column_name(const struct cxlmon_ctx *ctx, size_t column)
{
	return column_of(ctx, column)->name;
}

const char *cxlmon_column_unit(const struct cxlmon_ctx *ctx, size_t column)
{
	const struct metric *metric = column_of(ctx, column);

	return metric->kind == METRIC_NUMBER && metric->unit ? metric->unit : "";
}

const char *cxlmon_column_help(const struct cxlmon_ctx *ctx, size_t column)
{
	const char *help = column_of(ctx, column)->help;

	return help ? help : "";
}

int cxlmon_column_is_text(const struct cxlmon_ctx *ctx, size_t column)
{
	return column_of(ctx, column)->kind != METRIC_NUMBER;
}

size_t cxlmon_row_count(const struct cxlmon_ctx *ctx)
{
	return view_of(ctx)->row_count;
}

enum cxlmon_scope cxlmon_row_scope(const struct cxlmon_ctx *ctx, size_t row)
{
	return (enum cxlmon_scope)row_scope(row_of(ctx, row));
}

const char *cxlmon_row_scope_name(const struct cxlmon_ctx *ctx, size_t row)
{
	return row_scope_name(row_of(ctx, row));
}

int cxlmon_row_socket(const struct cxlmon_ctx *ctx, size_t row)
{
	return row_of(ctx, row)->place.socket;
}

int cxlmon_row_port(const struct cxlmon_ctx *ctx, size_t row)
{
	return row_of(ctx, row)->place.port;
}

int cxlmon_row_cpu(const struct cxlmon_ctx *ctx, size_t row)
{
	return row_of(ctx, row)->place.cpu;
}

const char *cxlmon_row_pci(const struct cxlmon_ctx *ctx, size_t row)
{
	return row_of(ctx, row)->place.pci;
}

const char *cxlmon_row_device(const struct cxlmon_ctx *ctx, size_t row)
{
	return row_of(ctx, row)->place.memdev;
}

int cxlmon_row_node(const struct cxlmon_ctx *ctx, size_t row)
{
	return row_of(ctx, row)->place.node;
}

double cxlmon_row_interval_s(const struct cxlmon_ctx *ctx, size_t row)
{
	return is_sampled(ctx) ? row_of(ctx, row)->interval_s : NAN;
}

double cxlmon_row_counted_pct(const struct cxlmon_ctx *ctx, size_t row)
{
	return is_sampled(ctx) ? row_of(ctx, row)->counted_pct : NAN;
}

double cxlmon_value(const struct cxlmon_ctx *ctx, size_t row, size_t column)
{
	return column_of(ctx, column)->kind == METRIC_NUMBER ? value_of(ctx, row, column).number
							     : NAN;
}

size_t cxlmon_values(const struct cxlmon_ctx *ctx, double *values, size_t count)
{
	const size_t columns = cxlmon_column_count(ctx), total = cxlmon_row_count(ctx) * columns;

	for (size_t i = 0; values && i < total && i < count; i++)
		values[i] = cxlmon_value(ctx, i / columns, i % columns);
	return total;
}

const char *cxlmon_text(const struct cxlmon_ctx *ctx, size_t row, size_t column)
{
	const char *group = row_of(ctx, row)->place.group;

	if (column_of(ctx, column)->kind == METRIC_GROUP)
		return group ? group : "";
	return value_of(ctx, row, column).text;
}

const char *cxlmon_row_event(const struct cxlmon_ctx *ctx, size_t row)
{
	const struct event *event = row_of(ctx, row)->event;

	return event ? event->name : "";
}

const char *cxlmon_row_unit(const struct cxlmon_ctx *ctx, size_t row)
{
	const struct unit *unit = row_of(ctx, row)->unit;

	return unit ? unit->pmu_type->name : "";
}

int cxlmon_row_box(const struct cxlmon_ctx *ctx, size_t row)
{
	const struct row *r = row_of(ctx, row);

	return r->unit && !r->summed ? r->unit->id : -1;
}

double cxlmon_row_events(const struct cxlmon_ctx *ctx, size_t row)
{
	return is_sampled(ctx) ? row_of(ctx, row)->count : NAN;
}

double cxlmon_row_events_per_s(const struct cxlmon_ctx *ctx, size_t row)
{
	return is_sampled(ctx) ? row_of(ctx, row)->per_s : NAN;
}
