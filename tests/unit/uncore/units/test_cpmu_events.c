/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/units/cpmu.h"

#include "uncore/units/cpmu_events.h"
#include "unit.h"

#define ENABLE UINT64_C(0x100)
#define ONE    (UINT64_C(1) << 16) /* threshold */

/* Counters: 0 counts only MemData, 1 always clock ticks, 2 and 3 selected events. */
enum { FIXED, RUNNING, FIRST, SECOND, COUNTERS };
#define FIXED_CFG    (UINT64_C(1) | UINT64_C(1) << 24)
#define RUNNING_CFG  (UINT64_C(1) << 24 | UINT64_C(1) << 59)
#define CONFIGURABLE UINT64_C(2)
#define HELD	     (UINT64_C(1) << 13) /* a reserved bit that the device holds at 1 */
#define BOTH	     (1U << FIRST | 1U << SECOND)

static struct cpmu_registers registers;
static struct cpmu cpmu;
static const struct unit unit = {.cpmu = &cpmu};

static struct event event_of(unsigned group, uint32_t events)
{
	return (struct event){.name = "?",
			      .type = PMU_CPMU,
			      .modifiers = CPMU_EVENT(CPMU_VENDOR_CXL, group, events)};
}

static void decode(void)
{
	struct error err = {0};

	cpmu = (struct cpmu){.address = 0};
	ck_assert_msg(!cpmu_decode(&registers, &cpmu, &err), "%s", err.text);
}

static void set_up(void)
{
	registers = (struct cpmu_registers){
		.capability = (COUNTERS - 1) | 48 << 8 | 4 << 20,
		.groups = {CPMU_EVENT(CPMU_VENDOR_CXL, 0x25, 0x1),
			   CPMU_EVENT(CPMU_VENDOR_CXL, 0x00, 0x1),
			   CPMU_EVENT(CPMU_VENDOR_CXL, 0x20, 0x71F),
			   CPMU_EVENT(CPMU_VENDOR_CXL, 0x21, 0x36),
			   CPMU_EVENT(CPMU_VENDOR_CXL, 0x25, 0x7)},
		.configurations = {FIXED_CFG, RUNNING_CFG, CONFIGURABLE, CONFIGURABLE | HELD},
	};
	decode();
}

FIXTURE(set_up, NULL)

TEST(test_a_counter_of_fixed_function_counts_its_events_alone)
{
	const struct event mem_data = event_of(0x25, 0x1), nxm = event_of(0x25, 0x2);

	/* configurable counters also count them, from the group that is not the fixed counter's */
	ck_assert_uint_eq(cpmu_event_counters(&unit, &mem_data), 1U << FIXED | BOTH);
	ck_assert_uint_eq(cpmu_event_counters(&unit, &nxm), BOTH);
	ck_assert_uint_eq(cpmu_event_control(&unit, &mem_data),
			  ENABLE | CONFIGURABLE | ONE | UINT64_C(1) << 24 | UINT64_C(4) << 59);
}

TEST(test_a_group_that_only_fixed_counters_have_is_not_for_others)
{
	const struct event mem_data = event_of(0x25, 0x1), nxm = event_of(0x25, 0x2);

	registers.groups[4] = 0;
	decode();
	ck_assert_uint_eq(cpmu_event_counters(&unit, &mem_data), 1U << FIXED);
	ck_assert_uint_eq(cpmu_event_control(&unit, &mem_data), ENABLE | ONE);
	ck_assert(cpmu_counts(&cpmu, &mem_data));
	ck_assert(!cpmu_counts(&cpmu, &nxm));
}

