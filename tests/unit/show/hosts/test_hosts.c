/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/hosts/hosts.h"

#include <malloc.h>

#include "../../record/host_recording.h"
#include "allocations.h"
#include "json_at.h"
#include "unit.h"

EACH_IN_A_PROCESS

static struct hosts hosts;
static struct error err;

static void tear_down(void)
{
	hosts_free(&hosts);
}

TREE_FIXTURE(NULL, tear_down)

static void add_host(const struct host_recording *h)
{
	struct recording_file file;
	struct error flaw = {.code = 0};

	ck_assert_int_eq(recording_file_open(write_host(h), NULL, &file, &err), 0);
	/* files are named below the test's directory, whose name differs from run to run */
	file.name = h->file;
	ck_assert_int_eq(hosts_begin(&hosts, &file), 0);
	while (recording_file_next(&file, &flaw) > 0)
		ck_assert_int_eq(hosts_add(&hosts, &file), 0);
	hosts_end(&hosts, &flaw);
	recording_file_close(&file);
}

/* Adds hosts n1, n2, ... that read with these latencies. */
static void add_latencies(const double *latencies, size_t count)
{
	static char names[8][24];

	for (size_t i = 0; i < count; i++) {
		snprintf(names[i], sizeof(names[i]), "n%zu", i + 1);
		add_host(&(struct host_recording){names[i], names[i], NULL, 1000, latencies[i]});
	}
	ck_assert_int_eq(hosts_conclude(&hosts), 0);
}

static const char *page(void)
{
	FILE *out = text_open();

	ck_assert_int_eq(hosts_page(&hosts, out), 0);
	return text_close(out);
}

/* A page is too long for a message of Check. */
static void assert_page(const char *part)
{
	ck_assert_msg(strstr(page(), part) != NULL, "no \"%s\"", part);
}

static const char *print(void)
{
	FILE *out = text_open();

	hosts_print(&hosts, 0, out);
	return text_close(out);
}

static const char *table(void)
{
	FILE *out = text_open();

	hosts_table(&hosts, 0, out);
	return text_close(out);
}

TEST(test_a_table_marks_the_host_that_stands_out_and_has_the_metrics_of_the_hosts)
{
	add_latencies((double[]){402, 400, 812}, 3);
	assert_contains(table(), "3 hosts: means of the whole system; * stands out\n"
				 "\n"
				 "                                CXL        CXL\n"
				 "                               read    latency\n"
				 "HOST                           MB/s         ns\n"
				 "n1                           1000.0      402.0\n"
				 "n2                           1000.0      400.0\n"
				 "n3                           1000.0      812.0*\n"
				 "\n"
				 "sum                          3000.0          -\n"
				 "median                       1000.0      402.0\n"
				 "median abs. deviation           0.0        2.0\n"
				 "\n"
				 "1. n3: CXL latency 812.0 ns; median of 3 hosts 402.0 ns, median "
				 "absolute deviation 2.0 ns.\n"
				 "\n"
				 "A host stands out if");
}

/* The mark takes the blank before the next column. */
TEST(test_a_marked_value_does_not_move_the_next_one)
{
	add_host(&(struct host_recording){"a", "n1", NULL, 1000, 400});
	add_host(&(struct host_recording){"b", "n2", NULL, 1000, NAN});
	add_host(&(struct host_recording){"c", "n3", NULL, 90000000, 402});
	ck_assert_int_eq(hosts_conclude(&hosts), 0);
	assert_contains(table(), "n1                           1000.0      400.0\n"
				 "n2                           1000.0          -\n"
				 "n3                       90000000.0*     402.0\n"
				 "\n"
				 "sum                      90002000.0          -\n");
}

TEST(test_numbers_of_a_host_with_a_long_name_are_in_their_columns)
{
	add_host(&(struct host_recording){"a", "n1-of-the-rack-in-row-17.", NULL, 1000, 400});
	add_host(&(struct host_recording){"b", "n2-of-the-rack-in-row-17", NULL, 1000, 400});
	ck_assert_int_eq(hosts_conclude(&hosts), 0);
	assert_contains(table(), "n1-of-the-rack-in-row-17.\n"
				 "                             1000.0      400.0\n"
				 "n2-of-the-rack-in-row-17     1000.0      400.0\n");
	assert_contains(table(), "undecided: fewer than 3 hosts.\n");
}

