/* SPDX-License-Identifier: BSD-3-Clause */
/* A file is the same if all that it is known by is the same. */
#include "probe/hot/known_files.h"

#include "unit.h"

static struct known_files files;
static const struct file_identity first = {.device = 1, .inode = 2, .bytes = 3, .changed_ns = 4};

static void begin(void)
{
	files = (struct known_files){.count = 0};
	known_files_init(&files);
}

FIXTURE(begin, NULL)

TEST(test_a_file_has_one_number)
{
	const uint32_t number = known_files_add(&files, &first);

	ck_assert_uint_ne(number, SYMBOL_KERNEL);
	ck_assert_uint_eq(known_files_add(&files, &first), number);
	ck_assert_uint_eq(files.at[number].state, SYMBOLS_NO_ROOM);
	ck_assert_uint_eq(known_files_find(&files, &first), SYMBOL_NO_FILE);
	files.at[number].state = SYMBOLS_READ;
	ck_assert_uint_eq(known_files_find(&files, &first), number);
}

TEST(test_a_file_with_another_device_inode_size_or_change_is_another)
{
	struct file_identity others[] = {first, first, first, first};
	const uint32_t number = known_files_add(&files, &first);

	others[0].device++;
	others[1].inode++;
	others[2].bytes++;
	others[3].changed_ns++;
	for (size_t i = 0; i < COUNT_OF(others); i++) {
		ck_assert_uint_eq(known_files_find(&files, &others[i]), SYMBOL_NO_FILE);
		ck_assert_uint_eq(known_files_add(&files, &others[i]), number + 1 + i);
	}
}

/* All zero, as the kernel's entry is. */
TEST(test_the_kernel_is_no_file)
{
	const struct file_identity none = {.device = 0};

	ck_assert_uint_eq(known_files_find(&files, &none), SYMBOL_NO_FILE);
	ck_assert_uint_ne(known_files_add(&files, &none), SYMBOL_KERNEL);
}

TEST(test_files_are_limited)
{
	struct file_identity identity = first;

	for (unsigned i = 1; i < SYMBOL_FILES_MOST; i++) {
		identity.inode++;
		ck_assert_uint_eq(known_files_add(&files, &identity), i);
	}
	ck_assert_uint_eq(known_files_add(&files, &identity), SYMBOL_FILES_MOST - 1);
	identity.inode++;
	ck_assert_uint_eq(known_files_add(&files, &identity), SYMBOL_NO_FILE);
}
