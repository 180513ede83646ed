/* SPDX-License-Identifier: BSD-3-Clause */
/* The setting of L3 caches is changed, and restored, on a machine made of files. */
#include "session/session_private.h"

#include <unistd.h>

#include "linux/linux.h"
#include "platform/cpus.h"
#include "unit.h"

#define MON   "sys/fs/resctrl/info/L3_MON/"
#define TOTAL MON "event_configs/mbm_total_bytes/event_filter"
#define LOCAL MON "event_configs/mbm_local_bytes/event_filter"

#define SLOW_READS    "local_reads_slow_memory,remote_reads_slow_memory\n"
#define LOCAL_DEFAULT "local_reads,local_non_temporal_writes,local_reads_slow_memory\n"

static FILE *said;
static struct platform *p;
static struct resctrl_source sources;
static struct mbm_setting setting;
static struct error err;

static void keep(void *context, enum log_level level, const char *text)
{
	(void)context;
	if (level <= LEVEL_WARNING)
		fprintf(said, "%s\n", text);
}

/* Cuts a file after a write: in resctrl a write replaces all contents. */
static void cut(const char *written)
{
	ck_assert_int_eq(truncate(tree_path(LOCAL), (off_t)strlen(written)), 0);
}

/* Opens two caches whose counters are assigned: an event has one setting for both. */
static void open_caches(const char *local)
{
	static const struct log log = {.write = keep};
	struct cpu_location cpus[] = {{.cpu = 0, .socket = 0, .l3 = 0},
				      {.cpu = 1, .socket = 0, .l3 = 8}};
	const struct topology topology = {.cpus = cpus, .count = 2};

	tree_file(TOTAL, "local_reads,remote_reads,local_non_temporal_writes,"
			 "remote_non_temporal_writes,local_reads_slow_memory,"
			 "remote_reads_slow_memory,dirty_victim_writes_all\n");
	tree_file(LOCAL, "%s", local);
	tree_directory("sys/fs/resctrl/mon_groups");
	tree_file("sys/fs/resctrl/tasks", "1\n");
	tree_file("sys/fs/resctrl/mon_data/mon_L3_00/mbm_local_bytes", "1000\n");
	tree_file("sys/fs/resctrl/mon_data/mon_L3_08/mbm_local_bytes", "20\n");
	said = text_open();
	setting = (struct mbm_setting){.written = false};
	ck_assert_int_eq(platform_linux(tree_root(), &log, &p, &err), 0);
	destroy_at_end(p);
	ck_assert_msg(!resctrl_source_open(&sources, p, &topology, &err), "%s", err.text);
	ck_assert_uint_eq(sources.mbm->count, 2);
	ck_assert(sources.mbm->at_once);
}

static void set(void)
{
	ck_assert_msg(!mbm_setting_save(&setting, &sources, &err), "%s", err.text);
	ck_assert_msg(!mbm_setting_write(&setting, p, &err), "%s", err.text);
}

static void begin(void)
{
	open_caches(LOCAL_DEFAULT);
	ck_assert(sources.set);
	set();
	cut(SLOW_READS);
}

static void end(void)
{
	undo_free(&setting.undo);
	sources.base.kind->close(&sources.base);
	free(sources.base.reading);
	sources = (struct resctrl_source){.mbm = NULL};
}

static void assert_setting(uint64_t expected)
{
	const struct reg reg = mbm_register(MBM_EVERY_CACHE, MBM_LOCAL);
	uint64_t value;

	ck_assert_int_eq(p->ops->registers->read(p, &reg, &value), 0);
	ck_assert_uint_eq(value, expected);
}

TREE_FIXTURE(begin, end)

TEST(test_the_setting_of_all_caches_is_restored)
{
	assert_setting(MBM_SLOW_READS);
	ck_assert_int_eq(mbm_setting_restore(&setting, p, &err), 0);
	assert_setting(MBM_LOCAL_DEFAULT);
	ck_assert_str_eq(text_close(said), "");
}

TEST(test_the_one_setting_that_another_program_has_changed_is_left_and_counted_once)
{
	cut("");
	tree_file(LOCAL, "dirty_victim_writes_all\n");
	ck_assert_int_eq(mbm_setting_restore(&setting, p, &err), 0);
	assert_setting(0x40);
	const char *text = text_close(said);
	assert_contains(text, "1 setting not restored, because another program has changed it; ");
	assert_contains(text, ", which is 0x40\n");
}

TREE_FIXTURE(NULL, end)

/* Writing it would clear everybody's counts, and it is not ours to restore. */
TEST(test_a_setting_that_is_as_it_should_be_is_neither_written_nor_restored)
{
	open_caches("remote_reads_slow_memory,local_reads_slow_memory\n");
	set();
	ck_assert(!setting.written);
	cut("");
	tree_file(LOCAL, "dirty_victim_writes_all\n");
	ck_assert_int_eq(mbm_setting_restore(&setting, p, &err), 0);
	assert_setting(0x40);
	ck_assert_str_eq(text_close(said), "");
}
