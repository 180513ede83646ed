/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counting with registers that are programmed, frozen, read and restored: begins and ends it, and
 * measures at the start if counters are to be frozen, and which threads read them.
 */
#include "poller/poller_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "platform/clock.h"
#include "platform/cpus.h"

/* Allocates arrays with one element more, so that none is empty. */
static bool allocate_values(struct poller *poller)
{
	const struct plan *plan = poller->plan;
	const size_t reads = plan->read_count + 1;

	poller->sockets = calloc(plan->domain_count + 1, sizeof(*poller->sockets));
	poller->ranges = calloc(plan->unit_count + 1, sizeof(*poller->ranges));
	poller->idle = calloc(plan->round_count + 1, sizeof(*poller->idle));
	poller->reads = calloc(reads, sizeof(*poller->reads));
	poller->failures = calloc(reads, sizeof(*poller->failures));
	poller->previous = calloc(reads, sizeof(*poller->previous));
	poller->before_undelivered = calloc(reads, sizeof(*poller->before_undelivered));
	return poller->sockets && poller->ranges && poller->idle && poller->reads &&
	       poller->failures && poller->previous && poller->before_undelivered;
}

/* Makes a job of each socket's domains, which are in the order of their sockets. */
static void divide_by_socket(struct poller *poller)
{
	const struct plan *plan = poller->plan;
	int socket = -1;

	for (size_t d = 0; d < plan->domain_count; d++) {
		const struct unit *unit = plan->units[plan->domains[d].first_unit].unit;

		if (!d || unit->socket != socket)
			poller->sockets[poller->socket_count++] = (struct socket_job){
				.poller = poller,
				.first = d,
				.cpu = topology_reader_cpu(&plan->machine->topology, unit->socket),
			};
		socket = unit->socket;
		poller->sockets[poller->socket_count - 1].end = d + 1;
	}
}

/*
 * The longest time that counters may go unread: an occupancy of 3000 entries at 4 GHz counts half
 * of the range of 48 bits in 11.7 s, and no queue has as many. Narrower counters are read more
 * often.
 */
#define MAX_GAP_NS (10 * NS_PER_S)
#define MIN_GAP_NS 1000000

static uint64_t max_gap(const struct plan *plan)
{
	uint64_t gap = MAX_GAP_NS;

	for (size_t s = 0; s < plan->counter_count; s++) {
		const int bits = __builtin_popcountll(plan->counters[s].mask);
		const uint64_t its_gap = bits < 48 ? MAX_GAP_NS >> (48 - bits) : MAX_GAP_NS;

		gap = its_gap < gap ? its_gap : gap;
	}
	return gap < MIN_GAP_NS ? MIN_GAP_NS : gap;
}

#define MIN_INTERVALS_FROZEN 20 /* freezing may take 1/20 of an interval */

#define FAILED UINT64_MAX /* ns of a reading that failed: longer than any other */

/*
 * Decides if counters are frozen while they are read. Events during a freeze are in no count.
 * Without it, two counters of a unit are read a register access apart, and their ratio is wrong by
 * at most the change of traffic in that time; their rates are right either way. So freezing is
 * worth it until it takes a part of the interval that counts would miss.
 */
static void choose_freezing(struct poller *poller, uint64_t frozen)
{
	const enum freeze_policy policy = poller->plan->policy;
	const uint64_t interval = poller->times.samples.interval;
	const struct log *log = &poller->platform->log;
	const double us = (double)frozen / 1e3;
	const double pct = 100 * (double)frozen / (double)interval;

	if (!frozen || policy == FREEZE_ALWAYS || policy == FREEZE_NEVER)
		return;
	if (frozen <= interval / MIN_INTERVALS_FROZEN) {
		log_write(log, LEVEL_DETAIL,
			  "counters are frozen while they are read: for %.1f us, %.2f %% of an "
			  "interval",
			  us, pct);
		return;
	}
	log_write(log, LEVEL_DETAIL,
		  "counters are read while they run: frozen for %.1f us they would miss %.0f %% of "
		  "an interval (--freeze=always does that)",
		  us, pct);
	pmu_state_stop_freezing(poller->pmu);
	poller->frame.skewed = poller->plan->domain_count > 0;
}

