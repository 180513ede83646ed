/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of resctrl: invalid contents are unknown. */
#include "linux/memory/resctrl.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linux/kernel/kernel_text.h"
#include "platform/mbm.h"
#include "unit.h"

#define TOP "sys/fs/resctrl/"
#define MON TOP "info/L3_MON/"
#define ALL MBM_EVERY_CACHE
#define U   NAN
#define X   MBM_UNKNOWN

static struct resctrl *resctrl;
static const struct mbm *mbm;
static struct error err;

static void forget(void)
{
	resctrl_close(resctrl);
	resctrl = NULL;
}

static const struct {
	const char *text;
	unsigned cache;
	uint32_t setting;
} settings[] = {
	{"0=0x7f;1=0x15\n", 0, 0x7F},
	{"0=0x7f;1=0x15\n", 1, 0x15},
	{"0=0x7f;1=0x15\n", 2, X},
	{"10=0x30;1=0x15\n", 1, 0x15},
	{"3=0x05", 3, 0x05},
	{"3=0x80\n", 3, X},
	{"3=0x0\n", 3, 0},
	{"3=0x123\n", 3, X},
	{"3=0x\n", 3, X},
	{"3=0x000030\n", 3, X},
	{"3=0xg0\n", 3, X},
	{"3=\n", 3, X},
	{"3\n", 3, X},
	{"=0x30\n", 0, X},
	{"-3=0x30\n", 3, X},
	{";;;3=0x30;;\n", 3, 0x30},
	{"", 0, X},
	{"\n", 0, X},
	{"local_reads_slow_memory,remote_reads_slow_memory\n", ALL, 0x30},
	{"local_reads,local_non_temporal_writes,local_reads_slow_memory\n", ALL, 0x15},
	{"local_reads,remote_reads,local_non_temporal_writes,remote_non_temporal_writes,\n"
	 "local_reads_slow_memory,remote_reads_slow_memory,dirty_victim_writes_all\n",
	 ALL, 0x7F},
	{"local_reads_slow_memory,reads_of_the_future\n", ALL, 0x10 | X},
	{"local_reads_slow_memoryx\n", ALL, X},
	{"\n", ALL, 0},
};

TEST_LOOP(test_settings_are_what_the_kernel_says, COUNT_OF(settings))
{
	const char *text = settings[_i].text;
	const struct span span = {text, text + strlen(text)};

	ck_assert_uint_eq(resctrl_parse_setting(span, settings[_i].cache), settings[_i].setting);
}

/* Makes two caches, and the default group. */
static void make_tree(void)
{
	tree_file(MON "mbm_total_bytes_config", "0=0x7f;8=0x7f\n");
	tree_file(MON "mbm_local_bytes_config", "0=0x30;8=0x30\n");
	tree_directory(TOP "mon_groups");
	tree_file(TOP "tasks", "1\n");
	tree_file(TOP "mon_data/mon_L3_00/mbm_local_bytes", "1000\n");
	tree_file(TOP "mon_data/mon_L3_08/mbm_local_bytes", "20\n");
	resctrl = resctrl_new(tree_root());
}

static void open_tree(void)
{
	make_tree();
	ck_assert_msg(!resctrl_open(resctrl, &mbm, &err), "%s", err.text);
}

static void assert_bytes(int rc, double first, double second)
{
	double bytes[2];

	ck_assert_int_eq(resctrl_read(resctrl, MBM_LOCAL, bytes), rc);
	const double expected[] = {first, second};
	for (unsigned i = 0; i < 2; i++)
		assert_double(bytes[i], expected[i], 0);
}

TREE_FIXTURE(NULL, forget)

TEST(test_caches_settings_and_counts_are_found)
{
	open_tree();
	ck_assert_uint_eq(mbm->count, 2);
	ck_assert_uint_eq(mbm->caches[1].number, 8);
	ck_assert_uint_eq(mbm->caches[1].settings[MBM_TOTAL], 0x7F);
	ck_assert_uint_eq(mbm->caches[0].settings[MBM_LOCAL], 0x30);
	ck_assert(!mbm->at_once);
	ck_assert_str_eq(mbm->group, "");
	assert_bytes(0, 1000, 20);
	tree_file(TOP "mon_data/mon_L3_08/mbm_local_bytes", "18446744073709551615\n");
	assert_bytes(0, 1000, 18446744073709551615.0);
}

