/* SPDX-License-Identifier: BSD-3-Clause */

#include "linux/cxl/cxl_private.h"
#include "unit.h"

#define HEAD                                                                                       \
	"name: cxl_overflow\nID: 1297\nformat:\n"                                                  \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\n"

enum { TYPE, NAME, LOG, COUNT, WANTED };

static struct trace_wanted wanted[WANTED];
static uint64_t id;

static int parse(const char *text)
{
	wanted[TYPE].name = "common_type";
	wanted[NAME].name = "memdev";
	wanted[LOG].name = "log";
	wanted[COUNT].name = "count";
	id = 0;
	return trace_format_parse(text, wanted, WANTED, &id);
}

static const struct trace_field *parse_one(const char *line, unsigned which)
{
	char text[512];

	snprintf(text, sizeof(text), HEAD "%s\n\nprint fmt: \"%%s\", REC->log\n", line);
	ck_assert_int_eq(parse(text), 0);
	return &wanted[which].field;
}

TEST(test_a_format_has_the_number_and_the_fields_that_are_wanted)
{
	const struct trace_field *log =
		parse_one("\tfield:int log;\toffset:16;\tsize:4;\tsigned:1;", LOG);

	ck_assert_uint_eq(id, 1297);
	ck_assert_uint_eq(log->offset, 16);
	ck_assert_uint_eq(log->size, 4);
	ck_assert(log->is_signed);
	ck_assert_uint_eq(wanted[TYPE].field.size, 2);
	ck_assert_uint_eq(wanted[COUNT].field.size, 0);
}

/* Lines without a field: no part of them may be taken as one. */
static const char *const wrong[] = {
	"\tfield:u16 count;",
	"\tfield:u16 count;\toffset:;\tsize:2;\tsigned:0;",
	"\tfield:u16 count;\toffset:-1;\tsize:2;\tsigned:0;",
	"\tfield:u16 count;\toffset:0x10;\tsize:2;\tsigned:0;",
	"\tfield:u16 count;\toffset:99999999999999999999;\tsize:2;\tsigned:0;",
	"\tfield:u16 count;\toffset:65537;\tsize:2;\tsigned:0;",
	"\tfield:u16 count;\tsize:2;\toffset:8;\tsigned:0;",
	"\tfield:u16 discount;\toffset:8;\tsize:2;\tsigned:0;",
	"\tfield:u16 count2;\toffset:8;\tsize:2;\tsigned:0;",
	"\tfield:count;\toffset:8;\tsize:2;\tsigned:0;",
	"\tfield:];\toffset:8;\tsize:2;\tsigned:0;",
	"\tfield:;\toffset:8;\tsize:2;\tsigned:0;",
	"field:u16 count;\toffset:8;\tsize:2;\tsigned:0;",
	"print fmt: \"\"\n\tfield:u16 count;\toffset:8;\tsize:2;\tsigned:0;",
};

TEST_LOOP(test_a_field_that_is_described_wrongly_is_missing, (int)COUNT_OF(wrong))
{
	ck_assert_uint_eq(parse_one(wrong[_i], COUNT)->size, 0);
}

TEST(test_a_format_without_a_number_is_none)
{
	ck_assert_int_eq(parse(""), -EINVAL);
	ck_assert_int_eq(parse("ID: \n"), -EINVAL);
	ck_assert_int_eq(parse("ID: 12a\n"), -EINVAL);
	ck_assert_int_eq(parse("ID: 4294967296\n"), -EINVAL);
	ck_assert_int_eq(parse("name: a\nprint fmt: \"\"\nID: 3\n"), -EINVAL);
	ck_assert_int_eq(parse("ID: 3"), 0);
	ck_assert_int_eq(parse("ID: 4294967295"), 0);
	ck_assert_uint_eq(id, UINT32_MAX);
}

/* A record of these bytes, as the kernel of a little-endian machine writes it. */
static const uint8_t bytes[] = {0x01, 0x80, 0xFF, 0xFF, 0xFE, 0xFF, 0x00, 0x00, 0x0C, 0x00,
				0x05, 0x00, 'm',  'e',	'm',  '0',  0x00, 'x',	'y',  'z'};
