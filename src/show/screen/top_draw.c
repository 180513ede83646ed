/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/top_draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "show/screen/canvas.h"
#include "show/screen/graph.h"

#define NOTE_LINES   4
#define CUT_OFF	     "+" /* mark of a shortened text, as in ps */
#define PORT_COLUMNS 50
#define PORTS_PART   3 /* ports take a third of the rows */
#define MIN_HEADING  8 /* rows; with fewer, only the list is drawn */

/* Drawing state: what is drawn, and where. */
struct drawing {
	struct canvas *canvas;
	const struct scene *scene;
	const struct top_list *list;
	bool sampled;		 /* reads are sampled */
	int widths[TOP_COLUMNS]; /* 0: no room */
};

static const struct top_choice *choice_of(const struct drawing *d)
{
	return &d->scene->state->top.choice;
}

/*
 * Draws text at the left or right of a column's place; a text that is too long is cut off, with a
 * mark.
 */
static void put_column(struct drawing *d, int row, int at, enum top_column column, enum style style,
		       const char *text)
{
	const int width = d->widths[column], length = (int)strlen(text);
	const int first =
		top_column_kinds[column].left || length > width ? at : at + width - length;

	canvas_text(d->canvas, row, first, width, style, text);
	if (length > width)
		canvas_text(d->canvas, row, at + width - 1, 1, style, CUT_OFF);
}

/* Returns the order of the rows: memory instead of reads if reads are not sampled. */
static enum top_sort shown_sort(const struct drawing *d)
{
	const enum top_sort sort = choice_of(d)->sort;

	return sort == TOP_SORT_READ && !d->sampled ? TOP_SORT_CXL : sort;
}

/* Puts an arrow after the heading of the column that sorts: down, if the largest are first. */
static void draw_arrow(struct drawing *d, int row, int at, enum top_column column)
{
	const struct top_column_kind *kind = &top_column_kinds[column];
	const bool rising = (kind->sort >= TOP_SORT_USER) != choice_of(d)->reversed;
	const int behind = kind->left ? (int)strlen(kind->heading) : d->widths[column];
	const wchar_t ascii = rising ? L'^' : L'v', other = rising ? L'\u25B2' : L'\u25BC';

	canvas_put(d->canvas, row, at + behind, STYLE_CHOSEN, d->canvas->glyphs ? other : ascii);
}

static void draw_heading(struct drawing *d, int row)
{
	int at = 1;

	canvas_blank(d->canvas, &(struct area){row, 0, 1, d->canvas->columns}, STYLE_PLAIN);
	for (enum top_column column = 0; column < TOP_COLUMNS; column++) {
		if (!d->widths[column])
			continue;
		const bool sorts = top_column_kinds[column].sort == shown_sort(d);

		put_column(d, row, at, column, sorts ? STYLE_CHOSEN : STYLE_BOLD,
			   top_column_kinds[column].heading);
		if (sorts)
			draw_arrow(d, row, at, column);
		at += d->widths[column] + 1;
	}
}

/* Lines. */

static struct scaled_text unknown_text(void)
{
	return (struct scaled_text){"-"};
}

static struct scaled_text memory_text(const struct process_row *row, double bytes)
{
	struct scaled_text text = isnan(bytes) ? unknown_text() : scale_memory(to_MiB(bytes));

	if (row->memory.partial && !isnan(bytes))
		snprintf(text.text, sizeof(text.text), ">%.8s", scale_memory(to_MiB(bytes)).text);
	return text;
}

static struct scaled_text number_text(const char *format, double number)
{
	struct scaled_text text = unknown_text();

	if (!isnan(number))
		snprintf(text.text, sizeof(text.text), format, number);
	return text;
}

static struct scaled_text text_of(const struct drawing *d, const struct process_row *row,
				  enum top_column column)
{
	switch (column) {
	case COLUMN_READ:
		return scale_sampled(row->reads.cxl.MBps, d->scene->state->binary);
	case COLUMN_DRAM_READ:
		return scale_sampled(row->reads.dram.MBps, d->scene->state->binary);
	case COLUMN_SHARE:
		return number_text("%.1f%%", row->reads.share_pct);
	case COLUMN_P50:
		return number_text("%.0f ns", row->reads.cxl.p50_ns);
	case COLUMN_P99:
		return number_text("%.0f ns", row->reads.cxl.p99_ns);
	case COLUMN_CXL:
		return memory_text(row, row->memory.cxl);
	case COLUMN_DRAM:
		return memory_text(row, row->memory.dram);
	case COLUMN_AGE:
		return isnan(row->age_s) ? unknown_text() : scale_duration(row->age_s);
	case COLUMN_SAMPLES:
		return number_text("%.0f", (double)row->reads.cxl.samples);
	case COLUMN_PID:
		return row->is.pid ? number_text("%.0f", row->is.pid) : (struct scaled_text){""};
	default:
		return (struct scaled_text){""};
	}
}

