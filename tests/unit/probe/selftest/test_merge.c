/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of what many files of selftest --share say. */
#include "probe/selftest/share.h"

#include "unit.h"

#define FILES_MOST 4

static char *paths[FILES_MOST];
static size_t count;

static void set_up(void)
{
	count = 0;
}

TREE_FIXTURE(set_up, NULL)

static void add_file(const char *name, const char *processor, const char *formulas)
{
	tree_file(name,
		  "{\"cxlmon_selftest\": 1, \"cxlmon\": \"0.1.0\", \"kernel\": \"6.18\", "
		  "\"processor\": {%s}, \"formulas\": [%s]}",
		  processor, formulas);
	paths[count++] = (char *)tree_path(name);
}

static void expect_page(const char *expected)
{
	struct error err = {0};
	FILE *out = text_open();

	ck_assert_msg(!share_merge(paths, count, out, &err), "%s", err.text);
	ck_assert_str_eq(text_close(out), expected);
}

#define SPR                                                                                        \
	"\"name\": \"Sapphire Rapids\", \"vendor\": \"GenuineIntel\", \"family\": 6, \"model\": 143"
#define GNR                                                                                        \
	"\"name\": \"Granite Rapids\", \"vendor\": \"GenuineIntel\", \"family\": 6, \"model\": 173"
#define FORMULA(source, device, moved, counted)                                                    \
	"{\"metric\": \"reads\", \"source\": \"" source                                            \
	"\", \"backend\": \"raw\", \"memory\": \"cxl\", \"device\": \"" device                     \
	"\", \"judged_as\": \"rate\", \"idle\": 0, \"noise\": 0, \"steps\": [{\"moved\": " moved   \
	", \"counted\": " counted "}]}"

#define TESTS                                                                                      \
	"# What self-tests say\n\n"                                                                \
	"| test | processor | stepping | microcode | Linux | cxlmon | devices | file |\n"          \
	"|---|---|---|---|---|---|---|---|\n"
#define WAYS(processor)                                                                            \
	"\n## " processor "\n\n"                                                                   \
	"| metric | source | by | believe | agree | tests | differ | tests | not judged | "        \
	"counted / moved |\n"                                                                      \
	"|---|---|---|---|---|---|---|---|---|---|\n"

/* In files they stand in another order, and each processor has several. */
TEST(test_a_way_to_count_has_one_line_of_all_tests_of_its_processor)
{
	add_file("a.json", SPR,
		 FORMULA("tor", "1b00:c002", "100", "100") "," FORMULA("m2s", "1b00:c002", "100",
								       "50"));
	add_file("b.json", GNR, FORMULA("tor", "1b00:c003", "0", "1"));
	add_file("c.json", SPR,
		 FORMULA("m2s", "1b00:c002", "100",
			 "99") "," FORMULA("tor", "1b00:c003", "100",
					   "101") "," FORMULA("tor", "1b00:c002", "100", "102"));
	expect_page(
		TESTS
		"| 1 | Sapphire Rapids (GenuineIntel 6-143) |  |  | 6.18 | 0.1.0 | 1b00:c002 | "
		"a.json |\n"
		"| 2 | Granite Rapids (GenuineIntel 6-173) |  |  | 6.18 | 0.1.0 | 1b00:c003 | "
		"b.json |\n"
		"| 3 | Sapphire Rapids (GenuineIntel 6-143) |  |  | 6.18 | 0.1.0 | "
		"1b00:c002, 1b00:c003 | c.json |\n" WAYS(
			"Sapphire Rapids (GenuineIntel 6-143)") "| reads | m2s | raw | at odds | 1 | 3 | 1 | 1 | 0 | 0.5 (0.5 to 0.99) |\n"
								"| reads | tor | raw | yes | 3 | 1, 3 | 0 |  | 0 | 1.01 (1 to 1.02) |\n" WAYS(
									"Granite Rapids (GenuineIntel 6-173)") "| reads | tor | raw | not known | 0 |  | 0 |  | 1 |  |\n");
}

TEST(test_processors_of_a_name_are_told_apart)
{
	add_file("a.json", SPR, FORMULA("tor", "1b00:c002", "1", "1"));
	add_file("b.json", SPR ", \"simulated\": true", FORMULA("tor", "1b00:c002", "1", "0"));
	expect_page(
		TESTS
		"| 1 | Sapphire Rapids (GenuineIntel 6-143) |  |  | 6.18 | 0.1.0 | 1b00:c002 | "
		"a.json |\n"
		"| 2 | Sapphire Rapids (GenuineIntel 6-143), simulated |  |  | 6.18 | 0.1.0 | "
		"1b00:c002 | b.json |\n" WAYS("Sapphire Rapids (GenuineIntel 6-143)") "| reads | tor | raw | yes | 1 | 1 | 0 |  | 0 | 1 (1 to 1) |\n" WAYS(
			"Sapphire Rapids (GenuineIntel 6-143), simulated") "| reads | tor | raw | no | 0 |  | 1 | 2 | 0 | 0 (0 to 0) |\n");
}

TEST(test_one_file_that_is_none_is_named_and_no_page_is_printed)
{
	struct error err = {0};
	FILE *out = text_open();

	add_file("a.json", SPR, FORMULA("tor", "1b00:c002", "1", "1"));
	tree_file("other.json", "{}");
	paths[count++] = (char *)tree_path("other.json");
	ck_assert_int_eq(share_merge(paths, count, out, &err), -EINVAL);
	ck_assert_int_eq(err.kind, ERROR_USAGE);
	assert_contains(err.text, "other.json: cxlmon_selftest: expected 1");
	ck_assert_str_eq(text_close(out), "");
}
