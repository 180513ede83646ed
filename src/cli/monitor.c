/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/monitor.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/messages.h"
#include "cli/sink.h"
#include "linux/linux.h"
#include "poller/poller.h"
#include "poller/view.h"
#include "sim/sim.h"
#include "uncore/machine.h"
#include "uncore/plan.h"

/* What would end the process, and must not before the registers are put back. */
static const int fatal_signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGUSR1,
				    SIGUSR2, SIGALRM, SIGXCPU, SIGXFSZ};

/* Everything a run holds, in the order in which it is made; released in reverse. */
struct monitor {
	const struct options *options;
	struct log log;
	FILE *out;
	struct platform *platform;
	struct machine machine;
	struct view view;
	struct plan plan;
	struct poller *poller;
	struct sink sink;
	sigset_t wake, before;
	struct command command;

	uint64_t samples;
	uint64_t missed;    /* deadlines */
	uint64_t frozen_ns; /* sum of each sample's longest */
	uint64_t lost_units;
	bool trouble_said;
	int ended_by;		     /* signal; 0: none */
	uint64_t samples_when_ended; /* before that signal came */
};

/*
 * Fatal signals wait until the loop asks for them, and SIGCHLD says that COMMAND has ended. A
 * reader that goes away (| head) shows as a failed write, not as a signal.
 */
static void hold_signals(struct monitor *m)
{
	sigemptyset(&m->wake);
	sigaddset(&m->wake, SIGCHLD);
	for (size_t i = 0; i < sizeof(fatal_signals) / sizeof(fatal_signals[0]); i++)
		sigaddset(&m->wake, fatal_signals[i]);
	sigprocmask(SIG_BLOCK, &m->wake, &m->before);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGCHLD, SIG_DFL); /* ignored by a parent, it would reap COMMAND's status */
}

static int open_output(struct monitor *m, struct error *err)
{
	const char *name = m->options->output;

	m->out = stdout;
	if (!name)
		return 0;
	m->out = fopen(name, "we");
	if (m->out)
		return 0;
	return error_set(err, EXIT_FAILED, -errno, "%s: can't be written: %s", name,
			 strerror(errno));
}

static int open_platform(struct monitor *m, struct error *err)
{
	const struct options *o = m->options;

	if (o->sim)
		return platform_sim(o->sim, &m->log, &m->platform, err);
	return platform_linux(o->root, &m->log, &m->platform, err);
}

static void describe(const struct monitor *m)
{
	const struct machine *machine = &m->machine;
	const char *freeze = m->plan.global ? "socket by socket" : "unit by unit";

	log_write(&m->log, LEVEL_DETAIL, "%s%s: %zu socket%s, %zu uncore units, %zu CXL port%s",
		  m->options->sim ? "simulated " : "", machine->model->name, machine->socket_count,
		  machine->socket_count == 1 ? "" : "s", machine->discovery.unit_count,
		  machine->port_count, machine->port_count == 1 ? "" : "s");
	log_write(&m->log, LEVEL_DETAIL, "%zu counters of %zu units, %s", m->plan.slot_count,
		  m->plan.unit_count,
		  m->options->freeze == FREEZE_NEVER ? "read while they run" : freeze);
}

static int open_sink(struct monitor *m, struct error *err)
{
	const struct format *format = m->options->format;
	int rc = open_output(m, err);

	if (rc)
		return rc;
	if (!format)
		format = isatty(fileno(m->out)) ? &format_table : &format_csv;
	m->sink = (struct sink){.format = format, .out = m->out, .view = &m->view};
	return format->begin(&m->sink) ? error_set(err, EXIT_FAILED, -ENOMEM, "out of memory") : 0;
}

/* Everything up to the first register write. */
static int set_up(struct monitor *m, struct error *err)
{
	const struct options *o = m->options;
	int rc = open_platform(m, err);

	if (!rc)
		rc = machine_open(m->platform, &m->machine, err);
	if (!rc)
		rc = view_make(&m->machine, &o->view, &m->view, err);
	if (!rc)
		rc = plan_make(&m->machine, m->view.requests, m->view.request_count, o->freeze,
			       &m->plan, err);
	if (rc)
		return rc;
	view_bind(&m->view, &m->plan);
	describe(m);
	rc = open_sink(m, err);
	return rc ? rc : poller_new(&m->plan, o->interval_ns, &m->poller, err);
}

static void release(struct monitor *m)
{
	if (m->sink.format && m->sink.format->end)
		m->sink.format->end(&m->sink);
	poller_free(m->poller);
	plan_free(&m->plan);
	view_free(&m->view);
	machine_close(&m->machine);
	platform_destroy(m->platform);
	if (m->out && m->out != stdout)
		fclose(m->out);
}

