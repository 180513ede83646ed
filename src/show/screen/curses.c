/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/terminal.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "show/screen/canvas.h"

#define ESCAPE_MS 25 /* timeout of an escape sequence, enough over ssh */
#define COPY_SIZE 4096

/*
 * Colours and attributes of styles. Sources: the palette of xterm with 256 colours; for 16 or
 * fewer, the first colours of ISO 6429. With more than 256, colours from 8 on are red, green and
 * blue: RGB of user_caps(5).
 */
static const struct look {
	attr_t plain; /* attribute without colours */
	int rgb, of_256, of_16;
	bool low; /* shade of less than half the load */
} looks[STYLE_COUNT] = {
	[STYLE_DIM] = {.plain = A_DIM},
	[STYLE_BOLD] = {.plain = A_BOLD},
	[STYLE_BAR] = {.plain = A_REVERSE},
	[STYLE_CHOSEN] = {.plain = A_REVERSE | A_BOLD},
	[STYLE_READ] = {A_NORMAL, 0x3a6ea5, 25, COLOR_CYAN, true},
	{A_NORMAL, 0x2f7fd0, 26, COLOR_CYAN, true},
	{A_NORMAL, 0x2493ec, 32, COLOR_CYAN, false},
	{A_NORMAL, 0x1fb0ff, 39, COLOR_CYAN, false},
	[STYLE_WRITE] = {A_NORMAL, 0x8a4a94, 90, COLOR_MAGENTA, true},
	{A_NORMAL, 0xaa50b4, 127, COLOR_MAGENTA, true},
	{A_NORMAL, 0xc65ccb, 133, COLOR_MAGENTA, false},
	{A_NORMAL, 0xe070e0, 170, COLOR_MAGENTA, false},
	[STYLE_WARNING] = {A_REVERSE, 0xd75f00, 166, COLOR_YELLOW, false},
	[STYLE_ERROR] = {A_REVERSE | A_BOLD, COLOR_RED, COLOR_RED, COLOR_RED, false},
};

static bool starts_colours(const struct curses_library *c)
{
	const char *no_color = getenv("NO_COLOR");

	return !(no_color && *no_color) && c->has_colors() && c->start_color() == OK;
}

static int colour_of(const struct look *look, int colours)
{
	if (colours < 256)
		return look->of_16;
	return colours == 256 ? look->of_256 : look->rgb;
}

/* Returns the weight of a style: lower load is dim if a colour has a single shade. */
static attr_t weight_of(int style, int colours)
{
	if (style >= STYLE_WARNING)
		return A_BOLD;
	return colours < 256 && looks[style].low ? A_DIM : A_NORMAL;
}

static void choose_styles(struct curses *curses)
{
	const struct curses_library *c = &curses->library;
	const bool coloured = starts_colours(c);
	const short background = coloured && c->use_default_colors() == OK ? -1 : COLOR_BLACK;
	const int colours = coloured ? c->tigetnum("colors") : 0;

	for (int i = 0; i < STYLE_COUNT; i++) {
		const int colour = colour_of(&looks[i], colours);

		curses->attributes[i] = looks[i].plain;
		if (!coloured || !colour)
			continue;
		/* yellow on white is unreadable */
		c->init_extended_pair(
			i, colour, i == STYLE_WARNING && colours < 256 ? COLOR_BLACK : background);
		curses->attributes[i] = weight_of(i, colours) | COLOR_PAIR(i);
	}
}

static int open_output(struct curses *curses)
{
	const int fd = memfd_create("screen", MFD_CLOEXEC);

	curses->output = fd < 0 ? NULL : fdopen(fd, "w");
	if (curses->output)
		return 0;
	if (fd >= 0)
		close(fd);
	return -ENOMEM;
}

int curses_open(struct curses *curses)
{
	const struct curses_library *c = &curses->library;
	struct error ignored; /* curses_supported() has loaded it before */
	int rc;

	if (curses_library_load(&curses->library, &ignored))
		return -ELIBACC;
	rc = open_output(curses);
	if (rc)
		return rc;
	setlocale(LC_CTYPE, "");
	curses->screen = c->newterm(NULL, curses->output, stdin);
	if (!curses->screen)
		return -ENOTTY;
	c->cbreak();
	c->noecho();
	c->nonl();
	c->nodelay(*c->stdscr_ptr, TRUE);
	c->keypad(*c->stdscr_ptr, TRUE);
	c->set_escdelay(ESCAPE_MS);
	c->curs_set(0);
	choose_styles(curses);
	return 0;
}

void curses_close(struct curses *curses)
{
	if (curses->screen)
		curses->library.delscreen(curses->screen);
	free(curses->shown);
	if (curses->output)
		fclose(curses->output);
	*curses = (struct curses){.screen = NULL};
}

static void copy_output(const struct curses *curses, FILE *out)
{
	const int fd = fileno(curses->output);
	off_t left = lseek(fd, 0, SEEK_CUR);
	char buffer[COPY_SIZE];

	lseek(fd, 0, SEEK_SET);
	while (left > 0) {
		const size_t want = left < COPY_SIZE ? (size_t)left : COPY_SIZE;
		const ssize_t got = read(fd, buffer, want);
		if (got <= 0)
			break;
		fwrite(buffer, 1, (size_t)got, out);
		left -= got;
	}
	lseek(fd, 0, SEEK_SET);
}

