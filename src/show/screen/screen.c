/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/screen.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/terminal.h"
#include "base/text.h"
#include "linux/kernel/clock.h"
#include "linux/run/signals.h"
#include "probe/top/top_print.h"
#include "show/screen/screen_draw.h"
#include "show/screen/screen_save.h"
#include "show/screen/terminal.h"
#include "show/screen/top_draw.h"

#define FRAME_NS    50000000		/* 20 frames per second at most; keys are handled at once */
#define FINDINGS_NS UINT64_C(500000000) /* time between conclusions */
#define MESSAGE_NS  UINT64_C(30000000000)

struct screen {
	const struct screen_setup *setup;
	struct terminal terminal;
	struct curses curses;
	struct canvas canvas;
	struct panels panels;
	struct kept_samples kept;
	struct explain explain;
	struct findings findings;
	uint64_t concluded_ns; /* clock_monotonic() of the findings; 0: no findings yet */
	struct scene scene;
	struct screen_state state;
	struct screen_viewport viewport;
	struct top_list processes;
	struct process_view process; /* process whose page is open */
	bool watching;		     /* the watcher of processes was asked to begin */
	bool news;		     /* the watcher has sent an update since the last sample */
	char message[DEFERRED_LOG_SIZE], newest[DEFERRED_LOG_SIZE];
	uint64_t newest_ns; /* clock_monotonic() of the message; 0: to be shown anew */
	bool seen;	    /* a key was pressed since the message, which ends a note */
	uint64_t drawn_ns;  /* clock_monotonic() of the last frame; 0: no frame yet */
};

/* Shows the last message for MESSAGE_NS, but a note only until the next key. */
static void choose_message(struct screen *s)
{
	const uint64_t now = clock_monotonic();

	s->scene.warning = deferred_log_last(s->setup->deferred_log, s->newest, sizeof(s->newest)) <
			   LEVEL_NOTE;
	if (strcmp(s->newest, s->message) || !s->newest_ns) {
		s->newest_ns = now;
		s->seen = false;
		snprintf(s->message, sizeof(s->message), "%s", s->newest);
	}
	const bool over = now - s->newest_ns >= MESSAGE_NS || (s->seen && !s->scene.warning);
	s->scene.message = over ? "" : s->message;
}

static bool has_new_message(struct screen *s)
{
	deferred_log_last(s->setup->deferred_log, s->newest, sizeof(s->newest));
	return strcmp(s->newest, s->message) != 0;
}

/*
 * Concludes findings from the samples so far, but not after each sample: there may be 20 per
 * second.
 */
static void conclude_screen(struct screen *s)
{
	const uint64_t now = clock_monotonic();

	if (s->concluded_ns && now - s->concluded_ns < FINDINGS_NS)
		return;
	explain_conclude(&s->explain, &s->findings);
	s->concluded_ns = now;
}

/*
 * Returns whether the screen has room for processes below the ports, and has a watcher or a
 * recording of them.
 */
static bool shows_both(const struct screen *s)
{
	return s->canvas.rows >= SCREEN_BOTH_ROWS && (s->setup->watcher || s->processes.taken);
}

