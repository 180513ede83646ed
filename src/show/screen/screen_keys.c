/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/screen_keys.h"

#include <string.h>

#define BACK_STEPS	5
#define MIN_INTERVAL_NS UINT64_C(100000) /* minimum of INTERVAL */
/* an hour: longer intervals are of no use on a screen */
#define MAX_INTERVAL_NS UINT64_C(3600000000000)

#define OF_PORTS     (1U << TAB_PORTS)
#define OF_PROCESSES (1U << TAB_PROCESSES)
#define OF_PROCESS   (1U << TAB_PROCESS)
#define OF_ALL	     (OF_PORTS | OF_PROCESSES | OF_PROCESS)

/* A narrow footer has the first of these: arrows to choose need no hint. */
const struct screen_key_help screen_key_table[] = {
	{"q", "quit", "restore all registers, and end", OF_PORTS | OF_PROCESSES},
	{"q", "back", "to the list of processes; also Enter, Esc, Left", OF_PROCESS},
	{"?", "help", "show this help, then what each word means; also h, F1", OF_ALL},
	{"Tab", "processes", "who uses CXL memory: processes; and back", OF_PORTS},
	{"Tab", "ports", "counts of the ports; and back", OF_PROCESSES | OF_PROCESS},
	{"Enter", "details", "only the chosen panel, with all its metrics; Esc goes back",
	 OF_PORTS},
	{"Enter", "process", "one process: its mappings and functions, latencies, and memory",
	 OF_PROCESSES},
	{"Up Down", "more", "further panels, if not all have room", OF_PROCESS},
	{"e", "explain", "what limits CXL, by all samples so far, and what to do", OF_ALL},
	{"Up Down", "choose", "a panel, then the processes below; also PgUp, PgDn, Home, End",
	 OF_PORTS},
	{"Up Down", "choose", "choose a row; also PgUp, PgDn, End; Home: whichever is the first",
	 OF_PROCESSES},
	{"f", "filter", "only rows with this in their name; Enter keeps it, Esc shows all; also /",
	 OF_PROCESSES},
	{"s", "sort", "sort by CXL reads, CXL memory, DRAM memory, latency, user, name, or PID",
	 OF_PROCESSES},
	{"P M N", NULL, "sort by CXL reads, CXL memory, or PID, as in top", OF_PROCESSES},
	{"p", "pause", "pause the display; sampling goes on; also the space bar", OF_ALL},
	{"l", "reads", "sample what the processes below read; again: stop", OF_PORTS},
	{"g", "group", "panels per port, per socket, or for the system", OF_PORTS},
	{"g", "group", "rows per process, cgroup, container, VM, or user", OF_PROCESSES},
	{"t", "tree", "the processes of each group below it, or only groups", OF_PROCESSES},
	{"m", "metrics", "one metric group after the other, then all of them", OF_PORTS},
	{"w", "save", "save what was seen so far, as a recording in this directory", OF_ALL},
	{"u", "units", "bandwidth in GB/s (10^9), or in GiB/s (2^30)", OF_ALL},
	{"s", "sort", "sort panels by number, or by recent mean traffic", OF_PORTS},
	{"Left Right", NULL, "back in time, up to 3600 steps, and forward again", OF_PORTS},
	{"r", NULL, "reverse the order", OF_PROCESSES},
	{"+ -", NULL, "longer or shorter sampling interval, 100 us or more", OF_ALL},
	{"/", NULL, "find a panel by a part of its title", OF_PORTS},
	{"Ctrl-Z", NULL, "suspend; fg continues", OF_ALL},
	{"F3 to F10", NULL, "what they do in htop, if cxlmon does that, or this help", OF_ALL},
	{NULL},
};

enum screen_tab screen_shown_tab(const struct screen_state *state)
{
	return state->tab == TAB_PROCESSES && state->top.opened_pid ? TAB_PROCESS : state->tab;
}

bool screen_key_is_of(const struct screen_key_help *key, enum screen_tab tab)
{
	return key->tabs >> tab & 1;
}

/* Returns the next of 1, 2, 5, 10, ... times 100 us, above or below an interval. */
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
	const size_t total = panels->series.all_steps, kept = panels->series.step_count;
	const size_t back = state->paused && total > state->shown ? total - state->shown : 0;

	return back < kept ? back : kept ? kept - 1 : 0;
}

