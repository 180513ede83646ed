/* SPDX-License-Identifier: BSD-3-Clause */
/* The way from name to control register bits, for every published event. */

#include "base/text.h"
#include "events/event_list.h"
#include "poller/pmu_state.h"
#include "published.h"
#include "sim_machine.h"
#include "unit.h"

static const char *const models[] = {"spr", "emr", "gnr", "srf", "cwf"};

static struct sim_machine m;
static struct event_catalogue catalogue;

/* Returns the first open unit of this type; NULL: the simulated machine has none that can count. */
static struct unit *unit_of_type(uint16_t type)
{
	for (size_t i = 0; i < m.machine.discovery.unit_count; i++) {
		struct unit *unit = &m.machine.discovery.units[i];

		if (unit->type == type && !unit_open(&m.spy.base, unit, NULL))
			return unit;
	}
	return NULL;
}

/* Programs only this event, and searches its control among the unit's registers. */
static void assert_programmed(struct unit *unit, const struct event *event,
			      const struct published_event *fact)
{
	const uint64_t control = (uint64_t)fact->umask_ext << 32 | fact->umask << 8 | fact->code;
	const struct request request = {.unit = unit, .event = event};
	struct error err = {0};
	unsigned found = 0;
	struct pmu_state pmu;
	struct plan plan;

	ck_assert_msg(!plan_make(&m.machine, &request, 1, FREEZE_AUTO, &plan, &err), "%s",
		      err.text);
	ck_assert_msg(!pmu_state_init(&pmu, &plan, &err), "%s", err.text);
	ck_assert_msg(!pmu_state_start(&pmu, &err), "%s", err.text);
	for (unsigned i = 0; i < unit->counters; i++) {
		const struct reg reg = unit_counter_control(unit, i);
		uint64_t value;

		ck_assert_int_eq(reg_read(&m.spy.base, &reg, &value, NULL), 0);
		found += value == control && numlist_contains(fact->counters, i);
	}
	/* a clock may also be on another counter, to show that the socket is not frozen */
	ck_assert_msg(found >= 1, "%s: its control is not on one of its counters", fact->name);
	ck_assert_int_eq(pmu_state_restore(&pmu, &err), 0);
	pmu_state_free(&pmu);
	plan_free(&plan);
}

TEST_LOOP(test_every_published_event_is_programmed_by_its_name, sizeof(models) / sizeof(models[0]))
{
	struct published_event facts[PUBLISHED_MAX];
	const int count = published_read(facts);
	unsigned accepted = 0, programmed = 0;
	char spec[32];

	snprintf(spec, sizeof(spec), "%s,clock=virtual", models[_i]);
	sim_machine_open(&m, spec);
	catalogue_init(&catalogue, m.machine.model);
	for (const struct published_event *fact = facts; fact < facts + count; fact++) {
		struct event_list list;
		struct error err = {0};

		if (!published_on(fact, models[_i]))
			continue;
		list = (struct event_list){.count = 0};
		ck_assert_msg(!event_list_add(&list, &catalogue, fact->name, &err), "%s", err.text);
		accepted++;
		spy_forget(&m.spy);
		struct unit *unit = unit_of_type(list.items[0].event->type);
		if (unit) {
			assert_programmed(unit, list.items[0].event, fact);
			programmed++;
		}
		event_list_free(&list);
	}
	ck_assert_uint_gt(accepted, 100);
	ck_assert_uint_gt(programmed, 100);
	catalogue_free(&catalogue);
}
