/* SPDX-License-Identifier: BSD-3-Clause */
/* The models' event tables, compared with Intel's lists, row by row. */
#include <strings.h>

#include "base/text.h"
#include "fake_machine.h"
#include "published.h"
#include "uncore/model/event.h"
#include "uncore/model/model.h"
#include "uncore/models/models.h"
#include "unit.h"

#define HELP_MAX 100 /* characters */

#define TOR_INSERTS   0x35
#define TOR_OCCUPANCY 0x36

/* Lists of models, and their lengths. */
static const struct {
	const char *model, *list;
	int rows;
} lists[] = {
	{"spr", "spr", 179}, {"emr", "emr", 198}, {"gnr", "gnr", 138}, {"gnr-d", "gnr", 138},
	{"srf", "srf", 122}, {"cwf", "cwf", 122}, {"dmr", "dmr", 0},
};

/* Models of other vendors. */
static const char *const others[] = {"turin", "venice-a0", "venice", "genoa", "bergamo", "vera"};

/* Events that Intel PCM programs, but no list has. */
static const struct {
	const char *list, *event;
} unpublished[] = {
	{"gnr", "UNC_CXLCM_RxC_PACK_BUF_INSERTS.CACHE_DATA"},
	{"gnr", "UNC_CXLCM_TxC_PACK_BUF_INSERTS.CACHE_DATA"},
	{"srf", "UNC_CXLCM_RxC_PACK_BUF_INSERTS.CACHE_DATA"},
	{"srf", "UNC_CXLCM_TxC_PACK_BUF_INSERTS.CACHE_DATA"},
};

/*
 * Events that no list has: the opcode of DRD_OPT in a class that is published for DRD on Emerald
 * Rapids.
 */
static const struct {
	const char *list, *event, *of_drd;
} derived[] = {
	{"srf", "INSERTS.IA_MISS_DRD_OPT_CXL_ACC", "INSERTS.IA_MISS_DRD_CXL_ACC"},
	{"srf", "INSERTS.IA_MISS_DRD_OPT_CXL_EXP_LOCAL", "INSERTS.IA_MISS_DRD_CXL_EXP_LOCAL"},
	{"srf", "OCCUPANCY.IA_MISS_DRD_OPT_CXL_ACC", "OCCUPANCY.IA_MISS_DRD_CXL_ACC"},
	{"srf", "OCCUPANCY.IA_MISS_DRD_OPT_CXL_EXP_LOCAL", "OCCUPANCY.IA_MISS_DRD_CXL_EXP_LOCAL"},
	{"cwf", "INSERTS.IA_MISS_DRD_OPT_CXL_ACC", "INSERTS.IA_MISS_DRD_CXL_ACC"},
	{"cwf", "INSERTS.IA_MISS_DRD_OPT_CXL_EXP_LOCAL", "INSERTS.IA_MISS_DRD_CXL_EXP_LOCAL"},
	{"cwf", "OCCUPANCY.IA_MISS_DRD_OPT_CXL_ACC", "OCCUPANCY.IA_MISS_DRD_CXL_ACC"},
	{"cwf", "OCCUPANCY.IA_MISS_DRD_OPT_CXL_EXP_LOCAL", "OCCUPANCY.IA_MISS_DRD_CXL_EXP_LOCAL"},
};

/* Events that only Emerald Rapids' list has. */
static const struct {
	const char *list, *event;
} of_emerald_rapids[] = {
	{"spr", "INSERTS.IA_MISS_DRD_CXL_EXP_LOCAL"},
	{"spr", "OCCUPANCY.IA_MISS_DRD_CXL_EXP_LOCAL"},
	{"gnr", "INSERTS.IA_MISS_DRD_CXL_EXP_LOCAL"},
	{"gnr", "OCCUPANCY.IA_MISS_DRD_CXL_EXP_LOCAL"},
};

#define TOR "UNC_CHA_TOR_"

