/* SPDX-License-Identifier: BSD-3-Clause */
/* The thread that samples: register accesses and one sleep a sample, and nothing that waits. */
#include <errno.h>
#include <stdio.h>

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
			writer_set_interval(m->writer, interval_ns);
	}
	return mailbox_wants_quit(&m->mailbox);
}

/* Whether a signal that was taken ends the run. */
static bool ends(struct monitor *m, int signal_number)
{
	if (signal_number == SIGCHLD)
		return command_poll(&m->command);
	if (signal_number == SIGNAL_KICK)
		return take_orders(m) || writer_ended(m->writer) ||
		       serving_broken(m->serving, NULL);
	monitor_end_by(m, signal_number);
	return true;
}

/* Sleeps until the deadline, or until something ends the run early: then *over is true. */
static int wait_for_deadline(struct monitor *m, bool *over, struct error *err)
{
	for (;;) {
		int signal_number = 0;
		int rc = poller_wait(m->session.poller, &m->signals.wake, &signal_number, err);

		if (rc != -EINTR)
			return rc;
		*over = ends(m, signal_number);
		if (*over)
			return 0;
	}
}

static void wait_for_room(struct monitor *m, bool *over)
{
	const struct timespec time = {.tv_nsec = ROOM_NS};
	const int signal_number = sigtimedwait(&m->signals.wake, NULL, &time);

	if (signal_number > 0)
		*over = ends(m, signal_number);
}

/* False where it was postponed. A virtual clock has time to wait. */
static bool hand_over(struct monitor *m, const struct reading *reading, bool *over)
{
	const uint64_t count = m->options->count;

	while (!*over && m->samples + 1 != count) {
		if (writer_offer(m->writer, reading))
			return true;
		if (!m->session.platform->virtual_clock) {
			poller_postpone(m->session.poller, &reading->sample);
			writer_count_postponed(m->writer);
			return false;
		}
		wait_for_room(m, over);
	}
	writer_offer_last(m->writer, reading);
	return true;
}

static int take_sample(struct monitor *m, bool *over, struct error *err)
{
	struct error trouble;
	struct reading reading;
	const struct sample *sample = &reading.sample;
	char warning[sizeof(trouble.text) + 64];
	int rc = poller_read(m->session.poller, &reading, &trouble, err);

	if (rc)
		return rc;
	if (trouble.code && !m->trouble_said) {
		m->trouble_said = true;
		snprintf(warning, sizeof(warning), "%s; its values are empty until it can be read",
			 trouble.text);
		writer_warn(m->writer, warning);
	}
	if (!hand_over(m, &reading, over))
		return 0;
	m->samples++;
	m->missed += sample->missed;
	m->frozen_ns += sample->frozen_ns;
	m->lost_units += sample->lost_units;
	return 0;
}

int monitor_sample(struct monitor *m, struct error *err)
{
	const struct options *o = m->options;
	bool over = false;
	int rc = 0;

	while (!rc && !over && (!o->count || m->samples < o->count)) {
		rc = wait_for_deadline(m, &over, err);
		if (rc || writer_ended(m->writer))
			break;
		if (m->ended_by == SIGINT)
			writer_break_line(m->writer); /* a terminal has echoed ^C */
		rc = take_sample(m, &over, err);
	}
	return !rc && serving_broken(m->serving, err) ? -EIO : rc;
}
