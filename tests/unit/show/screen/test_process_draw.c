/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of one process, on a canvas. */
#include "show/screen/top_draw.h"

#include <math.h>

#include "canvas_text.h"
#include "sim_monitor.h"
#include "unit.h"

#define GIB 1073741824.0

static struct sim_monitor m;
static struct panels panels;
static struct screen_state state;
static struct explain explain;
static struct findings findings;
static struct scene scene;
static struct canvas c;
static struct top_list list;
static struct process_view *view;
static struct top_viewport shown;

static struct top_page_row page_row(const char *name, const char *within, double MBps, double pct)
{
	struct top_page_row row = {.reads.cxl.MBps = MBps,
				   .reads.dram.MBps = MBps / 4,
				   .reads.share_pct = pct,
				   .reads.cxl.samples = (uint64_t)pct};

	snprintf(row.name, sizeof(row.name), "%s", name);
	snprintf(row.within, sizeof(row.within), "%s", within);
	return row;
}

static void fill_latencies(void)
{
	struct latencies *latencies = view->page.latencies;

	memset(latencies, 0, sizeof(view->page.latencies));
	for (unsigned i = 0; i < 100; i++) {
		latencies_add(&latencies[MEMORY_CXL], i < 75 ? 300 : 600, 1);
		latencies_add(&latencies[MEMORY_DRAM], 100, 1);
	}
}

/*
 * Returns heat with half of the reads in the first GiB of a node, and the others in all of its
 * memory.
 */
static struct top_page_heat heat(int node, bool cxl, double GiB)
{
	struct top_page_heat made = {.node = node, .cxl = cxl, .samples = 5000};

	for (int n = 1; n <= 100; n++) {
		made.GiB[n] = (float)(n <= 50 ? 1 : GiB * n / 100);
		made.least[n] = 20;
	}
	return made;
}

static void fill_page(void)
{
	struct top_page *page = &view->page;

	*page = (struct top_page){.pid = 1001, .started = 7, .sampled_s = 30};
	page->mappings.count = 2;
	page->mappings.at[0] = page_row("//anon", "", 6000, 80);
	page->mappings.at[1] =
		page_row("/usr/lib/x86_64-linux-gnu/libsomething.so.6", "", 1500, 20);
	page->functions.count = 1;
	page->functions.at[0] = page_row("lookup", "/usr/bin/postgres", 7500, 100);
	page->heat[0] = heat(0, false, 4);
	page->heat[1] = heat(1, true, 50);
	page->heat_count = 2;
	page->reading_count = 2;
	page->readings[0] = (struct top_page_reading){.age_s = 2, .GiB = {64, 4}};
	page->readings[1] = (struct top_page_reading){.age_s = 31, .GiB = {32, 4}};
	fill_latencies();
	view->with_page = true;
}

static void begin(void)
{
	sim_monitor_start(&m, .spec = "gnr,sockets=1,ports=2,read=5,clock=virtual", .start_ns = 1,
			  .view = {.groups = "cxl", .finest = SCOPE_PORT});
	ck_assert_int_eq(panels_init(&panels, &m.view.table), 0);
	sim_monitor_sample(&m);
	panels_update(&panels, &m.sample, SECOND);
	state = (struct screen_state){.tab = TAB_PROCESSES,
				      .interval_ns = SECOND,
				      .top = {.opened_pid = 1001, .opened_started = 7}};
	scene = (struct scene){.panels = &panels,
			       .state = &state,
			       .processor = "Some Rapids",
			       .interval_ns = SECOND,
			       .samples = 1,
			       .explain = &explain,
			       .findings = &findings,
			       .message = ""};
	list = (struct top_list){.taken = true};
	list.summary = (struct top_summary){
		.latencies_s = 10, .nodes = {{1, true}, {0, false}}, .node_count = 2};
	view = calloc(1, sizeof(*view));
	view->row =
		(struct process_row){.is.pid = 1001,
				     .is.started = 7,
				     .is.name = "postgres",
				     .is.user = "someone",
				     .is.cgroup = "/system.slice/postgresql.service",
				     .reads.cxl.MBps = 7500,
				     .reads.dram.MBps = 1875,
				     .reads.share_pct = 75,
				     .memory.cxl = 64 * GIB,
				     .memory.dram = 4 * GIB,
				     .age_s = 2,
				     .memory.bytes = {(uint64_t)(64 * GIB), (uint64_t)(4 * GIB)}};
	fill_page();
}

