/* SPDX-License-Identifier: BSD-3-Clause */
#include "screen/screen_keys.h"

#define MIN_INTERVAL_NS UINT64_C(100000)	/* minimum of INTERVAL */
#define MAX_INTERVAL_NS UINT64_C(3600000000000) /* an hour: longer is no use on a screen */

const struct screen_key_help screen_key_table[] = {
	{"q", "quit", "restore all registers, and end"},
	{"p", "pause", "freeze the display; sampling continues"},
	{"+ -", "interval", "longer or shorter sampling interval, 100 us or more"},
	{"g", "group", "panels per port, per socket, or for the system"},
	{"s", "sort", "sort panels by number, or by recent mean traffic"},
	{"?", "help", "show this help"},
	{"Up Down", NULL, "scroll, if not all panels fit"},
	{"PgUp PgDn", NULL, "scroll by a screen; also Home, End"},
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

static bool scroll_to(struct screen_state *state, const struct screen_viewport *shown, size_t back,
		      size_t on)
{
	const size_t most = shown->lines - shown->visible;

	state->scroll = state->scroll < most ? state->scroll : most;
	state->scroll -= back < state->scroll ? back : state->scroll;
	state->scroll = on < most - state->scroll ? state->scroll + on : most;
	return true;
}

static bool press_special(struct screen_state *state, int key, const struct screen_viewport *shown)
{
	switch (key) {
	case SCREEN_KEY_UP:
		return scroll_to(state, shown, 1, 0);
	case SCREEN_KEY_DOWN:
		return scroll_to(state, shown, 0, 1);
	case SCREEN_KEY_PAGE_UP:
		return scroll_to(state, shown, shown->visible, 0);
	case SCREEN_KEY_PAGE_DOWN:
		return scroll_to(state, shown, 0, shown->visible);
	case SCREEN_KEY_HOME:
		return scroll_to(state, shown, shown->lines, 0);
	case SCREEN_KEY_END:
		return scroll_to(state, shown, 0, shown->lines);
	default:
		return false;
	}
}

bool screen_handle_key(struct screen_state *state, int key, const struct panels *panels,
		       const struct screen_viewport *shown)
{
	if (state->help && key != 'q') {
		state->help = false; /* any key */
		return true;
	}
	switch (key) {
	case 'q':
		state->quit = true;
		return true;
	case 'p':
	case ' ':
		state->paused = !state->paused;
		return true;
	case '+':
	case '-':
		state->interval_ns = next_interval(state->interval_ns, key == '+');
		return true;
	case 'g':
		state->scope = panels_next_scope(panels, state->scope);
		state->scroll = 0;
		return true;
	case 's':
		state->by_traffic = !state->by_traffic;
		return true;
	case '?':
	case 'h':
		state->help = true;
		return true;
	default:
		return press_special(state, key, shown);
	}
}
