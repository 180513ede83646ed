/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/monitor.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/messages.h"
#include "cli/recovery.h"
#include "cli/replace.h"
#include "cli/signals.h"
#include "cli/sink.h"
#include "cli/target.h"
#include "linux/run_dir.h"
#include "poller/poller.h"
#include "poller/view.h"
#include "uncore/event_catalogue.h"
#include "uncore/event_list.h"
#include "uncore/machine.h"
#include "uncore/perfmon_json.h"
#include "uncore/plan.h"

/* Everything a run holds, in the order in which it is made; released in reverse. */
struct monitor {
	const struct options *options;
	struct log log;
	int fd;	       /* where the output goes */
	bool replaces; /* it goes into the file in place of what was there */
	FILE *out;     /* what goes there next: text, in memory */
	char *text;
	size_t text_size;
	struct platform *platform;
	struct machine machine;
	struct run_dir *run_dir; /* NULL on a simulated machine, which nobody shares */
	struct event_catalogue catalogue;
	struct event_list events;
	struct view view;
	struct plan plan;
	struct poller *poller;
	struct sink sink;
	struct signals signals;
	struct command command;

	uint64_t samples;
	uint64_t missed;    /* deadlines */
	uint64_t frozen_ns; /* sum of each sample's longest */
	uint64_t lost_units;
	bool trouble_said, suspects_said, doubts_said;
	int ended_by;		     /* signal; 0: none */
	uint64_t samples_when_ended; /* before that signal came */
};

/* An existing file is emptied only when there is something to write: see begin_output(). */
static int open_output(struct monitor *m, struct error *err)
{
	const char *name = m->options->output;

	m->fd = STDOUT_FILENO;
	if (name)
		m->fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (m->fd < 0)
		return error_set(err, EXIT_FAILED, -errno, "%s: can't be written: %s", name,
				 strerror(errno));
	m->out = open_memstream(&m->text, &m->text_size);
	return m->out ? 0 : error_set(err, EXIT_FAILED, -ENOMEM, "out of memory");
}

static int open_platform(struct monitor *m, struct error *err)
{
	const struct options *o = m->options;

	return target_open(o->sim, o->root, &m->log, &m->platform, err);
}

static void describe(const struct monitor *m)
{
	const struct machine *machine = &m->machine;
	const char *freeze = m->plan.global ? "frozen by socket" : "frozen one by one";

	log_write(&m->log, LEVEL_DETAIL, "%s%s: %zu socket%s, %zu uncore units, %zu CXL port%s",
		  m->options->sim ? "simulated " : "", machine->model->name, machine->socket_count,
		  machine->socket_count == 1 ? "" : "s", machine->discovery.unit_count,
		  machine->port_count, machine->port_count == 1 ? "" : "s");
	log_write(&m->log, LEVEL_DETAIL, "%zu events on %zu units, %s", m->plan.slot_count,
		  m->plan.unit_count,
		  m->options->freeze == FREEZE_NEVER ? "read while they run" : freeze);
	if (m->plan.most_groups > 1)
		log_write(&m->log, LEVEL_DETAIL, "up to %zu groups of events take turns on a unit",
			  m->plan.most_groups);
}

/* Once the counters run, and COMMAND, if there is one. */
static int begin_output(struct monitor *m, struct error *err)
{
	const struct format *format = m->options->format;
	struct stat st;

	if (!format)
		format = isatty(m->fd) ? &format_table : &format_csv;
	m->sink = (struct sink){
		.format = format,
		.out = m->out,
		.terminal = isatty(m->fd),
		.fd = m->fd,
		.path = m->options->output,
		.view = &m->view,
	};
	const bool file = m->options->output && !fstat(m->fd, &st) && S_ISREG(st.st_mode);
	m->replaces = file && format->replaces;
	if (file && !m->replaces && ftruncate(m->fd, 0))
		return error_set(err, EXIT_FAILED, -errno, "%s: can't be emptied: %s",
				 m->options->output, strerror(errno));
	return format->begin(&m->sink) ? error_set(err, EXIT_FAILED, -ENOMEM, "out of memory") : 0;
}

