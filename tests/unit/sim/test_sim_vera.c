/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting through the kernel of a simulated Vera. */

#include "platform/cpus.h"
#include "platform/perf.h"
#include "sim_events.h"
#include "sim_registers.h"
#include "unit.h"

/* Rates in GB/s: 10^8 reads of lines of 64 bytes per second, 2 * 10^8 reads of DRAM. */
#define SPEC                                                                                       \
	"vera,sockets=2,read=6.4,write=3.2,dram_read=12.8,dram_write=1.28,latency=300,"            \
	"ddr_latency=100,clock=virtual"
#define ALONE (-1)

/* The first region begins at 48 TiB, and has 256 GiB of each device. */
#define WHOLE	"dst_addr_base=300000000000,dst_addr_mask=ffffffc000000000,dst_addr_en=1"
#define QUARTER "dst_addr_base=301000000000,dst_addr_mask=fffffff000000000,dst_addr_en=1"
#define BEHIND	"dst_addr_base=304000000000,dst_addr_mask=ffffffc000000000,dst_addr_en=1"

static const struct {
	const char *pmu, *fields;
	uint64_t count; /* count per second */
} events[] = {
	{"nvidia_ucf_pmu_0", "event=123,dst_loc_cmem=1", 12800000000},
	{"nvidia_ucf_pmu_0", "event=124,dst_loc_cmem=1", 1280000000},
	{"nvidia_ucf_pmu_0", "event=123,dst_loc_other=1", 12800000000},
	{"nvidia_ucf_pmu_0", "event=124,dst_loc_other=1", 6400000000},
	{"nvidia_ucf_pmu_0", "event=123", 25600000000},
	{"nvidia_ucf_pmu_0", "event=124", 7680000000},
	{"nvidia_ucf_pmu_0", "event=122", 0},
	/* three quarters are near, of 32 bytes a request; 2 GHz */
	{"nvidia_cmem_latency_pmu_0", "event=1", 300000000},
	{"nvidia_cmem_latency_pmu_0", "event=2", 300000000ULL * 100 * 2},
	{"nvidia_cmem_latency_pmu_0", "event=3", 2000000000},
	{"nvidia_nvdlink_pmu_0", "event=1", 200000000},
	{"nvidia_nvdlink_pmu_0", "event=2", 200000000ULL * 300 * 2},
	{"nvidia_nvdlink_pmu_0", "event=3", 2000000000},
	{"nvidia_pcie_tgt_pmu_0_rc_0", "event=0," WHOLE, 6400000000},
	{"nvidia_pcie_tgt_pmu_0_rc_0", "event=1," WHOLE, 3200000000},
	{"nvidia_pcie_tgt_pmu_0_rc_0", "event=2," WHOLE, 100000000},
	{"nvidia_pcie_tgt_pmu_0_rc_0", "event=3," WHOLE, 50000000},
	{"nvidia_pcie_tgt_pmu_0_rc_0", "event=0," QUARTER, 1600000000},
	{"nvidia_pcie_tgt_pmu_0_rc_0", "event=2," QUARTER, 25000000},
	{"nvidia_pcie_tgt_pmu_0_rc_0", "event=0," BEHIND, 0},
	/* the region of another root complex, and traffic that is not CXL */
	{"nvidia_pcie_tgt_pmu_0_rc_1", "event=0," WHOLE, 0},
	{"nvidia_pcie_tgt_pmu_0_rc_0", "event=0", 0},
};

TEST_LOOP(test_an_event_counts_what_its_filter_selects, COUNT(events))
{
	struct platform *p = sim_make(SPEC);
	const struct perf_event event =
		sim_event_of(p, events[_i].pmu, events[_i].fields, 0, ALONE);
	const int handle = p->ops->perf->open(p, &event);

	ck_assert_int_ge(handle, 0);
	ck_assert_int_eq(p->ops->perf->enable(p, handle, true), 0);
	pass_time(p, SECOND);
	ck_assert_uint_eq(sim_events_read(p, handle).values[0], events[_i].count);
}

/* Each root complex has its part of a region that is spread over three. */
TEST(test_a_shared_region_is_counted_in_parts)
{
	struct platform *p = sim_make("vera,ports=3,ways=3,read=6.4,clock=virtual");
	const struct perf_event event = sim_event_of(
		p, "nvidia_pcie_tgt_pmu_0_rc_2",
		"event=0,dst_addr_base=200000000000,dst_addr_mask=ffffff8000000000,dst_addr_en=1",
		0, ALONE);
	const int handle = p->ops->perf->open(p, &event);

	ck_assert_int_eq(p->ops->perf->enable(p, handle, true), 0);
	pass_time(p, 3 * SECOND);
	/* 512 GiB of 768 GiB */
	ck_assert_uint_eq(sim_events_read(p, handle).values[0], 2 * UINT64_C(6400000000));
}

TEST(test_the_part_of_the_processor_is_that_of_the_model)
{
	struct platform *p = sim_make("vera");
	char name[PROCESSOR_NAME_SIZE];
	unsigned implementer, part;

	ck_assert(p->ops->cpus->arm_part(p, &implementer, &part));
	ck_assert_uint_eq(implementer, 0x4E);
	ck_assert_uint_eq(part, 0x10);
	p->ops->cpus->processor_name(p, name);
	ck_assert_str_eq(name, "NVIDIA processor, part 0x10");
	ck_assert(!sim_make("arm")->ops->cpus->arm_part(sim_make("arm"), &implementer, &part));
}
