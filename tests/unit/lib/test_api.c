/* SPDX-License-Identifier: BSD-3-Clause */
/* The library as other programs see it: only through its header. */
#include <cxlmon.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/time.h>

#include "unit.h"

#define SIM "spr,sockets=2,read=20,write=8,dram_read=40,clock=virtual"

static struct cxlmon_ctx *ctx;

static void make(void)
{
	ck_assert_int_eq(cxlmon_new(&ctx), 0);
}

static void destroy(void)
{
	ctx = cxlmon_unref(ctx);
	ck_assert_ptr_null(ctx);
}

static void start(const char *sim, const char *metrics)
{
	ck_assert_int_eq(cxlmon_set_sim(ctx, sim), 0);
	ck_assert_int_eq(cxlmon_set_metrics(ctx, metrics), 0);
	ck_assert_msg(!cxlmon_start(ctx), "%s", cxlmon_error(ctx));
}

static void sample(void)
{
	ck_assert_msg(!cxlmon_wait(ctx), "%s", cxlmon_error(ctx));
	ck_assert_msg(!cxlmon_sample(ctx), "%s", cxlmon_error(ctx));
}

static double value(size_t row, const char *column)
{
	return cxlmon_value(ctx, row, cxlmon_find_column(ctx, column));
}

TREE_FIXTURE(make, destroy)

TEST(test_what_was_never_started_knows_nothing)
{
	ck_assert_str_eq(cxlmon_error(ctx), "");
	ck_assert_str_eq(cxlmon_error_command(ctx), "");
	ck_assert_int_eq(cxlmon_status(ctx), CXLMON_STATUS_FINE);
	ck_assert_str_eq(cxlmon_model(ctx), "");
	ck_assert_uint_eq(cxlmon_row_count(ctx), 0);
	ck_assert_uint_eq(cxlmon_column_count(ctx), 0);
	ck_assert_uint_eq(cxlmon_find_column(ctx, "ipc"), 0);
	ck_assert_uint_eq(cxlmon_time_ns(ctx), 0);
	ck_assert_str_eq(cxlmon_column_name(ctx, 0), "");
	ck_assert_str_eq(cxlmon_column_unit(ctx, 0), "");
	ck_assert_str_eq(cxlmon_column_help(ctx, 0), "");
	ck_assert_int_eq(cxlmon_row_scope(ctx, 0), CXLMON_SCOPE_SYSTEM);
	ck_assert_int_eq(cxlmon_row_socket(ctx, 0), -1);
	ck_assert_int_eq(cxlmon_row_port(ctx, 0), -1);
	ck_assert_int_eq(cxlmon_row_cpu(ctx, 0), -1);
	ck_assert_int_eq(cxlmon_row_node(ctx, 0), -1);
	ck_assert_int_eq(cxlmon_row_box(ctx, 0), -1);
	ck_assert_str_eq(cxlmon_row_pci(ctx, 0), "");
	ck_assert_str_eq(cxlmon_row_device(ctx, 0), "");
	ck_assert_str_eq(cxlmon_row_event(ctx, 0), "");
	ck_assert_str_eq(cxlmon_row_unit(ctx, 0), "");
	ck_assert_str_eq(cxlmon_text(ctx, 0, 0), "");
	ck_assert(isnan(cxlmon_value(ctx, 0, 0)));
	ck_assert(isnan(cxlmon_row_interval_s(ctx, 0)));
	ck_assert(isnan(cxlmon_row_counted_pct(ctx, 0)));
	ck_assert(isnan(cxlmon_row_events(ctx, 0)));
	ck_assert(isnan(cxlmon_row_events_per_s(ctx, 0)));
}

TEST(test_what_a_processor_counts_in_place_of_ports_is_named)
{
	start("venice,read=20,clock=virtual", "cxl");
	sample();
	ck_assert_uint_eq(cxlmon_row_count(ctx), 18);
	ck_assert_int_eq(cxlmon_row_scope(ctx, 1), CXLMON_SCOPE_PORT);
	ck_assert_str_eq(cxlmon_row_scope_name(ctx, 1), "ccm");
	ck_assert_int_eq(cxlmon_row_port(ctx, 1), 1);
	ck_assert_str_eq(cxlmon_row_scope_name(ctx, 16), "socket");
}