/* What was typed behind -e is known once the processor is. */
static int find_events(struct monitor *m, struct error *err)
{
	const struct options *o = m->options;
	int rc = 0;

	catalogue_init(&m->catalogue, m->machine.model);
	event_list_init(&m->events);
	for (size_t i = 0; !rc && i < o->event_file_count; i++) {
		size_t taken;

		rc = perfmon_load(&m->catalogue, o->event_files[i], &taken, err);
		if (!rc)
			log_write(&m->log, LEVEL_DETAIL, "%s: %zu events", o->event_files[i],
				  taken);
	}
	for (size_t i = 0; !rc && i < o->event_count; i++)
		rc = event_list_add(&m->events, &m->catalogue, o->events[i], err);
	return rc;
}

static int others_run(const struct recovery *found, struct error *err)
{
	return error_set(
		err, EXIT_IN_USE, -EBUSY,
		"another cxlmon (pid %d) is measuring on this machine: wait until it ends, "
		"or end it (sudo kill %d); --share measures beside it with what is free, "
		"--force takes what it uses",
		(int)found->running_pid, (int)found->running_pid);
}

/*
 * From here on, until the counters run, nobody else looks at registers or programs them. What
 * killed runs have left is put back first.
 */
static int claim_machine(struct monitor *m, struct error *err)
{
	struct recovery found;
	int rc;

	if (m->options->sim)
		return 0;
	rc = run_dir_open(m->options->root, &m->run_dir, err);
	if (!rc)
		rc = recovery_run(&m->machine, m->run_dir, &found, err);
	if (!rc && found.running && m->options->ownership == OWNERSHIP_REFUSE)
		rc = others_run(&found, err);
	return rc;
}

static int keep_undo(void *context, const struct undo *undo, struct error *err)
{
	const struct monitor *m = context;

	return run_dir_keep(m->run_dir, m->machine.model->short_name, undo, err);
}

/* A socket that others count on is not frozen as a whole. */
static int make_plan(struct monitor *m, struct error *err)
{
	const struct options *o = m->options;
	const bool apart = o->ownership == OWNERSHIP_SHARE && o->freeze != FREEZE_NEVER;
	int rc = plan_make(&m->machine, m->view.requests, m->view.request_count,
			   apart ? FREEZE_UNITS : o->freeze, &m->plan, err);

	if (m->run_dir) {
		m->plan.keep = keep_undo;
		m->plan.keep_context = m;
	}
	return rc;
}

static int make_view(struct monitor *m, struct error *err)
{
	struct view_options options = m->options->view;

	options.events = m->events.items;
	options.event_count = m->events.count;
	return view_make(&m->machine, &options, &m->view, err);
}

/* Everything up to the first register write. */
static int set_up(struct monitor *m, struct error *err)
{
	const struct options *o = m->options;
	int rc = open_platform(m, err);

	if (!rc)
		rc = machine_open(m->platform, &m->machine, err);
	if (!rc)
		rc = claim_machine(m, err);
	machine_set_ownership(&m->machine, o->ownership);
	if (!rc)
		rc = find_events(m, err);
	if (!rc)
		rc = make_view(m, err);
	if (!rc)
		rc = make_plan(m, err);
	if (rc)
		return rc;
	view_bind(&m->view, &m->plan);
	describe(m);
	rc = open_output(m, err);
	if (!rc)
		rc = poller_new(&m->plan, o->interval_ns, &m->poller, err);
	if (!rc && o->turn_ns)
		poller_set_turn(m->poller, o->turn_ns);
	return rc;
}

static void release(struct monitor *m)
{
	if (m->sink.format && m->sink.format->end)
		m->sink.format->end(&m->sink);
	poller_free(m->poller);
	plan_free(&m->plan);
	view_free(&m->view);
	event_list_free(&m->events);
	catalogue_free(&m->catalogue);
	run_dir_close(m->run_dir);
	machine_close(&m->machine);
	platform_destroy(m->platform);
	if (m->out)
		fclose(m->out);
	free(m->text);
	if (m->options->output && m->fd >= 0)
		close(m->fd);
}

