/* SPDX-License-Identifier: BSD-3-Clause */
#include "events/event_catalogue.h"

#include "uncore/models/models.h"
#include "unit.h"

/*
 * The ends of the ranges that the kernel's driver has for Diamond Rapids, and the codes next to
 * them.
 */
static const struct {
	uint8_t code;
	uint32_t counters;
} dmr[] = {
	{0x00, 0xFF}, {0x01, 0x0F}, {0x24, 0x0F}, {0x25, 0xFF}, {0x40, 0xFF},
	{0x41, 0xF0}, {0x42, 0xFF}, {0x4F, 0xFF}, {0x50, 0xF0}, {0x5E, 0xF0},
	{0x5F, 0xFF}, {0x60, 0xF0}, {0x61, 0xF0}, {0x62, 0xFF},
};

TEST_LOOP(test_events_of_diamond_rapids_have_the_counters_of_the_kernels_driver, COUNT(dmr))
{
	const struct event event = {.type = PMU_CXLCM_DMR, .code = dmr[_i].code};

	ck_assert_uint_eq(rules_counters(&event), dmr[_i].counters);
}

static const struct {
	const char *model, *event, *elsewhere;
} elsewhere[] = {
	{"emr", "UNC_MCHBM_CAS_COUNT.RD", "Sapphire Rapids"},
	{"genoa", "cxl_port_read_data_beats_0", "Turin"},
	{"genoa", "cmem.rd_req", ""},
	{"genoa", "UNC_MCHBM_CAS_COUNT.RD", ""},
	{"vera", "cxl_port_read_data_beats_0", ""},
	{"spr", "cmem.rd_req", ""},
};

TEST_LOOP(test_only_processors_of_the_same_vendor_are_named_for_an_event, COUNT(elsewhere))
{
	struct event_catalogue catalogue;
	char text[200];

	catalogue_init(&catalogue, model_by_name(elsewhere[_i].model));
	const bool found =
		catalogue_find_elsewhere(&catalogue, elsewhere[_i].event, text, sizeof(text));
	ck_assert_str_eq(text, elsewhere[_i].elsewhere);
	ck_assert_int_eq(found, *text != 0);
	catalogue_free(&catalogue);
}
