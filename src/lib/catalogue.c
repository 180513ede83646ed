/* SPDX-License-Identifier: BSD-3-Clause */
/* What could be measured: the metrics that the library knows, and the events of a processor. */
#include <errno.h>
#include <stdlib.h>

#include "events/event_catalogue.h"
#include "lib/context.h"
#include "metrics/metric.h"
#include "sim/open.h"

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

static int keep_events(struct cxlmon_ctx *ctx, const struct model *model)
{
	struct event_catalogue catalogue;
	size_t count;

	catalogue_init(&catalogue, model);
	const struct event **events = catalogue_events(&catalogue, &count); /* of constant tables */
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
	const struct log silent = {.write = NULL};
	const struct model *model = NULL;
	struct cpu_identity id;
	struct platform *p = NULL;

	if (!ctx)
		return -EINVAL;
	int rc = platform_open(ctx->sim, ctx->root ? ctx->root : "/", &silent, &p, &ctx->error);
	if (!rc)
		rc = machine_find_model(p, &id, &model, &ctx->error);
	if (!rc)
		rc = keep_events(ctx, model);
	platform_destroy(p);
	return rc;
}

size_t cxlmon_event_count(const struct cxlmon_ctx *ctx)
{
	return ctx ? ctx->listed_count : 0;
}

static const struct event *event_of(const struct cxlmon_ctx *ctx, size_t event)
{
	return event < cxlmon_event_count(ctx) ? ctx->listed[event] : NULL;
}

const char *cxlmon_event_name(const struct cxlmon_ctx *ctx, size_t event)
{
	const struct event *e = event_of(ctx, event);

	return e ? e->name : "";
}

const char *cxlmon_event_unit(const struct cxlmon_ctx *ctx, size_t event)
{
	const struct event *e = event_of(ctx, event);
	const struct box *box = e ? model_box_of(ctx->listed_model, e) : NULL;

	return box ? box->name : "";
}

const char *cxlmon_event_help(const struct cxlmon_ctx *ctx, size_t event)
{
	const struct event *e = event_of(ctx, event);

	return e && e->help ? e->help : "";
}