/* Sleeps until the deadline, or until something ends the run early: then *over is true. */
static int wait_for_deadline(struct monitor *m, bool *over, struct error *err)
{
	for (;;) {
		int signal_number = 0;
		int rc = poller_wait(m->poller, &m->signals.wake, &signal_number, err);

		if (rc != -EINTR)
			return rc;
		if (signal_number == SIGCHLD) {
			*over = command_poll(&m->command);
		} else {
			m->ended_by = signal_number;
			m->samples_when_ended = m->samples;
			*over = true;
		}
		if (*over)
			return 0;
	}
}

/*
 * A reader that went away ends the run as SIGPIPE would have; one that doesn't read, when a signal
 * comes.
 */
static int flush_output(struct monitor *m, struct error *err)
{
	const char *name = m->options->output ? m->options->output : "standard output";
	int signal_number = 0, rc;

	if (fflush(m->out))
		return error_set(err, EXIT_FAILED, -ENOMEM, "out of memory");
	rc = m->replaces ? replace_file(name, m->text, m->text_size)
			 : signals_write(&m->signals, m->fd, m->text, m->text_size, &signal_number);
	rewind(m->out);

	if (signal_number && !m->ended_by) {
		m->ended_by = signal_number;
		m->samples_when_ended = m->samples;
	}
	if (rc == -EPIPE)
		m->ended_by = SIGPIPE;
	return rc ? error_set(err, EXIT_FAILED, rc, "%s: can't be written: %s", name, strerror(-rc))
		  : 0;
}

/* What the user should know of the values, once: where they come from, and what was not believed.
 */
static void report_values(struct monitor *m)
{
	const struct view *view = &m->view;
	const struct row *last = &view->rows[view->row_count - 1];

	for (size_t c = 0; m->samples == 1 && c < view->column_count; c++)
		if (view->columns[c]->kind == METRIC_NUMBER && *last->values[c].text)
			log_write(&m->log, LEVEL_DETAIL, "%s rests on %s", view->columns[c]->name,
				  last->values[c].text);
	if (view->doubts && !m->doubts_said) {
		m->doubts_said = true;
		log_write(
			&m->log, LEVEL_WARNING,
			"CXL.mem reads by requests at the ports (%.0f MB/s) and by the CHAs' TOR (%.0f "
			"MB/s) differ by more than 10 %%",
			view->opinions[0], view->opinions[1]);
	}
	if (view->suspects && !m->suspects_said) {
		m->suspects_said = true;
		log_write(
			&m->log, LEVEL_WARNING,
			"a value was beyond what the hardware can do, and is left empty; -v counts "
			"such values");
	}
}

static int take_sample(struct monitor *m, struct error *err)
{
	struct error trouble;
	struct sample sample;
	int rc = poller_sample(m->poller, &sample, &trouble, err);

	if (rc)
		return rc;
	m->samples++;
	m->missed += sample.missed;
	m->frozen_ns += sample.frozen_ns;
	m->lost_units += sample.lost_units;
	if (trouble.code && !m->trouble_said) {
		m->trouble_said = true;
		log_write(&m->log, LEVEL_WARNING, "%s; its values are empty until it can be read",
			  trouble.text);
	}
	view_update(&m->view, &sample);
	report_values(m);
	m->sink.format->sample(&m->sink, &sample);
	return flush_output(m, err);
}

static int sample_until_over(struct monitor *m, struct error *err)
{
	const struct options *o = m->options;
	bool over = false;
	int rc = 0;

	while (!rc && !over && (!o->count || m->samples < o->count)) {
		if (m->ended_by)
			over = true; /* it came during the last write */
		else
			rc = wait_for_deadline(m, &over, err);
		if (!rc && m->ended_by == SIGINT && m->sink.format == &format_table &&
		    m->sink.terminal)
			putc('\n', m->out); /* the terminal has echoed ^C */
		if (!rc)
			rc = take_sample(m, err);
	}
	return rc;
}