static void draw_ports(struct screen *s)
{
	static const struct top_choice by_process = {.by = BY_PROCESS};
	const bool any = !s->processes.taken || s->processes.summary.processes;

	s->scene.processes = shows_both(s) && any ? &s->processes : NULL;
	if (s->scene.processes)
		top_list_arrange(&s->processes, &by_process);
	const struct layout l = screen_draw(&s->canvas, &s->scene);

	s->viewport.top = (struct top_viewport){
		&s->processes,
		s->scene.processes ? top_shown_below(&s->processes, &l.processes) : 0};
	s->state.below = s->state.below && s->viewport.top.visible;
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

static void draw_screen(struct screen *s, FILE *out)
{
	const struct area all = {0, 0, s->canvas.rows, s->canvas.columns};

	canvas_blank(&s->canvas, &all, STYLE_PLAIN);
	choose_message(s);
	conclude_screen(s);
	s->scene.interval_ns = s->state.interval_ns;
	if (s->state.tab == TAB_PROCESSES)
		draw_processes(s);
	else
		draw_ports(s);
	s->viewport.help_pages = s->scene.help_pages;
	s->viewport.explained_pages = s->scene.explained_pages;
	curses_show(&s->curses, &s->canvas, out);
	s->drawn_ns = clock_monotonic();
}

/* Adapts to the terminal's size, and redraws everything. */
static int resize_screen(struct screen *s)
{
	const struct winsize size = terminal_size(s->terminal.fd);

	canvas_free(&s->canvas);
	const int rc = curses_resize(&s->curses, size.ws_row, size.ws_col);
	return rc ? rc : canvas_init(&s->canvas, size.ws_row, size.ws_col, curses_glyphs());
}

/*
 * Asks the watcher for processes, from when they are first shown; later also while ports are shown.
 */
static void watch_processes(struct screen *s, struct sink *sink)
{
	const struct top_request request = {.interval_ns = s->state.interval_ns,
					    .pid = s->state.top.opened_pid,
					    .started = s->state.top.opened_started,
					    .reads = s->state.reads,
					    .aside = s->state.tab == TAB_PORTS,
					    .by = s->state.top.choice.by};

	if (!s->setup->watcher || (!s->watching && s->state.tab == TAB_PORTS && !shows_both(s)))
		return;
	s->watching = true;
	top_watcher_ask(s->setup->watcher, &request);
	sink->inputs[2] = s->setup->watcher->socket;
}

static int begin_screen(struct sink *sink)
{
	struct screen *s = calloc(1, sizeof(*s));
	int rc;

	sink->state = s;
	if (!s)
		return -ENOMEM;
	s->setup = sink->target;
	s->viewport.top.list = &s->processes;
	s->state =
		(struct screen_state){.tab = s->setup->tab,
				      .reads = s->setup->tab == TAB_PROCESSES || s->setup->played,
				      .interval_ns = s->setup->interval_ns,
				      .binary = s->setup->binary};
	rc = terminal_open(&s->terminal, sink->fd);
	if (!rc)
		rc = panels_init(&s->panels, sink->table);
	s->scene = (struct scene){
		.panels = &s->panels,
		.chosen = calloc(sink->table->row_count + 1, sizeof(*s->scene.chosen)),
		.state = &s->state,
		.processor = s->setup->processor,
		.link_MBps = s->setup->link_MBps,
		.explain = &s->explain,
		.findings = &s->findings,
		.no_ports = s->setup->no_ports,
		.played = s->setup->played,
	};
	if (!rc)
		rc = explain_init(&s->explain, sink->table, sink->info);
	if (!rc)
		rc = s->scene.chosen ? curses_open(&s->curses) : -ENOMEM;
	if (!rc)
		rc = resize_screen(s);
	if (rc)
		return rc;
	s->state.scope = panels_next_scope(&s->panels, SCOPE_CPU);
	deferred_log_defer(s->setup->deferred_log);
	terminal_set_mode(&s->terminal);
	sink->inputs[0] = STDIN_FILENO;
	sink->inputs[1] = s->terminal.signals_fd;
	watch_processes(s, sink);
	return 0;
}

static void keep_sample(struct screen *s, const struct table *table, const struct sample *sample)
{
	const struct attached_block processes = {
		&top_block, s->setup->watcher ? &s->setup->watcher->last : NULL};

	kept_samples_add(&s->kept, table, sample, s->news ? &processes : NULL, KEPT_SAMPLES_BYTES);
	s->news = false;
}

/* Takes the recorded processes; if memory is short, the previous ones stay. */
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
		keep_sample(s, sink->table, sample);
	s->scene.samples++;
	s->scene.missed += sample->missed;
	if (s->state.interval_ns >= FRAME_NS || now >= s->drawn_ns + FRAME_NS)
		draw_screen(s, sink->out);
}

/* Saves the samples. Saving again overwrites the file with all samples up to now. */
static void save_samples(const struct screen *s, const struct sink *sink)
{
	const struct screen_setup *setup = s->setup;
	const struct log log = deferred_log_as_log(setup->deferred_log);
	struct bytes all = {.data = NULL};

	if (setup->why_not->code) {
		log_write(&log, LEVEL_WARNING, "%s", setup->why_not->text);
		return;
	}
	const uint64_t samples = kept_samples_put(&s->kept, sink->info, sink->table, &all);
	const int rc =
		all.failed ? -ENOMEM
			   : file_process_replace(setup->saving, (const char *)all.data, all.size);

	if (rc)
		log_write(&log, LEVEL_WARNING, "%s: cannot be written: %s", setup->recording,
			  file_process_reason(rc));
	else
		log_write(&log, LEVEL_NOTE, "%" PRIu64 " samples are saved in %s", samples,
			  setup->recording);
	bytes_free(&all);
}

/*
 * Returns whether the key saves the list of processes: on their page, if no recording can be saved,
 * which would have them.
 */
static bool saves_list(const struct screen *s)
{
	return s->state.tab == TAB_PROCESSES && s->setup->why_not->code &&
	       !s->setup->why_no_list->code;
}

/* Saves all processes, by their last update. */
static void save_list(const struct screen *s)
{
	const struct screen_setup *setup = s->setup;
	const struct log log = deferred_log_as_log(setup->deferred_log);
	char *text = NULL;
	size_t size = 0;

	FILE *out = open_memstream(&text, &size);
	if (out)
		top_save(&s->processes.summary, s->processes.rows, out);
	const int rc = !out || fclose(out) ? -ENOMEM
					   : file_process_replace_second(setup->saving, text, size);

	if (rc)
		log_write(&log, LEVEL_WARNING, "%s: cannot be written: %s", setup->list,
			  file_process_reason(rc));
	else
		log_write(&log, LEVEL_NOTE, "%zu processes are saved in %s",
			  s->processes.summary.row_count, setup->list);
	free(text);
}