TEST(test_a_sample_has_ports_sockets_and_the_system)
{
	start(SIM, "cxl,dram");
	sample();
	ck_assert_str_eq(cxlmon_model(ctx), "spr");
	ck_assert_uint_eq(cxlmon_row_count(ctx), 7);
	ck_assert_int_eq(cxlmon_row_scope(ctx, 2), CXLMON_SCOPE_PORT);
	ck_assert_str_eq(cxlmon_row_scope_name(ctx, 2), "port");
	ck_assert_int_eq(cxlmon_row_socket(ctx, 2), 1);
	ck_assert_int_eq(cxlmon_row_port(ctx, 2), 0);
	ck_assert_str_eq(cxlmon_row_device(ctx, 2), "mem2");
	ck_assert_str_eq(cxlmon_row_pci(ctx, 2), "0000:3f:00.0");
	ck_assert_int_eq(cxlmon_row_node(ctx, 2), 4);
	ck_assert_int_eq(cxlmon_row_scope(ctx, 4), CXLMON_SCOPE_SOCKET);
	ck_assert_int_eq(cxlmon_row_port(ctx, 4), -1);
	ck_assert_int_eq(cxlmon_row_scope(ctx, 6), CXLMON_SCOPE_SYSTEM);
	ck_assert_int_eq(cxlmon_row_socket(ctx, 6), -1);
	ck_assert_double_eq(value(2, "cxl_mem_read_MBps"), 20000);
	ck_assert_double_eq(value(6, "cxl_mem_write_MBps"), 32000);
	ck_assert_double_eq(value(4, "dram_read_MBps"), 40000);
	ck_assert(isnan(value(2, "dram_read_MBps")));
	ck_assert_str_eq(cxlmon_text(ctx, 2, cxlmon_find_column(ctx, "cxl_mem_read_source")),
			 "m2s_req");
	ck_assert(isnan(value(2, "cxl_mem_read_source")));
	ck_assert_double_eq(cxlmon_row_interval_s(ctx, 2), 1);
	ck_assert_double_eq(cxlmon_row_counted_pct(ctx, 2), 100);
	ck_assert_uint_eq(cxlmon_time_ns(ctx), UINT64_C(1767225601000001000));
	ck_assert_uint_eq(cxlmon_missed(ctx), 0);
	ck_assert_uint_eq(cxlmon_lost_units(ctx), 0);
	ck_assert_int_eq(cxlmon_row_box(ctx, 2), -1);
}

TEST(test_columns_say_what_they_are)
{
	start(SIM, "latency");
	const size_t column = cxlmon_find_column(ctx, "cxl_read_latency_ns");

	ck_assert_uint_lt(column, cxlmon_column_count(ctx));
	ck_assert_str_eq(cxlmon_column_name(ctx, column), "cxl_read_latency_ns");
	ck_assert_str_eq(cxlmon_column_unit(ctx, column), "ns");
	ck_assert_uint_gt(strlen(cxlmon_column_help(ctx, column)), 10);
	ck_assert_uint_eq(cxlmon_find_column(ctx, "dram_read_MBps"), cxlmon_column_count(ctx));
}

TEST(test_all_values_are_copied_row_by_row)
{
	double values[128] = {0};

	start(SIM, "cxl,dram");
	sample();
	const size_t columns = cxlmon_column_count(ctx), total = 7 * columns;

	ck_assert_uint_lt(total, COUNT_OF(values));
	ck_assert_uint_eq(cxlmon_values(ctx, NULL, COUNT_OF(values)), total);
	ck_assert_uint_eq(cxlmon_values(ctx, values, total - 1), total);
	ck_assert_double_eq(values[total - 1], 0);
	ck_assert_uint_eq(cxlmon_values(ctx, values, COUNT_OF(values)), total);
	ck_assert_double_eq(values[total], 0);
	for (size_t i = 0; i < total; i++) {
		const double expected = cxlmon_value(ctx, i / columns, i % columns);

		ck_assert(isnan(expected) ? isnan(values[i]) : values[i] == expected);
	}
}

