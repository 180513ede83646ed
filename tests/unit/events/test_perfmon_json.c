/* SPDX-License-Identifier: BSD-3-Clause */
#include "events/event_catalogue.h"

#include <unistd.h>

#include "fake_machine.h"
#include "unit.h"

static const struct control_layout control_of_few_umasks = {.event_bits = 9, .umask_bits = 2};

/* PMU types of the tests' own processor, so that they do not depend on the tables of real ones. */
static const struct pmu_type pmu_types[] = {
	{.type = PMU_CHA, .name = "cha", .layout = &control_cha},
	{.type = PMU_IIO, .name = "iio"},
	{.type = PMU_IMC, .name = "imc", .mmio_control_step = 4, .layout = &control_narrow},
	{.type = PMU_HBM, .name = "hbm"},
	{.type = PMU_UPI, .name = "upi"},
	{.type = PMU_M3UPI, .name = "m3upi"},
	{.type = PMU_CXLCM, .name = "cxlcm"},
	{.type = PMU_CXLDP, .name = "cxldp"},
	{.type = PMU_B2CXL, .name = "b2cxl"},
	{.type = PMU_B2UPI, .name = "b2upi"},
	{.type = PMU_M2PCIE, .name = "m2pcie"},
	{.type = PMU_UMC, .name = "umc", .layout = &control_of_few_umasks},
	{.name = NULL},
};

static const struct event events[] = {{.name = NULL}};

static const struct formula formulas[] = {{.metric = NULL}};

static const struct model model = {
	.name = "Test Rapids",
	.short_name = "test",
	.pmu_types = pmu_types,
	.events = (const struct event *const[]){events, NULL},
	.formulas = formulas,
};

static struct event_catalogue catalogue;

static void setup(void)
{
	catalogue_init(&catalogue, &model);
}

static void teardown(void)
{
	catalogue_free(&catalogue);
}

static const char *file_of(const char *json)
{
	const char *path = tree_path("events.json");

	unlink(path);
	tree_bytes("events.json", 0, json, strlen(json));
	return path;
}

/* Loads a file, and returns how many events were taken. */
static size_t load(const char *json)
{
	struct error err = {0};
	size_t taken = 12345;
	int rc = perfmon_load(&catalogue, file_of(json), &taken, &err);

	ck_assert_msg(!rc, "%s: %s", json, err.text);
	return taken;
}

/* Checks that the file is refused with this message, and that nothing is taken. */
static void refuse(const char *json, const char *expected)
{
	struct error err = {0};
	size_t taken = 12345;
	int rc = perfmon_load(&catalogue, file_of(json), &taken, &err);

	assert_refusal(rc, &err, expected);
	ck_assert_int_eq(rc, -EINVAL);
	ck_assert_uint_eq(taken, 12345);
	ck_assert_uint_eq(catalogue.extras.count, 0);
	for (const char *c = err.text; *c; c++)
		ck_assert_msg(*c >= ' ' && *c <= '~', "'%s' is not printable", err.text);
}

TREE_FIXTURE(setup, teardown)

TEST(test_a_list_of_intel_s_is_refused_on_amd)
{
	catalogue_free(&catalogue);
	catalogue_init(&catalogue, fake_model("turin"));
	refuse("{\"Events\": [{\"Unit\": \"CHA\", \"EventCode\": \"0x35\", \"UMask\": \"0x01\", "
	       "\"EventName\": \"UNC_CHA_X\"}]}",
	       "has no event for a unit of Turin");
}

