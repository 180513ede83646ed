/* SPDX-License-Identifier: BSD-3-Clause */
#include "subject.h"

#include <err.h>
#include <errno.h>

#include "linux/clock.h"
#include "linux/linux.h"
#include "platform/guard.h"
#include "sim/sim.h"

#define RING_FRAMES 8

static void check(int rc, const struct error *why)
{
	if (rc)
		errx(1, "%s", why->text);
}

/* The events, as session_open() has them for --backend=perf. */
static void program(struct subject *s)
{
	const uint64_t interval_ns = s->options->interval_ns;
	struct error why = {0};

	if (s->options->perf) {
		check(perf_events_open(&s->perf, &s->plan, &why), &why);
		check(poller_new_perf(&s->perf, interval_ns, &s->poller, &why), &why);
		return;
	}
	check(pmu_state_init(&s->pmu, &s->plan, &why), &why);
	check(poller_new(&s->pmu, interval_ns, &s->poller, &why), &why);
	pmu_state_open_devices(&s->plan);
}

void subject_open(struct subject *s, const struct bench_options *options)
{
	const struct log silent = {.write = NULL};
	const struct view_options shown = {.groups = options->metrics, .finest = SCOPE_PORT};
	struct error why = {0};
	int rc;

	*s = (struct subject){.options = options};
	sigemptyset(&s->ends);
	sigaddset(&s->ends, SIGTERM);
	sigaddset(&s->ends, SIGINT);
	sigprocmask(SIG_BLOCK, &s->ends, NULL);
	if (options->sim)
		rc = platform_sim(options->sim, &silent, &s->platform, &why);
	else
		rc = platform_linux(options->root, &silent, &s->platform, &why);
	check(rc, &why);
	if (options->slow)
		delay_init(&s->delay, s->platform);
	check((options->perf ? machine_open_perf : machine_open)(s->platform, &s->machine, &why),
	      &why);
	if (s->machine.uncore_error.code)
		errx(1, "%s", s->machine.uncore_error.text);
	check(view_make(&s->machine, &shown, &s->view, &why), &why);
	check(plan_make(&s->machine, s->view.requests, s->view.request_count,
			options->frozen ? FREEZE_ALWAYS : FREEZE_AUTO, &s->plan, &why),
	      &why);
	view_bind(&s->view, &s->plan);
	program(s);
	s->ring = ring_new(RING_FRAMES, poller_frame_size(&s->plan));
	s->decoder = decoder_new(&s->plan);
	if (!s->ring || !s->decoder)
		errx(1, "out of memory");
	check(poller_start(s->poller, &why), &why);
	ring_push(s->ring, poller_frame(s->poller));
	subject_decode(s);
	tap_init(&s->tap, s->platform);
}

void subject_close(struct subject *s)
{
	struct error why = {0};

	tap_free(&s->tap);
	check(poller_stop(s->poller, &why), &why);
	poller_free(s->poller);
	ring_free(s->ring);
	decoder_free(s->decoder);
	perf_events_close(&s->perf);
	pmu_state_free(&s->pmu);
	plan_free(&s->plan);
	view_free(&s->view);
	machine_close(&s->machine);
	platform_destroy(s->platform);
}

static void take_frame(struct subject *s, enum read_reason reason)
{
	/* not set to 0, which costs instructions that are counted; it is set where it counts */
	struct error why;

	check(poller_read(s->poller, reason, &why), &why);
	ring_push(s->ring, poller_frame(s->poller));
}

void subject_sample(struct subject *s)
{
	if (ring_count(s->ring))
		ring_drop(s->ring);
	take_frame(s, READ_SAMPLE);
}

const struct sample *subject_decode(struct subject *s)
{
	while (ring_count(s->ring)) {
		decoder_add(s->decoder, ring_oldest(s->ring), &s->sample);
		ring_drop(s->ring);
	}
	if (s->sample.warning)
		errx(1, "a unit could not be read, so nothing was measured: %s",
		     s->sample.warning->text);
	return &s->sample;
}

/* A unit that does not count would have no values, and its controls checked in every sample. */
static void move_counters(const struct subject *s)
{
	if (!s->options->still)
		return;
	for (size_t i = 0; i < s->plan.counter_count; i++) {
		const struct reg *counter = &s->plan.counters[i].reg;

		if (counter->space != REG_MMIO || !counter->window->base)
			continue;
		char *base = (char *)counter->window->base;
		*(volatile uint64_t *)(base + (counter->address - counter->window->phys)) += 1000;
	}
}

bool subject_wait(struct subject *s)
{
	enum read_reason due;
	struct error why;
	int signal_number;

	for (;;) {
		move_counters(s);
		const int rc = poller_wait(s->poller, &s->ends, &signal_number, &due, &why);

		if (rc == -EINTR)
			return false;
		check(rc, &why);
		if (due == READ_SAMPLE)
			return true;
		take_frame(s, due);
		subject_decode(s);
	}
}

bool subject_pause(const struct subject *s)
{
	int signal_number;

	move_counters(s);
	return !clock_sleep_until(clock_monotonic() + s->options->interval_ns, &s->ends,
				  &signal_number);
}
