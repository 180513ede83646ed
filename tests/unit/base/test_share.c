/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/share.h"

#include "unit.h"

#define MOST 6000

static struct share share;

static void begin(void)
{
	ck_assert_int_eq(share_init(&share, MOST), 0);
}

static void end(void)
{
	share_free(&share);
}

FIXTURE(begin, end)

/* Takes entries until none is given, for each user in turn. */
static void take_all(uid_t users, size_t held[])
{
	bool any = true;

	for (uid_t uid = 0; uid < users; uid++)
		held[uid] = 0;
	while (any) {
		any = false;
		for (uid_t uid = 0; uid < users; uid++) {
			const bool taken = share_take(&share, uid, 1);

			held[uid] += taken;
			any |= taken;
		}
	}
}

/* One gets a half, two a third each, three a quarter each. */
TEST_LOOP(test_greedy_users_leave_as_much_as_each_of_them_has, 4)
{
	const uid_t users = (uid_t)_i + 1;
	size_t held[4];

	take_all(users, held);
	for (uid_t uid = 0; uid < users; uid++)
		ck_assert_uint_eq(held[uid], MOST / (users + 1));
	ck_assert(share_take(&share, users, 1));
}

TEST(test_what_is_given_back_can_be_taken)
{
	ck_assert(share_take(&share, 1, MOST / 2));
	ck_assert(!share_take(&share, 1, 1));
	share_give(&share, 1, 2);
	ck_assert(share_take(&share, 1, 2));
	ck_assert(!share_take(&share, 1, 1));
	ck_assert_uint_eq(share.used, MOST / 2);
}

TEST(test_several_entries_are_taken_together_or_not_at_all)
{
	ck_assert(!share_take(&share, 1, MOST / 2 + 1));
	ck_assert(!share_take(&share, 1, SIZE_MAX));
	ck_assert_uint_eq(share.used, 0);
	ck_assert(share_take(&share, 1, MOST / 2));
}

/* A user with very many ids takes no entries from earlier users. */
TEST(test_further_users_are_one)
{
	for (uid_t uid = 0; uid < SHARE_USERS_MOST; uid++)
		ck_assert(share_take(&share, uid, 1));
	const size_t left = MOST - share.used;
	size_t taken = 0;

	for (uid_t uid = SHARE_USERS_MOST; uid < 4 * MOST; uid++)
		taken += share_take(&share, uid, 1);
	ck_assert_uint_eq(taken, left / 2);
	share_give(&share, 4 * MOST, 1);
	ck_assert(share_take(&share, 5 * MOST, 1));
	ck_assert(share_take(&share, 7, 1));
}