static const char published[] =
	"{\n"
	"  \"Header\": {\"Version\": \"1.20\", \"Legend\": \"\"},\n"
	"  \"Events\": [\n"
	"    {\"Unit\": \"CXLCM\", \"EventCode\": \"0x41\", \"UMask\": \"0x10\",\n"
	"     \"PortMask\": \"0x00\", \"FCMask\": \"0x00\", \"UMaskExt\": \"0x00000000\",\n"
	"     \"EventName\": \"UNC_CXLCM_NEW.MEM_DATA\",\n"
	"     \"BriefDescription\": \"Inserts of data\", \"PublicDescription\": \"more\",\n"
	"     \"Counter\": \"4,5,6,7\", \"ELLC\": \"0\", \"Filter\": \"na\", \"ExtSel\": \"0\",\n"
	"     \"Deprecated\": \"0\", \"FILTER_VALUE\": \"0\", \"CounterType\": \"PGMABLE\"},\n"
	"    {\"Unit\": \"CHA\", \"EventCode\": \"0x36\", \"UMask\": \"0x01\",\n"
	"     \"PortMask\": \"0x000\", \"FCMask\": \"0x00\", \"UMaskExt\": \"0x10c81782\",\n"
	"     \"EventName\": \"UNC_CHA_NEW.TOR\", \"BriefDescription\": \"Occupancy\",\n"
	"     \"Counter\": \"0\", \"CounterType\": \"PGMABLE\"}\n"
	"  ]\n"
	"}\n";

static void assert_published(void)
{
	const struct event *rx = catalogue_find(&catalogue, "unc_cxlcm_new.mem_data");
	const struct event *tor = catalogue_find(&catalogue, "UNC_CHA_NEW.TOR");

	ck_assert_ptr_nonnull(rx);
	ck_assert_str_eq(rx->name, "UNC_CXLCM_NEW.MEM_DATA");
	ck_assert_str_eq(rx->help, "Inserts of data");
	ck_assert_uint_eq(rx->type, PMU_CXLCM);
	ck_assert_uint_eq(rx->counters, 0xF0);
	ck_assert_uint_eq(event_control(rx), 0x1041);
	ck_assert_ptr_nonnull(tor);
	ck_assert_uint_eq(tor->type, PMU_CHA);
	ck_assert_uint_eq(tor->counters, 0x01);
	ck_assert_uint_eq(event_control(tor), UINT64_C(0x10C8178200000136));
}

TEST(test_published_list_is_taken_as_it_is)
{
	ck_assert_uint_eq(load(published), 2);
	assert_published();
}

TEST(test_older_list_is_a_bare_array)
{
	char *array = strdup(strchr(published, '['));

	*strrchr(array, '}') = '\0';
	ck_assert_uint_eq(load(array), 2);
	assert_published();
	free(array);
}

static const char *const empty_lists[] = {"[]", "{\"Events\": []}", "{\"Header\":{},\"Events\":[]}",
					  " [ ] \n"};

TEST_LOOP(test_empty_list_has_nothing_to_take, COUNT_OF(empty_lists))
{
	ck_assert_uint_eq(load(empty_lists[_i]), 0);
	ck_assert_uint_eq(catalogue.extras.count, 0);
}

TEST(test_second_file_adds_to_the_first_which_is_found_first)
{
	load("[{\"Unit\":\"CHA\",\"EventName\":\"A\",\"EventCode\":\"1\"}]");
	ck_assert_uint_eq(load("[{\"Unit\":\"CHA\",\"EventName\":\"A\",\"EventCode\":\"2\"},"
			       "{\"Unit\":\"CHA\",\"EventName\":\"B\",\"EventCode\":\"3\"}]"),
			  2);
	ck_assert_uint_eq(catalogue_find(&catalogue, "A")->code, 1);
	ck_assert_uint_eq(catalogue_find(&catalogue, "B")->code, 3);
}

TEST(test_without_a_model_there_is_no_unit_that_has_an_event)
{
	size_t added = 1;

	catalogue_free(&catalogue);
	catalogue_init(&catalogue, NULL);
	ck_assert_int_eq(perfmon_load(&catalogue, file_of("[]"), &added, NULL), 0);
	ck_assert_uint_eq(added, 0);
}

TEST(test_number_taken_need_not_be_asked_for)
{
	ck_assert(!perfmon_load(&catalogue, file_of(published), NULL, NULL));
	ck_assert_uint_eq(catalogue.extras.count, 2);
	ck_assert_int_eq(perfmon_load(&catalogue, file_of("[1]"), NULL, NULL), -EINVAL);
}

