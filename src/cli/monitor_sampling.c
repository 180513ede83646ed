/* SPDX-License-Identifier: BSD-3-Clause */
/* The thread that samples: register accesses and one sleep a sample, and nothing that waits. */
#include <errno.h>

#include "cli/monitor_parts.h"

#define ROOM_NS 1000000 /* after which the writer of a virtual clock's samples has made room */

void monitor_end_by(struct monitor *m, int signal_number)
{
	m->ended_by = signal_number;
	m->samples_when_ended = m->samples;
}

/* What the user of a screen wants. Returns whether that is to end. */
static bool take_orders(struct monitor *m)
{
	const uint64_t interval_ns = mailbox_take_interval(&m->mailbox);

	if (interval_ns) {
		poller_set_interval(m->session.poller, interval_ns);
		if (!m->session.platform->virtual_clock)
			writer_set_interval(m->writer, interval_ns,
					    poller_frame_interval(m->session.poller));
	}
	return mailbox_wants_quit(&m->mailbox);
}

/* Whether a signal that was taken ends the run. */
static bool ends(struct monitor *m, int signal_number)
{
	if (signal_number == SIGCHLD)
		return command_poll(&m->command);
	if (signal_number == SIGNAL_NUDGE)
		return take_orders(m) || writer_ended(m->writer) ||
		       serving_broken(m->serving, NULL);
	monitor_end_by(m, signal_number);
	return true;
}

/* Sleeps until a reading is due, or until something ends the run early: then *over is true. */
static int wait_for_reading(struct monitor *m, enum read_reason *due, bool *over, struct error *err)
{
	for (;;) {
		int signal_number = 0;
		int rc = poller_wait(m->session.poller, &m->signals.wake, &signal_number, due, err);

		if (rc != -EINTR)
			return rc;
		*over = ends(m, signal_number);
		if (*over) {
			*due = READ_SAMPLE; /* what was counted until now */
			return 0;
		}
	}
}

/* Whether the writer has room for a frame. Where the clock is virtual, there is time to wait. */
static bool find_room(struct monitor *m, bool *over)
{
	const struct timespec time = {.tv_nsec = ROOM_NS};

	while (!writer_has_room(m->writer)) {
		if (*over || !m->session.platform->virtual_clock)
			return false;
		const int signal_number = sigtimedwait(&m->signals.wake, NULL, &time);
		if (signal_number > 0)
			*over = ends(m, signal_number);
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
	bool over = false;
	int rc = 0;

	while (!rc && !over && (!count || m->samples < count)) {
		rc = wait_for_reading(m, &due, &over, err);
		if (rc || writer_ended(m->writer))
			break;
		if (m->ended_by == SIGINT)
			writer_break_line(m->writer); /* a terminal has echoed ^C */
		if (over || (due == READ_SAMPLE && m->samples + 1 == count))
			rc = take_last_sample(m, err);
		else if (find_room(m, &over))
			rc = take_frame(m, due, err);
		else if (over)
			rc = take_last_sample(m, err);
		else
			poller_skip(m->session.poller, due);
	}
	return !rc && serving_broken(m->serving, err) ? -EIO : rc;
}
