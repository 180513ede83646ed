/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/event.h"

#define GENERIC_FIELDS                                                                             \
	[CONTROL_THRESHOLD] = {24, 8}, [CONTROL_EDGE] = {18, 1}, [CONTROL_INVERT] = {23, 1}

const struct control_layout control_generic = {
	{GENERIC_FIELDS, [CONTROL_UMASK_EXT] = {32, 32}},
};
const struct control_layout control_cha = {
	{GENERIC_FIELDS, [CONTROL_UMASK_EXT] = {32, 32}, [CONTROL_TID] = {16, 1}},
};
const struct control_layout control_narrow = {{GENERIC_FIELDS}};

/* The bits of an event and of a umask in a control. */
static uint64_t event_bits(uint64_t code)
{
	return (code & 0xFF) << PMON_CTL_EVENT_SHIFT | code >> 8 << PMON_CTL_EVENT_HIGH_SHIFT;
}

static uint64_t umask_bits(uint64_t umask)
{
	return (umask & 0xFF) << PMON_CTL_UMASK_SHIFT | umask >> 8 << PMON_CTL_UMASK_HIGH_SHIFT;
}

uint64_t event_control(const struct event *event)
{
	return event_bits(event->code) | umask_bits(event->umask) |
	       (uint64_t)event->umask_ext << PMON_CTL_UMASK_EXT_SHIFT | event->modifiers;
}

static uint64_t max_of_bits(uint8_t bits)
{
	return (UINT64_C(1) << (bits ? bits : 8)) - 1;
}

uint64_t control_max_event(const struct control_layout *layout)
{
	return max_of_bits(layout->event_bits);
}

uint64_t control_max_umask(const struct control_layout *layout)
{
	return max_of_bits(layout->umask_bits);
}

uint64_t control_max(const struct control_layout *layout, enum control_field field)
{
	return (UINT64_C(1) << layout->fields[field].bits) - 1;
}

uint64_t control_bits(const struct control_layout *layout, enum control_field field, uint64_t value)
{
	return value << layout->fields[field].first;
}

uint64_t control_mask(const struct control_layout *layout)
{
	uint64_t mask =
		event_bits(control_max_event(layout)) | umask_bits(control_max_umask(layout));

	for (enum control_field f = 0; f < CONTROL_FIELDS; f++)
		mask |= control_bits(layout, f, control_max(layout, f));
	return mask;
}

#define WIDEST_THRESHOLD 1023

double event_max_rate(const struct event *event)
{
	return event->max_rate > 0 ? event->max_rate : CLOCK_RATE * WIDEST_THRESHOLD;
}
