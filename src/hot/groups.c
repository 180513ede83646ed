/* SPDX-License-Identifier: BSD-3-Clause */
#include "hot/groups.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hot/hash.h"

#define SLOTS (4 * HOT_ROWS_MOST)

static const char *const names[] = {"process", "mapping", "cgroup", "node", "page", NULL};
_Static_assert(sizeof(names) / sizeof(names[0]) == HOT_BYS + 1, "a name for each of enum hot_by");

const char *hot_by_name(size_t by)
{
	return by < HOT_BYS ? names[by] : NULL;
}

int hot_groups_init(struct hot_groups *groups, enum hot_by by)
{
	*groups = (struct hot_groups){
		.by = by,
		.rows = calloc(HOT_ROWS_MOST, sizeof(struct hot_row *)),
		.slots = calloc(SLOTS, sizeof(*groups->slots)),
		.all.node = -1,
		.others.node = -1,
	};
	return groups->rows && groups->slots ? 0 : -ENOMEM;
}

void hot_groups_free(struct hot_groups *groups)
{
	for (size_t i = 0; groups->rows && i < groups->count; i++)
		free(groups->rows[i]);
	free(groups->rows);
	free(groups->slots);
}

static struct hot_key key_of(enum hot_by by, const struct load_sample *sample,
			     const struct hot_place *place)
{
	const uint64_t serial = place->process ? place->process->serial : 0;
	const uint32_t mapping = place->mapping ? place->mapping->name : HOT_NAME_UNKNOWN;

	switch (by) {
	case BY_MAPPING:
		return (struct hot_key){serial, mapping};
	case BY_CGROUP:
		return (struct hot_key){place->process ? place->process->cgroup : 0, 0};
	case BY_NODE:
		return (struct hot_key){(uint64_t)(place->node + 1), 0};
	case BY_PAGE:
		return (struct hot_key){serial, sample->address >> HOT_PAGE_SHIFT};
	default:
		return (struct hot_key){serial, 0};
	}
}

static void describe(struct hot_row *row, enum hot_by by, const struct load_sample *sample,
		     const struct hot_place *place)
{
	const struct hot_process *process = place->process;
	const bool of_process = by == BY_PROCESS || by == BY_MAPPING || by == BY_PAGE;

	row->pid = of_process && process ? process->pid : 0;
	row->command = of_process && process ? process->name : HOT_NAME_UNKNOWN;
	row->node = by == BY_NODE || by == BY_PAGE ? place->node : -1;
	if (by == BY_CGROUP)
		row->name = process ? process->cgroup : HOT_NAME_UNKNOWN;
	else if ((by == BY_MAPPING || by == BY_PAGE) && place->mapping)
		row->name = place->mapping->name;
	if (by == BY_PAGE)
		row->address = sample->address >> HOT_PAGE_SHIFT << HOT_PAGE_SHIFT;
}

/* The slot that has the key, or is free for it. */
static uint32_t *find_slot(const struct hot_groups *groups, const struct hot_key *key)
{
	size_t slot = hot_hash(key->a, key->b) % SLOTS;

	while (groups->slots[slot]) {
		const struct hot_row *row = groups->rows[groups->slots[slot] - 1];

		if (row->key.a == key->a && row->key.b == key->b)
			break;
		slot = (slot + 1) % SLOTS;
	}
	return &groups->slots[slot];
}

static struct hot_row *find_row(struct hot_groups *groups, const struct hot_key *key)
{
	uint32_t *slot = find_slot(groups, key);

	if (*slot)
		return groups->rows[*slot - 1];
	struct hot_row *row =
		groups->count < HOT_ROWS_MOST ? calloc(1, sizeof(struct hot_row)) : NULL;
	if (!row)
		return &groups->others;
	row->key = *key;
	groups->rows[groups->count++] = row;
	*slot = (uint32_t)groups->count;
	return row;
}

static void add(struct hot_row *row, const struct load_sample *sample,
		const struct hot_place *place)
{
	for (size_t t = 0; t < HOT_TIMES; t++) {
		struct hot_count *count = &row->counts[t][place->memory];

		count->samples += place->counts;
		count->events += place->counts ? sample->period : 0;
		count->timed += place->timed;
		if (place->timed && place->memory != MEMORY_UNKNOWN)
			latencies_add(&row->latencies[t][place->memory], sample->latency_ns);
	}
}

