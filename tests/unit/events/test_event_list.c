/* SPDX-License-Identifier: BSD-3-Clause */
#include "events/event_list.h"

#include "base/text.h"
#include "events/event_parse.h"
#include "fake_machine.h"
#include "uncore/units/cpmu_events.h"
#include "unit.h"

#define USR_OS	    UINT64_C(0x30000)
#define ANY_GENERAL UINT32_C(0x7FFF0000)

/* PMU types of the tests' own processor, so that they do not depend on the tables of real ones. */
static const struct pmu_type pmu_types[] = {
	{.type = PMU_CHA, .name = "cha", .layout = &control_cha},
	{.type = PMU_IMC, .name = "imc", .mmio_control_step = 4, .layout = &control_narrow},
	{.type = PMU_CXLCM, .name = "cxlcm"},
	{.type = PMU_CXLDP, .name = "cxldp"},
	{.type = PMU_IIO, .name = "iio"},
	{.name = NULL},
};

static const struct event events[] = {
	{"UNC_CXLCM_TxC_FLITS.PROT", PMU_CXLCM, 0x05, 0x02, 0, 0x0F, "flits out"},
	{"UNC_CXLCM_RxC_FLITS.PROT", PMU_CXLCM, 0x4B, 0x02, 0, 0xF0, "flits in"},
	{"UNC_CXLCM_RxC_FLITS.CTRL", PMU_CXLCM, 0x4B, 0x04, 0, 0xF0, "flits in"},
	{"UNC_CHA_TOR_INSERTS.X", PMU_CHA, 0x35, 0x01, 0x10C81782, 0x0F, "inserts"},
	{"UNC_CHA_ODD", PMU_CHA, 0x36, 0x07, 0, 0x06, "not where the rules have it"},
	{.name = NULL},
};

static const struct formula formulas[] = {{.metric = NULL}};

static const struct model model = {
	.name = "Test Rapids",
	.short_name = "test",
	.pmu_types = pmu_types,
	.events = (const struct event *const[]){events, NULL},
	.formulas = formulas,
};

static struct event_catalogue catalogue;
static struct event_list list;

static void setup(void)
{
	catalogue_init(&catalogue, &model);
	list = (struct event_list){.count = 0};
}

static void teardown(void)
{
	event_list_free(&list);
	catalogue_free(&catalogue);
}

static void add(const char *text)
{
	struct error err = {0};

	ck_assert_msg(!event_list_add(&list, &catalogue, text, &err), "%s: %s", text, err.text);
}

/* Adds events, and returns the last one. */
static const struct event *added(const char *text)
{
	add(text);
	return list.items[list.count - 1].event;
}

/* Checks that the text is refused with this message, and that the list is unchanged. */
static void refuse(const char *text, const char *expected)
{
	struct error err = {0};

	add("{cha/event=1/,UNC_CHA_ODD}");
	const struct event_list before = list;
	struct event_choice items[2];
	memcpy(items, list.items, sizeof(items));

	assert_refusal(event_list_add(&list, &catalogue, text, &err), &err, expected);
	ck_assert_int_eq(err.code, -EINVAL);
	ck_assert_uint_eq(list.count, before.count);
	ck_assert_uint_eq(list.groups, before.groups);
	ck_assert_uint_eq(list.own.count, before.own.count);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_ptr_eq(list.items[i].event, items[i].event);
		ck_assert_uint_eq(list.items[i].group, items[i].group);
	}
	for (const char *c = err.text; *c; c++)
		ck_assert_msg(*c >= ' ' && *c <= '~', "'%s' is not printable", err.text);
}

/* --- names --- */

FIXTURE(setup, teardown)

TEST(test_name_of_the_table_is_that_event)
{
	ck_assert_ptr_eq(added("UNC_CXLCM_RxC_FLITS.PROT"), &events[1]);
	ck_assert_uint_eq(list.count, 1);
	ck_assert_uint_eq(list.items[0].group, 0);
	ck_assert_uint_eq(list.own.count, 0);
}

TEST(test_case_of_a_name_does_not_matter)
{
	ck_assert_ptr_eq(added("unc_cxlcm_rxc_flits.prot"), &events[1]);
	ck_assert_ptr_eq(added("UNC_CHA_odd"), &events[4]);
}

static const struct {
	const char *name;
	uint8_t code, umask;
	uint32_t counters;
} core_names[] = {
	{"instructions", 0xC0, 0x00, ANY_GENERAL | 1},
	{"cycles", 0x3C, 0x00, ANY_GENERAL | 2},
	{"ref-cycles", 0x3C, 0x01, 4},
	{"Cycles", 0x3C, 0x00, ANY_GENERAL | 2},
};

TEST_LOOP(test_core_events_have_plain_names_and_their_fixed_counters, COUNT_OF(core_names))
{
	const struct event *event = added(core_names[_i].name);

	ck_assert_uint_eq(event->type, PMU_CORE);
	ck_assert_uint_eq(event->counters, core_names[_i].counters);
	ck_assert_uint_eq(event_control(event),
			  USR_OS | (uint64_t)core_names[_i].umask << 8 | core_names[_i].code);
}

TEST(test_processor_without_a_table_has_core_events_alone)
{
	struct error err = {0};

	catalogue_init(&catalogue, NULL);
	ck_assert_uint_eq(added("cycles")->type, PMU_CORE);
	ck_assert_uint_eq(added("core/event=0x2e/")->type, PMU_CORE);
	assert_refusal(event_list_add(&list, &catalogue, "cha/event=1/", &err), &err,
		       "unknown unit 'cha': expected core");
}

static const struct {
	const char *typed, *nearest;
} suggestions[] = {
	{"UNC_CXLCM_RxC_FLITS.PROTT", "UNC_CXLCM_RxC_FLITS.PROT"},
	{"UNC_CXLCM_RxC_FLIT.PROT", "UNC_CXLCM_RxC_FLITS.PROT"},
	{"unc_cxlcm_txc_flits.port", "UNC_CXLCM_TxC_FLITS.PROT"},
	{"UNC_CHA_TOR_INSERT.X", "UNC_CHA_TOR_INSERTS.X"},
	{"UNC_CHA_OD", "UNC_CHA_ODD"},
	{"instruction", "instructions"},
	{"CYCLE", "cycles"},
	{"refcycles", "ref-cycles"},
};

