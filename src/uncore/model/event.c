/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/model/event.h"

#include <stddef.h>

#include "uncore/model/model.h"

#define GENERIC_FIELDS                                                                             \
	[CONTROL_THRESHOLD] = {24, 8}, [CONTROL_EDGE] = {18, 1}, [CONTROL_INVERT] = {23, 1}

const struct control_layout control_generic = {
	{GENERIC_FIELDS, [CONTROL_UMASK_EXT] = {32, 32}},
};
const struct control_layout control_cha = {
	{GENERIC_FIELDS, [CONTROL_UMASK_EXT] = {32, 32}, [CONTROL_TID] = {16, 1}},
};
const struct control_layout control_narrow = {{GENERIC_FIELDS}};

/* Return the bits of an event and of a umask in a control. */
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

/*
 * The largest number that a threshold of these units, at most 10 bits wide, can compare an
 * increment with. The largest increments in Intel's manuals are 20 (a TOR) and 128 (a queue).
 */
#define WIDEST_THRESHOLD 1023
/* A multiple of a TOR's 20, and more than a socket's CPUs have requests for each of its CHAs. */
#define TOR_ENTRIES 256
/*
 * Units of 10 ns per second, and outstanding requests of an L3 cache: 192 are published for Zen 3.
 * Only samples of these are counted.
 */
#define L3_UNITS    1e8
#define L3_REQUESTS 1024

static const struct event_rate rates[] = {
	[LIMIT_UNKNOWN] = {CLOCK_RATE * WIDEST_THRESHOLD, 0},
	[LIMIT_CLOCK] = {CLOCK_RATE, 0},
	[LIMIT_RETIRED] = {16 * CLOCK_RATE, 0}, /* no CPU retires more per clock */
	[LIMIT_CAS] = {1.6e9, 0},     /* 64 bits at 12.8 GT/s (MRDIMM-12800), 64 bytes each */
	[LIMIT_HBM_CAS] = {3.2e9, 0}, /* 128 bits at 6.4 GT/s (HBM3), 32 bytes each */
	[LIMIT_TOR_INSERTS] = {CLOCK_RATE, 1},
	[LIMIT_TOR_OCCUPANCY] = {CLOCK_RATE * TOR_ENTRIES, TOR_ENTRIES},
	[LIMIT_L3_LATENCY] = {L3_UNITS * L3_REQUESTS, 0},
};

/* Encodings that mean the same on every processor. */
static const struct {
	uint16_t type, code;
	enum event_limit limit;
} codes[] = {
	{PMU_CHA, 0x35, LIMIT_TOR_INSERTS},
	{PMU_CHA, 0x36, LIMIT_TOR_OCCUPANCY},
	{PMU_L3, 0xAC, LIMIT_L3_LATENCY},
};

struct event_rate event_max_rate(const struct event *event)
{
	enum event_limit limit = event->limit;

	for (size_t i = 0; !limit && i < sizeof(codes) / sizeof(codes[0]); i++)
		if (codes[i].type == event->type && codes[i].code == event->code)
			limit = codes[i].limit;
	return rates[limit];
}
