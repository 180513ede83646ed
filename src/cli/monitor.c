/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/monitor.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>

#include "cli/messages.h"
#include "cli/monitor_parts.h"
#include "linux/clock.h"
#include "linux/rights.h"

/*
 * COMMAND is waited for, however the sampling ended: its status is the one to exit with, and nobody
 * else would miss it. What ended cxlmon is passed on; a second signal ends the wait.
 */
static void wait_for_command(struct monitor *m)
{
	const bool passed_on = m->ended_by && m->ended_by != SIGPIPE;

	if (passed_on)
		command_pass_on(&m->command, m->ended_by);
	while (m->command.pid && !m->hurried && !command_poll(&m->command)) {
		int signal_number = sigwaitinfo(&m->signals.wake, NULL);

		if (signal_number <= 0 || signal_number == SIGCHLD || signal_number == SIGNAL_KICK)
			continue;
		if (passed_on)
			return;
		monitor_end_by(m, signal_number);
		wait_for_command(m);
		return;
	}
}

/* The first failure is what the run ends with; what else fails is said, too. */
static int keep_first(const struct monitor *m, int first, int rc, const struct error *why,
		      struct error *err)
{
	if (rc && first)
		log_write(&m->log, LEVEL_WARNING, "%s", why->text);
	else if (rc)
		*err = *why;
	return first ? first : rc;
}

/* Puts everything back before anything else: what is left to be written may take long. */
static int end(struct monitor *m, int rc, struct error *err)
{
	struct error why = {0};

	serving_ending(m->serving);
	rc = keep_first(m, rc, session_stop(&m->session, &why), &why, err);
	rc = keep_first(m, rc, monitor_finish_output(m, &why), &why, err);
	serving_stop(m->serving);
	wait_for_command(m);
	return rc;
}

static int run(struct monitor *m, struct error *err)
{
	signals_block(&m->signals);
	poller_let_bind(m->session.poller);
	int rc = plan_open_ahead(&m->session.plan) ? rights_drop_rawio(err) : 0;

	if (!rc)
		rc = session_start(&m->session, err);
	if (!rc && m->options->command)
		rc = command_start(&m->command, m->options->command, &m->caller, &m->signals.before,
				   err);
	if (!rc)
		rc = rights_drop(m->command.pid ? &m->caller : NULL, err);
	/* the thread comes after the fork, which would leave it behind */
	if (!rc)
		rc = monitor_begin_output(m, err);
	/* nor may COMMAND, or the writer, be bound to where registers are read, or as punctual */
	if (!rc) {
		clock_set_timerslack();
		poller_place_readers(m->session.poller);
	}
	/* what finding out took is not needed any more */
	malloc_trim(0);
	if (!rc)
		rc = rights_filter(m->serving ? RIGHTS_SERVE : RIGHTS_MONITOR, m->command.pid,
				   &m->log, err);
	if (!rc)
		rc = monitor_sample(m, err);
	return end(m, rc, err);
}

static void summarize(const struct monitor *m)
{
	log_write(&m->log, LEVEL_DETAIL,
		  "%" PRIu64 " samples, %" PRIu64 " deadlines missed, %" PRIu64
		  " samples postponed for a slow reader, %" PRIu64
		  " unit readings lost, %lu values not believed, counters frozen for %.3f ms in "
		  "all",
		  m->samples, m->missed, m->postponed, m->lost_units, m->session.view.suspects,
		  (double)m->frozen_ns / 1e6);
}

static int exit_status(const struct monitor *m)
{
	const bool told = m->ended_by == SIGINT || m->ended_by == SIGTERM;

	/* a service that was told to stop has not failed */
	if (m->serving && told)
		return EXIT_OK;
	if (m->ended_by == SIGINT && m->samples_when_ended)
		return EXIT_OK;
	if (m->ended_by)
		return EXIT_SIGNALLED + m->ended_by;
	return m->command.ended ? m->command.status : EXIT_OK;
}

static int report_failure(const struct monitor *m, const struct error *err)
{
	messages_error(err);
	if (err->status == EXIT_NO_UNIT && !m->options->sim)
		fprintf(stderr, "cxlmon: for a demonstration on a simulated processor: "
				"cxlmon --sim=spr\n");
	return (int)err->status;
}

int monitor_run(const struct options *options)
{
	struct monitor m = {.options = options, .fd = -1};
	struct error err = {0};
	int status;

	const struct log log = messages_log(options);

	held_init(&m.held, &log);
	m.log = held_log(&m.held);
	int rc = monitor_set_up(&m, &err);
	if (!rc) {
		rc = run(&m, &err);
		summarize(&m);
	}
	status = rc ? report_failure(&m, &err) : exit_status(&m);
	monitor_release(&m);
	return status;
}
