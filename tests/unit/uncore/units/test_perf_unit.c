/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/models/models.h"
#include "uncore/units/perf_unit.h"

#include "fake_machine.h"
#include "platform/cpus.h"
#include "platform/perf.h"
#include "uncore/discovery/perf_units.h"
#include "unit.h"

#define MOST_NAMES 7

/* Names of kernels' PMUs, and their units; "": none of the model. */
static const struct {
	const char *model;
	const char *names[MOST_NAMES];
	const char *units; /* by type and id */
} kernels[] = {
	{"dmr",
	 {"uncore_dda_1", "uncore_ula_0", "uncore_sbo_3"},
	 "socket 0 ula 0, socket 0 dda 1, socket 0 sbo 3, "},
	{"dmr",
	 {"uncore_d2d_dda_1", "uncore_d2d_ula_0", "uncore_d2d_sbo_3"},
	 "socket 0 ula 0, socket 0 dda 1, socket 0 sbo 3, "},
	{"cwf",
	 {"uncore_pciex16_1", "uncore_pciex16_3", "uncore_pciex16_8", "uncore_pciex8"},
	 "socket 0 pcie5_x16 1, socket 0 pcie5_x16 3, socket 0 pcie5_x16 8, socket 0 pcie5_x8 0, "},
	{"cwf", {"uncore_d2d_dda_0", "uncore_cha_0", "uncore_cha_x"}, "socket 0 cha 0, "},
	{"vera",
	 {"nvidia_ucf_pmu_0", "nvidia_cmem_latency_pmu_0", "nvidia_nvdlink_pmu_0",
	  "nvidia_pcie_tgt_pmu_0_rc_3", "nvidia_pcie_pmu_0_rc_3", "nvidia_pcie_tgt_pmu_0"},
	 "socket 0 ucf 0, socket 0 cmem 0, socket 0 nvdlink 0, socket 0 pcie_tgt 3, "},
	{"vera",
	 {"nvidia_t410_cpu_mem_pmu_0", "nvidia_pcie_tgt_pmu_0_chiplet_1", "nvidia_ucf_pmu_x",
	  "nvidia_pcie_tgt_pmu_x_rc_1", "nvidia_scf_pmu_0", "uncore_ucf_pmu_0"},
	 "socket 0 cmem 0, socket 0 pcie_tgt 1, "},
};

TEST_LOOP(test_a_unit_is_known_by_every_name_that_kernels_have_for_it, COUNT(kernels))
{
	unsigned cpus[] = {0};
	struct perf_pmu items[MOST_NAMES] = {{.type = 0}};
	struct perf_pmus pmus = {.items = items};
	struct fake_machine fake;
	struct topology topology;
	struct discovery found = {.units = NULL};
	struct error err = {0};
	char units[256] = "", name[UNIT_NAME_SIZE];

	fake_init(&fake);
	ck_assert_int_eq(fake.base.ops->cpus->topology(&fake.base, &topology, NULL), 0);
	for (; kernels[_i].names[pmus.count]; pmus.count++) {
		struct perf_pmu *pmu = &items[pmus.count];

		snprintf(pmu->name, sizeof(pmu->name), "%s", kernels[_i].names[pmus.count]);
		pmu->cpus = cpus;
		pmu->cpu_count = 1;
	}
	const struct discovery no_tables = {.tables = NULL};
	ck_assert_msg(!perf_units_find(&fake.base, fake_model(kernels[_i].model), &topology, &pmus,
				       &no_tables, &found, &err),
		      "%s", err.text);
	for (size_t i = 0; i < found.unit_count; i++) {
		strcat(units, unit_name(&found.units[i], name));
		strcat(units, ", ");
	}
	ck_assert_str_eq(units, kernels[_i].units);
	ck_assert_uint_eq(found.table_count, 1);
	ck_assert_uint_eq(found.tables[0].faults[RECORD_VALID], found.unit_count);
	discovery_free(&found);
	topology_free(&topology);
	platform_destroy(&fake.base);
}

/* Units of a type that the kernel counts, in the tables, but without a PMU. */
TEST(test_units_of_the_tables_that_the_kernel_leaves_out_are_listed)
{
	const struct pmu_type *cha = model_pmu_type(fake_model("gnr"), PMU_CHA);
	struct unit listed[] = {{.type = PMU_CHA, .pmu_type = cha, .id = 0},
				{.type = PMU_CHA, .pmu_type = cha, .id = 1},
				{.type = PMU_CHA, .pmu_type = cha, .id = 2},
				{.type = PMU_IMC, .pmu_type = cha, .id = 0}, /* none is counted */
				{.type = 0x7000, .id = 1}};
	const struct discovery tables = {.units = listed, .unit_count = COUNT(listed)};
	unsigned cpus[] = {0};
	struct perf_pmu items[] = {{.name = "uncore_cha_0", .cpus = cpus, .cpu_count = 1},
				   {.name = "uncore_cha_1", .cpus = cpus, .cpu_count = 1}};
	const struct perf_pmus pmus = {.items = items, .count = COUNT(items)};
	struct fake_machine fake;
	struct topology topology;
	struct discovery found = {.units = NULL};
	struct error err = {0};

	fake_init(&fake);
	ck_assert_int_eq(fake.base.ops->cpus->topology(&fake.base, &topology, NULL), 0);
	ck_assert_msg(!perf_units_find(&fake.base, fake_model("gnr"), &topology, &pmus, &tables,
				       &found, &err),
		      "%s", err.text);
	ck_assert_uint_eq(found.unit_count, 3);
	for (uint16_t id = 0; id < 3; id++) {
		ck_assert_uint_eq(found.units[id].type, PMU_CHA);
		ck_assert_uint_eq(found.units[id].id, id);
		ck_assert_uint_eq(found.units[id].uncounted, id == 2);
	}
	discovery_free(&found);
	topology_free(&topology);
	platform_destroy(&fake.base);
}

