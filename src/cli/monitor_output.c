/* SPDX-License-Identifier: BSD-3-Clause */
/* Where samples go: the file, and the writer's beginning and end. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/monitor_parts.h"

/* An existing file is emptied only when there is something to write. */
int monitor_open_output(struct monitor *m, struct error *err)
{
	const char *name = m->options->output;

	m->fd = STDOUT_FILENO;
	if (name)
		m->fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	return m->fd < 0 ? error_set(err, EXIT_FAILED, -errno, "%s: can't be written: %s", name,
				     strerror(errno))
			 : 0;
}

static const struct format *choose_format(const struct monitor *m)
{
	if (m->options->format)
		return m->options->format;
	return isatty(m->fd) ? &format_table : &format_csv;
}

int monitor_begin_output(struct monitor *m, struct error *err)
{
	const char *name = m->options->output;
	const struct writer_setup setup = {
		.fd = m->fd,
		.name = name ? name : "standard output",
		.own_file = name != NULL,
		.format = choose_format(m),
		.view = &m->view,
		.counts = m->plan.slot_count,
		.interval_ns = m->platform->virtual_clock ? 0 : m->options->interval_ns,
		.log = &m->log,
	};
	struct stat st;

	if (name && !fstat(m->fd, &st) && S_ISREG(st.st_mode) && ftruncate(m->fd, 0))
		return error_set(err, EXIT_FAILED, -errno, "%s: can't be emptied: %s", name,
				 strerror(errno));
	return writer_start(&setup, &m->writer, err);
}

/* The first signal hurries the reader, the second doesn't wait for it at all. */
static void wait_for_writer(struct monitor *m)
{
	if (m->ended_by)
		writer_hurry(m->writer);
	while (!writer_ended(m->writer)) {
		const int signal_number = sigwaitinfo(&m->signals.wake, NULL);

		if (signal_number <= 0 || signal_number == SIGCHLD || signal_number == SIGNAL_NUDGE)
			continue;
		if (m->ended_by) {
			m->hurried = true;
			writer_give_up(m->writer);
		} else {
			monitor_end_by(m, signal_number);
			writer_hurry(m->writer);
		}
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