/* Stall events of cores, on one list. */
#define WAITS(list)                                                                                \
	{list, "MEMORY_ACTIVITY.STALLS_L1D_MISS", 0x47, 0x03, .cmask = 3},                         \
		{list, "MEMORY_ACTIVITY.STALLS_L2_MISS", 0x47, 0x05, .cmask = 5},                  \
		{list, "MEMORY_ACTIVITY.STALLS_L3_MISS", 0x47, 0x09, .cmask = 9},                  \
		{list,	     "EXE_ACTIVITY.BOUND_ON_STORES", 0xA6, 0x40,                           \
		 .cmask = 2, .on_first_eight = true},                                              \
		{list, "OFFCORE_REQUESTS.DEMAND_DATA_RD", 0x21, 0x01},                             \
		{list, "MEM_LOAD_RETIRED.L1_MISS", 0xD1, 0x08},                                    \
		{list, "MEM_LOAD_RETIRED.FB_HIT", 0xD1, 0x40},                                     \
		{list, "MEM_LOAD_RETIRED.L1_HIT", 0xD1, 0x01},                                     \
		{list, "MEM_LOAD_RETIRED.L2_HIT", 0xD1, 0x02},                                     \
		{list, "MEM_LOAD_RETIRED.L3_HIT", 0xD1, 0x04},                                     \
		{list, "MEM_LOAD_RETIRED.L3_MISS", 0xD1, 0x20},                                    \
		{list, "MEM_LOAD_L3_MISS_RETIRED.LOCAL_DRAM", 0xD3, 0x01},                         \
		{list, "MEM_LOAD_L3_MISS_RETIRED.REMOTE_DRAM", 0xD3, 0x02},                        \
		{list, "MEM_LOAD_L3_MISS_RETIRED.REMOTE_HITM", 0xD3, 0x04},                        \
		{list, "MEM_LOAD_L3_MISS_RETIRED.REMOTE_FWD", 0xD3, 0x08},                         \
		{list, "OFFCORE_REQUESTS_OUTSTANDING.CYCLES_WITH_DEMAND_DATA_RD", 0x20, 0x01,      \
		 .cmask = 1},                                                                      \
	{                                                                                          \
		list, "OFFCORE_REQUESTS_OUTSTANDING.DEMAND_DATA_RD", 0x20, 0x01                    \
	}

/* Stall events of E-cores. */
#define LOAD_WAITS(list, name, umask)                                                              \
	{                                                                                          \
		list, "MEM_BOUND_STALLS_LOAD." name, 0x34, umask, .on_first_eight = true           \
	}

/* Events of an E-core's loads. */
#define LOAD_UOPS(list)                                                                            \
	{list, "MEM_UOPS_RETIRED.ALL_LOADS", 0xD0, 0x81, .on_first_eight = true},                  \
		{list, "MEM_LOAD_UOPS_RETIRED.L1_HIT", 0xD1, 0x01, .on_first_eight = true},        \
		{list, "MEM_LOAD_UOPS_RETIRED.L2_HIT", 0xD1, 0x02, .on_first_eight = true},        \
		{list, "MEM_LOAD_UOPS_RETIRED.L3_HIT", 0xD1, 0x1C, .on_first_eight = true},        \
	{                                                                                          \
		list, "MEM_LOAD_UOPS_L3_MISS_RETIRED.ALL", 0xD3, 0xFF, .on_first_eight = true      \
	}

/*
 * Events of cores, from sapphirerapids_core, emeraldrapids_core, graniterapids_core,
 * sierraforest_core and clearwaterforest_core; the file only has the uncore's.
 */