TEST(test_hosts_without_a_known_value_have_no_table)
{
	for (size_t i = 0; i < 3; i++)
		add_host(&(struct host_recording){"a", NULL, NULL, NAN, NAN});
	ck_assert_int_eq(hosts_conclude(&hosts), 0);
	assert_contains(table(),
			"3 hosts: means of the whole system; * stands out\n\nWhether a host "
			"stands out is undecided: fewer than 3 hosts have a known value.\n");
}

TEST(test_a_slow_host_of_three_stands_out)
{
	add_latencies((double[]){402, 400, 812}, 3);
	for (size_t i = 0; i < 3; i++)
		for (enum host_metric m = 0; m < HOST_METRICS; m++)
			ck_assert_int_eq(hosts.all[i]->stands_out[m],
					 i == 2 && m == HOST_CXL_LATENCY);
	assert_contains(print(),
			"\n1. n3: CXL latency 812.0 ns; median of 3 hosts 402.0 ns, median "
			"absolute deviation 2.0 ns.\n");
	assert_page("<strong>\u25b2 812.0</strong>");
	assert_page("<li>n3: CXL latency 812.0 ns; median of 3 hosts 402.0 ns");
}

TEST(test_a_nearly_slow_host_does_not)
{
	add_latencies((double[]){402, 400, 430}, 3);
	for (size_t i = 0; i < 3; i++)
		ck_assert(!hosts.all[i]->stands_out[HOST_CXL_LATENCY]);
	assert_contains(print(), "\nNo host stands out.\n");
	assert_page("No host stands out.");
	ck_assert_ptr_null(strstr(page(), "<strong>"));
}

TEST(test_of_two_hosts_neither_stands_out)
{
	add_latencies((double[]){400, 812}, 2);
	assert_contains(print(), "undecided: fewer than 3 hosts.\n");
	assert_page("Undecided: fewer than 3 hosts.");
	ck_assert_double_eq(hosts.sums[HOST_CXL_READ], 2000);
	ck_assert_double_nan(hosts.sums[HOST_CXL_LATENCY]);
	assert_page("<th scope=\"row\">sum of the job</th><td "
		    "data-of=\"cxl_mem_read_MBps\">2\u202f000.0</td>");
}

TEST(test_what_is_unknown_is_empty_and_in_no_median)
{
	add_host(&(struct host_recording){"a", "n1", NULL, 1000, NAN});
	add_host(&(struct host_recording){"b", "n2", NULL, 1000, 400});
	add_host(&(struct host_recording){"c", "n3", NULL, NAN, 402});
	add_host(&(struct host_recording){"d", "n4", NULL, 1000, 404, .without_latency = true});
	ck_assert_int_eq(hosts_conclude(&hosts), 0);
	ck_assert_uint_eq(hosts.spreads[HOST_CXL_LATENCY].known, 2);
	ck_assert_double_eq(hosts.spreads[HOST_CXL_LATENCY].median, 401);
	ck_assert_double_eq(hosts.spreads[HOST_CXL_READ].median, 1000);
	ck_assert_double_nan(hosts.sums[HOST_CXL_READ]);
	ck_assert_double_nan(hosts.all[3]->means[HOST_CXL_LATENCY]);
	assert_page("<th scope=\"row\">n1</th><td data-of=\"cxl_mem_read_MBps\">1\u202f"
		    "000.0</td><td data-of=\"cxl_mem_write_MBps\"></td><td "
		    "data-of=\"cxl_read_latency_ns\"></td>");
	const json_t *object = json_kept(hosts_json(&hosts));
	assert_json(object, "hosts.0.metrics.cxl_read_latency_ns.mean", "null");
	assert_json(object, "hosts.1.metrics.cxl_read_latency_ns.mean", "400.0");
	assert_json(object, "sums.cxl_mem_read_MBps", "null");
	assert_json(object, "sums.cxl_mem_write_MBps", "null");
	assert_json(object, "sums.cxl_read_latency_ns", NULL);
}

