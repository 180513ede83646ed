/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One reading of all counters: each domain is frozen, read, and unfrozen. How each register is
 * reached was decided before: between a freeze and an unfreeze there are the reads and nothing
 * else, unless rounds rotate.
 */
#include "poller/poller_private.h"

#include <errno.h>
#include <string.h>

#include "platform/clock.h"
#include "poller/pmu_state_private.h"

/* Keeps rare work out of line, so that the values of every reading stay in registers. */
#define APART __attribute__((noinline))

static bool has_free_running(const struct plan *plan, size_t d)
{
	const struct freeze_domain *domain = &plan->domains[d];

	for (size_t u = domain->first_unit; u < domain->first_unit + domain->unit_count; u++)
		if (plan->units[u].unit->free_running)
			return true;
	return false;
}

void poller_prepare(struct poller *poller)
{
	const struct plan *plan = poller->plan;
	struct platform *p = poller->platform;

	for (size_t s = 0; s < plan->counter_count; s++)
		reg_prepare(p, &poller->counters[s].reg, &poller->counters[s].handle);
	for (size_t d = 0; d < plan->domain_count; d++) {
		struct domain_state *domain = &poller->domains[d];

		reg_prepare(p, &domain->control.reg, &domain->handle);
		domain->has_free_running = has_free_running(plan, d);
		/* another CPU's times may be longer */
		domain->usual_end_ns = domain->usual_begin_ns = domain->usual_frozen_ns =
			UINT64_MAX;
	}
	for (size_t u = 0; u < plan->unit_count; u++)
		poller_use_round(poller, u);
}

static void fail_unit(struct poller *poller, size_t u, int code)
{
	poller->frame.units[u].error = code;
	poller->frame.units[u].failed_read = FRAME_NO_READ;
}

APART static void clear_errors(struct poller *poller, const struct freeze_domain *domain)
{
	for (size_t u = domain->first_unit; u < domain->first_unit + domain->unit_count; u++) {
		const struct read_range range = poller->units[u].range;

		poller->frame.units[u].error = 0;
		for (size_t r = range.first; r < range.end; r++)
			poller->failures[r] = 0;
	}
}

/* Marks a unit with the error of its first counter that could not be read. */
static void find_error(struct poller *poller, size_t u)
{
	const struct unit_state *reads = &poller->units[u];
	struct frame_unit *unit = &poller->frame.units[u];

	if (reads->rotate_err) {
		fail_unit(poller, u, reads->rotate_err);
		return;
	}
	for (size_t r = reads->range.first; r < reads->range.end; r++) {
		if (!poller->failures[r])
			continue;
		unit->error = poller->failures[r];
		unit->failed_read = (uint16_t)(r - reads->range.first);
		unit->cpu = poller->reads[r].reg->cpu;
		return;
	}
}

/* Sets the errors of a domain's units. Returns true if there are any. */
APART static bool find_errors(struct poller *poller, const struct freeze_domain *domain)
{
	bool any = false;

	for (size_t u = domain->first_unit; u < domain->first_unit + domain->unit_count; u++) {
		find_error(poller, u);
		any |= poller->frame.units[u].error != 0;
	}
	return any;
}

/* Reads the counters of a domain while they run; each has its own time. */
static size_t read_running_once(struct poller *poller, struct domain_state *domain)
{
	struct platform *p = poller->platform;
	const struct read_range *range = domain->ranges, *end = range + domain->range_count;
	uint64_t before = domain->frozen_at, longest = 0, shortest = UINT64_MAX;
	size_t failed = 0;

	for (; range < end; range++)
		for (size_t r = range->first; r < range->end; r++) {
			failed += reg_read_all(p, &poller->reads[r], 1, &poller->frame.raw[r],
					       &poller->failures[r]);
			const uint64_t now = p->ops->clock->now(p);

			poller->frame.skew[r] = now - domain->frozen_at;
			longest = now - before > longest ? now - before : longest;
			shortest = now - before < shortest ? now - before : shortest;
			before = now;
		}
	poller_excess(&domain->usual_end_ns, shortest);
	domain->end_uncertain_ns = domain->begin_uncertain_ns =
		poller_excess(&domain->usual_end_ns, longest);
	return failed;
}

/*
 * Reads running counters, and reads all again if the thread was held up: their times are then
 * close.
 */
