/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks of styles on a terminal, by the output of ncurses, and the characters of graphs. */
#include "show/screen/terminal.h"

#include <locale.h>

#include "unit.h"

#define WORD "word"

static struct curses curses;
static struct canvas c;
static int (*add_cell)(WINDOW *window, const cchar_t *cell);
static unsigned added; /* cells that ncurses got */

static void tear_down(void)
{
	canvas_free(&c);
	curses_close(&curses);
}

/* "1;7" of "\33[0;1;7m" before the word, and of several such sequences; "" is plain. */
static const char *look_of_word(char *text)
{
	static char look[64];
	char *sequence, *end;

	ck_assert_ptr_nonnull(strstr(text, WORD));
	*strstr(text, WORD) = '\0';
	while ((sequence = strstr(text, "\33["))) {
		text = sequence + 2;
		end = text + strspn(text, "0123456789;");
		if (*end != 'm')
			continue;
		*end = '\0';
		if (end == text || !strncmp(text, "0", 2) || !strncmp(text, "0;", 2))
			look[0] = '\0';
		else
			snprintf(look + strlen(look), sizeof(look) - strlen(look), ";%s", text);
		if (!strncmp(text, "0;", 2))
			snprintf(look, sizeof(look), ";%s", text + 2);
		text = end + 1;
	}
	return look[0] ? look + 1 : look;
}

static const struct {
	const char *term, *no_color;
	int style;
	const char *look; /* sequences of ECMA-48: 1 bold, 2 dim, 7 reverse, 3x a colour */
} looks[] = {
	{"xterm-256color", "", STYLE_PLAIN, ""},
	{"xterm-256color", "", STYLE_DIM, "2"},
	{"xterm-256color", "", STYLE_BOLD, "1"},
	{"xterm-256color", "", STYLE_BAR, "7"},
	{"xterm-256color", "", STYLE_CHOSEN, "1;7"},
	{"xterm-256color", "", STYLE_READ, "38;5;25"},
	{"xterm-256color", "", STYLE_READ + SHADES - 1, "38;5;39"},
	{"xterm-256color", "", STYLE_WRITE, "38;5;90"},
	{"xterm-256color", "", STYLE_WARNING, "1;38;5;166"},
	{"xterm-256color", "", STYLE_ERROR, "1;31"},
	/* with one shade of a colour, less load is dim */
	{"screen", "", STYLE_READ, "2;36"},
	{"screen", "", STYLE_READ + SHADES - 1, "36"},
	{"screen", "", STYLE_WRITE, "2;35"},
	{"screen", "", STYLE_WARNING, "1;33;40"},
	{"screen", "", STYLE_ERROR, "1;31"},
	/* without colours */
	{"xterm-256color", "1", STYLE_DIM, "2"},
	{"xterm-256color", "1", STYLE_CHOSEN, "1;7"},
	{"xterm-256color", "1", STYLE_READ, ""},
	{"xterm-256color", "1", STYLE_WRITE, ""},
	{"xterm-256color", "1", STYLE_WARNING, "7"},
	{"xterm-256color", "1", STYLE_ERROR, "1;7"},
	{"vt220", "", STYLE_CHOSEN, "1;7"},
	{"vt220", "", STYLE_READ, ""},
	{"vt220", "", STYLE_WARNING, "7"},
	{"vt220", "", STYLE_ERROR, "1;7"},
};

EACH_IN_A_PROCESS

FIXTURE(NULL, tear_down)

TEST_LOOP(test_what_a_style_looks_like, COUNT(looks))
{
	FILE *out = text_open();

	setenv("TERM", looks[_i].term, 1);
	setenv("NO_COLOR", looks[_i].no_color, 1);
	ck_assert_int_eq(curses_open(&curses), 0);
	ck_assert_int_eq(canvas_init(&c, 2, 20, GLYPHS_ASCII), 0);
	ck_assert_int_eq(curses_resize(&curses, c.rows, c.columns), 0);
	canvas_text(&c, 1, 5, 10, looks[_i].style, WORD);
	curses_show(&curses, &c, out);
	ck_assert_str_eq(look_of_word((char *)text_close(out)), looks[_i].look);
}

