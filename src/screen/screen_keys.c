/* SPDX-License-Identifier: BSD-3-Clause */
#include "screen/screen_keys.h"

#define SHORTEST_NS UINT64_C(100000)	    /* as of INTERVAL */
#define LONGEST_NS  UINT64_C(3600000000000) /* nobody waits longer for a screen to move */

const struct screen_key_help screen_key_table[] = {
	{"q", "quit", "put everything back, and end"},
	{"p", "pause", "hold the panels still; samples go on being taken"},
	{"+ -", "interval", "a longer or shorter time between samples, from 100 us on"},
	{"g", "group", "panels by port, by socket, of the system"},
	{"s", "sort", "panels by number, or those with the most traffic first"},
	{"?", "help", "this"},
	{"Up Down", NULL, "scroll, where there are more panels than fit"},
	{"PgUp PgDn", NULL, "likewise, by screens; Home, End"},
	{"Ctrl-Z", NULL, "stop, until fg"},
	{NULL},
};

/* The next of 1, 2, 5, 10, ... beyond an interval, or below it. */
static uint64_t next_interval(uint64_t ns, bool longer)
{
	static const uint64_t steps[] = {1, 2, 5};
	uint64_t below = SHORTEST_NS;

	for (uint64_t decade = SHORTEST_NS;; decade *= 10) {
		for (unsigned i = 0; i < 3; i++) {
			const uint64_t at = steps[i] * decade;

			if (at > LONGEST_NS)
				return longer ? (ns > LONGEST_NS ? ns : LONGEST_NS) : below;
			if (longer && at > ns)
				return at;
			if (!longer && at >= ns)
				return below;
			below = at;
		}
	}
}

static bool scroll_to(struct screen_choice *choice, const struct screen_view_port *shown,
		      size_t back, size_t on)
{
	const size_t most = shown->lines - shown->visible;

	choice->scroll = choice->scroll < most ? choice->scroll : most;
	choice->scroll -= back < choice->scroll ? back : choice->scroll;
	choice->scroll = on < most - choice->scroll ? choice->scroll + on : most;
	return true;
}

static bool press_special(struct screen_choice *choice, int key,
			  const struct screen_view_port *shown)
{
	switch (key) {
	case SCREEN_KEY_UP:
		return scroll_to(choice, shown, 1, 0);
	case SCREEN_KEY_DOWN:
		return scroll_to(choice, shown, 0, 1);
	case SCREEN_KEY_PAGE_UP:
		return scroll_to(choice, shown, shown->visible, 0);
	case SCREEN_KEY_PAGE_DOWN:
		return scroll_to(choice, shown, 0, shown->visible);
	case SCREEN_KEY_HOME:
		return scroll_to(choice, shown, shown->lines, 0);
	case SCREEN_KEY_END:
		return scroll_to(choice, shown, 0, shown->lines);
	default:
		return false;
	}
}

bool screen_press(struct screen_choice *choice, int key, const struct panels *panels,
		  const struct screen_view_port *shown)
{
	if (choice->help && key != 'q') {
		choice->help = false; /* any key */
		return true;
	}
	switch (key) {
	case 'q':
		choice->quit = true;
		return true;
	case 'p':
	case ' ':
		choice->paused = !choice->paused;
		return true;
	case '+':
	case '-':
		choice->interval_ns = next_interval(choice->interval_ns, key == '+');
		return true;
	case 'g':
		choice->scope = panels_next_scope(panels, choice->scope);
		choice->scroll = 0;
		return true;
	case 's':
		choice->by_traffic = !choice->by_traffic;
		return true;
	case '?':
	case 'h':
		choice->help = true;
		return true;
	default:
		return press_special(choice, key, shown);
	}
}
