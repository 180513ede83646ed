/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/serve/serving.h"

#include "output/html.h"
#include "sim_monitor.h"
#include "unit.h"

static struct sim_monitor m;
static const char *page;

static void put_page(bool stale)
{
	static const struct recording_info info = {.processor = "A & B", .interval_ns = 2500000000};
	FILE *out = text_open();

	sim_monitor_sample(&m);
	serving_page_put(out, &m.view, &info, m.sample.wall_ns, stale);
	page = text_close(out);
}

static void render(const char *spec, const char *groups, bool stale)
{
	const struct sim_setup setup = {.spec = spec,
					.view = {.groups = groups, .finest = SCOPE_PORT}};

	sim_monitor_start_as(&m, &setup);
	put_page(stale);
}

TEST(test_a_page_has_each_row_and_reloads_itself)
{
	render("gnr,ports=1,read=12,write=5,clock=virtual", "cxl", false);
	assert_contains(page, "<meta http-equiv=\"refresh\" content=\"2\">");
	assert_contains(page, "<h1>A &amp; B</h1>");
	assert_contains(page, " UTC, every 2.5 s</p>");
	assert_contains(page, "<th>CXL read<br>MB/s</th><th>CXL write<br>MB/s</th>");
	assert_contains(page,
			"<tr><th>socket 0 port 0 mem0</th><td>12" NUMBER_SEPARATOR "000.0</td>");
	assert_contains(page, "<tr><th>system</th>");
	assert_contains(page, "<a href=\"/metrics\">/metrics</a>");
	assert_contains(page, "<a href=\"/-/healthy\">/-/healthy</a>");
	assert_lacks(page, "script");
}

TEST(test_what_the_machine_cannot_measure_has_no_column)
{
	render("turin,read=12,write=5,clock=virtual", "cxl,queue", false);
	assert_contains(page, "<th>CXL read<br>");
	assert_lacks(page, "CXL.cache");
	assert_lacks(page, "buffer");
}

TEST(test_events_have_a_table_of_their_own)
{
	sim_monitor_machine(&m, "spr,ports=1,clock=virtual");
	const struct event_choice event = {
		.event = model_event(m.machine.model, "UNC_CXLCM_CLOCKTICKS")};
	ck_assert_int_eq(
		sim_monitor_view(&m, &(struct view_options){.events = &event, .event_count = 1}),
		0);
	sim_monitor_poller(&m, m.view.requests, m.view.request_count, .spec = NULL);
	view_bind(&m.view, &m.plan);
	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	put_page(false);
	assert_contains(page, "<th>event</th><th>per second</th>");
	assert_contains(
		page, "<tr><th>socket 0 port 0 mem0 cxlcm 2</th><td>UNC_CXLCM_CLOCKTICKS</td><td>");
}

TEST(test_without_samples_there_are_no_values)
{
	render("gnr,ports=1,read=12,clock=virtual", "cxl", true);
	assert_contains(page, "No sample has come since 20");
	assert_lacks(page, "<table>");
	assert_contains(page, "http-equiv=\"refresh\"");
}
