/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats of the kernel's PMUs, and events by their fields. */
#include "platform/perf.h"

#include "unit.h"

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

TEST_LOOP(test_a_format_file_says_where_a_field_goes, COUNT_OF(formats))
{
	struct perf_format format;

	ck_assert(perf_parse_format(formats[_i].text, &format));
	ck_assert_uint_eq(format.word, formats[_i].word);
	ck_assert_uint_eq(format.bits, formats[_i].bits);
}

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

TEST_LOOP(test_a_malformed_format_is_none, COUNT_OF(malformed))
{
	struct perf_format format;

	ck_assert_msg(!perf_parse_format(malformed[_i], &format), "'%s'", malformed[_i]);
}

static struct perf_format fields[] = {
	{"event", 0, 0xFF},
	{"umask", 0, 0xFF00 | UINT64_C(0x00FFFFFF00000000)},
	{"filter", 1, 0x3F0},
};
static const struct perf_pmu pmu = {
	.name = "uncore_cha_0", .type = 9, .formats = fields, .format_count = COUNT_OF(fields)};

TEST(test_a_value_is_spread_over_the_bits_of_its_field)
{
	struct perf_event event = {.type = 9};
	struct error err;

	ck_assert_int_eq(perf_set_field(&pmu, "umask", 0xC887FF, &event, &err), 0);
	ck_assert_int_eq(perf_set_field(&pmu, "event", 0x35, &event, &err), 0);
	ck_assert_int_eq(perf_set_field(&pmu, "filter", 0x3F, &event, &err), 0);
	ck_assert_uint_eq(event.config[0], UINT64_C(0x0000C8870000FF35));
	ck_assert_uint_eq(event.config[1], 0x3F0);
	/* one field is replaced, and the others stay */
	ck_assert_int_eq(perf_set_field(&pmu, "umask", 1, &event, &err), 0);
	ck_assert_uint_eq(event.config[0], 0x0135);
}

TEST(test_a_field_that_is_missing_or_too_narrow_is_named)
{
	struct perf_event event = {.type = 9};
	struct error err;

	ck_assert_int_eq(perf_set_field(&pmu, "tid_en", 1, &event, &err), -ENOTSUP);
	assert_contains(err.text, "uncore_cha_0: this kernel has no field 'tid_en'");
	ck_assert_int_eq(perf_set_field(&pmu, "event", 0x135, &event, &err), -ERANGE);
	assert_contains(err.text, "uncore_cha_0: this kernel's field 'event' does not take 0x135");
	ck_assert_int_eq(err.kind, ERROR_NO_UNIT);
}

static struct perf_format cxl_fields[] = {
	{"vid", 0, UINT64_C(0xFFFF) << 48},
	{"gid", 0, UINT64_C(0xFFFF) << 32},
	{"mask", 0, UINT32_MAX},
	{"edge", 1, UINT64_C(1) << 17},
};
static const struct perf_pmu cxl = {
	.name = "cxl_pmu_mem0.0", .formats = cxl_fields, .format_count = COUNT_OF(cxl_fields)};

static const struct {
	const char *text;
	uint64_t config[PERF_CONFIG_WORDS];
} aliases[] = {
	{"config=0x1e98002500000001\n", {UINT64_C(0x1E98002500000001)}},
	{"vid=0x1e98,gid=0x25,mask=0x1\n", {UINT64_C(0x1E98002500000001)}},
	{"mask=3,edge", {3, 1 << 17}},
	{"config1=0x20000,config=7,config2=9", {7, 1 << 17, 9}},
};

TEST_LOOP(test_a_file_of_events_is_read_by_the_formats, COUNT_OF(aliases))
{
	struct perf_alias alias;

	ck_assert_int_eq(perf_parse_alias(&cxl, aliases[_i].text, &alias), 0);
	for (unsigned w = 0; w < PERF_CONFIG_WORDS; w++)
		ck_assert_uint_eq(alias.config[w], aliases[_i].config[w]);
}

static const struct {
	const char *text;
	int code;
} bad_aliases[] = {
	{"", -EINVAL},
	{"\n", -EINVAL},
	{"=1", -EINVAL},
	{"mask=", -EINVAL},
	{"mask=-1", -EINVAL},
	{"mask=1,", -EINVAL},
	{"mask=1 ", -EINVAL},
	{"mask=1\n\n", -EINVAL},
	{"mask=x", -EINVAL},
	{"config=0x11111111111111111", -EINVAL},
	{"a_field_with_a_name_of_more_than_it_may=1", -EINVAL},
	{"umask=1", -ENOTSUP},
	{"gid=0x10000", -ERANGE},
};

TEST_LOOP(test_an_event_that_is_malformed_or_has_unknown_fields_is_none, COUNT_OF(bad_aliases))
{
	struct perf_alias alias;

	ck_assert_int_eq(perf_parse_alias(&cxl, bad_aliases[_i].text, &alias),
			 bad_aliases[_i].code);
}

TEST(test_a_field_is_taken_from_the_bits_of_its_format)
{
	const uint64_t config[PERF_CONFIG_WORDS] = {UINT64_C(0x1E98802500000005), 1 << 17};
	const uint64_t umask[PERF_CONFIG_WORDS] = {UINT64_C(0x0000C8870000FF35)};

	ck_assert_uint_eq(perf_get_field(&cxl, "vid", config), 0x1E98);
	ck_assert_uint_eq(perf_get_field(&cxl, "gid", config), 0x8025);
	ck_assert_uint_eq(perf_get_field(&cxl, "mask", config), 5);
	ck_assert_uint_eq(perf_get_field(&cxl, "edge", config), 1);
	ck_assert_uint_eq(perf_get_field(&cxl, "hdm", config), 0);
	ck_assert_uint_eq(perf_get_field(&pmu, "umask", umask), 0xC887FF);
}

static const struct {
	const char *release;
	unsigned kernel;
} releases[] = {
	{"6.12.117-amd64", PERF_KERNEL(6, 12)},
	{"7.0", PERF_KERNEL(7, 0)},
	{"7.0-rc3", PERF_KERNEL(7, 0)},
	{"", 0},
	{"linux", 0},
	{"6", 0},
	{"-6.1", 0},
};

TEST_LOOP(test_the_version_of_a_kernel_is_read_from_its_release, COUNT_OF(releases))
{
	ck_assert_uint_eq(perf_parse_kernel(releases[_i].release), releases[_i].kernel);
	ck_assert_uint_lt(PERF_KERNEL(6, 12), PERF_KERNEL(7, 0));
}
