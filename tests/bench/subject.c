/* SPDX-License-Identifier: BSD-3-Clause */
#include "subject.h"

#include <err.h>
#include <errno.h>

#include "linux/clock.h"
#include "linux/linux.h"
#include "sim/sim.h"

#define RING_READINGS 8

static void check(int rc, const struct error *why)
{
	if (rc)
		errx(1, "%s", why->text);
}

void subject_open(struct subject *s, const struct choice *choice)
{
	const struct log silent = {.write = NULL};
	const struct view_options options = {.groups = choice->metrics, .finest = SCOPE_PORT};
	struct error why = {0};
	int rc;

	*s = (struct subject){.choice = choice};
	sigemptyset(&s->ends);
	sigaddset(&s->ends, SIGTERM);
	sigaddset(&s->ends, SIGINT);
	sigprocmask(SIG_BLOCK, &s->ends, NULL);
	if (choice->sim)
		rc = platform_sim(choice->sim, &silent, &s->platform, &why);
	else
		rc = platform_linux(choice->root, &silent, &s->platform, &why);
	check(rc, &why);
	check(machine_open(s->platform, &s->machine, &why), &why);
	if (s->machine.uncore_error.code)
		errx(1, "%s", s->machine.uncore_error.text);
	check(view_make(&s->machine, &options, &s->view, &why), &why);
	check(plan_make(&s->machine, s->view.requests, s->view.request_count,
			choice->frozen ? FREEZE_ALWAYS : FREEZE_AUTO, &s->plan, &why),
	      &why);
	view_bind(&s->view, &s->plan);
	check(poller_new(&s->plan, choice->interval_ns, &s->poller, &why), &why);
	plan_open_ahead(&s->plan);
	s->ring = ring_new((struct ring_room){RING_READINGS, RING_READINGS}, deltas_size(&s->plan));
	s->deltas = deltas_new(&s->plan);
	if (!s->ring || !s->deltas)
		errx(1, "out of memory");
	check(poller_start(s->poller, &why), &why);
	tap_init(&s->tap, s->platform);
}

void subject_close(struct subject *s)
{
	struct error why = {0};

	tap_free(&s->tap);
	check(poller_stop(s->poller, &why), &why);
	poller_free(s->poller);
	ring_free(s->ring);
	deltas_free(s->deltas);
	plan_free(&s->plan);
	view_free(&s->view);
	machine_close(&s->machine);
	platform_destroy(s->platform);
}

struct sample subject_sample(struct subject *s)
{
	/* not set to 0, which costs instructions that are counted; both are set where they count */
	struct error trouble, why;
	struct reading reading;

	if (ring_count(s->ring))
		ring_drop(s->ring);
	check(poller_read(s->poller, &reading, &trouble, &why), &why);
	if (trouble.code)
		errx(1, "a sample that is no measure of anything: %s", trouble.text);
	ring_push(s->ring, &reading);
	return reading.sample;
}

const struct sample *subject_counts(struct subject *s)
{
	struct reading *reading = ring_oldest(s->ring);

	deltas_count(s->deltas, reading);
	return &reading->sample;
}

bool subject_wait(struct subject *s)
{
	struct error why;
	int signal_number;
	int rc = poller_wait(s->poller, &s->ends, &signal_number, &why);

	if (rc != -EINTR)
		check(rc, &why);
	return !rc;
}

/* A unit that has counted nothing would be looked at more closely. */
static void move_counters(const struct subject *s)
{
	for (size_t i = 0; i < s->plan.slot_count; i++) {
		const struct reg *counter = &s->plan.slots[i].counter;

		if (counter->space != REG_MMIO || !counter->window->base)
			continue;
		char *place = (char *)counter->window->base;
		*(volatile uint64_t *)(place + (counter->address - counter->window->phys)) += 1000;
	}
}

bool subject_pause(const struct subject *s)
{
	int signal_number;

	if (s->choice->still)
		move_counters(s);
	return !clock_sleep_until(clock_monotonic() + s->choice->interval_ns, &s->ends,
				  &signal_number);
}
