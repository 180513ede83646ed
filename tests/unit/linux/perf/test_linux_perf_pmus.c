/* SPDX-License-Identifier: BSD-3-Clause */

#include <limits.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rootfs.h"
#include "linux/perf/perf.h"
#include "linux/system/linux_platform.h"
#include "platform/perf.h"
#include "unit.h"

#define DEVICES "sys/bus/event_source/devices"
#define CHA	"sys/devices/uncore_cha_0" /* target of a link in DEVICES */

static char heard[4096]; /* lines of the log */
static struct perf_pmus pmus;
static struct error err;

static void hear(void *context, enum log_level level, const char *text)
{
	const size_t used = strlen(heard);

	(void)context;
	ck_assert_int_eq(level, LEVEL_DETAIL);
	snprintf(heard + used, sizeof(heard) - used, "%s\n", text);
}

static struct linux_platform machine = {.base.log.write = hear};

static int list_pmus(const char *root)
{
	machine.root = (char *)root;
	return linux_perf_pmus(&machine.base, &pmus, &err);
}

static void read_pmus(void)
{
	heard[0] = '\0';
	ck_assert_msg(!list_pmus(tree_root()), "%s", err.text);
}

static void free_pmus(void)
{
	perf_pmus_free(&pmus);
}

/* Makes a file of a PMU. */
__attribute__((format(printf, 3, 4))) static void pmu_file(const char *pmu, const char *file,
							   const char *format, ...)
{
	char text[2048];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	tree_file(tree_name(DEVICES "/%s/%s", pmu, file), "%s", text);
}

/* Makes a PMU as the kernel shows it: a link on the bus. */
static void make_cha(void)
{
	tree_file(CHA "/type", "42\n");
	tree_file(CHA "/cpumask", "0,28\n");
	tree_file(CHA "/perf_event_mux_interval_ms", "4\n");
	tree_file(CHA "/events/clockticks", "event=0x1\n");
	tree_file(CHA "/format/umask", "config:8-15,32-57\n");
	tree_file(CHA "/format/event", "config:0-7\n");
	tree_file(CHA "/format/filter", "config1:0-3\n");
	tree_link(DEVICES "/uncore_cha_0", "../../../devices/uncore_cha_0");
}

static void assert_format(const struct perf_pmu *pmu, const char *name, unsigned word,
			  uint64_t bits)
{
	const struct perf_format *format = perf_find_format(pmu, name);

	ck_assert_msg(format != NULL, "%s", name);
	ck_assert_uint_eq(format->word, word);
	ck_assert_uint_eq(format->bits, bits);
}

TREE_FIXTURE(NULL, free_pmus)

TEST(test_a_kernel_without_perf_events_has_no_pmu)
{
	read_pmus();
	ck_assert_uint_eq(pmus.count, 0);
	ck_assert_ptr_null(pmus.items);
	ck_assert_str_eq(heard, "");
}

TEST(test_a_pmu_has_a_type_one_cpu_of_each_die_and_formats)
{
	make_cha();
	read_pmus();
	ck_assert_uint_eq(pmus.count, 1);
	const struct perf_pmu *cha = &pmus.items[0];
	ck_assert_str_eq(cha->name, "uncore_cha_0");
	ck_assert_uint_eq(cha->type, 42);
	ck_assert_uint_eq(cha->cpu_count, 2);
	ck_assert_uint_eq(cha->cpus[0], 0);
	ck_assert_uint_eq(cha->cpus[1], 28);
	ck_assert_uint_eq(cha->format_count, 3);
	assert_format(cha, "event", 0, 0xff);
	assert_format(cha, "umask", 0, UINT64_C(0x03ffffff0000ff00));
	assert_format(cha, "filter", 1, 0xf);
	ck_assert_str_eq(heard, "");
}

TEST(test_pmus_and_formats_are_sorted_by_name)
{
	static const char *const names[] = {"power", "msr", "uncore_imc_1", "cpu", "uncore_imc_0"};
	static const char *const formats[] = {"umask", "event", "inv", "edge"};

	for (size_t i = 0; i < COUNT_OF(names); i++)
		pmu_file(names[i], "type", "%zu\n", i);
	for (size_t i = 0; i < COUNT_OF(formats); i++)
		pmu_file("cpu", tree_name("format/%s", formats[i]), "config:%zu\n", i);
	read_pmus();
	ck_assert_uint_eq(pmus.count, COUNT_OF(names));
	for (size_t i = 1; i < pmus.count; i++)
		ck_assert_int_lt(strcmp(pmus.items[i - 1].name, pmus.items[i].name), 0);
	const struct perf_pmu *cpu = perf_find_pmu(&pmus, "cpu");
	ck_assert_uint_eq(cpu->format_count, COUNT_OF(formats));
	for (size_t i = 1; i < cpu->format_count; i++)
		ck_assert_int_lt(strcmp(cpu->formats[i - 1].name, cpu->formats[i].name), 0);
	ck_assert_uint_eq(perf_find_pmu(&pmus, "uncore_imc_1")->type, 2);
}