/* Writes the name; a path that is too long is shortened to the part after its last slash. */
static void name_of(const struct top_line *line, int width, char *text, size_t size)
{
	const char *name = line->row->is.name, *indent = line->below ? "  " : "";
	char count[24] = "";

	if (line->group && !line->below) {
		snprintf(count, sizeof(count), " (%zu)", line->group->processes);
		name = line->group->name;
	}
	const int room = width - (int)(strlen(count) + strlen(indent));

	if ((int)strlen(name) > room)
		name = text_last_name(name);
	const bool cut = (int)strlen(name) > room;
	snprintf(text, size, "%s%.*s%s%s", indent, room - cut, name, cut ? CUT_OFF : "", count);
}

/*
 * Returns the room of a name. A group has neither a process id nor a user, so its name takes their
 * room.
 */
static int room_of_name(const struct drawing *d, const struct top_line *line)
{
	int room = d->widths[COLUMN_NAME];

	if (!line->group || line->below)
		return room;
	for (enum top_column column = COLUMN_PID; column <= COLUMN_USER; column++)
		room += d->widths[column] ? d->widths[column] + 1 : 0;
	return room;
}

static void draw_bar(struct drawing *d, int row, int at, const struct process_row *process)
{
	const struct top_summary *summary = &d->list->summary;
	const double share =
		d->sampled ? process->reads.share_pct / 100 : process->memory.cxl / summary->cxl;

	graph_bar(d->canvas, row, at, d->widths[COLUMN_BAR], share, 1, STYLE_READ + SHADES - 1);
}

static enum style style_of(enum top_column column, bool chosen)
{
	if (chosen)
		return STYLE_CHOSEN;
	if (column == COLUMN_CGROUP)
		return STYLE_DIM;
	return column == COLUMN_READ || column == COLUMN_CXL ? STYLE_BOLD : STYLE_PLAIN;
}

static void draw_line(struct drawing *d, int row, const struct top_line *line, bool chosen)
{
	char name[PROCESS_CGROUP_SIZE + 32];
	int at = 1;

	if (chosen) {
		canvas_blank(d->canvas, &(struct area){row, 0, 1, d->canvas->columns},
			     STYLE_CHOSEN);
		canvas_text(d->canvas, row, 0, 1, STYLE_CHOSEN, ">");
	}
	for (enum top_column column = 0; column < TOP_COLUMNS; column++) {
		const int width = d->widths[column];
		const enum style style = style_of(column, chosen);

		if (!width)
			continue;
		if (column == COLUMN_NAME) {
			name_of(line, room_of_name(d, line), name, sizeof(name));
			canvas_text(d->canvas, row, at, room_of_name(d, line), style, name);
		} else if (column == COLUMN_USER) {
			put_column(d, row, at, column, style, line->row->is.user);
		} else if (column == COLUMN_CGROUP) {
			put_column(d, row, at, column, style, line->row->is.cgroup);
		} else if (column == COLUMN_BAR) {
			draw_bar(d, row, at, line->row);
		} else {
			put_column(d, row, at, column, style, text_of(d, line->row, column).text);
		}
		at += width + 1;
	}
}

/* Totals of all processes. */

/* Returns the traffic that ports count in the whole system; NAN: they do not count it. */
static double counted_MBps(const struct scene *scene)
{
	const struct panels *panels = scene->panels;
	double sum = NAN;

	for (size_t i = 0; panels->cxl_read != SIZE_MAX && i < panels->count; i++)
		if (panels->all[i].row->place.kind == ROW_SYSTEM)
			sum = panel_value(&panels->all[i], panels->cxl_read, 0);
	return sum;
}

static void draw_reads(struct drawing *d, int row)
{
	const struct top_summary *summary = &d->list->summary;
	const double counted = counted_MBps(d->scene);
	struct sentence s = {.columns = d->canvas->columns - 2};

	if (isnan(counted))
		sentence_add(&s, "CXL reads not counted at the ports");
	else
		sentence_add(&s, "CXL reads %s at the ports",
			     scale_bandwidth(counted, counted, d->scene->state->binary).text);
	if (counted > 0 && !isnan(summary->cxl_MBps))
		sentence_add(&s, ", %.0f%% seen in samples", 100 * summary->cxl_MBps / counted);
	if (summary->latencies_s > 0 && d->widths[COLUMN_P50])
		sentence_add(&s, "; p50%s over %s", d->widths[COLUMN_P99] ? ", p99" : "",
			     scale_duration(summary->latencies_s).text);
	if (!isnan(summary->cost_pct))
		sentence_add(&s, "; costs %.1f%% of a CPU", summary->cost_pct);
	if (summary->lost)
		sentence_add(&s, "; %" PRIu64 " samples lost", summary->lost);
	if (summary->records_lost > 0)
		sentence_add(&s, "; %.0f records of processes lost", summary->records_lost);
	canvas_text(d->canvas, row, 1, s.columns, STYLE_PLAIN, s.text);
}