TEST_LOOP(test_unknown_name_suggests_the_nearest, COUNT_OF(suggestions))
{
	char expected[128];

	ck_assert_str_eq(catalogue_nearest(&catalogue, suggestions[_i].typed),
			 suggestions[_i].nearest);
	snprintf(expected, sizeof(expected), "unknown event '%s': did you mean '%s'?",
		 suggestions[_i].typed, suggestions[_i].nearest);
	refuse(suggestions[_i].typed, expected);
}

static const char *const nothing_near[] = {"x", "xy", "foo", "qqqqqqqqqqqq", "-", "0x4b"};

TEST_LOOP(test_name_that_is_like_nothing_has_no_suggestion, COUNT_OF(nothing_near))
{
	char expected[64];

	ck_assert_ptr_null(catalogue_nearest(&catalogue, nothing_near[_i]));
	snprintf(expected, sizeof(expected), "unknown event '%s': expected a name",
		 nothing_near[_i]);
	refuse(nothing_near[_i], expected);
}

/* --- the catalogue --- */

static void add_extra(const char *name, uint8_t code)
{
	const struct event extra = {name, PMU_CHA, code, 0, 0, 0x0F, "extra"};

	ck_assert(!event_set_add(&catalogue.extras, &extra, NULL, NULL));
}

TEST(test_extra_event_is_found_before_the_table_and_the_first_of_two)
{
	add_extra("unc_cha_odd", 0x11);
	add_extra("UNC_CHA_ODD", 0x12);
	ck_assert_uint_eq(added("UNC_CHA_ODD")->code, 0x11);
	ck_assert_str_eq(list.items[0].event->name, "unc_cha_odd");
}

TEST(test_extra_event_is_suggested_too)
{
	add_extra("UNC_CHA_BRAND_NEW", 0x11);
	ck_assert_str_eq(catalogue_nearest(&catalogue, "UNC_CHA_BRAND_NEU"), "UNC_CHA_BRAND_NEW");
}

TEST(test_walk_meets_extras_the_table_the_core_and_cpmus_each_once)
{
	static const char *const expected[] = {
		"UNC_CHA_NEW",
		"unc_cha_odd",
		"UNC_CXLCM_TxC_FLITS.PROT",
		"UNC_CXLCM_RxC_FLITS.PROT",
		"UNC_CXLCM_RxC_FLITS.CTRL",
		"UNC_CHA_TOR_INSERTS.X",
		"instructions",
		"cycles",
		"ref-cycles",
		"tsc",
	};
	size_t count;

	add_extra("UNC_CHA_NEW", 0x10);
	add_extra("unc_cha_odd", 0x11);
	add_extra("Unc_Cha_New", 0x12);
	const struct event **found = catalogue_events(&catalogue, &count);
	ck_assert_ptr_nonnull(found);
	for (size_t i = 0; i < count; i++) {
		ck_assert_ptr_eq(found[i], catalogue_find(&catalogue, found[i]->name));
		if (i >= COUNT_OF(expected))
			ck_assert_ptr_eq(found[i], &cpmu_events[i - COUNT_OF(expected)]);
		else
			ck_assert_str_eq(found[i]->name, expected[i]);
	}
	ck_assert_ptr_null(cpmu_events[count - COUNT_OF(expected)].name);
	free(found);
}

TEST(test_choices_stay_valid_while_the_catalogue_grows)
{
	char name[32];

	add_extra("UNC_CHA_NEW", 0x77);
	const struct event *event = added("UNC_CHA_NEW");
	for (unsigned i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "UNC_CHA_NEW.%u", i);
		add_extra(name, 0);
	}
	ck_assert_ptr_eq(catalogue_find(&catalogue, "UNC_CHA_NEW"), event);
	ck_assert_uint_eq(event->code, 0x77);
}

/* --- raw events --- */

/* A raw event, its control, and the counters that can count it. */
struct raw_event {
	const char *text;
	uint16_t type;
	uint64_t control;
	uint32_t counters;
};

static void assert_raw(const struct raw_event *raw)
{
	const struct event *event = added(raw->text);

	ck_assert_uint_eq(event->type, raw->type);
	ck_assert_uint_eq(event_control(event), raw->control);
	ck_assert_uint_eq(event->counters, raw->counters);
}

static const struct raw_event raws[] = {
	{"cxlcm/event=0x4b,umask=0x2/", PMU_CXLCM, 0x24B, 0xF0},
	{"cxlcm/event=0x4b,umask=0x2,edge/", PMU_CXLCM, 0x4024B, 0xF0},
	{"cxlcm/event=0x4b,umask=0x2,inv/", PMU_CXLCM, 0x80024B, 0xF0},
	{"cxlcm/event=0x4b,umask=0x2,thresh=4/", PMU_CXLCM, 0x400024B, 0xF0},
	{"cxlcm/event=0x4b,umask=0x2,edge,inv,thresh=4,name=x/", PMU_CXLCM, 0x484024B, 0xF0},
	{"cxlcm/thresh=0xff,event=255,umask=0xFF,umask_ext=4294967295/", PMU_CXLCM,
	 UINT64_C(0xFFFFFFFFFF00FFFF), 0xFF},
	{"cha/event=0x35,umask=0x1,umask_ext=0x10c81782,tid/", PMU_CHA,
	 UINT64_C(0x10C8178200010135), 0x0F},
	{"CHA/EVENT=0X35,UMASK=0X1,UMASK_EXT=0X10C81782,TID/", PMU_CHA,
	 UINT64_C(0x10C8178200010135), 0x0F},
	{"cha/event=0/", PMU_CHA, 0, 0x0F},
	{"imc/event=5,umask=207/", PMU_IMC, 0xCF05, 0x0F},
	{"core/event=0xc0,umask=0,usr,os,edge,cmask=1,inv,any/", PMU_CORE, 0x1A700C0, ANY_GENERAL},
	{"core/event=0xc0/", PMU_CORE, 0x300C0, ANY_GENERAL | 1},
	{"core/event=0xc0,umask=0,usr,os/", PMU_CORE, 0x300C0, ANY_GENERAL | 1},
	{"core/event=0xc0,cmask=0/", PMU_CORE, 0x300C0, ANY_GENERAL | 1},
	{"core/event=0xc0,usr/", PMU_CORE, 0x100C0, ANY_GENERAL},
	{"core/event=0xc0,os/", PMU_CORE, 0x200C0, ANY_GENERAL},
	{"core/event=0xc0,edge/", PMU_CORE, 0x700C0, ANY_GENERAL},
	{"core/event=0xc0,any/", PMU_CORE, 0x2300C0, ANY_GENERAL},
	{"core/event=0xc0,inv/", PMU_CORE, 0x8300C0, ANY_GENERAL},
	{"core/event=0xc0,umask=1/", PMU_CORE, 0x301C0, ANY_GENERAL},
	{"core/event=0xc0,cmask=0xff/", PMU_CORE, 0xFF0300C0, ANY_GENERAL},
	{"core/event=0x3c/", PMU_CORE, 0x3003C, ANY_GENERAL | 2},
	{"core/event=0x3c,umask=1/", PMU_CORE, 0x3013C, ANY_GENERAL},
	{"core/event=0x2e,umask=0x4f/", PMU_CORE, 0x34F2E, ANY_GENERAL},
};