TEST(test_a_pmu_without_cpumask_or_formats_counts_on_every_cpu)
{
	pmu_file("software", "type", "1\n");
	read_pmus();
	ck_assert_uint_eq(pmus.count, 1);
	ck_assert_uint_eq(pmus.items[0].type, 1);
	ck_assert_uint_eq(pmus.items[0].cpu_count, 0);
	ck_assert_uint_eq(pmus.items[0].format_count, 0);
}

/* Faults that make a PMU useless, so that it is left out. */
static const struct {
	const char *file, *text, *why;
} broken[] = {
	{"type", "", "type: Invalid argument"},
	{"type", "cha\n", "type: Invalid argument"},
	{"type", "-1\n", "type: Invalid argument"},
	{"type", "4294967296\n", "type: Invalid argument"},
	{"type", "42 43\n", "type: Invalid argument"},
	{"cpumask", "\n", "cpumask: No such device"},
	{"cpumask", "0-\n", "cpumask: Invalid argument"},
	{"cpumask", "all\n", "cpumask: Invalid argument"},
	{"cpumask", "0-99999999\n", "cpumask: Numerical result out of range"},
	{"cpumask", "18446744073709551616\n", "cpumask: Invalid argument"},
};

TEST_LOOP(test_a_pmu_with_a_broken_file_is_left_out, COUNT_OF(broken))
{
	make_cha();
	pmu_file("good", "type", "7\n");
	if (strcmp(broken[_i].file, "type"))
		pmu_file("bad", "type", "8\n");
	pmu_file("bad", broken[_i].file, "%s", broken[_i].text);
	read_pmus();
	ck_assert_uint_eq(pmus.count, 2);
	ck_assert_ptr_null(perf_find_pmu(&pmus, "bad"));
	ck_assert_ptr_nonnull(perf_find_pmu(&pmus, "good"));
	assert_contains(heard, "PMU 'bad' is left out: ");
	assert_contains(heard, broken[_i].why);
}

TEST(test_a_pmu_without_a_type_is_left_out)
{
	tree_directory(DEVICES "/bad");
	tree_directory(DEVICES "/odd/type");
	tree_file(DEVICES "/file", "text");
	tree_link(DEVICES "/loop", "loop");
	tree_link(DEVICES "/nowhere", "../nowhere");
	read_pmus();
	ck_assert_uint_eq(pmus.count, 0);
	assert_contains(heard, "PMU 'bad' is left out: type: No such file or directory");
	assert_contains(heard, "PMU 'odd' is left out: type: Invalid argument");
	assert_contains(heard, "PMU 'file' is left out: Not a directory");
	assert_contains(heard, "PMU 'loop' is left out: Too many levels of symbolic links");
	assert_contains(heard, "PMU 'nowhere' is left out: No such file or directory");
}

static const char *const bad_formats[] = {
	"", "\n", "config", "config:", "config:64", "config:3-1", "config9:0-3", "config:0-7;", "x",
};

TEST_LOOP(test_a_format_that_cannot_be_described_is_left_out, COUNT_OF(bad_formats))
{
	make_cha();
	tree_file(CHA "/format/bad", "%s", bad_formats[_i]);
	read_pmus();
	ck_assert_uint_eq(pmus.count, 1);
	ck_assert_uint_eq(pmus.items[0].format_count, 3);
	ck_assert_str_eq(heard, "PMU 'uncore_cha_0': format 'bad' is left out: Invalid argument\n");
}

TEST(test_names_that_are_too_long_are_left_out)
{
	static const char fits[] = "uncore_of_thirty_one_characters";
	char longer[64];

	ck_assert_uint_eq(strlen(fits), PERF_NAME_SIZE - 1);
	snprintf(longer, sizeof(longer), "%s_", fits);
	pmu_file(fits, "type", "1\n");
	pmu_file(longer, "type", "2\n");
	make_cha();
	tree_file(CHA "/format/a_field_with_a_name_of_more_than_it", "config:1\n");
	read_pmus();
	ck_assert_uint_eq(pmus.count, 2);
	ck_assert_ptr_nonnull(perf_find_pmu(&pmus, fits));
	ck_assert_uint_eq(perf_find_pmu(&pmus, "uncore_cha_0")->format_count, 3);
	assert_contains(heard, "PMU 'uncore_of_thirty_one_characters_' is left out: File name too "
			       "long\n");
	assert_contains(heard, "format 'a_field_with_a_name_of_more_than_it' is left out: File "
			       "name too long\n");
}

