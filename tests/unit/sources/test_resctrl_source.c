/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads counted by L3 caches: sums by socket, and causes for unknown values. */
#include "sources/sources.h"

#include <math.h>

#include "base/number.h"
#include "platform/clock.h"
#include "platform/cpus.h"
#include "platform/mbm.h"
#include "unit.h"
#include "view/view.h"

#define CACHES 3
#define U      NAN
#define MS     UINT64_C(1000000)

/* A machine whose counts a test sets: caches 0 and 8 are on socket 0, 16 on socket 1. */
static struct machine_of_caches {
	struct platform base;
	double bytes[CACHES];
	int rc;
	uint64_t at_ns;
} machine;

static struct sources t;

static struct mbm_cache caches[] = {{0, {MBM_TOTAL_DEFAULT, MBM_SLOW_READS}},
				    {8, {MBM_TOTAL_DEFAULT, MBM_SLOW_READS}},
				    {16, {MBM_TOTAL_DEFAULT, MBM_SLOW_READS}}};
static const struct mbm mbm = {.caches = caches, .count = CACHES};

static int open_caches(struct platform *p, const struct mbm **out, struct error *err)
{
	(void)p;
	(void)err;
	*out = &mbm;
	return 0;
}

static int read_caches(struct platform *p, enum mbm_event event, uint64_t wall_ns, double *bytes,
		       uint64_t *at_ns)
{
	(void)p;
	(void)wall_ns;
	ck_assert_int_eq(event, MBM_LOCAL);
	if (machine.rc == -ENOMEM)
		return machine.rc;
	memcpy(bytes, machine.bytes, sizeof(machine.bytes));
	*at_ns = machine.at_ns;
	return machine.rc;
}

static uint64_t wall(struct platform *p)
{
	(void)p;
	return machine.at_ns;
}

static const struct clock_ops own_clock = {
	.wall = wall,
};

static const struct mbm_ops own_mbm = {
	.open = open_caches,
	.read = read_caches,
};

static const struct platform_ops ops = {
	.clock = &own_clock,
	.mbm = &own_mbm,
};

static void set_up(void)
{
	struct cpu_location cpus[] = {{.cpu = 0, .socket = 0, .l3 = 0},
				      {.cpu = 1, .socket = 0, .l3 = 8},
				      {.cpu = 2, .socket = 1, .l3 = 16}};
	const struct topology topology = {.cpus = cpus, .count = 3};
	struct error err;

	machine = (struct machine_of_caches){.base.ops = &ops, .at_ns = 1000 * MS};
	t = (struct sources){.sample_ns = machine.at_ns};
	ck_assert_int_eq(resctrl_source_open(&t.resctrl, &machine.base, &topology, &err), 0);
	ck_assert(!t.resctrl.set);
	resctrl_source_begin(&t.resctrl);
}

static void tear_down(void)
{
	sources_close(&t);
}

static void read_sample(void)
{
	struct marks marks;

	sources_update(&t, &(struct sample){.wall_ns = machine.at_ns}, &marks);
}

static void read_after(uint64_t ms, double first, double second, double third)
{
	machine.at_ns += ms * MS;
	machine.bytes[0] = first;
	machine.bytes[1] = second;
	machine.bytes[2] = third;
	read_sample();
}

static void assert_value(int socket, const char *sockets, double expected)
{
	struct input_value item;
	struct inputs inputs = {.items = &item};
	struct value value;

	const struct place place = {.kind = socket < 0 ? ROW_SYSTEM : ROW_SOCKET, .socket = socket};
	const struct source_cell cell = {.place = &place, .sockets = sockets};
	const double seconds = t.resctrl.base.kind->inputs(&t.resctrl.base, &cell, NULL, &inputs);

	ck_assert_int_eq(!isnan(seconds), !isnan(expected));
	value_compute(&inputs, true, &value);
	if (isnan(expected)) {
		ck_assert_double_nan(value.number);
		ck_assert_str_eq(value.text, "");
		return;
	}
	ck_assert_double_eq(value.number, expected);
	ck_assert_str_eq(value.text, "bmec");
}

FIXTURE(set_up, tear_down)

TEST(test_sockets_have_the_sums_of_their_caches)
{
	read_after(500, 1e6, 2e6, 4e6);
	assert_value(0, NULL, 6);
	assert_value(1, NULL, 8);
	assert_value(-1, NULL, 14);
	assert_value(-1, "1", 8);
	assert_value(2, NULL, U);
	read_after(1000, 1e6, 2e6, 5e6);
	assert_value(0, NULL, 0);
	assert_value(1, NULL, 1);
}

TEST(test_a_part_that_is_unknown_makes_the_sum_so)
{
	read_after(1000, 1e6, U, 4e6);
	assert_value(0, NULL, U);
	assert_value(-1, NULL, U);
	assert_value(1, NULL, 4);
	read_after(1000, 2e6, 5e6, 4e6);
	assert_value(0, NULL, U);
	read_after(1000, 2e6, 6e6, 5e6);
	assert_value(0, NULL, 1);
}

TEST(test_counts_that_were_cleared_are_unknown)
{
	read_after(1000, 5e6, 5e6, 5e6);
	read_after(1000, 6e6, 1e6, 6e6);
	assert_value(0, NULL, U);
	assert_value(1, NULL, 1);
	read_after(1000, 7e6, 2e6, 7e6);
	assert_value(0, NULL, 2);
}

TEST(test_they_are_read_a_hundred_times_a_second_at_most)
{
	read_after(5, 1e6, 1e6, 1e6);
	assert_value(-1, NULL, U);
	read_after(5, 2e6, 2e6, 2e6);
	assert_value(-1, NULL, 600);
	/* the clock was set back */
	machine.at_ns = 5;
	read_sample();
	ck_assert(t.resctrl.base.fresh);
}

TEST(test_what_others_have_changed_is_remembered)
{
	machine.rc = -ENOMEM;
	read_after(1000, 1e6, 1e6, 1e6);
	assert_value(-1, NULL, U);
	ck_assert(!t.resctrl.stale);
	machine.rc = -ESTALE;
	read_after(1000, 1e6, U, 1e6);
	ck_assert(t.resctrl.stale);
	machine.rc = 0;
	read_after(1000, 1e6, 1e6, 1e6);
	ck_assert(t.resctrl.stale);
}
