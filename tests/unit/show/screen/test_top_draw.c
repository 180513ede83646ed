/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of processes, on a canvas. */
#include "show/screen/top_draw.h"

#include <math.h>

#include "canvas_text.h"
#include "show/explain/explain.h"
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
static struct process_row rows[3];
static struct top_summary summary;
static struct top_list list;
static const struct panel *room[64];
static const struct error no_ports = {.text = "registers cannot be written",
				      .command = "sudo cxlmon doctor"};

static struct process_row row(unsigned pid, const char *name, double MBps, double cxl)
{
	struct process_row made = {.is.pid = pid,
				   .is.started = 1,
				   .reads.cxl.MBps = MBps,
				   .reads.dram.MBps = 2 * MBps,
				   .reads.share_pct = MBps / 100,
				   .reads.cxl.p50_ns = 296,
				   .reads.cxl.p99_ns = NAN,
				   .reads.cxl.samples = 123,
				   .memory.cxl = cxl,
				   .memory.dram = cxl / 2,
				   .age_s = 3};

	snprintf(made.is.name, sizeof(made.is.name), "%s", name);
	snprintf(made.is.user, sizeof(made.is.user), "someone");
	snprintf(made.is.cgroup, sizeof(made.is.cgroup), "/user.slice/%s", name);
	return made;
}

static void begin(void)
{
	sim_monitor_start(&m, .spec = "gnr,sockets=1,ports=2,read=5,clock=virtual", .start_ns = 1,
			  .view = {.groups = "cxl", .finest = SCOPE_PORT});
	ck_assert_int_eq(panels_init(&panels, &m.view.table), 0);
	sim_monitor_sample(&m);
	panels_update(&panels, &m.sample, SECOND);
	state = (struct screen_state){.tab = TAB_PROCESSES, .interval_ns = SECOND};
	scene = (struct scene){.panels = &panels,
			       .chosen = room,
			       .state = &state,
			       .processor = "Some Rapids",
			       .interval_ns = SECOND,
			       .samples = 1,
			       .explain = &explain,
			       .findings = &findings,
			       .message = ""};
	rows[0] = row(1001, "postgres", 7500, 2 * GIB);
	rows[1] = row(1002, "a_long_name_of_15", 2500, 0.5 * GIB);
	rows[2] = row(4194304, "idle", 0, 0.25 * GIB);
	summary = (struct top_summary){.interval_s = 1,
				       .latencies_s = 10,
				       .cxl_MBps = 8000,
				       .cost_pct = 0.5,
				       .processes = 400,
				       .known = 399,
				       .cxl = 2.75 * GIB,
				       .dram = 100 * GIB,
				       .oldest_s = 12,
				       .row_count = 3};
}

static void end(void)
{
	canvas_free(&c);
	panels_free(&panels);
	top_list_free(&list);
}

static size_t draw(int canvas_rows, int columns, enum glyphs glyphs)
{
	canvas_free(&c);
	ck_assert_int_eq(canvas_init(&c, canvas_rows, columns, glyphs), 0);
	ck_assert_int_eq(top_list_take(&list, &summary, rows), 0);
	top_list_arrange(&list, &state.top.choice);
	return top_draw(&c, &scene, &list);
}

FIXTURE(begin, end)

/* clang-format off: they read best as they look */
#define AT_60                                                                                      \
	" Some Rapids      every 1 s  samples 1  for 00:01  00:00:01\n"                            \
	" CXL reads 10.00 GB/s at the ports, 80% seen in samples\n"                                \
	" Memory 2.750 GiB on CXL, 100.0 GiB on DRAM\n"                                            \
	" NAME                       PID   CXL READv SHARE   CXL MEM\n"                            \
	">postgres                  1001 ~7.50 GB/s  75.0% 2.000 GiB\n"                            \
	" a_long_name_of_15         1002 ~2.50 GB/s  25.0% 512.0 MiB\n"                            \
	" idle                   4194304     ~0 B/s   0.0% 256.0 MiB\n"                            \
	"\n"                                                                                       \
	" q quit  ? help  Tab ports  Enter process        by process\n"
