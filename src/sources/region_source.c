/* SPDX-License-Identifier: BSD-3-Clause */
#include "sources/region_source.h"

#include <math.h>

#include "base/number.h"
#include "base/text.h"

const struct formula region_rate = {.program = &source_program, .source = "rmbm"};

static bool read_regions(struct source *source, uint64_t wall_ns, void *out)
{
	region_counters_read(&((struct region_source *)source)->counters, wall_ns, out);
	return false;
}

static void take_regions(struct source *source, const void *reading, uint64_t wall_ns,
			 struct marks *marks)
{
	(void)wall_ns;
	(void)marks;
	region_counters_take(&((struct region_source *)source)->counters, reading, source->fresh);
}

static bool has_domain(const struct source_cell *cell, size_t domain, int socket)
{
	if (cell->place->kind == ROW_DOMAIN)
		return domain == cell->subject;
	if (cell->place->socket >= 0)
		return socket == cell->place->socket;
	return socket >= 0 && (!cell->sockets || numlist_contains(cell->sockets, (unsigned)socket));
}

static double region_inputs(const struct source *source, const struct source_cell *cell,
			    const struct metric *metric, struct inputs *out)
{
	const struct region_counters *c = &((const struct region_source *)source)->counters;
	const double seconds = region_counters_seconds(c);
	double sum = 0;
	size_t parts = 0;

	out->formula = NULL;
	if (!source->fresh || (cell->place->kind < ROW_SOCKET && cell->place->kind != ROW_DOMAIN))
		return NAN;
	for (size_t d = 0; d < c->tables.erdt.count; d++) {
		if (!has_domain(cell, d, c->sockets[d]))
			continue;
		sum += region_counters_bytes(c, d, (enum memory_region)metric->number);
		parts++;
	}
	if (!parts || isnan(sum) || !(seconds > 0))
		return NAN;
	source_input(out, &region_rate, sum / 1e6 / seconds, seconds);
	return out->items[0].ns / NS_PER_S;
}

static void close_regions(struct source *source)
{
	region_counters_close(&((struct region_source *)source)->counters);
}

static const struct source_kind kind = {.name = "regions",
					.read = read_regions,
					.take = take_regions,
					.inputs = region_inputs,
					.close = close_regions};

int region_source_open(struct region_source *s, struct platform *p, const struct topology *topology,
		       struct error *err)
{
	int rc = region_counters_open(&s->counters, p, topology, err);

	if (!rc && source_init(&s->base, &kind, p, region_counters_size(&s->counters)))
		rc = error_no_memory(err);
	if (rc)
		region_counters_close(&s->counters);
	return rc;
}