APART static size_t read_running(struct poller *poller, struct domain_state *domain)
{
	struct platform *p = poller->platform;
	size_t failed = read_running_once(poller, domain);

	for (unsigned i = 0; i < MOST_AGAIN && poller_held_up(poller, domain->end_uncertain_ns);
	     i++) {
		domain->frozen_at = domain->unfrozen_at = p->ops->clock->now(p);
		failed += read_running_once(poller, domain);
	}
	return failed;
}

/* Reads a domain's counters. One that cannot be read does not end the reading. */
static void read_units(struct poller *poller, size_t d)
{
	struct domain_state *reads = &poller->domains[d];
	const struct read_range *range = reads->ranges, *end = range + reads->range_count;
	size_t failed = reads->failed;

	if (failed)
		clear_errors(poller, &poller->plan->domains[d]);
	if (!reads->freezes)
		failed += read_running(poller, reads);
	for (; reads->freezes && range < end; range++)
		failed += reg_read_all(poller->platform, &poller->reads[range->first],
				       range->end - range->first, &poller->frame.raw[range->first],
				       &poller->failures[range->first]);
	reads->failed = failed && find_errors(poller, &poller->plan->domains[d]);
}

static bool is_offline(int rc)
{
	return rc == -ENXIO || rc == -ENOENT;
}

/* Returns true if the CPU through which the domain's MSRs are reached has gone offline. */
static bool lost_its_cpu(const struct poller *poller, size_t d, int rc)
{
	const struct freeze_domain *domain = &poller->plan->domains[d];

	if (unit_is_cpu(poller->plan->units[domain->first_unit].unit))
		return false;
	if (rc)
		return poller->domains[d].control.reg.space == REG_MSR && is_offline(rc);
	for (size_t u = domain->first_unit; u < domain->first_unit + domain->unit_count; u++) {
		const size_t first = poller->units[u].range.first;

		if (poller->frame.units[u].error && poller->reads[first].reg->space == REG_MSR &&
		    is_offline(poller->failures[first]))
			return true;
	}
	return false;
}

/* Stops the counters of a domain, which may have stopped at any time since before, or earlier. */
static int stop_counters(struct platform *p, struct domain_state *domain, uint64_t before,
			 struct error *err)
{
	const int rc = reg_write_prepared(p, &domain->handle, domain->control.stop, err);

	domain->frozen_at = p->ops->clock->now(p);
	if (!domain->holds)
		domain->end_uncertain_ns =
			poller_excess(&domain->usual_end_ns, domain->frozen_at - before);
	return rc;
}

static int start_counters(struct platform *p, struct domain_state *domain, struct error *err)
{
	const uint64_t before = p->ops->clock->now(p);
	const int rc = reg_write_prepared(p, &domain->handle, domain->control.start, err);

	domain->unfrozen_at = p->ops->clock->now(p);
	domain->begin_uncertain_ns =
		poller_excess(&domain->usual_begin_ns, domain->unfrozen_at - before);
	/* until a stop is timed: it reads and writes the register that a start writes */
	if (domain->usual_end_ns == UINT64_MAX)
		domain->usual_end_ns = 2 * domain->usual_begin_ns;
	return rc;
}

/*
 * Adds the excess of a freeze to the uncertainty of both counts: it is in the one before or the
 * one after.
 */
static void doubt_free_running(struct domain_state *domain)
{
	const uint64_t ns =
		poller_excess(&domain->usual_frozen_ns, domain->unfrozen_at - domain->frozen_at);

	domain->end_uncertain_ns += ns;
	domain->begin_uncertain_ns += ns;
}

/* Freezes a domain, reads its units, unfreezes it. */
static int read_domain(struct poller *poller, struct socket_job *job, size_t d)
{
	struct platform *p = poller->platform;
	struct domain_state *reads = &poller->domains[d];
	const bool rotating = reads->rotation & job->rotation;
	struct error *err = &job->err;
	int rc = 0;

	if (rotating)
		poller_check_before_rotation(poller, d, job->rotation);
	/* a clock that was just read is as good */
	reads->frozen_at = job->now && !rotating ? job->now : p->ops->clock->now(p);
	reads->end_uncertain_ns = reads->begin_uncertain_ns = job->now = 0;
	reads->found_frozen = poller_found_frozen(poller, d);
	job->found_frozen |= reads->found_frozen;
	const bool freezes = reads->freezes && !reads->found_frozen;
	if (freezes)
		rc = stop_counters(p, reads, reads->frozen_at, err);
	reads->unfrozen_at = reads->frozen_at;
	if (rc)
		return rc;
	reads->holds = freezes;
	read_units(poller, d);
	if (reads->failed && d >= job->tried)
		job->lost = lost_its_cpu(poller, d, 0);
	if (rotating && !job->lost) {
		job->rotated = true;
		rc = poller_rotate(poller, d, job->rotation, err);
	}
	/* a domain found frozen stays so, unless a rotation has programmed it again */
	if (reads->freezes && !reads->found_frozen) {
		const int failure = start_counters(p, reads, rc ? NULL : err);

		reads->holds = reads->stuck = failure != 0;
		rc = rc ? rc : failure;
		job->now = reads->unfrozen_at;
		if (reads->has_free_running)
			doubt_free_running(reads);
	}
	return rc;
}