TEST_LOOP(test_raw_event_is_encoded_bit_by_bit, COUNT_OF(raws))
{
	assert_raw(&raws[_i]);
}

static const char *const spellings[] = {
	" cxlcm/event=0x4b,umask=2/ ",
	"cxlcm / event = 0x4b , umask = 2 /",
	"\tcxlcm/\tevent=0x4b,\tumask=2/",
	"cxlcm/umask=2,event=75/",
	"cxlcm/event=0x000000000000004b,umask=0002/",
};

TEST_LOOP(test_blanks_order_and_base_do_not_matter, COUNT_OF(spellings))
{
	ck_assert_uint_eq(event_control(added(spellings[_i])), 0x24B);
}

static const struct {
	const char *pmu_type;
	unsigned code;
	uint32_t counters;
} rules[] = {
	{"cxlcm", 0x01, 0xFF}, {"cxlcm", 0x02, 0x0F}, {"cxlcm", 0x05, 0x0F}, {"cxlcm", 0x40, 0xF0},
	{"cxlcm", 0x41, 0xF0}, {"cxlcm", 0x42, 0xF0}, {"cxlcm", 0x43, 0xF0}, {"cxlcm", 0x4B, 0xF0},
	{"cxlcm", 0x52, 0xF0}, {"cxlcm", 0x44, 0xFF}, {"cxlcm", 0x36, 0xFF}, {"cha", 0x36, 0x01},
	{"cha", 0x35, 0x0F},   {"cha", 0x02, 0x0F},   {"cxldp", 0x02, 0x0F}, {"imc", 0x05, 0x0F},
	{"imc", 0x36, 0x0F},   {"iio", 0x83, 0x0F},
};

TEST_LOOP(test_raw_event_that_is_in_no_table_has_counters_by_its_pmu_type, COUNT_OF(rules))
{
	char text[64];

	snprintf(text, sizeof(text), "%s/event=%#x,umask=0xa5/", rules[_i].pmu_type,
		 rules[_i].code);
	ck_assert_uint_eq(added(text)->counters, rules[_i].counters);
}

TEST(test_raw_event_that_is_a_row_has_the_counters_of_that_row)
{
	ck_assert_uint_eq(added("cha/event=0x36,umask=7/")->counters, 0x06);
	ck_assert_uint_eq(added("cha/event=0x36,umask=7,edge/")->counters, 0x06);
	ck_assert_uint_eq(added("cha/event=0x36,umask=7,umask_ext=1/")->counters, 0x01);
	ck_assert_uint_eq(added("cxlcm/event=0x36,umask=7/")->counters, 0xFF);
}

TEST(test_raw_event_that_is_an_extra_has_the_counters_of_that)
{
	const struct event extra = {"X", PMU_CXLDP, 0x99, 0x01, 0, 0x03, ""};

	ck_assert(!event_set_add(&catalogue.extras, &extra, NULL, NULL));
	ck_assert_uint_eq(added("cxldp/event=0x99,umask=1/")->counters, 0x03);
}

static const struct {
	const char *text;
	uint32_t counters;
} pins[] = {
	{"cxlcm/event=1,counter=0/", 0x01},
	{"cxlcm/event=1,counter=7/", 0x80},
	{"cxlcm/event=0x4b,umask=2,counter=4/", 0x10},
	{"cxlcm/counter=3,event=0x05,umask=2/", 0x08},
	{"cha/event=0x36,counter=0/", 0x01},
	{"cha/event=0x36,umask=7,counter=2/", 0x04},
	{"imc/event=5,counter=0x3/", 0x08},
	{"core/event=0xc0,counter=0/", UINT32_C(1) << 16},
	{"core/event=0x2e,counter=14/", UINT32_C(1) << 30},
};

TEST_LOOP(test_counter_pins_the_event_to_it, COUNT_OF(pins))
{
	ck_assert_uint_eq(added(pins[_i].text)->counters, pins[_i].counters);
}

TEST(test_raw_event_is_called_what_the_user_wrote)
{
	ck_assert_str_eq(added(" CHA/event=1, umask=2/ ")->name, "CHA/event=1, umask=2/");
	ck_assert_str_eq(added("cha/event=1/,imc/event=2/")->name, "imc/event=2/");
	ck_assert_str_eq(list.items[1].event->name, "cha/event=1/");
	ck_assert_ptr_null(list.items[0].event->help);
	ck_assert_str_eq(added("cha/\tevent=1/")->name, "cha/ event=1/");
}