/* Formats of fields; their places differ from every kernel's. */
static struct perf_format fabric_formats[] = {
	{"dst_loc_cmem", 1, 0x10}, {"dst_loc_other", 2, 0x4}, {"event", 0, 0xFFF}};
static struct perf_alias fabric_aliases[] = {{"mem_bytes_rd", {0x77}}, {"mem_bytes_wr", {0x99}}};
static struct perf_format mainline_formats[] = {{"dst_addr_base", 1, UINT64_MAX},
						{"dst_addr_en", 0, 0x800},
						{"dst_addr_mask", 2, UINT64_MAX}};
static struct perf_format vendor_formats[] = {
	{"dst_bar_addr", 1, UINT64_MAX}, {"dst_bar_en", 0, 0x400}, {"dst_bar_mask", 2, UINT64_MAX}};
static struct perf_alias target_aliases[] = {{"rd_bytes", {6}}};

#define PMU(pmu_name, pmu_formats, pmu_aliases)                                                    \
	{                                                                                          \
		.name = pmu_name, .type = 30, .formats = pmu_formats,                              \
		.format_count = COUNT(pmu_formats), .aliases = pmu_aliases,                        \
		.alias_count = COUNT(pmu_aliases)                                                  \
	}
static const struct perf_pmu vera_pmus[] = {
	PMU("nvidia_ucf_pmu_1", fabric_formats, fabric_aliases),
	PMU("nvidia_pcie_tgt_pmu_0_rc_3", mainline_formats, target_aliases),
	PMU("nvidia_pcie_tgt_pmu_0_chiplet_3", vendor_formats, target_aliases),
	{.name = "nvidia_ucf_pmu_2",
	 .formats = fabric_formats,
	 .format_count = COUNT(fabric_formats)},
	{.name = "nvidia_ucf_pmu_3",
	 .aliases = fabric_aliases,
	 .alias_count = COUNT(fabric_aliases)},
};

/* Events of the kernel, as perf stat takes them; or the reason why not. */
static const struct {
	unsigned pmu;
	const char *event;
	struct address_block block;
	uint64_t config[PERF_CONFIG_WORDS];
	const char *text;
} vera_events[] = {
	{0, "ucf.mem_bytes_rd", {0}, {0x77}, "nvidia_ucf_pmu_1/mem_bytes_rd/"},
	{0,
	 "ucf.mem_bytes_wr.dst_loc_other",
	 {0},
	 {0x99, 0, 0x4},
	 "nvidia_ucf_pmu_1/mem_bytes_wr,dst_loc_other/"},
	{1,
	 "pcie_tgt.rd_bytes",
	 {0x4000000000, 0xFFFFFFC000000000},
	 {0x806, 0x4000000000, 0xFFFFFFC000000000},
	 "nvidia_pcie_tgt_pmu_0_rc_3/"
	 "rd_bytes,dst_addr_base=0x4000000000,dst_addr_mask=0xffffffc000000000,dst_addr_en=0x1/"},
	{2,
	 "pcie_tgt.rd_bytes",
	 {0x4000000000, 0xFFFFFFC000000000},
	 {0x406, 0x4000000000, 0xFFFFFFC000000000},
	 "nvidia_pcie_tgt_pmu_0_chiplet_3/"
	 "rd_bytes,dst_bar_addr=0x4000000000,dst_bar_mask=0xffffffc000000000,dst_bar_en=0x1/"},
	{1,
	 "pcie_tgt.wr_bytes",
	 {0},
	 {0},
	 "pcie_tgt.wr_bytes: nvidia_pcie_tgt_pmu_0_rc_3: this kernel has no event 'wr_bytes'"},
	{3,
	 "ucf.mem_bytes_rd",
	 {0},
	 {0},
	 "ucf.mem_bytes_rd: nvidia_ucf_pmu_2: this kernel has no event 'mem_bytes_rd'"},
	{4,
	 "ucf.mem_bytes_rd.dst_loc_cmem",
	 {0},
	 {0},
	 "ucf.mem_bytes_rd.dst_loc_cmem: nvidia_ucf_pmu_3: this kernel has no field "
	 "'dst_loc_cmem'"},
};

TEST_LOOP(test_events_of_vera_are_encoded_as_sysfs_says, COUNT(vera_events))
{
	const struct model *model = fake_model("vera");
	const struct event *event = NULL;
	char text[PERF_EVENT_TEXT_SIZE];
	struct perf_event encoded;
	struct error err;

	do
		event = model_next_event(model, event);
	while (strcmp(event->name, vera_events[_i].event) != 0);
	const struct unit unit = {.type = event->type,
				  .pmu_type = model_pmu_type_of(model, event),
				  .cpu = 7,
				  .perf.pmu = &vera_pmus[vera_events[_i].pmu],
				  .perf.block = vera_events[_i].block};
	if (perf_unit_encode(&unit, event, &encoded, &err)) {
		ck_assert_str_eq(err.text, vera_events[_i].text);
		return;
	}
	ck_assert_mem_eq(encoded.config, vera_events[_i].config, sizeof(encoded.config));
	ck_assert_uint_eq(encoded.type, 30);
	ck_assert_uint_eq(encoded.cpu, 7);
	ck_assert_str_eq(perf_unit_event_text(&unit, event, text), vera_events[_i].text);
}
