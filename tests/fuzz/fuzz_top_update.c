/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Updates of cxlmon-top, in which bytes of the input replace others: it may be compromised. Updates
 * that the run accepts are drawn on both views of the screen, saved as a list, and recorded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "linux/run/packet.h"
#include "output/sink.h"
#include "probe/top/top_code.h"
#include "probe/top/top_print.h"
#include "record/block.h"
#include "show/screen/screen_save.h"
#include "show/screen/top_draw.h"

#define ROWS  3 /* rows of an update, unless the input changes their number */
#define PARTS 4 /* messages of an update */

/* Messages that cxlmon-top sends. */
struct sent {
	struct top_summary summary;
	struct process_row rows[ROWS];
	struct top_page page;
};

/* Contents of the screen, and their view. */
struct shown {
	struct row row;
	struct table table;
	struct panels panels;
	struct explain explain;
	struct findings findings;
	struct screen_state state;
	struct top_viewport viewport;
	struct top_list list;
	struct process_view process;
	struct scene scene;
	struct canvas canvas;
};

static void make_rows(struct sent *sent)
{
	for (unsigned i = 0; i < ROWS; i++)
		sent->rows[i] =
			(struct process_row){.is.pid = 1001 + i,
					     .is.started = 7,
					     .is.name = "postgres",
					     .is.user = "someone",
					     .is.cgroup = "/system.slice/postgresql.service",
					     .reads.cxl.MBps = 7500,
					     .reads.dram.MBps = 1875,
					     .reads.share_pct = 75,
					     .reads.cxl.samples = 123,
					     .reads.cxl.p50_ns = 296,
					     .reads.cxl.p99_ns = 592,
					     .memory.cxl = 1e9,
					     .memory.dram = 2e9,
					     .age_s = 2,
					     .memory.bytes = {1000000000, 2000000000}};
}

static void make_page(struct top_page *page)
{
	const struct top_page_row row = {.name = "/usr/bin/postgres",
					 .within = "/usr/bin/postgres",
					 .reads.cxl.MBps = 6000,
					 .reads.dram.MBps = 1500,
					 .reads.share_pct = 80,
					 .reads.cxl.samples = 80};

	*page = (struct top_page){
		.pid = 1001,
		.started = 7,
		.since_ns = 1,
		.sampled_s = 30,
		.mappings = {.at = {row, row}, .count = 2, .left_out = 1},
		.functions = {.at = {row}, .count = 1},
		.heat = {{.node = 0, .samples = 500}, {.node = 1, .cxl = true, .samples = 5000}},
		.heat_count = 2,
		.readings = {{.age_s = 2, .GiB = {64, 4}}, {.age_s = 31, .GiB = {32, 4}}},
		.reading_count = 2};
	for (unsigned i = 0; i < 100; i++) {
		latencies_add(&page->latencies[MEMORY_CXL], i < 75 ? 300 : 600, 1);
		latencies_add(&page->latencies[MEMORY_DRAM], 100, 1);
		page->heat[0].GiB[i + 1] = page->heat[1].GiB[i + 1] = (float)i / 10;
	}
}

static void make_update(struct sent *sent)
{
	memset(sent, 0, sizeof(*sent));
	sent->summary = (struct top_summary){.wall_ns = UINT64_C(1780000000000000000),
					     .interval_s = 1,
					     .latencies_s = 10,
					     .event = "mem-loads",
					     .cxl_MBps = 8000,
					     .samples = 369,
					     .cost_pct = 0.5,
					     .processes = 400,
					     .known = 399,
					     .cxl = 3e9,
					     .dram = 1e11,
					     .oldest_s = 12,
					     .nodes = {{1, true}, {0, false}},
					     .node_count = 2,
					     .row_count = ROWS,
					     .with_page = true};
	make_rows(sent);
	make_page(&sent->page);
}

/* Encodes the parts of an update, each after its type: the summary, the rows, the page and its
 * readings. */
static void encode(struct sent *sent, struct bytes parts[PARTS])
{
	const size_t nodes = sent->summary.node_count;
	struct coder coders[PARTS];

	for (uint8_t i = 0; i < PARTS; i++) {
		coders[i] = (struct coder){.out = &parts[i]};
		code_u8(&coders[i], i);
	}
	top_code_summary(&coders[0], &sent->summary);
	for (size_t i = 0; i < ROWS; i++)
		top_code_row(&coders[1], &sent->rows[i], nodes);
	top_code_page(&coders[2], &sent->page);
	top_code_readings(&coders[3], &sent->page, nodes);
	for (size_t i = 0; i < PARTS; i++)
		fuzz_require(!parts[i].failed);
}

/*
 * Replaces, inserts or drops bytes repeatedly: the input has the part, the place, the number and
 * the bytes.
 */
static void change_bytes(struct bytes parts[PARTS], struct input *in)
{
	static const uint8_t zeros[16];

	while (in->left) {
		const uint8_t what = input_u8(in);
		struct bytes *part = &parts[what % PARTS];
		const size_t at = input_u16(in) % part->size, count = 1 + input_u8(in) % 16;
		const size_t room = part->size - at, replaced = count < room ? count : room;

		if (what & 0x40 && part->size < PACKET_BYTES_MOST / 2) {
			bytes_put(part, zeros, count);
			memmove(part->data + at + count, part->data + at, room);
		} else if (what & 0x80 && replaced < part->size) {
			memmove(part->data + at, part->data + at + replaced, room - replaced);
			part->size -= replaced;
			continue;
		}
		input_bytes(in, part->data + at, replaced);
	}
}