/* Events of Diamond Rapids, whose PMU types have their own layouts. */
static const struct raw_event dmr_raws[] = {
	{"cxlcm/event=0x01,umask=0x02,port_en=1/", PMU_CXLCM_DMR, UINT64_C(0x100000201), 0x0F},
	{"cxlcm/event=0x24,port_en=0xf,edge/", PMU_CXLCM_DMR, UINT64_C(0xF00040024), 0x0F},
	{"cxlcm/event=0x25,inv,thresh=1/", PMU_CXLCM_DMR, 0xA00025, 0xFF},
	{"cxlcm/event=0x41,thresh=0x1ff/", PMU_CXLCM_DMR, 0xFF800041, 0xF0},
	{"imc/event=5,umask=0xcf,thresh=0x3ff/", PMU_IMC, UINT64_C(0x1FF80CF05), 0x0F},
	{"cbo/event=0x11,umask_ext=0xffffffff/", PMU_CBO, UINT64_C(0xFFFFFFFF00000011), 0x01},
	{"cbo/event=0x18/", PMU_CBO, 0x18, 0x0F},
	{"cbo/event=0x19/", PMU_CBO, 0x19, 0x01},
	{"cbo/event=0x1a/", PMU_CBO, 0x1A, 0x01},
	{"cbo/event=0x1f/", PMU_CBO, 0x1F, 0x01},
	{"cbo/event=0x21/", PMU_CBO, 0x21, 0x01},
	{"cbo/event=0x25/", PMU_CBO, 0x25, 0x01},
	{"cbo/event=0x36/", PMU_CBO, 0x36, 0x01},
	{"sbo/event=0x1f/", PMU_SBO, 0x1F, 0x01},
	{"sca/event=1,umask_ext=2,thresh=0xff,inv/", PMU_SCA, UINT64_C(0x2FF800001), 0x0F},
	{"hamvf/event=1,umask_ext=2/", PMU_HAMVF, UINT64_C(0x200000001), 0x0F},
	{"pcie6/event=1,thresh=0xfff,rs3_sel=1,tx_sel=1,vc_sel=3,port_sel=0xff/", PMU_PCIE6,
	 UINT64_C(0x00FF035FFF000001), 0x0F},
};

TEST_LOOP(test_raw_event_of_diamond_rapids_is_encoded_bit_by_bit, COUNT_OF(dmr_raws))
{
	catalogue_free(&catalogue);
	catalogue_init(&catalogue, fake_model("dmr"));
	assert_raw(&dmr_raws[_i]);
}

TEST(test_terms_are_listed_as_refusals_have_them)
{
	char terms[EVENT_TERMS_SIZE];

	ck_assert_str_eq(event_terms(&model, PMU_CHA, terms),
			 "event, umask, umask_ext, thresh, counter, name, edge, inv, tid");
	ck_assert_str_eq(event_terms(&model, PMU_CORE, terms),
			 "event, umask, cmask, counter, name, edge, inv, usr, os, any");
	ck_assert_str_eq(event_terms(fake_model("dmr"), PMU_PCIE6, terms),
			 "event, umask, thresh, rs3_sel, rx_sel, tx_sel, iep_sel, vc_sel, "
			 "port_sel, counter, name, edge, inv");
	ck_assert_str_eq(event_terms(fake_model("turin"), PMU_L3, terms),
			 "event, umask, coreid, sliceid, threadmask, counter, name, enallslices, "
			 "enallcores");
	ck_assert_str_eq(event_terms(fake_model("turin"), PMU_CORE, terms),
			 "event, umask, cmask, counter, name, edge, inv, usr, os");
}

/* Events of AMD, their controls, and the counters that can count them. */
static const struct raw_event amd_raws[] = {
	{"df/event=0x31f,umask=0xffe/", PMU_DF, 0x030F00FE1F, 0xFFFF},
	{"df/event=0x3fff,umask=0xfff/", PMU_DF, 0x3F0F00FFFF, 0xFFFF},
	{"l3/event=0xac,umask=0x10,enallcores,enallslices,sliceid=3,threadmask=3/", PMU_L3,
	 0x0303C000000010AC, 0x3F},
	/* the default: all threads, cores and slices */
	{"l3/event=0x04,umask=0xff/", PMU_L3, 0x0300C0000000FF04, 0x3F},
	{"l3/event=0x04,umask=0xff,coreid=5,sliceid=2,threadmask=1/", PMU_L3, 0x010214000000FF04,
	 0x3F},
	{"umc/event=0x0a,umask=1/", PMU_UMC, 0x10A, 0x0F},
	{"core/event=0x43,umask=0x80/", PMU_CORE, 0x38043, ANY_GENERAL},
	{"core/event=0xf43,umask=0x80,usr,cmask=2/", PMU_CORE, 0xF02018043, ANY_GENERAL},
};

TEST_LOOP(test_a_raw_event_of_amd_has_the_fields_of_its_pmu_type, COUNT_OF(amd_raws))
{
	catalogue_free(&catalogue);
	catalogue_init(&catalogue, fake_model("turin"));
	assert_raw(&amd_raws[_i]);
}

/* Events by name, or by the specification's vendor, group and mask. */
static const struct raw_event cpmu_raws[] = {
	{"cpmu/m2s_req_memrd/", PMU_CPMU, 0x1E98002000000002, UINT32_MAX},
	{"CPMU/M2S_REQ_MemRd/", PMU_CPMU, 0x1E98002000000002, UINT32_MAX},
	{"cpmu/ddr_caswr/", PMU_CPMU, 0x1E98800000000008, UINT32_MAX},
	{"cpmu/group=0x25,mask=5/", PMU_CPMU, 0x1E98002500000005, UINT32_MAX},
	{"cpmu/vendor=0x8086,group=0xffff,mask=0xffffffff/", PMU_CPMU, 0x8086FFFFFFFFFFFF,
	 UINT32_MAX},
	{"cpmu/group=0,mask=1,name=ticks/", PMU_CPMU, 0x1E98000000000001, UINT32_MAX},
};

TEST_LOOP(test_events_of_devices_are_by_name_or_by_vendor_group_and_mask, COUNT_OF(cpmu_raws))
{
	assert_raw(&cpmu_raws[_i]);
}

TEST_LOOP(test_an_event_of_a_device_is_known_on_every_processor, 2)
{
	catalogue_free(&catalogue);
	catalogue_init(&catalogue, _i ? NULL : fake_model("genoa"));
	ck_assert_str_eq(added("s2m_drs_memdata")->name, "s2m_drs_memdata");
	ck_assert_str_eq(added("cpmu/s2m_drs_memdata/")->name, "s2m_drs_memdata");
	ck_assert_str_eq(catalogue_nearest(&catalogue, "s2m_drs_memdate"), "s2m_drs_memdata");
}

