/* SPDX-License-Identifier: BSD-3-Clause */
/* A run of the monitor: sets it up by its options, samples, and restores. */
#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli_private.h"
#include "cli/common.h"
#include "cli/monitor.h"
#include "linux/kernel/clock.h"
#include "linux/rights/rights.h"
#include "platform/clock.h"
#include "platform/perf.h"
#include "session/session.h"

#define LONG_INTERVAL_NS (60 * NS_PER_S)

/*
 * Returns whether the screen is shown: not with COUNT, whose output is read later, or COMMAND,
 * which uses the terminal.
 */
static bool wants_screen(const struct options *o)
{
	return !o->plain && !o->format && !o->output && !o->serve && !o->count && !o->command &&
	       !o->session.events.count && o->session.view.finest > SCOPE_CPU;
}

/* Returns whether the output grows on a disk. */
static bool fills_disk(const struct options *o)
{
	struct stat st;
	int rc;

	if (o->output && o->format && o->format->replaces)
		return false;
	rc = o->output ? stat(o->output, &st) : fstat(STDOUT_FILENO, &st);
	return rc ? o->output && errno == ENOENT : S_ISREG(st.st_mode);
}

/*
 * Refuses cxlmon serve, and endless samples into a file, on a virtual clock: samples follow each
 * other as fast as they can be written.
 */
static int check_virtual_clock(const struct options *o, struct error *err)
{
	if (o->serve)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "serve needs a clock in real time: expected --sim without "
				 "clock=virtual");
	if (o->count || o->command || (!o->record && !fills_disk(o)))
		return 0;
	return error_set(err, ERROR_USAGE, -EINVAL,
			 "a virtual clock does not wait, and would fill %s without end: expected "
			 "COUNT after INTERVAL, or --sim without clock=virtual",
			 o->output ? o->output : "standard output");
}

/*
 * Notes a long interval on a terminal: its user waits for the first sample, and may have meant
 * milliseconds, as for perf stat.
 */
static void say_long_interval(const struct monitor *m)
{
	const struct options *o = m->options;
	const char *typed = o->interval_text ? o->interval_text : "";
	char words[DURATION_SIZE], hint[64] = "";

	if (o->session.interval_ns <= LONG_INTERVAL_NS || !isatty(STDERR_FILENO))
		return;
	if (!typed[strspn(typed, "0123456789.")])
		snprintf(hint, sizeof(hint), "; for milliseconds write %.32sms", typed);
	log_write(&m->log, LEVEL_NOTE, "sampling every %s%s",
		  duration_words(o->session.interval_ns, words), hint);
}

/* Starts asking devices, on a real machine: a simulated device answers at once. */
static int start_asking(struct monitor *m, struct error *err)
{
	const struct machine *machine = &m->session.machine;
	struct health_source *health = &m->session.view.sources.health;

	if (!health->base.kind || m->options->session.sim)
		return 0;
	health_source_read_from(health, health_process_next, &m->health);
	return health_process_start(m->options->session.root, machine->devices,
				    machine->device_count, &m->caller, &m->health, err);
}

/* Starts the watcher, which waits until the user wants to see processes. */
static int start_watcher(struct monitor *m, struct error *err)
{
	const struct options *o = m->options;

	m->top_options = (struct top_options){
		.root = o->session.root,
		.sim = o->session.sim,
		.choice = o->top.choice,
		.pids = o->hot.pids,
		.cgroup = o->hot.cgroup,
		.caller = &m->caller,
	};
	return top_watcher_start(&m->top_options, &m->watcher, err);
}

/* Opens the counters. Counters of COMMAND's own processes are opened before it runs. */
static int open_counting(struct monitor *m, struct error *err)
{
	struct session_options *wanted = &m->options->session;
	struct command_inherits inherits = {.files = m->files};
	int rc = 0;

	if (m->options->command_alone) {
		sigprocmask(SIG_BLOCK, NULL, &inherits.mask);
		rc = command_fork(&m->command, m->options->command, &m->caller, &inherits, err);
		wanted->process = (unsigned)m->command.pid;
	}
	if (!rc)
		rc = session_open(wanted, &m->log, &m->session, err);
	if (!rc)
		session_report_limits(&m->session);
	return rc;
}

