/* SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/tiering.h"

#include <math.h>
#include <stdlib.h>

#include "metrics/view.h"
#include "platform/number.h"

static void read_source(struct platform *p, struct tiering_source *source, uint64_t wall_ns)
{
	if (source->known) {
		source->before = source->now;
		source->has_before = true;
	}
	source->known = !p->ops->node_stats(p, source->node, wall_ns, &source->now);
}

int tiering_open(struct platform *p, struct tiering *out, struct error *err)
{
	int *nodes = NULL;

	*out = (struct tiering){.platform = p, .machine = {.node = NODE_MACHINE}};
	int rc = p->ops->nodes ? p->ops->nodes(p, &nodes, &out->count, err) : 0;

	if (!rc && out->count) {
		out->nodes = calloc(out->count, sizeof(*out->nodes));
		rc = out->nodes ? 0 : error_no_memory(err);
	}
	for (size_t i = 0; !rc && i < out->count; i++) {
		out->nodes[i].node = nodes[i];
		read_source(p, &out->nodes[i], p->ops->wall(p));
	}
	if (!rc && out->count)
		read_source(p, &out->machine, p->ops->wall(p));
	free(nodes);
	return rc;
}

void tiering_free(struct tiering *t)
{
	free(t->nodes);
	*t = (struct tiering){.count = 0};
}

void tiering_read(struct tiering *t, uint64_t wall_ns)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->nodes[i].shown)
			read_source(t->platform, &t->nodes[i], wall_ns);
	if (t->count)
		read_source(t->platform, &t->machine, wall_ns);
}

/* NAN: fewer than two readings have succeeded, or this one hasn't. */
static double seconds_of(const struct tiering_source *s)
{
	return s->known && s->has_before && s->before.at_ns < s->now.at_ns
		       ? (double)(s->now.at_ns - s->before.at_ns) / NS_PER_S
		       : NAN;
}

static bool has_part(const struct tiering_source *source, int node)
{
	return source->shown && (node == NODE_MACHINE || node == source->node);
}

double tiering_interval_s(const struct tiering *t, int node)
{
	double seconds = NAN;

	for (size_t i = 0; i < t->count; i++)
		if (has_part(&t->nodes[i], node))
			seconds = fmin(seconds, seconds_of(&t->nodes[i]));
	return seconds;
}

/* What is added up for a row. */
struct sum {
	size_t parts;
	bool unknown; /* one of them */
	double amount, per_s, seconds;
};

static void add(struct sum *sum, const struct tiering_source *s, enum node_stat stat, bool rate)
{
	const uint64_t before = s->before.values[stat], now = s->now.values[stat];
	const double seconds = seconds_of(s);

	sum->parts++;
	if (isnan(seconds) || now == NODE_STAT_UNKNOWN ||
	    (rate && (before == NODE_STAT_UNKNOWN || before > now))) {
		sum->unknown = true;
		return;
	}
	const double amount = (double)(rate ? now - before : now);

	sum->amount += amount;
	sum->per_s += amount / seconds;
	sum->seconds = sum->parts > 1 ? fmin(sum->seconds, seconds) : seconds;
}

static struct sum sum_of(const struct tiering *t, int node, enum node_stat stat, bool rate)
{
	struct sum sum = {.parts = 0}, machine = {.parts = 0};
	size_t shown = 0;

	for (size_t i = 0; i < t->count; i++) {
		shown += t->nodes[i].shown;
		if (has_part(&t->nodes[i], node) && stat != NODE_HINTING_FAULTS)
			add(&sum, &t->nodes[i], stat, rate);
	}
	if (node != NODE_MACHINE || (sum.parts && !sum.unknown))
		return sum;
	if (stat == NODE_HINTING_FAULTS || shown == t->count)
		add(&machine, &t->machine, stat, rate);
	return machine;
}

void tiering_value(const struct tiering *t, int node, const struct metric *metric,
		   struct value *out)
{
	const bool rate = metric->family.counter;
	const struct sum sum = sum_of(t, node, metric->node_stat, rate);

	*out = (struct value){.number = NAN, .text = "", .seconds = NAN};
	if (!sum.parts || sum.unknown)
		return;
	out->number = rate ? sum.per_s : sum.amount / metric->family.factor;
	out->seconds = rate && sum.per_s > 0 ? sum.amount / sum.per_s : sum.seconds;
	out->weight = rate ? 0 : sum.seconds * NS_PER_S;
}

bool tiering_can_know(const struct tiering *t, enum node_stat stat)
{
	bool any = t->machine.known && t->machine.now.values[stat] != NODE_STAT_UNKNOWN;

	for (size_t i = 0; i < t->count; i++)
		any |= t->nodes[i].shown && t->nodes[i].known &&
		       t->nodes[i].now.values[stat] != NODE_STAT_UNKNOWN;
	return any;
}
