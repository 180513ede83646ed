/* SPDX-License-Identifier: BSD-3-Clause */
/* Output of the monitor: its file, its writer, the recording's header and the summary. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/terminal.h"
#include "base/text.h"
#include "cli/cli_private.h"
#include "cli/common.h"
#include "cli/job.h"
#include "cli/monitor.h"
#include "linux/run/process.h"
#include "output/append.h"
#include "output/diagnostics.h"
#include "output/output_file.h"
#include "platform/clock.h"

/*
 * Returns whether to print a summary. By default, it follows the screen, which leaves nothing else,
 * and a run that ends by itself, if standard error is a terminal or the samples are in a file.
 */
static bool wants_summary(const struct monitor *m)
{
	const struct options *o = m->options;

	if (o->verbosity == QUIET || o->serve || o->summary == SUMMARY_NEVER)
		return false;
	return o->summary == SUMMARY_ALWAYS || ((o->count || o->command || m->screen_wanted) &&
						(isatty(STDERR_FILENO) || o->output));
}

/* Returns the summary's extent: short after the screen, unless one was asked for. */
static enum summary_extent summary_extent(const struct monitor *m)
{
	return m->screen_wanted && m->options->summary == SUMMARY_AUTO ? SUMMARY_LINE
								       : SUMMARY_WHOLE;
}

void monitor_print_summary(const struct monitor *m)
{
	char processor[128];

	if (!m->summary)
		return;
	snprintf(processor, sizeof(processor), "%s%s", m->options->session.sim ? "simulated " : "",
		 machine_processor(&m->session.machine));
	messages_summary(m->summary, processor, m->ended_ns - m->started_ns, stderr,
			 common_table_size(STDERR_FILENO).ws_col);
}

/* Recording: checks of its file, and the header. */

/* Checks that the opened output may become a recording. */
static int check_recording(const struct monitor *m, struct error *err)
{
	const char *name = m->options->output;

	if (isatty(m->fd))
		return error_set(
			err, ERROR_USAGE, -EINVAL,
			"cannot write a recording to a terminal: expected a file, or a pipe to "
			"cxlmon replay -");
	const int rc = name ? output_check_empty(m->fd, name, "record", err) : 0;
	if (rc)
		return rc;
	return recording_check_size(&m->session.view.table)
		       ? error_set(err, ERROR_FAILED, -E2BIG,
				   "%s: too many rows for a recording: choose fewer events, or "
				   "--per=socket",
				   name ? name : "standard output")
		       : 0;
}

/*
 * Fills m->info, the source of the recording's header: options that the rows do not show. File
 * names and COMMAND's arguments are left out, because they may be private.
 */
static void describe_recording(struct monitor *m)
{
	const struct options *o = m->options;
	const struct view_options *view = &o->session.view;
	const struct machine *machine = &m->session.machine;
	struct recording_info *info = &m->info;

	*info = (struct recording_info){
		.program = CXLMON_VERSION,
		.processor = machine_processor(machine),
		.interval_ns = o->session.interval_ns,
		.started_ns = m->session.platform->ops->clock->wall(m->session.platform),
		.devices = machine->devices,
		.device_count = machine->device_count,
		.memory = machine->memory,
	};
	recording_add_option(info, "sim", o->session.sim ? text_last_name(o->session.sim) : NULL);
	recording_add_option(info, "metrics", view->groups);
	recording_add_option(info, "per", scope_names[view->finest]);
	recording_add_option(info, "socket", view->sockets);
	recording_add_option(info, "port", view->ports);
	recording_add_option(info, "device", view->devices);
	recording_add_option(info, "node", view->nodes);
	if (view->latency == LATENCY_ROTATE)
		recording_add_option(info, "latency", "rotate");
	if (o->session.ownership == OWNERSHIP_SHARE)
		recording_add_option(info, "share", "yes");
	for (size_t i = 0; i < o->notes.count; i++)
		recording_add_option(info, "note", o->notes.at[i]);
	if (o->host && !gethostname(m->host, sizeof(m->host) - 1))
		recording_add_option(info, "host", m->host);
	if (o->command)
		recording_add_option(info, "command", text_last_name(o->command[0]));
	job_describe(info);
}

/* Output: its file and its writer. */

#define FLUSH_NS 50000000 /* enough to write the rest unless the output's reader is blocked */
/* cxlmon-file has less than 1 s, in which a run must end */
#define ANSWER_NS (800 * UINT64_C(1000000))