/* Loads one event with additional fields. */
static size_t load_event(const char *unit, const char *fields)
{
	char json[1024];

	snprintf(json, sizeof(json),
		 "[{\"Unit\":\"%s\",\"EventName\":\"E\",\"EventCode\":\"0x41\"%s%s}]", unit,
		 *fields ? "," : "", fields);
	return load(json);
}

static const struct {
	const char *unit;
	uint16_t pmu_type;
} units[] = {
	{"CXLCM", PMU_CXLCM}, {"CXLDP", PMU_CXLDP}, {"CHA", PMU_CHA},	    {"iMC", PMU_IMC},
	{"IMC", PMU_IMC},     {"UPI LL", PMU_UPI},  {"M3UPI", PMU_M3UPI},   {"B2CXL", PMU_B2CXL},
	{"B2UPI", PMU_B2UPI}, {"IIO", PMU_IIO},	    {"M2PCIe", PMU_M2PCIE}, {"cha", PMU_CHA},
	{"MCHBM", PMU_HBM},
};

TEST_LOOP(test_unit_is_the_pmu_type_of_that_name, COUNT_OF(units))
{
	ck_assert_uint_eq(load_event(units[_i].unit, ""), 1);
	ck_assert_uint_eq(catalogue_find(&catalogue, "E")->type, units[_i].pmu_type);
}

static const struct {
	const char *json, *obstacle; /* NULL: it has no name to search for */
} left_out[] = {
	{"[{\"EventName\":\"E\",\"EventCode\":\"0x00\",\"Counter\":\"Fixed counter 0\"}]",
	 "events.json: event 1 E: no Unit: expected one, such as CHA"},
	{"[{\"Unit\":\"B2HOT\",\"EventName\":\"E\",\"EventCode\":\"0x1\"}]",
	 "events.json: event 1 E: Unit 'B2HOT': expected a unit of Test Rapids"},
	{"[{\"Unit\":\"core\",\"EventName\":\"E\",\"EventCode\":\"0x1\"}]",
	 "Unit 'core': expected"},
	{"[{\"Unit\":\"CPMU\",\"EventName\":\"E\",\"EventCode\":\"0x1\"}]",
	 "Unit 'CPMU': expected a unit of Test Rapids"},
	{"[{\"Unit\":\"\",\"EventName\":\"E\",\"EventCode\":\"0x1\"}]", "Unit '': expected a unit"},
	{"[{\"Unit\":\"B2HOT\",\"EventName\":\"E\",\"EventCode\":\"no number\"}]", "Unit 'B2HOT'"},
	{"[{\"Unit\":\"B2HOT\"}]", NULL},
	{"[{}]", NULL},
	{"[{\"Unit\":\"iMC\",\"EventName\":\"E\",\"EventCode\":\"0xff\",\"Counter\":\"FIXED\"}]",
	 "Counter 'FIXED': expected counters that can be programmed"},
	{"[{\"Unit\":\"iMC\",\"EventName\":\"E\",\"EventCode\":\"0xff\",\"Counter\":\"Fixed\"}]",
	 "Counter 'Fixed': expected counters that can be programmed"},
	{"[{\"Unit\":\"iMC\",\"EventName\":\"E\",\"CounterType\":\"FREERUN\",\"Counter\":\"99\"}]",
	 "CounterType 'FREERUN': expected PGMABLE"},
	{"[{\"Unit\":\"CHA\",\"EventName\":\"E\",\"EventCode\":\"1\",\"PortMask\":\"0x1\"}]",
	 "PortMask or FCMask: expected 0, as the unit has none"},
	{"[{\"Unit\":\"CHA\",\"EventName\":\"E\",\"EventCode\":\"1\",\"FCMask\":\"0x1\"}]",
	 "PortMask or FCMask: expected 0, as the unit has none"},
};

