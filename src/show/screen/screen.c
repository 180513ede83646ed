/* SPDX-License-Identifier: BSD-3-Clause */
/* The screen on a terminal. Only this file uses ncurses. */
#include "show/screen/screen.h"

#include <errno.h>
#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "linux/clock.h"
#include "linux/run/signals.h"
#include "probe/top/top_block.h"
#include "show/screen/kept_samples.h"
#include "show/screen/process_draw.h"
#include "show/screen/screen_draw.h"
#include "show/screen/terminal.h"
#include "show/screen/top_draw.h"
#include "show/screen/top_save.h"

#define FRAME_NS    50000000		/* 20 frames a second at most; keys are handled at once */
#define FINDINGS_NS UINT64_C(500000000) /* between conclusions */
#define MESSAGE_NS  UINT64_C(30000000000)
#define ESCAPE_MS   25 /* timeout of an escape sequence, enough over ssh */
#define COPY_SIZE   4096

struct screen {
	const struct screen_setup *setup;
	struct terminal terminal;
	FILE *output; /* output of ncurses, in memory */
	struct curses_library curses;
	SCREEN *screen;
	struct canvas canvas;
	struct panels panels;
	struct kept_samples kept;
	struct explain explain;
	struct findings findings;
	uint64_t concluded_ns; /* clock_monotonic() of the findings; 0: there are none yet */
	struct scene scene;
	struct screen_state state;
	struct screen_viewport viewport;
	struct top_list processes;
	struct process_view process; /* whose page is open */
	bool watching;		     /* the process that watches them was asked to begin */
	bool news;		     /* it has sent an update since the last sample */
	char message[DEFERRED_LOG_SIZE], newest[DEFERRED_LOG_SIZE];
	uint64_t newest_ns; /* clock_monotonic() of the message */
	uint64_t drawn_ns;  /* clock_monotonic() of the last frame; 0: none yet */
	attr_t attributes[STYLE_COUNT];
};

/*
 * Sources: the palette of xterm with 256 colours; of 16 or fewer, the first ones of ISO 6429. With
 * more than 256, colours from 8 on are red, green and blue: RGB of user_caps(5).
 */