/*
 * Returns true for a fault that may pass, or CPUs that may come online again. At the start all
 * must work.
 */
static bool may_pass(const struct socket_job *job, int rc)
{
	return job->reason != READ_START && (rc == -EIO || is_offline(rc));
}

/*
 * Handles a failed reading. A CPU that goes offline takes only its own counters along: those of
 * its socket can be read through another CPU. If none is left, or the freeze register fails, the
 * domain has no values until it works again.
 */
APART static int handle_failure(struct poller *poller, struct socket_job *job, size_t d, int rc)
{
	const struct freeze_domain *domain = &poller->plan->domains[d];

	if (!unit_is_cpu(poller->plan->units[domain->first_unit].unit)) {
		job->lost |= rc && d >= job->tried && lost_its_cpu(poller, d, rc);
		job->rc = job->lost || !may_pass(job, rc) ? rc : 0;
		if (job->lost || job->rc || !rc)
			return job->rc;
	}
	for (size_t u = domain->first_unit; rc && u < domain->first_unit + domain->unit_count; u++)
		fail_unit(poller, u, rc);
	poller->domains[d].failed = true;
	return 0;
}

/* Reads a domain and adds its time. Returns false if the CPU was lost, or for an error. */
static bool finish_domain(struct poller *poller, struct socket_job *job, size_t d)
{
	struct domain_state *reads = &poller->domains[d];
	const uint64_t running_since = reads->unfrozen_at;
	const uint64_t begin_uncertain_ns = reads->begin_uncertain_ns;
	const bool stuck = reads->stuck;
	int rc = read_domain(poller, job, d);

	if (rc || reads->failed)
		rc = handle_failure(poller, job, d, rc);
	if (job->lost) { /* nothing was read, and the time of the counts continues */
		reads->unfrozen_at = running_since;
		reads->begin_uncertain_ns = begin_uncertain_ns;
		reads->stuck = stuck;
	}
	if (job->lost || rc)
		return false;
	if (!stuck)
		poller->frame.running_ns[d] += reads->frozen_at - running_since;
	poller->frame.uncertain_ns[d] += begin_uncertain_ns + reads->end_uncertain_ns;
	if (reads->unfrozen_at - reads->frozen_at > job->frozen_ns)
		job->frozen_ns = reads->unfrozen_at - reads->frozen_at;
	return true;
}

void poller_read_socket(struct socket_job *job)
{
	while (job->next < job->end && finish_domain(job->poller, job, job->next))
		job->next++;
	if (job->next == job->end && job->reason != READ_START)
		poller_check_domains(job);
}

static void begin_socket(struct socket_job *job, enum read_reason reason, unsigned rotation)
{
	job->reason = reason;
	job->rotation = rotation;
	job->next = job->first;
	job->frozen_ns = job->now = 0;
	job->rotated = false;
	job->found_frozen = false;
	job->lost = false;
	job->tried = job->first;
	job->rc = 0;
}

/*
 * Resumes a reading whose CPU was lost. Rerouting affects all jobs, so it is done only here, after
 * the threads. The units of a socket's L3 caches are reached through other CPUs than the rest:
 * each domain may find its CPU lost, once. If the socket has no CPU left, it is not tried again.
 */
static void read_through_another_cpu(struct poller *poller, struct socket_job *job)
{
	const struct freeze_domain *domain = &poller->plan->domains[job->next];
	const struct unit *unit = poller->plan->units[domain->first_unit].unit;

	job->lost = false;
	job->tried = job->next + 1;
	job->rc = 0;
	if (!pmu_state_reroute(poller->pmu, unit, NULL)) {
		poller_prepare(poller);
		poller_list_controls(poller);
	} else if (!unit->l3_scoped) {
		job->tried = job->end;
	}
	/*
	 * units that had rotated are read again while they count other events: the old counts are
	 * lost
	 */
	for (size_t u = domain->first_unit; u < domain->first_unit + domain->unit_count; u++)
		if (poller->frame.units[u].rotated)
			poller->units[u].rotate_err = -ENXIO;
	poller->domains[job->next].failed = true;
	poller_read_socket(job);
}