TEST_LOOP(test_event_that_cannot_be_counted_here_is_left_out, COUNT_OF(left_out))
{
	const char *expected = left_out[_i].obstacle;

	ck_assert_uint_eq(load(left_out[_i].json), 0);
	ck_assert_uint_eq(catalogue.extras.count, 0);
	const char *obstacle = catalogue_obstacle(&catalogue, "e");
	ck_assert_msg(expected ? obstacle && strstr(obstacle, expected) : !obstacle, "%s: '%s'",
		      left_out[_i].json, obstacle ? obstacle : "");
	ck_assert_ptr_null(catalogue_obstacle(&catalogue, "F"));
}

static const struct {
	const char *unit, *fields;
	uint64_t control;
} encodings[] = {
	{"CHA", "", 0x41},
	{"CHA", "\"UMask\":\"0xff\"", 0xFF41},
	{"CHA", "\"UMask\":\"16\"", 0x1041},
	{"CHA", "\"UMaskExt\":\"00\"", 0x41},
	{"CHA", "\"UMaskExt\":\"0xFFFFFFFF\"", UINT64_C(0xFFFFFFFF00000041)},
	{"CHA", "\"EdgeDetect\":\"1\"", 0x40041},
	{"CHA", "\"EdgeDetect\":\"0\"", 0x41},
	{"CHA", "\"Invert\":\"1\"", 0x800041},
	{"CHA", "\"Invert\":\"0x0\"", 0x41},
	{"CHA", "\"Threshold\":\"0x0\"", 0x41},
	{"CHA", "\"Threshold\":\"0xff\"", 0xFF000041},
	{"CHA", "\"EdgeDetect\":\"1\",\"Invert\":\"1\",\"Threshold\":\"0x2\"", 0x2840041},
	{"CHA", "\"PortMask\":\"0x00\",\"FCMask\":\"0x00\"", 0x41},
	{"IIO", "\"PortMask\":\"0x0001\",\"FCMask\":\"0x07\"", UINT64_C(0x7001000000041)},
	{"IIO", "\"PortMask\":\"0xfff\",\"FCMask\":\"0x0\"", UINT64_C(0x0FFF000000041)},
	{"umc", "\"UMask\":\"3\"", 0x341},
	{"iMC", "\"UMask\":\"0xcf\",\"UMaskExt\":\"0x00000000\"", 0xCF41},
};

TEST_LOOP(test_event_is_encoded_bit_by_bit, COUNT_OF(encodings))
{
	ck_assert_uint_eq(load_event(encodings[_i].unit, encodings[_i].fields), 1);
	ck_assert_uint_eq(event_control(catalogue_find(&catalogue, "E")), encodings[_i].control);
}

static const struct {
	const char *unit, *fields;
	uint32_t counters;
} counters[] = {
	{"CHA", "\"Counter\":\"0\"", 0x1},
	{"CHA", "\"Counter\":\"0,1,2,3\"", 0xF},
	{"CHA", "\"Counter\":\"3, 1\"", 0xA},
	{"CXLCM", "\"Counter\":\"0,1,2,3,4,5,6,7\"", 0xFF},
	{"CHA", "\"Counter\":\"15\"", 0x8000},
	{"CXLCM", "", 0xF0}, /* 0x41, by the rules of its PMU type */
	{"CHA", "", 0xF},
};

TEST_LOOP(test_counters_are_those_listed_or_by_the_pmu_type, COUNT_OF(counters))
{
	load_event(counters[_i].unit, counters[_i].fields);
	ck_assert_uint_eq(catalogue_find(&catalogue, "E")->counters, counters[_i].counters);
}

TEST(test_description_is_kept_on_one_line)
{
	load_event("CHA", "\"BriefDescription\":\"two\\nlines\\tand \\\"more\\\"\"");
	ck_assert_str_eq(catalogue_find(&catalogue, "E")->help, "two lines and \"more\"");
}