static void end(void)
{
	canvas_free(&c);
	panels_free(&panels);
	free(view);
}

static void draw(int rows, int columns, enum glyphs glyphs)
{
	canvas_free(&c);
	ck_assert_int_eq(canvas_init(&c, rows, columns, glyphs), 0);
	process_draw(&c, &scene, &list, view, &shown);
}

FIXTURE(begin, end)

/* clang-format off: it reads best as it looks */
#define AT_80                                                                                      \
	" Some Rapids  1 socket  2 ports       every 1 s  samples 1  for 00:01  00:00:01\n"        \
	" postgres  PID 1001  user someone\n"                                                      \
	" cgroup /system.slice/postgresql.service\n"                                               \
	" CXL reads ~7.50 GB/s, 75.0% of all that are sampled; DRAM reads ~1.88 GB/s\n"            \
	" Memory 64.00 GiB on CXL, 4.000 GiB on DRAM, counted 2 s ago\n"                           \
	"+- memory that it reads, last 30 s --------------------------------------------+\n"       \
	"| MAPPING                                  CXL READ           SHARE  DRAM READ |\n"       \
	"| //anon                                 ~6.00 GB/s ######    80.0% ~1.50 GB/s |\n"       \
	"| libsomething.so.6                      ~1.50 GB/s ##        20.0%  ~375 MB/s |\n"       \
	"+------------------------------------------------------------------------------+\n"       \
	"+- functions that read, last 30 s ---------------------------------------------+\n"       \
	"| FUNCTION                                 CXL READ           SHARE  DRAM READ |\n"       \
	"| lookup  postgres                       ~7.50 GB/s ######## 100.0% ~1.88 GB/s |\n"       \
	"+------------------------------------------------------------------------------+\n"       \
	"+- latency of its reads, last 10 s --------------------------------------------+\n"       \
	"| CXL  p50 296 ns  p99 592 ns  longest 600 ns  100 samples                     |\n"       \
	"|   80%|                                         #                             |\n"       \
	"|    0%|                                         #                       :     |\n"       \
	"|          |100 ns                 |200 ns                          |500 ns    |\n"       \
	"| DRAM  p50 100 ns  p99 100 ns  longest 100 ns  100 samples                    |\n"       \
	"|  100%|   #                                                                   |\n"       \
	"|    0%|   #                                                                   |\n"       \
	"|          |100 ns                 |200 ns                          |500 ns    |\n"       \
	"+------------------------------------------------------------------------------+\n"       \
	"+- hot memory, last 30 s ------------------------------------------------------+\n"       \
	"| node 1 CXL: 90% of reads in 45.00 GiB of 64.00 GiB (5000 samples)            |\n"       \
	"| node 0 DRAM: 90% of reads in 3.600 GiB of 4.000 GiB (5000 samples)           |\n"       \
	"|  100%|                  ..::########   100%|                         ...::## |\n"       \
	"|      |            ..::##############       |                 ...::########## |\n"       \
	"|      |##############################       |       ######################### |\n"       \
	"|    0%|##############################     0%|       ######################### |\n"       \
	"|       0  node 1 CXL        64.00 GiB        0  node 0 DRAM         4.000 GiB |\n"       \
	"+------------------------------------------------------------------------------+\n"       \
	"+- memory by node -------------------------------------------------------------+\n"       \
	"| node 1 CXL     64.00 GiB                                                .... |\n"       \
	"|                          ...............................................#### |\n"       \
	"|                          ################################################### |\n"       \
	"| node 0 DRAM    4.000 GiB                                                     |\n"       \
	"|                                                                              |\n"       \
	"|                          ................................................... |\n"       \
	"| height: 80.00 GiB        31 s ago                                        now |\n"       \
	"+------------------------------------------------------------------------------+\n"       \
	" q back  ? help  Tab ports  Up Down more  e explain  p pause  w save  u units\n"
/* clang-format on */

TEST(test_all_panels_of_a_high_screen)
{
	draw(43, 80, GLYPHS_ASCII);
	canvas_assert(&c, AT_80);
	ck_assert_uint_eq(shown.panels, 5);
	ck_assert_uint_eq(shown.visible_panels, 5);
}

/* The interval is half a second. */
TEST(test_less_than_a_second_of_samples_is_said_too)
{
	view->page.sampled_s = 0.5;
	draw(43, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "+- memory that it reads, last 0.5 s -"));
}