/* Only 32 of 64 counters are used; and a counter whose events make no sense is not used either. */
TEST_LOOP(test_the_group_of_a_fixed_counter_that_is_not_used_is_not_for_others, 2)
{
	const struct event nxm = event_of(0x25, 0x2);

	registers.capability = 63 | 48 << 8 | 4 << 20;
	for (unsigned i = 0; i < 64; i++)
		registers.configurations[i] = CONFIGURABLE;
	decode();
	ck_assert(cpmu_counts(&cpmu, &nxm));
	ck_assert_uint_ne(cpmu_event_counters(&unit, &nxm), 0);
	registers.configurations[_i ? 40 : 3] = 1 | UINT64_C(4) << 59 | (_i ? 1 << 24 : 0);
	decode();
	ck_assert(!cpmu_counts(&cpmu, &nxm));
	ck_assert_uint_eq(cpmu_event_counters(&unit, &nxm), 0);
}

static const uint64_t unknown[] = {
	CPMU_EVENT(CPMU_VENDOR_CXL, 0x20, 0x20),  /* an event that the group lacks */
	CPMU_EVENT(CPMU_VENDOR_CXL, 0x20, 0x30),  /* one of two */
	CPMU_EVENT(CPMU_VENDOR_CXL, 0x8000, 0x4), /* a group that it lacks */
	CPMU_EVENT(0x8086, 0x20, 0x2),		  /* another vendor */
	CPMU_EVENT(CPMU_VENDOR_CXL, 0x20, 0),
	0,
};

TEST_LOOP(test_what_no_group_has_cannot_be_counted, COUNT_OF(unknown))
{
	const struct event event = {.name = "?", .type = PMU_CPMU, .modifiers = unknown[_i]};

	ck_assert_uint_eq(cpmu_event_counters(&unit, &event), 0);
	ck_assert(!cpmu_counts(&cpmu, &event));
}

TEST(test_several_events_of_a_group_are_added_up_by_configurable_counters)
{
	const struct event reads = event_of(0x20, 0x6);

	ck_assert_uint_eq(cpmu_event_counters(&unit, &reads), BOTH);
	ck_assert_uint_eq(cpmu_event_control(&unit, &reads),
			  ENABLE | CONFIGURABLE | UINT64_C(6) << 24 | UINT64_C(2) << 59);
}

TEST(test_the_group_of_a_free_running_counter_is_not_for_others)
{
	const struct event ticks = event_of(0x00, 0x1), more = event_of(0x00, 0x2);

	registers.groups[1] = CPMU_EVENT(CPMU_VENDOR_CXL, 0x00, 0x3);
	decode();
	ck_assert_uint_eq(cpmu_event_counters(&unit, &ticks), 1U << RUNNING);
	ck_assert(cpmu_counts(&cpmu, &ticks));
	ck_assert(!cpmu_counts(&cpmu, &more));
	ck_assert(!cpmu.groups[1].is_fixed);
}

static const struct {
	uint16_t vendor, group;
	uint32_t events;
	unsigned threshold;
} thresholds[] = {
	{CPMU_VENDOR_CXL, 0x8000, 0x4, 1}, {CPMU_VENDOR_CXL, 0x8000, 0xC, 0}, /* added up */
	{CPMU_VENDOR_CXL, 0x8001, 0x1, 0}, /* the length of a queue */
	{CPMU_VENDOR_CXL, 0x8001, 0x4, 0}, {CPMU_VENDOR_CXL, 0x8001, 0x8, 1}, /* no length */
	{CPMU_VENDOR_CXL, 0x8002, 0x1, 1}, {0x8086, 0x8000, 0x4, 0}, /* not of the specification */
};

TEST_LOOP(test_the_threshold_is_1_but_for_lengths_and_sums, COUNT_OF(thresholds))
{
	const struct event event = {.name = "?",
				    .type = PMU_CPMU,
				    .modifiers =
					    CPMU_EVENT(thresholds[_i].vendor, thresholds[_i].group,
						       thresholds[_i].events)};

	registers.groups[2] = CPMU_EVENT(thresholds[_i].vendor, thresholds[_i].group, 0xF);
	decode();
	ck_assert_uint_eq(cpmu_event_counters(&unit, &event), BOTH);
	ck_assert_uint_eq(cpmu_event_control(&unit, &event) >> 16 & 0xFF, thresholds[_i].threshold);
}

