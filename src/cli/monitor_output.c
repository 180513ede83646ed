/* SPDX-License-Identifier: BSD-3-Clause */
/* Where samples go: the file, and the writer's beginning and end. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/monitor_parts.h"
#include "output/output_file.h"

#define SHORTLY_NS 50000000 /* in which a writer ends whose reader reads */

/* An existing file is emptied only when there is something to write. */
int monitor_open_output(struct monitor *m, struct error *err)
{
	const char *name = m->options->output;

	if (m->options->listen)
		return serving_open(m->options->listen, m->options->interval_ns, &m->serving, err);
	m->fd = STDOUT_FILENO;
	if (name)
		m->fd = output_open(name, &m->caller, err);
	if (m->fd < 0)
		return m->fd;
	return m->options->record ? monitor_check_recording(m, err) : 0;
}

static const struct format *choose_format(const struct monitor *m)
{
	if (m->live)
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
	m->mailbox.owner = pthread_self();
	m->screen = (struct screen_setup){
		.processor = m->processor,
		.interval_ns = m->options->interval_ns,
		.link_MBps = m->options->link_MBps,
		.mailbox = &m->mailbox,
		.held = &m->held,
	};
}

int monitor_begin_output(struct monitor *m, struct error *err)
{
	const char *name = m->options->output;
	const struct format *format = choose_format(m);
	struct stat st;
	const bool file = name && !fstat(m->fd, &st) && S_ISREG(st.st_mode);
	const bool replaces = file && format->replaces;
	const struct writer_setup setup = {
		.fd = m->fd,
		.name = name	     ? name
			: m->serving ? "the exposition"
				     : "standard output",
		.path = name,
		.own_file = name && !replaces,
		.replaces = replaces,
		.format = format,
		.target = m->live ? (void *)&m->screen : m->serving,
		.view = &m->session.view,
		.about = &m->about,
		.plan = &m->session.plan,
		.interval_ns = m->session.platform->virtual_clock ? 0 : m->options->interval_ns,
		.log = &m->log,
	};

	if (m->options->record)
		monitor_describe_recording(m);
	if (m->live)
		prepare_screen(m);
	if (file && !replaces && ftruncate(m->fd, 0))
		return error_set(err, EXIT_FAILED, -errno, "%s: can't be emptied: %s", name,
				 strerror(errno));
	const int rc = m->serving ? serving_start(m->serving, &m->log, err) : 0;
	return rc ? rc : writer_start(&setup, &m->writer, err);
}

/*
 * A signal that would end the run, or a nudge to look at the writer; 0: the run has been ended, and
 * nothing has come for SHORTLY_NS.
 */
static int next_signal(const struct monitor *m, bool hurried)
{
	const struct timespec shortly = {.tv_nsec = SHORTLY_NS};
	int signal_number;

	if (m->ended_by && !hurried)
		signal_number = sigtimedwait(&m->signals.wake, NULL, &shortly);
	else
		signal_number = sigwaitinfo(&m->signals.wake, NULL);
	if (signal_number < 0)
		return errno == EAGAIN ? 0 : SIGNAL_KICK;
	return signal_number == SIGCHLD ? SIGNAL_KICK : signal_number;
}

/*
 * The first signal hurries the reader, the second doesn't wait for it at all. Hurrying changes how
 * others write to the same terminal or pipe, so that it is left for readers that don't read.
 */
static void wait_for_writer(struct monitor *m)
{
	bool hurried = false;

	while (!writer_ended(m->writer)) {
		const int signal_number = next_signal(m, hurried);

		if (signal_number == SIGNAL_KICK)
			continue;
		if (signal_number && !m->ended_by) {
			monitor_end_by(m, signal_number);
			continue;
		}
		if (!hurried)
			writer_hurry(m->writer);
		hurried = true;
		m->hurried = signal_number != 0;
		if (m->hurried)
			writer_give_up(m->writer);
	}
}

int monitor_finish_output(struct monitor *m, struct error *err)
{
	struct error why;
	int rc;

	if (!m->writer)
		return 0;
	writer_close(m->writer);
	wait_for_writer(m);
	m->postponed = writer_postponed(m->writer);
	rc = writer_join(m->writer, &why);
	held_release(&m->held);
	m->writer = NULL;
	if (rc == -EPIPE) {
		/* a reader that goes away ends the run as SIGPIPE would have */
		if (!m->ended_by)
			m->ended_by = SIGPIPE;
		return 0;
	}
	if (rc == -EAGAIN) {
		/* the signal has ended the run, and this comes of it */
		log_write(&m->log, LEVEL_WARNING, "%s", why.text);
		return 0;
	}
	return rc ? error_set(err, why.status, rc, "%s", why.text) : 0;
}
