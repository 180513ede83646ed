/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads of a load. Each thread writes only its own counters, which are read while it runs:
 * relaxed atomics suffice, because no other data depends on them.
 */

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "linux/kernel/clock.h"
#include "linux/kernel/limits.h"
#include "probe/load/load_private.h"

#define CHASE_LINKS 1000    /* between two readings of the clock */
#define SPIN_NS	    60000   /* a sleep may last longer by this */
#define SLEEP_NS    2000000 /* at most, so that a stop is noticed */

typedef void *thread_main(void *worker);

struct worker {
	_Alignas(KERNEL_LINE) pthread_t thread;
	bool running;
	const atomic_bool *stop;
	unsigned cpu;
	char *memory;
	size_t bytes;
	double bytes_per_s, read_share;
	bool through_caches; /* writes through the caches */
	void *line;	     /* in the ring */
	unsigned chains;     /* number of chains to chase along; 0: transfers bytes */
	void *lines[KERNEL_CHAINS_MOST];
	atomic_uint_least64_t bytes_read, bytes_written, chased, chase_ns;
};

struct workers {
	struct worker *all;
	size_t count;
	size_t first; /* first one that transfers bytes */
	void *ring;
	size_t ring_lines;
	atomic_bool stop;
};

static void add_bytes(atomic_uint_least64_t *counter, uint64_t more)
{
	atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + more,
			      memory_order_relaxed);
}

static bool is_stopped(const struct worker *w)
{
	return atomic_load_explicit(w->stop, memory_order_relaxed);
}

/* Leaves the core to its other hardware thread for a moment. */
static void spin_briefly(void)
{
#ifdef __x86_64__
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

/*
 * Waits, with an error of less than a chunk's time; sleeps during a long wait, except at its end.
 */
static void wait_until(const struct worker *w, uint64_t due)
{
	for (uint64_t now = clock_monotonic(); now < due && !is_stopped(w);
	     now = clock_monotonic()) {
		const uint64_t left = due - now;

		if (left <= SPIN_NS) {
			spin_briefly();
			continue;
		}
		const uint64_t ns = left - SPIN_NS < SLEEP_NS ? left - SPIN_NS : SLEEP_NS;
		const struct timespec pause = {.tv_nsec = (long)ns};
		nanosleep(&pause, NULL);
	}
}

/* Returns the lines of a chunk to read, so that the share of all bytes so far is kept. */
static size_t lines_to_read(double share, double read, double total, size_t chunk)
{
	const double wanted = share * (total + (double)chunk) - read;
	const size_t lines = chunk / KERNEL_LINE;

	if (wanted <= 0)
		return 0;
	const size_t read_lines = (size_t)(wanted / KERNEL_LINE + 0.5);
	return read_lines < lines ? read_lines : lines;
}

static void *move_lines(void *worker)
{
	struct worker *w = worker;
	const size_t most = pacing_chunk(w->bytes_per_s);
	const size_t chunk = most < w->bytes ? most : w->bytes;
	struct pacing pacing;
	double read = 0, total = 0;
	size_t at = 0;

	clock_set_timerslack();
	pacing_begin(&pacing, w->bytes_per_s, clock_monotonic());
	while (!is_stopped(w)) {
		const size_t reads = lines_to_read(w->read_share, read, total, chunk) * KERNEL_LINE;

		if (at + chunk > w->bytes)
			at = 0;
		kernel_read(w->memory + at, reads);
		(w->through_caches ? kernel_store : kernel_write)(w->memory + at + reads,
								  chunk - reads);
		add_bytes(&w->bytes_read, reads);
		add_bytes(&w->bytes_written, chunk - reads);
		at += chunk;
		read += (double)reads;
		total += (double)chunk;
		wait_until(w, pacing_moved(&pacing, chunk, clock_monotonic()));
	}
	return NULL;
}

static void *chase_pointers(void *worker)
{
	struct worker *w = worker;
	void *line = w->line;
	uint64_t before = clock_monotonic();

	while (!is_stopped(w)) {
		line = kernel_chase(line, CHASE_LINKS);
		const uint64_t now = clock_monotonic();
		add_bytes(&w->chased, CHASE_LINKS);
		add_bytes(&w->chase_ns, now - before);
		before = now;
	}
	w->line = line;
	return NULL;
}

static void *chase_all(void *worker)
{
	struct worker *w = worker;

	while (!is_stopped(w)) {
		kernel_chase_all(w->lines, w->chains, CHASE_LINKS);
		add_bytes(&w->bytes_read, (uint64_t)CHASE_LINKS * w->chains * KERNEL_LINE);
	}
	return NULL;
}

static void *fill_lines(void *worker)
{
	const struct worker *w = worker;

	memset(w->memory, 0, w->bytes);
	return NULL;
}

/*
 * Starts a thread, which inherits its CPU and its signal mask: signals are for the thread that
 * measures.
 */
static int start_worker(struct worker *w, thread_main *run, struct error *err)
{
	const struct affinity cpus = affinity_get();
	sigset_t all, before;
	int rc = affinity_set_cpu(w->cpu);

	if (!rc) {
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &before);
		rc = -pthread_create(&w->thread, NULL, run, w);
		pthread_sigmask(SIG_SETMASK, &before, NULL);
		affinity_set(&cpus);
	}
	w->running = !rc;
	return rc ? error_set(err, ERROR_FAILED, rc, "cpu %u: no thread can be started there: %s",
			      w->cpu, strerror(-rc))
		  : 0;
}