static const struct {
	const char *list, *event;
	uint8_t code, umask;
	uint64_t offcore_rsp;
	uint8_t cmask;
	bool on_first_eight; /* on general-purpose counters 0 to 7, not only on 0 to 3 */
} of_cores[] = {
	WAITS("spr"),
	WAITS("emr"),
	WAITS("gnr"),
	LOAD_WAITS("srf", "L2_HIT", 0x01),
	LOAD_WAITS("srf", "LLC_HIT", 0x06),
	LOAD_WAITS("srf", "LLC_MISS", 0x78),
	LOAD_WAITS("srf", "L2_MISS", 0x7E),
	LOAD_WAITS("srf", "ALL", 0x7F),
	LOAD_WAITS("srf", "SBFULL", 0x80),
	LOAD_WAITS("cwf", "L2_HIT", 0x01),
	LOAD_WAITS("cwf", "LLC_HIT", 0x06),
	LOAD_WAITS("cwf", "LLC_MISS_OTHERMOD", 0x08),
	LOAD_WAITS("cwf", "LLC_MISS_LOCALMEM", 0x10),
	LOAD_UOPS("srf"),
	LOAD_UOPS("cwf"),
	{"srf", "MEM_LOAD_UOPS_RETIRED.WCB_HIT", 0xD1, 0x20, .on_first_eight = true},
	{"gnr", "MEM_LOAD_L3_MISS_RETIRED.REMOTE_CXL_MEM", 0xD3, 0x10, 0},
	{"gnr", "MEM_LOAD_RETIRED.LOCAL_CXL_MEM", 0xD1, 0x80, 0},
	{"gnr", "OCR.READS_TO_CORE.CXL_MEM", 0x2A, 0x01, 0x703C04477},
	{"gnr", "OCR.READS_TO_CORE.LOCAL_CXL_MEM", 0x2A, 0x01, 0x700C04477},
	{"gnr", "OCR.READS_TO_CORE.REMOTE_CXL_MEM", 0x2A, 0x01, 0x703004477},
	{"spr", "OCR.READS_TO_CORE.LOCAL_SOCKET_PMM", 0x2A, 0x01, 0x700C04477},
	{"spr", "OCR.READS_TO_CORE.REMOTE_PMM", 0x2A, 0x01, 0x703004477},
	{"emr", "OCR.READS_TO_CORE.LOCAL_SOCKET_PMM", 0x2A, 0x01, 0x700C04477},
	{"emr", "OCR.READS_TO_CORE.REMOTE_PMM", 0x2A, 0x01, 0x703004477},
};

static struct published_event rows[PUBLISHED_MAX];
static int row_count;

static void read_rows(void)
{
	row_count = published_read(rows);
}

static uint32_t counter_mask(const char *list)
{
	uint32_t mask = 0;

	ck_assert_msg(numlist_valid(list), "%s", list);
	for (unsigned i = 0; i < 32; i++)
		if (numlist_contains(list, i))
			mask |= UINT32_C(1) << i;
	return mask;
}

/* Returns a model: Intel's, then others, whose events test_amd_events.c checks. */
static const struct model *model_of(int i)
{
	return fake_model(i < COUNT(lists) ? lists[i].model : others[i - COUNT(lists)]);
}

static bool is_published(const char *list, const char *name)
{
	for (int i = 0; i < row_count; i++)
		if (published_on(&rows[i], list) && !strcmp(rows[i].name, name))
			return true;
	return false;
}

static bool is_of_a_core(const char *list, const struct event *event)
{
	for (int i = 0; i < COUNT(of_cores); i++)
		if (!strcmp(of_cores[i].list, list) && !strcmp(of_cores[i].event, event->name))
			return event->code == of_cores[i].code &&
			       event->umask == of_cores[i].umask &&
			       event->offcore_rsp == of_cores[i].offcore_rsp &&
			       event->counters ==
				       (of_cores[i].on_first_eight ? 0xFF0000 : 0xF0000) &&
			       event->modifiers == (0x30000 | (uint64_t)of_cores[i].cmask << 24);
	return false;
}

static bool is_known_exception(const char *list, const char *name)
{
	for (int i = 0; i < COUNT(unpublished); i++)
		if (!strcmp(unpublished[i].list, list) && !strcmp(unpublished[i].event, name))
			return true;
	if (strncmp(name, TOR, strlen(TOR)) != 0)
		return false;
	name += strlen(TOR);
	for (int i = 0; i < COUNT(derived); i++)
		if (!strcmp(derived[i].list, list) && !strcmp(derived[i].event, name))
			return true;
	for (int i = 0; i < COUNT(of_emerald_rapids); i++)
		if (!strcmp(of_emerald_rapids[i].list, list) &&
		    !strcmp(of_emerald_rapids[i].event, name))
			return true;
	return false;
}