TEST(test_only_what_has_changed_is_written_again)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	setenv("TERM", "vt220", 1);
	ck_assert_int_eq(curses_open(&curses), 0);
	ck_assert_int_eq(canvas_init(&c, 2, 20, GLYPHS_ASCII), 0);
	ck_assert_int_eq(curses_resize(&curses, c.rows, c.columns), 0);
	canvas_text(&c, 0, 5, 10, STYLE_PLAIN, WORD);
	curses_show(&curses, &c, out);
	ck_assert_int_eq(fflush(out), 0);
	const size_t first = size;
	canvas_text(&c, 1, 5, 10, STYLE_PLAIN, "another");
	curses_show(&curses, &c, out);
	ck_assert_int_eq(fclose(out), 0);
	assert_contains(text, WORD);
	assert_contains(text + first, "another");
	assert_lacks(text + first, WORD);
	ck_assert_uint_eq(strlen(text + first), size - first);
	free(text);
}

static int count_cell(WINDOW *window, const cchar_t *cell)
{
	added++;
	return add_cell(window, cell);
}

/* Shows the canvas. Returns how many bytes are written to a stream of this size. */
static size_t show(FILE *out, const size_t *size)
{
	ck_assert_int_eq(fflush(out), 0);
	const size_t before = *size;

	added = 0;
	curses_show(&curses, &c, out);
	ck_assert_int_eq(fflush(out), 0);
	return *size - before;
}

TEST(test_a_frame_without_changes_writes_nothing)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	setenv("TERM", "xterm-256color", 1);
	ck_assert_int_eq(curses_open(&curses), 0);
	add_cell = curses.library.wadd_wch;
	curses.library.wadd_wch = count_cell;
	ck_assert_int_eq(canvas_init(&c, 24, 80, GLYPHS_ASCII), 0);
	ck_assert_int_eq(curses_resize(&curses, c.rows, c.columns), 0);
	canvas_text(&c, 22, 70, 10, STYLE_BOLD, "0123456789");
	ck_assert_uint_gt(show(out, &size), 0);
	ck_assert_uint_eq(added, 24 * 80);
	ck_assert_uint_eq(show(out, &size), 0);
	ck_assert_uint_eq(added, 0);
	/* writes a style and a character */
	canvas_text(&c, 22, 79, 1, STYLE_PLAIN, "9");
	canvas_text(&c, 3, 4, 5, STYLE_PLAIN, " 5   ");
	ck_assert_uint_gt(show(out, &size), 0);
	ck_assert_uint_eq(added, 2);
	/* writes all cells */
	ck_assert_int_eq(curses_resize(&curses, c.rows, c.columns), 0);
	ck_assert_uint_gt(show(out, &size), 0);
	ck_assert_uint_eq(added, 24 * 80);
	ck_assert_int_eq(fclose(out), 0);
	assert_contains(text, "0123456789");
	free(text);
}

static const struct {
	const char *locale, *term;
	enum glyphs glyphs;
} terminals[] = {
	{"C", "xterm", GLYPHS_ASCII},	      {"C", "linux", GLYPHS_ASCII},
	{"C.UTF-8", "xterm", GLYPHS_BRAILLE}, {"C.UTF-8", NULL, GLYPHS_BRAILLE},
	{"C.UTF-8", "linux", GLYPHS_BLOCKS},
};

TEST_LOOP(test_graphs_are_of_what_the_terminal_can_show, COUNT(terminals))
{
	ck_assert_ptr_nonnull(setlocale(LC_ALL, terminals[_i].locale));
	if (terminals[_i].term)
		setenv("TERM", terminals[_i].term, 1);
	else
		unsetenv("TERM");
	ck_assert_int_eq(curses_glyphs(), terminals[_i].glyphs);
}