static const char *const no_numbers[] = {"Unavailable\n",
					 "Unassigned\n",
					 "Error\n",
					 "",
					 "\n",
					 "12",
					 "-1\n",
					 "1e3\n",
					 "0x10\n",
					 "99999999999999999999999\n"};

TEST_LOOP(test_what_is_no_number_is_unknown, COUNT_OF(no_numbers))
{
	make_tree();
	ck_assert_int_eq(unlink(tree_path(TOP "mon_data/mon_L3_00/mbm_local_bytes")), 0);
	tree_file(TOP "mon_data/mon_L3_00/mbm_local_bytes", "%s", no_numbers[_i]);
	ck_assert_int_eq(resctrl_open(resctrl, &mbm, &err), 0);
	assert_bytes(0, U, 20);
}

TEST(test_files_that_are_too_long_or_missing_are_unknown)
{
	make_tree();
	tree_bytes(TOP "mon_data/mon_L3_00/mbm_local_bytes", KERNEL_TEXT_MOST, "7\n", 2);
	ck_assert_int_eq(resctrl_open(resctrl, &mbm, &err), 0);
	assert_bytes(0, U, 20);
	tree_bytes(MON "mbm_local_bytes_config", KERNEL_TEXT_MOST, "\n", 1);
	assert_bytes(-ESTALE, U, U);
}

TEST(test_a_count_that_is_no_file_is_unknown)
{
	make_tree();
	tree_directory(TOP "mon_data/mon_L3_09");
	tree_file(MON "mbm_local_bytes_config", "0=0x30;8=0x30;9=0x30\n");
	double bytes[3];
	ck_assert_int_eq(resctrl_open(resctrl, &mbm, &err), 0);
	ck_assert_int_eq(resctrl_read(resctrl, MBM_LOCAL, bytes), 0);
	ck_assert_double_eq(bytes[0], 1000);
	ck_assert_double_nan(bytes[2]);
}

TEST(test_another_setting_makes_a_cache_unknown)
{
	open_tree();
	assert_bytes(0, 1000, 20);
	tree_file(MON "mbm_local_bytes_config", "0=0x30;8=0x15\n");
	assert_bytes(-ESTALE, 1000, U);
	tree_file(MON "mbm_local_bytes_config", "0=0x30\n");
	assert_bytes(-ESTALE, 1000, U);
	tree_file(MON "mbm_local_bytes_config", "0=0x30;8=0x30\n");
	assert_bytes(0, 1000, 20);
}

/* The default group's counts include its monitoring groups, but not control groups. */
TEST(test_control_groups_are_added_and_the_first_group_is_named)
{
	make_tree();
	tree_file(TOP "mon_groups/m/tasks", "%s", "");
	tree_file(TOP "mon_groups/m/mon_data/mon_L3_00/mbm_local_bytes", "5\n");
	tree_file(TOP "c/tasks", "%s", "");
	tree_file(TOP "c/mon_data/mon_L3_00/mbm_local_bytes", "100\n");
	tree_file(TOP "c/mon_data/mon_L3_08/mbm_local_bytes", "200\n");
	tree_directory(TOP "no_group");
	ck_assert_int_eq(resctrl_open(resctrl, &mbm, &err), 0);
	ck_assert_str_eq(mbm->group, "mon_groups/m");
	assert_bytes(0, 1100, 220);
	ck_assert_double_nan(resctrl_group_bytes(tree_root(), "mon_groups/m", mbm, MBM_LOCAL));
	ck_assert_double_eq(resctrl_group_bytes(tree_root(), "c", mbm, MBM_LOCAL), 300);
	ck_assert_double_eq(resctrl_group_bytes(tree_root(), "", mbm, MBM_LOCAL), 1020);
}

TEST(test_names_of_groups_are_printable)
{
	make_tree();
	tree_file(TOP "a\033[31m\xff/tasks", "%s", "");
	ck_assert_int_eq(resctrl_open(resctrl, &mbm, &err), 0);
	ck_assert_str_eq(mbm->group, "a?[31m?");
}

TEST(test_too_many_groups_are_an_error)
{
	make_tree();
	for (unsigned i = 0; i <= 4096; i++)
		tree_file(tree_name(TOP "g%u/tasks", i), "%s", "");
	ck_assert_int_eq(resctrl_open(resctrl, &mbm, &err), -E2BIG);
}