static void read_sockets(struct poller *poller)
{
	const size_t own = poller->readers ? 1 : poller->socket_count;

	if (poller->readers)
		readers_go(poller->readers);
	for (size_t i = 0; i < own && i < poller->socket_count; i++)
		poller_read_socket(&poller->sockets[i]);
	if (poller->readers)
		readers_wait(poller->readers);
}

/* Sets the values that the next reading is compared with, and the registers that it reads. */
static void end_rotation(struct poller *poller)
{
	const struct plan *plan = poller->plan;

	for (size_t u = 0; u < plan->unit_count; u++) {
		struct frame_unit *unit = &poller->frame.units[u];

		if (!unit->rotated)
			continue;
		poller->frame.rotated = true;
		poller_use_round(poller, u);
		poller_expect_round(poller, u);
		const struct read_range range = poller->units[u].range;
		memcpy(&poller->previous[range.first], &poller->frame.start[range.first],
		       (range.end - range.first) * sizeof(*poller->previous));
	}
	for (size_t d = 0; d < plan->domain_count && poller->frame.rotated; d++)
		poller_find_ranges(poller, d);
}

/*
 * Clears the marks of the previous frame. A unit that was programmed again is ours from the next
 * frame on.
 */
static void forget_rotation(struct poller *poller)
{
	for (size_t u = 0; u < poller->plan->unit_count; u++) {
		struct frame_unit *unit = &poller->frame.units[u];

		unit->clobbered &= !unit->reclaimed;
		unit->rotated = unit->reclaimed = false;
	}
	poller->frame.rotated = false;
}

int poller_read_domains(struct poller *poller, enum read_reason reason, uint64_t *frozen_ns,
			struct error *err)
{
	struct frame *frame = &poller->frame;
	const size_t sockets = poller->socket_count;

	bool rotated = false, frozen = poller->any_frozen;

	if (frame->rotated)
		forget_rotation(poller);
	frame->checked = reason != READ_START && poller->times.check_due;
	for (size_t i = 0; i < sockets; i++)
		begin_socket(&poller->sockets[i], reason, poller_rotation_due(poller, reason));
	read_sockets(poller);
	*frozen_ns = 0;
	for (size_t i = 0; i < sockets; i++) {
		struct socket_job *job = &poller->sockets[i];

		while (job->lost)
			read_through_another_cpu(poller, job);
		if (job->rc) {
			*err = job->err;
			return job->rc;
		}
		rotated |= job->rotated;
		frozen |= job->found_frozen;
		*frozen_ns = job->frozen_ns > *frozen_ns ? job->frozen_ns : *frozen_ns;
	}
	if (frame->checked) {
		frozen |= shared_freezes_read(poller->pmu);
		frozen |= poller_check_clocks(poller);
	}
	memcpy(poller->previous, frame->raw, poller->plan->read_count * sizeof(*poller->previous));
	if (frozen)
		poller_mark_frozen(poller);
	if (rotated)
		end_rotation(poller);
	return 0;
}

/* Returns the counts of a counter since the previous reading; 0: unknown yet. */
static uint64_t count_undelivered(const struct poller *poller, size_t u, size_t r)
{
	const size_t s = poller_round(poller, u)->first_counter + r - poller->units[u].range.first;
	const uint64_t mask = poller->plan->counters[s].mask,
		       before = poller->before_undelivered[r];
	const uint64_t delta = (poller->frame.raw[r] - before) & mask;

	if (unit_no_response(poller->plan->units[u].unit, before) || delta > mask / 2)
		return 0;
	return delta;
}

void poller_read_undelivered(struct poller *poller)
{
	struct frame *frame = &poller->frame;
	const size_t bytes = poller->plan->read_count * sizeof(*frame->raw);
	uint64_t frozen_ns = 0;

	memcpy(poller->before_undelivered, poller->previous, bytes);
	if (poller_read_domains(poller, READ_BETWEEN, &frozen_ns, &(struct error){0}))
		return; /* the next reading also fails, and ends the run */
	frame->frozen_ns += frozen_ns;
	frame->has_undelivered = true;
	for (size_t u = 0; u < poller->plan->unit_count; u++) {
		const struct read_range range = poller->units[u].range;

		for (size_t r = range.first; poller_unit_answers(poller, u) && r < range.end; r++)
			frame->undelivered[r] += count_undelivered(poller, u, r);
	}
}