TEST(test_columns_of_texts_are_told_from_those_of_numbers)
{
	start(SIM, "cxl");
	ck_assert_int_eq(cxlmon_column_is_text(ctx, cxlmon_find_column(ctx, "cxl_mem_read_source")),
			 1);
	ck_assert_int_eq(cxlmon_column_is_text(ctx, cxlmon_find_column(ctx, "cxl_mem_read_MBps")),
			 0);
	ck_assert_int_eq(cxlmon_column_is_text(ctx, cxlmon_column_count(ctx)), 0);
}

/* Events appear in their sample, in this run and in its recording: see test_python. */
TEST(test_marks_say_what_happened_in_the_interval)
{
	start("turin,ports=1,read=5,link_change=1.5,link_change_width=4,clock=virtual", "cxl");
	ck_assert_uint_eq(cxlmon_mark_count(ctx), 0);
	sample();
	ck_assert_uint_eq(cxlmon_mark_count(ctx), 0);
	sample();
	ck_assert_uint_eq(cxlmon_mark_count(ctx), 1);
	ck_assert_str_eq(cxlmon_mark_kind(ctx, 0), "link");
	ck_assert_str_eq(cxlmon_mark_device(ctx, 0), "mem0");
	assert_contains(cxlmon_mark_text(ctx, 0), "x4");
	ck_assert_uint_eq(cxlmon_mark_time_ns(ctx, 0), cxlmon_time_ns(ctx));
	ck_assert_str_eq(cxlmon_mark_kind(ctx, 1), "");
	ck_assert_str_eq(cxlmon_mark_device(ctx, 1), "");
	ck_assert_str_eq(cxlmon_mark_text(ctx, SIZE_MAX), "");
	ck_assert_uint_eq(cxlmon_mark_time_ns(ctx, 1), 0);
	sample();
	ck_assert_uint_eq(cxlmon_mark_count(ctx), 0);
}

TEST(test_before_the_first_sample_no_value_is_known)
{
	start(SIM, "cxl");
	ck_assert_uint_eq(cxlmon_row_count(ctx), 7);
	ck_assert(isnan(value(0, "cxl_mem_read_MBps")));
	ck_assert(isnan(cxlmon_row_interval_s(ctx, 0)));
}

TEST(test_rows_are_events_once_one_was_added)
{
	ck_assert_int_eq(cxlmon_set_sim(ctx, SIM), 0);
	ck_assert_int_eq(cxlmon_add_event(ctx, "cxlcm/event=0x02,umask=0x10,name=sent/"), 0);
	ck_assert_int_eq(cxlmon_set_interval_ns(ctx, 500000000), 0);
	ck_assert_int_eq(cxlmon_start(ctx), 0);
	sample();
	ck_assert_uint_eq(cxlmon_column_count(ctx), 0);
	ck_assert_uint_eq(cxlmon_row_count(ctx), 4);
	ck_assert_str_eq(cxlmon_row_event(ctx, 3), "sent");
	ck_assert_str_eq(cxlmon_row_unit(ctx, 3), "cxlcm");
	ck_assert_int_eq(cxlmon_row_box(ctx, 3), 4);
	ck_assert_double_eq(cxlmon_row_events(ctx, 3), 125e6);
	ck_assert_double_eq(cxlmon_row_events_per_s(ctx, 3), 250e6);
}