static const struct trace_record record = {bytes, sizeof(bytes)};

static const struct {
	struct trace_field field;
	bool known;
	int64_t value;
} numbers[] = {
	{{0, 1, false, TRACE_IN_FIELD}, true, 1},
	{{1, 1, false, TRACE_IN_FIELD}, true, 0x80},
	{{1, 1, true, TRACE_IN_FIELD}, true, -0x80},
	{{4, 2, true, TRACE_IN_FIELD}, true, -2},
	{{2, 4, true, TRACE_IN_FIELD}, true, -65537},
	{{2, 4, false, TRACE_IN_FIELD}, true, 0xFFFEFFFF},
	{{0, 8, false, TRACE_IN_FIELD}, true, 0x0000FFFEFFFF8001},
	{{0, 0, false, TRACE_IN_FIELD}, false, 0},
	{{0, 3, false, TRACE_IN_FIELD}, false, 0},
	{{0, 16, false, TRACE_IN_FIELD}, false, 0},
	{{17, 4, false, TRACE_IN_FIELD}, false, 0},
	{{65535, 4, false, TRACE_IN_FIELD}, false, 0},
	{{8, 4, false, TRACE_FROM_RECORD}, false, 0},
};

TEST_LOOP(test_a_number_has_its_size_and_sign, (int)COUNT_OF(numbers))
{
	int64_t value = 0;

	ck_assert_int_eq(trace_number(record, &numbers[_i].field, &value), numbers[_i].known);
	ck_assert_int_eq(value, numbers[_i].value);
}

static const struct {
	struct trace_field field;
	const char *text;
} strings[] = {
	{{8, 4, false, TRACE_FROM_RECORD}, "mem0"}, {{12, 5, false, TRACE_IN_FIELD}, "mem0"},
	{{12, 4, false, TRACE_IN_FIELD}, NULL}, /* it does not end there */
	{{17, 3, false, TRACE_IN_FIELD}, NULL}, /* it does not end within the record */
	{{0, 4, false, TRACE_FROM_RECORD}, NULL},   {{8, 2, false, TRACE_FROM_RECORD}, NULL},
	{{8, 4, false, TRACE_FROM_FIELD}, NULL}, /* 12 bytes after the field's end */
	{{18, 4, false, TRACE_FROM_RECORD}, NULL},  {{0, 0, false, TRACE_IN_FIELD}, NULL},
};

TEST_LOOP(test_a_string_ends_within_its_record, (int)COUNT_OF(strings))
{
	const char *text = trace_string(record, &strings[_i].field);

	if (strings[_i].text)
		ck_assert_str_eq(text, strings[_i].text);
	else
		ck_assert_ptr_null(text);
}

TEST(test_strings_are_where_the_format_says)
{
	ck_assert_int_eq(
		parse_one("\tfield:__data_loc char[] memdev;\toffset:8;\tsize:4;\tsigned:0;", NAME)
			->place,
		TRACE_FROM_RECORD);
	ck_assert_int_eq(
		parse_one("\tfield:__rel_loc char[] memdev;\toffset:8;\tsize:4;\tsigned:0;", NAME)
			->place,
		TRACE_FROM_FIELD);
	const struct trace_field *array =
		parse_one("\tfield:char memdev[16];\toffset:12;\tsize:5;\tsigned:0;", NAME);
	ck_assert_int_eq(array->place, TRACE_IN_FIELD);
	ck_assert_str_eq(trace_string(record, array), "mem0");
}

TEST(test_a_relative_string_counts_from_the_end_of_its_field)
{
	static const uint8_t relative[] = {0x02, 0x00, 0x03, 0x00, 'x', 'x', 'a', 'b', 0};
	const struct trace_field field = {0, 4, false, TRACE_FROM_FIELD};

	ck_assert_str_eq(trace_string((struct trace_record){relative, sizeof(relative)}, &field),
			 "ab");
}
