/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sampled loads of a simulated machine: the loads of its processes, see sim_process.c. Each
 * process reads its memory on each node evenly, except a hot part: hot_reads_pct= percent of its
 * reads go to hot_pct= percent of its memory, first to the beginning, and after each hot_moves=
 * seconds to the next part. The function read_hot reads the hot part, read_cold the rest.
 * sampled_pct= of all reads are loads; the other reads are done by prefetchers and devices, and
 * are never sampled. dram_streamed_pct= of DRAM's loads are not sampled either.
 *
 * Loads of guests are sampled only on AMD: with the guest's addresses, and the kind of memory that
 * they read. On Intel, PEBS is off while a guest runs (see src/probe/who/reads.h).
 *
 * The latencies of 100 loads are 0.9 times that of the memory for 93, 1.5 times for 5, and 4 times
 * for 2.
 *
 * Caches answer cache_hits= loads for each load of memory: of 100, 90 take 5 clocks (the L1), 9
 * take 15 (the L2) and 1 takes 75 (the L3). An event samples the loads that pass its threshold.
 *
 * Samples are a function only of the time and the periods. During the sample_running= percent of
 * the time in which an event has its counter, every period-th load that passes is sampled, and
 * stands also for the loads in the rest of the time.
 */
#include "sim/sim_perf.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "platform/load_sample.h"
#include "platform/memory.h"
#include "sim/sim_machine.h"
#include "sim/sim_private.h"

#define LINE	  64		      /* bytes per read */
#define HOT_CODE  (SIM_CODE + 0x1000) /* loops that read the hot part, and the rest */
#define COLD_CODE (SIM_CODE + 0x2000)
#define CORE_GHz  2 /* frequency that converts weights, which are clocks */

struct node_reads {
	int node;
	bool dram;
	uint64_t first; /* physical address */
	double rate;	/* GB/s of each load, as asked for */
	double sampled; /* part of the reads that are loads */
	/* The load of memory at which the next sample is due, from 1. */
	long double next[LOAD_EVENTS_MOST];
	uint64_t passed[LOAD_EVENTS_MOST]; /* samples, also of hits */
	uint64_t taken[LOAD_EVENTS_MOST];  /* samples of memory */
	double latency_ns;
	struct sim_load *loads[REGION_MAX_WAYS];
	size_t load_count;
};

struct sim_sampler {
	struct sampler base;
	struct sim *sim;
	struct node_reads *nodes;
	size_t node_count;
	uint64_t updated; /* when .times were last brought up to date */
	bool enabled;
};

static struct sim_sampler *sim_sampler_of(struct sampler *sampler)
{
	return (struct sim_sampler *)sampler;
}

static void destroy_sampler(struct sampler *sampler)
{
	free(sim_sampler_of(sampler)->nodes);
	free(sampler);
}

/* Returns the cache hits that pass an event's threshold, for each load of memory. */
static double passing_hits(const struct sim_spec *spec, const struct load_event *event)
{
	static const struct {
		unsigned clocks;
		double part;
	} caches[] = {{5, 0.9}, {15, 0.09}, {75, 0.01}};
	double part = 0;

	if (!event->of_caches || event->optional)
		return 0;
	for (size_t i = 0; i < sizeof(caches) / sizeof(caches[0]); i++)
		part += caches[i].clocks >= event->ldlat ? caches[i].part : 0;
	return part * spec->cache_hits;
}

/* Returns the loads from this node since the machine was made. */
static uint64_t loads_at(const struct sim *sim, const struct node_reads *node, uint64_t t)
{
	long double bytes = 0;

	for (size_t i = 0; i < node->load_count; i++)
		bytes += sim_load_ns(&sim->loads, node->loads[i], LOAD_TRAFFIC, t) * node->rate +
			 sim_load_injected(node->loads[i], INJECTED_READ, t);
	return (uint64_t)(bytes / LINE * node->sampled);
}

/*
 * Returns numbers from 0 to 1 that are evenly distributed for i = 0, 1, 2...: multiples of an
 * irrational number.
 */
static double even_spread(uint64_t i, double irrational)
{
	const double at = (double)i * irrational;

	return at - floor(at);
}

#define GOLDEN 0.6180339887498949
#define ROOT_2 0.4142135623730951
#define ROOT_3 0.7320508075688772
#define ROOT_5 0.2360679774997897