static const struct {
	const char *json, *expected;
} malformed[] = {
	{"", "events.json:1: '[' or '{' expected"},
	{" \n\n ", "events.json:3: '[' or '{' expected"},
	{"x", "events.json:1: "},
	{"[\n{},\n}\n]", "events.json:3: "},
	{"[\n{\n\"Unit\": \"CHA\",\n", "events.json:4: "},
	{"[\n{\"Unit\": \"CHA\n\"}]", "events.json:2: "},
	{"[{}]\n\nx", "events.json:3: end of file expected"},
	{"[{\"Unit\": \"a\\u0000b\"}]", "events.json:1: "},
	{"[\n1e99999]", "events.json:2: real number overflow"},
	{"[\n99999999999999999999999]", "events.json:2: too big integer"},
	{"[\"\xff\"]", "events.json:1: unable to decode byte 0xff"},
	{"[\x01]", "events.json:1: "},
	{"1", "events.json:1: "},
	{"\"Events\"", "events.json:1: "},
	{"{}", "not an event list: expected {\"Events\": [...]} or [...]"},
	{"{\"events\": []}", "not an event list"},
	{"{\"Events\": {}}", "not an event list"},
	{"{\"Events\": null}", "not an event list"},
	{"{\"Events\": \"\"}", "not an event list"},
	{"[1]", "event 1: not an object: expected {...}"},
	{"[{}, []]", "event 2: not an object"},
	{"{\"Events\": [{}, {}, null]}", "event 3: not an object"},
};

TEST_LOOP(test_malformed_file_is_refused_with_its_place, COUNT_OF(malformed))
{
	refuse(malformed[_i].json, malformed[_i].expected);
}

static const struct {
	const char *fields, *expected;
} bad_fields[] = {
	{"\"EventName\": 1", "event 2: EventName: expected a string"},
	{"\"EventName\": null", "event 2: EventName: expected a string"},
	{"\"EventCode\":\"1\"", "event 2: EventName '': expected letters, digits"},
	{"\"EventName\": \"\"", "event 2: EventName '': expected letters"},
	{"\"EventName\": \"A,B\"", "event 2 A,B: EventName 'A,B': expected letters"},
	{"\"EventName\": \"A\\nB\"", "event 2 A?B: EventName 'A?B': expected letters"},
	{"\"EventName\":\"N\"", "event 2 N: EventCode: expected one"},
	{"\"EventName\":\"N\",\"EventCode\":65", "event 2 N: EventCode: expected a string"},
	{"\"EventName\":\"N\",\"EventCode\":\"0x100\"",
	 "event 2 N: EventCode '0x100': expected a number from 0 to 0xff"},
	{"\"EventName\":\"N\",\"EventCode\":\"0x2A,0x2B\"",
	 "EventCode '0x2A,0x2B': expected a number"},
	{"\"EventName\":\"N\",\"EventCode\":\"\"", "EventCode '': expected a number"},
	{"\"EventName\":\"N\",\"EventCode\":\"-1\"", "EventCode '-1': expected a number"},
	{"\"EventName\":\"N\",\"EventCode\":\"0x10000000000000001\"",
	 "expected a number from 0 to"},
};

TEST_LOOP(test_bad_name_or_code_is_refused_with_the_number_of_its_event, COUNT_OF(bad_fields))
{
	char json[512];

	snprintf(
		json, sizeof(json),
		"[{\"Unit\":\"CHA\",\"EventName\":\"A\",\"EventCode\":\"1\"},\n{\"Unit\":\"CHA\",%s}]",
		bad_fields[_i].fields);
	refuse(json, bad_fields[_i].expected);
}