static const struct format *choose_format(const struct monitor *m)
{
	if (m->screen_wanted)
		return &format_screen;
	if (m->serving)
		return &format_serving;
	return common_row_format(m->options, m->fd);
}

static bool is_own_file(const struct monitor *m)
{
	struct stat st;

	return m->options->output && !fstat(m->fd, &st) && S_ISREG(st.st_mode);
}

/*
 * Leaves the output's directory, and all that is done there, to the helper. place: a regular
 * file's.
 */
static int keep_file(struct monitor *m, const struct file_place *place, struct error *err)
{
	const struct file_process_use use = {.place = place,
					     .name = m->options->output,
					     .caller = &m->caller,
					     .replaces = m->replaces};

	/*
	 * SIGHUP comes from logrotate if there is no terminal that could hang up. A recording, or
	 * the output of explain, is of one run and remains in one file.
	 */
	m->reopens = !m->options->record && !m->options->explain && !isatty(STDIN_FILENO);
	const int rc = m->reopens || m->replaces ? file_process_start(&use, &m->file, err) : 0;
	close(place->directory);
	return rc;
}

static int open_file(struct monitor *m, const char *name, struct error *err)
{
	const bool replaced = m->options->format && m->options->format->replaces;
	struct file_place place;
	const enum output_use use = replaced		 ? OUTPUT_REPLACED
				    : m->options->append ? OUTPUT_CONTINUED
							 : OUTPUT_WRITTEN;
	const int fd = output_open(name, &m->caller, use, &place, err);

	if (fd < 0)
		return fd;
	m->replaces = replaced && place.directory >= 0;
	m->fd = m->replaces ? -1 : fd;
	return place.directory < 0 ? 0 : keep_file(m, &place, err);
}

/*
 * Leaves the right to create files in this directory to a helper, for the screen's key that saves a
 * recording or the list of processes. It is sudo's caller's right, never root's. Without the
 * helper, the key fails.
 */
void monitor_keep_directory(struct monitor *m)
{
	const time_t now = time(NULL);
	struct file_place place;
	struct tm tm;

	localtime_r(&now, &tm);
	strftime(m->recording, sizeof(m->recording), "cxlmon-%Y%m%d-%H%M%S.cxl", &tm);
	strftime(m->list, sizeof(m->list), "cxlmon-%Y%m%d-%H%M%S.csv", &tm);
	const int fd = output_open(m->recording, &m->caller, OUTPUT_REPLACED, &place, &m->why_not);

	if (fd >= 0) {
		const struct file_process_use use = {.place = &place,
						     .name = m->recording,
						     .second = m->list,
						     .caller = &m->caller,
						     .never_root = m->caller.known,
						     .interactive = true};

		if (file_process_start(&use, &m->file, &m->why_not))
			file_process_stop(&m->file);
		close(place.directory);
	}
	m->why_no_list = m->why_not;
}

/* Opens the output; monitor_prepare_output() truncates an existing file later. */
int monitor_open_output(struct monitor *m, struct error *err)
{
	const struct options *o = m->options;

	if (o->serve)
		return serving_open(&o->listen, o->session.interval_ns, &m->serving, err);
	m->fd = STDOUT_FILENO;
	const int rc = o->output ? open_file(m, o->output, err) : 0;
	if (rc)
		return rc;
	if (o->record)
		return check_recording(m, err);
	if (m->screen_wanted)
		monitor_keep_directory(m);
	if (m->screen_wanted && recording_check_size(&m->session.view.table))
		error_set(&m->why_not, ERROR_FAILED, -E2BIG, "too many rows for a recording");
	if (!o->append || !is_own_file(m))
		return 0;
	const struct sink continued = {.format = choose_format(m),
				       .table = &m->session.view.table,
				       .no_header = o->no_header};
	return append_find_end(m->fd, o->output, &continued, &m->end, err);
}

