/* SPDX-License-Identifier: BSD-3-Clause */
#include "poller/turns.h"

size_t turns_next(const struct turns *turns, size_t group, size_t count, size_t turn_count)
{
	return (group + (turns->backwards ? count - turn_count : turn_count)) % count;
}

bool turns_end_sample(struct turns *turns, size_t count)
{
	const bool whole = (turns->taken + 1) % count == 0;

	turns->taken = 0;
	turns->backwards ^= whole;
	return whole;
}