TEST(test_a_setting_is_written_as_the_kernel_reads_it)
{
	uint64_t setting;

	make_tree();
	tree_file(MON "mbm_local_bytes_config", "8=0x15\n");
	ck_assert_int_eq(resctrl_get(resctrl, 8, MBM_LOCAL, &setting), 0);
	ck_assert_uint_eq(setting, 0x15);
	ck_assert_int_eq(resctrl_set(resctrl, 8, MBM_LOCAL, 0x30), 0);
	ck_assert_int_eq(resctrl_get(resctrl, 8, MBM_LOCAL, &setting), 0);
	ck_assert_uint_eq(setting, 0x30);
	/* a cache whose CPUs are offline */
	ck_assert_int_eq(resctrl_get(resctrl, 9, MBM_LOCAL, &setting), -ENXIO);
}

/* After all privileges were dropped, a setting is restored through the file that is still open. */
TEST(test_a_setting_is_written_again_where_no_file_can_be_opened)
{
	uint64_t setting;

	make_tree();
	ck_assert_int_eq(resctrl_set(resctrl, 8, MBM_LOCAL, 0x15), 0);
	ck_assert_int_eq(unlink(tree_path(MON "mbm_local_bytes_config")), 0);
	ck_assert_int_eq(resctrl_set(resctrl, 8, MBM_LOCAL, 0x30), 0);
	ck_assert_int_eq(resctrl_get(resctrl, 8, MBM_LOCAL, &setting), 0);
	ck_assert_uint_eq(setting, 0x30);
}

TEST(test_assigned_counters_have_one_setting_by_names)
{
	uint64_t setting;

	tree_file(MON "event_configs/mbm_total_bytes/event_filter", "local_reads\n");
	tree_file(MON "event_configs/mbm_local_bytes/event_filter", "dirty_victim_writes_all\n");
	make_tree();
	ck_assert_int_eq(unlink(tree_path(MON "mbm_local_bytes_config")), 0);
	ck_assert_int_eq(resctrl_open(resctrl, &mbm, &err), 0);
	ck_assert(mbm->at_once);
	ck_assert_uint_eq(mbm->caches[1].settings[MBM_LOCAL], 0x40);
	assert_bytes(-ESTALE, U, U);
	ck_assert_int_eq(resctrl_set(resctrl, ALL, MBM_LOCAL, MBM_SLOW_READS), 0);
	ck_assert_int_eq(resctrl_get(resctrl, ALL, MBM_LOCAL, &setting), 0);
	ck_assert_uint_eq(setting, MBM_SLOW_READS);
	assert_bytes(0, 1000, 20);
}

TEST(test_without_resctrl_it_is_said_why)
{
	resctrl = resctrl_new(tree_root());
	ck_assert_int_eq(resctrl_open(resctrl, &mbm, &err), -ENOENT);
	ck_assert_int_eq(err.kind, ERROR_NO_UNIT);
	assert_contains(err.text, "there is no /sys/fs/resctrl");
	tree_directory(TOP);
	ck_assert_int_eq(resctrl_open(resctrl, &mbm, &err), -ENOENT);
	ck_assert_int_eq(err.kind, ERROR_PERMISSION);
	ck_assert_str_eq(err.command, "sudo mount -t resctrl resctrl /sys/fs/resctrl");
	tree_directory(TOP "mon_data/mon_L3_00");
	tree_directory(MON);
	ck_assert_int_eq(resctrl_open(resctrl, &mbm, &err), -ENOENT);
	ck_assert_int_eq(err.kind, ERROR_NO_UNIT);
	assert_contains(err.text, "BMEC");
}

TEST(test_nodes_have_rmids_where_a_cache_has_counts_of_its_nodes)
{
	ck_assert(!resctrl_has_node_rmids(tree_root()));
	tree_directory(TOP "mon_data/mon_L3_00");
	tree_directory(TOP "mon_data/mon_L3_01");
	ck_assert(!resctrl_has_node_rmids(tree_root()));
	tree_directory(TOP "mon_data/mon_L3_01/mon_sub_L3_01");
	ck_assert(resctrl_has_node_rmids(tree_root()));
}
