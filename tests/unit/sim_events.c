/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim_events.h"
#include "platform/perf.h"

#include <check.h>
#include <stdio.h>

struct perf_pmus sim_events_pmus(struct platform *p)
{
	struct perf_pmus pmus;
	struct error err = {0};

	ck_assert_msg(!p->ops->perf->pmus(p, &pmus, &err), "%s", err.text);
	return pmus;
}

struct perf_event sim_event_of(struct platform *p, const char *name, const char *fields,
			       unsigned cpu, int leader)
{
	struct perf_pmus pmus = sim_events_pmus(p);
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

void sim_events_assert_cpus(struct platform *p, const char *name, const unsigned *cpus,
			    size_t count)
{
	struct perf_pmus pmus = sim_events_pmus(p);
	const struct perf_pmu *pmu = perf_find_pmu(&pmus, name);

	ck_assert_ptr_nonnull(pmu);
	ck_assert_uint_eq(pmu->cpu_count, count);
	for (size_t i = 0; i < count; i++)
		ck_assert_uint_eq(pmu->cpus[i], cpus[i]);
	perf_pmus_free(&pmus);
}

struct perf_reading sim_events_read(struct platform *p, int leader)
{
	struct perf_reading reading;

	ck_assert_int_eq(p->ops->perf->read(p, leader, &reading), 0);
	return reading;
}
