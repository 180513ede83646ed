/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/models/models.h"

#include "fake_machine.h"
#include "metrics/metric.h"
#include "unit.h"
#include "view/view.h"

static const struct {
	unsigned family, display_model;
	const char *name, *short_name;
	uint32_t freeze_msr;
	bool upi_ignored;
} processors[] = {
	{6, 0x8F, "Sapphire Rapids", "spr", 0x2FF0, true},
	{6, 0xCF, "Emerald Rapids", "emr", 0x2FF0, true},
	{6, 0xAD, "Granite Rapids", "gnr", 0, false},
	{6, 0xAE, "Granite Rapids-D", "gnr-d", 0, false},
	{6, 0xAF, "Sierra Forest", "srf", 0, false},
	{6, 0xDD, "Clearwater Forest", "cwf", 0, false},
	{19, 0x01, "Diamond Rapids", "dmr", 0, false},
};

/* Ranges of model numbers. Family 19h is 25, family 1Ah is 26. */
static const struct {
	unsigned family, first, last;
	const char *name, *short_name;
	unsigned ports;	       /* counted by the data fabric of a socket */
	const char *port_name; /* "": they are ports */
} of_amd[] = {
	{26, 0x00, 0x1F, "Turin", "turin", 4, ""},
	{26, 0x50, 0x50, "Venice A0", "venice-a0", 16, "ccm"},
	{26, 0x51, 0x57, "Venice", "venice", 16, "ccm"},
	{25, 0x10, 0x1F, "Genoa", "genoa", 0, ""},
	{25, 0xA0, 0xAF, "Bergamo", "bergamo", 0, ""},
};

static const struct model *find(const char *vendor, unsigned family, unsigned display_model)
{
	struct cpu_identity cpu = {.family = family, .model = display_model};

	strcpy(cpu.vendor, vendor);
	return model_find(&cpu);
}

static const struct model *processor(int i)
{
	return find("GenuineIntel", processors[i].family, processors[i].display_model);
}

TEST_LOOP(test_each_known_processor_has_its_model_and_freeze_register, COUNT(processors))
{
	const struct model *model = processor(_i);

	ck_assert_ptr_nonnull(model);
	ck_assert_str_eq(model->name, processors[_i].name);
	ck_assert_str_eq(model->short_name, processors[_i].short_name);
	ck_assert_uint_eq(model->global_freeze_msr, processors[_i].freeze_msr);
}

TEST(test_any_other_intel_processor_has_the_one_without_pmu_types)
{
	for (unsigned n = 0; n < 0x100; n++) {
		bool known = false;

		for (int i = 0; i < COUNT(processors); i++)
			known |= processors[i].family == 6 && processors[i].display_model == n;
		ck_assert_int_eq(!find("GenuineIntel", 6, n)->pmu_types->name, !known);
		ck_assert_str_eq(find("GenuineIntel", 5, n)->short_name, "intel");
		ck_assert_str_eq(find("GenuineIntel", 15, n)->short_name, "intel");
		ck_assert_str_eq(find("GenuineIntel", 19, n)->short_name, n == 1 ? "dmr" : "intel");
	}
}

static const struct model *amd(int i)
{
	return find("AuthenticAMD", of_amd[i].family, of_amd[i].first);
}

#define MODELS (COUNT(processors) + COUNT(of_amd) + 1)

/* Intel's, AMD's, and the one of Arm. */
static const struct model *any_model(int i)
{
	if (i == MODELS - 1)
		return fake_model("vera");
	return i < COUNT(processors) ? processor(i) : amd(i - COUNT(processors));
}

TEST_LOOP(test_each_amd_processor_has_its_model_at_both_ends_of_its_range, COUNT(of_amd))
{
	const struct model *model = amd(_i);

	ck_assert_str_eq(model->name, of_amd[_i].name);
	ck_assert_str_eq(model->short_name, of_amd[_i].short_name);
	ck_assert_ptr_eq(find("AuthenticAMD", of_amd[_i].family, of_amd[_i].last), model);
	ck_assert_ptr_eq(model_by_name(of_amd[_i].short_name), model);
}

/* Returns true for the processors that the kernel's bsp_init_amd() takes for Zen 4 or later. */
static bool is_zen4_or_later(unsigned family, unsigned n)
{
	return family > 0x19 ||
	       (family == 0x19 && ((n >= 0x10 && n <= 0x1F) || (n >= 0x60 && n <= 0xFF)));
}

