/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/words.h"

#include "unit.h"

/* clang-format off */
static const struct {
	const char *name, *words, *unit;
} names[] = {
	{"cxl_mem_read_MBps", "CXL read", "MB/s"},
	{"hbm_read_MBps", "HBM read", "MB/s"},
	{"link_width", "link width", "lanes"},
	{"cxl_reads_pct", "CXL reads", "%"},
	{"colder_dram_GiB", "colder DRAM", "GiB"},
	{"mine", "mine", ""},
};
/* clang-format on */

TEST_LOOP(test_names_in_words_have_their_unit_apart, (int)(sizeof(names) / sizeof(names[0])))
{
	char text[WORDS_SIZE];

	ck_assert_str_eq(name_words(names[_i].name, text), names[_i].words);
	ck_assert_str_eq(name_unit(names[_i].name), names[_i].unit);
}
