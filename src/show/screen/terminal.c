/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/terminal.h"

#include <errno.h>
#include <fnmatch.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "linux/packages.h"

#define XTERM "xterm-256color"

int terminal_open(struct terminal *t, int fd)
{
	sigset_t blocked;

	*t = (struct terminal){.fd = fd, .signals_fd = -1};
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGWINCH);
	sigaddset(&blocked, SIGTSTP);
	sigaddset(&blocked, SIGCONT);
	if (tcgetattr(fd, &t->before))
		return -errno;
	pthread_sigmask(SIG_BLOCK, &blocked, NULL);
	t->signals_fd = signalfd(-1, &blocked, SFD_CLOEXEC | SFD_NONBLOCK);
	return t->signals_fd < 0 ? -errno : 0;
}

void terminal_close(struct terminal *t)
{
	terminal_restore(t);
	if (t->signals_fd >= 0)
		close(t->signals_fd);
	t->signals_fd = -1;
}

/* Without ONLCR: ncurses uses line feeds to move the cursor down. */
void terminal_set_mode(struct terminal *t)
{
	struct termios mode = t->before;

	mode.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	mode.c_iflag &= ~(tcflag_t)ICRNL;
	mode.c_oflag &= ~(tcflag_t)(ONLCR | TABDLY);
	mode.c_cc[VMIN] = 1;
	mode.c_cc[VTIME] = 0;
	t->changed = true;
	tcsetattr(t->fd, TCSANOW, &mode);
}

void terminal_restore(struct terminal *t)
{
	if (t->changed)
		tcsetattr(t->fd, TCSANOW, &t->before);
	t->changed = false;
}

enum terminal_event terminal_next(const struct terminal *t)
{
	struct signalfd_siginfo info;

	if (read(t->signals_fd, &info, sizeof(info)) != sizeof(info))
		return TERMINAL_NO_EVENT;
	if (info.ssi_signo == SIGTSTP)
		return TERMINAL_STOP;
	return info.ssi_signo == SIGCONT ? TERMINAL_CONTINUED : TERMINAL_RESIZED;
}

#ifdef CXLMON_STATIC
/* from <term.h>: see struct curses_library */
extern int setupterm(const char *term, int fd, int *found);
extern int del_curterm(void *terminal);
extern void *cur_term;
#endif

#define ROW(name, member)                                                                          \
	{                                                                                          \
#name, offsetof(struct curses_library, member), LIBRARY_LINKED(name)               \
	}

static const struct library_symbol symbols[] = {
#define CURSES_ROW(name) ROW(name, name),
	CURSES_FUNCTIONS(CURSES_ROW)
#undef CURSES_ROW
		ROW(stdscr, stdscr_ptr),
	ROW(curscr, curscr_ptr),
	ROW(setupterm, setupterm),
	ROW(del_curterm, del_curterm),
	ROW(cur_term, terminal),
};

int curses_library_load(struct curses_library *out, struct error *err)
{
	static const struct library library = {.soname = "libncursesw.so.6",
					       .package = "libncursesw6",
					       .what = "the screen library",
					       .symbols = symbols,
					       .count = sizeof(symbols) / sizeof(symbols[0])};

	return library_load(&library, out, err);
}

#ifdef CXLMON_STATIC

/* The file is made by tools/make-static: {"xterm", "b64:..."}, as TERMINFO can have it: ncurses(3).
 */
static const struct {
	const char *name, *description;
} terminals[] = {
#include CXLMON_TERMINALS
};

/* A machine may have no terminfo, or none for this terminal. */
static int use_own_description(const struct curses_library *curses, int fd)
{
	const char *term = getenv("TERM");

	for (size_t i = 0; term && i < sizeof(terminals) / sizeof(terminals[0]); i++)
		if (!strcmp(term, terminals[i].name))
			setenv("TERMINFO", terminals[i].description, 1);
	return curses->setupterm(NULL, fd, &(int){0});
}

#else

static int use_own_description(const struct curses_library *curses, int fd)
{
	(void)curses;
	(void)fd;
	return ERR;
}

#endif

static bool find_description(const struct curses_library *curses, int fd)
{
	return curses->setupterm(NULL, fd, &(int){0}) == OK ||
	       use_own_description(curses, fd) == OK;
}

/* Terminals that take what xterm does, and whose own entries come with themselves. */
static bool is_like_xterm(const char *term)
{
	static const char *const patterns[] = {"xterm-*", "ghostty", "kitty",	   "foot",
					       "foot-*",  "wezterm", "alacritty*", NULL};

	for (const char *const *pattern = patterns; *pattern; pattern++)
		if (!fnmatch(*pattern, term, 0))
			return true;
	return false;
}

bool curses_library_find_terminal(const struct curses_library *curses, int fd)
{
	const char *term = getenv("TERM");

	if (find_description(curses, fd))
		return true;
	if (!term || !is_like_xterm(term))
		return false;
	setenv("TERM", XTERM, 1);
	return find_description(curses, fd);
}

bool curses_library_has_string(const struct curses_library *curses, const char *name)
{
	const char *string = curses->tigetstr(name);

	/* terminfo(3): (char *)-1 is no string capability, NULL is one that the terminal lacks */
	return string && string != (const char *)-1;
}
