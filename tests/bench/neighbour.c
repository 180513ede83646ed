/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Neighbours: the work of other programs of a machine while it is monitored. A thread on each CPU
 * works all the time; monitors next to them are stopped, and continued one at a time, for a turn
 * each.
 */
#include <err.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "commands.h"
#include "linux/kernel/clock.h"

#define LINE	     64
#define BUFFER_BYTES (UINT64_C(64) << 20) /* more than the caches of one CPU hold */
#define COPY_BYTES   4096
#define PAGE_BYTES   4096
#define FRESH_PAGES  64	  /* each of them a page fault */
#define SPINS	     1000 /* steps of a generator, of a cycle or more each: about a microsecond */
#define LOADS	     16
#define REQUEST_NS   100000
#define FASTEST_NS   (REQUEST_NS / 2) /* requests take longer, unless the clock doubles */
#define SETTLE_NS    10000000 /* a monitor that was stopped catches up on its deadlines first */
#define BETWEEN	     (-1)     /* turns */

struct worker {
	const struct crowd *crowd;
	pthread_t thread;
	int cpu;
	char *buffer;
	void **next;	/* lines of the chase */
	uint64_t state; /* state of the spin */
	_Atomic uint64_t done;
	uint64_t *latencies; /* requests in one turn */
	size_t room;
	_Atomic size_t count;
};

/* Latencies of all requests during turns of one monitor, or of none. */
struct pool {
	uint64_t *latencies;
	size_t count;
};

struct crowd {
	const struct bench_options *options;
	const struct kind *kind;
	struct worker *workers;
	size_t count;
	struct pool pools[BENCH_BESIDE + 1];
	uint64_t request_spins;
	_Atomic int turn; /* monitor that runs now: 0 none, else its number; or BETWEEN */
	_Atomic bool ends;
};

struct kind {
	void (*prepare)(struct worker *w); /* may be NULL */
	void (*work)(struct worker *w);	   /* least unit of work that is counted */
};

static void spin(struct worker *w)
{
	uint64_t x = w->state;

	for (unsigned i = 0; i < SPINS; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	w->state = x;
}

static void take_buffer(struct worker *w)
{
	w->buffer = aligned_alloc(LINE, BUFFER_BYTES);
	if (!w->buffer)
		errx(1, "out of memory");
	memset(w->buffer, 1, BUFFER_BYTES);
}

/* Copies the lower half of the buffer to the upper half. */
static void stream(struct worker *w)
{
	const uint64_t half = BUFFER_BYTES / 2;
	const uint64_t at = w->state % half;

	memcpy(w->buffer + half + at, w->buffer + at, COPY_BYTES);
	w->state = at + COPY_BYTES;
}

static void **line(const struct worker *w, uint64_t i)
{
	return (void **)(void *)(w->buffer + i * LINE);
}

/* Links all lines to one cycle (Sattolo's shuffle), so that no load can begin before the last. */
static void lay_chase(struct worker *w)
{
	const uint64_t lines = BUFFER_BYTES / LINE;

	take_buffer(w);
	for (uint64_t i = 0; i < lines; i++)
		*line(w, i) = line(w, i);
	for (uint64_t i = lines - 1; i > 0; i--) {
		w->state = w->state * UINT64_C(6364136223846793005) + 1442695040888963407;
		const uint64_t other = (w->state >> 33) % i;
		void *kept = *line(w, i);

		*line(w, i) = *line(w, other);
		*line(w, other) = kept;
	}
	w->next = line(w, 0);
}

static void chase(struct worker *w)
{
	for (unsigned i = 0; i < LOADS; i++)
		w->next = *(void *volatile *)w->next;
}

/* Keeps a latency, while there is room: a turn that is ended late has more requests. */
static void add_latency(struct worker *w, uint64_t ns)
{
	const size_t count = atomic_load(&w->count);

	if (count == w->room)
		return;
	w->latencies[count] = ns;
	atomic_store(&w->count, count + 1);
}

/* Measures requests that began and ended in one turn. */
static void request(struct worker *w)
{
	const int turn = atomic_load(&w->crowd->turn);
	const uint64_t start = clock_monotonic();

	for (uint64_t i = 0; i < w->crowd->request_spins; i++)
		spin(w);
	const uint64_t end = clock_monotonic();
	if (turn != BETWEEN && turn == atomic_load(&w->crowd->turn))
		add_latency(w, end - start);
}

static void fault(struct worker *w)
{
	char *fresh = mmap(NULL, FRESH_PAGES * PAGE_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)w;
	if (fresh == MAP_FAILED)
		err(1, "mmap");
	for (size_t i = 0; i < FRESH_PAGES; i++)
		*(volatile char *)(fresh + i * PAGE_BYTES) = 1;
	munmap(fresh, FRESH_PAGES * PAGE_BYTES);
}

static const struct kind a_spin = {.work = spin};
static const struct kind a_stream = {.prepare = take_buffer, .work = stream};
static const struct kind a_chase = {.prepare = lay_chase, .work = chase};
static const struct kind requests = {.work = request};
static const struct kind faults = {.work = fault};

static void *work(void *argument)
{
	struct worker *w = argument;

	while (!atomic_load_explicit(&w->crowd->ends, memory_order_relaxed)) {
		w->crowd->kind->work(w);
		atomic_store_explicit(&w->done, w->done + 1, memory_order_relaxed);
	}
	return NULL;
}

/* Returns the shortest of several tries: the CPU at its fastest, with nobody else on it. */
static uint64_t spins_of_request(void)
{
	struct worker w = {.state = 1};
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < 1000; i++) {
		const uint64_t start = clock_monotonic();

		for (unsigned j = 0; j < 10; j++)
			spin(&w);
		const uint64_t took = clock_monotonic() - start;
		least = took < least ? took : least;
	}
	return 10 * REQUEST_NS / least + !w.state;
}

