/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "platform/text.h"
#include "screen/curses_library.h"
#include "screen/screen.h"

bool screen_supported(const struct log *log)
{
	struct curses_library curses;
	struct error why;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) ||
	    tcgetpgrp(STDOUT_FILENO) != getpgrp())
		return false;
	if (curses_library_load(&curses, &why)) {
		log_write(log, LEVEL_DETAIL, "no screen: %s", why.text);
		return false;
	}
	if (!curses_library_find_terminal(&curses, STDOUT_FILENO)) {
		log_write(log, LEVEL_DETAIL, "no screen: terminfo does not know TERM=%s",
			  quoted(getenv("TERM") ? getenv("TERM") : "").text);
		return false;
	}
	const bool usable = curses_library_has_string(&curses, "cup") &&
			    curses_library_has_string(&curses, "clear");
	curses.del_curterm(*curses.terminal);
	return usable;
}
