/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/table.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void mapping_table_free(struct mapping_table *mappings)
{
	free(mappings->at);
	*mappings = (struct mapping_table){.count = 0};
}

int mapping_table_add(struct mapping_table *mappings, const struct kept_mapping *mapping)
{
	if (array_room(&mappings->at, mappings->count, 1, sizeof(*mapping)))
		return -ENOMEM;
	mappings->at[mappings->count++] = *mapping;
	return 0;
}

int mapping_table_copy(const struct mapping_table *from, struct mapping_table *to)
{
	if (!from->count)
		return 0;
	if (array_room(&to->at, 0, from->count, sizeof(*to->at)))
		return -ENOMEM;
	memcpy(to->at, from->at, from->count * sizeof(*to->at));
	to->count = from->count;
	to->sorted = from->sorted;
	return 0;
}

/* Tells if a mapping continues the one before it. Offsets count only for files. */
static bool continues_mapping(const struct kept_mapping *before, const struct kept_mapping *mapping)
{
	return before->end == mapping->start && before->name == mapping->name &&
	       before->inode == mapping->inode &&
	       (!mapping->inode ||
		before->offset + (before->end - before->start) == mapping->offset);
}

/* Appends a mapping, or extends the last one, which keeps the earlier of both times. */
static size_t put_mapping(struct kept_mapping *out, size_t count,
			  const struct kept_mapping *mapping)
{
	if (count && continues_mapping(&out[count - 1], mapping)) {
		struct kept_mapping *before = &out[count - 1];

		before->end = mapping->end;
		if (mapping->since_ns < before->since_ns)
			before->since_ns = mapping->since_ns;
		return count;
	}
	out[count] = *mapping;
	return count + 1;
}

static void begin_at(struct kept_mapping *mapping, uint64_t start)
{
	mapping->offset += start - mapping->start;
	mapping->start = start;
}

/* Remaining older mappings: .rest of the first one, and those after .at. */
struct older {
	const struct kept_mapping *at, *end;
	struct kept_mapping rest;
};

static void next_older(struct older *older)
{
	if (++older->at < older->end)
		older->rest = *older->at;
}

static size_t put_before(struct older *older, uint64_t start, struct kept_mapping *out,
			 size_t count)
{
	while (older->at < older->end && older->rest.end <= start) {
		count = put_mapping(out, count, &older->rest);
		next_older(older);
	}
	if (older->at < older->end && older->rest.start < start) {
		struct kept_mapping part = older->rest;

		part.end = start;
		count = put_mapping(out, count, &part);
		begin_at(&older->rest, start);
	}
	return count;
}

static void skip_to(struct older *older, uint64_t end)
{
	while (older->at < older->end && older->rest.end <= end)
		next_older(older);
	if (older->at < older->end && older->rest.start < end)
		begin_at(&older->rest, end);
}

/* Lays newer mappings over older ones, both in order. Returns the resulting number. */
static size_t overlay_mappings(const struct kept_mapping *old, size_t old_count,
			       const struct kept_mapping *new, size_t new_count,
			       struct kept_mapping *out)
{
	struct older older = {.at = old, .end = old + old_count};
	size_t count = 0;

	if (old_count)
		older.rest = *old;
	for (size_t i = 0; i < new_count; i++) {
		count = put_before(&older, new[i].start, out, count);
		skip_to(&older, new[i].end);
		count = put_mapping(out, count, &new[i]);
	}
	return put_before(&older, UINT64_MAX, out, count);
}

/* Puts mappings in order by halves. out and scratch have room for two of each mapping. */
static size_t arrange_mappings(const struct kept_mapping *as_they_came, size_t count,
			       struct kept_mapping *out, struct kept_mapping *scratch)
{
	const size_t half = count / 2;

	if (count == 1) {
		*out = *as_they_came;
		return 1;
	}
	const size_t old = arrange_mappings(as_they_came, half, scratch, out);
	const size_t new = arrange_mappings(as_they_came + half, count - half, scratch + 2 * half,
					    out + 2 * half);
	return overlay_mappings(scratch, old, scratch + 2 * half, new, out);
}

int mapping_table_sort(struct mapping_table *mappings)
{
	const size_t sorted = mappings->sorted, more = mappings->count - sorted;
	struct kept_mapping *all = NULL;

	if (!more)
		return 0;
	struct kept_mapping *arranged = calloc(4 * more, sizeof(*arranged));
	if (!arranged || array_room(&all, 0, sorted + 2 * more, sizeof(*all))) {
		free(arranged);
		return -ENOMEM;
	}
	const size_t count =
		arrange_mappings(mappings->at + sorted, more, arranged, arranged + 2 * more);
	mappings->count = mappings->sorted =
		overlay_mappings(mappings->at, sorted, arranged, count, all);
	free(arranged);
	free(mappings->at);
	mappings->at = all;
	return 0;
}

const struct kept_mapping *mapping_table_find(const struct mapping_table *mappings,
					      uint64_t address)
{
	size_t low = 0, high = mappings->sorted;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (mappings->at[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < mappings->sorted && mappings->at[low].start <= address ? &mappings->at[low]
									    : NULL;
}
