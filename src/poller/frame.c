/* SPDX-License-Identifier: BSD-3-Clause */
#include "poller/frame.h"

#include <string.h>

/* Of the units, rounded up so that what follows them is aligned. */
static size_t unit_words(struct frame_size size)
{
	return (size.units * sizeof(struct frame_unit) + sizeof(uint64_t) - 1) / sizeof(uint64_t);
}

size_t frame_bytes(struct frame_size size)
{
	return (size.domains + 4 * size.reads + unit_words(size)) * sizeof(uint64_t);
}

void frame_lay_out(struct frame *frame, void *bytes, struct frame_size size)
{
	frame->running_ns = bytes;
	frame->raw = frame->running_ns + size.domains;
	frame->skew = frame->raw + size.reads;
	frame->start = frame->skew + size.reads;
	frame->unseen = frame->start + size.reads;
	frame->units = (void *)(frame->unseen + size.reads);
}

void frame_copy(struct frame *to, const struct frame *from, struct frame_size size)
{
	struct frame copy = *from;

	copy.running_ns = to->running_ns;
	copy.units = to->units;
	copy.raw = to->raw;
	copy.skew = to->skew;
	copy.start = to->start;
	copy.unseen = to->unseen;
	*to = copy;
	memcpy(to->running_ns, from->running_ns, size.domains * sizeof(*to->running_ns));
	memcpy(to->units, from->units, size.units * sizeof(*to->units));
	memcpy(to->raw, from->raw, size.reads * sizeof(*to->raw));
	if (from->skewed)
		memcpy(to->skew, from->skew, size.reads * sizeof(*to->skew));
	if (from->rotated)
		memcpy(to->start, from->start, size.reads * sizeof(*to->start));
	if (from->unseen_counts)
		memcpy(to->unseen, from->unseen, size.reads * sizeof(*to->unseen));
}