static const struct {
	const char *text, *expected;
} cpmu_refusals[] = {
	{"cpmu/group=0x20/", "expected the name of an event, or group=N,mask=N"},
	{"cpmu/mask=1/", "expected the name of an event, or group=N,mask=N"},
	{"cpmu/group=0x20,mask=0/", "expected the name of an event, or group=N,mask=N"},
	{"cpmu/group=0x10000,mask=1/", "group=0x10000: expected a number from 0 to 0xffff"},
	{"cpmu/group=0,mask=0x100000000/",
	 "mask=0x100000000: expected a number from 0 to 0xffffffff"},
	{"cpmu/event=1/", "unknown term 'event' for cpmu: expected vendor, group, mask, name"},
	{"cpmu/m2s_req_memrx/", "unknown term 'm2s_req_memrx' for cpmu"},
	{"cpmu/instructions/", "unknown term 'instructions' for cpmu"},
	{"cxl_pmu_mem0.0/m2s_req_memrd/",
	 "'cxl_pmu_mem0.0' is perf's name for one unit; cxlmon counts on every cpmu: "
	 "cpmu/NAME/ or cpmu/vendor=N,group=N,mask=N/"},
	{"cpmu/s2m_drs_memdat/", "mask, name, or the name of an event (cxlmon list cpmu)"},
	{"cha/vendor=1,event=1/", "unknown term 'vendor' for cha"},
};

TEST_LOOP(test_what_a_device_has_not_is_refused, COUNT_OF(cpmu_refusals))
{
	refuse(cpmu_refusals[_i].text, cpmu_refusals[_i].expected);
}

static const struct {
	const char *text, *expected;
} amd_refusals[] = {
	{"df/event=0x4000/", "event=0x4000: expected a number from 0 to 0x3fff"},
	{"df/event=1,umask=0x1000/", "umask=0x1000: expected a number from 0 to 0xfff"},
	{"df/event=1,edge/", "unknown term 'edge' for df: expected event, umask, counter, name"},
	{"df/event=1,counter=16/", "counter=16: expected a number from 0 to 15"},
	{"l3/event=0x100/", "event=0x100: expected a number from 0 to 0xff"},
	{"l3/event=1,sliceid=8/", "sliceid=8: expected a number from 0 to 0x7"},
	{"l3/event=1,threadmask=4/", "threadmask=4: expected a number from 0 to 0x3"},
	{"l3/event=1,counter=6/", "counter=6: expected a number from 0 to 5"},
	{"umc/event=1,umask=4/", "umask=4: expected a number from 0 to 0x3"},
	{"umc/event=1,rdwrmask=1/", "'rdwrmask' is perf's name; here it is umask"},
	{"core/event=0x1000/", "event=0x1000: expected a number from 0 to 0xfff"},
	{"core/event=1,any/", "unknown term 'any' for core"},
	{"amd_df/event=0x31f,umask=0xffe/",
	 "'amd_df' is perf's name for one unit; cxlmon counts on every df: "
	 "df/event=0x31f,umask=0xffe/"},
	{"amd_l3/event=0xac/", "cxlmon counts on every l3: l3/event=0xac/"},
	{"amd_umc_12/event=0xa,rdwrmask=1/",
	 "'amd_umc_12' is perf's name for one unit; cxlmon counts on every umc"},
	{"cpu/event=0x43/", "cxlmon counts on every core: core/event=0x43/"},
	{"amd_iommu/event=1/", "unknown unit 'amd_iommu': expected df, l3, umc, core or cpmu"},
	{"uncore_df/event=1/", "unknown unit 'uncore_df'"},
	{"cha/event=1/", "unknown unit 'cha': expected df, l3, umc, core or cpmu"},
	{"UNC_CHA_CLOCKTICKS", "expected a name that cxlmon list shows, or a raw event such as "
			       "df/event=0x31f,umask=0xffe/"},
};

TEST_LOOP(test_what_amd_has_not_is_refused, COUNT_OF(amd_refusals))
{
	struct error err;

	catalogue_free(&catalogue);
	catalogue_init(&catalogue, fake_model("turin"));
	assert_refusal(event_list_add(&list, &catalogue, amd_refusals[_i].text, &err), &err,
		       amd_refusals[_i].expected);
}

static const struct {
	const char *text, *expected;
} dmr_refusals[] = {
	{"cha/event=1/",
	 "unknown unit 'cha': expected pcu, ubox, imc, mse, sca, cxlcm, hamvf, cbo"},
	{"cxldp/event=1/", "unknown unit 'cxldp'"},
	{"cxlcm/event=1,port_en=16/", "port_en=16: expected a number from 0 to 0xf"},
	{"cxlcm/event=1,thresh=512/", "thresh=512: expected a number from 0 to 0x1ff"},
	{"cxlcm/event=1,umask_ext=1/", "unknown term 'umask_ext' for cxlcm: expected event, umask, "
				       "thresh, port_en, counter, name, edge, inv"},
	{"cbo/event=1,tid/", "unknown term 'tid' for cbo"},
	{"imc/event=1,inv/", "unknown term 'inv' for imc"},
	{"santa/event=1,umask_ext=1/", "unknown term 'umask_ext' for santa"},
	{"cxlcm/event=0x24,counter=4/", "counter 4 cannot count this event: expected one of 0, 1"},
};

TEST_LOOP(test_what_diamond_rapids_has_not_is_refused, COUNT_OF(dmr_refusals))
{
	struct error err = {0};

	catalogue_free(&catalogue);
	catalogue_init(&catalogue, fake_model("dmr"));
	assert_refusal(event_list_add(&list, &catalogue, dmr_refusals[_i].text, &err), &err,
		       dmr_refusals[_i].expected);
}

TEST(test_raw_event_is_called_what_its_name_says)
{
	ck_assert_str_eq(added("cha/event=1,name=My_Own:event-1.2/")->name, "My_Own:event-1.2");
	ck_assert_str_eq(added("cha/name = a ,event=1/")->name, "a");
}

TEST(test_longest_text_is_taken_and_one_more_refused)
{
	char text[EVENT_NAME_SIZE + 1];
	const size_t longest = EVENT_NAME_SIZE - 1;

	memset(text, '0', sizeof(text));
	memcpy(text, "cha/event=", strlen("cha/event="));
	strcpy(text + longest - 2, "7/");
	ck_assert_uint_eq(added(text)->code, 7);
	ck_assert_str_eq(list.items[0].event->name, text);
	strcpy(text + longest - 2, "07/");
	event_list_free(&list);
	refuse(text, "longer than 255 characters");
}