void monitor_prepare_screen(struct monitor *m, const char *processor)
{
	snprintf(m->processor, sizeof(m->processor), "%s%s",
		 m->options->session.sim ? "simulated " : "cxlmon  ", processor);
	m->screen_requests.sampler = pthread_self();
	m->screen = (struct screen_setup){
		.processor = m->processor,
		.interval_ns = m->options->session.interval_ns,
		.link_MBps = m->options->link_GBps * 1e3,
		.requests = &m->screen_requests,
		.deferred_log = &m->deferred_log,
		.tab = m->options->top.first ? TAB_PROCESSES : TAB_PORTS,
		.watcher = &m->watcher,
		.binary = m->defaults.binary,
		.saving = &m->file,
		.recording = m->recording,
		.why_not = &m->why_not,
		.list = m->list,
		.why_no_list = &m->why_no_list,
	};
}

static const char *output_name(const struct monitor *m)
{
	if (m->serving)
		return "the exposition";
	return m->options->output ? m->options->output : "standard output";
}

/* Truncates the file to nothing, or with --append to its last complete row. */
static int truncate_file(const struct monitor *m, struct error *err)
{
	const char *name = m->options->output;
	struct stat st;

	if (m->end && !fstat(m->fd, &st) && st.st_size > m->end)
		log_write(&m->log, LEVEL_WARNING,
			  "%s: the last row was incomplete, and has been removed", name);
	if (ftruncate(m->fd, m->end) || lseek(m->fd, m->end, SEEK_SET) < 0)
		return error_set(err, ERROR_FAILED, -errno, "%s: cannot be truncated: %s", name,
				 strerror(errno));
	return 0;
}

/* Returns the format's target: see struct sink. */
static void *target_of(struct monitor *m)
{
	if (m->screen_wanted)
		return &m->screen;
	return m->serving ? m->serving : m->options->target;
}

FILE *monitor_progress_terminal(const struct options *options)
{
	const bool printed_later = options->explain || options->output;

	return options->count && !options->command && printed_later
		       ? progress_terminal(options->verbosity)
		       : NULL;
}

static bool shows_progress(const struct monitor *m)
{
	return m->options->explain || !isatty(m->fd);
}

static void show_progress(struct monitor *m)
{
	const uint64_t count = m->options->count, left = count - m->taken;

	progress_show(&m->progress, left * m->options->session.interval_ns,
		      "%" PRIu64 " of %" PRIu64 " samples", m->taken, count);
}

/* Called in the writer's thread: see struct writer_setup. */
static void take_progress(void *context, const struct sample *sample)
{
	struct monitor *m = context;

	if (!sample) {
		progress_end(&m->progress);
		return;
	}
	m->taken++;
	if (m->taken < m->options->count && progress_is_due(&m->progress, sample->at_ns))
		show_progress(m);
}

static struct writer_setup setup_of(struct monitor *m)
{
	const char *name = m->options->output;
	const bool real = !m->session.platform->virtual_clock;
	struct stat st;

	return (struct writer_setup){
		.sink = {.format = choose_format(m),
			 .no_header = m->options->no_header,
			 .fd = m->fd,
			 .path = name,
			 .target = target_of(m),
			 .info = &m->info},
		.name = output_name(m),
		.own_file = name && !m->replaces,
		.replaced = m->replaces ? &m->file : NULL,
		.reopened = m->reopens && !m->replaces ? &m->file : NULL,
		.continued = m->end > 0,
		.device = !fstat(m->fd, &st) && S_ISCHR(st.st_mode),
		.view = &m->session.view,
		.summary = m->summary,
		.taken = shows_progress(m) ? take_progress : NULL,
		.context = m,
		.plan = &m->session.plan,
		.interval_ns = real ? m->options->session.interval_ns : 0,
		.frame_ns = real ? poller_frame_interval(m->session.poller) : 0,
		.log = &m->log,
	};
}

/* Reports columns that the table leaves out. Returns -ENOMEM or 0. */
static int report_left_out(const struct monitor *m)
{
	const struct view *view = &m->session.view;
	bool *shown = calloc(view->table.column_count + 1, sizeof(*shown));

	if (!shown)
		return -ENOMEM;
	out_table_fit(&view->table, isatty(m->fd) ? terminal_size(m->fd).ws_col : INT_MAX, shown);
	diagnostics_report_left_out(&m->log, view, shown);
	free(shown);
	return 0;
}

int monitor_prepare_output(struct monitor *m, struct error *err)
{
	int rc = 0;

	if (wants_summary(m) && summary_new(&m->session.view.table, summary_extent(m), &m->summary))
		return error_no_memory(err);
	const struct writer_setup setup = setup_of(m);
	describe_recording(m);
	if (m->screen_wanted)
		monitor_prepare_screen(m, machine_processor(&m->session.machine));
	if (setup.sink.format == &format_table && report_left_out(m))
		return error_no_memory(err);
	if (is_own_file(m))
		rc = truncate_file(m, err);
	return rc ? rc : writer_new(&setup, &m->writer, err);
}