#define AT_100                                                                                                  \
	" Some Rapids  1 socket  2 ports                           every 1 s  samples 1  for 00:01  00:00:01\n" \
	" CXL reads 10.00 GB/s at the ports, 80% seen in samples; p50, p99 over 10 s; costs 0.5% of a CPU\n"    \
	" Memory 2.750 GiB on CXL, 100.0 GiB on DRAM, of 399 of 400 processes, counted at most 12 s ago\n"      \
	" NAME                   PID USER         CXL READv        SHARE     p50     p99   CXL MEM  DRAM MEM\n" \
	">postgres              1001 someone    ~7.50 GB/s #####   75.0%  296 ns       - 2.000 GiB 1.000 GiB\n" \
	" a_long_name_of_15     1002 someone    ~2.50 GB/s ##      25.0%  296 ns       - 512.0 MiB 256.0 MiB\n" \
	" idle               4194304 someone        ~0 B/s          0.0%  296 ns       - 256.0 MiB 128.0 MiB\n" \
	"\n"                                                                                                    \
	" q quit  ? help  Tab ports  Enter process  e explain  Up Down choose  f filter  s sort   by process\n"
/* clang-format on */

static const struct {
	int columns;
	const char *screen;
} sizes[] = {{60, AT_60}, {100, AT_100}};

TEST_LOOP(test_columns_go_by_importance, COUNT_OF(sizes))
{
	ck_assert_uint_eq(draw(9, sizes[_i].columns, GLYPHS_ASCII), 3);
	canvas_assert(&c, sizes[_i].screen);
}

/* At any width, no row exceeds its columns, and each heading is above its values. */
TEST_RANGE(test_names_and_reads_are_there_at_any_width, 40, 301)
{
	draw(9, _i, GLYPHS_BRAILLE);
	assert_contains(canvas_row(&c, 3), " NAME ");
	assert_contains(canvas_row(&c, 3), "CXL READ");
	assert_contains(canvas_row(&c, 4), ">postgres ");
	assert_contains(canvas_row(&c, 4), " ~7.50 GB/s");
}

TEST(test_a_wide_screen_has_every_column)
{
	draw(9, 300, GLYPHS_BRAILLE);
	for (size_t i = 0; i < TOP_COLUMNS; i++)
		assert_contains(canvas_row(&c, 3), top_column_kinds[i].heading);
	assert_contains(canvas_row(&c, 1), "; p50, p99 over 10 s; costs 0.5% of a CPU");
	assert_contains(canvas_row(&c, 2), ", of 399 of 400 processes, counted at most 12 s ago");
	assert_contains(canvas_row(&c, 4), "/user.slice/postgres");
}

TEST(test_without_samples_there_are_no_columns_of_them)
{
	error_set(&summary.why_not, ERROR_PERMISSION, -EACCES, "loads may not be sampled");
	error_hint(&summary.why_not, "sudo cxlmon top");
	summary.cxl_MBps = summary.latencies_s = NAN;
	draw(12, 300, GLYPHS_BRAILLE);
	assert_contains(canvas_row(&c, 3),
			"! memory alone: loads may not be sampled: sudo cxlmon top");
	ck_assert(!canvas_shows(&c, "READ") && !canvas_shows(&c, "SHARE") &&
		  !canvas_shows(&c, "seen in samples") && !canvas_shows(&c, "p99"));
	for (int columns = 40; columns <= 300; columns++) {
		draw(12, columns, GLYPHS_BRAILLE);
		ck_assert(canvas_shows(&c, " NAME ") && canvas_shows(&c, " CXL MEM"));
	}
}

TEST(test_what_is_not_known_is_a_dash)
{
	rows[0].reads.cxl.MBps = rows[0].memory.cxl = rows[0].age_s = NAN;
	draw(9, 60, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 6),
			"postgres                  1001          -  75.0%         -");
	rows[1].memory.partial = true;
	draw(9, 60, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 4), ">512.0 M");
}

TEST(test_the_column_that_sorts_stands_out)
{
	draw(9, 100, GLYPHS_ASCII);
	ck_assert_int_eq(canvas_style_of(&c, "CXL READ"), STYLE_CHOSEN);
	ck_assert_int_eq(canvas_style_of(&c, "CXL MEM"), STYLE_BOLD);
	ck_assert_int_eq(canvas_style_of(&c, "postgres"), STYLE_CHOSEN);
	state.top.choice.sort = TOP_SORT_CXL;
	draw(9, 100, GLYPHS_ASCII);
	ck_assert_int_eq(canvas_style_of(&c, "CXL MEM"), STYLE_CHOSEN);
}