TEST(test_columns_are_metrics_of_ones_own_once_one_was_added)
{
	ck_assert_int_eq(cxlmon_set_sim(ctx, SIM), 0);
	ck_assert_int_eq(cxlmon_add_metric(ctx, "my_MBps = cxl_mem_read_MBps * 2; help=twice"), 0);
	ck_assert_int_eq(cxlmon_start(ctx), 0);
	ck_assert_int_eq(cxlmon_add_metric(ctx, "more = cycles"), -EBUSY);
	sample();
	ck_assert_uint_eq(cxlmon_column_count(ctx), 1);
	ck_assert_str_eq(cxlmon_column_name(ctx, 0), "my_MBps");
	ck_assert_str_eq(cxlmon_column_unit(ctx, 0), "MB/s");
	ck_assert_str_eq(cxlmon_column_help(ctx, 0), "twice");
	ck_assert_double_eq(value(0, "my_MBps"), 40000);
	ck_assert_int_eq(cxlmon_stop(ctx), 0);
	ck_assert_int_eq(cxlmon_set_metrics(ctx, "dram"), 0);
	ck_assert_int_eq(cxlmon_start(ctx), 0);
	ck_assert_uint_eq(cxlmon_column_count(ctx), 5);
	ck_assert_int_eq(cxlmon_stop(ctx), 0);
	ck_assert_int_eq(cxlmon_add_metric(ctx, "more_ns = cycles"), 0);
	ck_assert_int_eq(cxlmon_start(ctx), -EINVAL);
	ck_assert_int_eq(cxlmon_status(ctx), CXLMON_STATUS_USAGE);
	assert_contains(cxlmon_error(ctx), "more_ns");
}

TEST(test_the_finest_rows_can_be_chosen)
{
	ck_assert_int_eq(cxlmon_set_scope(ctx, CXLMON_SCOPE_SOCKET), 0);
	start(SIM, "cxl");
	ck_assert_uint_eq(cxlmon_row_count(ctx), 3);
	ck_assert_int_eq(cxlmon_row_scope(ctx, 0), CXLMON_SCOPE_SOCKET);
}

TEST(test_sockets_ports_and_devices_can_be_chosen)
{
	ck_assert_int_eq(cxlmon_set_sockets(ctx, "1"), 0);
	ck_assert_int_eq(cxlmon_set_ports(ctx, "0-1"), 0);
	start("spr,sockets=3,ports=3,read=20,clock=virtual", "cxl");
	sample();
	ck_assert_uint_eq(cxlmon_row_count(ctx), 4);
	ck_assert_int_eq(cxlmon_row_socket(ctx, 0), 1);
	ck_assert_int_eq(cxlmon_row_port(ctx, 1), 1);
	ck_assert_double_eq(value(3, "cxl_mem_read_MBps"), 40000);
	ck_assert_int_eq(cxlmon_stop(ctx), 0);

	/* NULL removes a choice */
	ck_assert_int_eq(cxlmon_set_sockets(ctx, NULL), 0);
	ck_assert_int_eq(cxlmon_set_ports(ctx, NULL), 0);
	ck_assert_int_eq(cxlmon_set_devices(ctx, "mem2,mem3"), 0);
	ck_assert_int_eq(cxlmon_start(ctx), 0);
	sample();
	ck_assert_str_eq(cxlmon_row_device(ctx, 0), "mem2");
	ck_assert_str_eq(cxlmon_row_device(ctx, 1), "mem3");
	ck_assert_double_eq(value(cxlmon_row_count(ctx) - 1, "cxl_mem_read_MBps"), 40000);
	ck_assert_int_eq(cxlmon_stop(ctx), 0);

	ck_assert_int_eq(cxlmon_set_devices(ctx, "mem99"), 0);
	ck_assert_int_eq(cxlmon_start(ctx), -EINVAL);
	assert_contains(cxlmon_error(ctx), "known devices: mem0");
	ck_assert_int_eq(cxlmon_set_devices(ctx, NULL), 0);
	ck_assert_int_eq(cxlmon_set_ports(ctx, "9"), 0);
	ck_assert_int_eq(cxlmon_start(ctx), -EINVAL);
}

