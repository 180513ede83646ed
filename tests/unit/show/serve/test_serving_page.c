/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/serve/serving_private.h"

#include "show/page/html.h"
#include "sim_monitor.h"
#include "unit.h"

static struct sim_monitor m;
static struct series recent;
static struct message head;
static const char *page;

static void put_page(unsigned samples)
{
	static const struct recording_info info = {.processor = "A & B", .interval_ns = 2500000000};
	FILE *out = text_open();

	series_free(&recent);
	ck_assert_int_eq(series_init(&recent, &m.view.table), 0);
	series_set_steps(&recent, SERIES_DOUBLES, SERVING_STEPS, SERVING_STEP_NS);
	ck_assert_int_eq(series_keep_all(&recent, SERIES_STEPS | SERIES_PEAKS), 0);
	for (unsigned i = 0; i < samples; i++) {
		sim_monitor_sample(&m);
		series_add(&recent, m.sample.wall_ns, info.interval_ns);
	}
	serving_page_put(out, &recent, &info, m.sample.wall_ns, &head);
	page = text_close(out);
}

static void render(const char *spec, const char *groups, unsigned samples)
{
	const struct sim_setup setup = {.spec = spec,
					.view = {.groups = groups, .finest = SCOPE_PORT}};

	sim_monitor_start_as(&m, &setup);
	put_page(samples);
}

static void tear_down(void)
{
	series_free(&recent);
}

FIXTURE(NULL, tear_down)

TEST(test_a_page_has_each_row_and_asks_for_the_next_values)
{
	render("gnr,ports=1,read=12,write=5,clock=virtual", "cxl", 1);
	assert_contains(page, "<h1>CXL memory on A &amp; B</h1>");
	assert_contains(page, " UTC, every 2.5 s</p>");
	assert_contains(page, "<div id=\"live\" data-seconds=\"2\">");
	/* a browser without scripts reloads the page */
	assert_contains(page, "<noscript><meta http-equiv=\"refresh\" content=\"2\"></noscript>");
	assert_contains(page,
			"<th colspan=\"4\" scope=\"rowgroup\">CXL read <small>MB/s</small></th>");
	assert_contains(page, "<tr><th scope=\"row\">socket 0 port 0 mem0</th>"
			      "<td data-of=\"now\">12" NUMBER_SEPARATOR "000.0</td>"
			      "<td data-of=\"mean\">12" NUMBER_SEPARATOR "000.0</td>"
			      "<td data-of=\"max\">12" NUMBER_SEPARATOR "000.0</td></tr>");
	assert_contains(page, "<tr><th scope=\"row\">system</th>");
	assert_contains(page, "<a href=\"/metrics\">/metrics</a>");
	assert_contains(page, "<a href=\"/-/healthy\">/-/healthy</a>");
}

TEST(test_a_page_has_tiles_of_the_system_and_charts_of_the_ports)
{
	render("gnr,ports=2,read=12,write=5,clock=virtual", "cxl,latency", 3);
	assert_contains(page, "<div class=\"tile\"><h3>CXL read</h3><p class=\"big\">24.0 "
			      "<small>GB/s</small></p><p>mean 24.0 \u00b7 max 24.0</p></div>");
	assert_contains(page, "<figure class=\"chart time\" data-metric=\"cxl_mem_read_MBps\"");
	/* the last value is in the legend */
	assert_contains(page, "socket 0 port 1 mem1<b>12.0</b></li>");
	assert_contains(page, "UTC, s</text>");
}

TEST(test_what_the_machine_cannot_measure_has_no_figures)
{
	render("turin,read=12,write=5,clock=virtual", "cxl,queue", 1);
	assert_contains(page, ">CXL read <small>");
	assert_lacks(page, "CXL.cache");
	assert_lacks(page, "buffer");
}

TEST(test_events_have_a_table_of_their_own)
{
	sim_monitor_machine(&m, "spr,ports=1,clock=virtual");
	const struct event_choice event = {
		.event = model_event(m.machine.model, "UNC_CXLCM_CLOCKTICKS")};
	sim_monitor_measure(&m, .view = {.events = &event, .event_count = 1});
	put_page(1);
	assert_contains(page, "<th colspan=\"2\" scope=\"rowgroup\">UNC_CXLCM_CLOCKTICKS <small>1/s"
			      "</small></th>");
	assert_contains(page, "<tr><th scope=\"row\">socket 0 port 0 mem0 cxlcm 2</th>"
			      "<td data-of=\"now\">");
}

TEST(test_a_stale_page_has_the_time_of_the_latest_sample_in_place_of_values)
{
	char *stale;

	render("gnr,ports=1,read=12,clock=virtual", "cxl", 1);
	const int length =
		asprintf(&stale, "%.*s%s%.*s", (int)head.stale_from, page, page + head.size,
			 (int)(head.size - head.stale_to), page + head.stale_to);
	ck_assert_int_gt(length, 0);
	assert_contains(stale, "<div id=\"live\" data-seconds=\"2\">\n<p class=\"flag bad\">"
			       "No sample has come since 20");
	assert_contains(stale, " UTC.</p>\n</div>\n<footer>");
	assert_lacks(stale, "<table");
	assert_lacks(stale, "<figure");
	assert_contains(stale, "http-equiv=\"refresh\"");
	free(stale);
}
