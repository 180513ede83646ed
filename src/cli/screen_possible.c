/* SPDX-License-Identifier: BSD-3-Clause */
/* A file of its own, because <term.h> makes macros of words such as columns. */
#include <stdbool.h>
#include <unistd.h>

#include "cli/screen.h"

#include <ncurses.h>
#include <term.h>

bool screen_possible(void)
{
	int found;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) ||
	    tcgetpgrp(STDOUT_FILENO) != getpgrp())
		return false;
	if (setupterm(NULL, STDOUT_FILENO, &found) != OK)
		return false;
	const bool usable = cursor_address && clear_screen;
	del_curterm(cur_term);
	return usable;
}