TEST(test_sums_over_time_are_of_the_times_of_all_hosts)
{
	add_host(&(struct host_recording){"a", "n1", NULL, 1000, 400, .samples = 4});
	add_host(&(struct host_recording){"b", "n2", NULL, 500, 400, .samples = 2,
					  .interval_ns = 2 * HOST_S, .late_ns = 2 * HOST_S});
	ck_assert_int_eq(hosts_conclude(&hosts), 0);
	ck_assert_uint_eq(timeline_steps(&hosts.timeline), 6);
	assert_page("<td data-of=\"from\">2.0</td><td data-of=\"to\">6.0</td>");
	for (size_t step = 0; step < 6; step++)
		assert_double(hosts_sum(&hosts, HOST_CXL_READ, step),
			      step == 2 || step == 3 ? 1500 : NAN, 0);
}

TEST(test_a_mean_is_that_of_the_whole_recording)
{
	add_host(&(struct host_recording){"a", NULL, NULL, 1234.5, 321,
					  .samples = 5 * TIMELINE_STEPS});
	ck_assert_int_eq(hosts_conclude(&hosts), 0);
	assert_double(hosts.all[0]->means[HOST_CXL_READ], 1234.5, 1e-9);
	ck_assert_uint_le(timeline_steps(&hosts.timeline), TIMELINE_STEPS);
	ck_assert_uint_eq(hosts.all[0]->samples, 5 * TIMELINE_STEPS);
	ck_assert_uint_eq(hosts.all[0]->from_ns, HOST_START);
}

TEST(test_a_host_without_a_name_has_that_of_its_file)
{
	add_host(&(struct host_recording){"run.cxl", NULL, NULL, 1, 1});
	add_host(&(struct host_recording){".cxl", NULL, NULL, 1, 1});
	add_host(&(struct host_recording){"other", NULL, NULL, 1, 1});
	ck_assert_int_eq(hosts_conclude(&hosts), 0);
	ck_assert_str_eq(hosts.all[0]->name, "run");
	ck_assert_str_eq(hosts.all[1]->name, ".cxl");
	ck_assert_str_eq(hosts.all[2]->name, "other");
}

static void note_all(void *context, const char *text)
{
	fprintf(context, "%s\n", text);
}

static const char *differences(void)
{
	FILE *out = text_open();

	hosts_differences(hosts.all, hosts.count, note_all, out);
	return text_close(out);
}

TEST(test_recordings_of_a_job_that_differ_in_nothing_have_no_note)
{
	add_latencies((double[]){402, 400, 812}, 3);
	ck_assert_str_eq(differences(), "");
}

TEST(test_the_same_host_twice_is_told_apart_and_noted)
{
	add_host(&(struct host_recording){"a", "n1", NULL, 1, 1});
	add_host(&(struct host_recording){"b", "n1", NULL, 1, 1});
	add_host(&(struct host_recording){"c", "n2", NULL, 1, 1});
	ck_assert_int_eq(hosts_conclude(&hosts), 0);
	ck_assert_str_eq(hosts.all[0]->name, "n1 (a)");
	ck_assert_str_eq(hosts.all[1]->name, "n1 (b)");
	ck_assert_str_eq(hosts.all[2]->name, "n2");
	ck_assert_str_eq(differences(), "2 recordings are of host n1: each is shown as a host, and "
					"sums contain all of them\n");
}

TEST(test_other_intervals_and_processors_are_noted)
{
	add_host(&(struct host_recording){"a", "n1", "P", 1, 1});
	add_host(&(struct host_recording){"b", "n2", "Q", 1, 1, .interval_ns = HOST_S / 10,
					  .samples = 100});
	add_host(&(struct host_recording){"c", "n3", "P", 1, 1});
	ck_assert_int_eq(hosts_conclude(&hosts), 0);
	ck_assert_str_eq(differences(), "processors differ: P on n1 and 1 more, Q on n2\n"
					"intervals differ: 1 s on n1 and 1 more, 0.1 s on n2\n");
}

TEST(test_the_job_of_recordings_is_shown_and_others_are_noted)
{
	add_host(&(struct host_recording){"a", "n1", NULL, 1, 1, .job = "17"});
	add_host(&(struct host_recording){"b", "n2", NULL, 1, 1, .job = "17"});
	ck_assert_int_eq(hosts_conclude(&hosts), 0);
	ck_assert_str_eq(differences(), "");
	assert_page("<dt>Job</dt><dd>17</dd>");
	add_host(&(struct host_recording){"c", "n3", NULL, 1, 1});
	ck_assert_int_eq(hosts_conclude(&hosts), 0);
	ck_assert_str_eq(differences(), "jobs differ: 17 on n1 and 1 more, none on n3\n");
}