TEST_LOOP(test_queues_and_residencies_are_counted_one_at_a_time, 2)
{
	const unsigned group = 0x8001 + (unsigned)_i;
	const struct event both = event_of(group, 0x3), second = event_of(group, 0x2);

	registers.groups[2] = CPMU_EVENT(CPMU_VENDOR_CXL, group, 0x7);
	decode();
	ck_assert_uint_eq(cpmu_event_counters(&unit, &both), 0);
	ck_assert(!cpmu_counts(&cpmu, &both));
	ck_assert_uint_eq(cpmu_event_counters(&unit, &second), BOTH);
}

TEST(test_optional_events_are_those_that_it_has)
{
	struct event reads = event_of(0x20, 0x2);

	reads.optional = 0x24; /* event 2, and event 5, which it lacks */
	ck_assert_uint_eq(cpmu_events_of(&cpmu, &reads), CPMU_EVENT(CPMU_VENDOR_CXL, 0x20, 0x6));
	reads.optional = 0x20;
	ck_assert_uint_eq(cpmu_events_of(&cpmu, &reads), CPMU_EVENT(CPMU_VENDOR_CXL, 0x20, 0x2));
}

TEST(test_free_running_counters_have_no_configuration_of_ours)
{
	ck_assert_uint_eq(cpmu.known, 0xF);
	ck_assert_uint_eq(cpmu.configured, 1U << FIXED | BOTH);
	registers.configurations[FIRST] = 3; /* a type that is reserved */
	decode();
	ck_assert_uint_eq(cpmu.known, 0xF & ~(1U << FIRST));
	ck_assert_uint_eq(cpmu.configured, 1U << FIXED | 1U << SECOND);
}

TEST(test_read_only_and_reserved_bits_are_written_as_they_are_read)
{
	const struct event reads = event_of(0x20, 0x6);
	const uint64_t control = cpmu_event_control(&unit, &reads);

	ck_assert_uint_eq(cpmu_configuration(&unit, SECOND, control), control | HELD);
	ck_assert_uint_eq(cpmu_configuration(&unit, SECOND, 0), CONFIGURABLE | HELD);
	ck_assert_uint_eq(cpmu_configuration(&unit, FIXED, control), ENABLE | FIXED_CFG);
	ck_assert_uint_eq(cpmu_configuration(&unit, FIXED, 0), FIXED_CFG);
}

TEST(test_what_a_fixed_counter_counts_does_not_decide_whose_it_is)
{
	ck_assert_uint_eq(cpmu_deciding_bits(&unit, FIXED), 0x103);
	ck_assert_uint_eq(cpmu_deciding_bits(&unit, FIRST), UINT64_C(0xF8FFFFFFFF000103));
}

/*
 * Names that the kernel's drivers/perf/cxl_pmu.c has for the bits of a group, from 0 on; "-": none.
 */
