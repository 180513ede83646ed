/* SPDX-License-Identifier: BSD-3-Clause */
/* The output: opens its file, starts the writer, and waits for it at the end. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/monitor_private.h"
#include "linux/rights.h"
#include "output/output_file.h"

#define FLUSH_NS 50000000 /* enough to write the rest where the output's reader is not blocked */

static int try_replacing(const void *context)
{
	return replace_try(context);
}

/* Also tries whether the file can still be replaced once the rights are given up. */
static int open_replaced(struct monitor *m, const char *name, struct error *err)
{
	const int fd = output_open_replaced(name, &m->caller, &m->replaced, err);

	if (m->replaced.directory < 0)
		return fd;
	const int rc = rights_try(try_replacing, &m->replaced, err);
	if (!rc)
		return fd;
	close(fd);
	return error_set(err, EXIT_FAILED, rc,
			 "%s: cannot be replaced: %s; cxlmon gives up root's rights during a run, "
			 "and then can only replace files in a directory of root's",
			 name, strerror(-rc));
}

/* An existing file is truncated later, by monitor_begin_output(). */
int monitor_open_output(struct monitor *m, struct error *err)
{
	const char *name = m->options->output;

	if (m->options->listen)
		return serving_open(m->options->listen, m->options->interval_ns, &m->serving, err);
	m->fd = STDOUT_FILENO;
	if (name && m->options->format && m->options->format->replaces)
		m->fd = open_replaced(m, name, err);
	else if (name)
		m->fd = output_open(name, &m->caller, err);
	if (m->fd < 0)
		return m->fd;
	return m->options->record ? monitor_check_recording(m, err) : 0;
}

static const struct format *choose_format(const struct monitor *m)
{
	if (m->screen_wanted)
		return &format_screen;
	if (m->serving)
		return &format_serving;
	if (m->options->format)
		return m->options->format;
	return isatty(m->fd) ? &format_table : &format_csv;
}

static void prepare_screen(struct monitor *m)
{
	snprintf(m->processor, sizeof(m->processor), "%s%s",
		 m->options->sim ? "simulated " : "cxlmon  ", m->session.machine.model->name);
	m->screen_requests.sampler = pthread_self();
	m->screen = (struct screen_setup){
		.processor = m->processor,
		.interval_ns = m->options->interval_ns,
		.link_MBps = m->options->link_MBps,
		.requests = &m->screen_requests,
		.deferred_log = &m->deferred_log,
	};
}

static bool is_own_file(const struct monitor *m)
{
	struct stat st;

	return m->options->output && !fstat(m->fd, &st) && S_ISREG(st.st_mode);
}

bool monitor_replaces_output(const struct monitor *m)
{
	return m->replaced.directory >= 0;
}

int monitor_prepare_output(struct monitor *m, struct error *err)
{
	const char *name = m->options->output;
	struct stat st = {.st_mode = 0};
	const bool known = !fstat(m->fd, &st);
	const bool real = !m->session.platform->virtual_clock;
	const int rc = monitor_begin_summary(m, err);
	const struct writer_setup setup = {
		.fd = m->fd,
		.name = name	     ? name
			: m->serving ? "the exposition"
				     : "standard output",
		.path = name,
		.own_file = name && m->replaced.directory < 0,
		.replaced = m->replaced.directory < 0 ? NULL : &m->replaced,
		.device = known && S_ISCHR(st.st_mode),
		.format = choose_format(m),
		.target = m->screen_wanted ? (void *)&m->screen : m->serving,
		.view = &m->session.view,
		.about = &m->about,
		.summary = m->summary,
		.plan = &m->session.plan,
		.interval_ns = real ? m->options->interval_ns : 0,
		.frame_ns = real ? poller_frame_interval(m->session.poller) : 0,
		.log = &m->log,
	};

	if (rc)
		return rc;
	if (m->options->record)
		monitor_describe_recording(m);
	if (m->screen_wanted)
		prepare_screen(m);
	if (is_own_file(m) && ftruncate(m->fd, 0))
		return error_set(err, EXIT_FAILED, -errno, "%s: can't be truncated: %s", name,
				 strerror(errno));
	return writer_new(&setup, &m->writer, err);
}

int monitor_begin_output(struct monitor *m, struct error *err)
{
	int rc = m->serving ? serving_start(m->serving, &m->log, err) : 0;

	if (rc)
		return rc;
	rc = writer_start(m->writer, err);
	if (rc) {
		m->writer = NULL;
		return rc;
	}
	m->writing = true;
	/* where counting begins */
	writer_push(m->writer, poller_frame(m->session.poller));
	return 0;
}

/*
 * Waits for a signal that ends the run, or SIGNAL_KICK, after which to check the writer. 0: the
 * run was already ended by a signal, and FLUSH_NS have passed.
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
	return signal_number == SIGCHLD ? SIGNAL_KICK : signal_number;
}

/*
 * After the first signal, a writer that doesn't finish within FLUSH_NS is told to write without
 * blocking (not at once, since O_NONBLOCK affects others who share the terminal or pipe); after the
 * second, to stop.
 */
static void wait_for_writer(struct monitor *m)
{
	bool draining = false;

	while (!writer_ended(m->writer)) {
		const int signal_number = next_signal(m, draining);

		if (signal_number == SIGNAL_KICK)
			continue;
		if (signal_number && !m->ended_by) {
			monitor_end_by(m, signal_number);
			continue;
		}
		if (!draining)
			writer_drain(m->writer);
		draining = true;
		m->second_signal = signal_number != 0;
		if (m->second_signal)
			writer_abort(m->writer);
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
	m->failed_reads = writer_failed_reads(m->writer);
	rc = writer_join(m->writer, &failure);
	deferred_log_flush(&m->deferred_log);
	m->writer = NULL;
	if (rc == -EPIPE) {
		/* the output's reader is gone: ends the run as SIGPIPE would have */
		if (!m->ended_by)
			m->ended_by = SIGPIPE;
		return 0;
	}
	if (rc == -EAGAIN) {
		/* only because a signal has ended the run */
		log_write(&m->log, LEVEL_WARNING, "%s", failure.text);
		return 0;
	}
	return rc ? error_set(err, failure.status, rc, "%s", failure.text) : 0;
}
