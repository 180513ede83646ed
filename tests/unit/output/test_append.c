/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/append.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim_monitor.h"
#include "unit.h"

#define HEADER                                                                                     \
	"time,interval_s,missed,scope,socket,port,pci,memdev,node,cxl_mem_read_MBps,"              \
	"cxl_mem_write_MBps,cxl_cache_d2h_MBps,cxl_cache_h2d_MBps,cxl_mem_read_source,"            \
	"counted_pct\n"

static struct sim_monitor m;
static struct sink sink;
static struct error err;
static off_t end;

static void set_up(void)
{
	sim_monitor_start(&m, .spec = "gnr,ports=1", .view = {.groups = "cxl"});
	sink = (struct sink){.format = &format_csv, .table = &m.view.table};
	err = (struct error){0};
	end = -1;
}

static int find_end_of(const char *text, size_t size)
{
	const int fd = memfd_create("file", 0);

	ck_assert_int_eq(write(fd, text, size), size);
	const int rc = append_find_end(fd, "the file", &sink, &end, &err);
	close(fd);
	return rc;
}

static const struct {
	const char *text;
	size_t end;
} files[] = {
	{"", 0},
	{HEADER, sizeof(HEADER) - 1},
	{HEADER "row\n", sizeof(HEADER) + 3},
	{HEADER "row\ntorn", sizeof(HEADER) + 3},
	{HEADER "torn", sizeof(HEADER) - 1},
};

TREE_FIXTURE(set_up, NULL)

TEST_LOOP(test_rows_follow_the_last_complete_one, COUNT_OF(files))
{
	ck_assert_msg(!find_end_of(files[_i].text, strlen(files[_i].text)), "%s", err.text);
	ck_assert_int_eq(end, files[_i].end);
}

static const char *const others[] = {
	"time,interval_s\n",
	"\n",
	"x",
	"time,interval_s,missed,scope,socket,port,pci,memdev,node",
	"2026-01-01T00:00:01.000000Z,1\n",
};

TEST_LOOP(test_other_columns_are_refused, COUNT_OF(others))
{
	ck_assert_int_eq(find_end_of(others[_i], strlen(others[_i])), -EEXIST);
	ck_assert_int_eq(err.kind, ERROR_FAILED);
	assert_contains(err.text, "the file: has other columns than this run");
}

TEST(test_without_a_header_nothing_is_compared)
{
	sink.no_header = true;
	ck_assert_int_eq(find_end_of("1,2\n3", 5), 0);
	ck_assert_int_eq(end, 4);
	sink = (struct sink){.format = &format_json, .table = &m.view.table};
	ck_assert_int_eq(find_end_of("{}\n", 3), 0);
	ck_assert_int_eq(end, 3);
	ck_assert_int_eq(find_end_of("{", 1), 0);
	ck_assert_int_eq(end, 0);
}

/* The line is longer than one reading. */
TEST(test_a_last_line_of_any_length_is_found)
{
	static char text[20000];

	sink.no_header = true;
	memset(text, 'x', sizeof(text));
	for (size_t at = 1; at < sizeof(text); at += 1021) {
		text[at] = '\n';
		ck_assert_int_eq(find_end_of(text, sizeof(text)), 0);
		ck_assert_int_eq(end, at + 1);
	}
}

TEST(test_a_file_that_cannot_be_read_is_said)
{
	tree_file("file", "text");
	const int fd = open(tree_path("file"), O_WRONLY);

	ck_assert_int_eq(append_find_end(fd, "the file", &sink, &end, &err), -EBADF);
	assert_contains(err.text, "the file: cannot be read: Bad file descriptor");
	close(fd);
}