static void draw_memory(struct drawing *d, int row)
{
	const struct top_summary *summary = &d->list->summary;
	struct sentence s = {.columns = d->canvas->columns - 2};

	if (summary->known)
		sentence_add(&s, "Memory %s on CXL, %s on DRAM",
			     scale_memory(to_MiB(summary->cxl)).text,
			     scale_memory(to_MiB(summary->dram)).text);
	else
		sentence_add(&s, "Memory by node unknown");
	if (summary->processes)
		sentence_add(&s, ", of %zu of %zu processes", summary->known, summary->processes);
	if (summary->known && summary->oldest_s > 0)
		sentence_add(&s, ", counted at most %s ago",
			     scale_duration(summary->oldest_s).text);
	canvas_text(d->canvas, row, 1, s.columns, STYLE_PLAIN, s.text);
}

/* Describes missing data and the remedy. Empty: nothing is missing. */
static void note_of(const struct drawing *d, char *text, size_t size)
{
	const struct top_summary *summary = &d->list->summary;

	text[0] = '\0';
	if (!d->list->taken)
		snprintf(text, size,
			 d->scene->played
				 ? "! no processes are recorded so far: w saves them on a live "
				   "screen that has shown them; cxlmon hot --record=FILE "
				   "records what they read"
				 : "waiting for the first samples");
	else if (summary->why_not.code)
		screen_reason_text(text, size, "! memory alone: ", &summary->why_not);
	else if (summary->unsampled)
		snprintf(text, size,
			 "! %zu CPUs are not sampled (another program has their counter?): rates "
			 "are unknown",
			 summary->unsampled);
	else if (summary->refused)
		snprintf(text, size,
			 "! the memory of %zu processes is unknown: only root may read it: %s top",
			 summary->refused, ERROR_COMMAND_AS_ROOT);
	else if (d->scene->no_ports)
		screen_reason_text(text, size, "! ", d->scene->no_ports);
}

static void draw_footer(struct drawing *d, size_t first, size_t visible)
{
	const struct area area = {d->canvas->rows - 1, 0, 1, d->canvas->columns};
	const struct top_state *state = &d->scene->state->top;
	char text[96], part[48] = "";

	if (visible < d->list->count)
		snprintf(part, sizeof(part), ", %zu-%zu of %zu", first + 1, first + visible,
			 d->list->count);
	snprintf(text, sizeof(text), "%s%s%sby %s%s", *state->choice.filter ? "\"" : "",
		 state->choice.filter, *state->choice.filter ? "\", " : "",
		 state->choice.by == BY_VM ? "VM" : row_by_names[state->choice.by], part);
	if (state->filtering)
		snprintf(text, sizeof(text), "filter: %s_", state->choice.filter);
	screen_draw_footer(d->canvas, &area, TAB_PROCESSES, text, state->filtering);
}

/* Says why the list is empty. */
static void draw_none(struct drawing *d, const struct area *area)
{
	static const char *const cgroups[TOP_BYS] = {
		[BY_CONTAINER] = "a container", [BY_VM] = "a VM"};
	const struct top_choice *choice = choice_of(d);
	char text[160];

	if (*choice->filter)
		snprintf(text, sizeof(text), "no name has \"%s\" in it; Esc shows all rows",
			 choice->filter);
	else if (cgroups[choice->by] && d->list->summary.row_count)
		snprintf(text, sizeof(text),
			 "no process is in a cgroup that is known to be of %s; g changes the "
			 "groups",
			 cgroups[choice->by]);
	else
		snprintf(text, sizeof(text), "no process is known to use CXL memory");
	canvas_lines(d->canvas, area, STYLE_DIM, text);
}