TEST(test_memory_that_has_not_changed_has_bars)
{
	view->page.readings[1] = view->page.readings[0];
	view->page.readings[1].age_s = 31;
	draw(43, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(
		&c,
		"| node 1 CXL     64.00 GiB ################################################### |"));
	ck_assert(canvas_shows(
		&c,
		"| node 0 DRAM    4.000 GiB ###                                                 |"));
	ck_assert(!canvas_shows(&c, "height: "));
	/* other panels have the room */
	assert_contains(canvas_row(&c, 38), "+- memory by node -");
}

TEST(test_memory_of_each_node_is_below_the_height)
{
	view->page.readings[1].GiB[1] = 100;
	draw(43, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "| height: 100.0 GiB "));
	for (size_t i = 0; i < 2; i++)
		view->page.readings[i] =
			(struct top_page_reading){.age_s = i, .GiB = {0, i ? 0.1F : 0.2F}};
	draw(43, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "| height: 250.0 MiB "));
}

TEST(test_panels_are_side_by_side_where_two_have_room)
{
	draw(60, 160, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 5), "+- memory that it reads, last 30 s ---");
	assert_contains(canvas_row(&c, 5), "++- functions that read, last 30 s ---");
	assert_contains(canvas_row(&c, 10), "++- hot memory, last 30 s ---");
	ck_assert(canvas_shows(&c, "+- memory by node ---"));
}

/* Frames are whole at any size, below the identity of the process. */
TEST_RANGE(test_frames_are_whole_at_any_width, 40, 301)
{
	for (int rows = 12; rows < 64; rows += 9) {
		draw(rows, _i, GLYPHS_ASCII);
		assert_contains(canvas_row(&c, 1), " postgres  PID 1001");
		assert_contains(canvas_row(&c, 3), " CXL reads ~7.50 GB/s");
		assert_contains(canvas_row(&c, 4), " Memory 64.00 GiB on CXL");
		ck_assert_uint_gt(shown.visible_panels, 0);
		for (int row = 5; row < rows - 1; row++) {
			const wchar_t first = canvas_at(&c, row, 0).character;
			const wchar_t last = canvas_at(&c, row, _i - 1).character;

			ck_assert(first == last &&
				  (first == L'|' || first == L'+' || first == L' '));
		}
		ck_assert(canvas_at(&c, 5, 0).character == L'+');
	}
}

TEST(test_reads_have_columns_if_20_are_left_for_names)
{
	draw(43, 41, GLYPHS_ASCII);
	ck_assert(!canvas_shows(&c, "CXL READ"));
	draw(43, 42, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 6), "| MAPPING                CXL READ  SHARE |");
	draw(43, 52, GLYPHS_ASCII);
	ck_assert(!canvas_shows(&c, "DRAM READ"));
}

TEST_RANGE(test_a_low_screen_has_what_fits, 1, 12)
{
	draw(_i, 80, GLYPHS_BRAILLE);
	ck_assert_uint_eq(shown.visible_panels, _i < 11 ? 0 : 1);
	if (_i > 2)
		assert_contains(canvas_row(&c, 1), " postgres ");
}

TEST(test_panels_go_on_from_the_one_that_was_asked_for)
{
	draw(24, 80, GLYPHS_ASCII);
	ck_assert_uint_eq(shown.visible_panels, 3);
	ck_assert(canvas_shows(&c, "memory that it reads") && !canvas_shows(&c, "hot memory"));
	ck_assert(canvas_shows(&c, "3 of 5 panels"));
	state.top.first_panel = 2;
	draw(24, 80, GLYPHS_ASCII);
	ck_assert(!canvas_shows(&c, "functions that read") && canvas_shows(&c, "hot memory"));
	ck_assert(canvas_shows(&c, "memory by node"));
	ck_assert_uint_eq(shown.first_panel, 2);
	/* a higher canvas has room for the panels above it */
	draw(43, 80, GLYPHS_ASCII);
	ck_assert_uint_eq(shown.first_panel, 0);
	ck_assert_uint_eq(shown.visible_panels, 5);
}