/* Sleeps until the deadline, or until something ends the run early: then *over is true. */
static int wait_for_deadline(struct monitor *m, bool *over, struct error *err)
{
	for (;;) {
		int signal_number = 0;
		int rc = poller_wait(m->poller, &m->wake, &signal_number, err);

		if (rc != -EINTR)
			return rc;
		if (signal_number == SIGCHLD) {
			*over = command_poll(&m->command);
		} else {
			m->ended_by = signal_number;
			m->samples_when_ended = m->samples;
			*over = true;
		}
		if (*over)
			return 0;
	}
}

/* A reader that went away ends the run as SIGPIPE would have. */
static int flush_output(struct monitor *m, struct error *err)
{
	const char *name = m->options->output ? m->options->output : "standard output";

	errno = 0;
	if (!fflush(m->out) && !ferror(m->out))
		return 0;
	int code = errno ? errno : EIO;
	if (code == EPIPE)
		m->ended_by = SIGPIPE;
	return error_set(err, EXIT_FAILED, -code, "%s: can't be written: %s", name, strerror(code));
}

static int take_sample(struct monitor *m, struct error *err)
{
	struct error trouble;
	struct sample sample;
	int rc = poller_sample(m->poller, &sample, &trouble, err);

	if (rc)
		return rc;
	m->samples++;
	m->missed += sample.missed;
	m->frozen_ns += sample.frozen_ns;
	m->lost_units += sample.lost_units;
	if (trouble.code && !m->trouble_said) {
		m->trouble_said = true;
		log_write(&m->log, LEVEL_WARNING, "%s; its values are empty until it can be read",
			  trouble.text);
	}
	view_update(&m->view, &sample);
	m->sink.format->sample(&m->sink, &sample);
	return flush_output(m, err);
}

static int sample_until_over(struct monitor *m, struct error *err)
{
	const struct options *o = m->options;
	bool over = false;
	int rc = 0;

	while (!rc && !over && (!o->count || m->samples < o->count)) {
		rc = wait_for_deadline(m, &over, err);
		if (!rc && m->ended_by && isatty(fileno(m->out)))
			putc('\n', m->out); /* the terminal has echoed ^C */
		if (!rc)
			rc = take_sample(m, err);
	}
	return rc;
}

/* COUNT may be reached before COMMAND ends; its status is still the one to exit with. */
static void wait_for_command(struct monitor *m)
{
	while (m->command.pid && !m->ended_by && !command_poll(&m->command)) {
		int signal_number = sigwaitinfo(&m->wake, NULL);

		if (signal_number > 0 && signal_number != SIGCHLD)
			m->ended_by = signal_number;
		m->samples_when_ended = m->samples;
	}
}

static int run(struct monitor *m, struct error *err)
{
	int rc = poller_start(m->poller, err);

	if (!rc && m->options->command)
		rc = command_start(&m->command, m->options->command, &m->before, err);
	if (!rc)
		rc = sample_until_over(m, err);

	/* whatever happened, and before anything is said of it */
	int stopped = poller_stop(m->poller, rc ? NULL : err);
	rc = rc ? rc : stopped;
	if (!rc)
		wait_for_command(m);
	return rc;
}

static void summarize(const struct monitor *m)
{
	log_write(&m->log, LEVEL_DETAIL,
		  "%" PRIu64 " samples, %" PRIu64 " deadlines missed, %" PRIu64
		  " unit readings lost, counters frozen for %.3f ms in all",
		  m->samples, m->missed, m->lost_units, (double)m->frozen_ns / 1e6);
}

static int exit_status(const struct monitor *m)
{
	if (m->ended_by == SIGINT && m->samples_when_ended)
		return EXIT_FINE;
	if (m->ended_by)
		return EXIT_SIGNALLED + m->ended_by;
	return m->command.ended ? m->command.status : EXIT_FINE;
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
	struct monitor m = {.options = options};
	struct error err = {0};
	int status;

	m.log = messages_log(options);
	hold_signals(&m);
	int rc = set_up(&m, &err);
	if (!rc) {
		rc = run(&m, &err);
		summarize(&m);
	}
	if (m.ended_by && m.ended_by != SIGPIPE)
		command_signal(&m.command, m.ended_by);
	if (rc && m.ended_by != SIGPIPE)
		status = report_failure(&m, &err);
	else
		status = exit_status(&m);
	release(&m);
	return status;
}