static const struct look {
	attr_t plain; /* without colours */
	int rgb, of_256, of_16;
	bool low; /* a shade of less than half the load */
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

static bool starts_colours(struct screen *s)
{
	const char *no_color = getenv("NO_COLOR");

	return !(no_color && *no_color) && s->curses.has_colors() && s->curses.start_color() == OK;
}

static int colour_of(const struct look *look, int colours)
{
	if (colours < 256)
		return look->of_16;
	return colours == 256 ? look->of_256 : look->rgb;
}

/* Where there is one shade of a colour, less load is dim. */
static attr_t weight_of(int style, int colours)
{
	if (style >= STYLE_WARNING)
		return A_BOLD;
	return colours < 256 && looks[style].low ? A_DIM : A_NORMAL;
}

static void choose_styles(struct screen *s)
{
	const bool coloured = starts_colours(s);
	const short background =
		coloured && s->curses.use_default_colors() == OK ? -1 : COLOR_BLACK;
	const int colours = coloured ? s->curses.tigetnum("colors") : 0;

	for (int i = 0; i < STYLE_COUNT; i++) {
		const int colour = colour_of(&looks[i], colours);

		s->attributes[i] = looks[i].plain;
		if (!coloured || !colour)
			continue;
		/* yellow on white can't be read */
		s->curses.init_extended_pair(
			i, colour, i == STYLE_WARNING && colours < 256 ? COLOR_BLACK : background);
		s->attributes[i] = weight_of(i, colours) | COLOR_PAIR(i);
	}
}

/* ncurses writes to a memfd, so that it never blocks. */
static int open_curses(struct screen *s)
{
	struct error ignored; /* screen_supported() has loaded it before */

	if (curses_library_load(&s->curses, &ignored))
		return -ELIBACC;
	const int fd = memfd_create("screen", MFD_CLOEXEC);
	s->output = fd < 0 ? NULL : fdopen(fd, "w");
	if (!s->output) {
		if (fd >= 0)
			close(fd);
		return -ENOMEM;
	}
	setlocale(LC_CTYPE, "");
	const struct curses_library *c = &s->curses;
	s->screen = c->newterm(NULL, s->output, stdin);
	if (!s->screen)
		return -ENOTTY;
	c->cbreak();
	c->noecho();
	c->nonl();
	c->nodelay(*c->stdscr_ptr, TRUE);
	c->keypad(*c->stdscr_ptr, TRUE);
	c->set_escdelay(ESCAPE_MS);
	c->curs_set(0);
	choose_styles(s);
	return 0;
}

/* Copies the output of ncurses to the sink's. */
static void copy_output(const struct screen *s, FILE *out)
{
	const int fd = fileno(s->output);
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

static void put_canvas(const struct screen *s)
{
	const struct curses_library *c = &s->curses;

	for (int row = 0; row < s->canvas.rows; row++) {
		for (int column = 0; column < s->canvas.columns; column++) {
			const struct cell cell = canvas_at(&s->canvas, row, column);
			const wchar_t text[] = {cell.character, L'\0'};
			const attr_t look = s->attributes[cell.style];
			cchar_t put;

			c->setcchar(&put, text, look, (short)PAIR_NUMBER(look), NULL);
			if (c->wmove(*c->stdscr_ptr, row, column) == OK)
				c->wadd_wch(*c->stdscr_ptr, &put);
		}
	}
}

/* Shows the last message for MESSAGE_NS. */
static void choose_message(struct screen *s)
{
	const uint64_t now = clock_monotonic();

	s->scene.warning = deferred_log_last(s->setup->deferred_log, s->newest, sizeof(s->newest)) <
			   LEVEL_NOTE;
	if (strcmp(s->newest, s->message) || !s->newest_ns) {
		s->newest_ns = now;
		snprintf(s->message, sizeof(s->message), "%s", s->newest);
	}
	s->scene.message = now - s->newest_ns < MESSAGE_NS ? s->message : "";
}

static bool has_new_message(struct screen *s)
{
	deferred_log_last(s->setup->deferred_log, s->newest, sizeof(s->newest));
	return strcmp(s->newest, s->message) != 0;
}

/* What follows from the samples so far: not with each of them, as there may be 20 a second. */
static void conclude(struct screen *s)
{
	const uint64_t now = clock_monotonic();

	if (s->concluded_ns && now - s->concluded_ns < FINDINGS_NS)
		return;
	explain_conclude(&s->explain, &s->findings);
	s->concluded_ns = now;
}

static void draw_ports(struct screen *s)
{
	const struct layout l = screen_draw(&s->canvas, &s->scene);

	s->viewport.chosen = s->scene.chosen;
	s->viewport.count = s->scene.busy;
	s->viewport.visible = l.visible;
}

static void draw_processes(struct screen *s)
{
	if (screen_shown_tab(&s->state) == TAB_PROCESS) {
		process_draw(&s->canvas, &s->scene, &s->processes, &s->process, &s->viewport.top);
		return;
	}
	top_list_arrange(&s->processes, &s->state.top.choice);
	s->viewport.top = (struct top_viewport){&s->processes,
						top_draw(&s->canvas, &s->scene, &s->processes)};
}

static void draw(struct screen *s, FILE *out)
{
	const struct area all = {0, 0, s->canvas.rows, s->canvas.columns};

	canvas_blank(&s->canvas, &all, STYLE_PLAIN);
	choose_message(s);
	conclude(s);
	s->scene.interval_ns = s->state.interval_ns;
	if (s->state.tab == TAB_PROCESSES)
		draw_processes(s);
	else
		draw_ports(s);
	s->viewport.help_pages = s->scene.help_pages;
	s->viewport.explained_pages = s->scene.explained_pages;
	put_canvas(s);
	s->curses.wnoutrefresh(*s->curses.stdscr_ptr);
	s->curses.doupdate();
	copy_output(s, out);
	s->drawn_ns = clock_monotonic();
}

/* The font of Linux's console has no braille. */
static enum glyphs glyphs_of_terminal(void)
{
	const char *term = getenv("TERM");

	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		return GLYPHS_ASCII;
	return term && !strcmp(term, "linux") ? GLYPHS_BLOCKS : GLYPHS_BRAILLE;
}

/* Adapts to the terminal's size, and redraws everything. */
static int resize(struct screen *s)
{
	const struct winsize size = terminal_size(s->terminal.fd);

	canvas_free(&s->canvas);
	s->curses.resize_term(size.ws_row, size.ws_col);
	s->curses.clearok(*s->curses.curscr_ptr, TRUE);
	return canvas_init(&s->canvas, size.ws_row, size.ws_col, glyphs_of_terminal());
}

/* From when on processes are first shown; then also while ports are. */
static void watch(struct screen *s, struct sink *sink)
{
	const struct top_request request = {.interval_ns = s->state.interval_ns,
					    .pid = s->state.top.opened_pid,
					    .started = s->state.top.opened_started};

	if (!s->setup->watcher || (!s->watching && s->state.tab != TAB_PROCESSES))
		return;
	s->watching = true;
	top_watcher_ask(s->setup->watcher, &request);
	sink->inputs[2] = s->setup->watcher->socket;
}

static int begin(struct sink *sink)
{
	struct screen *s = calloc(1, sizeof(*s));
	int rc;

	sink->state = s;
	if (!s)
		return -ENOMEM;
	s->setup = sink->target;
	s->state = (struct screen_state){.tab = s->setup->tab,
					 .interval_ns = s->setup->interval_ns,
					 .binary = s->setup->binary};
	rc = terminal_open(&s->terminal, sink->fd);
	if (!rc)
		rc = panels_init(&s->panels, sink->view);
	s->scene = (struct scene){
		.panels = &s->panels,
		.chosen = calloc(sink->view->row_count + 1, sizeof(*s->scene.chosen)),
		.state = &s->state,
		.processor = s->setup->processor,
		.link_MBps = s->setup->link_MBps,
		.explain = &s->explain,
		.findings = &s->findings,
		.no_ports = s->setup->no_ports,
		.played = s->setup->played,
	};
	if (!rc)
		rc = explain_init(&s->explain, sink->view, sink->info);
	if (!rc)
		rc = s->scene.chosen ? open_curses(s) : -ENOMEM;
	if (!rc)
		rc = resize(s);
	if (rc)
		return rc;
	s->state.scope = panels_next_scope(&s->panels, SCOPE_CPU);
	deferred_log_defer(s->setup->deferred_log);
	terminal_set_mode(&s->terminal);
	sink->inputs[0] = STDIN_FILENO;
	sink->inputs[1] = s->terminal.signals_fd;
	watch(s, sink);
	return 0;
}

static void keep_sample(struct screen *s, const struct view *view, const struct sample *sample)
{
	const struct attached_block processes = {
		&top_block, s->setup->watcher ? &s->setup->watcher->last : NULL};

	kept_samples_add(&s->kept, view, sample, s->news ? &processes : NULL, KEPT_SAMPLES_BYTES);
	s->news = false;
}

/* Where memory is short, those of before are shown. */
static void take_recorded_processes(struct screen *s)
{
	const struct top_update *update = recording_block(s->setup->played, &top_block);

	if (update && !top_list_take(&s->processes, &update->summary, update->rows))
		process_view_take(&s->process, update);
}

static void sample_screen(struct sink *sink, const struct sample *sample)
{
	struct screen *s = sink->state;
	const uint64_t now = clock_monotonic();

	panels_update(&s->panels, sample, s->state.interval_ns);
	explain_add(&s->explain, sample, NULL);
	if (s->setup->played)
		take_recorded_processes(s);
	else
		keep_sample(s, sink->view, sample);
	s->scene.samples++;
	s->scene.missed += sample->missed;
	if (s->state.interval_ns >= FRAME_NS || now >= s->drawn_ns + FRAME_NS)
		draw(s, sink->out);
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
	return key;
}

/* Once more, the file is replaced by one that goes on until now. */
static void save(const struct screen *s, const struct sink *sink)
{
	const struct screen_setup *setup = s->setup;
	const struct log log = deferred_log_as_log(setup->deferred_log);
	struct bytes all = {.data = NULL};

	if (setup->why_not->code) {
		log_write(&log, LEVEL_WARNING, "%s", setup->why_not->text);
		return;
	}
	const uint64_t samples = kept_samples_put(&s->kept, sink->info, sink->view, &all);
	const int rc =
		all.failed ? -ENOMEM
			   : file_process_replace(setup->saving, (const char *)all.data, all.size);

	if (rc)
		log_write(&log, LEVEL_WARNING, "%s: cannot be written: %s", setup->recording,
			  strerror(-rc));
	else
		log_write(&log, LEVEL_NOTE, "%" PRIu64 " samples are saved in %s", samples,
			  setup->recording);
	bytes_free(&all);
}

/* On their page, where there is no recording, which would have them. */
static bool saves_list(const struct screen *s)
{
	return s->state.tab == TAB_PROCESSES && s->setup->why_not->code &&
	       !s->setup->why_no_list->code;
}

/* All processes, as they were last. */
static void save_list(const struct screen *s)
{
	const struct screen_setup *setup = s->setup;
	const struct log log = deferred_log_as_log(setup->deferred_log);
	char *text = NULL;
	size_t size = 0;

	FILE *out = open_memstream(&text, &size);
	if (out)
		top_save(&s->processes, out);
	const int rc = !out || fclose(out) ? -ENOMEM
					   : file_process_replace_second(setup->saving, text, size);

	if (rc)
		log_write(&log, LEVEL_WARNING, "%s: cannot be written: %s", setup->list,
			  strerror(-rc));
	else
		log_write(&log, LEVEL_NOTE, "%zu processes are saved in %s",
			  s->processes.summary.row_count, setup->list);
	free(text);
}

static void handle_key(struct screen *s, struct sink *sink, int key)
{
	struct screen_requests *requests = s->setup->requests;
	const struct screen_state before = s->state;

	screen_handle_key(&s->state, key_code(key), &s->panels, &s->viewport);
	atomic_store(&requests->paused, s->state.paused);
	if (s->state.top.opened_pid != before.top.opened_pid)
		process_view_open(&s->process, &s->state.top, &s->processes);
	if (s->state.interval_ns != before.interval_ns || s->state.tab != before.tab ||
	    s->state.top.opened_pid != before.top.opened_pid)
		watch(s, sink);
	if (s->state.interval_ns == before.interval_ns && !s->state.quit)
		return;
	if (s->state.interval_ns != before.interval_ns)
		atomic_store(&requests->interval_ns, s->state.interval_ns);
	atomic_store(&requests->quit, s->state.quit);
	signals_kick(requests->sampler);
}

/*
 * A terminal that was closed is always readable: it is no longer polled. Returns whether there were
 * keys.
 */
static bool read_keys(struct screen *s, struct sink *sink)
{
	struct pollfd input = {.fd = sink->inputs[0], .events = POLLIN};
	bool any = false;
	int key;

	if (poll(&input, 1, 0) > 0 && input.revents & (POLLHUP | POLLERR | POLLNVAL))
		sink->inputs[0] = -1;
	else
		for (; (key = s->curses.wgetch(*s->curses.stdscr_ptr)) != ERR; any = true)
			handle_key(s, sink, key);
	if (s->state.save && saves_list(s))
		save_list(s);
	else if (s->state.save)
		save(s, sink);
	s->state.save = false;
	return any;
}

/*
 * An alternate screen is left blank: if the terminal was enlarged, tmux moves the rows by which it
 * has grown to the normal screen's history, and shows them there. Without an alternate screen the
 * panels stay, and later output starts on a line of its own.
 */
static void leave(struct screen *s, FILE *out)
{
	const struct curses_library *c = &s->curses;

	if (curses_library_has_string(c, "rmcup")) {
		c->wclear(*c->stdscr_ptr);
	} else {
		c->wmove(*c->stdscr_ptr, s->canvas.rows - 1, 0);
		c->wclrtoeol(*c->stdscr_ptr);
	}
	c->wrefresh(*c->stdscr_ptr);
	c->endwin();
	copy_output(s, out);
}

/* While the display is paused, what comes is left out. Returns whether there is more to show. */
static bool read_processes(struct screen *s, struct sink *sink)
{
	struct top_watcher *watcher = s->setup->watcher;

	if (!s->watching)
		return false;
	const bool news = top_watcher_read(watcher), paused = s->state.paused;
	const bool taken =
		news && !paused &&
		!top_list_take(&s->processes, &watcher->last.summary, watcher->last.rows);

	if (taken || (news && !s->process.with_page)) /* opened while it is paused */
		process_view_take(&s->process, &watcher->last);
	s->news |= news;
	sink->inputs[2] = watcher->socket;
	if (taken && s->setup->no_ports) { /* no other samples say how late it is */
		s->panels.wall_ns = s->processes.summary.wall_ns;
		s->panels.first_ns = s->panels.first_ns ? s->panels.first_ns : s->panels.wall_ns;
		s->scene.samples++;
	}
	return news;
}

static enum input_result handle_input(struct sink *sink)
{
	struct screen *s = sink->state;
	enum terminal_event event;
	bool stop = false, changed = !s->drawn_ns;

	while ((event = terminal_next(&s->terminal)) != TERMINAL_NO_EVENT) {
		changed = true;
		stop |= event == TERMINAL_STOP;
		if (event == TERMINAL_CONTINUED)
			terminal_set_mode(&s->terminal);
		if (resize(s))
			return INPUT_NO_MEMORY;
	}
	changed |= read_keys(s, sink);
	changed |= read_processes(s, sink);
	changed |= has_new_message(s);
	if (!stop) {
		if (changed)
			draw(s, sink->out);
		return INPUT_HANDLED;
	}
	leave(s, sink->out);
	return INPUT_SUSPEND;
}

/* As the terminal's driver does on Ctrl-Z; in an orphaned process group, SIGTSTP has no effect. */
static void suspend(struct sink *sink)
{
	struct screen *s = sink->state;
	sigset_t sigtstp;

	terminal_restore(&s->terminal);
	sigemptyset(&sigtstp);
	sigaddset(&sigtstp, SIGTSTP);
	signal(SIGTSTP, SIG_DFL);
	raise(SIGTSTP);
	pthread_sigmask(SIG_UNBLOCK, &sigtstp, NULL);
	pthread_sigmask(SIG_BLOCK, &sigtstp, NULL);
	terminal_set_mode(&s->terminal);
	if (!resize(s))
		draw(s, sink->out);
}

static void finish(struct sink *sink)
{
	struct screen *s = sink->state;

	leave(s, sink->out);
}

static void end(struct sink *sink)
{
	struct screen *s = sink->state;

	terminal_close(&s->terminal);
	if (s->screen)
		s->curses.delscreen(s->screen);
	if (s->output)
		fclose(s->output);
	canvas_free(&s->canvas);
	panels_free(&s->panels);
	kept_samples_free(&s->kept);
	explain_free(&s->explain);
	top_list_free(&s->processes);
	free(s->scene.chosen);
	free(s);
}

const struct format format_screen = {
	.name = "screen",
	.begin = begin,
	.sample = sample_screen,
	.finish = finish,
	.end = end,
	.handle_input = handle_input,
	.suspend = suspend,
};

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
