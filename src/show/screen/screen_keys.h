/* SPDX-License-Identifier: BSD-3-Clause */
/* The screen's keys: they change the state of the screen, on which drawing depends. */
#ifndef CXLMON_SHOW_SCREEN_SCREEN_KEYS_H
#define CXLMON_SHOW_SCREEN_SCREEN_KEYS_H

#include "show/screen/canvas.h"
#include "show/screen/screen_model.h"
#include "show/screen/top_list.h"

/* Tabs: the Tab key switches between ports and processes; a process can have its own page. */
enum screen_tab { TAB_PORTS, TAB_PROCESSES, TAB_PROCESS };

/* The user's choices. */
struct screen_state {
	enum screen_tab tab; /* TAB_PORTS or TAB_PROCESSES: see screen_shown_tab() */
	enum scope scope;    /* scope of panels that was chosen */
	/* panels are sorted by traffic; the display is paused; only the selected panel is shown */
	bool by_traffic, paused, alone;
	bool binary;	    /* bandwidth in GiB/s instead of GB/s */
	unsigned help;	    /* page of help that is shown, from 1; 0: none */
	unsigned explained; /* page of findings that is shown, from 1; 0: none */
	size_t selected;    /* index of the selected panel in panels.all */
	bool below;	    /* a process below the ports is chosen instead of a panel */
	/* number of the only metric group that is shown; 0: all. See panels_group() */
	size_t group;
	/* number of the step that is shown while paused, of all steps of the run, from 1 */
	size_t shown;
	bool searching;	      /* a part of a title is being typed */
	char search[16];      /* the text typed so far */
	uint64_t interval_ns; /* interval that the user wants */
	bool reads;	      /* loads of processes are wanted */
	bool save;	      /* saving was requested; cleared when it is done */
	bool quit;	      /* quitting was requested */
	struct top_state top; /* choices on the tab of processes */
};

/* Parts of the screen as it was last drawn. */
struct screen_viewport {
	const struct panel *const *chosen; /* panels that can be selected */
	size_t count, visible;		   /* number of these, and how many were visible at once */
	unsigned help_pages, explained_pages; /* numbers of pages */
	struct top_viewport top; /* the page of processes, or the list below the ports */
};

/* Returns the tab that is shown, and whose keys apply. */
enum screen_tab screen_shown_tab(const struct screen_state *state);

/* Returns by how many steps the shown step is before the latest one. */
size_t screen_back(const struct screen_state *state, const struct panels *panels);

/* Changes the state by a key: a character or one of enum screen_key. */
void screen_handle_key(struct screen_state *state, int key, const struct panels *panels,
		       const struct screen_viewport *shown);

/* A key, for the footer and the help. */
struct screen_key_help {
	const char *key;
	const char *word; /* word in the footer; NULL: none */
	const char *help;
	unsigned tabs; /* 1 << tab for each tab that has the key */
};

/* Table of keys; the last row's key is NULL. */
extern const struct screen_key_help screen_key_table[];

/* Returns true if a tab has a key. */
bool screen_key_is_of(const struct screen_key_help *key, enum screen_tab tab);

#endif