/* Does everything before the first register write. */
static int set_up(struct monitor *m, struct error *err)
{
	struct error why;
	int rc = sudo_user_find(&m->caller, err);

	getrlimit(RLIMIT_NOFILE, &m->files);
	m->screen_wanted = wants_screen(m->options) && screen_supported(&m->log);
	if (!rc && m->screen_wanted)
		rc = screen_defaults_apply(&m->defaults, m->options, err);
	if (!rc && m->screen_wanted)
		rc = start_watcher(m, err);
	say_long_interval(m);
	m->options->session.view.link_rate = m->options->link_GBps * 1e9;
	if (m->screen_wanted && !m->options->groups_chosen)
		m->options->session.view.groups = SCREEN_GROUPS;
	if (!rc)
		rc = open_counting(m, err);
	/* without events of devices, the run still has its counters */
	if (!rc && event_source_open(&m->session.view.sources.events, m->session.platform,
				     &m->session.machine.topology, &why))
		log_write(&m->log, LEVEL_DETAIL, "%s", why.text);
	if (!rc && m->session.platform->virtual_clock)
		rc = check_virtual_clock(m->options, err);
	if (!rc)
		rc = start_asking(m, err);
	return rc ? rc : monitor_open_output(m, err);
}

/* Releases everything. */
static void release_monitor(struct monitor *m)
{
	command_abandon(&m->command);
	serving_free(m->serving);
	summary_free(m->summary);
	session_close(&m->session);
	if (m->options->output && m->fd >= 0)
		close(m->fd);
	file_process_stop(&m->file);
	health_process_stop(&m->health);
	top_watcher_stop(&m->watcher);
}

/* Sampling loop: each sample is register accesses and one sleep, and nothing else that waits. */

#define QUEUE_WAIT_NS 1000000 /* time until a full queue is checked again, with a virtual clock */

/* Acts on keys of the screen. Returns whether to quit. */
static bool handle_requests(struct monitor *m)
{
	const uint64_t interval_ns = atomic_exchange(&m->screen_requests.interval_ns, 0);

	if (interval_ns) {
		poller_set_interval(m->session.poller, interval_ns);
		const struct deadlines samples = poller_deadlines(m->session.poller);

		sources_set_deadlines(&m->session.view.sources, &samples);
		if (!m->session.platform->virtual_clock)
			writer_set_interval(m->writer, interval_ns,
					    poller_frame_interval(m->session.poller));
	}
	return atomic_load(&m->screen_requests.quit);
}

/* Handles a signal; returns whether it ends the run. */
static bool handle_signal(struct monitor *m, int signal_number)
{
	if (signal_number == SIGCHLD)
		return command_poll(&m->command) || serving_failed(m->serving, NULL);
	if (signal_number == SIGNAL_KICK)
		return handle_requests(m) || writer_ended(m->writer);
	if (monitor_signal_is_benign(m, signal_number)) {
		if (signal_number == SIGHUP)
			writer_reopen(m->writer);
		return false;
	}
	monitor_end_by(m, signal_number);
	return true;
}

/* Sleeps until a reading is due, or until something ends the run early: then *done is true. */
static int wait_for_reading(struct monitor *m, enum read_reason *due, bool *done, struct error *err)
{
	for (;;) {
		int signal_number = 0;
		int rc = poller_wait(m->session.poller, &m->signals.wake, &signal_number, due, err);

		if (rc != -EINTR)
			return rc;
		*done = handle_signal(m, signal_number);
		if (*done) {
			*due = READ_SAMPLE; /* counts until now */
			return 0;
		}
	}
}

/* Returns whether the writer has room for a frame; waits for room if the clock is virtual. */
static bool find_room(struct monitor *m, bool *done)
{
	const struct timespec time = {.tv_nsec = QUEUE_WAIT_NS};

	while (!writer_has_room(m->writer)) {
		if (*done || !m->session.platform->virtual_clock)
			return false;
		const int signal_number = sigtimedwait(&m->signals.wake, NULL, &time);
		if (signal_number > 0)
			*done = handle_signal(m, signal_number);
	}
	return true;
}

/* Takes a frame. last: even if the writer has no room. */
static int take_frame(struct monitor *m, enum read_reason reason, bool last, struct error *err)
{
	const int rc = poller_read(m->session.poller, reason, err);

	if (rc)
		return rc;
	if (last)
		writer_push_last(m->writer, poller_frame(m->session.poller));
	else
		writer_push(m->writer, poller_frame(m->session.poller));
	m->samples += reason == READ_SAMPLE;
	return 0;
}

/* Skips a sample for which there is no room: it is merged into the next one. */
static void skip_sample(struct monitor *m, enum read_reason reason)
{
	poller_skip(m->session.poller, reason);
}

