/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of groups of tasks: lost cycles, causes for unknown values, and names. */
#include "sources/sources.h"

#include <math.h>

#include "base/number.h"
#include "formula/value.h"
#include "platform/clock.h"
#include "platform/platform.h"
#include "sim_monitor.h"
#include "table/spell.h"
#include "unit.h"

#define U	NAN
#define GROUPED "cwf,region_groups=2,clock=virtual"

/* A machine whose groups and counts a test sets. */
static struct machine_of_groups {
	struct platform base;
	struct task_groups groups;
	struct group_counts counts;
} machine;

static struct sources g;
static struct sim_monitor m;

static int open_groups(struct platform *p, struct task_groups *out, struct error *err)
{
	(void)p;
	(void)err;
	*out = machine.groups;
	return 0;
}

static void read_group(struct platform *p, size_t group, uint64_t wall_ns, struct group_counts *out)
{
	(void)p;
	(void)wall_ns;
	*out = machine.counts;
	out->counts[GROUP_CYCLES] += (double)group;
}

static uint64_t wall(struct platform *p)
{
	(void)p;
	return machine.counts.at_ns;
}

static const struct clock_ops own_clock = {.wall = wall};
static const struct task_group_ops own_groups = {.open = open_groups, .read = read_group};
static const struct platform_ops ops = {.clock = &own_clock, .task_groups = &own_groups};

static void open_named(const char *const *names, size_t count)
{
	struct error err;

	machine = (struct machine_of_groups){
		.base.ops = &ops, .groups = {names, count}, .counts = {NS_PER_S, {1000, 100}}};
	ck_assert_int_eq(group_source_open(&g.groups, &machine.base, &err), 0);
	ck_assert_uint_eq(g.groups.count, count);
	g.sample_ns = NS_PER_S;
}

static void tear_down(void)
{
	sources_close(&g);
}

FIXTURE(NULL, tear_down)

static void read_sample(uint64_t wall_ns)
{
	struct marks marks;

	sources_update(&g, &(struct sample){.wall_ns = wall_ns}, &marks);
}

static bool inputs_of(size_t group, struct inputs *out)
{
	const struct place place = {.kind = ROW_GROUP};
	const struct source_cell cell = {.place = &place, .subject = group};

	return !isnan(g.groups.base.kind->inputs(&g.groups.base, &cell, NULL, out));
}

static void read_after(double seconds, double stalled, double cycles)
{
	machine.counts.at_ns += (uint64_t)(seconds * NS_PER_S);
	machine.counts.counts[GROUP_STALLED_CYCLES] = stalled;
	machine.counts.counts[GROUP_CYCLES] = cycles;
	read_sample(machine.counts.at_ns);
}

static void assert_value(size_t group, double expected, double seconds)
{
	struct input_value items[GROUP_EVENTS];
	struct inputs inputs = {.items = items};
	struct value value;

	ck_assert(inputs_of(group, &inputs) || isnan(expected));
	value_compute(&inputs, false, &value);
	assert_double(value.number, expected, 0);
	assert_double(value.seconds, seconds, 0);
}

TEST(test_a_group_has_the_share_of_its_own_cycles_that_are_lost)
{
	open_named((const char *const[]){"/", "a"}, 2);
	read_after(2, 150, 1200);
	assert_value(0, 25, 2);
	assert_value(1, 25, 2);
	read_after(0.5, 150, 1300);
	assert_value(1, 0, 0.5);
}

/* Two seconds with 50 of 200 cycles lost, and one with 300 of 400: the mean of the shares is 50. */
TEST(test_the_share_of_a_longer_time_is_that_of_all_its_cycles)
{
	struct input_value items[GROUP_EVENTS];
	struct inputs inputs = {.items = items};
	struct value_sum sum = {.last = NAN};
	struct value value;

	open_named((const char *const[]){"/"}, 1);
	read_after(2, 150, 1200);
	for (unsigned k = 0; k < 2; k++) {
		ck_assert(inputs_of(0, &inputs));
		value_compute(&inputs, false, &value);
		ck_assert_int_eq(value_sum_add(&sum, &value), 0);
		read_after(1, 450, 1600);
	}
	value_sum_compute(&sum, false, NULL, NULL, &value);
	assert_double(value.number, 100.0 * 350 / 600, 0);
	assert_double(value.seconds, 3, 0);
	value_sum_free(&sum);
}

static const struct {
	double stalled, cycles;
} unknown[] = {
	{U, 2000},   /* removed, or not available */
	{200, U},    /* removed, or not available */
	{99, 2000},  /* gone backwards */
	{200, 999},  /* gone backwards */
	{100, 1000}, /* none of its tasks has run */
};

TEST_LOOP(test_what_is_no_share_is_unknown, COUNT_OF(unknown))
{
	open_named((const char *const[]){"/"}, 1);
	read_after(1, unknown[_i].stalled, unknown[_i].cycles);
	assert_value(0, U, U);
}

