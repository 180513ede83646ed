/* SPDX-License-Identifier: BSD-3-Clause */
/* The sampling loop. Per sample: register accesses and one sleep, and nothing else that waits. */
#include <errno.h>

#include "cli/monitor_private.h"

#define QUEUE_WAIT_NS 1000000 /* with a virtual clock, until a full queue is checked again */

void monitor_end_by(struct monitor *m, int signal_number)
{
	m->ended_by = signal_number;
	m->samples_when_ended = m->samples;
}

bool monitor_goes_on_after(const struct monitor *m, int signal_number)
{
	return signal_number == SIGCHLD || signal_number == SIGNAL_KICK ||
	       (signal_number == SIGHUP && m->reopens);
}

/* What was asked for by keys of the screen. Returns whether to quit. */
static bool handle_requests(struct monitor *m)
{
	const uint64_t interval_ns = screen_requests_take_interval(&m->screen_requests);

	if (interval_ns) {
		poller_set_interval(m->session.poller, interval_ns);
		if (!m->session.platform->virtual_clock)
			writer_set_interval(m->writer, interval_ns,
					    poller_frame_interval(m->session.poller));
	}
	return screen_requests_quit(&m->screen_requests);
}

/* Handles a signal; returns whether it ends the run. */
static bool handle_signal(struct monitor *m, int signal_number)
{
	if (signal_number == SIGCHLD)
		return command_poll(&m->command) || serving_failed(m->serving, NULL);
	if (signal_number == SIGNAL_KICK)
		return handle_requests(m) || writer_ended(m->writer);
	if (monitor_goes_on_after(m, signal_number)) {
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
			*due = READ_SAMPLE; /* what was counted until now */
			return 0;
		}
	}
}

/* Whether the writer has room for a frame. Where the clock is virtual, there is time to wait. */
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

static int take_last_sample(struct monitor *m, struct error *err)
{
	int rc = poller_read(m->session.poller, READ_SAMPLE, err);

	if (rc)
		return rc;
	writer_push_last(m->writer, poller_frame(m->session.poller));
	m->samples++;
	return 0;
}

static int take_frame(struct monitor *m, enum read_reason reason, struct error *err)
{
	int rc = poller_read(m->session.poller, reason, err);

	if (rc)
		return rc;
	writer_push(m->writer, poller_frame(m->session.poller));
	m->samples += reason == READ_SAMPLE;
	return 0;
}

int monitor_sample(struct monitor *m, struct error *err)
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
		if (done || (due == READ_SAMPLE && m->samples + 1 == count))
			rc = take_last_sample(m, err);
		else if (find_room(m, &done))
			rc = take_frame(m, due, err);
		else if (done)
			rc = take_last_sample(m, err);
		else
			poller_skip(m->session.poller, due);
	}
	return !rc && serving_failed(m->serving, err) ? -EIO : rc;
}
