/* SPDX-License-Identifier: BSD-3-Clause */
/* The sampling loop. Per sample: register accesses and one sleep, and nothing else that waits. */
#include <errno.h>
#include <stdio.h>

#include "cli/monitor_internal.h"

#define QUEUE_WAIT_NS 1000000 /* with a virtual clock, until a full queue is checked again */

void monitor_end_by(struct monitor *m, int signal_number)
{
	m->ended_by = signal_number;
	m->samples_when_ended = m->samples;
}

/* What was asked for by keys of the screen. Returns whether to quit. */
static bool handle_requests(struct monitor *m)
{
	const uint64_t interval_ns = mailbox_take_interval(&m->mailbox);

	if (interval_ns) {
		poller_set_interval(m->session.poller, interval_ns);
		if (!m->session.platform->virtual_clock)
			writer_set_interval(m->writer, interval_ns);
	}
	return mailbox_wants_quit(&m->mailbox);
}

/* Handles a signal; returns whether it ends the run. */
static bool handle_signal(struct monitor *m, int signal_number)
{
	if (signal_number == SIGCHLD)
		return command_poll(&m->command);
	if (signal_number == SIGNAL_NUDGE)
		return handle_requests(m) || writer_ended(m->writer) ||
		       serving_broken(m->serving, NULL);
	monitor_end_by(m, signal_number);
	return true;
}

/* Sleeps until the deadline, or until something ends the run early: then *done is true. */
static int wait_for_deadline(struct monitor *m, bool *done, struct error *err)
{
	for (;;) {
		int signal_number = 0;
		int rc = poller_wait(m->session.poller, &m->signals.wake, &signal_number, err);

		if (rc != -EINTR)
			return rc;
		*done = handle_signal(m, signal_number);
		if (*done)
			return 0;
	}
}

static void wait_for_queue(struct monitor *m, bool *done)
{
	const struct timespec time = {.tv_nsec = QUEUE_WAIT_NS};
	const int signal_number = sigtimedwait(&m->signals.wake, NULL, &time);

	if (signal_number > 0)
		*done = handle_signal(m, signal_number);
}

/* False: the queue is full, and the sample is merged into the next. A virtual clock waits instead.
 */
static bool queue_sample(struct monitor *m, const struct reading *reading, bool *done)
{
	const uint64_t count = m->options->count;

	while (!*done && m->samples + 1 != count) {
		if (writer_offer(m->writer, reading))
			return true;
		if (!m->session.platform->virtual_clock) {
			poller_postpone(m->session.poller, &reading->sample);
			writer_count_postponed(m->writer);
			return false;
		}
		wait_for_queue(m, done);
	}
	writer_offer_last(m->writer, reading);
	return true;
}

static int take_sample(struct monitor *m, bool *done, struct error *err)
{
	struct error failure;
	struct reading reading;
	const struct sample *sample = &reading.sample;
	char warning[sizeof(failure.text) + 64];
	int rc = poller_read(m->session.poller, &reading, &failure, err);

	if (rc)
		return rc;
	if (failure.code && !m->warned) {
		m->warned = true;
		snprintf(warning, sizeof(warning), "%s; its values are empty until it can be read",
			 failure.text);
		writer_warn(m->writer, warning);
	}
	if (!queue_sample(m, &reading, done))
		return 0;
	m->samples++;
	m->missed += sample->missed;
	m->frozen_ns += sample->frozen_ns;
	m->failed_reads += sample->lost_units;
	return 0;
}

int monitor_sample(struct monitor *m, struct error *err)
{
	const struct options *o = m->options;
	bool done = false;
	int rc = 0;

	while (!rc && !done && (!o->count || m->samples < o->count)) {
		rc = wait_for_deadline(m, &done, err);
		if (rc || writer_ended(m->writer))
			break;
		if (m->ended_by == SIGINT)
			writer_break_line(m->writer); /* a terminal has echoed ^C */
		rc = take_sample(m, &done, err);
	}
	return !rc && serving_broken(m->serving, err) ? -EIO : rc;
}
