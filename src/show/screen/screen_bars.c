/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of both tabs: the first and last lines, and messages. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "show/screen/screen_draw.h"

#define MESSAGE_LINES  3 /* most lines of a message */
#define ROWS_OF_A_LINE 8 /* rows of the screen for each line of a message */

static void put_clock(const struct scene *scene, bool samples, char *text, size_t size)
{
	const struct panels *panels = scene->panels;
	const uint64_t run = (panels->wall_ns - panels->first_ns + scene->interval_ns) / NS_PER_S;
	char clock[SCREEN_CLOCK_SIZE], count[40] = "";

	if (samples)
		snprintf(count, sizeof(count), "samples %" PRIu64 "  ", scene->samples);
	snprintf(text, size, "every %s  %sfor %02" PRIu64 ":%02" PRIu64 "  %s",
		 scale_interval(scene->interval_ns).text, count, scene->samples ? run / 60 : 0,
		 scene->samples ? run % 60 : 0,
		 scene->samples ? screen_clock(screen_wall_ns(scene), clock) : "--:--:--");
}

void screen_draw_header(struct canvas *c, const struct area *area, const struct scene *scene)
{
	const struct panels *panels = scene->panels;
	int end = area->columns - 1, at;
	char text[160];

	canvas_blank(c, area, STYLE_BAR);
	put_clock(scene, true, text, sizeof(text));
	if ((int)(strlen(text) + strlen(scene->processor)) + 4 > area->columns)
		put_clock(scene, false, text, sizeof(text));
	if ((int)strlen(text) < area->columns)
		end = canvas_text_right(c, area->row, end, STYLE_BAR, text) - 2;
	if (scene->state->paused)
		end = canvas_text_right(c, area->row, end, STYLE_WARNING, " PAUSED ") - 1;
	at = canvas_text(c, area->row, 1, end - 1, STYLE_BAR, scene->processor);
	snprintf(text, sizeof(text), "%zu socket%s  %zu port%s", panels->sockets,
		 panels->sockets == 1 ? "" : "s", panels->ports, panels->ports == 1 ? "" : "s");
	if (panels->sockets && panels->ports && at + 2 + (int)strlen(text) <= end)
		canvas_text(c, area->row, at + 2, end - at, STYLE_BAR, text);
}

void screen_draw_footer(struct canvas *c, const struct area *area, enum screen_tab tab,
			const char *text, bool typed)
{
	int end = area->columns - 1, at = 1;

	canvas_blank(c, area, STYLE_BAR);
	end = canvas_text_right(c, area->row, end, typed ? STYLE_BOLD : STYLE_BAR, text);
	for (const struct screen_key_help *k = screen_key_table; k->key; k++) {
		if (!k->word || !screen_key_is_of(k, tab) ||
		    at + (int)(strlen(k->key) + strlen(k->word)) + 3 > end)
			continue;
		at = canvas_text(c, area->row, at, area->columns, STYLE_BAR, k->key);
		at = canvas_text(c, area->row, at + 1, area->columns, STYLE_BAR, k->word) + 2;
	}
}

int screen_draw_lines(struct canvas *c, int row, int most, enum style style, const char *text)
{
	const struct area area = {row, 1, most, c->columns - 2};

	return canvas_lines(c, &area, style, text);
}

void screen_reason_text(char *text, size_t size, const char *before, const struct error *why)
{
	const bool named = strstr(why->text, why->command);

	snprintf(text, size, "%s%s%s%s", before, why->text, named ? "" : ": ",
		 named ? "" : why->command);
}

int screen_message_rows(const struct canvas *c, const char *message)
{
	const int lines = text_lines(message, c->columns - 2), room = c->rows / ROWS_OF_A_LINE;
	const int most = room < 1 ? 1 : room < MESSAGE_LINES ? room : MESSAGE_LINES;

	return !*message ? 0 : lines < most ? lines : most;
}

void screen_draw_message(struct canvas *c, const struct scene *scene, const char *message)
{
	const int rows = screen_message_rows(c, message);

	screen_draw_lines(c, c->rows - 1 - rows, rows, scene->warning ? STYLE_ERROR : STYLE_BOLD,
			  message);
}