/* Draws the list. Returns how many lines are visible. */
static size_t draw_list(struct drawing *d, int row, int rows, size_t *first)
{
	const size_t chosen = top_chosen(&d->scene->state->top, d->list);
	const size_t room = rows > 0 ? (size_t)rows : 0, count = d->list->count;
	const size_t visible = count < room ? count : room;

	*first = chosen >= visible && visible ? chosen + 1 - visible : 0;
	if (!count && d->list->taken)
		draw_none(d, &(struct area){row, 1, (int)room, d->canvas->columns - 2});
	for (size_t i = 0; i < visible; i++)
		draw_line(d, row + (int)i, &d->list->lines[*first + i], *first + i == chosen);
	return visible;
}

/* Draws the ports above the list, or their sum if they have no room. Returns the number of rows. */
static int draw_ports(struct canvas *c, int row, struct scene *scene)
{
	const int rows = c->rows < SCREEN_PORTS_ROWS ? 0 : c->rows / PORTS_PART;
	const struct panels *panels = scene->panels;
	struct chart charts[MAX_CHARTS];

	scene->back = screen_back(scene->state, panels);
	size_t count = panels_choose(panels, SCOPE_PORT, false, scene->chosen);
	if (count * PORT_COLUMNS > (size_t)c->columns)
		count = panels_choose(panels, SCOPE_SYSTEM, false, scene->chosen);
	for (size_t i = 0; i < count && rows; i++) {
		const struct panel *p = scene->chosen[i];
		const int left = c->columns * (int)i / (int)count;
		const int end = c->columns * (int)(i + 1) / (int)count;
		const size_t known = screen_charts(scene, p, charts, MAX_CHARTS);

		screen_draw_panel(c, &(struct area){row, left, rows, end - left}, scene, p,
				  p->title, charts, known);
	}
	return count ? rows : 0;
}

size_t top_draw(struct canvas *c, struct scene *scene, const struct top_list *list)
{
	struct drawing d = {
		.canvas = c, .scene = scene, .list = list, .sampled = !list->summary.why_not.code};
	char note[sizeof(struct error) + 64];
	size_t first, visible;
	int row = 0;

	top_columns_choose(c->columns - 1, d.sampled, d.widths);
	if (c->rows < MIN_HEADING)
		return draw_list(&d, 0, c->rows, &first);
	screen_draw_header(c, &(struct area){row++, 0, 1, c->columns}, scene);
	if (list->taken) {
		draw_reads(&d, row++);
		draw_memory(&d, row++);
	}
	row += draw_ports(c, row, scene);
	note_of(&d, note, sizeof(note));
	row += screen_draw_lines(c, row, NOTE_LINES, STYLE_WARNING, note);
	draw_heading(&d, row++);
	const int message = screen_message_rows(c, scene->message);
	visible = draw_list(&d, row, c->rows - 1 - message - row, &first);
	screen_draw_message(c, scene, scene->message);
	draw_footer(&d, first, visible);
	screen_draw_pages(c, scene);
	return visible;
}

size_t top_lines_below(const struct top_list *list)
{
	const size_t least = 3; /* minimum, so that the ports seldom move */

	return !list ? 0 : 1 + (list->count < least ? least : list->count);
}

size_t top_shown_below(const struct top_list *list, const struct area *area)
{
	const size_t room = area->rows ? (size_t)area->rows - 1 : 0;

	return list->count <= room ? list->count : room ? room - 1 : 0;
}

/* Says why the list is empty. */
static void draw_none_below(struct drawing *d, const struct area *area)
{
	const struct top_summary *summary = &d->list->summary;
	char text[96] = "waiting for processes";

	if (d->list->taken)
		snprintf(text, sizeof(text),
			 "no process is known to use CXL memory; %zu of %zu were checked",
			 summary->known, summary->processes);
	canvas_lines(d->canvas, area, STYLE_DIM, text);
}

void top_draw_below(struct canvas *c, const struct scene *scene, const struct area *area)
{
	const struct top_list *list = scene->processes;
	struct drawing d = {.canvas = c,
			    .scene = scene,
			    .list = list,
			    .sampled = scene->state->reads && !list->summary.why_not.code};
	const size_t shown = top_shown_below(list, area);
	const size_t chosen = scene->state->below ? top_chosen(&scene->state->top, list) : shown;
	const int first = area->row + 1;
	char text[64];

	top_columns_choose(c->columns - 1, d.sampled, d.widths);
	draw_heading(&d, area->row);
	for (size_t i = 0; i < shown; i++)
		draw_line(&d, first + (int)i, &list->lines[i], i == chosen);
	snprintf(text, sizeof(text), "%zu more: Tab", list->count - shown);
	if (shown < list->count)
		canvas_text(c, first + (int)shown, 1, c->columns - 1, STYLE_DIM, text);
	if (!list->count)
		draw_none_below(&d, &(struct area){first, 1, area->rows - 1, c->columns - 2});
}