static const struct {
	unsigned group;
	const char *prefix, *names;
} published[] = {
	{0x0000, "", "clock_ticks"},
	{0x0010, "d2h_req_",
	 "- rdcurr rdown rdshared rdany rdownnodata itomwr wrcurr clflush cleanevict dirtyevict "
	 "cleanevictnodata wowrinv wowrinvf wrinv - cacheflushed"},
	{0x0011, "d2h_rsp_",
	 "- rspshitse - - rspihiti rspihitse rspvhitv rspsfwdm - - - - - - - rspifwdm - - - - - - "
	 "rspvfwdv"},
	{0x0012, "h2d_req_", "- snpdata snpinv snpcur"},
	{0x0013, "h2d_rsp_",
	 "- writepull - - go gowritepull extcmp - gowritepulldrop - - - - fastgowritepull - "
	 "goerrwritepull"},
	{0x0014, "cachedata_", "d2h_data h2d_data"},
	{0x0020, "m2s_req_",
	 "meminv memrd memrddata memrdfwd memwrfwd memrdtee memrddatatee meminvtee memspecrd "
	 "meminvnt memcleanevict meminvptee memspecrdtee teupdate memclnevcttee memclnevctu"},
	{0x0021, "m2s_rwd_",
	 "- memwr memwrptl - biconflict memrdfill - - - memwrtee memwrptltee - - memrdfilltee"},
	{0x0022, "m2s_birsp_", "i s e - iblk sblk eblk"},
	{0x0023, "s2m_bisnp_",
	 "cur data inv - curblk datblk invblk - curtee datatee invtee - curblktee datablktee "
	 "invblktee"},
	{0x0024, "s2m_ndr_", "cmp cmps cmpe cmpm biconflictack cmptee cmptee_s cmptee_e"},
	{0x0025, "s2m_drs_", "memdata memdatanxm memdatatee"},
	{0x8000, "ddr_",
	 "act pre casrd caswr refresh selfrefreshent rfm cas_rd_ap cas_wr_ap refresh_all_banks "
	 "refresh_same_bank pwrdn_entry pwrdn_exit rd_wr_ddr_bus_switching incoming_rd_req "
	 "incoming_wr_req"},
	{0x8001, "", "rd_queue_occ wr_queue_occ rd_wr_merged_queue_occ pwrdn_event"},
	{0x8002, "", "mc_rd_resid_cnt mc_wr_resid_cnt"},
	{0x8003, "retry_event_trig_by_", "rd_crc wr_crc ca_parity ecc"},
	{0x8004, "", "thermal_throttle_event power_throttle_event"},
};

/* Counts the events of one bit: the kernel has no names for sums. */
static size_t count_single_events(void)
{
	size_t count = 0;

	for (const struct event *e = cpmu_events; e->name; e++)
		count += !e->optional && __builtin_popcount((uint32_t)e->modifiers) == 1;
	return count;
}

static const struct event *named(const char *prefix, int length, const char *name)
{
	char whole[64];

	snprintf(whole, sizeof(whole), "%s%.*s", prefix, length, name);
	for (const struct event *e = cpmu_events; e->name; e++)
		if (!strcmp(e->name, whole))
			return e;
	ck_abort_msg("there is no %s", whole);
}

TEST(test_events_have_the_kernels_names_and_bits)
{
	size_t count = 0;

	for (size_t i = 0; i < COUNT_OF(published); i++) {
		const char *name = published[i].names;

		for (unsigned bit = 0; *name; bit++) {
			const int length = (int)strcspn(name, " ");

			if (*name != '-') {
				ck_assert_uint_eq(
					named(published[i].prefix, length, name)->modifiers,
					CPMU_EVENT(CPMU_VENDOR_CXL, published[i].group,
						   UINT32_C(1) << bit));
				count++;
			}
			name += length + (name[length] == ' ');
		}
	}
	ck_assert_uint_eq(count_single_events(), count);
}

/* Opcodes of sums: required ones, and ones that are added if the device counts them. */
static const struct {
	const char *name;
	unsigned group;
	uint32_t all, also;
} sums[] = {
	{"m2s_req_reads", 0x0020, 0x0002, 0x1164},
	{"m2s_rwd_writes", 0x0021, 0x0002, 0x0604},
	{"s2m_drs_reads", 0x0025, 0x0001, 0x0004},
	{"ddr_retries", 0x8003, 0x0000, 0x000F},
};

TEST_LOOP(test_sums_are_of_these_opcodes, COUNT_OF(sums))
{
	const struct event *sum = named("", (int)strlen(sums[_i].name), sums[_i].name);

	ck_assert_uint_eq(sum->modifiers,
			  CPMU_EVENT(CPMU_VENDOR_CXL, sums[_i].group, sums[_i].all));
	ck_assert_uint_eq(sum->optional, sums[_i].also);
}