TEST(test_an_arrow_marks_the_column_that_sorts)
{
	draw(9, 100, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 3), " CXL READv ");
	state.top.choice.reversed = true;
	draw(9, 100, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 3), " CXL READ^ ");
	state.top.choice = (struct top_choice){.sort = TOP_SORT_NAME};
	draw(9, 100, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 3), " NAME^ ");
	state.top.choice.sort = TOP_SORT_DRAM;
	draw(9, 100, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 3), " DRAM MEMv");
	state.top.choice.sort = TOP_SORT_READ;
	error_set(&summary.why_not, ERROR_PERMISSION, -EACCES, "loads may not be sampled");
	draw(9, 100, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 4), " CXL MEMv ");
}

TEST(test_an_empty_list_says_why)
{
	state.top.choice.by = BY_VM;
	draw(12, 100, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c,
			       "no process is in a cgroup that is known to be of a VM; g changes"));
	state.top.choice.by = BY_CONTAINER;
	draw(12, 100, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "known to be of a container; "));
	state.top.choice = (struct top_choice){.filter = "nobody"};
	draw(12, 100, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "no name has \"nobody\" in it; Esc shows all rows"));
	state.top.choice = (struct top_choice){.by = BY_PROCESS};
	summary.row_count = 0;
	draw(12, 100, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "no process is known to use CXL memory"));
}

/* The whole row is marked, because columns are far apart. */
TEST(test_the_chosen_row_stands_out_as_a_whole)
{
	draw(9, 120, GLYPHS_ASCII);
	for (int column = 0; column < 120; column++)
		if (canvas_at(&c, 4, column).character != L'#')
			ck_assert_int_eq(canvas_at(&c, 4, column).style, STYLE_CHOSEN);
	ck_assert_int_eq(canvas_at(&c, 5, 1).style, STYLE_PLAIN);
}

TEST(test_what_is_cut_off_has_a_mark)
{
	snprintf(rows[1].is.name, sizeof(rows[1].is.name), "a_name_that_is_longer_than_any_column");
	snprintf(rows[1].is.user, sizeof(rows[1].is.user), "somebody_else");
	draw(9, 121, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 5), " a_name_that_is_long+ ");
	assert_contains(canvas_row(&c, 5), " somebody_+ ");
	snprintf(rows[1].is.user, sizeof(rows[1].is.user), "ten_of_ten");
	draw(9, 120, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 5), " ten_of_ten ");
	snprintf(rows[1].is.user, sizeof(rows[1].is.user), "someone");
	state.top.choice.by = BY_USER;
	state.top.choice.tree = true;
	draw(12, 60, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 6), "   a_name_that_is_long+ ");
}

TEST(test_percentiles_are_named_where_they_have_a_column)
{
	draw(9, 120, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 1), "; p50, p99 over 10 s");
	draw(9, 80, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 1), "; p50 over 10 s");
	scene.no_ports = &no_ports;
	draw(12, 60, GLYPHS_ASCII);
	ck_assert(!canvas_shows(&c, "p50"));
}

TEST(test_lost_records_of_processes_are_said)
{
	draw(9, 160, GLYPHS_ASCII);
	ck_assert(!canvas_shows(&c, "records of processes"));
	summary.records_lost = 7;
	draw(9, 160, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 1), "; 7 records of processes lost");
}

TEST(test_why_ports_are_not_counted_stands_above_the_list)
{
	scene.no_ports = &no_ports;
	draw(12, 60, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 3), " ! registers cannot be written: sudo cxlmon doctor");
	assert_contains(canvas_row(&c, 4), " NAME ");
	assert_contains(canvas_row(&c, 5), ">postgres");
}

/* A message is wrapped between words on a high screen; a low one shows a single line. */
TEST(test_a_long_message_is_wrapped)
{
	scene.message = "a long message, of which no word may be lost, since it says what to do";
	draw(24, 40, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 21), " a long message, of which no word may");
	assert_contains(canvas_row(&c, 22), " be lost, since it says what to do");
	draw(10, 40, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 8), " a long message, of which no word may");
}

TEST(test_a_group_has_its_processes_below_and_how_many)
{
	state.top.choice.by = BY_USER;
	state.top.choice.tree = true;
	draw(12, 60, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 4), ">someone (3) ");
	assert_contains(canvas_row(&c, 4), "~10.0 GB/s 100.0% 2.750 GiB");
	assert_contains(canvas_row(&c, 5), "   postgres ");
}

TEST(test_the_name_of_a_group_has_the_room_of_what_groups_lack)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		snprintf(rows[i].is.cgroup, sizeof(rows[i].is.cgroup),
			 "/system.slice/a-service-with-a-long-name.service");
	state.top.choice.by = BY_CGROUP;
	draw(12, 80, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 4), ">a-service-with-a-lon+ (3) ~10.0 GB/s ");
	draw(12, 100, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 4), ">a-service-with-a-long-name.servi+ (3) ~10.0 GB/s ");
}