TEST(test_every_column_is_in_the_list_of_metrics)
{
	size_t found = 0;

	ck_assert_int_eq(cxlmon_set_scope(ctx, CXLMON_SCOPE_CPU), 0);
	start(SIM, "all");
	ck_assert_uint_eq(cxlmon_metric_count(), cxlmon_column_count(ctx));
	for (size_t i = 0; i < cxlmon_metric_count(); i++) {
		const size_t column = cxlmon_find_column(ctx, cxlmon_metric_name(i));

		ck_assert_str_eq(cxlmon_column_name(ctx, column), cxlmon_metric_name(i));
		ck_assert_str_eq(cxlmon_column_unit(ctx, column), cxlmon_metric_unit(i));
		ck_assert_str_eq(cxlmon_column_help(ctx, column), cxlmon_metric_help(i));
		ck_assert_int_eq(cxlmon_stop(ctx), 0);
		ck_assert_int_eq(cxlmon_set_metrics(ctx, cxlmon_metric_group(i)), 0);
		found += !strcmp(cxlmon_metric_name(i), "cxl_mem_read_MBps") &&
			 !strcmp(cxlmon_metric_unit(i), "MB/s") &&
			 !strcmp(cxlmon_metric_group(i), "cxl");
	}
	ck_assert_uint_eq(found, 1);
}

static size_t find_event(const char *name)
{
	size_t event = 0;

	while (event < cxlmon_event_count(ctx) && strcmp(cxlmon_event_name(ctx, event), name) != 0)
		event++;
	return event;
}

TEST(test_the_events_of_a_processor_are_listed_and_can_be_added)
{
	ck_assert_uint_eq(cxlmon_event_count(ctx), 0);
	ck_assert_str_eq(cxlmon_event_name(ctx, 0), "");
	ck_assert_int_eq(cxlmon_set_sim(ctx, SIM), 0);
	ck_assert_int_eq(cxlmon_list_events(ctx), 0);
	const size_t event = find_event("UNC_CXLCM_CLOCKTICKS");
	ck_assert_uint_lt(event, cxlmon_event_count(ctx));
	ck_assert_str_eq(cxlmon_event_unit(ctx, event), "cxlcm");
	ck_assert_uint_gt(strlen(cxlmon_event_help(ctx, event)), 10);
	const size_t cycles = find_event("cycles");
	ck_assert_str_eq(cxlmon_event_unit(ctx, cycles), "core");
	ck_assert_str_eq(cxlmon_event_name(ctx, cxlmon_event_count(ctx)), "");

	ck_assert_int_eq(cxlmon_add_event(ctx, cxlmon_event_name(ctx, event)), 0);
	ck_assert_int_eq(cxlmon_start(ctx), 0);
	sample();
	ck_assert_str_eq(cxlmon_row_event(ctx, 0), "UNC_CXLCM_CLOCKTICKS");
	/* events may also be listed meanwhile */
	ck_assert_int_eq(cxlmon_list_events(ctx), 0);
	ck_assert_int_eq(cxlmon_stop(ctx), 0);

	const size_t count = cxlmon_event_count(ctx);
	ck_assert_int_eq(cxlmon_set_sim(ctx, "z80"), 0);
	ck_assert_int_eq(cxlmon_list_events(ctx), -EINVAL);
	ck_assert_uint_eq(cxlmon_event_count(ctx), count);
	ck_assert_int_eq(cxlmon_set_sim(ctx, "gnr"), 0);
	ck_assert_int_eq(cxlmon_list_events(ctx), 0);
	ck_assert_uint_ne(cxlmon_event_count(ctx), count);
}

static bool readable(int timeout_ms)
{
	struct pollfd fd = {.fd = cxlmon_fd(ctx), .events = POLLIN};
	const int rc = poll(&fd, 1, timeout_ms);

	ck_assert_int_ge(fd.fd, 0);
	ck_assert_int_ge(rc, 0);
	return rc;
}

TEST(test_a_descriptor_is_readable_only_when_something_is_due)
{
	const int fd = cxlmon_fd(ctx);

	ck_assert(!readable(0));
	ck_assert_int_eq(cxlmon_set_interval_ns(ctx, UINT64_C(86400000000000)), 0);
	start("spr,read=20", "cxl");
	ck_assert(!readable(0));
	ck_assert_int_eq(cxlmon_dispatch(ctx), 0);
	ck_assert_int_eq(cxlmon_stop(ctx), 0);

	ck_assert_int_eq(cxlmon_set_interval_ns(ctx, 1000000), 0);
	start("spr,read=20", "cxl");
	for (unsigned i = 0; i < 3; i++) {
		ck_assert(readable(-1));
		ck_assert_int_eq(cxlmon_dispatch(ctx), 1);
		ck_assert(readable(-1));
		ck_assert_int_eq(cxlmon_sample(ctx), 0);
	}
	ck_assert_int_eq(cxlmon_stop(ctx), 0);
	ck_assert(!readable(0));
	ck_assert_int_eq(cxlmon_fd(ctx), fd);
}

