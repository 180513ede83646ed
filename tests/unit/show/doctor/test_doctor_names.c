/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/doctor/doctor.h"

#include "unit.h"

static const struct pmu_type cha = {.name = "cha", .type = 0}, imc = {.name = "imc", .type = 6};
static struct doctor_names names;
static struct unit units[1000];
static size_t count;

static void set_up(void)
{
	names = (struct doctor_names){.count = 0};
	count = 0;
}

static void add(int socket, unsigned die, const struct pmu_type *pmu_type, uint16_t id)
{
	units[count] = (struct unit){.pmu_type = pmu_type,
				     .type = pmu_type ? pmu_type->type : 99,
				     .id = id,
				     .socket = socket,
				     .die = die};
	doctor_names_add(&names, &units[count++]);
}

FIXTURE(set_up, NULL)

TEST(test_no_unit_is_no_name)
{
	ck_assert_str_eq(doctor_names_end(&names), "");
	ck_assert_uint_eq(names.count, 0);
}

TEST(test_a_unit_is_named_as_everywhere_else)
{
	add(1, 2, &cha, 7);
	ck_assert_str_eq(doctor_names_end(&names), "socket 1 die 2 cha 7");
}

TEST(test_units_of_a_table_share_its_name_and_consecutive_ids_are_a_range)
{
	static const uint16_t ids[] = {0, 1, 2, 5, 7, 8};

	for (size_t i = 0; i < COUNT_OF(ids); i++)
		add(0, 0, &cha, ids[i]);
	add(0, 0, &imc, 9);
	add(0, 0, NULL, 10);
	add(0, 1, &imc, 10);
	add(1, 0, &imc, 11);
	add(1, 0, &imc, 12);
	ck_assert_str_eq(doctor_names_end(&names),
			 "socket 0 cha 0-2,5,7-8, imc 9, socket 0 type 99 unit 10, "
			 "socket 0 die 1 imc 10, socket 1 imc 11-12");
	ck_assert_uint_eq(names.count, 11);
}

TEST(test_what_has_no_room_is_counted)
{
	for (unsigned i = 0; i < 1000; i++)
		add(0, 0, &cha, (uint16_t)(60000 + 2 * (i % 2000)));
	const char *text = doctor_names_end(&names);
	ck_assert_uint_eq(names.count, 1000);
	ck_assert_uint_gt(names.omitted, 900);
	assert_contains(text, " more");
	ck_assert_uint_lt(strlen(text), DOCTOR_NAMES_SIZE);
}