TEST(test_rows_that_are_chosen_are_visible)
{
	state.top.pid = 4194304;
	state.top.started = 1;
	ck_assert_uint_eq(draw(8, 80, GLYPHS_ASCII), 3);
	assert_contains(canvas_row(&c, 6), ">idle");
	scene.message = "something was said";
	ck_assert_uint_eq(draw(8, 80, GLYPHS_ASCII), 2);
	assert_contains(canvas_row(&c, 5), ">idle");
	assert_contains(canvas_row(&c, 6), "something was said");
	assert_contains(canvas_row(&c, 7), "2-3 of 3");
}

TEST(test_a_low_screen_has_rows_alone)
{
	ck_assert_uint_eq(draw(2, 40, GLYPHS_ASCII), 2);
	assert_contains(canvas_row(&c, 0), ">postgres");
}

TEST(test_before_the_first_update_it_says_so)
{
	ck_assert_int_eq(canvas_init(&c, 10, 80, GLYPHS_ASCII), 0);
	ck_assert_uint_eq(top_draw(&c, &scene, &list), 0);
	ck_assert(canvas_shows(&c, "waiting for the first samples"));
}

TEST(test_ports_stand_above_the_list_of_a_high_screen)
{
	draw(35, 120, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 3), " NAME ");
	draw(36, 120, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 3), "+- s0 p0  mem0  node 1 ");
	assert_contains(canvas_row(&c, 3), "++- s0 p1  mem1  node 2 ");
	assert_contains(canvas_row(&c, 15), " NAME ");
	assert_contains(canvas_row(&c, 16), ">postgres ");
	/* two panels have no room there */
	draw(40, 80, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 3), "+- system ---");
	assert_contains(canvas_row(&c, 16), " NAME ");
}

/* Processes below the ports. */

static void draw_below(int area_rows)
{
	canvas_free(&c);
	ck_assert_int_eq(canvas_init(&c, 12, 80, GLYPHS_ASCII), 0);
	ck_assert_int_eq(top_list_take(&list, &summary, rows), 0);
	top_list_arrange(&list, &state.top.choice);
	scene.processes = &list;
	top_draw_below(&c, &scene, &(struct area){2, 0, area_rows, 80});
}

TEST(test_processes_below_the_ports_have_reads_once_asked_for)
{
	ck_assert_uint_eq(top_lines_below(NULL), 0);
	draw_below(4);
	ck_assert_uint_eq(top_lines_below(&list), 4);
	assert_contains(canvas_row(&c, 2), " NAME ");
	assert_contains(canvas_row(&c, 2), " CXL MEMv");
	assert_contains(canvas_row(&c, 3), " postgres ");
	assert_contains(canvas_row(&c, 5), " idle ");
	ck_assert(!canvas_shows(&c, "READ"));
	state.reads = true;
	draw_below(4);
	assert_contains(canvas_row(&c, 2), " CXL READv");
	assert_contains(canvas_row(&c, 3), " ~7.50 GB/s ");
	draw_below(3);
	assert_contains(canvas_row(&c, 3), " postgres ");
	assert_contains(canvas_row(&c, 4), " 2 more: Tab");
}

TEST(test_the_chosen_process_below_the_ports_is_marked_until_it_has_no_room)
{
	draw_below(4);
	state.top.pid = list.lines[2].row->is.pid;
	state.top.started = list.lines[2].row->is.started;
	draw_below(4);
	ck_assert(!canvas_shows(&c, ">"));
	state.below = true;
	draw_below(4);
	assert_contains(canvas_row(&c, 5), ">idle ");
	draw_below(3);
	ck_assert(!canvas_shows(&c, ">"));
	const struct area none = {0}, two = {0, 0, 2, 80};
	ck_assert_uint_eq(top_shown_below(&list, &none), 0);
	ck_assert_uint_eq(top_shown_below(&list, &two), 0);
}

TEST(test_below_the_ports_it_says_why_there_is_no_process)
{
	summary.row_count = 0;
	summary.refused = 1;
	draw_below(4);
	ck_assert_uint_eq(top_lines_below(&list), 4);
	ck_assert(
		canvas_shows(&c, "no process is known to use CXL memory; 399 of 400 were checked"));
	list.taken = false;
	top_draw_below(&c, &scene, &(struct area){2, 0, 4, 80});
	ck_assert(canvas_shows(&c, "waiting for processes"));
}