TEST(test_with_a_virtual_clock_a_sample_is_always_due)
{
	start(SIM, "cxl");
	for (unsigned i = 1; i <= 3; i++) {
		ck_assert(readable(0));
		ck_assert_int_eq(cxlmon_dispatch(ctx), 1);
		ck_assert_int_eq(cxlmon_sample(ctx), 0);
		ck_assert_double_eq(value(0, "cxl_mem_read_MBps"), 20000);
		ck_assert_uint_eq(cxlmon_time_ns(ctx) / 1000000000, UINT64_C(1767225600) + i);
	}
}

/*
 * There are more events than counters of a port: only a sample within which they have rotated knows
 * all of them.
 */
TEST(test_multiplexed_events_rotate_in_an_event_loop_too)
{
	ck_assert_int_eq(cxlmon_set_interval_ns(ctx, 60000000), 0);
	start("spr,read=20,full=25", "cxl,queue,link");
	do {
		ck_assert(readable(-1));
		const int due = cxlmon_dispatch(ctx);
		ck_assert_int_ge(due, 0);
		if (due)
			ck_assert_int_eq(cxlmon_sample(ctx), 0);
	} while (isnan(value(0, "rx_mem_data_full_pct")) ||
		 isnan(value(0, "rx_mem_req_busy_pct")) || isnan(value(0, "tx_flits_per_s")) ||
		 isnan(value(0, "rx_flits_per_s")));
	ck_assert_double_lt(cxlmon_row_counted_pct(ctx, 0), 99);
	ck_assert(!isnan(value(0, "cxl_mem_read_MBps")));
}

static int set_metrics(void)
{
	return cxlmon_set_metrics(ctx, "nonsense");
}
static int set_short_interval(void)
{
	return cxlmon_set_interval_ns(ctx, 99999);
}
static int set_long_interval(void)
{
	return cxlmon_set_interval_ns(ctx, UINT64_C(31536000000000001));
}
static int set_scope(void)
{
	return cxlmon_set_scope(ctx, (enum cxlmon_scope)4);
}
static int set_ownership(void)
{
	return cxlmon_set_ownership(ctx, (enum cxlmon_ownership)3);
}
static int set_backend(void)
{
	return cxlmon_set_backend(ctx, (enum cxlmon_backend)3);
}
static int set_root(void)
{
	return cxlmon_set_root(ctx, "");
}
static int set_sockets(void)
{
	return cxlmon_set_sockets(ctx, "zero");
}
static int set_no_ports(void)
{
	return cxlmon_set_ports(ctx, "");
}
static int set_devices(void)
{
	return cxlmon_set_devices(ctx, "MEM0");
}
static int dispatch_early(void)
{
	return cxlmon_dispatch(ctx);
}
static int set_no_recording(void)
{
	return cxlmon_set_recording(ctx, "");
}
static int wait_early(void)
{
	return cxlmon_wait(ctx);
}
static int sample_early(void)
{
	return cxlmon_sample(ctx);
}
static int start_wrong_sim(void)
{
	return cxlmon_set_sim(ctx, "z80") ? 0 : cxlmon_start(ctx);
}
static int start_wrong_event(void)
{
	return cxlmon_set_sim(ctx, SIM) || cxlmon_add_event(ctx, "nonsense") ? 0
									     : cxlmon_start(ctx);
}

