/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdbool.h>
#include <unistd.h>

#include "screen/curses_library.h"
#include "screen/screen.h"

static bool has_string(const struct curses_library *curses, const char *name)
{
	const char *string = curses->tigetstr(name);

	/* terminfo(3): (char *)-1 is no string capability, NULL is one that the terminal lacks */
	return string && string != (const char *)-1;
}

bool screen_supported(void)
{
	struct curses_library curses;
	struct error why;
	int found;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) ||
	    tcgetpgrp(STDOUT_FILENO) != getpgrp())
		return false;
	if (curses_library_load(&curses, &why) ||
	    curses.setupterm(NULL, STDOUT_FILENO, &found) != OK)
		return false;
	const bool usable = has_string(&curses, "cup") && has_string(&curses, "clear");
	curses.del_curterm(*curses.terminal);
	return usable;
}