/* Whether a Ctrl-C reached COMMAND as well, since both are in the terminal's foreground. */
static bool terminal_has_sent(int signal_number)
{
	bool foreground = false;
	int fd = signal_number == SIGINT || signal_number == SIGQUIT
			 ? open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
			 : -1;

	if (fd >= 0) {
		foreground = tcgetpgrp(fd) == getpgrp();
		close(fd);
	}
	return foreground;
}

/*
 * COMMAND is waited for, however the sampling ended: its status is the one to exit with, and nobody
 * else would miss it. What ended cxlmon is passed on; a second signal ends the wait.
 */
static void wait_for_command(struct monitor *m)
{
	const bool passed_on = m->ended_by && m->ended_by != SIGPIPE;

	if (passed_on && !terminal_has_sent(m->ended_by))
		command_signal(&m->command, m->ended_by);
	while (m->command.pid && !command_poll(&m->command)) {
		int signal_number = sigwaitinfo(&m->signals.wake, NULL);

		if (signal_number <= 0 || signal_number == SIGCHLD)
			continue;
		if (passed_on)
			return;
		m->ended_by = signal_number;
		m->samples_when_ended = m->samples;
		wait_for_command(m);
		return;
	}
}

/* A journal of what could not be put back stays. */
static int put_back(struct monitor *m, struct error *err)
{
	struct error why;
	int rc = poller_stop(m->poller, &why);

	if (!rc)
		return m->run_dir ? run_dir_forget(m->run_dir, err) : 0;
	return error_set(err, why.status, rc,
			 "%s; cxlmon restore tries again to put back what was programmed",
			 why.text);
}

static int run(struct monitor *m, struct error *err)
{
	signals_hold(&m->signals);
	int rc = poller_start(m->poller, err);

	if (m->run_dir)
		run_dir_settle(m->run_dir);
	if (!rc && m->options->command)
		rc = command_start(&m->command, m->options->command, &m->signals.before, err);
	if (!rc)
		rc = begin_output(m, err);
	if (!rc)
		rc = sample_until_over(m, err);

	/* whatever happened, and before anything is said of it */
	int stopped = put_back(m, rc ? NULL : err);
	wait_for_command(m);
	return rc ? rc : stopped;
}

static void summarize(const struct monitor *m)
{
	log_write(
		&m->log, LEVEL_DETAIL,
		"%" PRIu64 " samples, %" PRIu64 " deadlines missed, %" PRIu64
		" unit readings lost, %lu values not believed, counters frozen for %.3f ms in all",
		m->samples, m->missed, m->lost_units, m->view.suspects, (double)m->frozen_ns / 1e6);
}

static int exit_status(const struct monitor *m)
{
	if (m->ended_by == SIGINT && m->samples_when_ended)
		return EXIT_FINE;
	if (m->ended_by)
		return EXIT_SIGNALLED + m->ended_by;
	return m->command.ended ? m->command.status : EXIT_FINE;
}

static int report_failure(const struct monitor *m, const struct error *err)
{
	messages_error(err);
	if (err->status == EXIT_NO_UNIT && !m->options->sim)
		fprintf(stderr, "cxlmon: for a demonstration on a simulated processor: "
				"cxlmon --sim=spr\n");
	return (int)err->status;
}

int monitor_run(const struct options *options)
{
	struct monitor m = {.options = options, .fd = -1};
	struct error err = {0};
	int status;

	m.log = messages_log(options);
	int rc = set_up(&m, &err);
	if (!rc) {
		rc = run(&m, &err);
		summarize(&m);
	}
	/* where a signal or a reader that left cut the output short, that is no failure */
	status = rc && !m.ended_by ? report_failure(&m, &err) : exit_status(&m);
	release(&m);
	return status;
}