static void begin_domain(struct poller *poller, size_t d, uint64_t now)
{
	const struct freeze_domain *domain = &poller->plan->domains[d];
	struct domain_state *reads = &poller->domains[d];

	reads->ranges = &poller->ranges[domain->first_unit];
	reads->rotation = 0;
	reads->failed = true; /* errors of an earlier run are cleared */
	reads->stuck = reads->found_frozen = false;
	reads->frozen_at = reads->unfrozen_at = now;
	poller->frame.skewed |= !reads->freezes;
	for (size_t u = domain->first_unit; u < domain->first_unit + domain->unit_count; u++) {
		const struct plan_unit *pu = &poller->plan->units[u];

		if (pu->round_count > 1)
			reads->rotation |= pu->staggered ? ROTATES_STAGGERED : ROTATES_WITHIN;
		poller->units[u].rotate_err = 0;
		poller->units[u].reclaim = poller->units[u].restart = false;
		poller->units[u].found_frozen = false;
		poller->frame.units[u].clobbered = false;
	}
	poller_find_ranges(poller, d);
}

/* Lets a unit that does not respond yet count from the values that programming has set. */
static void use_programmed_values(struct poller *poller, size_t u)
{
	const struct read_range range = poller->units[u].range;
	const size_t first_counter = poller_round(poller, u)->first_counter;

	if (poller_unit_answers(poller, u))
		return;
	poller->frame.units[u].error = 0;
	for (size_t r = range.first; r < range.end; r++) {
		const size_t s = first_counter + (r - range.first);

		poller->frame.raw[r] = 0;
		if (poller->plan->counters[s].free_running)
			reg_read(poller->platform, &poller->counters[s].reg, &poller->frame.raw[r],
				 NULL);
	}
}

static void reset_registers(struct poller *poller)
{
	const struct plan *plan = poller->plan;
	const uint64_t now = poller->platform->ops->clock->now(poller->platform);

	poller_prepare(poller);
	poller->frame.epoch++;
	poller->frame.skewed = false;
	poller->frame.has_undelivered = false;
	memset(poller->frame.undelivered, 0, plan->read_count * sizeof(*poller->frame.undelivered));
	memset(poller->frame.skew, 0, plan->read_count * sizeof(*poller->frame.skew));
	for (size_t s = 0; s < plan->counter_count; s++)
		poller->counters[s].kept = 0;
	/* all controls were checked when they were programmed */
	memset(poller->idle, true, plan->round_count * sizeof(*poller->idle));
	for (size_t d = 0; d < plan->domain_count; d++)
		begin_domain(poller, d, now);
	for (size_t i = 0; i < poller->socket_count; i++)
		poller->sockets[i].clock_stopped = false;
	poller->any_frozen = true; /* the frame's freezes are found anew */
}

/* Starts the programmed counters, and reads the values from which counting begins. */
static int program_registers(struct poller *poller, struct error *err)
{
	uint64_t first, second;

	reset_registers(poller);
	int rc = poller_read_domains(poller, READ_START, &first, err);
	if (!rc)
		rc = pmu_state_unfreeze_sockets(poller->pmu, err);
	if (!rc)
		rc = poller_read_domains(poller, READ_START, &second, err);
	if (rc)
		return rc;
	for (size_t u = 0; u < poller->plan->unit_count; u++)
		use_programmed_values(poller, u);
	memcpy(poller->previous, poller->frame.raw,
	       poller->plan->read_count * sizeof(*poller->previous));
	choose_freezing(poller, first < second ? first : second);
	poller_find_clocks(poller);
	poller_list_controls(poller);
	return 0;
}

/*
 * Binds the thread to a CPU, so that MSRs of its socket are read without an interrupt. -1: undoes
 * that.
 */
static int set_affinity(struct poller *poller, int cpu)
{
	struct platform *p = poller->platform;

	return p->ops->cpus->set_affinity ? p->ops->cpus->set_affinity(p, cpu) : -1;
}

/* Returns the time of the shorter of two readings. A failure will recur in the next sample. */
static uint64_t time_readings(struct poller *poller)
{
	struct platform *p = poller->platform;
	uint64_t shortest = FAILED, ignored;
	struct error err;

	for (unsigned i = 0; i < 2; i++) {
		const uint64_t start = p->ops->clock->now(p);

		if (poller_read_domains(poller, READ_START, &ignored, &err))
			return FAILED;
		const uint64_t took = p->ops->clock->now(p) - start;
		shortest = took < shortest ? took : shortest;
	}
	return shortest;
}