static const struct {
	int (*call)(void);
	const char *says;
} wrong[] = {
	{set_metrics, "'nonsense' is not a metric group"},
	{set_short_interval, "interval out of range"},
	{set_long_interval, "interval out of range"},
	{set_scope, "invalid scope 4"},
	{set_ownership, "invalid ownership 3"},
	{set_backend, "invalid backend 3"},
	{set_root, "expected a directory"},
	{set_sockets, "invalid sockets 'zero': expected numbers such as 0 or 0,2-3"},
	{set_no_ports, "invalid ports ''"},
	{set_devices, "invalid devices 'MEM0': expected names such as mem0"},
	{set_no_recording, "invalid recording ''"},
	{wait_early, "not measuring"},
	{dispatch_early, "not measuring"},
	{sample_early, "not measuring"},
	{start_wrong_sim, "unknown model 'z80'"},
	{start_wrong_event, "nonsense"},
};

TEST_LOOP(test_wrong_use_is_refused_in_a_sentence, COUNT_OF(wrong))
{
	ck_assert_int_eq(wrong[_i].call(), -EINVAL);
	ck_assert_int_eq(cxlmon_status(ctx), CXLMON_STATUS_USAGE);
	assert_contains(cxlmon_error(ctx), wrong[_i].says);
	ck_assert_uint_eq(cxlmon_row_count(ctx), 0);
}

static const struct {
	enum cxlmon_backend wanted;
	const char *sim;
	int used;
} backends[] = {
	{CXLMON_BACKEND_RAW, SIM, CXLMON_BACKEND_RAW},
	{CXLMON_BACKEND_PERF, SIM, CXLMON_BACKEND_PERF},
	{CXLMON_BACKEND_AUTO, SIM, CXLMON_BACKEND_RAW},
	{CXLMON_BACKEND_AUTO, SIM ",lockdown=integrity", CXLMON_BACKEND_PERF},
};

TEST_LOOP(test_the_kernel_counts_where_it_is_asked_or_has_to, COUNT_OF(backends))
{
	ck_assert_int_eq(cxlmon_set_backend(ctx, backends[_i].wanted), 0);
	ck_assert_int_eq(cxlmon_backend(ctx), -EINVAL);
	start(backends[_i].sim, "cxl");
	ck_assert_int_eq(cxlmon_backend(ctx), backends[_i].used);
	sample();
	ck_assert_double_eq_tol(value(0, "cxl_mem_read_MBps"), 20000, 20);
	ck_assert_int_eq(cxlmon_stop(ctx), 0);
	ck_assert_int_eq(cxlmon_backend(ctx), -EINVAL);
}

TEST(test_what_is_measured_can_not_be_changed_meanwhile)
{
	start(SIM, "cxl");
	ck_assert_int_eq(cxlmon_start(ctx), -EBUSY);
	ck_assert_int_eq(cxlmon_set_sim(ctx, "gnr"), -EBUSY);
	ck_assert_int_eq(cxlmon_set_root(ctx, "/nowhere"), -EBUSY);
	ck_assert_int_eq(cxlmon_set_metrics(ctx, "dram"), -EBUSY);
	ck_assert_int_eq(cxlmon_set_recording(ctx, "file"), -EBUSY);
	ck_assert_int_eq(cxlmon_set_sockets(ctx, "0"), -EBUSY);
	ck_assert_int_eq(cxlmon_set_ports(ctx, NULL), -EBUSY);
	ck_assert_int_eq(cxlmon_set_devices(ctx, "mem0"), -EBUSY);
	ck_assert_int_eq(cxlmon_add_event(ctx, "CXLCM"), -EBUSY);
	ck_assert_int_eq(cxlmon_set_interval_ns(ctx, 1000000), -EBUSY);
	ck_assert_int_eq(cxlmon_set_scope(ctx, CXLMON_SCOPE_SYSTEM), -EBUSY);
	ck_assert_int_eq(cxlmon_set_ownership(ctx, CXLMON_OWNERSHIP_SHARE), -EBUSY);
	ck_assert_int_eq(cxlmon_set_backend(ctx, CXLMON_BACKEND_PERF), -EBUSY);
	assert_contains(cxlmon_error(ctx), "stop it first");
	sample();
	ck_assert_double_eq(value(0, "cxl_mem_read_MBps"), 20000);
}

