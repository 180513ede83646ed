/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/selftest/counters.h"

#include "probe/selftest/selftest.h"
#include "unit.h"

/* Counts of one clock, with the counters expected to be silent or off. */
static const struct {
	uint64_t counts[5];
	uint32_t counters, silent, off;
} judged[] = {
	{{200000000, 200000000, 200000000, 200000000}, 0xF, 0, 0},
	{{200000000, 199000000, 198100000, 200000000}, 0xF, 0, 0},
	{{200000000, 0, 200000000, 0}, 0xF, 0xA, 0},
	{{0, 200000000, 0, 0}, 0xF, 0xD, 0},
	/* counters outside of the mask are not judged */
	{{200000000, 0, 200000000, 0}, 0x5, 0, 0},
	{{200000000, 0, 200000000, 0, 200000000}, 0x17, 0x2, 0},
	{{200000000, 200000000, 197000000, 200000000}, 0xF, 0, 0x4},
	{{200000000, 200000000, 200000000, 400000000}, 0xF, 0, 0x8},
	{{200000000, 100000000, 200000000, 0}, 0xF, 0x8, 0x2},
	{{100000000, 200000000}, 0x3, 0, 0x1},
	/* a clock that has not run, or hardly */
	{{0, 0, 0, 0}, 0xF, 0, 0},
	{{7, 0, 0, 5}, 0xF, 0, 0},
	{{999999, 0, 999999, 0}, 0xF, 0, 0},
	{{1000000, 0, 1000000, 0}, 0xF, 0xA, 0},
	{{200000000}, 0x1, 0, 0},
	{{0}, 0, 0, 0},
};

TEST_LOOP(test_a_counter_is_judged_by_what_most_others_count, COUNT_OF(judged))
{
	uint64_t counts[UNIT_MAX_COUNTERS] = {0};

	memcpy(counts, judged[_i].counts, sizeof(judged[_i].counts));
	const struct counters_judged is = counters_judge(counts, judged[_i].counters);
	ck_assert_uint_eq(is.silent, judged[_i].silent);
	ck_assert_uint_eq(is.off, judged[_i].off);
}

static struct selftest_result result;
static char said[4096];

static void note(void *context, enum log_level level, const char *text)
{
	(void)context;
	if (level <= LEVEL_NOTE && strstr(text, "not compared"))
		snprintf(said, sizeof(said), "%s", text);
}

static int run(const char *sim, enum session_backend backend)
{
	const struct log log = {.write = note};
	struct error err = {0};
	sigset_t none;
	int signal_number;

	sigemptyset(&none);
	said[0] = '\0';
	const struct selftest_options options = {
		.sim = sim,
		.root = "/",
		.backend = backend,
		.choice = {.node = -1},
		.total_ns = NS_PER_S,
		.wake = &none,
	};
	return selftest_run(&options, &log, &result, &signal_number, &err);
}

static void tear_down(void)
{
	selftest_result_free(&result);
}

FIXTURE(NULL, tear_down)

static const struct {
	const char *sim;
	size_t units;
	const char *first;
} machines[] = {
	{"spr,sockets=2,upi=even,clock=virtual", 6, "socket 0 upi 0"},
	{"emr,upi=even,clock=virtual", 3, "socket 0 upi 0"},
	{"gnr,upi=even,clock=virtual", 6, "socket 0 upi 0"},
	{"spr,sockets=2,clock=virtual", 0, NULL},
	{"cwf,clock=virtual", 0, NULL},
	/* links that are off, and CHAs that do not exist: no clock runs */
	{"spr,upi=off,clock=virtual", 0, NULL},
	{"emr,still_chas=4,clock=virtual", 0, NULL},
	/* a pause between two readings */
	{"spr,pause=5,clock=virtual", 0, NULL},
};

TEST_LOOP(test_counters_that_do_not_count_are_named_by_their_unit, COUNT_OF(machines))
{
	ck_assert_int_eq(run(machines[_i].sim, BACKEND_RAW), 0);
	ck_assert(result.counters.tested);
	ck_assert_uint_eq(result.counters.count, machines[_i].units);
	for (size_t i = 0; i < result.counters.count; i++) {
		ck_assert_ptr_nonnull(strstr(result.counters.units[i].name, " upi "));
		ck_assert_uint_eq(result.counters.units[i].judged.silent, 0xA);
		ck_assert_uint_eq(result.counters.units[i].judged.off, 0);
	}
	if (machines[_i].first)
		ck_assert_str_eq(result.counters.units[0].name, machines[_i].first);
	ck_assert_str_eq(said, "");
}

TEST(test_the_kernel_chooses_counters_itself)
{
	ck_assert_int_eq(run("spr,upi=even,clock=virtual", BACKEND_PERF), 0);
	ck_assert(!result.counters.tested);
	ck_assert_ptr_null(counters_json(&result.counters));
}

static const struct {
	struct counters_judged judged;
	const char *text, *json;
} shown[] = {
	{{0x2, 0},
	 "upi: counter 1 does not count\n",
	 "[{\"unit\": \"upi\", \"silent\": [1], \"off\": []}]"},
	{{0xA, 0},
	 "upi: counters 1, 3 do not count\n",
	 "[{\"unit\": \"upi\", \"silent\": [1, 3], \"off\": []}]"},
	{{0, 0x1},
	 "upi: counter 0 differs from the others by more than 1 %\n",
	 "[{\"unit\": \"upi\", \"silent\": [], \"off\": [0]}]"},
	{{0x8, 0x3},
	 "upi: counter 3 does not count; counters 0, 1 differ from the others by more than 1 %\n",
	 "[{\"unit\": \"upi\", \"silent\": [3], \"off\": [0, 1]}]"},
};

TEST_LOOP(test_text_and_json_name_the_counters, COUNT_OF(shown))
{
	struct counters_unit unit = {.name = "upi", .judged = shown[_i].judged};
	const struct counters_result one = {.tested = true, .units = &unit, .count = 1};
	FILE *out = text_open();

	counters_print(&one, out);
	ck_assert_str_eq(text_close(out), shown[_i].text);
	json_t *json = counters_json(&one);
	char *text = json_dumps(json, JSON_PRESERVE_ORDER);
	ck_assert_str_eq(text, shown[_i].json);
	free(text);
	json_decref(json);
}
