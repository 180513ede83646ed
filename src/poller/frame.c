/* SPDX-License-Identifier: BSD-3-Clause */
#include "poller/frame.h"

#include <string.h>

/* The size of .units, rounded up so that what follows them is aligned. */
static size_t unit_words(struct frame_size size)
{
	return (size.units * sizeof(struct frame_unit) + sizeof(uint64_t) - 1) / sizeof(uint64_t);
}

/* The size of the arrays that are valid in each frame: running_ns, raw and units. */
static size_t always_words(struct frame_size size)
{
	return size.domains + size.reads + unit_words(size);
}

size_t frame_bytes(struct frame_size size)
{
	return (always_words(size) + 4 * size.reads + size.domains) * sizeof(uint64_t);
}

void frame_lay_out(struct frame *frame, void *bytes, struct frame_size size)
{
	frame->running_ns = bytes;
	frame->raw = frame->running_ns + size.domains;
	frame->units = (void *)(frame->raw + size.reads);
	frame->skew = frame->running_ns + always_words(size);
	frame->undelivered = frame->skew + size.reads;
	frame->start = frame->undelivered + size.reads;
	frame->start_skew = frame->start + size.reads;
	frame->waited_ns = frame->start_skew + size.reads;
}

void frame_copy(struct frame *to, const struct frame *from, struct frame_size size)
{
	void *arrays = to->running_ns;

	*to = *from;
	frame_lay_out(to, arrays, size);
	memcpy(to->running_ns, from->running_ns, always_words(size) * sizeof(uint64_t));
	if (from->skewed)
		memcpy(to->skew, from->skew, size.reads * sizeof(*to->skew));
	if (from->has_undelivered)
		memcpy(to->undelivered, from->undelivered, size.reads * sizeof(*to->undelivered));
	if (from->multiplexed)
		memcpy(to->waited_ns, from->waited_ns, size.domains * sizeof(*to->waited_ns));
	if (from->rotated) {
		memcpy(to->start, from->start, size.reads * sizeof(*to->start));
		memcpy(to->start_skew, from->start_skew, size.reads * sizeof(*to->start_skew));
	}
}
