/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/screen_keys.h"

#include <string.h>

#define BACK_STEPS	5
#define ESCAPE		27
#define DELETE		127
#define MIN_INTERVAL_NS UINT64_C(100000)	/* minimum of INTERVAL */
#define MAX_INTERVAL_NS UINT64_C(3600000000000) /* an hour: longer is no use on a screen */

const struct screen_key_help screen_key_table[] = {
	{"q", "quit", "restore all registers, and end"},
	{"?", "help", "show this help, then what each word means; also h, F1"},
	{"Up Down", "choose", "choose a panel; also Tab, PgUp, PgDn, Home, End"},
	{"Enter", "details", "the chosen panel alone, with all its metrics; Esc goes back"},
	{"p", "pause", "pause the display; sampling goes on; also the space bar"},
	{"g", "group", "panels per port, per socket, or for the system"},
	{"m", "metrics", "one metric group after the other, then all of them"},
	{"w", "save", "save what was seen so far, as a recording in this directory"},
	{"u", "units", "bandwidth in GB/s (10^9), or in GiB/s (2^30)"},
	{"s", "sort", "sort panels by number, or by recent mean traffic"},
	{"e", "explain", "what limits CXL, by all samples so far, and what to do"},
	{"Left Right", NULL, "back in time, up to 3600 steps, and forward again"},
	{"+ -", NULL, "longer or shorter sampling interval, 100 us or more"},
	{"/", NULL, "find a panel by a part of its title"},
	{"Ctrl-Z", NULL, "suspend; fg continues"},
	{NULL},
};

/* The next of 1, 2, 5, 10, ... times 100 us, above or below an interval. */
static uint64_t next_interval(uint64_t ns, bool longer)
{
	static const uint64_t steps[] = {1, 2, 5};
	uint64_t below = MIN_INTERVAL_NS;

	for (uint64_t decade = MIN_INTERVAL_NS;; decade *= 10) {
		for (unsigned i = 0; i < 3; i++) {
			const uint64_t at = steps[i] * decade;

			if (at > MAX_INTERVAL_NS)
				return longer ? (ns > MAX_INTERVAL_NS ? ns : MAX_INTERVAL_NS)
					      : below;
			if (longer && at > ns)
				return at;
			if (!longer && at >= ns)
				return below;
			below = at;
		}
	}
}

size_t screen_back(const struct screen_state *state, const struct panels *panels)
{
	const size_t total = panels->times.total, kept = panels->times.count;
	const size_t back = state->paused && total > state->shown ? total - state->shown : 0;

	return back < kept ? back : kept ? kept - 1 : 0;
}

static void go_back(struct screen_state *state, const struct panels *panels, bool forward)
{
	const size_t back = screen_back(state, panels), total = panels->times.total;

	if (forward && back <= BACK_STEPS) {
		state->paused = false;
	} else if (forward || back + BACK_STEPS < panels->times.count) {
		state->paused = true;
		state->shown = total - (forward ? back - BACK_STEPS : back + BACK_STEPS);
	}
}

static size_t selected_of(const struct screen_state *state, const struct panels *panels,
			  const struct screen_viewport *shown)
{
	for (size_t i = 0; i < shown->count; i++)
		if (shown->chosen[i] == &panels->all[state->selected])
			return i;
	return 0;
}

/* So many panels up or down, to the first or the last at most. */
static void choose(struct screen_state *state, const struct panels *panels,
		   const struct screen_viewport *shown, size_t up, size_t down)
{
	size_t now = selected_of(state, panels, shown);

	if (!shown->count)
		return;
	now -= up < now ? up : now;
	now = down < shown->count - 1 - now ? now + down : shown->count - 1;
	state->selected = (size_t)(shown->chosen[now] - panels->all);
}

/* Each character chooses the first panel whose title has the text. */
static void search(struct screen_state *state, int key, const struct panels *panels,
		   const struct screen_viewport *shown)
{
	const size_t length = strlen(state->search);

	if (key == '\r' || key == '\n' || key == ESCAPE)
		state->searching = false;
	else if ((key == SCREEN_KEY_BACKSPACE || key == '\b' || key == DELETE) && length)
		state->search[length - 1] = '\0';
	else if (key > ' ' && key < DELETE && length + 1 < sizeof(state->search)) {
		state->search[length] = (char)key;
		state->search[length + 1] = '\0';
	}
	for (size_t i = 0; *state->search && i < shown->count; i++)
		if (strstr(shown->chosen[i]->title, state->search)) {
			state->selected = (size_t)(shown->chosen[i] - panels->all);
			break;
		}
}

/* Which panel is chosen, and the time that is shown. */
static void press_move(struct screen_state *state, int key, const struct panels *panels,
		       const struct screen_viewport *shown)
{
	switch (key) {
	case SCREEN_KEY_UP:
		choose(state, panels, shown, 1, 0);
		break;
	case SCREEN_KEY_DOWN:
		choose(state, panels, shown, 0, 1);
		break;
	case SCREEN_KEY_PAGE_UP:
		choose(state, panels, shown, shown->visible, 0);
		break;
	case SCREEN_KEY_PAGE_DOWN:
		choose(state, panels, shown, 0, shown->visible);
		break;
	case SCREEN_KEY_HOME:
		choose(state, panels, shown, shown->count, 0);
		break;
	case SCREEN_KEY_END:
		choose(state, panels, shown, 0, shown->count);
		break;
	case '\t': /* behind the last one, the first */
		if (selected_of(state, panels, shown) + 1 < shown->count)
			choose(state, panels, shown, 0, 1);
		else
			choose(state, panels, shown, shown->count, 0);
		break;
	case SCREEN_KEY_LEFT:
	case SCREEN_KEY_RIGHT:
		go_back(state, panels, key == SCREEN_KEY_RIGHT);
	}
}

/* What is shown, and how. */
static void press(struct screen_state *state, int key, const struct panels *panels,
		  const struct screen_viewport *shown)
{
	switch (key) {
	case 'p':
	case ' ':
		state->paused = !state->paused;
		state->shown = panels->times.total;
		break;
	case 'w':
		state->save = true;
		break;
	case '\r':
	case '\n':
	case ESCAPE:
		state->alone = key != ESCAPE;
		break;
	case '/':
		state->searching = true;
		state->search[0] = '\0';
		break;
	case '+':
	case '-':
		state->interval_ns = next_interval(state->interval_ns, key == '+');
		break;
	case 'g':
		state->scope = panels_next_scope(panels, state->scope);
		break;
	case 'm':
		state->group++;
		state->group = panels_group(panels, state->group) ? state->group : 0;
		break;
	case 'u':
		state->binary = !state->binary;
		break;
	case 's':
		state->by_traffic = !state->by_traffic;
		break;
	default:
		press_move(state, key, panels, shown);
	}
}

/* The key of the pages shows the next one, and behind the last none, as any other key does. */
static unsigned next_page(unsigned page, unsigned pages, bool again)
{
	return again && page < pages ? page + 1 : 0;
}

void screen_handle_key(struct screen_state *state, int key, const struct panels *panels,
		       const struct screen_viewport *shown)
{
	const bool explain = key == 'e';
	const bool help = key == '?' || key == 'h' || key == SCREEN_KEY_HELP;

	if (state->searching)
		search(state, key, panels, shown);
	else if (key == 'q')
		state->quit = true;
	else if (state->explained || (explain && !state->help))
		state->explained = next_page(state->explained, shown->explained_pages, explain);
	else if (help || state->help)
		state->help = next_page(state->help, shown->help_pages, help);
	else
		press(state, key, panels, shown);
}