static void choose_readers(struct poller *poller)
{
	const struct log *log = &poller->platform->log;
	/* one thread for each socket except the first */
	struct readers *readers = readers_new(poller->platform, poller_read_socket,
					      poller->sockets + 1, poller->socket_count - 1);

	if (!readers) {
		log_write(log, LEVEL_DETAIL,
			  "cannot pin a thread on each socket: one thread reads all");
		return;
	}
	const uint64_t alone = time_readings(poller);
	poller->readers = readers;
	const uint64_t together = alone == FAILED ? FAILED : time_readings(poller);
	/* threads that must be woken are worth a gain of a tenth or more */
	if (together > alone - alone / 10) {
		readers_free(readers);
		poller->readers = NULL;
	}
	if (together == FAILED)
		return;
	log_write(log, LEVEL_DETAIL,
		  "registers of %zu sockets are read by %s: one thread takes %.1f us, one thread "
		  "per socket %.1f us",
		  poller->socket_count, poller->readers ? "one thread per socket" : "one thread",
		  (double)alone / 1e3, (double)together / 1e3);
}

/* Logs the CPUs through which MSRs are accessed, and why a spared one is used. */
static void tell_cpus(const struct poller *poller)
{
	const struct plan *plan = poller->plan;
	const struct topology *topology = &plan->machine->topology;

	for (size_t i = 0; i < poller->socket_count; i++) {
		const struct socket_job *job = &poller->sockets[i];
		unsigned spared = 0;

		for (size_t c = 0; c < topology->count; c++)
			if ((int)topology->cpus[c].cpu == job->cpu)
				spared = topology->cpus[c].spared;
		log_write(&poller->platform->log, LEVEL_DETAIL,
			  "socket %d: MSRs of the uncore are accessed through CPU %d%s",
			  plan->units[plan->domains[job->first].first_unit].unit->socket, job->cpu,
			  spared & SPARED_ISOLATED   ? ", because all its CPUs are isolated"
			  : spared & SPARED_UNLISTED ? ", because --cpus names none of its CPUs"
			  : spared & SPARED_FOREIGN
				  ? ", on which this process may not run: each access interrupts "
				    "that CPU"
				  : "");
	}
}

static void place_readers(struct poller *poller)
{
	struct platform *p = poller->platform;

	tell_cpus(poller);
	if (!poller->socket_count || set_affinity(poller, poller->sockets[0].cpu))
		return;
	log_write(&p->log, LEVEL_DETAIL,
		  "registers are read on CPU %d, through which they are reached",
		  poller->sockets[0].cpu);
	if (poller->socket_count > 1)
		choose_readers(poller);
	/* a setup longer than the first interval is not a missed deadline */
	const uint64_t now = p->ops->clock->now(p);
	if (now >= poller->times.samples.next)
		timetable_start(&poller->times, now);
}

/*
 * Starts counting. The thread is bound meanwhile, if allowed, so that measured times are valid for
 * later samples.
 */
static int start_registers(struct poller *poller, struct error *err)
{
	int rc = pmu_state_start(poller->pmu, err);

	if (!rc)
		rc = poller_allocate_controls(poller, err);
	if (rc)
		return rc;
	const bool bound = poller->binds && poller->socket_count &&
			   !set_affinity(poller, poller->sockets[0].cpu);
	rc = program_registers(poller, err);
	if (bound)
		set_affinity(poller, -1);
	return rc;
}

/*
 * Programs everything after a suspension. Earlier counts are lost: counting begins again with this
 * frame.
 */
static int resume_registers(struct poller *poller, struct error *err)
{
	const int rc = pmu_state_reprogram(poller->pmu, err);

	return rc ? rc : program_registers(poller, err);
}

static int stop_registers(struct poller *poller, struct error *err)
{
	readers_free(poller->readers);
	poller->readers = NULL;
	return pmu_state_restore(poller->pmu, err);
}

static void release_registers(struct poller *poller)
{
	free(poller->sockets);
	free(poller->ranges);
	free(poller->idle);
	free(poller->reads);
	free(poller->failures);
	free(poller->previous);
	free(poller->before_undelivered);
	poller_free_controls(poller);
}

static const struct backend registers = {
	.start = start_registers,
	.resume = resume_registers,
	.read = poller_read_domains,
	.read_undelivered = poller_read_undelivered,
	.place_readers = place_readers,
	.stop = stop_registers,
	.free = release_registers,
};

int poller_use_registers(struct poller *poller, struct pmu_state *pmu, struct error *err)
{
	poller->backend = &registers;
	poller->pmu = pmu;
	poller->counters = pmu->counters;
	poller->units = pmu->units;
	poller->domains = pmu->domains;
	poller->times.max_gap = max_gap(poller->plan);
	if (!allocate_values(poller))
		return error_no_memory(err);
	divide_by_socket(poller);
	return 0;
}
