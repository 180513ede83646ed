/* SPDX-License-Identifier: BSD-3-Clause */
/* Files are the same if all properties of their identities are. */
#include "process/symbols_private.h"

#include "unit.h"

static struct known_files files;
static const struct file_identity first = {.device = 1, .inode = 2, .bytes = 3, .changed_ns = 4};

static void begin(void)
{
	files = (struct known_files){.count = 0};
	ck_assert_int_eq(known_files_init(&files), 0);
}

static void end(void)
{
	known_files_free(&files);
}

FIXTURE(begin, end)

#define USER 1000

TEST(test_a_file_has_one_number)
{
	const uint32_t number = known_files_add(&files, &first, USER);

	ck_assert_uint_ne(number, SYMBOL_KERNEL);
	ck_assert_uint_eq(known_files_add(&files, &first, USER), number);
	ck_assert_uint_eq(files.at[number].state, SYMBOLS_NO_ROOM);
	ck_assert_uint_eq(known_files_find(&files, &first), SYMBOL_NO_FILE);
	files.at[number].state = SYMBOLS_READ;
	ck_assert_uint_eq(known_files_find(&files, &first), number);
}

TEST(test_a_file_with_another_device_inode_size_or_change_is_another)
{
	struct file_identity others[] = {first, first, first, first};
	const uint32_t number = known_files_add(&files, &first, USER);

	others[0].device++;
	others[1].inode++;
	others[2].bytes++;
	others[3].changed_ns++;
	for (size_t i = 0; i < COUNT_OF(others); i++) {
		ck_assert_uint_eq(known_files_find(&files, &others[i]), SYMBOL_NO_FILE);
		ck_assert_uint_eq(known_files_add(&files, &others[i], USER), number + 1 + i);
	}
}

/* An identity that is all zero is the same as in the kernel's entry. */
TEST(test_the_kernel_is_no_file)
{
	const struct file_identity none = {.device = 0};

	ck_assert_uint_eq(known_files_find(&files, &none), SYMBOL_NO_FILE);
	ck_assert_uint_ne(known_files_add(&files, &none, USER), SYMBOL_KERNEL);
}

/* A user who changes a file again and again makes a new file each time. */
TEST(test_one_user_has_half_of_the_files_and_leaves_room_for_others)
{
	struct file_identity identity = first;
	unsigned count = 0;

	for (unsigned i = 0; i < 2 * SYMBOL_FILES_MOST; i++) {
		identity.changed_ns++;
		count += known_files_add(&files, &identity, USER) != SYMBOL_NO_FILE;
	}
	ck_assert_uint_eq(count, SYMBOL_FILES_MOST / 2 - 1);
	ck_assert_uint_eq(known_files_add(&files, &identity, USER + 1), SYMBOL_FILES_MOST / 2);
	/* a numbered file takes no share */
	ck_assert_uint_eq(known_files_add(&files, &identity, USER), SYMBOL_FILES_MOST / 2);
}

/* Each user finds room, and all numbers are below the limit. */
TEST(test_files_are_limited)
{
	struct file_identity identity = first;

	for (uint32_t user = 0; user < 1000; user++) {
		uint32_t number;

		do {
			identity.inode++;
			number = known_files_add(&files, &identity, user);
			ck_assert(number < SYMBOL_FILES_MOST || number == SYMBOL_NO_FILE);
		} while (number != SYMBOL_NO_FILE);
	}
	ck_assert_uint_le(files.count, SYMBOL_FILES_MOST);
}