/* Returns the block of its set that a reader reads. */
static uint64_t choose_block(const struct sim_spec *spec, bool hot, double at, uint64_t t)
{
	const uint64_t blocks = sim_process_blocks(spec);
	const uint64_t hots = (uint64_t)fmax(1, round((double)blocks * spec->hot_pct / 100));
	const uint64_t moves =
		spec->hot_moves > 0 ? (uint64_t)((double)t / 1e9 / spec->hot_moves) : 0;
	const uint64_t first = moves * hots % blocks;

	if (hot || hots == blocks)
		return (first + (uint64_t)(at * (double)hots)) % blocks;
	return (first + hots + (uint64_t)(at * (double)(blocks - hots))) % blocks;
}

static struct load_sample make_sample(const struct sim_sampler *s, size_t event,
				      const struct node_reads *node, uint64_t t)
{
	const struct sim *sim = s->sim;
	const struct sim_spec *spec = &sim->spec;
	const uint64_t i = node->taken[event];
	const unsigned reader = sim_process_at(spec, even_spread(i, GOLDEN));
	const bool hot = even_spread(i, ROOT_2) * 100 < spec->hot_reads_pct;
	const uint64_t at = choose_block(spec, hot, even_spread(i, ROOT_3), t) * SIM_BLOCK;
	const uint64_t set = sim_process_blocks(spec) * SIM_BLOCK;
	const bool timed = s->base.sampling.events[event]->takes_time;
	const double latency = node->latency_ns * (i % 100 < 93 ? 0.9 : i % 100 < 98 ? 1.5 : 4);
	const bool guest = sim_process_runs_vm(spec, reader);

	return (struct load_sample){
		.event = (unsigned)event,
		.pid = SIM_FIRST_PID + reader,
		.tid = SIM_FIRST_PID + reader,
		.cpu = (unsigned)(reader % sim->core_count),
		.ip = hot ? HOT_CODE : COLD_CODE,
		.address = sim_data(node->node) + at,
		.physical = guest ? 0 : node->first + reader * set + at,
		.time_ns = t,
		.period = (uint64_t)fmin(
			round((double)s->base.periods[event] * 100 / spec->sample_running), 1e18),
		.weight = timed ? (uint64_t)(latency * CORE_GHz) : 0,
		.latency_ns = timed ? latency : NAN,
		.level = guest && !node->dram ? LOAD_CXL : LOAD_DRAM,
		.load = true,
		.region = -1,
		.guest = guest,
	};
}

/* Visits a load. Hits are spread evenly among the loads of memory. */
static void visit_load(struct sim_sampler *s, size_t event, struct node_reads *node, uint64_t t,
		       sample_visitor *visit, void *context)
{
	const double hits = passing_hits(&s->sim->spec, s->base.sampling.events[event]);
	struct sample_record record = {.kind = RECORD_SAMPLE};

	if (even_spread(node->passed[event]++, ROOT_5) < hits / (1 + hits)) {
		record.sample = (struct load_sample){
			.event = (unsigned)event, .level = LOAD_CACHE, .load = true, .region = -1};
	} else {
		record.sample = make_sample(s, event, node, t);
		node->taken[event]++;
	}
	if (!record.sample.guest || s->sim->spec.facts->vendor == SIM_AMD)
		visit(context, &record);
}

/* Returns how many loads of memory there are from one sample to the next. */
static long double sample_distance(const struct sim_sampler *s, size_t event)
{
	const struct sim_spec *spec = &s->sim->spec;
	const double hits = passing_hits(spec, s->base.sampling.events[event]);

	return s->base.periods[event] / (1 + (long double)hits) * 100 / spec->sample_running;
}

static void read_samples(struct sampler *sampler, sample_visitor *visit, void *context)
{
	struct sim_sampler *s = sim_sampler_of(sampler);
	const uint64_t t = sim_now(s->sim);

	for (size_t n = 0; s->enabled && s->sim->spec.sample_running > 0 && n < s->node_count;
	     n++) {
		struct node_reads *node = &s->nodes[n];
		const uint64_t loads = loads_at(s->sim, node, t);

		for (size_t e = 0; e < sampler->sampling.event_count; e++)
			for (; node->next[e] <= loads; node->next[e] += sample_distance(s, e))
				visit_load(s, e, node, t, visit, context);
	}
}

