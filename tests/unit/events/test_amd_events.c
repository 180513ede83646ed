/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * AMD's event tables against published ones: the kernel's pmu-events (amdzen4 to amdzen6) for L3,
 * UMC and cores; for CXL in the data fabric, PerfSpect and dynolog.
 */

#include "fake_machine.h"
#include "msr/core_pmu.h"
#include "uncore/model/model.h"
#include "uncore/units/core_unit.h"
#include "unit.h"

enum { TURIN = 1, VENICE = 2, ZEN_4 = 4, EACH = 7 };

static const struct {
	const char *name;
	unsigned list;
} models[] = {{"turin", TURIN},
	      {"venice-a0", VENICE},
	      {"venice", VENICE},
	      {"genoa", ZEN_4},
	      {"bergamo", ZEN_4}};

/* Controls without their enable bits. */
static const struct {
	unsigned lists; /* lists that have it */
	uint16_t pmu_type;
	const char *name;
	uint64_t control;
} published[] = {
	/* event 7:0 and 37:32, umask 15:8 and 27:24 */
	{TURIN, PMU_DF, "cxl_port_read_data_beats_0", 0x030F00FE1F},
	{TURIN, PMU_DF, "cxl_port_read_data_beats_1", 0x030F00FE5F},
	{TURIN, PMU_DF, "cxl_port_read_data_beats_2", 0x030F00FE9F},
	{TURIN, PMU_DF, "cxl_port_read_data_beats_3", 0x030F00FEDF},
	{TURIN, PMU_DF, "cxl_port_write_data_beats_0", 0x030C00FD1F},
	{TURIN, PMU_DF, "cxl_port_write_data_beats_1", 0x030C00FD5F},
	{TURIN, PMU_DF, "cxl_port_write_data_beats_2", 0x030C00FD9F},
	{TURIN, PMU_DF, "cxl_port_write_data_beats_3", 0x030C00FDDF},
	{EACH, PMU_L3, "l3_lookup_state.l3_miss", 0x0300C00000000104},
	{EACH, PMU_L3, "l3_lookup_state.l3_hit", 0x0300C0000000FE04},
	{EACH, PMU_L3, "l3_lookup_state.all_coherent_accesses_to_l3", 0x0300C0000000FF04},
	{EACH, PMU_L3, "l3_xi_sampled_latency.dram_near", 0x0303C000000001AC},
	{EACH, PMU_L3, "l3_xi_sampled_latency.dram_far", 0x0303C000000002AC},
	{EACH, PMU_L3, "l3_xi_sampled_latency.near_cache", 0x0303C000000004AC},
	{EACH, PMU_L3, "l3_xi_sampled_latency.far_cache", 0x0303C000000008AC},
	{EACH, PMU_L3, "l3_xi_sampled_latency.ext_near", 0x0303C000000010AC},
	{EACH, PMU_L3, "l3_xi_sampled_latency.ext_far", 0x0303C000000020AC},
	{EACH, PMU_L3, "l3_xi_sampled_latency.all", 0x0303C00000003FAC},
	{EACH, PMU_L3, "l3_xi_sampled_latency_requests.dram_near", 0x0303C000000001AD},
	{EACH, PMU_L3, "l3_xi_sampled_latency_requests.dram_far", 0x0303C000000002AD},
	{EACH, PMU_L3, "l3_xi_sampled_latency_requests.near_cache", 0x0303C000000004AD},
	{EACH, PMU_L3, "l3_xi_sampled_latency_requests.far_cache", 0x0303C000000008AD},
	{EACH, PMU_L3, "l3_xi_sampled_latency_requests.ext_near", 0x0303C000000010AD},
	{EACH, PMU_L3, "l3_xi_sampled_latency_requests.ext_far", 0x0303C000000020AD},
	{EACH, PMU_L3, "l3_xi_sampled_latency_requests.all", 0x0303C00000003FAD},
	{EACH, PMU_UMC, "umc_mem_clk", 0x000},
	{EACH, PMU_UMC, "umc_act_cmd.all", 0x005},
	{EACH, PMU_UMC, "umc_act_cmd.rd", 0x105},
	{EACH, PMU_UMC, "umc_act_cmd.wr", 0x205},
	{EACH, PMU_UMC, "umc_pchg_cmd.all", 0x006},
	{EACH, PMU_UMC, "umc_pchg_cmd.rd", 0x106},
	{EACH, PMU_UMC, "umc_pchg_cmd.wr", 0x206},
	{EACH, PMU_UMC, "umc_cas_cmd.all", 0x00A},
	{EACH, PMU_UMC, "umc_cas_cmd.rd", 0x10A},
	{EACH, PMU_UMC, "umc_cas_cmd.wr", 0x20A},
	{EACH, PMU_UMC, "umc_data_slot_clks.all", 0x014},
	{EACH, PMU_UMC, "umc_data_slot_clks.rd", 0x114},
	{EACH, PMU_UMC, "umc_data_slot_clks.wr", 0x214},
	/* user and os */
	{EACH, PMU_CORE, "ls_dmnd_fills_from_sys.local_l2", 0x30143},
	{EACH, PMU_CORE, "ls_dmnd_fills_from_sys.local_ccx", 0x30243},
	{EACH, PMU_CORE, "ls_dmnd_fills_from_sys.near_cache", 0x30443},
	{EACH, PMU_CORE, "ls_dmnd_fills_from_sys.dram_io_near", 0x30843},
	{EACH, PMU_CORE, "ls_dmnd_fills_from_sys.far_cache", 0x31043},
	{EACH, PMU_CORE, "ls_dmnd_fills_from_sys.dram_io_far", 0x34043},
	/* amdzen4 has its two bits as far_cache and dram_io_far */
	{EACH, PMU_CORE, "ls_dmnd_fills_from_sys.far_all", 0x35043},
	{EACH, PMU_CORE, "ls_dmnd_fills_from_sys.alternate_memories", 0x38043},
	{EACH, PMU_CORE, "ls_any_fills_from_sys.local_l2", 0x30144},
	{EACH, PMU_CORE, "ls_any_fills_from_sys.local_ccx", 0x30244},
	{EACH, PMU_CORE, "ls_any_fills_from_sys.near_cache", 0x30444},
	{EACH, PMU_CORE, "ls_any_fills_from_sys.dram_io_near", 0x30844},
	{EACH, PMU_CORE, "ls_any_fills_from_sys.far_cache", 0x31044},
	{EACH, PMU_CORE, "ls_any_fills_from_sys.dram_io_far", 0x34044},
	{EACH, PMU_CORE, "ls_any_fills_from_sys.far_all", 0x35044},
	{EACH, PMU_CORE, "ls_any_fills_from_sys.alternate_memories", 0x38044},
};