static void pin(pthread_attr_t *attr, int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	pthread_attr_init(attr);
	pthread_attr_setaffinity_np(attr, sizeof(cpus), &cpus);
}

static void start_worker(struct crowd *c, int cpu)
{
	struct worker *w = &c->workers[c->count++];
	pthread_attr_t attr;

	*w = (struct worker){.crowd = c, .cpu = cpu, .state = (uint64_t)cpu + 1};
	if (c->kind->prepare)
		c->kind->prepare(w);
	w->room = c->options->interval_ns / FASTEST_NS + 1;
	w->latencies = allocate(w->room, sizeof(*w->latencies));
	pin(&attr, cpu);
	if (pthread_create(&w->thread, &attr, work, w))
		errx(1, "no thread on CPU %d", cpu);
	pthread_attr_destroy(&attr);
}

static void start_workers(struct crowd *c)
{
	cpu_set_t cpus;

	if (sched_getaffinity(0, sizeof(cpus), &cpus))
		err(1, "sched_getaffinity");
	c->workers = allocate((size_t)CPU_COUNT(&cpus), sizeof(*c->workers));
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &cpus))
			start_worker(c, cpu);
}

static void stop_workers(struct crowd *c)
{
	atomic_store(&c->ends, true);
	for (size_t i = 0; i < c->count; i++) {
		pthread_join(c->workers[i].thread, NULL);
		free(c->workers[i].buffer);
		free(c->workers[i].latencies);
	}
	free(c->workers);
}

static void pause_for(uint64_t ns)
{
	int signal_number;
	sigset_t none;

	sigemptyset(&none);
	clock_sleep_until(clock_monotonic() + ns, &none, &signal_number);
}

static uint64_t work_done(const struct crowd *c)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < c->count; i++)
		sum += atomic_load_explicit(&c->workers[i].done, memory_order_relaxed);
	return sum;
}

static void tell(const struct crowd *c, int who, int signal_number)
{
	if (who && kill(c->options->beside[who - 1], signal_number))
		err(1, "the monitor %d", c->options->beside[who - 1]);
}