static void handle_key(struct screen *s, struct sink *sink, int key)
{
	struct screen_requests *requests = s->setup->requests;
	const struct screen_state before = s->state;

	screen_handle_key(&s->state, key, &s->panels, &s->viewport);
	atomic_store(&requests->paused, s->state.paused);
	if (s->state.top.opened_pid != before.top.opened_pid)
		process_view_open(&s->process, &s->state.top, &s->processes);
	if (s->state.interval_ns != before.interval_ns || s->state.tab != before.tab ||
	    s->state.reads != before.reads || s->state.top.opened_pid != before.top.opened_pid ||
	    s->state.top.choice.by != before.top.choice.by)
		watch_processes(s, sink);
	if (s->state.interval_ns == before.interval_ns && !s->state.quit)
		return;
	if (s->state.interval_ns != before.interval_ns)
		atomic_store(&requests->interval_ns, s->state.interval_ns);
	atomic_store(&requests->quit, s->state.quit);
	signals_kick(requests->sampler);
}

/*
 * Reads keys. A closed terminal is always readable, and is no longer polled. Returns whether there
 * were keys.
 */
static bool read_keys(struct screen *s, struct sink *sink)
{
	struct pollfd input = {.fd = sink->inputs[0], .events = POLLIN};
	bool any = false;
	int key;

	if (poll(&input, 1, 0) > 0 && input.revents & (POLLHUP | POLLERR | POLLNVAL))
		sink->inputs[0] = -1;
	else
		for (; (key = curses_key(&s->curses)) != CURSES_NO_KEY; any = true)
			handle_key(s, sink, key);
	s->seen |= any;
	if (s->state.save)
		s->newest_ns = 0;
	if (s->state.save && saves_list(s))
		save_list(s);
	else if (s->state.save)
		save_samples(s, sink);
	s->state.save = false;
	return any;
}

static void say_unwatched(const struct screen *s)
{
	const struct log log = deferred_log_as_log(s->setup->deferred_log);

	log_write(&log, LEVEL_WARNING,
		  "the process that watches processes has ended: they are shown as they were last; "
		  "start cxlmon again");
}

/*
 * Reads updates of processes, and ignores them while the display is paused. Returns whether there
 * is more to show.
 */
static bool read_processes(struct screen *s, struct sink *sink)
{
	struct top_watcher *watcher = s->setup->watcher;

	if (!s->watching || watcher->socket < 0)
		return false;
	const bool news = top_watcher_read(watcher), paused = s->state.paused;
	const bool taken =
		news && !paused &&
		!top_list_take(&s->processes, &watcher->last.summary, watcher->last.rows);

	/* second case: the page was opened while paused */
	if (taken || (news && !s->process.with_page))
		process_view_take(&s->process, &watcher->last);
	s->news |= news;
	sink->inputs[2] = watcher->socket;
	if (watcher->socket < 0 && (!s->processes.taken || s->processes.summary.processes))
		/* otherwise, the watcher has said why its list is empty */
		say_unwatched(s);
	if (taken && s->setup->no_ports) { /* no other samples have the time */
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
		if (resize_screen(s))
			return INPUT_NO_MEMORY;
		watch_processes(s, sink);
	}
	changed |= read_keys(s, sink);
	changed |= read_processes(s, sink);
	changed |= has_new_message(s);
	if (!stop) {
		if (changed)
			draw_screen(s, sink->out);
		return INPUT_HANDLED;
	}
	curses_leave(&s->curses, s->canvas.rows, sink->out);
	return INPUT_SUSPEND;
}

/*
 * Suspends the process group, as the terminal's driver does on Ctrl-Z; SIGTSTP has no effect in an
 * orphaned process group.
 */
static void suspend_screen(struct sink *sink)
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
	if (!resize_screen(s))
		draw_screen(s, sink->out);
}

static void finish_screen(struct sink *sink)
{
	struct screen *s = sink->state;

	curses_leave(&s->curses, s->canvas.rows, sink->out);
}

static void end_screen(struct sink *sink)
{
	struct screen *s = sink->state;

	terminal_close(&s->terminal);
	curses_close(&s->curses);
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
	.begin = begin_screen,
	.sample = sample_screen,
	.finish = finish_screen,
	.end = end_screen,
	.handle_input = handle_input,
	.suspend = suspend_screen,
};

bool screen_supported(const struct log *log)
{
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) &&
	       tcgetpgrp(STDOUT_FILENO) == getpgrp() && curses_supported(log);
}
