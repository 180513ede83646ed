/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/units/cpmu.h"

#include "fake_machine.h"
#include "unit.h"

#define BLOCK UINT64_C(0x2000010000)

static struct cpmu_registers registers;
static struct cpmu cpmu;
static struct error err;

static uint64_t capability(unsigned counters, unsigned width, unsigned groups)
{
	return (uint64_t)(counters - 1) | (uint64_t)width << 8 | (uint64_t)(groups - 1) << 20;
}

static uint64_t group(unsigned vendor, unsigned id, uint32_t events)
{
	return (uint64_t)vendor << 48 | (uint64_t)id << 32 | events;
}

static uint64_t configuration(enum cpmu_counter_type type, unsigned group, uint32_t events)
{
	return type | (uint64_t)events << 24 | (uint64_t)group << 59;
}

/* Makes a counter of each type; the fixed one has a separate event capability. */
static void set_up(void)
{
	err = (struct error){0};
	cpmu = (struct cpmu){.address = BLOCK};
	registers = (struct cpmu_registers){
		.capability = capability(3, 48, 3),
		.groups = {group(0x1E98, 0x25, 0x7), group(0x1E98, 0x00, 0x1),
			   group(0x1E98, 0x20, 0x71F)},
		.configurations = {configuration(CPMU_FIXED, 0, 0x1),
				   configuration(CPMU_FREE_RUNNING, 1, 0x1),
				   configuration(CPMU_CONFIGURABLE, 0, 0)},
	};
}

static int decode(void)
{
	return cpmu_decode(&registers, &cpmu, &err);
}

FIXTURE(set_up, NULL)

TEST(test_counters_and_groups_are_decoded)
{
	ck_assert_int_eq(decode(), 0);
	ck_assert_uint_eq(cpmu.counter_count, 3);
	ck_assert_uint_eq(cpmu.width, 48);
	ck_assert_uint_eq(cpmu.group_count, 3);
	ck_assert(!cpmu.can_freeze && !cpmu.is_writable && !cpmu.filters);
	ck_assert_uint_eq(cpmu.groups[2].vendor, 0x1E98);
	ck_assert_uint_eq(cpmu.groups[2].id, 0x20);
	ck_assert_uint_eq(cpmu.groups[2].events, 0x71F);
	/* the group of a fixed counter is not for others */
	for (unsigned g = 0; g < 3; g++)
		ck_assert_int_eq(cpmu.groups[g].is_fixed, g == 0);
	ck_assert_int_eq(cpmu.counters[0].type, CPMU_FIXED);
	ck_assert_uint_eq(cpmu.counters[0].group, 0);
	ck_assert_uint_eq(cpmu.counters[0].events, 0x1);
	ck_assert_int_eq(cpmu.counters[1].type, CPMU_FREE_RUNNING);
	ck_assert_uint_eq(cpmu.counters[1].group, 1);
	ck_assert_int_eq(cpmu.counters[2].type, CPMU_CONFIGURABLE);
}

TEST(test_counters_are_writable_only_where_they_can_be_frozen)
{
	registers.capability |= UINT64_C(1) << 48;
	ck_assert_int_eq(decode(), 0);
	ck_assert(!cpmu.can_freeze && !cpmu.is_writable);
	registers.capability |= UINT64_C(1) << 49;
	ck_assert_int_eq(decode(), 0);
	ck_assert(cpmu.can_freeze && cpmu.is_writable);
	registers.capability &= ~(UINT64_C(1) << 48);
	ck_assert_int_eq(decode(), 0);
	ck_assert(cpmu.can_freeze && !cpmu.is_writable);
}

TEST(test_further_counters_filters_and_an_interrupt_are_decoded)
{
	registers.capability = capability(64, 64, 32) | UINT64_C(3) << 32 | UINT64_C(0xF00) << 36 |
			       UINT64_C(1) << 50;
	for (unsigned i = 3; i < UNIT_MAX_COUNTERS; i++)
		registers.configurations[i] = configuration(CPMU_CONFIGURABLE, 0, 0);
	ck_assert_int_eq(decode(), 0);
	ck_assert_uint_eq(cpmu.has, 64);
	ck_assert_uint_eq(cpmu.counter_count, UNIT_MAX_COUNTERS);
	ck_assert_uint_eq(cpmu.group_count, 32);
	ck_assert_uint_eq(cpmu.width, 64);
	ck_assert_uint_eq(cpmu.filters, 3);
	ck_assert(!cpmu.can_freeze);
}

static const unsigned bad_widths[] = {0, 65, 255};

