/* SPDX-License-Identifier: BSD-3-Clause */
#include "poller/deltas.h"

#include <stdlib.h>
#include <string.h>

/* What doesn't change of a unit, so that nothing of the plan is read that may. */
struct shape {
	size_t domain;
	size_t first_slot, slot_count;
	size_t first_place;
	size_t first_group;
};

struct deltas {
	const struct group *groups;
	size_t *counts_as; /* by slot */
	struct shape *shapes;
	struct reading_size size;
	uint64_t *last;	  /* by place: as read before */
	uint64_t *later;  /* by place: how much later than its domain */
	uint32_t *active; /* by unit: the group that counts */
};

struct reading_size deltas_size(const struct plan *plan)
{
	return (struct reading_size){
		.slots = plan->slot_count,
		.places = plan->place_count,
		.domains = plan->domain_count,
		.units = plan->unit_count,
	};
}

static void take_shape(struct deltas *deltas, const struct plan *plan)
{
	for (size_t s = 0; s < plan->slot_count; s++)
		deltas->counts_as[s] = plan->slots[s].counts_as;
	for (size_t d = 0; d < plan->domain_count; d++) {
		const struct domain *domain = &plan->domains[d];

		for (size_t u = domain->first_unit; u < domain->first_unit + domain->unit_count;
		     u++) {
			const struct plan_unit *pu = &plan->units[u];

			deltas->shapes[u] = (struct shape){
				.domain = d,
				.first_slot = pu->first_slot,
				.slot_count = pu->slot_count,
				.first_place = pu->first_place,
				.first_group = pu->first_group,
			};
		}
	}
}

struct deltas *deltas_new(const struct plan *plan)
{
	struct deltas *deltas = calloc(1, sizeof(*deltas));

	if (!deltas)
		return NULL;
	deltas->groups = plan->groups;
	deltas->size = deltas_size(plan);
	/* an element too many, so that no array is empty */
	deltas->counts_as = calloc(plan->slot_count + 1, sizeof(*deltas->counts_as));
	deltas->shapes = calloc(plan->unit_count + 1, sizeof(*deltas->shapes));
	deltas->last = calloc(plan->place_count + 1, sizeof(*deltas->last));
	deltas->later = calloc(plan->place_count + 1, sizeof(*deltas->later));
	deltas->active = calloc(plan->unit_count + 1, sizeof(*deltas->active));
	if (!deltas->counts_as || !deltas->shapes || !deltas->last || !deltas->later ||
	    !deltas->active) {
		deltas_free(deltas);
		return NULL;
	}
	take_shape(deltas, plan);
	return deltas;
}

void deltas_free(struct deltas *deltas)
{
	if (!deltas)
		return;
	free(deltas->counts_as);
	free(deltas->shapes);
	free(deltas->last);
	free(deltas->later);
	free(deltas->active);
	free(deltas);
}

static void count_unit(const struct deltas *deltas, size_t u, const struct reading *reading)
{
	const struct shape *shape = &deltas->shapes[u];
	const struct group *group = &deltas->groups[shape->first_group + deltas->active[u]];
	const uint64_t ns = reading->ns[shape->domain];
	struct count *counts = reading->sample.counts;

	for (size_t s = shape->first_slot; s < shape->first_slot + shape->slot_count; s++)
		counts[s] = (struct count){.unit_ns = ns};
	for (size_t i = 0; i < group->slot_count; i++) {
		const size_t place = shape->first_place + i;
		struct count *count = &counts[deltas->counts_as[group->first_slot + i]];
		const uint64_t later =
			reading->later ? reading->later[place] - deltas->later[place] : 0;

		count->events += reading->raw[place] - deltas->last[place];
		count->counted_ns += ns + later;
		count->unit_ns += later;
		count->known = true;
	}
}

void deltas_count(struct deltas *deltas, struct reading *reading)
{
	const size_t units = deltas->size.units;

	if (reading->plain)
		for (size_t u = 0; u < units; u++)
			count_unit(deltas, u, reading);
	else
		memcpy(deltas->active, reading->groups, units * sizeof(*deltas->active));
	memcpy(deltas->last, reading->raw, deltas->size.places * sizeof(*deltas->last));
	if (reading->later)
		memcpy(deltas->later, reading->later, deltas->size.places * sizeof(*deltas->later));
	reading->plain = false;
}