/* Takes samples until COUNT, COMMAND, a signal or the writer ends the run. */
static int take_sample(struct monitor *m, struct error *err)
{
	const uint64_t count = m->options->count;
	enum read_reason due;
	bool done = false;
	int rc = 0;

	while (!rc && !done && (!count || m->samples < count)) {
		rc = wait_for_reading(m, &due, &done, err);
		if (rc || writer_ended(m->writer))
			break;
		if (m->ended_by == SIGINT)
			writer_break_line(m->writer); /* a terminal has echoed ^C */
		const bool last = done || (due == READ_SAMPLE && m->samples + 1 == count);

		if (last) {
			/* late readings would miss the last row */
			sources_read_now(&m->session.view.sources);
			rc = take_frame(m, READ_SAMPLE, true, err);
		} else if (find_room(m, &done))
			rc = take_frame(m, due, false, err);
		else if (done)
			rc = take_frame(m, READ_SAMPLE, true, err);
		else
			skip_sample(m, due);
	}
	return !rc && serving_failed(m->serving, err) ? -EIO : rc;
}

/*
 * Waits for COMMAND however sampling ended, since the exit status is COMMAND's. The signal that
 * ended cxlmon is forwarded to it; a second signal ends the wait, and so does a COMMAND that is
 * stopped after the first one.
 */
static void wait_for_command(struct monitor *m)
{
	const bool forwarded = m->ended_by && m->ended_by != SIGPIPE;

	if (forwarded)
		command_forward(&m->command, m->ended_by);
	while (m->command.pid && !m->second_signal && !command_poll(&m->command)) {
		const int signal_number =
			command_wait(&m->command, &m->signals.wake, forwarded, &m->log);

		if (signal_number < 0 || monitor_signal_is_benign(m, signal_number))
			continue;
		if (forwarded)
			return;
		monitor_end_by(m, signal_number);
		wait_for_command(m);
		return;
	}
}

/* Keeps the first error of the run, and prints any further one as a warning. */
static int keep_first(const struct monitor *m, int first, int rc, const struct error *next,
		      struct error *err)
{
	if (rc && first)
		log_write(&m->log, LEVEL_WARNING, "%s", next->text);
	else if (rc)
		*err = *next;
	return first ? first : rc;
}

/*
 * Ends the run. Restores the registers first, because writing the rest of the output may take long.
 */
static int end_monitor(struct monitor *m, int rc, struct error *err)
{
	struct error next = {0};

	sources_stop(&m->session.view.sources);
	serving_notify_stopping(m->serving);
	rc = keep_first(m, rc, session_stop(&m->session, &next), &next, err);
	rc = keep_first(m, rc, monitor_finish_output(m, &next), &next, err);
	rc = keep_first(m, rc, session_restore_mbm(&m->session, &next), &next, err);
	serving_stop(m->serving);
	wait_for_command(m);
	return rc;
}

static uint64_t platform_now(const struct monitor *m)
{
	return m->session.platform->ops->clock->now(m->session.platform);
}

/* Begins the run: from the first register write to the last step that needs rights. */
static int begin_monitor(struct monitor *m, struct error *err)
{
	signals_block(&m->signals);
	poller_allow_affinity(m->session.poller);
	int rc = pmu_state_open_devices(&m->session.plan) ? rights_drop_rawio(err) : 0;

	if (!rc)
		rc = session_start(&m->session, err);
	m->started_ns = m->ended_ns = platform_now(m);
	if (rc || !m->options->command)
		return rc;
	if (m->options->command_alone)
		return command_begin(&m->command, m->options->command[0], &m->caller, err);
	return command_start(
		&m->command, m->options->command, &m->caller,
		&(struct command_inherits){.mask = m->signals.before, .files = m->files}, err);
}

/* Starts reading the sources; with a virtual clock in step, so that every run prints the same. */
static int start_reading(struct monitor *m, struct error *err)
{
	const struct deadlines samples = poller_deadlines(m->session.poller);

	return m->session.platform->virtual_clock
		       ? 0
		       : sources_start(&m->session.view.sources, &samples, err);
}

/* Drops all rights, and between the steps opens and starts the rest. */
static int confine_monitor(struct monitor *m, struct error *err)
{
	/* a simulated processor's events have no descriptors */
	const struct perf_events *events = m->options->session.sim ? NULL : &m->session.perf;
	const bool counts = events && events->handles;
	const struct rights_use use = {
		.role = RIGHTS_MONITOR,
		.caller = m->caller,
		.child = m->serving ? serving_process(m->serving) : m->command.pid,
		.child_is_root = m->command.pid && !m->caller.known,
		.notifies = m->serving,
		.receives = m->file.pid,
		.root = m->options->session.root,
		.platform = m->session.platform,
		.perf_events = counts ? events->handles : NULL,
		.perf_event_count = counts ? events->plan->counter_count : 0,
	};
	int rc = rights_drop(&use, &m->log, err);

	if (!rc)
		rc = monitor_prepare_output(m, err);
	if (!rc)
		rc = rights_restrict_files(&use, &m->log, err);
	/* after the fork, which would not copy the writer's thread */
	if (!rc)
		rc = monitor_begin_output(m, err);
	if (!rc)
		rc = start_reading(m, err);
	/* after COMMAND and the writer, which must not inherit affinity and timer slack */
	if (!rc) {
		clock_set_timerslack();
		poller_place_readers(m->session.poller);
	}
#ifdef __GLIBC__
	/* returns the memory that setting up took */
	malloc_trim(0);
#endif
	return rc ? rc : rights_filter(&use, &m->log, err);
}

