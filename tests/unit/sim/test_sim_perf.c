/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting through the kernel of a simulated machine: platform/perf.h. */
#include "platform/perf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/sim.h"
#include "sim_registers.h"
#include "suites.h"
#include "support.h"

#define SPEC	    "spr,sockets=2,read=20,write=8,clock=virtual"
#define MILLISECOND UINT64_C(1000000) /* ns */
#define ALONE	    (-1)

static struct perf_pmus pmus_of(struct platform *p)
{
	struct perf_pmus pmus;
	struct error err = {0};

	ck_assert_msg(!p->ops->perf_pmus(p, &pmus, &err), "%s", err.text);
	return pmus;
}

static bool shows(struct platform *p, const char *name)
{
	struct perf_pmus pmus = pmus_of(p);
	const bool shown = perf_find_pmu(&pmus, name);

	perf_pmus_free(&pmus);
	return shown;
}

/* An event by the fields of its PMU, such as "event=0x02,umask=0x10". */
static struct perf_event event_of(struct platform *p, const char *name, const char *fields,
				  unsigned cpu, int leader)
{
	struct perf_pmus pmus = pmus_of(p);
	const struct perf_pmu *pmu = perf_find_pmu(&pmus, name);
	struct perf_event event = {.cpu = cpu, .leader = leader};
	char field[PERF_NAME_SIZE];
	unsigned long long value;
	struct error err = {0};
	int length;

	ck_assert_msg(pmu != NULL, "no PMU %s", name);
	event.type = pmu->type;
	for (; sscanf(fields, "%31[a-z_]=%llx%n", field, &value, &length) == 2; fields += length) {
		ck_assert_msg(!perf_set_field(pmu, field, value, &event, &err), "%s", err.text);
		length += fields[length] == ',';
	}
	ck_assert_msg(!*fields, "'%s' is no field", fields);
	perf_pmus_free(&pmus);
	return event;
}

static int try_open(struct platform *p, const char *name, const char *fields, unsigned cpu,
		    int leader)
{
	const struct perf_event event = event_of(p, name, fields, cpu, leader);

	return p->ops->perf_open(p, &event);
}

static int open_event(struct platform *p, const char *name, const char *fields, unsigned cpu,
		      int leader)
{
	const int handle = try_open(p, name, fields, cpu, leader);

	ck_assert_msg(handle >= 0, "%s/%s/: %d", name, fields, handle);
	return handle;
}

static void enable(struct platform *p, int leader)
{
	ck_assert_int_eq(p->ops->perf_enable(p, leader, true), 0);
}

static struct perf_reading read_group(struct platform *p, int leader)
{
	struct perf_reading reading;

	ck_assert_int_eq(p->ops->perf_read(p, leader, &reading), 0);
	return reading;
}

static void assert_times(const struct perf_reading *reading, uint64_t enabled, uint64_t running)
{
	ck_assert_uint_eq(reading->enabled_ns, enabled);
	ck_assert_uint_eq(reading->running_ns, running);
}

#define REQUESTS "event=02,umask=08" /* of a CXLCM: M2S requests */

START_TEST(test_event_counts_what_its_registers_would)
{
	struct platform *p = sim_platform(SPEC), *raw = sim_platform(SPEC);
	const int leader = open_event(p, "uncore_cxlcm_2", REQUESTS, 0, ALONE);
	struct perf_reading reading;

	pass_time(p, SECOND);
	pass_time(raw, SECOND);
	memory_poke(raw, SIM_CXLCM(0, 0) + CXL_CONTROL(0), 8, 0x0802);
	enable(p, leader);
	pass_time(p, SECOND);
	pass_time(raw, SECOND);
	reading = read_group(p, leader);
	ck_assert_uint_eq(reading.count, 1);
	ck_assert_uint_eq(reading.values[0], 20000000000 / 64);
	ck_assert_uint_eq(reading.values[0], memory_peek(raw, SIM_CXLCM(0, 0) + CXL_COUNTER(0), 8));
	assert_times(&reading, SECOND, SECOND);
	p->ops->perf_close(p, leader);
	platform_destroy(p);
	platform_destroy(raw);
}
END_TEST

Suite *suite_sim_perf(void)
{
	Suite *s = suite_create("sim_perf");
	TCase *tc = tcase_create("sim_perf");

	tcase_add_test(tc, test_event_counts_what_its_registers_would);
	(void)shows;
	suite_add_tcase(s, tc);
	return s;
}