/* Tests also the numbers just outside each range, and the other family's numbers. */
TEST(test_any_other_amd_processor_has_the_one_without_pmu_types)
{
	for (unsigned family = 23; family < 28; family++)
		for (unsigned n = 0; n < 0x100; n++) {
			const char *expected = is_zen4_or_later(family, n) ? "amd" : "other";

			for (int i = 0; i < COUNT(of_amd); i++)
				if (of_amd[i].family == family && n >= of_amd[i].first &&
				    n <= of_amd[i].last)
					expected = of_amd[i].short_name;
			ck_assert_str_eq(find("AuthenticAMD", family, n)->short_name, expected);
		}
	ck_assert_ptr_null(find("AuthenticAMD", 26, 0x20)->pmu_types->name);
}

TEST_LOOP(test_another_vendor_with_the_same_numbers_is_not_known, COUNT(processors))
{
	const unsigned family = processors[_i].family, n = processors[_i].display_model;

	ck_assert_str_eq(find("CentaurHauls", family, n)->short_name, "other");
	ck_assert_str_eq(find("", family, n)->short_name, "other");
	ck_assert_str_eq(find("AuthenticAMD", family, n)->short_name, "other");
}

TEST_LOOP(test_another_vendor_with_the_numbers_of_amd_is_not_known, COUNT(of_amd))
{
	ck_assert_str_eq(find("CentaurHauls", of_amd[_i].family, of_amd[_i].first)->short_name,
			 "other");
	ck_assert_str_eq(find("GenuineIntel", of_amd[_i].family, of_amd[_i].first)->short_name,
			 "intel");
}

TEST(test_of_another_vendor_not_even_cores_are_known)
{
	const struct model *model = find("CentaurHauls", 6, 1);

	ck_assert(!model_has_core(model) && model_has_core(find("GenuineIntel", 6, 1)));
	ck_assert_ptr_null(model->pmu_types->name);
	ck_assert_ptr_null(model->events);
	ck_assert_ptr_null(model->formulas->metric);
	ck_assert_ptr_null(model_event(model, "cycles"));
}

TEST_LOOP(test_the_one_without_boxes_measures_cores_and_nothing_else, 2)
{
	static const char *const vendors[] = {"GenuineIntel", "AuthenticAMD"};
	const struct model *model = find(vendors[_i], _i ? 0x1B : 6, 1);
	size_t count = 0;

	ck_assert_ptr_null(model->events);
	ck_assert_uint_eq(model->global_freeze_msr, 0);
	for (const struct formula *f = model->formulas; f->metric; f++, count++)
		ck_assert_int_eq(metric_by_name(f->metric)->source, SOURCE_CORES);
	ck_assert_uint_eq(count, 4);
}

TEST(test_the_list_holds_each_model_once)
{
	int n = 0;

	for (const struct model *const *m = model_list(); *m; m++, n++)
		ck_assert_ptr_eq(*m, any_model(n));
	ck_assert_int_eq(n, MODELS);
}

/* Only processors without a freeze register have B2CXLs. */
TEST_LOOP(test_units_in_memory_have_their_controls_so_many_bytes_apart, (COUNT(processors) - 1))
{
	static const struct {
		uint16_t type;
		const char *name;
		uint8_t step;
	} in_memory[] = {{PMU_CXLCM, "cxlcm", 8},
			 {PMU_CXLDP, "cxldp", 8},
			 {PMU_IMC, "imc", 4},
			 {PMU_B2CXL, "b2cxl", 8}};

	for (int i = 0; i < COUNT(in_memory); i++) {
		const struct pmu_type *pmu_type = model_pmu_type(processor(_i), in_memory[i].type);

		if (in_memory[i].type == PMU_B2CXL && processors[_i].freeze_msr) {
			ck_assert_ptr_null(pmu_type);
			continue;
		}
		ck_assert_str_eq(pmu_type->name, in_memory[i].name);
		ck_assert_uint_eq(pmu_type->mmio_control_step, in_memory[i].step);
	}
}

TEST_LOOP(test_upi_records_are_ignored_on_sapphire_and_emerald_rapids_only, (COUNT(processors) - 1))
{
	const struct pmu_type *upi = model_pmu_type(processor(_i), PMU_UPI);
	const struct pmu_type *m3upi = model_pmu_type(processor(_i), PMU_M3UPI);

	ck_assert_int_eq(upi->ignored, processors[_i].upi_ignored);
	if (processors[_i].upi_ignored)
		ck_assert(m3upi->ignored);
	else
		ck_assert_ptr_null(m3upi);
}

