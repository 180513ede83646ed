/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdbool.h>
#include <unistd.h>

#include "screen/curses_library.h"
#include "screen/screen.h"

bool screen_supported(void)
{
	struct curses_library curses;
	struct error why;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) ||
	    tcgetpgrp(STDOUT_FILENO) != getpgrp())
		return false;
	if (curses_library_load(&curses, &why) ||
	    !curses_library_find_terminal(&curses, STDOUT_FILENO))
		return false;
	const bool usable = curses_library_has_string(&curses, "cup") &&
			    curses_library_has_string(&curses, "clear");
	curses.del_curterm(*curses.terminal);
	return usable;
}