int monitor_begin_output(struct monitor *m, struct error *err)
{
	int rc = m->serving ? serving_start(m->serving, m->session.run_dir, &m->log, err) : 0;

	if (rc)
		return rc;
	if (m->options->record)
		log_write(&m->log, LEVEL_NOTE, "recording to %s", output_name(m));
	if (shows_progress(m))
		show_progress(m);
	rc = writer_start(m->writer, err);
	if (rc) {
		m->writer = NULL;
		return rc;
	}
	m->writing = true;
	/* first frame, where counting begins */
	writer_push(m->writer, poller_frame(m->session.poller));
	return 0;
}

void monitor_end_by(struct monitor *m, int signal_number)
{
	m->ended_by = signal_number;
	m->samples_when_ended = m->samples;
}

bool monitor_signal_is_benign(const struct monitor *m, int signal_number)
{
	return signal_number == SIGCHLD || signal_number == SIGNAL_KICK ||
	       (signal_number == SIGHUP && m->reopens) ||
	       command_survives(&m->command, signal_number, m->ended_by);
}

/*
 * Waits for a signal that ends the run, or for SIGNAL_KICK, after which the writer is to be
 * checked. Returns 0 if FLUSH_NS have passed after a signal had already ended the run.
 */
static int next_signal(const struct monitor *m, bool draining)
{
	const struct timespec flush = {.tv_nsec = FLUSH_NS};
	int signal_number;

	if (m->ended_by && !draining)
		signal_number = sigtimedwait(&m->signals.wake, NULL, &flush);
	else
		signal_number = sigwaitinfo(&m->signals.wake, NULL);
	if (signal_number < 0)
		return errno == EAGAIN ? 0 : SIGNAL_KICK;
	return monitor_signal_is_benign(m, signal_number) ? SIGNAL_KICK : signal_number;
}

/*
 * Waits for the writer to finish. If it does not finish within FLUSH_NS after the first signal, it
 * must write without blocking: not at once, because O_NONBLOCK affects others who share the
 * terminal or pipe. If cxlmon-file is stopped, it must do so at once, as it would wait for ever.
 * After the second signal it must stop.
 */
static void wait_for_writer(struct monitor *m)
{
	bool draining = false;

	while (!writer_ended(m->writer)) {
		const bool stopped = !draining && m->file.pid && process_is_stopped(m->file.pid);
		const int signal_number = stopped ? 0 : next_signal(m, draining);

		if (signal_number == SIGNAL_KICK)
			continue;
		if (signal_number && !m->ended_by) {
			monitor_end_by(m, signal_number);
			continue;
		}
		if (!draining) {
			writer_drain(m->writer);
			file_process_limit(&m->file, ANSWER_NS);
		}
		draining = true;
		m->second_signal = signal_number != 0;
		if (m->second_signal) {
			writer_abort(m->writer);
			file_process_limit(&m->file, 0);
		}
	}
}

int monitor_finish_output(struct monitor *m, struct error *err)
{
	struct error failure;
	int rc;

	if (!m->writing) {
		if (m->writer)
			writer_free(m->writer);
		m->writer = NULL;
		return 0;
	}
	m->writing = false;
	writer_close(m->writer);
	wait_for_writer(m);
	m->lost_readings = writer_lost_readings(m->writer);
	m->fd = writer_fd(m->writer);
	rc = writer_join(m->writer, &failure);
	progress_end(&m->progress);
	deferred_log_flush(&m->deferred_log);
	m->writer = NULL;
	if (rc == -EPIPE) {
		/* the output's reader is gone: ends the run as SIGPIPE would have */
		if (!m->ended_by)
			m->ended_by = SIGPIPE;
		return 0;
	}
	if (rc == -EAGAIN || (rc == -ETIME && m->ended_by)) {
		/* -EAGAIN happens only after a signal has ended the run */
		log_write(&m->log, LEVEL_WARNING, "%s", failure.text);
		return 0;
	}
	return rc ? error_set(err, failure.kind, rc, "%s", failure.text) : 0;
}