/* --- ranges --- */

static const struct {
	const char *pmu_type, *term;
	uint64_t most;
	const char *said;
} ranges[] = {
	{"cha", "event", 0xFF, "from 0 to 0xff"},
	{"cha", "umask", 0xFF, "from 0 to 0xff"},
	{"cha", "umask_ext", 0xFFFFFFFF, "from 0 to 0xffffffff"},
	{"cha", "thresh", 0xFF, "from 0 to 0xff"},
	{"cha", "counter", 3, "from 0 to 3"},
	{"cxlcm", "counter", 7, "from 0 to 7"},
	{"cxldp", "counter", 3, "from 0 to 3"},
	{"core", "event", 0xFF, "from 0 to 0xff"},
	{"core", "umask", 0xFF, "from 0 to 0xff"},
	{"core", "cmask", 0xFF, "from 0 to 0xff"},
	{"core", "counter", 14, "from 0 to 14"},
};

static void with_value(char text[128], int i, const char *value)
{
	snprintf(text, 128, "%s/%s=%s%s/", ranges[i].pmu_type, ranges[i].term, value,
		 strcmp(ranges[i].term, "event") ? ",event=1" : "");
}

TEST_LOOP(test_value_is_taken_from_zero_to_its_most_and_no_further, COUNT_OF(ranges))
{
	char text[128], value[32];

	with_value(text, _i, "0");
	add(text);
	snprintf(value, sizeof(value), "%#llx", (unsigned long long)ranges[_i].most);
	with_value(text, _i, value);
	add(text);
	event_list_free(&list);
	snprintf(value, sizeof(value), "%llu", (unsigned long long)ranges[_i].most + 1);
	with_value(text, _i, value);
	refuse(text, ranges[_i].said);
}

static const char *const no_numbers[] = {"",
					 "-1",
					 "+1",
					 "x",
					 "0x",
					 "0xg",
					 "1.0",
					 "1e1",
					 "1 2",
					 "0x-1",
					 "0x0x1",
					 "1=1",
					 "''",
					 "1_0",
					 "\x01",
					 "99999999999999999999",
					 "0x10000000000000000",
					 "\xff"};

TEST_LOOP(test_what_is_no_number_is_refused, COUNT_OF(ranges) * COUNT_OF(no_numbers))
{
	const int range = _i / (int)COUNT_OF(no_numbers);
	char text[128];

	with_value(text, range, no_numbers[_i % (int)COUNT_OF(no_numbers)]);
	refuse(text, ranges[range].said);
}

TEST_LOOP(test_a_term_stands_once_at_most, 2)
{
	char terms[EVENT_TERMS_SIZE], text[128], expected[64];

	event_terms(&model, _i ? PMU_CORE : PMU_CHA, terms);
	for (const char *term = strtok(terms, ", "); term; term = strtok(NULL, ", ")) {
		snprintf(text, sizeof(text), "%s/%s%s=1,%s=1/", _i ? "core" : "cha",
			 strcmp(term, "event") ? "event=1," : "", term, term);
		snprintf(expected, sizeof(expected), "%s is given twice", term);
		refuse(text, expected);
	}
}

/* --- refusals --- */