TEST(test_nothing_is_known_of_a_sample_that_was_not_read)
{
	open_named((const char *const[]){"/"}, 1);
	read_after(1, 200, 2000);
	assert_value(0, 10, 1);
	read_sample(machine.counts.at_ns + 1);
	assert_value(0, U, U);
	read_after(1, 300, 2200);
	assert_value(0, 50, 1);
	machine.counts.at_ns -= NS_PER_S;
	read_after(0, 400, 2400);
	assert_value(0, U, U);
}

TEST(test_names_are_printable_and_no_two_are_alike)
{
	static char longest[2][300];
	const char *const paths[] = {"/",	  "a\x01",    "a\x02",	  "a?#2",
				     "a\xc3\xbc", "a,\"b\\c", longest[0], longest[1]};
	const char *const names[] = {"/", "a?", "a?#2", "a?#2#2", "a??", "a,\"b\\c"};

	memset(longest, 'x', sizeof(longest));
	longest[0][298] = longest[0][299] = longest[1][299] = '\0';
	open_named(paths, COUNT_OF(paths));
	for (size_t i = 0; i < COUNT_OF(names); i++)
		ck_assert_str_eq(g.groups.groups[i].name, names[i]);
	ck_assert_uint_eq(strlen(g.groups.groups[6].name), GROUP_NAME_SIZE - 1);
	ck_assert_uint_eq(strlen(g.groups.groups[7].name), GROUP_NAME_SIZE - 1);
	ck_assert_str_eq(g.groups.groups[7].name + GROUP_NAME_SIZE - 4, "x#2");
}

/* Rows. */

TEST(test_each_group_has_a_row_with_its_name)
{
	const char *const names[] = {"/", "g1", "g2"};

	sim_monitor_start(&m, .spec = GROUPED ",demand_stall=35", .view = {.groups = "resctrl"});
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.view.table.row_count, 3);
	for (size_t r = 0; r < 3; r++) {
		const struct row *row = &m.view.table.rows[r];

		ck_assert_str_eq(row_scope_name(row), "group");
		ck_assert_str_eq(row->place.group, names[r]);
		ck_assert_int_eq(row->place.kind, ROW_GROUP);
		assert_double(sim_monitor_cell(&m, row, "l3_miss_stall_pct")->number, 35, 1e-6);
		ck_assert(row->interval_s == 1);
	}
}

TEST(test_other_rows_have_what_they_have_without_them)
{
	sim_monitor_start(&m, .spec = GROUPED ",read=10", .view = {.groups = "cxl,resctrl"});
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.view.table.row_count, 2 + 3 + 2);
	ck_assert(sim_monitor_value(&m, 0, 1, "cxl_mem_read_MBps") == 10000);
	ck_assert_double_nan(sim_monitor_value(&m, 0, 1, "l3_miss_stall_pct"));
	ck_assert_double_nan(
		sim_monitor_cell(&m, &m.view.table.rows[6], "l3_miss_stall_pct")->number);
	ck_assert_double_nan(
		sim_monitor_cell(&m, &m.view.table.rows[2], "cxl_mem_read_MBps")->number);
}

static const struct {
	const char *spec;
	struct view_options options;
	int rc, status;
	size_t groups;
	unsigned warnings;
} choices[] = {
	{GROUPED, {.groups = "resctrl"}, 0, 0, 3, 0},
	{GROUPED, {.groups = "all"}, 0, 0, 3, 0},
	{GROUPED, {.groups = "resctrl", .sockets = "0"}, -EINVAL, ERROR_USAGE, 0, 0},
	{GROUPED, {.groups = "cxl,resctrl", .ports = "0"}, 0, 0, 0, 1},
	{GROUPED, {.groups = "all", .ports = "0"}, 0, 0, 0, 0},
	{GROUPED, {.groups = "resctrl", .finest = SCOPE_SOCKET}, -EINVAL, ERROR_USAGE, 0, 0},
	{"cwf,clock=virtual", {.groups = "resctrl"}, -ENODEV, ERROR_NO_UNIT, 0, 0},
	{"cwf,clock=virtual", {.groups = "cxl,resctrl"}, 0, 0, 0, 1},
	{"cwf,clock=virtual", {.groups = "all"}, 0, 0, 0, 0},
	{"turin,region_groups=2,clock=virtual",
	 {.groups = "resctrl"},
	 -ENODEV,
	 ERROR_NO_UNIT,
	 0,
	 0},
};

TEST_LOOP(test_what_is_missing_is_said_where_the_group_is_named, COUNT_OF(choices))
{
	sim_monitor_machine(&m, choices[_i].spec);
	ck_assert_int_eq(sim_monitor_view(&m, &choices[_i].options), choices[_i].rc);
	ck_assert_int_eq(choices[_i].rc ? m.err.kind : 0, choices[_i].status);
	ck_assert_uint_eq(m.view.sources.groups.count, choices[_i].groups);
	ck_assert_uint_eq(m.warnings, choices[_i].warnings);
	if (choices[_i].warnings)
		ck_assert_ptr_nonnull(strstr(m.warning, "group resctrl stays empty: "));
}
