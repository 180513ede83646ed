/* SPDX-License-Identifier: BSD-3-Clause */
/* The screen's keys: they change the state of the screen, on which drawing depends. */
#ifndef CXLMON_SHOW_SCREEN_SCREEN_KEYS_H
#define CXLMON_SHOW_SCREEN_SCREEN_KEYS_H

#include "show/screen/canvas.h"
#include "show/screen/screen_model.h"
#include "show/screen/top_state.h"

/* Tabs. The Tab key switches between the first two. TAB_PROCESS is the page of one process. */
enum screen_tab { TAB_PORTS, TAB_PROCESSES, TAB_PROCESS };

/* The user's choices. */
struct screen_state {
	enum screen_tab tab; /* TAB_PORTS or TAB_PROCESSES, never TAB_PROCESS */
	enum scope scope;    /* chosen scope of panels */
	/* panels are sorted by traffic; the display is paused; only the selected panel is shown */
	bool by_traffic, paused, alone;
	bool binary;	      /* bandwidth in GiB/s instead of GB/s */
	unsigned help;	      /* page of help that is shown, from 1; 0: none */
	unsigned explained;   /* page of findings that is shown, from 1; 0: none */
	size_t selected;      /* index of the selected panel in panels.all */
	bool below;	      /* a process in the list below the ports is chosen, not a panel */
	size_t group;	      /* the only metric group to show: see panels_group(); 0: all */
	size_t shown;	      /* while paused: number of the shown step, from 1 at the start */
	bool searching;	      /* a part of a title is being typed */
	char search[16];      /* the text typed so far */
	uint64_t interval_ns; /* wanted interval of samples */
	bool reads;	      /* loads of processes are to be sampled */
	bool save;	      /* saving was requested; cleared when it is done */
	bool quit;	      /* quitting was requested */
	struct top_state top; /* choices on the tab of processes */
};

/* Sizes and contents of the screen as it was last drawn. */
struct screen_viewport {
	const struct panel *const *chosen; /* panels that can be selected */
	size_t count, visible;		   /* numbers of .chosen, and of visible lines of panels */
	unsigned help_pages, explained_pages; /* numbers of pages of help and of findings */
	struct top_viewport top;	      /* list on the tab of processes, or below the ports */
};

/* Returns the tab that is shown. Its keys apply. */
enum screen_tab screen_shown_tab(const struct screen_state *state);

/* Returns the number of steps from the shown step to the latest one; 0: the latest is shown. */
size_t screen_back(const struct screen_state *state, const struct panels *panels);

/* Changes the state as a key demands: a character, or one of enum screen_key. */
void screen_handle_key(struct screen_state *state, int key, const struct panels *panels,
		       const struct screen_viewport *shown);

/* A key, for the footer and the help. */
struct screen_key_help {
	const char *key;  /* "Up Down" */
	const char *word; /* word in the footer, "choose"; NULL: the key is not in the footer */
	const char *help; /* line of the help */
	unsigned tabs;	  /* 1 << tab for each tab that has the key */
};

/* Table of keys; the last row's key is NULL. */
extern const struct screen_key_help screen_key_table[];

/* Returns true if a key does something on a tab. */
bool screen_key_is_of(const struct screen_key_help *key, enum screen_tab tab);

#endif
