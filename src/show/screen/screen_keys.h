/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys and their actions. */
#ifndef CXLMON_SHOW_SCREEN_SCREEN_KEYS_H
#define CXLMON_SHOW_SCREEN_SCREEN_KEYS_H

#include "show/screen/canvas.h"
#include "show/screen/screen_model.h"
#include "show/screen/top_list.h"

/* Tabs: the Tab key switches between ports and processes; a process can have its own page. */
enum screen_tab { TAB_PORTS, TAB_PROCESSES, TAB_PROCESS };

struct screen_state {
	enum screen_tab tab; /* TAB_PORTS or TAB_PROCESSES: see screen_shown_tab() */
	enum scope scope;    /* scope of the panels */
	/* panels are sorted by traffic; the display is paused; only one panel is shown */
	bool by_traffic, paused, alone;
	bool binary;	    /* bandwidth in GiB/s instead of GB/s */
	unsigned help;	    /* page that is shown; 0: none */
	unsigned explained; /* page on limits of CXL that is shown; 0: none */
	size_t selected;    /* index in panels.all */
	bool below;	    /* a process below the ports is chosen instead of a panel */
	size_t group;	    /* number of the metric group that is shown: see panels_group() */
	size_t shown;	    /* number of the step that is shown while paused, from 1 */
	bool searching;
	char search[16];
	uint64_t interval_ns; /* requested interval */
	bool reads;	      /* loads of processes are to be sampled */
	bool save;	      /* the samples so far are to be saved as a recording */
	bool quit;
	struct top_state top; /* page of processes */
};

struct screen_viewport {
	const struct panel *const *chosen; /* panels of the last layout that can be selected */
	size_t count, visible;		   /* number of them, and how many are visible at once */
	unsigned help_pages, explained_pages;
	struct top_viewport top; /* the page of processes, or the list below the ports */
};

/* Returns the tab whose keys apply. */
enum screen_tab screen_shown_tab(const struct screen_state *state);

/* Returns by how many steps the shown step is before the latest one. */
size_t screen_back(const struct screen_state *state, const struct panels *panels);

/* Handles a character or one of enum screen_key. */
void screen_handle_key(struct screen_state *state, int key, const struct panels *panels,
		       const struct screen_viewport *shown);

/* A key, for the footer and the help. */
struct screen_key_help {
	const char *key;
	const char *word; /* word in the footer; NULL: not shown there */
	const char *help;
	unsigned tabs; /* bits of the tabs that have the key */
};

/* Table of keys; the last row's key is NULL. */
extern const struct screen_key_help screen_key_table[];

/* Tells if a tab has a key. */
bool screen_key_is_of(const struct screen_key_help *key, enum screen_tab tab);

#endif