static void go_back(struct screen_state *state, const struct panels *panels, bool forward)
{
	const size_t back = screen_back(state, panels), total = panels->series.all_steps;

	if (forward && back <= BACK_STEPS) {
		state->paused = false;
	} else if (forward || back + BACK_STEPS < panels->series.step_count) {
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

/* Adds a character to the text, and chooses the first panel whose title has it. */
static void search_panel(struct screen_state *state, int key, const struct panels *panels,
			 const struct screen_viewport *shown)
{
	state->searching = key_types(key, state->search, sizeof(state->search));
	for (size_t i = 0; *state->search && i < shown->count; i++)
		if (strstr(shown->chosen[i]->title, state->search)) {
			state->selected = (size_t)(shown->chosen[i] - panels->all);
			break;
		}
}

/* Handles keys that choose the panel and the time that is shown. */
static void press_move(struct screen_state *state, int key, const struct panels *panels,
		       const struct screen_viewport *shown)
{
	size_t at = selected_of(state, panels, shown);

	if (key == SCREEN_KEY_LEFT || key == SCREEN_KEY_RIGHT)
		go_back(state, panels, key == SCREEN_KEY_RIGHT);
	if (!key_moves(key, shown->count, shown->visible, &at))
		return;
	state->below = false;
	if (shown->count)
		state->selected = (size_t)(shown->chosen[at] - panels->all);
}

/*
 * Handles keys of the processes below the ports, to which Down goes on from the last panel. Returns
 * false for keys of the ports.
 */
static bool press_below(struct screen_state *state, int key, const struct panels *panels,
			const struct screen_viewport *shown)
{
	const bool at_end = !shown->count || selected_of(state, panels, shown) == shown->count - 1;

	if (state->below && top_handle_key_below(&state->top, key, &shown->top)) {
		if (state->top.opened_pid) {
			state->tab = TAB_PROCESSES;
			state->reads = true;
		}
		return true;
	}
	if (state->below && key == SCREEN_KEY_UP) {
		state->below = false;
		return true;
	}
	if (!state->below && key == SCREEN_KEY_DOWN && at_end && shown->top.visible) {
		state->below = true;
		top_choose_first(&state->top, shown->top.list);
		return true;
	}
	return false;
}

/* Handles keys of both tabs. Returns false for other keys. */
static bool press_common(struct screen_state *state, int key, const struct panels *panels)
{
	switch (key) {
	case '\t':
		state->tab = state->tab == TAB_PORTS ? TAB_PROCESSES : TAB_PORTS;
		state->reads = true;
		return true;
	case 'p':
	case ' ':
		state->paused = !state->paused;
		state->shown = panels->series.all_steps;
		return true;
	case 'w':
		state->save = true;
		return true;
	case '+':
	case '-':
		state->interval_ns = next_interval(state->interval_ns, key == '+');
		return true;
	case 'u':
		state->binary = !state->binary;
		return true;
	}
	return false;
}

/* Handles keys that choose the view of ports. */
static void press_key(struct screen_state *state, int key, const struct panels *panels,
		      const struct screen_viewport *shown)
{
	if (press_below(state, key, panels, shown))
		return;
	switch (key) {
	case '\r':
	case '\n':
	case SCREEN_KEY_ESCAPE:
		state->alone = key != SCREEN_KEY_ESCAPE;
		break;
	case '/':
		state->searching = true;
		state->below = false;
		state->search[0] = '\0';
		break;
	case 'g':
		state->scope = panels_next_scope(
			panels, panels_scope_with(panels, state->scope, state->group));
		break;
	case 'm':
		state->group++;
		state->group = panels_group(panels, state->group) ? state->group : 0;
		break;
	case 's':
		state->by_traffic = !state->by_traffic;
		break;
	case 'l':
		state->reads = !state->reads;
		break;
	default:
		press_move(state, key, panels, shown);
	}
}

/*
 * Returns the page after a key: its own key shows the next page, and closes the last one; any other
 * key closes it.
 */
static unsigned next_page(unsigned page, unsigned pages, bool again)
{
	return again && page < pages ? page + 1 : 0;
}

/* Returns the key with the action of htop's F-key; the key of the help if none has it. */
static int key_of_htop(int key)
{
	/* keys of F2 to F10: setup, search, filter, tree, sort, two priorities, kill, quit */
	static const char keys[] = {'?', '/', '/', 't', 's', '?', '?', '?', 'q'};

	return key >= SCREEN_KEY_F2 && key <= SCREEN_KEY_F10 ? keys[key - SCREEN_KEY_F2] : key;
}

void screen_handle_key(struct screen_state *state, int typed, const struct panels *panels,
		       const struct screen_viewport *shown)
{
	const enum screen_tab tab = screen_shown_tab(state);
	const bool typing = state->searching || state->top.filtering;
	const int key = typing ? typed : key_of_htop(typed);
	const bool explain = key == 'e';
	const bool help = key == '?' || key == 'h' || key == SCREEN_KEY_HELP;

	if (state->searching)
		search_panel(state, key, panels, shown);
	else if (state->top.filtering)
		top_type_filter(&state->top, key);
	else if (state->explained || (explain && !state->help))
		state->explained = next_page(state->explained, shown->explained_pages, explain);
	else if (help || state->help)
		state->help = next_page(state->help, shown->help_pages, help);
	else if (key == 'q' && tab != TAB_PROCESS)
		state->quit = true;
	else if (press_common(state, key, panels))
		return;
	else if (tab == TAB_PROCESS)
		top_handle_page_key(&state->top, key, &shown->top);
	else if (tab == TAB_PROCESSES)
		top_handle_key(&state->top, key, &shown->top);
	else
		press_key(state, key, panels, shown);
}