static void update_sampler(struct sampler *sampler)
{
	struct sim_sampler *s = sim_sampler_of(sampler);
	const uint64_t t = sim_now(s->sim), ns = s->enabled ? t - s->updated : 0;
	const double running = s->sim->spec.sample_running;

	for (size_t e = 0; e < sampler->sampling.event_count; e++) {
		sampler->times[e].enabled_ns += ns * sampler->cpus;
		sampler->times[e].running_ns +=
			(uint64_t)((double)(ns * sampler->cpus) * running / 100);
	}
	sampler->unsampled = running > 0 ? 0 : sampler->cpus;
	s->updated = t;
}

static int set_period(struct sampler *sampler, size_t event, uint64_t period)
{
	sampler->periods[event] = period;
	return 0;
}

static int enable_sampler(struct sampler *sampler, bool on)
{
	struct sim_sampler *s = sim_sampler_of(sampler);
	const uint64_t t = sim_now(s->sim);

	update_sampler(sampler);
	s->enabled = on;
	for (size_t n = 0; n < s->node_count; n++)
		for (size_t e = 0; e < sampler->sampling.event_count; e++)
			s->nodes[n].next[e] = (long double)loads_at(s->sim, &s->nodes[n], t) +
					      sample_distance(s, e);
	return 0;
}

static const char *function_of(const struct sampler *sampler, const struct load_sample *sample)
{
	(void)sampler;
	return sample->guest ? "" : sample->ip == HOT_CODE ? "read_hot" : "read_cold";
}

static const struct sampler_ops sampler_ops = {
	.read = read_samples,
	.update = update_sampler,
	.function = function_of,
	.set_period = set_period,
	.enable = enable_sampler,
	.destroy = destroy_sampler,
};

static int find_nodes(struct sim_sampler *s, struct error *err)
{
	struct sim *sim = s->sim;
	struct memory_map map;

	if (sim_memory_map(&sim->base, &map, err))
		return err->code;
	s->nodes = calloc(map.count + 1, sizeof(*s->nodes));
	for (size_t i = 0; s->nodes && i < map.count; i++) {
		struct node_reads *node = &s->nodes[s->node_count];
		const bool dram = sim_socket_of_node(sim, map.ranges[i].node) != SIZE_MAX;

		*node = (struct node_reads){
			.node = map.ranges[i].node,
			.dram = dram,
			.first = map.ranges[i].first,
			.rate = dram ? sim->spec.dram_read : sim->spec.read,
			.sampled = sim->spec.sampled_pct / 100 *
				   (dram ? 1 - sim->spec.dram_streamed_pct / 100 : 1),
		};
		node->load_count =
			sim_loads_of_node(sim, node->node, node->loads, &node->latency_ns);
		s->node_count += node->load_count && sim_process_count(&sim->spec);
	}
	memory_map_free(&map);
	return s->nodes ? 0 : error_no_memory(err);
}

/* Loads are sampled on whole CPUs. */
static int refuse_event(struct platform *p, const struct load_event *event, struct error *err)
{
	struct error reason;

	sim_perf_explain(p, -EACCES, &reason);
	error_set(err, reason.kind, -EACCES, "%s cannot be sampled: %s", event->name, reason.text);
	error_hint(err, reason.command);
	return err->code;
}

int sim_sampler_open(struct platform *p, const struct load_sampling *sampling, struct sampler **out,
		     struct error *err)
{
	const struct load_event *event = sampling->events[0];

	if (event->no_loads || sampling->cgroup)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "a simulated machine has no %s: expected no %s",
				 event->no_loads ? event->name : "directories of cgroups",
				 event->no_loads ? "--event" : "--cgroup");
	if (sim_of(p)->spec.paranoid)
		return refuse_event(p, event, err);
	for (size_t e = 0; e < sampling->event_count; e++)
		if (load_event_check_kernel(sampling->events[e], sim_of(p)->spec.kernel, err))
			return err->code;
	struct sim_sampler *s = calloc(1, sizeof(*s));
	if (!s)
		return error_no_memory(err);
	s->base = (struct sampler){.ops = &sampler_ops,
				   .sampling = *sampling,
				   .cpus = sim_of(p)->core_count,
				   .latencies = true};
	s->sim = sim_of(p);
	for (size_t e = 0; e < sampling->event_count; e++)
		s->base.periods[e] = sampling->events[e]->period;
	if (find_nodes(s, err)) {
		destroy_sampler(&s->base);
		return err->code;
	}
	*out = &s->base;
	return 0;
}
