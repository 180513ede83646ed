/* SPDX-License-Identifier: BSD-3-Clause */
/* Screen of processes, without samples, on a machine whose ports cannot be counted. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "cli/common.h"
#include "cli/monitor.h"
#include "linux/rights/rights.h"

/* Display state: does the writer's work, and waits only for keys and processes. */
struct display {
	struct sink sink;
	struct row row;
	struct table table; /* has neither rows nor columns */
	char *bytes;
	size_t size;
	int signals_fd; /* -1: none */
};

static int flush_display(struct display *d, struct error *err)
{
	size_t written = 0;

	if (fflush(d->sink.out))
		return error_no_memory(err);
	while (written < d->size) {
		const ssize_t n = write(d->sink.fd, d->bytes + written, d->size - written);

		if (n < 0 && errno != EINTR)
			return output_cannot_write("standard output", -errno, err);
		written += n > 0 ? (size_t)n : 0;
	}
	rewind(d->sink.out);
	return 0;
}

static int handle_input(struct display *d, struct error *err)
{
	const struct format *format = d->sink.format;
	const enum input_result then = format->handle_input(&d->sink);
	int rc = then == INPUT_NO_MEMORY ? error_no_memory(err) : flush_display(d, err);

	if (rc || then != INPUT_SUSPEND)
		return rc;
	format->suspend(&d->sink);
	return flush_display(d, err);
}

/* Waits for input. Returns the signal that ends the run, or 0. */
static int wait_for_input(const struct monitor *m, const struct display *d)
{
	struct pollfd fds[SINK_INPUTS + 1];
	struct signalfd_siginfo info;

	for (size_t i = 0; i < SINK_INPUTS; i++)
		fds[i] = (struct pollfd){.fd = d->sink.inputs[i], .events = POLLIN};
	fds[SINK_INPUTS] = (struct pollfd){.fd = d->signals_fd, .events = POLLIN};
	poll(fds, SINK_INPUTS + 1, -1);
	while (read(d->signals_fd, &info, sizeof(info)) == sizeof(info))
		if (!monitor_signal_is_benign(m, (int)info.ssi_signo))
			return (int)info.ssi_signo;
	return 0;
}

static int run_display(struct monitor *m, struct display *d, struct error *err)
{
	int signal_number = 0, rc = 0;

	while (!rc && !signal_number && !atomic_load(&m->screen_requests.quit)) {
		rc = handle_input(d, err);
		m->samples++; /* the screen was shown */
		if (!rc && !atomic_load(&m->screen_requests.quit))
			signal_number = wait_for_input(m, d);
	}
	if (signal_number)
		monitor_end_by(m, signal_number);
	if (rc)
		return rc;
	d->sink.format->finish(&d->sink);
	return flush_display(d, err);
}

static int begin_display(struct monitor *m, struct display *d, struct error *err)
{
	const struct rights_use use = {.role = RIGHTS_MONITOR,
				       .caller = m->caller,
				       .receives = m->file.pid,
				       .root = m->options->session.root};
	int rc;

	signals_block(&m->signals);
	tzset(); /* /etc/localtime may still be read */
	d->signals_fd = signalfd(-1, &m->signals.wake, SFD_CLOEXEC | SFD_NONBLOCK);
	d->sink.out = open_memstream(&d->bytes, &d->size);
	if (d->signals_fd < 0 || !d->sink.out)
		return error_no_memory(err);
	rc = rights_drop(&use, &m->log, err);
	if (rc)
		return rc;
	rc = d->sink.format->begin(&d->sink);
	if (rc)
		return error_set(err, ERROR_FAILED, rc, "cannot start the screen: %s",
				 strerror(-rc));
	rc = rights_restrict_files(&use, &m->log, err);
	return rc ? rc : rights_filter(&use, &m->log, err);
}

int monitor_show_processes(struct monitor *m, const struct error *why, struct error *err)
{
	struct display d = {.row = row_unknown, .signals_fd = -1};
	int rc = common_check_nodes(m->options, &m->options->top.choice, err);

	if (rc)
		return rc;
	d.table = (struct table){.model = "unknown", .rows = &d.row};
	monitor_prepare_screen(m, "processes");
	m->screen.no_ports = why;
	monitor_keep_directory(m);
	error_set(&m->why_not, ERROR_FAILED, -ENODATA,
		  "nothing is saved: a recording holds counts of ports, not processes");
	m->info = (struct recording_info){.program = CXLMON_VERSION,
					  .processor = "unknown",
					  .interval_ns = m->options->session.interval_ns};
	d.sink = (struct sink){.format = &format_screen,
			       .info = &m->info,
			       .fd = STDOUT_FILENO,
			       .terminal = true,
			       .table = &d.table,
			       .target = &m->screen,
			       .inputs = {-1, -1, -1}};
	rc = begin_display(m, &d, err);
	if (!rc)
		rc = run_display(m, &d, err);
	if (d.sink.state)
		d.sink.format->end(&d.sink);
	deferred_log_flush(&m->deferred_log);
	if (d.sink.out)
		fclose(d.sink.out);
	free(d.bytes);
	if (d.signals_fd >= 0)
		close(d.signals_fd);
	return rc;
}