#define CCMS 16

static const struct {
	const char *name;
	uint64_t control;
} of_cores[] = {
	{"instructions", 0x300C0},
	{"cycles", 0x30076},
	{"ref-cycles", 0x100030120},
};

static bool is_ccm(const char *name)
{
	return !strncmp(name, "ccm_", strlen("ccm_"));
}

TEST_LOOP(test_an_event_has_its_pmu_type_and_control, COUNT(models))
{
	for (int i = 0; i < COUNT(published); i++) {
		const struct event *event =
			model_event(fake_model(models[_i].name), published[i].name);

		ck_assert_msg((event != NULL) == ((published[i].lists & models[_i].list) != 0),
			      "%s", published[i].name);
		if (!event)
			continue;
		ck_assert_uint_eq(event->type, published[i].pmu_type);
		ck_assert_msg(event_control(event) == published[i].control, "%s: %llx", event->name,
			      (unsigned long long)event_control(event));
		ck_assert(!event->one_source);
	}
}

TEST_LOOP(test_there_is_no_event_besides_those_published, COUNT(models))
{
	for (const struct event *event = NULL;
	     (event = model_next_event(fake_model(models[_i].name), event));) {
		int i = 0;

		while (i < COUNT(published) && strcmp(published[i].name, event->name) != 0)
			i++;
		ck_assert_msg(i < COUNT(published) ||
				      (models[_i].list == VENICE && is_ccm(event->name)),
			      "%s", event->name);
	}
}

/* One source has the events: 41Eh + 40h per CCM, umask FE0h for reads and FE1h for writes. */
TEST_LOOP(test_each_ccm_of_venice_has_an_event_of_reads_and_one_of_writes, CCMS)
{
	static const char *const names[] = {"ccm_cxl_read_data_beats_%d",
					    "ccm_cxl_write_data_beats_%d"};

	for (uint64_t i = 0; i < 2; i++) {
		const uint64_t code = 0x41E + 0x40 * (uint64_t)_i;
		char name[64];

		snprintf(name, sizeof(name), names[i], _i);
		const struct event *event = model_event(fake_model("venice"), name);
		ck_assert_msg(event != NULL, "%s", name);
		ck_assert_uint_eq(event->type, PMU_DF);
		ck_assert_uint_eq(event_control(event),
				  (code & 0xFF) | code >> 8 << 32 | 0x0F00E000 | i << 8);
		ck_assert_uint_eq(event->counters, 0xFFFF);
		ck_assert(event->one_source);
	}
}

TEST(test_venice_has_16_ccms)
{
	int count = 0;

	for (const struct event *event = NULL;
	     (event = model_next_event(fake_model("venice"), event));)
		count += is_ccm(event->name);
	ck_assert_int_eq(count, 2 * CCMS);
}

TEST_LOOP(test_the_events_of_every_core_have_their_controls, COUNT(models))
{
	const struct model *model = fake_model(models[_i].name);

	for (int i = 0; i < COUNT(of_cores); i++) {
		const struct event *event = model_event(model, of_cores[i].name);

		ck_assert_uint_eq(event->type, PMU_CORE);
		ck_assert_uint_eq(event_control(event), of_cores[i].control);
		ck_assert_uint_eq(event->counters, CORE_COUNTERS_GENERAL);
	}
	ck_assert_uint_eq(model_event(model, "tsc")->counters, CORE_TSC);
}
