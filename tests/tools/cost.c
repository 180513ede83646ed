/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-cost [--sim=SPEC | --root=DIR] [--bare] [SAMPLES]
 *
 * Takes samples of the default metrics back to back, passes each to the writer as the monitor does,
 * and prints the cost of one (medians): "samples N reads N writes N ns N". With --bare, each sample
 * is followed by a loop that only accesses the same registers in the same order, which is the
 * minimum cost of a sample: "... bare N". To count instructions, profile the functions
 * monitored_sample and bare_sample.
 */
#include <err.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "counts/decoder.h"
#include "linux/kernel/clock.h"
#include "linux/linux.h"
#include "platform/guard.h"
#include "poller/frame.h"
#include "poller/poller.h"
#include "sim/sim.h"
#include "tests/ops_copy.h"
#include "view/view.h"

#define MAX_CPUS    256
#define INTERVAL_NS 1000000
#define RING_FRAMES 8

/* A register as the kernel reaches it: a file and an offset, or an address. */
struct reg_place {
	int fd; /* -1: the register has an address */
	off_t offset;
	char *at;
	unsigned bytes;
};

/* Reads between a stop and a start of counters. */
struct stretch {
	bool freezes;
	struct reg_place gate;
	uint64_t stop, start;
	size_t first, end; /* range of reads */
};

struct bare {
	int msrs[MAX_CPUS]; /* descriptors; 0: not open */
	const char *root;
	struct reg_place *reads;
	uint64_t *values;
	size_t read_count;
	struct stretch *stretches;
	size_t stretch_count;
	uint64_t stamps; /* sum of values, so that the compiler leaves out no access */
};

struct cost {
	struct platform *platform;
	struct machine machine;
	struct view view;
	struct plan plan;
	struct pmu_state pmu;
	struct poller *poller;
	struct ring *ring;
	struct decoder *decoder;
	struct bare bare;
	size_t lost;
};

static void check(int rc, const struct error *why)
{
	if (rc)
		errx((int)why->kind, "%s", why->text);
}

static struct reg_place place_of(struct bare *bare, const struct reg *reg)
{
	char path[256];

	if (reg->space == REG_MMIO)
		return (struct reg_place){.fd = -1,
					  .at = (char *)reg->window->base +
						(reg->address - reg->window->phys),
					  .bytes = reg->bytes};
	if (reg->space != REG_MSR || reg->cpu >= MAX_CPUS)
		errx(1, "only MSRs and memory are read bare");
	if (!bare->msrs[reg->cpu]) {
		snprintf(path, sizeof(path), "%s/dev/cpu/%u/msr", bare->root, reg->cpu);
		bare->msrs[reg->cpu] = open(path, O_RDWR | O_CLOEXEC);
		if (bare->msrs[reg->cpu] < 0)
			err(1, "%s", path);
	}
	return (struct reg_place){.fd = bare->msrs[reg->cpu], .offset = (off_t)reg->address};
}

static void add_reads(struct bare *bare, const struct pmu_state *pr, size_t u)
{
	const struct plan *plan = pr->plan;
	const struct plan_unit *pu = &plan->units[u];
	const struct round *group = &plan->rounds[pu->first_round + pr->units[u].round];

	for (size_t s = group->first_counter; s < group->first_counter + group->counter_count; s++)
		bare->reads[bare->read_count++] = place_of(bare, &plan->counters[s].reg);
}

static void bare_prepare(struct bare *bare, const struct pmu_state *pr)
{
	const struct plan *plan = pr->plan;

	bare->reads = calloc(plan->counter_count + 1, sizeof(*bare->reads));
	bare->values = calloc(plan->counter_count + 1, sizeof(*bare->values));
	bare->stretches = calloc(plan->domain_count + 1, sizeof(*bare->stretches));
	if (!bare->reads || !bare->values || !bare->stretches)
		errx(1, "out of memory");
	for (size_t d = 0; d < plan->domain_count; d++) {
		const struct freeze_domain *domain = &plan->domains[d];
		const struct domain_state *state = &pr->domains[d];
		struct stretch *stretch = &bare->stretches[bare->stretch_count++];

		*stretch = (struct stretch){.freezes = state->freezes,
					    .stop = state->control.stop,
					    .start = state->control.start,
					    .first = bare->read_count};
		if (state->freezes)
			stretch->gate = place_of(bare, &state->control.reg);
		for (size_t u = 0; u < domain->unit_count; u++)
			add_reads(bare, pr, domain->first_unit + u);
		stretch->end = bare->read_count;
	}
}

static inline void put(const struct reg_place *place, uint64_t value)
{
	if (place->fd >= 0 &&
	    pwrite(place->fd, &value, sizeof(value), place->offset) != sizeof(value))
		err(1, "pwrite");
	if (place->fd < 0 && place->bytes == 8)
		*(volatile uint64_t *)(void *)place->at = value;
	else if (place->fd < 0)
		*(volatile uint32_t *)(void *)place->at = (uint32_t)value;
}

static inline uint64_t get(const struct reg_place *place)
{
	uint64_t value = 0;

	if (place->fd < 0)
		return *(const volatile uint64_t *)(const void *)place->at;
	if (pread(place->fd, &value, sizeof(value), place->offset) != sizeof(value))
		err(1, "pread");
	return value;
}

__attribute__((noinline)) void bare_sample(struct bare *bare);
__attribute__((noinline)) void bare_sample(struct bare *bare)
{
	for (size_t i = 0; i < bare->stretch_count; i++) {
		const struct stretch *stretch = &bare->stretches[i];

		if (stretch->freezes) {
			bare->stamps += get(&stretch->gate);
			put(&stretch->gate, stretch->stop);
		}
		bare->stamps += clock_monotonic();
		for (size_t r = stretch->first; r < stretch->end; r++)
			bare->values[r] = get(&bare->reads[r]);
		if (stretch->freezes) {
			put(&stretch->gate, stretch->start);
			bare->stamps += clock_monotonic();
		}
	}
}