static void assert_row(const struct model *model, const struct published_event *row)
{
	const struct event *event = model_event(model, row->name);

	ck_assert_msg(event != NULL, "%s has no %s", model->short_name, row->name);
	ck_assert_msg(!strcmp(model_pmu_type(model, event->type)->name, row->pmu_type) &&
			      event->code == row->code && event->umask == row->umask &&
			      event->umask_ext == row->umask_ext &&
			      event->counters == counter_mask(row->counters) && !event->modifiers,
		      "%s has another %s", model->short_name, row->name);
}

FIXTURE(read_rows, NULL)

TEST_LOOP(test_every_published_event_is_in_the_table_as_published, COUNT(lists))
{
	int n = 0;

	for (int i = 0; i < row_count; i++) {
		if (!published_on(&rows[i], lists[_i].list))
			continue;
		assert_row(model_of(_i), &rows[i]);
		n++;
	}
	ck_assert_int_eq(n, lists[_i].rows);
}

TEST(test_every_row_of_the_file_is_of_some_model_s_list)
{
	for (int i = 0; i < row_count; i++) {
		bool known = false;

		for (int k = 0; k < COUNT(lists); k++)
			known |= published_on(&rows[i], lists[k].list);
		ck_assert_msg(known, "%s", rows[i].models);
	}
}

TEST(test_every_model_has_a_list)
{
	int n = 0;

	for (const struct model *const *m = model_list(); *m; m++)
		ck_assert_ptr_eq(*m, model_of(n++));
	ck_assert_int_eq(n, COUNT(lists) + COUNT(others));
}

TEST_LOOP(test_an_event_of_the_table_is_published_or_a_known_exception, COUNT(lists))
{
	const char *list = lists[_i].list;

	for (const struct event *event = NULL; (event = model_next_event(model_of(_i), event));)
		ck_assert_msg(event->type == PMU_CORE
				      ? is_of_a_core(list, event)
				      : is_published(list, event->name) !=
						is_known_exception(list, event->name),
			      "%s %s", list, event->name);
}

TEST_LOOP(test_a_known_exception_has_the_control_that_sapphire_rapids_publishes, COUNT(unpublished))
{
	const struct event *published = model_event(fake_model("spr"), unpublished[_i].event);
	const struct event *event =
		model_event(fake_model(unpublished[_i].list), unpublished[_i].event);

	ck_assert_uint_eq(event->type, published->type);
	ck_assert_uint_eq(event_control(event), event_control(published));
	ck_assert_uint_eq(event->counters, published->counters);
}

static const struct event *tor_event(const char *model, const char *name)
{
	char whole[64];

	snprintf(whole, sizeof(whole), TOR "%s", name);
	const struct event *event = model_event(fake_model(model), whole);
	ck_assert_msg(event != NULL, "%s %s", model, whole);
	return event;
}

TEST_LOOP(test_a_derived_event_differs_from_the_published_one_in_the_opcode_alone, COUNT(derived))
{
	const struct event *event = tor_event(derived[_i].list, derived[_i].event);
	const struct event *of_drd = tor_event("emr", derived[_i].of_drd);
	const uint64_t opcodes = tor_event("emr", "INSERTS.IA_MISS_DRD")->umask_ext ^
				 tor_event("emr", "INSERTS.IA_MISS_DRD_OPT")->umask_ext;

	ck_assert_uint_eq(event->umask_ext, of_drd->umask_ext ^ opcodes);
	ck_assert_uint_eq(event->code, of_drd->code);
	ck_assert_uint_eq(event->umask, of_drd->umask);
	ck_assert_uint_eq(event->counters, of_drd->counters);
}

