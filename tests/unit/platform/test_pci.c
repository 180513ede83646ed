/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/pci.h"

#include "unit.h"

/* GT/s, lanes, and GB/s each way by the specification's encodings. */
static const struct {
	struct pci_link link;
	double GBps;
} rates[] = {
	{{2.5, 1}, 0.25},
	{{5, 4}, 2},
	{{8, 8}, 8 * 8 / 8 * 128 / 130.0},
	{{16, 16}, 32 * 128 / 130.0},
	{{32, 8}, 32 * 128 / 130.0},
	{{32, 16}, 64 * 128 / 130.0},
	{{64, 16}, 128},
	{{0, 8}, 0},
	{{32, 0}, 0},
};

TEST_LOOP(test_a_rate_follows_from_speed_width_and_encoding, (int)COUNT_OF(rates))
{
	ck_assert_double_eq_tol(pci_link_rate(rates[_i].link) / 1e9, rates[_i].GBps, 1e-9);
}

TEST(test_a_text_has_speed_and_width)
{
	char text[PCI_LINK_TEXT_SIZE];

	ck_assert_str_eq(pci_link_text((struct pci_link){32, 8}, text), "32.0 GT/s x8");
	ck_assert_str_eq(pci_link_text((struct pci_link){2.5, 32}, text), "2.5 GT/s x32");
	ck_assert_str_eq(pci_link_text((struct pci_link){0, 8}, text), "");
	ck_assert_str_eq(pci_link_text((struct pci_link){32, 0}, text), "");
}

static const struct {
	struct pci_link now, possible;
	bool degraded;
} hops[] = {
	{{32, 16}, {32, 16}, false}, {{32, 8}, {32, 16}, true}, {{16, 16}, {32, 16}, true},
	{{32, 8}, {0, 0}, false},    {{0, 0}, {32, 16}, false}, {{64, 16}, {32, 8}, false},
	{{0, 8}, {32, 16}, true},
};

TEST_LOOP(test_a_link_is_degraded_where_its_ends_can_do_more, (int)COUNT_OF(hops))
{
	const struct pci_hop hop = {.now = hops[_i].now, .possible = hops[_i].possible};

	ck_assert_int_eq(pci_hop_is_degraded(&hop), hops[_i].degraded);
}

static const struct {
	struct pci_hop hop;
	const char *text;
} texts[] = {
	{{.now = {32, 8}, .possible = {32, 16}},
	 "x8 of x16 at 32 GT/s, at most 31.5 GB/s each way"},
	{{.now = {16, 16}, .possible = {32, 16}},
	 "x16 at 16 of 32 GT/s, at most 31.5 GB/s each way"},
	{{.now = {2.5, 1}, .possible = {64, 16}},
	 "x1 of x16 at 2.5 of 64 GT/s, at most 0.2 GB/s each way"},
};

TEST_LOOP(test_a_degraded_link_is_told_by_what_differs, (int)COUNT_OF(texts))
{
	char text[PCI_HOP_TEXT_SIZE];

	ck_assert_str_eq(pci_hop_text(&texts[_i].hop, text), texts[_i].text);
}

TEST(test_the_less_of_two_ends_is_taken_of_speed_and_width_each)
{
	const struct pci_link less =
		pci_link_less((struct pci_link){64, 8}, (struct pci_link){32, 16});

	ck_assert_double_eq(less.GTps, 32);
	ck_assert_uint_eq(less.lanes, 8);
	ck_assert_uint_eq(pci_link_less(less, (struct pci_link){0, 0}).lanes, 0);
}

/* Speed 3:0 and width 9:4; higher bits have other meanings. */
static const struct {
	unsigned value;
	struct pci_link link;
} registers[] = {
	{0x011, {2.5, 1}}, {0x022, {5, 2}},    {0x043, {8, 4}}, {0x084, {16, 8}}, {0x105, {32, 16}},
	{0x206, {64, 32}}, {0xfd05, {32, 16}}, {0x087, {0, 8}}, {0x3f5, {32, 0}}, {0, {0, 0}},
};

TEST_LOOP(test_a_register_has_speed_and_width, (int)COUNT_OF(registers))
{
	const struct pci_link link = pci_link_decode(registers[_i].value);

	ck_assert_double_eq(link.GTps, registers[_i].link.GTps);
	ck_assert_uint_eq(link.lanes, registers[_i].link.lanes);
}
