/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/table.h"

#include "unit.h"

static struct mapping_table mappings;

static void begin(void)
{
	mappings = (struct mapping_table){.count = 0};
}

static void end(void)
{
	mapping_table_free(&mappings);
}

FIXTURE(begin, end)

static void add(uint64_t start, uint64_t end_of_it, uint64_t inode, uint32_t name)
{
	ck_assert_int_eq(mapping_table_add(&mappings, &(struct kept_mapping){.start = start,
									     .end = end_of_it,
									     .offset = start * 8,
									     .inode = inode,
									     .name = name}),
			 0);
}

static void sort(void)
{
	const size_t most = mapping_table_most(&mappings);

	ck_assert_int_eq(mapping_table_sort(&mappings), 0);
	ck_assert_uint_le(mappings.count, most);
	ck_assert_uint_eq(mapping_table_most(&mappings), mappings.count);
}

TEST(test_new_ones_are_put_in_order_at_once)
{
	add(0x3000, 0x4000, 1, 3);
	add(0x1000, 0x2000, 1, 1);
	add(0x2000, 0x2800, 1, 2);
	ck_assert_ptr_null(mapping_table_find(&mappings, 0x1000));
	sort();
	ck_assert_uint_eq(mappings.count, 3);
	for (size_t i = 0; i < 3; i++)
		ck_assert_uint_eq(mappings.at[i].name, i + 1);
	ck_assert_uint_eq(mapping_table_find(&mappings, 0x27ff)->name, 2);
	ck_assert_ptr_null(mapping_table_find(&mappings, 0x2800));
	ck_assert_ptr_null(mapping_table_find(&mappings, 0xfff));
	ck_assert_ptr_null(mapping_table_find(&mappings, 0x4000));
}

/* The kernel maps memory downward. */
TEST(test_neighbours_without_a_file_become_one)
{
	for (uint64_t i = 100000; i; i--)
		add(i << 12, (i + 1) << 12, 0, 7);
	sort();
	ck_assert_uint_eq(mappings.count, 1);
	ck_assert(mappings.at[0].start == 0x1000 && mappings.at[0].end == UINT64_C(100001) << 12);
	add(0x5000, 0x6000, 0, 8);
	sort();
	ck_assert_uint_eq(mappings.count, 3);
}

/* Two pieces of one file stay two unless they follow each other. */
TEST(test_pieces_of_a_file_become_one_where_they_follow_each_other)
{
	add(0x1000, 0x2000, 5, 7);
	add(0x2000, 0x3000, 5, 7);
	sort();
	ck_assert_uint_eq(mappings.count, 2);
	mappings.at[1].offset = mappings.at[0].offset + 0x1000;
	add(0x8000, 0x9000, 5, 7);
	sort();
	ck_assert_uint_eq(mappings.count, 2);
	ck_assert(mappings.at[0].end == 0x3000 && mappings.at[1].start == 0x8000);
}

TEST(test_the_last_address_is_in_a_mapping)
{
	add(0, UINT64_MAX, 1, 1);
	add(UINT64_MAX - 8, UINT64_MAX, 1, 2);
	sort();
	ck_assert_uint_eq(mappings.count, 2);
	ck_assert_uint_eq(mapping_table_find(&mappings, UINT64_MAX - 1)->name, 2);
	ck_assert_uint_eq(mapping_table_find(&mappings, 0)->name, 1);
}

TEST(test_a_copy_has_what_is_not_in_order_yet_too)
{
	struct mapping_table copy = {.count = 0};

	add(0x3000, 0x4000, 1, 3);
	sort();
	add(0x1000, 0x2000, 1, 1);
	ck_assert_int_eq(mapping_table_copy(&mappings, &copy), 0);
	mapping_table_free(&mappings);
	ck_assert_int_eq(mapping_table_sort(&copy), 0);
	ck_assert(copy.count == 2 && copy.at[0].name == 1 && copy.at[1].name == 3);
	mapping_table_free(&copy);
}

#define UNITS 200 /* units of memory in the model */

static struct kept_mapping model[UNITS];

static void check_model(void)
{
	sort();
	for (uint64_t i = 0; i < UNITS; i++) {
		const struct kept_mapping *found = mapping_table_find(&mappings, i);

		ck_assert_uint_eq(found ? found->name : 0, model[i].name);
		if (!found)
			continue;
		ck_assert_uint_eq(found->inode, model[i].inode);
		ck_assert(!found->inode || found->offset + (i - found->start) == model[i].offset);
	}
	for (size_t i = 1; i < mappings.count; i++)
		ck_assert_uint_le(mappings.at[i - 1].end, mappings.at[i].start);
}

/* Compares with a model that has the newest mapping of each unit of memory. */
TEST_LOOP(test_the_newest_mapping_of_each_address_is_found, 20)
{
	unsigned seed = (unsigned)_i + 1;

	memset(model, 0, sizeof(model));
	for (unsigned n = 0; n < 500; n++) {
		const uint64_t start = (unsigned)rand_r(&seed) % UNITS;
		const uint64_t length = 1 + (unsigned)rand_r(&seed) % (n % 7 ? 8 : UNITS - start);
		const uint64_t last = start + length < UNITS ? start + length : UNITS;
		const uint32_t name = 1 + (unsigned)rand_r(&seed) % 3;

		add(start, last, name - 1, name);
		for (uint64_t i = start; i < last; i++)
			model[i] = (struct kept_mapping){
				.offset = start * 8 + (i - start), .inode = name - 1, .name = name};
		if (!(rand_r(&seed) % 20))
			check_model();
	}
	check_model();
}