TEST(test_after_stop_the_last_sample_stays_and_it_can_start_anew)
{
	start(SIM, "cxl");
	sample();
	ck_assert_int_eq(cxlmon_stop(ctx), 0);
	ck_assert_int_eq(cxlmon_stop(ctx), 0);
	ck_assert_double_eq(value(0, "cxl_mem_read_MBps"), 20000);
	ck_assert_int_eq(cxlmon_sample(ctx), -EINVAL);

	start("gnr,read=7,clock=virtual", "cxl");
	ck_assert_str_eq(cxlmon_model(ctx), "gnr");
	ck_assert(isnan(value(0, "cxl_mem_read_MBps")));
	sample();
	ck_assert_double_eq(value(0, "cxl_mem_read_MBps"), 7000);
}

TEST(test_texts_are_copied)
{
	char sim[] = SIM, metrics[] = "cxl";

	ck_assert_int_eq(cxlmon_set_sim(ctx, sim), 0);
	ck_assert_int_eq(cxlmon_set_metrics(ctx, metrics), 0);
	memset(sim, 'x', sizeof(sim) - 1);
	memset(metrics, 'x', sizeof(metrics) - 1);
	ck_assert_int_eq(cxlmon_start(ctx), 0);
	ck_assert_uint_eq(cxlmon_find_column(ctx, "cxl_mem_read_MBps"), 0);
}

TEST(test_a_machine_without_anything_to_measure_says_so)
{
	ck_assert_int_eq(cxlmon_set_root(ctx, tree_root()), 0);
	ck_assert_int_lt(cxlmon_start(ctx), 0);
	ck_assert_int_ne(cxlmon_status(ctx), CXLMON_STATUS_FINE);
	ck_assert_uint_gt(strlen(cxlmon_error(ctx)), 10);
}

static void count_remarks(void *counts, enum cxlmon_log_level level, const char *text)
{
	ck_assert_uint_gt(strlen(text), 0);
	((unsigned *)counts)[level]++;
}

TEST(test_remarks_go_to_whoever_wants_them)
{
	unsigned counts[CXLMON_LOG_DETAIL + 1] = {0};

	cxlmon_set_log(ctx, count_remarks, counts);
	start("dmr,clock=virtual", "cxl");
	ck_assert_uint_eq(counts[CXLMON_LOG_NOTE], 1); /* metrics that are not measured */
	ck_assert_uint_ge(counts[CXLMON_LOG_DETAIL], 2);
	cxlmon_set_log(ctx, NULL, NULL);
	ck_assert_int_eq(cxlmon_stop(ctx), 0);
	start("dmr,clock=virtual", "cxl");
	ck_assert_uint_eq(counts[CXLMON_LOG_NOTE], 1);
}

TEST(test_the_last_reference_frees_it)
{
	ck_assert_ptr_eq(cxlmon_ref(ctx), ctx);
	ck_assert_ptr_null(cxlmon_unref(ctx));
	start(SIM, "cxl");
	sample();
	ck_assert_ptr_null(cxlmon_unref(NULL));
}

static void ignore(int signal_number)
{
	(void)signal_number;
}

TEST(test_a_signal_handler_that_runs_ends_the_wait)
{
	const struct sigaction action = {.sa_handler = ignore};
	/* fires repeatedly: the first signal may come before the sleep */
	const struct itimerval timer = {.it_interval.tv_usec = 5000, .it_value.tv_usec = 5000};
	const struct itimerval off = {.it_value.tv_usec = 0};

	sigaction(SIGALRM, &action, NULL);
	ck_assert_int_eq(cxlmon_set_interval_ns(ctx, UINT64_C(86400000000000)), 0);
	start("spr", "cxl");
	setitimer(ITIMER_REAL, &timer, NULL);
	ck_assert_int_eq(cxlmon_wait(ctx), -EINTR);
	setitimer(ITIMER_REAL, &off, NULL);
	assert_contains(cxlmon_error(ctx), "signal handler");
	ck_assert_int_eq(cxlmon_sample(ctx), 0);
}