static const struct {
	const char *text, *expected;
} refusals[] = {
	/* PMU types */
	{"foo/event=1/", "unknown unit 'foo': expected cha, imc, cxlcm, cxldp, iio, core or cpmu"},
	{"/event=1/", "unknown unit '': expected cha"},
	{"upi/event=1/", "unknown unit 'upi'"},
	{"cha cha/event=1/", "unknown unit 'cha cha'"},
	/* terms */
	{"cha//", "event 'cha//': event=... is missing"},
	{"cha/ /", "event=... is missing"},
	{"cha/umask=1/", "event=... is missing"},
	{"cha/event=1,/", "unknown term '' for cha"},
	{"cha/,event=1/", "unknown term '' for cha"},
	{"cha/event/", "event needs a value: expected event=..."},
	{"cha/event=1,umask/", "umask needs a value: expected umask=..."},
	{"cha/event=1,name/", "name needs a value: expected name=..."},
	{"cha/event=1,foo=1/", "unknown term 'foo' for cha: expected event, umask, umask_ext, "
			       "thresh, counter, name, edge, inv, tid"},
	{"core/event=1,foo/", "unknown term 'foo' for core: expected event, umask, cmask, counter, "
			      "name, edge, inv, usr, os, any"},
	{"cha/event=1,=1/", "unknown term '' for cha"},
	{"cha/event=1,edge=2/", "edge=2: expected 0 or 1"},
	{"cha/event=1,tid=/", "tid=: expected 0 or 1"},
	{"core/event=1,usr=yes/", "usr=yes: expected 0 or 1"},
	{"cha/event=1,cmask=1/", "unknown term 'cmask' for cha"},
	{"cha/event=1,usr/", "unknown term 'usr' for cha"},
	{"cha/event=1,any/", "unknown term 'any' for cha"},
	{"core/event=1,thresh=1/", "unknown term 'thresh' for core"},
	{"core/event=1,umask_ext=1/", "unknown term 'umask_ext' for core"},
	{"core/event=1,tid/", "unknown term 'tid' for core"},
	{"cxlcm/event=1,tid/", "unknown term 'tid' for cxlcm"},
	{"cxlcm/event=1,port_en=1/", "unknown term 'port_en' for cxlcm: expected event, umask, "
				     "umask_ext, thresh, counter, name, edge, inv"},
	{"imc/event=1,umask_ext=1/", "unknown term 'umask_ext' for imc"},
	{"cha/event=0x35,umask=0x10c8178201/",
	 "from 0 to 0xff; bits that perf has above bit 7 belong in umask_ext= here"},
	{"core/event=0xc0,umask=0x100/", "umask=0x100: expected a number from 0 to 0xff"},
	/* names */
	{"UNC_CHA_*", "expected names without *, ? or []; cxlmon list 'UNC_CHA_*' shows those"},
	{"cha/event=1,name=/", "name=: expected letters, digits, or _ . : -"},
	{"cha/event=1,name=a b/", "name=a b: expected letters"},
	{"cha/event=1,name=a;b/", "name=a;b: expected letters"},
	{"cha/event=1,name={a}/", "name={a}: expected letters"},
	{"cha/event=1,name=\"/", "expected letters"},
	/* counters */
	{"cxlcm/event=0x05,umask=2,counter=5/",
	 "event 'cxlcm/event=0x05,umask=2,counter=5/': counter 5 cannot count this event: expected one of "
	 "0, 1, 2, 3"},
	{"cxlcm/event=2,umask=0xa5,counter=4/",
	 "counter 4 cannot count this event: expected one of 0, 1, 2"},
	{"cxlcm/event=0x41,umask=0xa5,counter=3/", "expected one of 4, 5, 6, 7"},
	{"cha/event=0x36,counter=1/", "counter 1 cannot count this event: expected one of 0"},
	{"cha/event=0x36,umask=7,counter=0/",
	 "counter 0 cannot count this event: expected one of 1, 2"},
	/* lists */
	{"", "expected an event at the end"},
	{"  ", "expected an event at the end"},
	{",", "expected an event before ','"},
	{"cycles,", "expected an event at the end"},
	{",cycles", "expected an event before ',cycles'"},
	{"cycles,,cycles", "expected an event before ',cycles'"},
	{"cycles cycles", "unknown event 'cycles cycles'"},
	{"cha/event=1/x", "expected a comma before 'x'"},
	{"cha/event=1//", "expected a comma before '/'"},
	{"cha/event=1/cha/event=1/", "expected a comma before 'cha/event=1/'"},
	{"cycles/", "missing closing slash: 'cycles/'"},
	{"/", "missing closing slash: '/'"},
	{"//", "unknown unit ''"},
	{"cpu-cycles", "unknown event 'cpu-cycles': did you mean 'cycles'?"},
	{"UNC_MCHBM_CAS_COUNT.RD",
	 "unknown event 'UNC_MCHBM_CAS_COUNT.RD': known on Sapphire Rapids; not published for"},
	{"uncore_cha_0/event=0x35,umask=0xff/",
	 "'uncore_cha_0' is perf's name for one unit; cxlmon counts on every cha: "
	 "cha/event=0x35,umask=0xff/"},
	{"uncore_imc/event=5/", "cxlmon counts on every imc: imc/event=5/"},
	{"uncore_cxlcm_12/event=1/", "cxlmon counts on every cxlcm"},
	{"cpu/event=0x3c/", "cxlmon counts on every core: core/event=0x3c/"},
	{"uncore_foo_0/event=1/", "unknown unit 'uncore_foo_0': expected cha"},
	{"uncore_cha_x/event=1/", "unknown unit 'uncore_cha_x'"},
	{"uncore_cha_/event=1/", "unknown unit 'uncore_cha_'"},
	{"uncore_/event=1/", "unknown unit 'uncore_'"},
	{"cha/event=1", "missing closing slash: 'cha/event=1'"},
	/* braces */
	{"{", "expected an event at the end"},
	{"}", "expected an event before '}'"},
	{"{}", "expected an event before '}'"},
	{"{ }", "expected an event before '}'"},
	{"{cycles", "missing closing brace at the end"},
	{"{cycles,", "expected an event at the end"},
	{"{cycles,}", "expected an event before '}'"},
	{"{,cycles}", "expected an event before ',cycles}'"},
	{"cycles}", "closing brace without opening brace: '}'"},
	{"{cycles}}", "expected a comma before '}'"},
	{"{{cycles}}", "expected an event before '{cycles}}'"},
	{"{cycles,{cycles}}", "groups cannot be nested: '{cycles}}'"},
	{"{cycles}{cycles}", "expected a comma before '{cycles}'"},
	{"cycles{cycles}", "expected a comma before '{cycles}'"},
	{"{cycles}cycles", "expected a comma before 'cycles'"},
	{"cycles,{cycles},{", "expected an event at the end"},
	{"cycles,{cha/event=1/},{cha/event=x/}", "event=x: expected a number"},
	/* files */
	{"cycles,@x", "'@x': @FILE must be all of SPEC and cannot be nested"},
	{"{@x}", "'@x': @FILE must be all of SPEC and cannot be nested"},
	{"@/nowhere/at/all", "cannot read '/nowhere/at/all': No such file or directory"},
	{"@/dev/null", "'/dev/null' has no events"},
	/* characters that are never typed */
	{"cycles\ncycles", "unknown event 'cycles?cycles'"},
	{"cha/event=1\n/", "event=1?: expected a number"},
	{"\x01\x7f\xff", "unknown event '?"},
	{"cha\n/event=1/", "unknown unit 'cha?'"},
};

TEST_LOOP(test_what_makes_no_sense_is_refused, COUNT_OF(refusals))
{
	refuse(refusals[_i].text, refusals[_i].expected);
}

static const char *const patterns[] = {"{",	   "}",	   "/",	       ",",    "@",
				       "x",	   " ",	   "{cycles,", "cha/", "cha/event=1,",
				       "cycles/,", "\xff", "x=",       "0",    "{}/,"};

TEST_LOOP(test_endless_nonsense_is_refused_in_one_line, COUNT_OF(patterns))
{
	const char *pattern = patterns[_i];
	const size_t length = strlen(pattern), count = 200000;
	char *text = malloc(length * count + 1);

	for (size_t i = 0; i < count; i++)
		memcpy(text + i * length, pattern, length);
	text[length * count] = '\0';
	refuse(text, "");
	free(text);
}

/* Every string of these pieces, up to five of them: taken or refused, but nothing worse. */
TEST(test_every_short_mixture_is_taken_or_refused_whole)
{
	static const char *const pieces[] = {"{", "}", "/", ",", " ", "cha", "event=1", "cycles"};
	const unsigned all = 8 * 8 * 8 * 8 * 8;

	for (unsigned n = 0; n < all; n++) {
		struct error err = {0};
		char text[64] = "";

		for (unsigned rest = n, i = 0; i < 5; i++, rest /= 8)
			strcat(text, pieces[rest % 8]);
		if (event_list_add(&list, &catalogue, text, &err)) {
			ck_assert_int_eq(err.kind, ERROR_USAGE);
			ck_assert_uint_eq(list.count, 0);
			ck_assert_uint_eq(list.own.count, 0);
			ck_assert_uint_eq(list.groups, 0);
		}
		event_list_free(&list);
	}
}

