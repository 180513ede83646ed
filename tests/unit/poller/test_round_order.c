/* SPDX-License-Identifier: BSD-3-Clause */
#include "poller/timetable.h"

#include "unit.h"

/* Rounds, how many count in a sample one after the other, and their order in four samples. */
static const struct {
	size_t count, slots;
	const char *order;
} orders[] = {
	{4, 4, "0123|3210|0123|3210|"},
	{2, 4, "0101|1010|0101|1010|"},
	{3, 4, "0120|1201|2012|0120|"}, /* another unit has four */
	{4, 2, "01|23|01|23|"},		/* rotations slower than samples */
	{3, 1, "0|1|2|0|"},
};

TEST_LOOP(test_rounds_rotate_in_another_order_in_the_next_sample, COUNT_OF(orders))
{
	const size_t count = orders[_i].count;
	struct round_order rounds = {.backwards = false};
	char order[64] = "";
	size_t round = 0, used = 0;

	for (unsigned sample = 0; sample < 4; sample++) {
		for (size_t slot = 0; slot < orders[_i].slots; slot++) {
			order[used++] = (char)('0' + round);
			if (slot + 1 < orders[_i].slots) {
				rounds.rotations++;
				round = round_order_next(&rounds, round, count, 1);
			}
		}
		order[used++] = '|';
		if (!round_order_end_sample(&rounds, count))
			round = round_order_next(&rounds, round, count, 1);
	}
	ck_assert_str_eq(order, orders[_i].order);
}

TEST_LOOP(test_rotations_that_were_missed_are_made_up_for_in_either_direction, 2)
{
	struct round_order rounds = {.backwards = _i};

	ck_assert_uint_eq(round_order_next(&rounds, 1, 4, 2), 3);
	ck_assert_uint_eq(round_order_next(&rounds, 1, 4, 3), _i ? 2 : 0);
	ck_assert_uint_eq(round_order_next(&rounds, 1, 4, 4), 1);
}