TEST_LOOP(test_nothing_but_upi_records_is_ignored, (COUNT(processors) - 1))
{
	for (const struct pmu_type *pmu_type = processor(_i)->pmu_types; pmu_type->name; pmu_type++)
		if (pmu_type->type != PMU_UPI && pmu_type->type != PMU_M3UPI)
			ck_assert(!pmu_type->ignored);
}

TEST_LOOP(test_amd_has_a_data_fabric_l3s_and_memory_controllers_and_no_freeze_register,
	  COUNT(of_amd))
{
	static const struct {
		uint16_t type;
		const char *name;
		uint64_t enable;
	} pmu_types[] = {{PMU_DF, "df", UINT64_C(1) << 22},
			 {PMU_L3, "l3", UINT64_C(1) << 22},
			 {PMU_UMC, "umc", UINT64_C(1) << 31}};
	const struct model *model = amd(_i);

	for (int i = 0; i < COUNT(pmu_types); i++) {
		ck_assert_str_eq(model->pmu_types[i].name, pmu_types[i].name);
		ck_assert_uint_eq(model->pmu_types[i].type, pmu_types[i].type);
		ck_assert_uint_eq(model->pmu_types[i].enable, pmu_types[i].enable);
	}
	ck_assert_ptr_null(model->pmu_types[COUNT(pmu_types)].name);
	ck_assert_uint_eq(model->global_freeze_msr, 0);
	ck_assert_uint_eq(model->discovery_msr, 0);
	ck_assert_uint_eq(model->offcore_rsp_bits, 0);
}

TEST_LOOP(test_amd_s_ports_are_counted_by_the_data_fabric, COUNT(of_amd))
{
	ck_assert_uint_eq(amd(_i)->ports_of_df, of_amd[_i].ports);
	ck_assert_str_eq(amd(_i)->port_name ? amd(_i)->port_name : "", of_amd[_i].port_name);
}

/* Bits that are neither event, umask nor selectors, from the manual. */
TEST_LOOP(test_what_is_written_to_a_control_of_amd_is_event_umask_and_selectors, COUNT(of_amd))
{
	static const struct {
		uint16_t type;
		uint64_t mask;
	} masks[] = {{PMU_DF, 0x3F0F00FFFF}, {PMU_L3, 0x0307DC000000FFFF}, {PMU_UMC, 0x3FF}};

	for (int i = 0; i < COUNT(masks); i++)
		ck_assert_uint_eq(
			control_mask(pmu_type_layout(model_pmu_type(amd(_i), masks[i].type))),
			masks[i].mask);
	ck_assert_uint_eq(control_mask(model_core(amd(_i))->layout), 0xFFF84FFFF | UINT64_C(1)
											   << 23);
}

/* Type and name, and true if its MMIO controls are known to be 8 bytes apart. */
static const struct {
	uint16_t type;
	const char *name;
	bool step_known;
} dmr_pmu_types[] = {
	{4, "pcu", false},   {5, "ubox", false},  {6, "imc", false},   {23, "sca", true},
	{24, "cxlcm", true}, {30, "hamvf", true}, {31, "cbo", true},   {32, "santa", false},
	{33, "cncu", false}, {34, "sncu", false}, {35, "ula", true},   {36, "dda", true},
	{38, "sbo", true},   {43, "ubr", true},	  {45, "pcie4", true}, {46, "crs", false},
	{47, "cpc", true},   {48, "itc", true},	  {49, "otc", true},   {50, "cms", false},
	{51, "pcie6", true},
};

TEST_LOOP(test_diamond_rapids_has_its_pmu_types, COUNT(dmr_pmu_types))
{
	const struct pmu_type *pmu_type = model_pmu_type(fake_model("dmr"), dmr_pmu_types[_i].type);

	ck_assert_str_eq(pmu_type->name, dmr_pmu_types[_i].name);
	ck_assert_uint_eq(pmu_type->mmio_control_step, dmr_pmu_types[_i].step_known ? 8 : 0);
	ck_assert(!pmu_type->ignored);
}

TEST(test_diamond_rapids_ignores_the_types_whose_records_are_broken_and_has_no_others)
{
	int n = 0;

	for (const struct pmu_type *pmu_type = fake_model("dmr")->pmu_types; pmu_type->name;
	     pmu_type++, n++)
		ck_assert_int_eq(pmu_type->ignored,
				 pmu_type->type == 0x13 || pmu_type->type == 0x25);
	ck_assert_int_eq(n, COUNT(dmr_pmu_types) + 2);
}