static void put_cell(const struct curses *curses, int row, int column, struct cell cell)
{
	const struct curses_library *c = &curses->library;
	const wchar_t text[] = {cell.character, L'\0'};
	const attr_t look = curses->attributes[cell.style];
	cchar_t put;

	c->setcchar(&put, text, look, (short)PAIR_NUMBER(look), NULL);
	if (c->wmove(*c->stdscr_ptr, row, column) == OK)
		c->wadd_wch(*c->stdscr_ptr, &put);
}

/*
 * Writes the changed cells, and leaves the cursor, which some terminals cannot hide, in the last
 * cell.
 */
static void put_changes(const struct curses *curses, const struct canvas *canvas)
{
	const struct curses_library *c = &curses->library;

	for (int i = 0; i < canvas->rows * canvas->columns; i++) {
		const struct cell cell = canvas->cells[i];
		struct cell *shown = &curses->shown[i];

		if (cell.character == shown->character && cell.style == shown->style)
			continue;
		put_cell(curses, i / canvas->columns, i % canvas->columns, cell);
		*shown = cell;
	}
	c->wmove(*c->stdscr_ptr, canvas->rows - 1, canvas->columns - 1);
}

void curses_show(struct curses *curses, const struct canvas *canvas, FILE *out)
{
	const struct curses_library *c = &curses->library;

	put_changes(curses, canvas);
	c->wnoutrefresh(*c->stdscr_ptr);
	c->doupdate();
	copy_output(curses, out);
}

/* Finds the glyphs; the font of Linux's console has no braille. */
enum glyphs curses_glyphs(void)
{
	const char *term = getenv("TERM");

	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		return GLYPHS_ASCII;
	return term && !strcmp(term, "linux") ? GLYPHS_BLOCKS : GLYPHS_BRAILLE;
}

int curses_resize(struct curses *curses, int rows, int columns)
{
	const struct curses_library *c = &curses->library;

	c->resize_term(rows, columns);
	c->clearok(*c->curscr_ptr, TRUE);
	free(curses->shown);
	curses->shown = calloc((size_t)rows * (size_t)columns + 1, sizeof(*curses->shown));
	return curses->shown ? 0 : -ENOMEM;
}

static int key_code(int key)
{
	static const int known[][2] = {
		{KEY_UP, SCREEN_KEY_UP},
		{KEY_DOWN, SCREEN_KEY_DOWN},
		{KEY_PPAGE, SCREEN_KEY_PAGE_UP},
		{KEY_NPAGE, SCREEN_KEY_PAGE_DOWN},
		{KEY_HOME, SCREEN_KEY_HOME},
		{KEY_END, SCREEN_KEY_END},
		{KEY_LEFT, SCREEN_KEY_LEFT},
		{KEY_RIGHT, SCREEN_KEY_RIGHT},
		{KEY_F(1), SCREEN_KEY_HELP},
		{KEY_BACKSPACE, SCREEN_KEY_BACKSPACE},
		{KEY_ENTER, '\r'},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i][0] == key)
			return known[i][1];
	if (key >= KEY_F(2) && key <= KEY_F(10))
		return SCREEN_KEY_F2 + key - KEY_F(2);
	return key;
}

int curses_key(const struct curses *curses)
{
	const int key = curses->library.wgetch(*curses->library.stdscr_ptr);

	return key == ERR ? CURSES_NO_KEY : key_code(key);
}

/*
 * An alternate screen is left blank, because tmux moves the rows by which a terminal has grown to
 * the normal screen's history, and shows them there. Without an alternate screen the panels stay,
 * and later output starts on a new line.
 */
void curses_leave(struct curses *curses, int rows, FILE *out)
{
	const struct curses_library *c = &curses->library;

	if (curses_library_has_string(c, "rmcup")) {
		c->wclear(*c->stdscr_ptr);
	} else {
		c->wmove(*c->stdscr_ptr, rows - 1, 0);
		c->wclrtoeol(*c->stdscr_ptr);
	}
	c->wrefresh(*c->stdscr_ptr);
	c->endwin();
	copy_output(curses, out);
}

bool curses_supported(const struct log *log)
{
	struct curses_library curses;
	struct error why;

	if (curses_library_load(&curses, &why)) {
		log_write(log, LEVEL_DETAIL, "no screen: %s", why.text);
		return false;
	}
	const char *term = getenv("TERM") ? getenv("TERM") : "";
	if (!curses_library_find_terminal(&curses, STDOUT_FILENO)) {
		log_write(log, LEVEL_WARNING,
			  "a table, and no screen: this machine has no terminfo entry for TERM=%s: "
			  "install ncurses-term, or try TERM=xterm-256color",
			  quoted(term).text);
		return false;
	}
	const bool usable = curses_library_has_string(&curses, "cup") &&
			    curses_library_has_string(&curses, "clear");
	if (!usable)
		log_write(
			log, LEVEL_WARNING,
			"a table, and no screen: TERM=%s cannot move the cursor (--plain: without "
			"this message)",
			quoted(term).text);
	curses.del_curterm(*curses.terminal);
	return usable;
}
