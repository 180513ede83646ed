/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats of the kernel's PMUs, and events by their fields. */
#include "platform/perf.h"

#include <errno.h>

#include "suites.h"
#include "support.h"

static const struct {
	const char *text;
	unsigned word;
	uint64_t bits;
} formats[] = {
	{"config:0-7", 0, 0xFF},
	{"config:18", 0, UINT64_C(1) << 18},
	{"config:8-15,32-57\n", 0, 0xFF00 | UINT64_C(0x03FFFFFF00000000)},
	{"config1:0-63", 1, UINT64_MAX},
	{"config2:0-3,63", 2, 0xF | UINT64_C(1) << 63},
};

START_TEST(test_a_format_file_says_where_a_field_goes)
{
	struct perf_format format;

	ck_assert(perf_parse_format(formats[_i].text, &format));
	ck_assert_uint_eq(format.word, formats[_i].word);
	ck_assert_uint_eq(format.bits, formats[_i].bits);
}
END_TEST

static const char *const malformed[] = {
	"",
	"config",
	"config:",
	"config:\n",
	"config:64",
	"config:7-0",
	"config:0-",
	"config:-1",
	"config:0-7,",
	"config:0-7 ",
	"config:0-7\n\n",
	"config3:0",
	"config:0x1",
	"config:0,,1",
	"cpu:0",
	"config:99999999999999999999",
};

START_TEST(test_a_malformed_format_is_none)
{
	struct perf_format format;

	ck_assert_msg(!perf_parse_format(malformed[_i], &format), "'%s'", malformed[_i]);
}
END_TEST

static struct perf_format fields[] = {
	{"event", 0, 0xFF},
	{"umask", 0, 0xFF00 | UINT64_C(0x00FFFFFF00000000)},
	{"filter", 1, 0x3F0},
};
static const struct perf_pmu pmu = {
	.name = "uncore_cha_0", .type = 9, .formats = fields, .format_count = COUNT_OF(fields)};

START_TEST(test_a_value_is_spread_over_the_bits_of_its_field)
{
	struct perf_event event = {.type = 9};
	struct error err;

	ck_assert_int_eq(perf_set_field(&pmu, "umask", 0xC887FF, &event, &err), 0);
	ck_assert_int_eq(perf_set_field(&pmu, "event", 0x35, &event, &err), 0);
	ck_assert_int_eq(perf_set_field(&pmu, "filter", 0x3F, &event, &err), 0);
	ck_assert_uint_eq(event.config[0], UINT64_C(0x0000C8870000FF35));
	ck_assert_uint_eq(event.config[1], 0x3F0);
	/* a field is replaced, and the others stay */
	ck_assert_int_eq(perf_set_field(&pmu, "umask", 1, &event, &err), 0);
	ck_assert_uint_eq(event.config[0], 0x0135);
}
END_TEST

START_TEST(test_a_field_that_is_missing_or_too_narrow_is_named)
{
	struct perf_event event = {.type = 9};
	struct error err;

	ck_assert_int_eq(perf_set_field(&pmu, "tid_en", 1, &event, &err), -ENOTSUP);
	assert_contains(err.text, "uncore_cha_0: this kernel has no field 'tid_en'");
	ck_assert_int_eq(perf_set_field(&pmu, "event", 0x135, &event, &err), -ERANGE);
	assert_contains(err.text, "uncore_cha_0: this kernel's field 'event' does not take 0x135");
	ck_assert_int_eq(err.status, EXIT_NO_UNIT);
}
END_TEST

Suite *suite_perf(void)
{
	Suite *suite = suite_create("perf");
	TCase *tc = tcase_create("perf");

	tcase_add_loop_test(tc, test_a_format_file_says_where_a_field_goes, 0, COUNT_OF(formats));
	tcase_add_loop_test(tc, test_a_malformed_format_is_none, 0, COUNT_OF(malformed));
	tcase_add_test(tc, test_a_value_is_spread_over_the_bits_of_its_field);
	tcase_add_test(tc, test_a_field_that_is_missing_or_too_narrow_is_named);
	suite_add_tcase(suite, tc);
	return suite;
}
