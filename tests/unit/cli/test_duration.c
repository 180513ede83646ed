/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/times.h"

#include "base/number.h"
#include "unit.h"

static const struct {
	uint64_t ns;
	const char *words;
} durations[] = {
	{0, "0 seconds"},
	{NS_PER_S, "1 second"},
	{NS_PER_S / 2, "0.5 seconds"},
	{60 * NS_PER_S, "1 minute"},
	{1000 * NS_PER_S, "16 minutes 40 seconds"},
	{61 * NS_PER_S + NS_PER_S / 2, "1 minute 1.5 seconds"},
	{60 * NS_PER_S + 1, "1 minute 1e-09 seconds"},
	{3600 * NS_PER_S, "1 hour"},
	{(86400 + 2 * 3600 + 60) * NS_PER_S, "1 day 2 hours 1 minute"},
	{365 * 86400 * NS_PER_S, "365 days"},
	{UINT64_MAX, "213503 days 23 hours 34 minutes 33.7095516 seconds"},
};

TEST_LOOP(test_a_duration_is_said_in_words, (int)COUNT_OF(durations))
{
	char text[DURATION_SIZE];

	ck_assert_str_eq(duration_words(durations[_i].ns, text), durations[_i].words);
}