static const struct {
	const char *unit, *field, *expected;
	const char *too_much;
} ranges[] = {
	{"CHA", "UMask", "a number from 0 to 0xff", "0x100"},
	{"umc", "UMask", "a number from 0 to 0x3", "0x4"},
	{"CHA", "UMaskExt", "a number from 0 to 0xffffffff", "0x100000000"},
	{"iMC", "UMaskExt", "a number from 0 to 0", "0x1"},
	{"CHA", "EdgeDetect", "a number from 0 to 0x1", "2"},
	{"CHA", "Invert", "a number from 0 to 0x1", "2"},
	{"CHA", "Threshold", "a number from 0 to 0xff", "256"},
	{"IIO", "PortMask", "a number from 0 to 0xfff", "0x1000"},
	{"IIO", "FCMask", "a number from 0 to 0x7", "0x8"},
	{"CHA", "PortMask", "a number from 0 to", "0x10000000000000000"},
	{"CHA", "FCMask", "a number from 0 to", "none"},
	{"CHA", "Counter", "counters such as 0,1,2,3", "16"},
	{"CHA", "Counter", "counters such as 0,1,2,3", ""},
	{"CHA", "Counter", "counters such as 0,1,2,3", "0,"},
	{"CHA", "Counter", "counters such as 0,1,2,3", "0-3"},
	{"CHA", "Counter", "counters such as 0,1,2,3", "0,99999999999999999999999"},
};

TEST_LOOP(test_value_out_of_range_is_refused_with_event_and_field, COUNT_OF(ranges))
{
	char json[256], expected[256];

	snprintf(json, sizeof(json),
		 "[{\"Unit\":\"%s\",\"EventName\":\"N\",\"EventCode\":\"1\",\"%s\":\"%s\"}]",
		 ranges[_i].unit, ranges[_i].field, ranges[_i].too_much);
	snprintf(expected, sizeof(expected), "event 1 N: %s '%s': expected %s", ranges[_i].field,
		 ranges[_i].too_much, ranges[_i].expected);
	refuse(json, expected);
}

static const char *const text_fields[] = {
	"UMask",    "UMaskExt", "EdgeDetect", "Invert",	     "Threshold",
	"PortMask", "FCMask",	"Counter",    "CounterType", "BriefDescription",
};
static const char *const no_strings[] = {
	"1", "null", "true", "[]", "{}", "1.5", "1234567890123456789"};

TEST_LOOP(test_wrongly_typed_field_is_refused_with_event_and_field,
	  COUNT_OF(text_fields) * COUNT_OF(no_strings))
{
	const char *field = text_fields[_i / COUNT_OF(no_strings)];
	char json[256], expected[128];

	snprintf(json, sizeof(json),
		 "[{\"Unit\":\"CHA\",\"EventName\":\"N\",\"EventCode\":\"1\",\"%s\":%s}]", field,
		 no_strings[_i % COUNT_OF(no_strings)]);
	snprintf(expected, sizeof(expected), "event 1 N: %s: expected a string", field);
	refuse(json, expected);
}

TEST(test_wrongly_typed_unit_is_refused)
{
	refuse("[{\"EventName\":\"N\",\"Unit\":12}]", "event 1 N: Unit: expected a string");
}

TEST(test_nesting_without_end_is_refused)
{
	char *json = malloc(100001);

	memset(json, '[', 100000);
	json[100000] = '\0';
	refuse(json, "events.json:1: maximum parsing depth reached");
	free(json);
}

static const struct {
	const char *path, *expected;
} no_files[] = {
	{"/nowhere/at/all", "cannot read '/nowhere/at/all': No such file or directory"},
	{"/dev/null", "/dev/null:1: '[' or '{' expected"},
};

TEST_LOOP(test_file_that_cannot_be_read_is_refused, COUNT_OF(no_files))
{
	struct error err = {0};

	assert_refusal(perfmon_load(&catalogue, no_files[_i].path, NULL, &err), &err,
		       no_files[_i].expected);
}

TEST(test_thousands_of_events_are_no_trouble)
{
	const size_t count = 5000, each = 96;
	char *json = malloc(count * each + 8), *at = json;

	for (size_t i = 0; i < count; i++)
		at += snprintf(
			at, each,
			"%c{\"Unit\":\"CHA\",\"EventName\":\"E.%zu\",\"EventCode\":\"%zu\"}\n",
			i ? ',' : '[', i, i % 256);
	strcpy(at, "]");
	ck_assert_uint_eq(load(json), count);
	for (size_t i = 0; i < count; i++)
		ck_assert_uint_eq(catalogue.extras.events[i]->code, i % 256);
	free(json);
}
