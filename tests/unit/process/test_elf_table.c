/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions left by another process: read unchanged, or refused. */
#include "process/elf_symbols.h"

#include <errno.h>

#include "unit.h"

#define BYTES 1024

static struct elf_function functions[] = {{0x1000, 0x1010, 0}, {0x1010, 0x1020, 6}};
static char names[] = "first\0second";
static struct elf_segment segments[] = {{0, 0x4000, 0}};
static const struct elf_symbols symbols = {
	.functions = functions,
	.count = COUNT_OF(functions),
	.names = names,
	.names_size = sizeof(names),
	.segments = segments,
	.segment_count = COUNT_OF(segments),
	.stripped = true,
	.build_id = {3, "id"},
};
static uint64_t room[BYTES / sizeof(uint64_t)];
static struct elf_table table;

static void begin(void)
{
	memset(room, 0, sizeof(room));
	ck_assert_int_eq(elf_table_write(&symbols, room, sizeof(room)), 0);
}

static void end(void)
{
	elf_table_free(&table);
}

FIXTURE(begin, end)

static int take(void)
{
	elf_table_free(&table);
	return elf_table_read(room, sizeof(room), &table);
}

TEST(test_functions_are_read_as_they_were_written)
{
	ck_assert_int_eq(take(), 0);
	memset(room, 0xFF, sizeof(room)); /* the table is a copy */
	ck_assert_str_eq(elf_symbols_find(&table.symbols, 0x1008), "first");
	ck_assert_str_eq(elf_symbols_find(&table.symbols, 0x1010), "second");
	ck_assert_ptr_null(elf_symbols_find(&table.symbols, 0x1020));
	ck_assert(table.symbols.stripped);
	ck_assert_uint_eq(table.symbols.build_id.size, 3);
	ck_assert_str_eq((const char *)table.symbols.build_id.bytes, "id");
}

TEST(test_a_file_without_functions_has_none)
{
	const struct elf_symbols none = {.functions = NULL};

	ck_assert_int_eq(elf_table_write(&none, room, sizeof(room)), 0);
	ck_assert_int_eq(take(), 0);
	ck_assert_uint_eq(table.symbols.count, 0);
	ck_assert_ptr_null(elf_symbols_find(&table.symbols, 0x1008));
}

TEST(test_functions_need_room)
{
	size_t bytes = 0;

	while (elf_table_write(&symbols, room, bytes) == -E2BIG)
		bytes++;
	ck_assert_int_eq(elf_table_read(room, bytes, &table), 0);
	ck_assert_uint_eq(table.bytes, bytes);
	elf_table_free(&table);
	ck_assert_int_eq(elf_table_read(room, bytes - 1, &table), -EBADMSG);
}

TEST(test_where_nothing_was_written_there_is_nothing)
{
	memset(room, 0, sizeof(room));
	ck_assert_int_eq(take(), -ENODATA);
}

TEST(test_functions_out_of_order_or_without_a_name_are_refused)
{
	const struct elf_function wrong[] = {
		{0x1020, 0x1030, 0}, {0x1000, 0x0FFF, 0}, {0x1000, 0x1010, sizeof(names)}};

	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		const struct elf_function truth = functions[0];

		functions[0] = wrong[i];
		elf_table_write(&symbols, room, sizeof(room));
		functions[0] = truth;
		ck_assert_int_eq(take(), -EBADMSG);
	}
	names[sizeof(names) - 1] = 'd';
	elf_table_write(&symbols, room, sizeof(room));
	names[sizeof(names) - 1] = '\0';
	ck_assert_int_eq(take(), -EBADMSG);
}

/* Each byte has its largest values, one after another: sanitizers see the rest. */
TEST(test_a_table_that_lies_does_no_harm)
{
	unsigned char *bytes = (unsigned char *)room;

	for (size_t at = 0; at < sizeof(room); at++) {
		const unsigned char truth = bytes[at];

		for (unsigned value = 0x7F; value <= 0xFF; value += 0x80) {
			bytes[at] = (unsigned char)value;
			if (!take())
				for (uint64_t offset = 0; offset < 0x5000; offset += 8)
					elf_symbols_find(&table.symbols, offset);
		}
		bytes[at] = truth;
	}
}