TEST(test_a_clock_that_is_apart_is_noted)
{
	add_host(&(struct host_recording){"a", "n1", NULL, 1, 1});
	add_host(&(struct host_recording){"b", "n2", NULL, 1, 1, .late_ns = 9 * HOST_S});
	add_host(&(struct host_recording){"c", "n3", NULL, 1, 1, .late_ns = 3600 * HOST_S});
	ck_assert_int_eq(hosts_conclude(&hosts), 0);
	ck_assert_str_eq(differences(),
			 "no other recording has samples at the time of n3, "
			 "2023-11-14T23:13:20.000000Z to 2023-11-14T23:13:30.000000Z: clocks "
			 "differ, or the recordings are of different runs\n");
	assert_page("<p class=\"flag\">no other recording has samples at the time of n3");
}

TEST(test_a_page_names_what_could_not_be_read)
{
	add_host(&(struct host_recording){"a", "n1", NULL, 1, 1, .incomplete = true});
	error_set(&err, ERROR_FAILED, -EBADMSG, "b<i>: not a cxlmon recording");
	ck_assert_int_eq(hosts_refuse(&hosts, &err), 0);
	ck_assert_int_eq(hosts_conclude(&hosts), 0);
	assert_page("Incomplete: a: incomplete: ends at byte");
	assert_page("Not shown: b&lt;i&gt;: not a cxlmon recording");
}

/* Reads a recording whose header was read, and writes its page. Returns 0 or -ENOMEM. */
static int make_page(struct recording_file *file, FILE *out)
{
	struct error flaw = {.code = 0};
	int rc = hosts_begin(&hosts, file);

	while (!rc && recording_file_next(file, &flaw) > 0)
		rc = hosts_add(&hosts, file);
	if (rc)
		return rc;
	hosts_end(&hosts, &flaw);
	rc = hosts_conclude(&hosts);
	return rc ? rc : hosts_page(&hosts, out);
}

#define ALLOCATIONS 100 /* more than a page makes */

TEST_LOOP(test_a_page_without_memory_is_an_error, ALLOCATIONS)
{
	const struct host_recording h = {"a", "n1", NULL, 1000, 400};
	struct recording_file file;
	FILE *out = text_open();

	ck_assert_int_eq(recording_file_open(write_host(&h), NULL, &file, &err), 0);
	allocations_fail((size_t)_i + 1);
	const int rc = make_page(&file, out);
	allocations_fail(0);
	ck_assert_msg(rc == -ENOMEM || !rc, "%d", rc);
	ck_assert(_i < ALLOCATIONS - 1 || !rc);
	text_close(out);
	recording_file_close(&file);
}

/* 200 hosts have to fit in 256 MiB. A number per sample and metric would take 2.4 MB. */
TEST(test_memory_of_a_host_is_small_and_does_not_grow_with_its_samples)
{
	const size_t before = mallinfo2().uordblks; /* 0 with sanitizers */

	add_host(&(struct host_recording){"file", "n1", NULL, 1000, 400, .samples = 10000});
	ck_assert_uint_lt(mallinfo2().uordblks - before, 64 << 10);
}

/* The legend and the table have all; lines are drawn of the slow one and 63 others. */
TEST(test_a_page_of_200_hosts_is_small_and_draws_the_host_that_stands_out)
{
	char names[200][24];

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		snprintf(names[i], sizeof(names[i]), "n%zu", i);
		add_host(&(struct host_recording){"file", names[i], NULL, 1000,
						  i == 150 ? 800 : 400 + (double)(i % 7),
						  .samples = 20});
	}
	ck_assert_int_eq(hosts_conclude(&hosts), 0);
	assert_page("<li>n150: CXL latency 800.0 ns; median of 200 hosts 403.0 ns");
	assert_page("136 more hosts are not drawn; the table has them.");
	assert_page("n150<b>");
	assert_page("<th scope=\"row\">n199</th>");
	ck_assert_uint_lt(strlen(page()), 400000);
}