static int run_monitor(struct monitor *m, struct error *err)
{
	int rc = begin_monitor(m, err);

	if (!rc)
		rc = confine_monitor(m, err);
	if (!rc)
		rc = take_sample(m, err);
	m->ended_ns = platform_now(m);
	return end_monitor(m, rc, err);
}

static void log_details(const struct monitor *m)
{
	const struct frame *frame = poller_frame(m->session.poller);

	log_write(&m->log, LEVEL_DETAIL,
		  "%" PRIu64 " samples, %" PRIu64 " deadlines missed, %" PRIu64
		  " samples skipped because the output was slow, %" PRIu64
		  " unit reads failed, %lu implausible values dropped, counters frozen for %.3f ms "
		  "in total",
		  m->samples, frame->missed, frame->skipped, m->lost_readings,
		  m->session.view.noticed.implausible.count, (double)frame->frozen_ns / 1e6);
}

static int exit_status(const struct monitor *m)
{
	const bool stopped = m->ended_by == SIGINT || m->ended_by == SIGTERM;

	/* stopping a service is not a failure */
	if (m->serving && stopped)
		return EXIT_OK;
	if (m->ended_by == SIGINT && m->samples_when_ended)
		return EXIT_OK;
	if (m->ended_by)
		return EXIT_SIGNALLED + m->ended_by;
	return m->command.ended ? m->command.status : EXIT_OK;
}

/*
 * Returns whether processes can still be shown although ports cannot be counted, for want of rights
 * or free counters.
 */
static bool shows_processes_alone(const struct monitor *m, const struct error *err)
{
	return m->options->top.first && m->watcher.socket >= 0 && err->kind != ERROR_USAGE;
}

int monitor_run(struct options *options, struct error *err)
{
	struct error why;
	struct monitor m = {
		.options = options, .fd = -1, .health.answers = -1, .watcher.socket = -1};

	progress_begin(&m.progress, monitor_progress_terminal(options), &options->log);
	deferred_log_init(&m.deferred_log, &m.progress.log);
	m.log = deferred_log_as_log(&m.deferred_log);
	int rc = set_up(&m, err);
	const bool lacks_units = rc && err->kind == ERROR_NO_UNIT && !options->session.sim;
	if (!rc) {
		rc = run_monitor(&m, err);
		log_details(&m);
		/* the reader of the output has left */
		if (m.ended_by != SIGPIPE)
			monitor_print_summary(&m);
	} else if (shows_processes_alone(&m, err)) {
		why = *err;
		rc = monitor_show_processes(&m, &why, err);
	}
	options->status = rc ? (int)exit_status_of(err->kind) : exit_status(&m);
	if (rc)
		messages_error(err);
	release_monitor(&m);
	if (rc && lacks_units)
		doctor_suggest(options);
	if (rc)
		messages_try_simulation(options->status, options->session.sim);
	return 0;
}

const struct subcommand cmd_monitor = {
	.name = "cxlmon",
	.run = monitor_run,
	.monitor = OPTION_NOT_MONITOR,
};

static const struct option_row record_rows[] = {
	{OPTION_OUTPUT, .help = "record in FILE"},
	OPTIONS_OF_RECORDING,
	OPTION_SHOW_HELP,
	{.name = NULL},
};

const struct subcommand cmd_record = {
	.name = "record",
	.purpose = "record samples in a file",
	.run = monitor_run,
	.usage =
		"Usage: cxlmon record FILE [OPTION]... [INTERVAL [COUNT]] [-- COMMAND [ARG]...]\n"
		"Records samples in FILE, which must be new or empty (- is standard output). cxlmon\n"
		"replay FILE prints them in any format, cxlmon report FILE draws them. FILE can be read\n"
		"while it is written; a run that is killed loses no complete sample.\n"
		"\n"
		"FILE may stand anywhere among the operands, unless its name reads as a number: then it\n"
		"is written as ./1, or as the value of -o. In its name, %N is Slurm's node or the host, and\n"
		"%j, %s and %t are the numbers of Slurm's job, step and task.\n"
		"\n",
	.options = record_rows,
	.operand = "FILE",
	.monitor = OPTION_NOT_RECORD,
	.notes =
		"\n"
		"Other options are those of the monitor except -f, --csv and --json: see cxlmon help all.\n"
		"\n"
		"  sudo cxlmon record run.cxl 0.1 -- ./work\n",
};
