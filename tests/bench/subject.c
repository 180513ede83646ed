/* SPDX-License-Identifier: BSD-3-Clause */
#include "subject.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>

#include "linux/kernel/clock.h"
#include "linux/linux.h"
#include "platform/guard.h"
#include "sim/sim.h"

#define RING_FRAMES 8
#define NAP_NS	    1000000 /* interval at which files of a published machine change */
#define MOST_NAPS   5000

static void check(int rc, const struct error *why)
{
	if (rc)
		errx(1, "%s", why->text);
}

/* Returns the place of a counter in mapped memory; NULL: it is elsewhere. */
static volatile uint64_t *place_of(const struct counter *counter)
{
	const struct reg *reg = &counter->reg;

	if (reg->space != REG_MMIO || !reg->window->base)
		return NULL;
	return (volatile uint64_t *)(void *)((char *)reg->window->base +
					     (reg->address - reg->window->phys));
}

static void look_at_counters(const struct subject *s)
{
	for (size_t i = 0; i < s->plan.counter_count; i++)
		if (place_of(&s->plan.counters[i]))
			s->seen[i] = *place_of(&s->plan.counters[i]);
}

static void move_counters(const struct subject *s)
{
	for (size_t i = 0; i < s->plan.counter_count; i++)
		if (place_of(&s->plan.counters[i]))
			*place_of(&s->plan.counters[i]) += 1000;
}

/* Tells if a counter of this unit has moved since look_at_counters(), or none is in memory. */
static bool has_moved(const struct subject *s, size_t u)
{
	const struct round *round =
		&s->plan.rounds[s->plan.units[u].first_round + s->pmu.units[u].round];
	bool in_memory = false;

	for (size_t i = round->first_counter; i < round->first_counter + round->counter_count;
	     i++) {
		const volatile uint64_t *place = place_of(&s->plan.counters[i]);

		if (place && *place != s->seen[i])
			return true;
		in_memory |= place != NULL;
	}
	return !in_memory;
}

/*
 * Waits for an interval of real time. Controls of a unit that does not count meanwhile would be
 * checked in each sample, so this waits until all units count; on a published machine however long
 * that takes.
 */
static int nap(void *context, const sigset_t *wake, int *signal_number)
{
	const struct subject *s = context;
	char name[UNIT_NAME_SIZE];

	if (s->options->still)
		move_counters(s);
	else
		look_at_counters(s);
	const int rc =
		clock_sleep_until(clock_monotonic() + s->options->interval_ns, wake, signal_number);
	if (rc || s->options->still || s->options->perf)
		return rc;
	for (size_t u = 0, tries = 0; u < s->plan.unit_count;) {
		if (has_moved(s, u))
			u++;
		else if (++tries > MOST_NAPS)
			errx(1, "%s does not count", unit_name(s->plan.units[u].unit, name));
		else
			clock_sleep_until(clock_monotonic() + NAP_NS, NULL, signal_number);
	}
	return 0;
}

/* Programs the events, as session_open_on() does for --backend=perf. */
static void program(struct subject *s)
{
	const uint64_t interval_ns =
		s->options->step_ns ? s->options->step_ns : s->options->interval_ns;
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
	if (options->step_ns)
		pace_init(&s->pace, s->platform, nap, s);
	check((options->perf ? machine_open_perf : machine_open)(s->platform, &s->machine, &why),
	      &why);
	if (s->machine.uncore_error.code)
		errx(1, "%s", s->machine.uncore_error.text);
	check(view_make(&s->machine, &shown, &s->view, &why), &why);
	check(plan_make(&s->machine, s->view.requests, s->view.request_count,
			options->frozen ? FREEZE_ALWAYS : FREEZE_AUTO, &s->plan, &why),
	      &why);
	view_bind(&s->view, &s->plan);
	s->seen = calloc(s->plan.counter_count + 1, sizeof(*s->seen));
	if (!s->seen)
		errx(1, "out of memory");
	delay_set_plan(&s->plan);
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
	free(s->seen);
	view_free(&s->view);
	machine_close(&s->machine);
	platform_destroy(s->platform);
}

static void take_frame(struct subject *s, enum read_reason reason)
{
	/* not initialized, because that costs instructions that are counted */
	struct error why;

	check(poller_read(s->poller, reason, &why), &why);
	ring_push(s->ring, poller_frame(s->poller));
}

void subject_sample(struct subject *s)
{
	if (ring_oldest(s->ring))
		ring_drop(s->ring);
	take_frame(s, READ_SAMPLE);
}

/* Checks a frame; virtual time does not measure its counts. */
static void check_frame(const struct subject *s)
{
	const struct frame *frame = poller_frame(s->poller);
	char name[UNIT_NAME_SIZE];

	for (size_t u = 0; u < s->plan.unit_count; u++)
		if (frame->units[u].error || frame->units[u].clobbered ||
		    frame->units[u].freeze != FRAME_RUNS)
			errx(1, "%s could not be read, so nothing was measured: %s",
			     unit_name(s->plan.units[u].unit, name),
			     frame->units[u].error	 ? "read error"
			     : frame->units[u].clobbered ? "its controls were changed"
							 : "it is frozen");
}

const struct sample *subject_decode(struct subject *s)
{
	if (s->options->step_ns)
		check_frame(s);
	while (ring_oldest(s->ring)) {
		if (!s->options->step_ns)
			decoder_add(s->decoder, ring_oldest(s->ring), &s->sample);
		ring_drop(s->ring);
	}
	if (s->options->step_ns)
		return NULL;
	if (s->sample.warning)
		errx(1, "a unit could not be read, so nothing was measured: %s",
		     s->sample.warning->text);
	return &s->sample;
}

bool subject_wait(struct subject *s)
{
	enum read_reason due;
	struct error why;
	int signal_number;

	for (;;) {
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

bool subject_pause(struct subject *s)
{
	int signal_number;

	return !nap(s, &s->ends, &signal_number);
}