void hot_groups_add(struct hot_groups *groups, const struct load_sample *sample,
		    const struct hot_place *place)
{
	const struct hot_key key = key_of(groups->by, sample, place);
	struct hot_row *row = find_row(groups, &key);

	if (row != &groups->others)
		describe(row, groups->by, sample, place);
	add(row, sample, place);
	add(&groups->all, sample, place);
}

uint64_t hot_row_samples(const struct hot_row *row, enum hot_time time)
{
	uint64_t samples = 0;

	for (size_t m = 0; m < HOT_MEMORIES; m++)
		samples += row->counts[time][m].samples + row->counts[time][m].timed;
	return samples;
}

/* Samples of the event that counts; without such an event, those of the other one. */
static uint64_t weight(const struct hot_row *row, enum hot_time time, enum hot_memory memory)
{
	const struct hot_count *count = &row->counts[time][memory];

	return count->events ? count->events : count->timed;
}

static int compare(const struct hot_row *x, const struct hot_row *y, enum hot_time time)
{
	for (enum hot_memory m = 0; m < HOT_MEMORIES; m++) {
		const uint64_t a = weight(x, time, m), b = weight(y, time, m);

		if (a != b)
			return a < b ? 1 : -1;
	}
	if (x->key.a != y->key.a)
		return x->key.a < y->key.a ? -1 : 1;
	return x->key.b < y->key.b ? -1 : x->key.b > y->key.b;
}

static int compare_interval(const void *a, const void *b)
{
	return compare(*(const struct hot_row *const *)a, *(const struct hot_row *const *)b,
		       HOT_INTERVAL);
}

static int compare_run(const void *a, const void *b)
{
	return compare(*(const struct hot_row *const *)a, *(const struct hot_row *const *)b,
		       HOT_RUN);
}

size_t hot_groups_sort(const struct hot_groups *groups, enum hot_time time,
		       const struct hot_row **out)
{
	size_t count = 0;

	for (size_t i = 0; i < groups->count; i++)
		if (hot_row_samples(groups->rows[i], time))
			out[count++] = groups->rows[i];
	if (count)
		qsort(out, count, sizeof(*out),
		      time == HOT_INTERVAL ? compare_interval : compare_run);
	return count;
}

/* A row that is given up is part of the others. */
static void merge(struct hot_row *into, const struct hot_row *row)
{
	for (size_t m = 0; m < HOT_MEMORIES; m++) {
		into->counts[HOT_RUN][m].samples += row->counts[HOT_RUN][m].samples;
		into->counts[HOT_RUN][m].events += row->counts[HOT_RUN][m].events;
		into->counts[HOT_RUN][m].timed += row->counts[HOT_RUN][m].timed;
	}
	for (size_t m = 0; m < 2; m++) {
		struct latencies *to = &into->latencies[HOT_RUN][m];
		const struct latencies *from = &row->latencies[HOT_RUN][m];

		to->count += from->count;
		to->max = to->max > from->max ? to->max : from->max;
		for (size_t b = 0; b < LATENCY_BUCKETS; b++)
			to->buckets[b] += from->buckets[b];
	}
}

static void give_up_idle(struct hot_groups *groups)
{
	size_t kept = 0;

	for (size_t i = 0; i < groups->count; i++) {
		struct hot_row *row = groups->rows[i];

		if (hot_row_samples(row, HOT_INTERVAL)) {
			groups->rows[kept++] = row;
			continue;
		}
		merge(&groups->others, row);
		free(row);
	}
	groups->count = kept;
	memset(groups->slots, 0, SLOTS * sizeof(*groups->slots));
	for (size_t i = 0; i < kept; i++)
		*find_slot(groups, &groups->rows[i]->key) = (uint32_t)i + 1;
}

static void begin_interval(struct hot_row *row)
{
	memset(row->counts[HOT_INTERVAL], 0, sizeof(row->counts[HOT_INTERVAL]));
	memset(row->latencies[HOT_INTERVAL], 0, sizeof(row->latencies[HOT_INTERVAL]));
}

void hot_groups_next(struct hot_groups *groups)
{
	if (groups->count > HOT_ROWS_MOST / 4 * 3)
		give_up_idle(groups);
	for (size_t i = 0; i < groups->count; i++)
		begin_interval(groups->rows[i]);
	begin_interval(&groups->all);
	begin_interval(&groups->others);
}