/*
 * Moves the workers' latencies to the pool of the turn's monitor; returns their 99.9th percentile.
 */
static double take_latencies(struct crowd *c, struct pool *pool)
{
	uint64_t *const turn = pool->latencies + pool->count;
	size_t count = 0;

	for (size_t i = 0; i < c->count; i++) {
		const size_t more = atomic_exchange(&c->workers[i].count, 0);

		memcpy(turn + count, c->workers[i].latencies, more * sizeof(*turn));
		count += more;
	}
	if (!count)
		errx(1, "no request ended in a turn of %" PRIu64 " ns", c->options->interval_ns);
	pool->count += count;
	return (double)sorted_permille(turn, count, 999);
}

/* Returns work per second; for requests, the 99.9th percentile of their latencies, ns. */
static double take_turn(struct crowd *c, int who)
{
	tell(c, who, SIGCONT);
	pause_for(SETTLE_NS);
	const uint64_t before = work_done(c), start = clock_monotonic();
	atomic_store(&c->turn, who);
	pause_for(c->options->interval_ns);
	atomic_store(&c->turn, BETWEEN);
	const uint64_t after = work_done(c), end = clock_monotonic();
	tell(c, who, SIGSTOP);
	if (c->kind != &requests)
		return (double)(after - before) * 1e9 / (double)(end - start);
	pause_for(SETTLE_NS); /* a request that ends now does not belong to this turn */
	return take_latencies(c, &c->pools[who]);
}

static json_t *all_latencies(struct crowd *c)
{
	json_t *out = json_array();

	for (size_t i = 0; c->kind == &requests && i <= c->options->beside_count; i++)
		json_array_append_new(out, distribution(c->pools[i].latencies, c->pools[i].count));
	return out;
}

/* Takes a turn without a monitor, and one with each monitor. */
static void take_round(struct crowd *c, json_t *rounds)
{
	json_t *turns = json_array();

	for (int who = 0; who <= (int)c->options->beside_count; who++)
		json_array_append_new(turns, json_real(take_turn(c, who)));
	json_array_append_new(rounds, turns);
}

/* Makes room for all latencies, which only requests have. */
static void open_pools(struct crowd *c, size_t rounds)
{
	const size_t turn = c->count * c->workers->room;

	for (size_t i = 0; c->kind == &requests && i <= c->options->beside_count; i++)
		c->pools[i].latencies = allocate(rounds * turn, sizeof(uint64_t));
}

static void tell_all(const struct crowd *c, int signal_number)
{
	for (int who = 1; who <= (int)c->options->beside_count; who++)
		tell(c, who, signal_number);
}

static void run(const struct bench_options *options, const struct kind *kind, size_t count)
{
	struct crowd c = {.options = options, .kind = kind, .turn = BETWEEN};
	json_t *rounds = json_array();

	c.request_spins = spins_of_request();
	tell_all(&c, SIGSTOP);
	start_workers(&c);
	open_pools(&c, count);
	for (size_t i = 0; i < count; i++)
		take_round(&c, rounds);
	tell_all(&c, SIGCONT);
	print_result(json_pack("{s:I, s:o, s:o}", "cpus", (json_int_t)c.count, "rounds", rounds,
			       "latencies_ns", all_latencies(&c)));
	stop_workers(&c);
	for (size_t i = 0; i <= BENCH_BESIDE; i++)
		free(c.pools[i].latencies);
}

void run_spin(const struct bench_options *options, size_t rounds)
{
	run(options, &a_spin, rounds);
}

void run_stream(const struct bench_options *options, size_t rounds)
{
	run(options, &a_stream, rounds);
}

void run_chase(const struct bench_options *options, size_t rounds)
{
	run(options, &a_chase, rounds);
}

void run_requests(const struct bench_options *options, size_t rounds)
{
	run(options, &requests, rounds);
}

void run_faults(const struct bench_options *options, size_t rounds)
{
	run(options, &faults, rounds);
}