TEST(test_refusal_without_a_place_for_the_message_is_one_too)
{
	ck_assert_int_eq(event_list_add(&list, &catalogue, "nonsense", NULL), -EINVAL);
	ck_assert_int_eq(event_list_add(&list, &catalogue, "cha/x/", NULL), -EINVAL);
	ck_assert_int_eq(event_list_add(&list, &catalogue, "@/nowhere", NULL), -EINVAL);
}

/* --- lists and groups --- */

static void assert_groups(const unsigned *expected, size_t count)
{
	ck_assert_uint_eq(list.count, count);
	for (size_t i = 0; i < count; i++)
		ck_assert_uint_eq(list.items[i].group, expected[i]);
}

TEST(test_events_come_in_their_order)
{
	add("cycles, cha/event=1,umask=2/ ,instructions");
	ck_assert_uint_eq(list.count, 3);
	ck_assert_str_eq(list.items[0].event->name, "cycles");
	ck_assert_uint_eq(event_control(list.items[1].event), 0x201);
	ck_assert_str_eq(list.items[2].event->name, "instructions");
}

TEST(test_braces_make_groups_that_are_numbered_over_every_option)
{
	static const unsigned expected[] = {0, 1, 1, 1, 0, 2, 3, 3, 0, 4};

	add("cycles,{cycles,instructions,cha/event=1,umask=2/},cycles,{cycles}");
	add(" { cycles , cha/event=1/ } ");
	add("cycles");
	add("{ UNC_CHA_ODD }");
	assert_groups(expected, COUNT_OF(expected));
	ck_assert_uint_eq(list.groups, 4);
}

TEST(test_refused_group_uses_up_no_number)
{
	static const unsigned expected[] = {1, 2};

	add("{cycles}");
	ck_assert(event_list_add(&list, &catalogue, "{cycles},{x}", NULL));
	add("{cycles}");
	assert_groups(expected, COUNT_OF(expected));
}

TEST(test_same_event_may_be_asked_for_twice)
{
	add("cycles,cycles,cha/event=1/,cha/event=1/");
	ck_assert_uint_eq(list.count, 4);
	ck_assert_ptr_eq(list.items[0].event, list.items[1].event);
}

TEST(test_different_events_of_a_pmu_type_have_different_names)
{
	static const char why[] = "two different events are named 'a': give each its own name, as "
				  "in name=a_2";

	refuse("cha/event=1,name=a/,cha/event=2,name=a/", why);
	refuse("{cha/event=1,name=a/,cha/event=1,umask=1,name=a/}", why);
	add("cha/event=1,name=a/");
	refuse("cycles,cha/event=1,counter=0,name=a/", why);
	event_list_free(&list);
	add("cha/event=1,name=a/");
	/* the same event in another spelling, or of another PMU type, needs no other name */
	add("cha/event=0x1,name=a/,cha/event=2,name=A/,imc/event=2,name=a/");
	ck_assert_uint_eq(list.count, 4);
}

TEST(test_thousands_of_events_are_no_trouble)
{
	for (unsigned i = 0; i < 5000; i++) {
		char text[64];

		snprintf(text, sizeof(text), "{cycles,cha/event=%u,umask=%u/}", i & 0xFF, i >> 8);
		add(text);
	}
	ck_assert_uint_eq(list.count, 10000);
	ck_assert_uint_eq(list.items[9999].group, 5000);
	for (unsigned i = 0; i < 5000; i++)
		ck_assert_uint_eq(event_control(list.items[2 * i + 1].event),
				  (i >> 8) << 8 | (i & 0xFF));
}

TEST(test_list_can_be_freed_twice_and_used_again)
{
	add("cha/event=1/");
	event_list_free(&list);
	event_list_free(&list);
	add("{cycles}");
	ck_assert_uint_eq(list.items[0].group, 1);
}

/* --- files --- */

static const char *file_option(const char *content)
{
	static char option[256];

	tree_file("events", "%s", content);
	snprintf(option, sizeof(option), "@%s", tree_path("events"));
	return option;
}

TREE_FIXTURE(setup, teardown)

TEST(test_file_gives_events_line_by_line)
{
	static const unsigned expected[] = {1, 0, 0, 2, 2, 0};

	add("{cycles}");
	add(file_option("# what we look at\n\n  \t\ncycles, instructions\n"
			"\t# and together\n{cycles,cha/event=1,umask=2/}\r\n\r\ncha/event=7/"));
	assert_groups(expected, COUNT_OF(expected));
	ck_assert_uint_eq(list.items[5].event->code, 7);
}

TEST(test_blanks_around_the_file_do_not_matter)
{
	char option[300];

	snprintf(option, sizeof(option), "  %s\t", file_option("cycles\n"));
	add(option);
	ck_assert_uint_eq(list.count, 1);
}

static const struct {
	const char *content, *expected;
} files[] = {
	{"", "has no events"},
	{"\n \n#cycles\n", "has no events"},
	{"cycles\n\ncycle\n", "events:3: unknown event 'cycle': did you mean 'cycles'?"},
	{"# x\ncha/event=256/", "events:2: event 'cha/event=256/': event=256: expected a number"},
	{"{cycles,\ncycles}\n", "events:1: expected an event at the end"},
	{"cycles\n}\n", "events:2: expected an event before '}'"},
	{"cycles\n@other\n", "events:2: '@other': @FILE must be all of SPEC and cannot be nested"},
	{"cyc\rles\n", "events:1: unknown event 'cyc?les'"},
	{"cycles # not a comment\n", "events:1: unknown event 'cycles # not a comment'"},
};

TEST_LOOP(test_file_that_makes_no_sense_is_refused_with_its_line, COUNT_OF(files))
{
	refuse(file_option(files[_i].content), files[_i].expected);
}

TEST(test_file_with_a_nul_is_refused)
{
	const char *option = file_option("cycles\n");

	tree_bytes("events", 7, "\0cycles\n", 8);
	refuse(option, "is not a text file");
}
