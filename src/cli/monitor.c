/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/monitor.h"

#include <inttypes.h>
#include <malloc.h>

#include "cli/messages.h"
#include "cli/monitor_private.h"
#include "linux/clock.h"
#include "linux/rights.h"

/*
 * Waits for COMMAND however sampling ended, since the exit status is COMMAND's. The signal that
 * ended cxlmon is forwarded to it; a second signal ends the wait.
 */
static void wait_for_command(struct monitor *m)
{
	const bool forwarded = m->ended_by && m->ended_by != SIGPIPE;

	if (forwarded)
		command_forward(&m->command, m->ended_by);
	while (m->command.pid && !m->second_signal && !command_poll(&m->command)) {
		int signal_number = sigwaitinfo(&m->signals.wake, NULL);

		if (signal_number <= 0 || monitor_goes_on_after(m, signal_number))
			continue;
		if (forwarded)
			return;
		monitor_end_by(m, signal_number);
		wait_for_command(m);
		return;
	}
}

/* The run ends with its first error; any further one is printed as a warning. */
static int keep_first(const struct monitor *m, int first, int rc, const struct error *next,
		      struct error *err)
{
	if (rc && first)
		log_write(&m->log, LEVEL_WARNING, "%s", next->text);
	else if (rc)
		*err = *next;
	return first ? first : rc;
}

/* Restores the registers first: writing the rest of the output may take long. */
static int end(struct monitor *m, int rc, struct error *err)
{
	struct error next = {0};

	serving_notify_stopping(m->serving);
	rc = keep_first(m, rc, session_stop(&m->session, &next), &next, err);
	rc = keep_first(m, rc, monitor_finish_output(m, &next), &next, err);
	serving_stop(m->serving);
	wait_for_command(m);
	return rc;
}

static uint64_t platform_now(const struct monitor *m)
{
	return m->session.platform->ops->now(m->session.platform);
}

/* From the first register write to the last step that needs rights. */
static int begin(struct monitor *m, struct error *err)
{
	signals_block(&m->signals);
	poller_allow_affinity(m->session.poller);
	int rc = programming_open_devices(&m->session.plan) ? rights_drop_rawio(err) : 0;

	if (!rc)
		rc = session_start(&m->session, err);
	m->started_ns = m->ended_ns = platform_now(m);
	if (!rc && m->options->command)
		rc = command_start(
			&m->command, m->options->command, &m->caller,
			&(struct command_inherits){.mask = m->signals.before, .files = m->files},
			err);
	return rc;
}

/* The kernel's; those of a simulated processor have no descriptors. */
static size_t perf_event_count(const struct monitor *m)
{
	const struct perf_events *events = &m->session.perf;

	return events->handles && !m->options->session.sim ? events->plan->counter_count : 0;
}

/* Drops all rights. What still needs to be opened or started is, between the steps. */
static int confine(struct monitor *m, struct error *err)
{
	const struct rights_use use = {
		.role = RIGHTS_MONITOR,
		.caller = m->caller,
		.child = m->serving ? serving_process(m->serving) : m->command.pid,
		.child_is_root = m->command.pid && !m->caller.known,
		.notifies = m->serving,
		.receives = m->file.pid,
		.root = m->options->session.root,
		.platform = m->session.platform,
		.perf_events = m->session.perf.handles,
		.perf_event_count = perf_event_count(m),
	};
	int rc = rights_drop(&use, &m->log, err);

	if (!rc)
		rc = monitor_prepare_output(m, err);
	if (!rc)
		rc = rights_restrict_files(&use, &m->log, err);
	/* after the fork, which would not copy the writer's thread */
	if (!rc)
		rc = monitor_begin_output(m, err);
	/* after COMMAND and the writer were started: they must not inherit affinity and timer slack
	 */
	if (!rc) {
		clock_set_timerslack();
		poller_place_readers(m->session.poller);
	}
	/* return the memory that setting up took */
	malloc_trim(0);
	return rc ? rc : rights_filter(&use, &m->log, err);
}

static int run(struct monitor *m, struct error *err)
{
	int rc = begin(m, err);

	if (!rc)
		rc = confine(m, err);
	if (!rc)
		rc = monitor_sample(m, err);
	m->ended_ns = platform_now(m);
	return end(m, rc, err);
}

static void log_details(const struct monitor *m)
{
	const struct frame *frame = poller_frame(m->session.poller);

	log_write(&m->log, LEVEL_DETAIL,
		  "%" PRIu64 " samples, %" PRIu64 " deadlines missed, %" PRIu64
		  " samples skipped because the output was slow, %" PRIu64
		  " unit reads failed, %lu implausible values dropped, counters frozen for %.3f ms "
		  "in total",
		  m->samples, frame->missed, frame->skipped, m->failed_reads,
		  m->session.view.implausible, (double)frame->frozen_ns / 1e6);
}

static int exit_status(const struct monitor *m)
{
	const bool stopped = m->ended_by == SIGINT || m->ended_by == SIGTERM;

	/* stopping a service is not a failure */
	if (m->serving && stopped)
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
	messages_try_simulation((int)err->status, m->options->session.sim);
	return (int)err->status;
}

int monitor_run(const struct options *options)
{
	struct monitor m = {.options = options, .fd = -1};
	struct error err = {0};
	int status;

	const struct log log = messages_log(options->verbosity);

	deferred_log_init(&m.deferred_log, &log);
	m.log = deferred_log_as_log(&m.deferred_log);
	int rc = monitor_set_up(&m, &err);
	if (!rc) {
		rc = run(&m, &err);
		log_details(&m);
		/* whose reader has left is not interested in it */
		if (m.ended_by != SIGPIPE)
			monitor_print_summary(&m);
	}
	status = rc ? report_failure(&m, &err) : exit_status(&m);
	monitor_release(&m);
	return status;
}
