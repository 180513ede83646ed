/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/cli_private.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "cli/options.h"
#include "linux/kernel/clock.h"
#include "linux/run/signals.h"
#include "show/screen/screen.h"

#define POLL_NS (NS_PER_S / 20) /* time between checks for signals */

struct showing {
	struct replay *replay;
	struct signals signals;
	struct screen_requests requests;
	struct deferred_log deferred_log;
	struct sink sink;
	uint64_t interval_ns; /* time between samples */
	int signal_number;    /* signal that ends it; 0: none */
};

int replay_screen_check(const struct options *o, struct error *err)
{
	const char *surplus = o->output			     ? "--output"
			      : o->format		     ? "--format"
			      : o->summary == SUMMARY_ALWAYS ? "--summary"
			      : !strcmp(o->operands[0], "-") ? "recording from standard input"
							     : NULL;

	if (surplus)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "replay --screen is on the terminal: expected no %s", surplus);
	if (screen_supported(&o->log))
		return 0;
	return error_set(err, ERROR_USAGE, -ENOTTY,
			 "replay --screen: expected a terminal that can move its cursor");
}

static int handle_input(struct showing *s, struct error *err)
{
	const enum input_result then = s->sink.format->handle_input(&s->sink);

	fflush(s->sink.out);
	if (then == INPUT_SUSPEND)
		s->sink.format->suspend(&s->sink);
	fflush(s->sink.out);
	return then == INPUT_NO_MEMORY ? error_no_memory(err) : 0;
}

/* Takes signals. Returns whether to go on. */
static bool look_for_signals(struct showing *s)
{
	int number = 0;

	if (clock_sleep_until(0, &s->signals.wake, &number) == -EINTR && number != SIGNAL_KICK &&
	    number != SIGCHLD)
		s->signal_number = number;
	return !s->signal_number && !atomic_load(&s->requests.quit);
}

/* Waits until the next sample is due; without one, or while paused, until the user quits. */
static int wait_for_sample(struct showing *s, bool more, struct error *err)
{
	const uint64_t begun = clock_monotonic();
	int rc = 0;

	while (!rc && look_for_signals(s)) {
		const uint64_t interval_ns = atomic_exchange(&s->requests.interval_ns, 0);
		struct pollfd inputs[SINK_INPUTS];

		s->interval_ns = interval_ns ? interval_ns : s->interval_ns;
		const uint64_t now = clock_monotonic(), due = begun + s->interval_ns;
		if (more && now >= due && !atomic_load(&s->requests.paused))
			break;
		const uint64_t left =
			more && due > now && due - now < POLL_NS ? due - now : POLL_NS;
		for (size_t i = 0; i < SINK_INPUTS; i++)
			inputs[i] = (struct pollfd){.fd = s->sink.inputs[i], .events = POLLIN};
		if (poll(inputs, SINK_INPUTS, (int)(left / 1000000) + 1) > 0)
			rc = handle_input(s, err);
	}
	return rc;
}

static int show_samples(struct showing *s, struct error *err)
{
	const struct log log = deferred_log_as_log(&s->deferred_log);
	struct error why;
	int rc = handle_input(s, err), read = 1, ended = 0;

	while (!rc && look_for_signals(s)) {
		if (read > 0 && (read = replay_next(s->replay, &why)) > 0) {
			s->sink.format->sample(&s->sink, &s->replay->aggregate.sample);
		} else if (!ended++) {
			log_write(&log, read < 0 ? LEVEL_WARNING : LEVEL_NOTE, "%s",
				  read < 0 ? why.text : "the recording ends here");
			rc = handle_input(s, err);
		}
		fflush(s->sink.out);
		if (!rc)
			rc = wait_for_sample(s, read > 0, err);
	}
	if (!rc && read < 0) {
		*err = why;
		rc = read;
	}
	return rc;
}

int replay_screen(struct options *options, struct replay *replay, struct error *err)
{
	const struct recording_info *info = &replay->file->recording.info;
	static const struct error saved = {
		.code = -EEXIST, .text = "nothing is saved: the screen shows a recording"};
	char processor[RECORDED_PROCESSOR_SIZE];
	struct showing s = {.replay = replay,
			    .requests.sampler = pthread_self(),
			    .interval_ns = options->session.interval_ns
						   ? options->session.interval_ns
						   : info->interval_ns};
	struct screen_setup setup = {
		.processor = recorded_processor(info, processor),
		.interval_ns = s.interval_ns,
		.requests = &s.requests,
		.deferred_log = &s.deferred_log,
		.played = &replay->file->recording,
		.why_not = &saved,
		.why_no_list = &saved,
	};

	signals_block(&s.signals);
	deferred_log_init(&s.deferred_log, &options->log);
	s.sink = (struct sink){.format = &format_screen,
			       .out = stdout,
			       .terminal = true,
			       .fd = STDOUT_FILENO,
			       .table = &replay->aggregate.table,
			       .target = &setup,
			       .info = info,
			       .inputs = {-1, -1, -1}};
	int rc = s.sink.format->begin(&s.sink);
	if (rc) {
		error_set(err, ERROR_FAILED, rc, "the screen cannot be shown: %s", strerror(-rc));
	} else {
		rc = show_samples(&s, err);
		s.sink.format->finish(&s.sink);
		fflush(stdout);
	}
	if (s.sink.state)
		s.sink.format->end(&s.sink);
	deferred_log_flush(&s.deferred_log);
	if (s.signal_number && s.signal_number != SIGINT)
		options->status = EXIT_SIGNALLED + s.signal_number;
	return rc;
}