static void check(const struct top_update *update)
{
	fuzz_require(update->summary.row_count <= TOP_ROWS_MOST);
	for (size_t i = 0; i < update->summary.row_count; i++) {
		fuzz_require(fuzz_one_line(update->rows[i].is.name));
		fuzz_require(fuzz_one_line(update->rows[i].is.cgroup));
	}
	fuzz_require(fuzz_one_line(update->summary.event));
	fuzz_require(fuzz_one_line(update->summary.why_not.text));
}

/* Records an update. */
static void record(const struct top_update *update)
{
	struct bytes bytes = {.failed = false};
	struct coder out = {.out = &bytes};
	struct top_update again = {.rows = NULL};
	struct error err = {0};

	top_block.encode(&out, update);
	struct coder in = {.at = bytes.data, .left = bytes.size, .err = &err};
	fuzz_require(!top_block.decode(&in, &again));
	fuzz_require(!in.bad && !in.left);
	top_block.release(&again);
	bytes_free(&bytes);
}

static void save(const struct top_list *list)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fuzz_require(out);
	top_save(&list->summary, list->rows, out);
	fclose(out);
	free(text);
}

static void begin(struct shown *shown, struct input *in)
{
	shown->row = row_unknown;
	shown->table = (struct table){.model = "unknown", .rows = &shown->row};
	fuzz_require(!panels_init(&shown->panels, &shown->table));
	shown->state = (struct screen_state){
		.tab = TAB_PROCESSES,
		.interval_ns = 1000000000,
		.top = {.choice = {.by = input_u8(in) % TOP_BYS,
				   .sort = input_u8(in) % TOP_SORTS,
				   .tree = true},
			.opened_pid = 1001,
			.opened_started = 7,
			.first_panel = input_u8(in) % 8},
	};
	shown->scene = (struct scene){.panels = &shown->panels,
				      .state = &shown->state,
				      .processor = "unknown",
				      .interval_ns = 1000000000,
				      .explain = &shown->explain,
				      .findings = &shown->findings,
				      .message = ""};
	const int rows = 4 + input_u8(in) % 96, columns = 20 + input_u8(in);
	fuzz_require(!canvas_init(&shown->canvas, rows, columns, (enum glyphs)(rows % 3)));
}

static void draw(struct shown *shown, const struct top_update *update)
{
	const struct area all = {0, 0, shown->canvas.rows, shown->canvas.columns};

	fuzz_require(!top_list_take(&shown->list, &update->summary, update->rows));
	top_list_arrange(&shown->list, &shown->state.top.choice);
	top_draw(&shown->canvas, &shown->scene, &shown->list);
	save(&shown->list);
	process_view_open(&shown->process, &shown->state.top, &shown->list);
	if (!shown->process.row.is.pid)
		return;
	process_view_take(&shown->process, update);
	canvas_blank(&shown->canvas, &all, STYLE_PLAIN);
	process_draw(&shown->canvas, &shown->scene, &shown->list, &shown->process,
		     &shown->viewport);
}

static void end(struct shown *shown)
{
	top_list_free(&shown->list);
	panels_free(&shown->panels);
	canvas_free(&shown->canvas);
}

/* Returns a watcher with the room of a run's; it is kept, because it is large. */
static struct top_watcher *get_watcher(int socket)
{
	static struct top_watcher watcher;
	struct top_update *updates[] = {&watcher.last, &watcher.next};

	for (size_t i = 0; i < 2 && !watcher.next.page; i++) {
		updates[i]->rows = calloc(TOP_ROWS_MOST, sizeof(struct process_row));
		updates[i]->page = calloc(1, sizeof(struct top_page));
		fuzz_require(updates[i]->rows && updates[i]->page);
	}
	if (!watcher.buffer)
		watcher.buffer = malloc(sizeof(*watcher.buffer));
	fuzz_require(watcher.buffer);
	watcher.socket = socket;
	watcher.complete = watcher.begun = false;
	watcher.rows_missing = watcher.page_parts_missing = 0;
	return &watcher;
}

/* Takes an update. Its end is missing if the summary announces more. */
static bool take(struct top_watcher *watcher, const struct bytes parts[PARTS], int process)
{
	for (size_t i = 0; i < PARTS; i++)
		fuzz_require(!packet_send(process, &parts[i]));
	return top_watcher_read(watcher);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {.at = data, .left = size};
	static struct sent sent;
	struct shown shown = {.list.taken = false};
	struct bytes parts[PARTS] = {{.failed = false}};
	int ends[2];

	fuzz_require(!packet_pair(ends));
	struct top_watcher *watcher = get_watcher(ends[0]);
	begin(&shown, &in);
	make_update(&sent);
	encode(&sent, parts);
	change_bytes(parts, &in);
	if (take(watcher, parts, ends[1])) {
		check(&watcher->last);
		record(&watcher->last);
		draw(&shown, &watcher->last);
	}
	for (size_t i = 0; i < PARTS; i++)
		bytes_free(&parts[i]);
	end(&shown);
	close(ends[1]);
	if (watcher->socket >= 0)
		close(watcher->socket);
	return 0;
}
