/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_key.h"

#include <string.h>

#include "unit.h"

static size_t count_keys(void)
{
	size_t count = 0;

	while (sim_key(count))
		count++;
	return count;
}

TEST(test_keys_of_users_and_of_tests_are_in_one_list)
{
	bool user = false, test = false;

	for (size_t i = 0; sim_key(i); i++) {
		user = user || !strcmp(sim_key(i)->name, "sockets");
		test = test || !strcmp(sim_key(i)->name, "still_chas");
	}
	ck_assert(user && test);
	ck_assert_uint_le(count_keys(), SIM_KEYS_MOST);
}

TEST(test_every_key_has_a_name_of_its_own_a_value_and_help)
{
	for (size_t i = 0; sim_key(i); i++) {
		const struct sim_key *key = sim_key(i);
		const bool chooses = key->kind == SIM_WORD || key->kind == SIM_BOOLEAN;

		ck_assert_msg(*key->help, "%s", key->name);
		ck_assert_msg(!chooses == !key->words, "%s", key->name);
		ck_assert_uint_lt(key->offset, sizeof(struct sim_spec));
		for (size_t other = 0; other < i; other++)
			ck_assert_str_ne(sim_key(other)->name, key->name);
	}
}

static const struct {
	const char *key, *help;
} helps[] = {
	{"cpus", "CPUs of a socket (8); not with a snapshot"},
	{"crc", "CRC errors per second of a port"},
	{"lockdown", "none, integrity, confidentiality: kernel lockdown: with it no register"},
	{"upi", "all, even, off: which counters of UPI units count"},
	{"swap", "0 or 1: whether each memory device"},
};

TEST_LOOP(test_help_of_a_key_has_its_words_its_default_and_whether_a_snapshot_has_it, COUNT(helps))
{
	char text[SIM_KEY_HELP_SIZE];
	size_t i = 0;

	while (sim_key(i) && strcmp(sim_key(i)->name, helps[_i].key) != 0)
		i++;
	ck_assert_ptr_nonnull(sim_key(i));
	assert_contains(sim_key_help(sim_key(i), text), helps[_i].help);
}
