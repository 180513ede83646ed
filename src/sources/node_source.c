/* SPDX-License-Identifier: BSD-3-Clause */
#include "sources/node_source.h"

#include <stdlib.h>

#include "platform/clock.h"
#include "platform/memory.h"

struct node_reading {
	bool known;
	struct kernel_stats stats;
};

static bool read_nodes(struct source *source, uint64_t wall_ns, void *out)
{
	const struct node_source *s = (const struct node_source *)source;
	struct node_reading *readings = out;

	for (size_t i = 0; i <= s->count; i++)
		if (s->nodes[i].shown)
			readings[i].known = !source->platform->ops->memory->stats(
				source->platform, s->nodes[i].node, wall_ns, &readings[i].stats);
	return false;
}

static void age_nodes(struct source *source)
{
	struct node_source *s = (struct node_source *)source;

	for (size_t i = 0; i <= s->count; i++)
		s->nodes[i].stats.fresh = false;
}

static void take_nodes(struct source *source, const void *reading, uint64_t wall_ns,
		       struct marks *marks)
{
	struct node_source *s = (struct node_source *)source;
	const struct node_reading *readings = reading;

	(void)wall_ns;
	(void)marks;
	for (size_t i = 0; i <= s->count; i++)
		if (s->nodes[i].shown)
			stats_pair_take(&s->nodes[i].stats, readings[i].known, &readings[i].stats);
}

/* Tells if a node is a part of a cell: the machine's cell has all that are shown. */
static bool has_part(const struct node_source *s, const struct source_cell *cell, size_t i)
{
	return cell->place->kind == ROW_NODE ? i == cell->subject : s->nodes[i].shown;
}

/*
 * Returns the sum over the nodes of a cell. A number that the kernel counts only for the whole
 * machine is known in the system's row; it replaces a sum only if all nodes are shown.
 */
static struct stats_sum sum_nodes(const struct node_source *s, const struct source_cell *cell,
				  enum kernel_stat stat, bool rate)
{
	struct stats_sum sum = {.parts = 0}, machine = {.parts = 0};
	size_t shown = 0;

	for (size_t i = 0; i < s->count; i++) {
		shown += s->nodes[i].shown;
		if (has_part(s, cell, i) && stat != NODE_HINTING_FAULTS)
			stats_sum_add(&sum, &s->nodes[i].stats, stat, rate);
	}
	if (cell->place->kind == ROW_NODE || (sum.parts && !isnan(sum.per_s)))
		return sum;
	if (stat == NODE_HINTING_FAULTS || shown == s->count)
		stats_sum_add(&machine, &s->nodes[s->count].stats, stat, rate);
	return machine;
}

static double interval_s(const struct node_source *s, const struct source_cell *cell)
{
	double seconds = NAN;

	for (size_t i = 0; i < s->count; i++)
		if (has_part(s, cell, i))
			seconds = fmin(seconds, stats_pair_seconds(&s->nodes[i].stats));
	return seconds;
}

static double node_inputs(const struct source *source, const struct source_cell *cell,
			  const struct metric *metric, struct inputs *out)
{
	const struct node_source *s = (const struct node_source *)source;
	const bool rate = metric->family.counter;

	out->formula = NULL;
	if (!source->fresh || (cell->place->kind != ROW_NODE && cell->place->kind != ROW_SYSTEM))
		return NAN;
	const struct stats_sum sum = sum_nodes(s, cell, (enum kernel_stat)metric->number, rate);
	if (sum.parts && !isnan(sum.per_s))
		source_metric_input(out, metric, rate ? sum.per_s : sum.amount,
				    rate && sum.per_s > 0 ? sum.amount / sum.per_s : sum.seconds);
	return interval_s(s, cell);
}

static void close_nodes(struct source *source)
{
	free(((struct node_source *)source)->nodes);
}

static const struct source_kind kind = {.name = "nodes",
					.read = read_nodes,
					.age = age_nodes,
					.take = take_nodes,
					.inputs = node_inputs,
					.close = close_nodes};

/* Reads all nodes once, though none is shown yet. */
static void read_first(struct node_source *s)
{
	struct platform *p = s->base.platform;
	const uint64_t wall_ns = p->ops->clock->wall(p);

	for (size_t i = 0; i <= s->count; i++) {
		struct stats_pair *stats = &s->nodes[i].stats;

		stats->known = !p->ops->memory->stats(p, s->nodes[i].node, wall_ns, &stats->now);
	}
}

int node_source_open(struct node_source *s, struct platform *p, struct error *err)
{
	int *nodes = NULL;
	size_t count = 0;
	int rc = p->ops->memory ? p->ops->memory->nodes(p, &nodes, &count, err) : 0;

	if (rc || !count) {
		free(nodes);
		return rc;
	}
	s->nodes = calloc(count + 1, sizeof(*s->nodes));
	if (!s->nodes || source_init(&s->base, &kind, p, (count + 1) * sizeof(struct node_reading)))
		rc = error_no_memory(err);
	for (size_t i = 0; !rc && i < count; i++)
		s->nodes[i].node = nodes[i];
	free(nodes);
	if (rc) {
		free(s->nodes);
		s->nodes = NULL;
		return rc;
	}
	s->count = count;
	s->nodes[count] = (struct source_node){.node = NODE_MACHINE, .shown = true};
	read_first(s);
	return 0;
}

bool node_source_can_know(const struct node_source *s, enum kernel_stat stat)
{
	bool any = false;

	for (size_t i = 0; s->nodes && i <= s->count; i++)
		any |= s->nodes[i].shown && s->nodes[i].stats.known &&
		       !isnan(s->nodes[i].stats.now.values[stat]);
	return any;
}
