/* SPDX-License-Identifier: BSD-3-Clause */
#include "poller/timetable.h"

void deadlines_start(struct deadlines *d, uint64_t now, uint64_t interval)
{
	*d = (struct deadlines){.start = now, .interval = interval, .next = now + interval};
}

uint64_t deadlines_advance(struct deadlines *d, uint64_t now)
{
	uint64_t missed = 0;

	d->next += d->interval;
	if (now >= d->next) {
		missed = (now - d->next) / d->interval + 1;
		d->next += missed * d->interval;
	}
	return missed;
}

void deadlines_change(struct deadlines *d, uint64_t now, uint64_t interval)
{
	const uint64_t last = d->next - d->interval;

	deadlines_start(d, last + interval > now ? last : now - interval, interval);
}

/* The shortest time between rotations of staggered units. */
#define STAGGER_NS UINT64_C(1000000000)
/*
 * The shortest time between comparisons of controls: their cost is then not part of most samples,
 * if samples are more frequent. A value of a longer interval has had its controls compared at both
 * ends.
 */
#define CHECK_NS UINT64_C(100000000)

void timetable_start(struct timetable *t, uint64_t now)
{
	deadlines_start(&t->samples, now, t->samples.interval);
	t->last = now;
	t->next_rotation = now + t->rotation;
	t->next_stagger = now + STAGGER_NS;
	t->next_check = now + CHECK_NS;
}

enum read_reason timetable_next(const struct timetable *t, uint64_t *when)
{
	const bool rotates = t->rotation && t->next_rotation + t->rotation / 2 < t->samples.next;

	*when = rotates ? t->next_rotation : t->samples.next;
	if (*when - t->last <= t->max_gap || *when < t->last)
		return rotates ? READ_ROTATE : READ_SAMPLE;
	*when = t->last + t->max_gap;
	return READ_BETWEEN;
}

/*
 * Returns true if an event is due in this reading: half a period too early is closer than the next
 * reading.
 */
static bool is_due(uint64_t *next, uint64_t every, uint64_t now, uint64_t period)
{
	if (now + period / 2 < *next)
		return false;
	*next += every;
	if (*next <= now)
		*next = now + every;
	return true;
}

uint64_t timetable_shortest(const struct timetable *t)
{
	uint64_t ns = t->samples.interval;

	if (t->rotation && t->rotation < ns)
		ns = t->rotation;
	return t->max_gap < ns ? t->max_gap : ns;
}

void timetable_begin(struct timetable *t, uint64_t now)
{
	t->last = now;
	t->stagger_due = false;
	t->check_due = is_due(&t->next_check, CHECK_NS, now, t->rotation);
}

uint64_t timetable_begin_sample(struct timetable *t, uint64_t now)
{
	const uint64_t interval = t->samples.interval;
	const uint64_t missed = now >= t->samples.next ? deadlines_advance(&t->samples, now) : 0;

	t->last = now;
	t->next_rotation = now + t->rotation;
	t->stagger_due = is_due(&t->next_stagger, STAGGER_NS, now, interval);
	t->check_due = is_due(&t->next_check, CHECK_NS, now, t->rotation ? t->rotation : interval);
	t->check_due |= interval >= CHECK_NS;
	return missed;
}

uint64_t timetable_skip_sample(struct timetable *t, uint64_t now)
{
	t->next_rotation = now + t->rotation;
	/* a sample before its deadline misses none */
	return now >= t->samples.next ? 1 + deadlines_advance(&t->samples, now) : 0;
}

void timetable_end_rotation(struct timetable *t, uint64_t now)
{
	t->next_rotation += t->rotation;
	if (t->next_rotation <= now)
		t->next_rotation = now + t->rotation;
}

void timetable_set_interval(struct timetable *t, uint64_t now, uint64_t interval,
			    uint64_t max_rounds)
{
	deadlines_change(&t->samples, now, interval);
	if (!t->rotation || t->rotation_is_fixed)
		return;
	t->rotation = interval / max_rounds;
	t->next_rotation = now + t->rotation;
}

size_t round_order_next(const struct round_order *order, size_t round, size_t count,
			size_t rotations)
{
	return (round + (order->backwards ? count - rotations : rotations)) % count;
}

bool round_order_end_sample(struct round_order *order, size_t count)
{
	const bool whole = (order->rotations + 1) % count == 0;

	order->rotations = 0;
	order->backwards ^= whole;
	return whole;
}