/* Controls with a field above bit 31 cannot be 4 bytes apart. */
TEST_LOOP(test_no_control_of_4_bytes_has_a_field_above_them, MODELS)
{
	for (const struct pmu_type *pmu_type = any_model(_i)->pmu_types; pmu_type->name; pmu_type++)
		if (pmu_type->mmio_control_step == 4)
			ck_assert_uint_le(control_mask(pmu_type_layout(pmu_type)), UINT32_MAX);
}

TEST(test_a_type_in_no_table_has_the_generic_layout)
{
	ck_assert_ptr_eq(pmu_type_layout(NULL), &control_generic);
	ck_assert_ptr_eq(pmu_type_layout(model_pmu_type(fake_model("spr"), PMU_CHA)), &control_cha);
}

TEST(test_cxlcms_have_two_types)
{
	for (uint16_t type = 0; type < 64; type++)
		ck_assert_int_eq(pmu_type_is_cxlcm(type), type == 12 || type == 24);
}

TEST_LOOP(test_an_unknown_pmu_type_event_or_metric_is_null, MODELS)
{
	ck_assert_ptr_null(model_pmu_type(any_model(_i), 10));
	ck_assert_ptr_null(model_pmu_type(any_model(_i), 0xFFFF));
	ck_assert_ptr_null(model_event(any_model(_i), "UNC_CXLCM_NOTHING"));
	ck_assert_ptr_null(model_event(any_model(_i), ""));
}

static bool in_metric_table(const char *name)
{
	for (const struct metric *m = metric_table; m->name; m++)
		if (!strcmp(m->name, name))
			return m->kind == METRIC_NUMBER;
	return false;
}

TEST_LOOP(test_a_formula_s_metric_is_in_the_metric_table, MODELS)
{
	for (const struct formula *f = any_model(_i)->formulas; f->metric; f++)
		ck_assert_msg(in_metric_table(f->metric), "%s", f->metric);
}

/* The view tries only this number of formulas: a further one would never be used. */
TEST_LOOP(test_the_ways_to_make_a_metric_follow_in_the_order_of_the_table, MODELS)
{
	const struct model *model = any_model(_i);

	for (const struct formula *f = model->formulas; f->metric; f++) {
		unsigned nth = 0;

		for (const struct formula *g = model->formulas; g < f; g++)
			nth += !strcmp(f->metric, g->metric);
		ck_assert_uint_lt(nth, ALTERNATIVES);
	}
}

TEST_LOOP(test_a_clock_counts_the_clock_of_its_pmu_type, COUNT(processors))
{
	static const struct {
		uint16_t pmu_type;
		uint64_t control;
	} clocks[] = {
		{PMU_CHA, 0x0001}, {PMU_IMC, 0x0101}, {PMU_CXLCM, 0x0201}, {PMU_CXLDP, 0x0101}};
	const struct model *model = processor(_i);
	const bool ports = model == fake_model("spr") || model == fake_model("emr");

	for (int i = 0; i < COUNT(clocks); i++) {
		const struct event *clock = model_clock(model, clocks[i].pmu_type);

		/* clocks of ports are published only for two processors; without an event list
		 * there is none */
		ck_assert_int_eq(clock != NULL, (i < 2 || ports) && model->events);
		if (clock)
			ck_assert_uint_eq(event_control(clock), clocks[i].control);
	}
	ck_assert_ptr_null(model_clock(model, PMU_PCU));
}

static const struct {
	unsigned implementer, part;
	const char *name;
} of_arm[] = {
	{0x4E, 0x010, "Vera"},
	{0x4E, 0x004, "unknown processor"}, /* Carmel */
	{0x41, 0x010, "unknown processor"},
	{0, 0, "unknown processor"},
};

TEST_LOOP(test_a_processor_of_arm_is_found_by_its_part, COUNT(of_arm))
{
	const struct cpu_identity id = {.implementer = of_arm[_i].implementer,
					.part = of_arm[_i].part};

	ck_assert_str_eq(model_find(&id)->name, of_arm[_i].name);
}

TEST(test_the_clock_of_a_latency_is_that_of_its_pmu)
{
	const struct model *vera = fake_model("vera");

	ck_assert_str_eq(model_clock(vera, PMU_CMEM)->name, "cmem.cycles");
	ck_assert_str_eq(model_clock(vera, PMU_NVDLINK)->name, "nvdlink.cycles");
	ck_assert_ptr_null(model_clock(vera, PMU_UCF));
}