TEST_LOOP(test_an_event_of_emerald_rapids_has_its_control, COUNT(of_emerald_rapids))
{
	const char *name = of_emerald_rapids[_i].event;
	const struct event *event = tor_event(of_emerald_rapids[_i].list, name);
	const struct event *published = tor_event("emr", name);

	ck_assert_uint_eq(event_control(event), event_control(published));
	ck_assert_uint_eq(event->counters, published->counters);
}

FIXTURE(NULL, NULL)

TEST_LOOP(test_no_two_names_of_a_table_differ_by_case_alone, (COUNT(lists) + COUNT(others)))
{
	for (const struct event *a = NULL; (a = model_next_event(model_of(_i), a));)
		for (const struct event *b = a; (b = model_next_event(model_of(_i), b));)
			ck_assert_msg(strcasecmp(a->name, b->name), "%s", a->name);
}

TEST_LOOP(test_no_two_events_of_a_pmu_type_have_the_same_control, (COUNT(lists) + COUNT(others)))
{
	for (const struct event *a = NULL; (a = model_next_event(model_of(_i), a));)
		for (const struct event *b = a; (b = model_next_event(model_of(_i), b));)
			ck_assert_msg(a->type != b->type || event_control(a) != event_control(b) ||
					      a->offcore_rsp != b->offcore_rsp,
				      "%s %s", a->name, b->name);
}

TEST_LOOP(test_every_event_says_in_one_short_line_what_it_counts, (COUNT(lists) + COUNT(others)))
{
	for (const struct event *event = NULL; (event = model_next_event(model_of(_i), event));) {
		ck_assert_msg(event->help && event->help[0], "%s", event->name);
		ck_assert_msg(strlen(event->help) <= HELP_MAX, "%s", event->name);
		ck_assert_msg(!strpbrk(event->help, "\n\t"), "%s", event->name);
	}
}

TEST_LOOP(test_events_with_different_names_say_different_things, (COUNT(lists) + COUNT(others)))
{
	for (const struct event *a = NULL; (a = model_next_event(model_of(_i), a));)
		for (const struct event *b = a; (b = model_next_event(model_of(_i), b));)
			ck_assert_msg(strcmp(a->help, b->help), "%s %s", a->name, b->name);
}

TEST_LOOP(test_events_are_of_a_known_pmu_type_and_count_on_counters_that_it_has,
	  (COUNT(lists) + COUNT(others)))
{
	for (const struct event *event = NULL; (event = model_next_event(model_of(_i), event));) {
		const uint32_t all = event->type == PMU_CXLCM  ? 0xFF
				     : event->type == PMU_CORE ? CORE_COUNTERS_GENERAL
				     : event->type == PMU_DF   ? 0xFFFF
				     : event->type == PMU_L3   ? 0x3F
							       : 0x0F;

		ck_assert_msg(event->counters && !(event->counters & ~all), "%s", event->name);
		ck_assert(event->type == PMU_CORE || model_pmu_type(model_of(_i), event->type));
	}
}

/* A time is occupancy divided by inserts of the same requests. */
TEST_LOOP(test_occupancy_has_inserts_of_the_same_requests_beside_it, COUNT(lists))
{
	static const char prefix[] = "UNC_CHA_TOR_OCCUPANCY";
	const struct model *model = model_of(_i);

	for (const struct event *event = NULL; (event = model_next_event(model, event));) {
		char name[64];

		if (event->type != PMU_CHA || event->code != TOR_OCCUPANCY)
			continue;
		ck_assert_int_eq(strncmp(event->name, prefix, strlen(prefix)), 0);
		snprintf(name, sizeof(name), "UNC_CHA_TOR_INSERTS%s", event->name + strlen(prefix));
		const struct event *inserts = model_event(model, name);
		ck_assert_msg(inserts != NULL, "%s", name);
		ck_assert_uint_eq(inserts->code, TOR_INSERTS);
		ck_assert_uint_eq(inserts->umask, event->umask);
		ck_assert_uint_eq(inserts->umask_ext, event->umask_ext);
	}
}