TEST_LOOP(test_a_width_that_is_impossible_is_refused, COUNT_OF(bad_widths))
{
	registers.capability = capability(3, bad_widths[_i], 3);
	ck_assert_int_eq(decode(), -EINVAL);
	ck_assert_int_eq(err.kind, ERROR_NO_UNIT);
	assert_contains(err.text, "bits are impossible");
}

static const unsigned narrow_widths[] = {1, 24, 27};

TEST_LOOP(test_counters_that_wrap_between_readings_are_refused, COUNT_OF(narrow_widths))
{
	char expected[64];

	registers.capability = capability(3, narrow_widths[_i], 3);
	ck_assert_int_eq(decode(), -ERANGE);
	ck_assert_int_eq(err.kind, ERROR_NO_UNIT);
	snprintf(expected, sizeof(expected), "counters of %u bits are too narrow",
		 narrow_widths[_i]);
	assert_contains(err.text, expected);
	registers.capability = capability(3, 28, 3);
	ck_assert_int_eq(decode(), 0);
}

TEST(test_a_capability_register_of_ones_is_no_response)
{
	registers.capability = UINT64_MAX;
	ck_assert_int_eq(decode(), -ENXIO);
	assert_contains(err.text, "no response");
}

/* Configurations of counter 0; the other two are usable. */
static const struct {
	uint64_t value;
	bool takes_group; /* a fixed-function counter uses group 0, even if it counts nothing */
} bad_configurations[] = {
	{UINT64_MAX, false},
	{0, false}, /* counts nothing */
	{(uint64_t)CPMU_RESERVED | UINT64_C(1) << 24, false},
	{(uint64_t)CPMU_FIXED, true},			  /* no event */
	{(uint64_t)CPMU_FIXED | UINT64_C(8) << 24, true}, /* an event that its group lacks */
	{(uint64_t)CPMU_FIXED | UINT64_C(1) << 24 | UINT64_C(3) << 59, false}, /* no such group */
	{(uint64_t)CPMU_FREE_RUNNING | UINT64_C(1) << 24 | UINT64_C(31) << 59, false},
};

TEST_LOOP(test_a_counter_whose_configuration_makes_no_sense_is_not_used,
	  COUNT_OF(bad_configurations))
{
	registers.configurations[0] = bad_configurations[_i].value;
	ck_assert_int_eq(decode(), 0);
	ck_assert_int_eq(cpmu.counters[0].type, CPMU_RESERVED);
	ck_assert_int_eq(cpmu.counters[2].type, CPMU_CONFIGURABLE);
	ck_assert_int_eq(cpmu.groups[0].is_fixed, bad_configurations[_i].takes_group);
}

TEST(test_a_cpmu_without_a_usable_counter_is_refused)
{
	for (unsigned i = 0; i < 3; i++)
		registers.configurations[i] = UINT64_MAX;
	ck_assert_int_eq(decode(), -EINVAL);
	assert_contains(err.text, "none of its 3 counters can be used");
	assert_contains(err.text, "0xffffffffffffffff");
}

TEST(test_an_event_capability_of_ones_has_no_events)
{
	registers.groups[2] = UINT64_MAX;
	ck_assert_int_eq(decode(), 0);
	ck_assert_uint_eq(cpmu.groups[2].events, 0);
	ck_assert_uint_eq(cpmu.groups[2].vendor, 0);
}

TEST(test_registers_are_read_where_the_block_is)
{
	static struct fake_machine fake;

	fake_init(&fake);
	uint64_t *words = fake_memory(&fake, BLOCK, CPMU_BLOCK_BYTES);
	words[0] = registers.capability;
	memcpy(&words[0x100 / 8], registers.groups, 3 * sizeof(*words));
	memcpy(&words[0x200 / 8], registers.configurations, 3 * sizeof(*words));
	ck_assert_msg(!cpmu_read(&fake.base, &cpmu, &err), "%s", err.text);
	ck_assert_uint_eq(cpmu.groups[2].events, 0x71F);
	ck_assert_int_eq(cpmu.counters[1].type, CPMU_FREE_RUNNING);
	ck_assert_uint_eq(cpmu.address, BLOCK);
	words[0] = UINT64_MAX;
	ck_assert_int_eq(cpmu_read(&fake.base, &cpmu, &err), -ENXIO);
	fake.map_error = -EPERM;
	ck_assert_int_eq(cpmu_read(&fake.base, &cpmu, &err), -EPERM);
	ck_assert_int_eq(err.kind, ERROR_PERMISSION);
	platform_destroy(&fake.base);
}
