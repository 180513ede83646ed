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
	uint64_t mask = UINT64_C(0xFF) << PMON_CTL_EVENT_SHIFT | UINT64_C(0xFF)
									 << PMON_CTL_UMASK_SHIFT;

	for (enum control_field f = 0; f < CONTROL_FIELDS; f++)
		mask |= control_bits(layout, f, control_max(layout, f));
	return mask;
}