__attribute__((noinline)) void monitored_sample(struct cost *cost);
__attribute__((noinline)) void monitored_sample(struct cost *cost)
{
	struct error why;

	check(poller_read(cost->poller, READ_SAMPLE, &why), &why);
	ring_push(cost->ring, poller_frame(cost->poller));
}

/* Decodes a frame, and counts failed reads: with any, the cost would mean nothing. */
static void decode(struct cost *cost)
{
	struct sample sample;

	if (decoder_add(cost->decoder, ring_oldest(cost->ring), &sample))
		cost->lost += sample.lost_readings;
	ring_drop(cost->ring);
}

/*
 * A clock that advances only with each sample, but is read. Work that is due by time, such as the
 * check of all controls, is thus not in a sample.
 */
static uint64_t paced_ns;
static struct ops_copy paced_ops;

static uint64_t paced_now(struct platform *p)
{
	(void)p;
	(void)clock_monotonic();
	return ++paced_ns;
}

static void set_pace(struct platform *p)
{
	paced_ns = clock_monotonic();
	ops_copy_init(&paced_ops, p->ops);
	paced_ops.clock.now = paced_now;
	p->ops = &paced_ops.ops;
}

static void set_up(struct cost *cost, const char *sim, const char *root)
{
	const struct log log = {0};
	const struct view_options options = {.groups = "cxl,latency,dram", .finest = SCOPE_PORT};
	struct error why;

	check(sim ? platform_sim(sim, &log, &cost->platform, &why)
		  : platform_linux(root, &log, &cost->platform, &why),
	      &why);
	set_pace(cost->platform);
	check(machine_open(cost->platform, &cost->machine, &why), &why);
	check(view_make(&cost->machine, &options, &cost->view, &why), &why);
	check(plan_make(&cost->machine, cost->view.requests, cost->view.request_count,
			FREEZE_ALWAYS, &cost->plan, &why),
	      &why);
	check(pmu_state_init(&cost->pmu, &cost->plan, &why), &why);
	check(poller_new(&cost->pmu, INTERVAL_NS, &cost->poller, &why), &why);
	check(poller_start(cost->poller, &why), &why);
	cost->ring = ring_new(RING_FRAMES, poller_frame_size(&cost->plan));
	cost->decoder = decoder_new(&cost->plan);
	if (!cost->ring || !cost->decoder)
		errx(1, "out of memory");
	ring_push(cost->ring, poller_frame(cost->poller));
	decode(cost);
	cost->bare.root = root;
}

static int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t median(uint64_t *values, size_t count)
{
	qsort(values, count, sizeof(*values), compare);
	return values[count / 2];
}

static void take_samples(struct cost *cost, size_t samples, bool bare)
{
	uint64_t *took = calloc(samples + 1, sizeof(*took));
	uint64_t *bare_took = calloc(samples + 1, sizeof(*bare_took));

	if (!took || !bare_took)
		errx(1, "out of memory");
	for (size_t i = 0; i < samples; i++) {
		/*
		 * waits, because files change each millisecond, and a unit that stands still would
		 * be checked
		 */
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
		paced_ns += INTERVAL_NS;
		const uint64_t start = clock_monotonic();
		monitored_sample(cost);
		took[i] = clock_monotonic() - start;
		decode(cost);
		if (!bare)
			continue;
		bare_sample(&cost->bare);
		bare_took[i] = clock_monotonic() - start - took[i];
	}
	printf(" ns %" PRIu64, median(took, samples));
	if (bare)
		printf(" bare %" PRIu64, median(bare_took, samples));
	printf("\n");
	free(took);
	free(bare_took);
}

static void print_accesses(const struct pmu_state *pr, size_t samples)
{
	const struct plan *plan = pr->plan;
	size_t reads = 0, writes = 0;

	for (size_t d = 0; d < plan->domain_count; d++)
		if (pr->domains[d].freezes) {
			reads++;
			writes += 2;
		}
	for (size_t u = 0; u < plan->unit_count; u++)
		reads +=
			plan->rounds[plan->units[u].first_round + pr->units[u].round].counter_count;
	printf("samples %zu reads %zu writes %zu", samples, reads, writes);
}

static void tear_down(struct cost *cost)
{
	const size_t lost = cost->lost;
	struct error why;

	check(poller_stop(cost->poller, &why), &why);
	if (lost)
		warnx("%zu times a unit could not be read", lost);
	poller_free(cost->poller);
	ring_free(cost->ring);
	decoder_free(cost->decoder);
	free(cost->bare.reads);
	free(cost->bare.values);
	free(cost->bare.stretches);
	pmu_state_free(&cost->pmu);
	plan_free(&cost->plan);
	view_free(&cost->view);
	machine_close(&cost->machine);
	platform_destroy(cost->platform);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"sim", required_argument, NULL, 's'},
						{"root", required_argument, NULL, 'r'},
						{"bare", no_argument, NULL, 'b'},
						{0}};
	const char *sim = NULL, *root = "/";
	static struct cost cost;
	bool bare = false;

	for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		if (c == '?')
			return 2;
		sim = c == 's' ? optarg : sim;
		root = c == 'r' ? optarg : root;
		bare |= c == 'b';
	}
	const size_t samples = optind < argc ? strtoull(argv[optind], NULL, 10) : 1000;

	set_up(&cost, sim, root);
	if (bare)
		bare_prepare(&cost.bare, &cost.pmu);
	print_accesses(&cost.pmu, samples);
	take_samples(&cost, samples, bare);
	tear_down(&cost);
	return 0;
}