TEST(test_without_samples_there_is_memory_alone_and_what_helps)
{
	error_set(&list.summary.why_not, ERROR_PERMISSION, -EACCES, "loads may not be sampled");
	error_hint(&list.summary.why_not, "sudo cxlmon top");
	list.summary.latencies_s = view->page.sampled_s = NAN;
	draw(24, 80, GLYPHS_BRAILLE);
	ck_assert(canvas_shows(&c, "! memory alone: loads may not be sampled: sudo cxlmon top"));
	ck_assert(canvas_shows(&c, "memory by node") &&
		  canvas_shows(&c, "node 1 CXL     64.00 GiB"));
	ck_assert(!canvas_shows(&c, "reads") && !canvas_shows(&c, "latency"));
	ck_assert_uint_eq(shown.panels, 1);
}

TEST(test_memory_that_only_root_may_read_is_no_zero)
{
	view->row.memory.cxl = view->row.memory.dram = view->row.age_s = NAN;
	view->page.reading_count = 0;
	list.summary.refused = 3;
	draw(43, 80, GLYPHS_BRAILLE);
	ck_assert(canvas_shows(&c, "Memory by node unknown"));
	ck_assert(canvas_shows(&c, "! its memory is unknown: only root may read it: sudo "));
	ck_assert(canvas_shows(&c, "unknown, or not counted yet"));
	ck_assert(canvas_shows(&c, "node 1 CXL: 90% of reads in 45.00 GiB (5000"));
}

TEST(test_where_names_of_functions_are_not_known_it_says_why)
{
	error_set(&view->page.no_functions, ERROR_FAILED, -ELIBACC, "libelf is missing");
	error_hint(&view->page.no_functions, "apt install libelf1");
	view->page.functions.at[0].name[0] = '\0';
	draw(43, 80, GLYPHS_BRAILLE);
	ck_assert(canvas_shows(&c, "names are unknown: libelf is missing: apt install libelf1"));
	ck_assert(canvas_shows(&c, " ?  postgres "));
}

TEST(test_before_the_first_update_it_says_so)
{
	view->with_page = false;
	draw(43, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "waiting for the first samples"));
	ck_assert(canvas_shows(&c, "+- functions that read -"));
	scene.played = true;
	draw(43, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "a recording does not have this of one process"));
}

TEST(test_a_process_that_has_ended_is_shown_as_it_was)
{
	view->ended = true;
	draw(43, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "! it has ended: these are its last values"));
	ck_assert(canvas_shows(&c, "| lookup  postgres"));
}

TEST(test_rows_that_have_no_room_are_counted)
{
	for (size_t i = 0; i < TOP_PAGE_ROWS; i++)
		view->page.mappings.at[i] = page_row("/a/mapping", "", 1, 4);
	view->page.mappings.count = TOP_PAGE_ROWS;
	view->page.mappings.left_out = 6;
	draw(24, 80, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 10), "| and 27 more ");
	ck_assert(canvas_shows(&c, "3 of 5 panels"));
}

TEST(test_since_when_it_runs_and_for_how_long)
{
	view->page.since_ns = UINT64_C(1700000000) * NS_PER_S;
	list.summary.wall_ns = view->page.since_ns + 7200 * NS_PER_S;
	draw(43, 100, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 1), "  since 2023-11-14 22:13:20 (2 h)");
}

/* Few samples have not seen all of the hottest ranges. */
TEST(test_few_samples_say_how_much_it_is_at_least_or_nothing)
{
	view->page.heat[1].least[90] = HEAT_SAMPLES_FEWEST - 1;
	view->page.heat[0].samples = TOP_HEAT_SAMPLES_LEAST - 1;
	draw(43, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "node 1 CXL: 90% of reads in at least 45.00 GiB of 64"));
	ck_assert(canvas_shows(&c, "node 0 DRAM: too few samples yet, 99 of 100"));
	ck_assert(!canvas_shows(&c, "0  node 0 DRAM"));
}

TEST(test_a_processor_without_latencies_says_so)
{
	memset(view->page.latencies, 0, sizeof(view->page.latencies));
	draw(43, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "none of its loads was sampled"));
	list.summary.latencies_s = NAN;
	draw(43, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "this processor does not say how long loads take"));
}

/* Bars may be beyond the first and last buckets, and a graph may have more places than values. */
TEST(test_terminals_may_be_as_wide_as_they_want)
{
	struct latencies *cxl = &view->page.latencies[MEMORY_CXL];

	latencies_add(cxl, 1, 1000);
	latencies_add(cxl, 1e9, 1000);
	draw(60, 160, GLYPHS_BRAILLE);
	ck_assert(canvas_shows(&c, "latency of its reads"));
	draw(60, 3000, GLYPHS_BRAILLE);
}