/* A file of sysfs has at most one page. */
TEST(test_a_file_that_is_too_long_is_not_read_to_its_end)
{
	char list[5004];
	const int length = snprintf(list, sizeof(list), "0,%0*d", 5000, 1);

	make_cha();
	pmu_file("huge", "type", "1\n");
	tree_bytes(DEVICES "/huge/cpumask", 0, list, (size_t)length);
	tree_bytes(CHA "/format/huge", (off_t)1 << 40, "x", 1);
	read_pmus();
	ck_assert_uint_eq(pmus.count, 1);
	assert_contains(heard, "PMU 'huge' is left out: cpumask: File too large");
	assert_contains(heard, "format 'huge' is left out: File too large");
}

TEST(test_zeros_in_a_file_are_no_text)
{
	pmu_file("zeros", "type", "1");
	tree_bytes(DEVICES "/zeros/type", 1, "\0\0", 2);
	read_pmus();
	ck_assert_uint_eq(pmus.count, 0);
	assert_contains(heard, "PMU 'zeros' is left out: type: Invalid argument");
}

TEST(test_a_pipe_in_the_place_of_a_file_does_not_hang)
{
	const char *path;

	make_cha();
	pmu_file("pipe", "cpumask", "0\n");
	path = tree_path(DEVICES "/pipe/type");
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	path = tree_path(CHA "/format/pipe");
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	read_pmus();
	ck_assert_uint_eq(pmus.count, 1);
	assert_contains(heard, "PMU 'pipe' is left out: type: Invalid argument");
	assert_contains(heard, "format 'pipe' is left out: Invalid argument");
}

TEST(test_what_cannot_be_listed_is_an_error)
{
	char root[ROOTFS_PATH_SIZE + 8];

	tree_file("sys/bus/event_source/devices", "text");
	ck_assert_int_eq(list_pmus(tree_root()), -ENOTDIR);
	assert_contains(err.text, "sys/bus/event_source/devices: Not a directory");
	ck_assert_uint_eq(pmus.count, 0);
	memset(root, '/', sizeof(root) - 1);
	root[sizeof(root) - 1] = '\0';
	ck_assert_int_eq(list_pmus(root), -ENAMETOOLONG);
	ck_assert_int_eq(err.kind, ERROR_USAGE);
}

/* Events of other PMUs, of which there are many, are not needed. */
TEST(test_events_are_read_of_pmus_of_cxl_devices_alone)
{
	make_cha();
	pmu_file("cxl_pmu_mem0.1", "type", "43\n");
	pmu_file("cxl_pmu_mem0.1", "cpumask", "0\n");
	pmu_file("cxl_pmu_mem0.1", "format/gid", "config:32-47\n");
	pmu_file("cxl_pmu_mem0.1", "events/s2m_drs_memdata", "config=0x1e98002500000001\n");
	pmu_file("cxl_pmu_mem0.1", "events/clock_ticks", "config=0x1e98000000000001\n");
	pmu_file("cxl_pmu_mem0.1", "events/odd", "umask=1\n");
	tree_file("proc/sys/kernel/osrelease", "6.12.117-amd64\n");
	read_pmus();
	ck_assert_uint_eq(pmus.kernel, PERF_KERNEL(6, 12));
	const struct perf_pmu *cxl = perf_find_pmu(&pmus, "cxl_pmu_mem0.1");
	ck_assert_uint_eq(cxl->alias_count, 2);
	ck_assert_str_eq(cxl->aliases[0].name, "clock_ticks");
	ck_assert_uint_eq(perf_get_field(cxl, "gid", cxl->aliases[1].config), 0x25);
	ck_assert_uint_eq(perf_find_pmu(&pmus, "uncore_cha_0")->alias_count, 0);
	ck_assert_str_eq(heard, "PMU 'cxl_pmu_mem0.1': event 'odd' is left out: Operation not "
				"supported\n");
}

TEST(test_the_version_of_a_kernel_may_be_unknown)
{
	read_pmus();
	ck_assert_uint_eq(pmus.kernel, 0);
}

/* Every kernel has software events. */
TEST(test_the_kernel_that_runs_is_read)
{
	if (access("/sys/bus/event_source/devices/software/type", R_OK))
		return;
	ck_assert_int_eq(list_pmus("/"), 0);
	ck_assert_uint_eq(perf_find_pmu(&pmus, "software")->type, 1);
}