static void join_workers(struct workers *workers)
{
	for (size_t i = 0; i < workers->count; i++)
		if (workers->all[i].running) {
			pthread_join(workers->all[i].thread, NULL);
			workers->all[i].running = false;
		}
}

struct workers *workers_new(const unsigned *cpus, size_t count, bool run_kernels,
			    const struct worker_memory *memory)
{
	struct workers *workers = calloc(1, sizeof(*workers));
	const size_t size = count * sizeof(*workers->all);

	if (workers)
		workers->all = aligned_alloc(_Alignof(struct worker), size);
	if (!workers || !workers->all) {
		free(workers);
		return NULL;
	}
	memset(workers->all, 0, size);
	workers->count = count;
	workers->first = count > 1 && !run_kernels;
	workers->ring = memory->ring;
	workers->ring_lines = memory->ring_bytes / KERNEL_LINE;
	const size_t first = workers->first, movers = count - first;
	const size_t part = memory->moved_bytes / movers / KERNEL_LINE * KERNEL_LINE;
	for (size_t i = 0; i < count; i++) {
		struct worker *w = &workers->all[i];

		w->cpu = cpus[i];
		w->stop = &workers->stop;
		w->line = memory->ring;
		w->memory = i >= first ? memory->moved + (i - first) * part : NULL;
		w->bytes = i >= first ? part : 0;
		if (i + 1 == count) /* with the rest of the division */
			w->bytes = memory->moved_bytes - (movers - 1) * part;
	}
	return workers;
}

void workers_free(struct workers *workers)
{
	if (!workers)
		return;
	workers_stop(workers);
	free(workers->all);
	free(workers);
}

int workers_fill(struct workers *workers, struct error *err)
{
	int rc = 0;

	for (size_t i = workers->first; !rc && i < workers->count; i++)
		rc = start_worker(&workers->all[i], fill_lines, err);
	join_workers(workers);
	return rc;
}

/* Returns a kernel's traffic, except for the chains of a chase. */
static struct load_traffic traffic_of(const struct load_traffic *traffic)
{
	if (!traffic->kernel_alone)
		return *traffic;
	return (struct load_traffic){
		.bytes_per_s = LOAD_MOST,
		.read_share = traffic->kernel != KERNEL_STORES,
		.kernel_alone = true,
		.chains = traffic->kernel == KERNEL_CHASE ? traffic->chains : 0,
	};
}

/* Places the chains of all threads apart. */
static void place_chains(const struct workers *workers, size_t i, unsigned chains)
{
	struct worker *w = &workers->all[i];

	w->chains = chains;
	for (size_t k = 0; k < chains; k++)
		w->lines[k] = kernel_chain(workers->ring, workers->ring_lines,
					   workers->count * chains, i * chains + k);
}

int workers_start(struct workers *workers, const struct load_traffic *wanted, struct error *err)
{
	const struct load_traffic traffic = traffic_of(wanted);
	const double each = traffic.bytes_per_s / (double)(workers->count - workers->first);
	int rc = 0;

	workers_stop(workers);
	atomic_store(&workers->stop, false);
	for (size_t i = 0; !rc && i < workers->count; i++) {
		struct worker *w = &workers->all[i];
		const bool chases = traffic.chase && !i;
		const bool moves = each > 0 && i >= workers->first && !chases;

		w->bytes_per_s = each;
		w->read_share = traffic.read_share;
		w->through_caches = traffic.kernel_alone;
		place_chains(workers, i, traffic.chains);
		if (chases || moves)
			rc = start_worker(w,
					  chases      ? chase_pointers
					  : w->chains ? chase_all
						      : move_lines,
					  err);
	}
	if (rc)
		workers_stop(workers);
	return rc;
}

void workers_stop(struct workers *workers)
{
	atomic_store(&workers->stop, true);
	join_workers(workers);
}

void workers_progress(const struct workers *workers, struct load_progress *out)
{
	for (size_t i = 0; i < workers->count; i++) {
		const struct worker *w = &workers->all[i];

		out->bytes_read += atomic_load_explicit(&w->bytes_read, memory_order_relaxed);
		out->bytes_written += atomic_load_explicit(&w->bytes_written, memory_order_relaxed);
		out->chased += (double)atomic_load_explicit(&w->chased, memory_order_relaxed);
		out->chase_ns += (double)atomic_load_explicit(&w->chase_ns, memory_order_relaxed);
	}
}
