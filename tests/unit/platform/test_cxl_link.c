/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/cxl_link.h"

#include <math.h>
#include <stdio.h>

#include "metrics/metric.h"
#include "platform/cxl.h"
#include "platform/platform.h"
#include "unit.h"

/*
 * Shares of the raw rate for reads and writes while the fuller direction has no room left, from the
 * slots of the specification's formats.
 */
static const struct {
	double read, write;
	bool from_device;
} full[] = {
	{4 / (4 + 1 / 3.0) * 64 / 68, 0, true},	       /* 86.9 % */
	{0, 4 / 5.0 * 64 / 68, false},		       /* 75.3 % */
	{4 / 6.0 * 64 / 68, 4 / 6.0 * 64 / 68, false}, /* 62.7 % of each */
};

TEST_LOOP(test_a_direction_is_full_of_data_and_headers, (int)COUNT_OF(full))
{
	const struct cxl_link_use use = cxl_link_use(full[_i].read, full[_i].write);

	ck_assert_double_eq_tol(cxl_link_fullest(use), 1, 1e-12);
	ck_assert_double_eq_tol(full[_i].from_device ? use.from_device : use.to_device, 1, 1e-12);
}

/* Shares of only data in the raw rate, as in help and manuals. */
TEST(test_help_says_what_a_direction_can_carry)
{
	const double read = 100 / cxl_link_use(1, 0).from_device,
		     write = 100 / cxl_link_use(0, 1).to_device,
		     both = 100 / cxl_link_use(1, 1).to_device;
	char text[64];

	snprintf(text, sizeof(text), "at most %.1f %%", read);
	assert_contains(metric_by_name("link_read_pct")->help, text);
	snprintf(text, sizeof(text), "at most %.1f %%, %.1f %% with", write, both);
	assert_contains(metric_by_name("link_write_pct")->help, text);
}

/* Two completions share a slot with one header of data: 4 of 4 2/3 slots. */
TEST(test_completions_of_writes_come_back_beside_data)
{
	const double part = 4 / (4 + 2 / 3.0) * 64 / 68; /* 80.7 % */

	ck_assert_double_eq_tol(cxl_link_use(part, part).from_device, 1, 1e-12);
	ck_assert_double_eq_tol(cxl_link_use(0, 0.64).from_device, 0.64 / 2 / 4 * 68 / 64, 1e-12);
}

TEST(test_a_link_without_traffic_is_empty_and_one_that_is_not_known_is_not)
{
	ck_assert_double_eq(cxl_link_fullest(cxl_link_use(0, 0)), 0);
	ck_assert(isnan(cxl_link_fullest(cxl_link_use(NAN, 0.5))));
	ck_assert(isnan(cxl_link_fullest(cxl_link_use(0.5, NAN))));
}

/* Links with both ends' capabilities: at 64 GT/s they send 256-byte flits at any speed. */
static const struct {
	struct pci_link now, possible;
	uint8_t below; /* device number; 0: the port's own: it is hidden */
	bool short_flits;
} links[] = {
	{{32, 8}, {32, 16}, 1, true}, {{32, 8}, {0, 0}, 1, true},  {{64, 8}, {64, 8}, 1, false},
	{{32, 8}, {64, 8}, 1, false}, {{64, 8}, {0, 0}, 1, false}, {{0, 0}, {0, 0}, 1, false},
	{{0, 0}, {0, 0}, 0, true},    {{0, 0}, {32, 8}, 1, true},
};

TEST_LOOP(test_which_flits_a_link_has, (int)COUNT_OF(links))
{
	const struct cxl_device device = {
		.hop_count = 1,
		.hops = {{.below = {.device = links[_i].below},
			  .now = links[_i].now,
			  .possible = links[_i].possible}},
	};

	ck_assert(cxl_device_has_68_byte_flits(&device) == links[_i].short_flits);
	ck_assert(!cxl_device_has_68_byte_flits(&(struct cxl_device){.hop_count = 0}));
}

/* One link of several decides. */
TEST(test_a_fast_hop_makes_flits_unknown)
{
	const struct cxl_device device = {
		.hop_count = 2,
		.hops = {{.below = {.device = 1}, .now = {32, 8}, .possible = {32, 8}},
			 {.below = {.device = 2}, .now = {64, 8}, .possible = {64, 8}}},
	};

	ck_assert(!cxl_device_has_68_byte_flits(&device));
}
