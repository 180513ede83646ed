/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts must be the same whenever and however often counters are read. To need no state for that,
 * a changing load is constant within short steps, and a table has the sums at the end of each
 * step. The sums are whole nanoseconds, which add up without rounding.
 */
#include "sim/sim_load.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/number.h"
#include "sim/sim_private.h"

/* Rates of traffic while it is constant. */

#define LINE_BYTES	  64.0 /* bytes of a cache line */
#define HBM_BURST	  32.0 /* bytes per column access */
#define UNCORE_GHZ	  2.0
#define DCLK_HZ		  2.4e9
#define LINK_HZ		  1e9 /* the flit clock of a x16 link at 32 GT/s */
#define SLOTS_PER_FLIT	  4.0 /* slots of 16 bytes: a cache line fills a flit */
#define FLITS_SHARED_GBPS 16.0
#define FLITS_OF_LINE	  9.0 /* flits of UPI: Intel PCM */
#define UPI_SLOTS_HZ	  6e9 /* slots of 8 bytes per second of a link of 24 lanes at 16 GT/s */

#define SAMPLED	     64.0 /* reads per read whose latency an L3 cache of AMD counts */
#define LATENCY_UNIT 10.0 /* ns */

double sim_lines(double gigabytes)
{
	return gigabytes * 1e9 / LINE_BYTES;
}

double sim_remote_ratio(const struct sim_spec *spec)
{
	return spec->sockets > 1 ? spec->remote / 100 : 0;
}

/* Traffic at the given rates as a part of a port's limit; 0: without a limit. */
static double utilisation_of(const struct sim_spec *spec)
{
	const double traffic = spec->read + spec->write + spec->cache_d2h + spec->cache_h2d;

	return spec->limit > 0 ? traffic / spec->limit : 0;
}

bool sim_load_fills_queues(const struct sim_spec *spec)
{
	return spec->limit > 0 && !spec->full_given;
}

/*
 * Flits per line as on an Emerald Rapids with an expander: 3 for a pointer chase, 1.6 and 1.5 for
 * streams of 16.6 and 17.1 GB/s, because consecutive lines share the slots of headers.
 */
static double rx_flits_per_line(const struct sim_spec *s)
{
	const double load = s->read / FLITS_SHARED_GBPS;

	return 3 - 1.5 * (load < 1 ? load : 1);
}

/*
 * Cycles in which a buffer is not empty: those in which it is full, and some for each line; with a
 * limit, as many as the port is utilised. Where full= is given, without those in which it is full.
 */
static double not_empty(const struct sim_spec *s, double full)
{
	const double max = (s->full_given ? 1 - s->full / 100 : 1) * LINK_HZ;
	const double cycles = (s->full_given ? 0 : full) + sim_lines(s->read) / SLOTS_PER_FLIT;

	if (s->limit > 0)
		return utilisation_of(s) * max;
	return cycles < max ? cycles : max;
}

/*
 * Returns the latency of far CXL memory: the path to another socket takes as long as the one to
 * its DRAM.
 */
static double far_latency(const struct sim_spec *s)
{
	const double latency = s->latency + s->ddr_remote_latency - s->ddr_latency;

	return latency > 0 ? latency : 0;
}

unsigned sim_upi_links(const struct sim_spec *spec)
{
	unsigned links = 0;

	for (const struct sim_pci_units *u = spec->facts->pci_units; u && u->count; u++)
		if (u->type == PMU_UPI)
			links += u->count;
	return links;
}

/* Changes of traffic: choices for a demo. */
#define WAVE_DEPTH    0.6
#define TRAFFIC_NOISE 0.2 /* the most that noise adds */

/*
 * Returns the slots of UPI. The traffic between sockets is not limited: links with more traffic
 * have more slots.
 */
static double upi_slots(const struct sim_spec *s, double taken)
{
	const double peak = (1 + (s->wave ? WAVE_DEPTH : 0)) * (1 + (s->noise ? TRAFFIC_NOISE : 0));

	return fmax(sim_upi_links(s) * UPI_SLOTS_HZ, peak * taken);
}

/* Sets the rates of a port and its link. */
static void link_flows(const struct sim_spec *s, struct sim_flow out[SIM_RATES])
{
	const double reads = sim_lines(s->read), writes = sim_lines(s->write);
	const double h2d = sim_lines(s->cache_h2d), d2h = sim_lines(s->cache_d2h);
	const double part = s->facts->half_lines ? 2 : 1;
	/* M2S requests include each MemSpecRd, which the read of the same line follows */
	const double requests = reads * (1 + s->memspecrd / 100);
	const double full = (sim_load_fills_queues(s) ? 1 : s->full / 100) * LINK_HZ;
	const struct sim_flow flows[] = {
		[RATE_LINK_CLOCK] = {LINK_HZ, OF_CLOCK},
		[RATE_UNCORE_CLOCK] = {UNCORE_GHZ * 1e9, OF_CLOCK},
		[RATE_DCLK] = {DCLK_HZ, OF_CLOCK},
		[RATE_CRC] = {s->crc, OF_CLOCK},
		[RATE_RETRY] = {s->retry, OF_CLOCK},
		[RATE_READS] = {reads, OF_PORT, LOAD_TRAFFIC},
		[RATE_REQUESTS] = {requests, OF_PORT, LOAD_TRAFFIC},
		[RATE_WRITES] = {writes, OF_PORT, LOAD_TRAFFIC},
		[RATE_TX_MEM_DATA] = {writes * part, OF_PORT, LOAD_TRAFFIC},
		[RATE_TX_CACHE_DATA] = {h2d * part, OF_PORT},
		[RATE_H2D] = {h2d, OF_PORT},
		[RATE_RX_MEM_DATA] = {s->rxc ? reads : 0, OF_PORT, LOAD_TRAFFIC},
		[RATE_RX_CACHE_DATA] = {d2h, OF_PORT},
		[RATE_TX_FLITS] = {sim_lines(s->write + s->cache_h2d) + requests / SLOTS_PER_FLIT,
				   OF_PORT},
		[RATE_RX_FLITS] = {reads * rx_flits_per_line(s) + d2h + writes / SLOTS_PER_FLIT,
				   OF_PORT},
		[RATE_NOT_EMPTY] = {not_empty(s, full), OF_PORT},
		[RATE_FULL] = {full, OF_PORT, LOAD_FULL},
		[RATE_SENT] = {sim_lines(s->write + s->cache_h2d), OF_PORT},
		[RATE_RECEIVED] = {sim_lines(s->read + s->cache_d2h), OF_PORT},
	};

	memcpy(out, flows, sizeof(flows));
}

/* Sets the other rates: the rates of a socket's units and its cores. */
static void memory_flows(const struct sim_spec *s, struct sim_flow out[SIM_RATES])
{
	const double reads = sim_lines(s->read), writes = sim_lines(s->write);
	const double dram = sim_lines(s->dram_read), remote = sim_remote_ratio(s);
	const double near_cxl = reads * (1 - remote) / SAMPLED, far_cxl = reads * remote / SAMPLED;
	const double near_dram = dram * (1 - remote) / SAMPLED, far_dram = dram * remote / SAMPLED;
	/* lines of CXL memory of a port, and of DRAM, that pass to or from another socket */
	const double cxl_lines = (reads + writes) * remote;
	const double dram_lines = (dram + sim_lines(s->dram_write)) * remote;
	const double slots = FLITS_OF_LINE + 1; /* data and header */
	const struct sim_flow flows[SIM_RATES] = {
		[RATE_UPI_SLOTS] = {upi_slots(s, (s->ports * cxl_lines + dram_lines) * slots),
				    OF_CLOCK},
		[RATE_UPI_CXL] = {cxl_lines * FLITS_OF_LINE, OF_PORTS},
		[RATE_UPI_CXL_HEADERS] = {cxl_lines, OF_PORTS},
		[RATE_UPI_CXL_TAKEN] = {-cxl_lines * slots, OF_PORTS},
		[RATE_UPI_DRAM] = {dram_lines * FLITS_OF_LINE, OF_DRAM},
		[RATE_UPI_DRAM_HEADERS] = {dram_lines, OF_DRAM},
		[RATE_UPI_DRAM_TAKEN] = {-dram_lines * slots, OF_DRAM},
		[RATE_CCM_READS] = {2 * reads, OF_PORTS, LOAD_TRAFFIC},
		[RATE_CCM_WRITES] = {writes, OF_PORTS, LOAD_TRAFFIC},
		[RATE_NEAR_CXL] = {near_cxl, OF_PORTS},
		[RATE_NEAR_CXL_LATENCY] = {near_cxl * s->latency / LATENCY_UNIT, OF_PORTS,
					   LOAD_OCCUPANCY},
		[RATE_FAR_CXL] = {far_cxl, OF_PORTS},
		[RATE_FAR_CXL_LATENCY] = {far_cxl * far_latency(s) / LATENCY_UNIT, OF_PORTS,
					  LOAD_OCCUPANCY},
		[RATE_LOCAL_INSERTS] = {dram * (1 - remote), OF_DRAM},
		[RATE_LOCAL_OCCUPANCY] = {dram * (1 - remote) * s->ddr_latency * UNCORE_GHZ,
					  OF_DRAM, LOAD_OCCUPANCY},
		[RATE_LEAKED_OCCUPANCY] = {0, OF_DRAM},
		[RATE_REMOTE_INSERTS] = {dram * remote, OF_DRAM},
		[RATE_REMOTE_OCCUPANCY] = {dram * remote * s->ddr_remote_latency * UNCORE_GHZ,
					   OF_DRAM, LOAD_OCCUPANCY},
		[RATE_DRAM_READS] = {dram, OF_DRAM, LOAD_TRAFFIC},
		[RATE_DRAM_WRITES] = {sim_lines(s->dram_write), OF_DRAM, LOAD_TRAFFIC},
		[RATE_HBM_READS] = {s->hbm_read * 1e9 / HBM_BURST, OF_DRAM},
		[RATE_HBM_WRITES] = {s->hbm_write * 1e9 / HBM_BURST, OF_DRAM},
		[RATE_NEAR_DRAM] = {near_dram, OF_DRAM},
		[RATE_NEAR_DRAM_LATENCY] = {near_dram * s->ddr_latency / LATENCY_UNIT, OF_DRAM,
					    LOAD_OCCUPANCY},
		[RATE_FAR_DRAM] = {far_dram, OF_DRAM},
		[RATE_FAR_DRAM_LATENCY] = {far_dram * s->ddr_remote_latency / LATENCY_UNIT, OF_DRAM,
					   LOAD_OCCUPANCY},
	};

	memcpy(out, flows, sizeof(flows));
}

/* Sets the rate of a kind of CXL reads, and its occupancy, which is the rate after it. */
static void set_kind(const struct sim_spec *s, struct sim_flow out[SIM_RATES],
		     enum sim_rate inserts, double pct, double ns)
{
	const double per_s = sim_lines(s->read) * (pct / 100);

	out[inserts] = (struct sim_flow){per_s, OF_PORTS, LOAD_TRAFFIC};
	/* summed over the clocks of a CHA: Little's law */
	out[inserts + 1] = (struct sim_flow){per_s * ns * UNCORE_GHZ, OF_PORTS, LOAD_OCCUPANCY};
}

/* Sets the rates of CXL reads in the TOR, by kind. */
static void kind_flows(const struct sim_spec *s, struct sim_flow out[SIM_RATES])
{
	const double others = s->l2_prefetch + s->l3_prefetch + s->ownership + s->code;
	const double prefetch = s->prefetch_latency > 0 ? s->prefetch_latency : s->latency;

	set_kind(s, out, RATE_CXL_INSERTS, 100 - others, s->latency);
	set_kind(s, out, RATE_L2_PREFETCHES, s->l2_prefetch, prefetch);
	set_kind(s, out, RATE_L3_PREFETCHES, s->l3_prefetch, prefetch);
	set_kind(s, out, RATE_OWNERSHIP, s->ownership, s->latency);
	set_kind(s, out, RATE_CODE, s->code, s->latency);
}

static void make_flows(const struct sim_spec *s, struct sim_flow out[SIM_RATES])
{
	memory_flows(s, out);
	kind_flows(s, out);
	link_flows(s, out);
}

#define WAVE_SECONDS 7U
#define WAVE_STEP    10000000 /* ns: shorter than most intervals */
#define NOISE_WAVES  4	      /* waves after which noise repeats */
/* steps that half of the noise lasts: intervals of one second show it */
#define SLOW_STEPS    50
#define LATENCY_NOISE 0.06
#define RAMP_STEPS    1000

/* GB/s that are injected, without a limit */
#define PORT_MOST 30

#define WAVE_NS (WAVE_SECONDS * NS_PER_S)

struct sim_load {
	unsigned number; /* its phase of the wave */
	unsigned source; /* seed of the noise */
	double part;	 /* part of the given rates: see imbalance= */
	double utilisation;
	/* multiples of the given rates without a table, or after its end */
	double steady[LOAD_KINDS];
	uint64_t *sums[LOAD_KINDS];
	double most;		      /* the most that is injected, GB/s */
	bool limited;		      /* limit= applies, as to a port */
	struct sim_segment *segments; /* segments of the injected load, ascending by time */
	size_t count, room;
};

/* Returns the latency of a read in unloaded latencies; see sim_load.h. */
static double latency_factor(double u)
{
	return 1 + 5 * u * u * u * u / (21 - 20 * u);
}

/*
 * Applies the limit to traffic that is asked for, as a multiple of the given rates. others is the
 * other traffic, as a part of the limit.
 */
static void apply_limit(const struct sim_load *load, double asked, double others,
			double out[LOAD_KINDS])
{
	const double beyond = asked * load->utilisation + others, u = fmin(beyond, 1);
	const double carried = beyond > 1 ? asked / beyond : asked;
	const double u4 = u * u * u * u;

	out[LOAD_TRAFFIC] = carried;
	out[LOAD_OCCUPANCY] = carried * latency_factor(u);
	out[LOAD_FULL] = u4 * u4 * u4 * u4;
}

/*
 * The integral from 0 to phase (of a period from 0 to 1) of a wave made of two parabolas, with its
 * maximum 1 at 1/4 and its minimum -1 at 3/4.
 */
static long double wave_integral(long double phase)
{
	const long double x = phase < 0.5L ? phase : 1 - phase;

	return 4 * x * x - 16 * x * x * x / 3;
}

/* Returns the ns of traffic that the wave has added (or removed) by t. */
static long double wave_ns(unsigned number, uint64_t t)
{
	const uint64_t start = number * (WAVE_NS * 27 / 100) % WAVE_NS;
	const uint64_t at = (start + t % WAVE_NS) % WAVE_NS;

	return 1e9L * (WAVE_DEPTH * WAVE_SECONDS) *
	       (wave_integral((long double)at / WAVE_NS) -
		wave_integral((long double)start / WAVE_NS));
}

/* Returns a number from -1 to 1, which is the same for the same arguments. */
static double random_number(unsigned source, unsigned salt, uint64_t step)
{
	return 2 * sim_uniform(step ^ (uint64_t)source << 32 ^ (uint64_t)salt << 56) - 1;
}

/* Returns noise from -1 to 1: one half changes with each step, one more slowly. */
static double load_noise(const struct sim_load *load, enum sim_load_kind kind, uint64_t step)
{
	const unsigned fast = kind, slow = LOAD_KINDS + kind;

	return (random_number(load->source, fast, step) +
		random_number(load->source, slow, step / SLOW_STEPS)) /
	       2;
}

/* Returns the traffic that is asked for in a step, as a multiple of the given rates. */
static double asked_in(const struct sim_loads *loads, const struct sim_load *load, uint64_t step)
{
	const uint64_t from = step * loads->step, to = from + loads->step;
	double asked = 1;

	if (loads->spec->ramp > 0)
		asked = ((double)step + 0.5) / (double)loads->steps;
	if (loads->spec->wave)
		asked += (double)(wave_ns(load->number, to) - wave_ns(load->number, from)) /
			 (double)loads->step;
	if (loads->spec->noise)
		asked *= 1 + TRAFFIC_NOISE * load_noise(load, LOAD_TRAFFIC, step);
	return asked * load->part;
}

static int tabulate_load(const struct sim_loads *loads, struct sim_load *load)
{
	uint64_t *sums = calloc(LOAD_KINDS * (loads->steps + 1), sizeof(*sums));

	if (!sums)
		return -ENOMEM;
	for (unsigned kind = 0; kind < LOAD_KINDS; kind++)
		load->sums[kind] = sums + kind * (loads->steps + 1);
	for (uint64_t i = 0; i < loads->steps; i++) {
		double in[LOAD_KINDS];

		apply_limit(load, asked_in(loads, load, i), 0, in);
		if (loads->spec->noise)
			in[LOAD_OCCUPANCY] *=
				1 + LATENCY_NOISE * load_noise(load, LOAD_OCCUPANCY, i);
		for (unsigned kind = 0; kind < LOAD_KINDS; kind++)
			load->sums[kind][i + 1] = load->sums[kind][i] +
						  (uint64_t)round(in[kind] * (double)loads->step);
	}
	return 0;
}

/* Chooses the steps of the table. A wave without noise and limit needs none: wave_ns() is exact. */
static void choose_steps(struct sim_loads *loads)
{
	const struct sim_spec *spec = loads->spec;

	if (spec->ramp > 0) {
		loads->step = (uint64_t)(spec->ramp * (double)(NS_PER_S / RAMP_STEPS));
		loads->steps = loads->step ? RAMP_STEPS : 0;
	} else if (spec->wave && (spec->noise || spec->limit > 0)) {
		loads->step = WAVE_STEP;
		loads->steps = (spec->noise ? NOISE_WAVES : 1) * WAVE_NS / WAVE_STEP;
		loads->repeats = true;
	}
}

/* Sets a spec without traffic, except a GB/s one way. */
static void set_one_way(const struct sim_spec *spec, double read, double write,
			struct sim_flow out[SIM_RATES])
{
	struct sim_spec one = *spec;

	one.sockets = 1;
	one.ports = 1;
	one.read = one.dram_read = read;
	one.write = one.dram_write = write;
	one.cache_d2h = one.cache_h2d = one.hbm_read = one.hbm_write = 0;
	one.crc = one.retry = 0;
	if (!spec->full_given)
		one.full = 0;
	make_flows(&one, out);
}

/* The last device of a region of several may carry less. */
static double part_of_port(const struct sim_spec *spec, size_t i)
{
	const unsigned port = (unsigned)(i % spec->ports);
	const bool last = port % spec->ways == spec->ways - 1 || port == spec->ports - 1;

	return spec->ways > 1 && last ? 1 - spec->imbalance / 100 : 1;
}

int sim_loads_init(struct sim_loads *loads, const struct sim_spec *spec)
{
	int rc = 0;

	*loads = (struct sim_loads){
		.spec = spec,
		.ports = (size_t)spec->sockets * spec->ports,
		.drams = spec->sockets,
		.chas = spec->chas,
	};
	make_flows(spec, loads->flows);
	set_one_way(spec, 1, 0, loads->reads);
	set_one_way(spec, 0, 1, loads->writes);
	choose_steps(loads);
	loads->all = calloc(loads->ports + loads->drams, sizeof(*loads->all));
	if (!loads->all)
		return -ENOMEM;
	for (size_t i = 0; !rc && i < loads->ports + loads->drams; i++) {
		struct sim_load *load = &loads->all[i];
		const bool port = i < loads->ports;

		load->number = (unsigned)(port ? i : i - loads->ports);
		load->source = (unsigned)i;
		load->part = port ? part_of_port(spec, i) : 1;
		load->utilisation = port ? utilisation_of(spec) : 0;
		apply_limit(load, load->part, 0, load->steady);
		load->limited = port && spec->limit > 0;
		load->most = !port ? SIM_DRAM_MOST : load->limited ? spec->limit : PORT_MOST;
		rc = loads->steps ? tabulate_load(loads, load) : 0;
	}
	return rc;
}

void sim_loads_free(struct sim_loads *loads)
{
	for (size_t i = 0; loads->all && i < loads->ports + loads->drams; i++) {
		free(loads->all[i].sums[0]);
		free(loads->all[i].segments);
	}
	free(loads->all);
	loads->all = NULL;
}

static uint64_t begin_ns(const struct sim_spec *spec)
{
	return (uint64_t)(spec->begin * (double)NS_PER_S);
}

/* t is below the end of the table. */
static long double tabulated_sum(const struct sim_loads *loads, const uint64_t *sums, uint64_t t)
{
	const uint64_t step = t / loads->step, within = t % loads->step;

	return (long double)sums[step] +
	       (long double)(sums[step + 1] - sums[step]) * within / loads->step;
}

/* Returns how long a load's own traffic has run without any injected load. */
static long double own_traffic_ns(const struct sim_loads *loads, const struct sim_load *load,
				  enum sim_load_kind kind, uint64_t time)
{
	const uint64_t end = loads->steps * loads->step, *sums = load->sums[kind];
	const uint64_t begin = begin_ns(loads->spec), t = time > begin ? time - begin : 0;
	const long double steady = load->steady[kind];

	if (!loads->steps)
		return steady * t + (loads->spec->wave ? steady * wave_ns(load->number, t) : 0);
	if (loads->repeats)
		return (long double)(t / end * sums[loads->steps]) +
		       tabulated_sum(loads, sums, t % end);
	if (t >= end)
		return (long double)sums[loads->steps] + steady * (t - end);
	return tabulated_sum(loads, sums, t);
}

const struct sim_segment *sim_load_segment(const struct sim_load *load, uint64_t t)
{
	size_t i = load->count;

	while (i && load->segments[i - 1].from > t)
		i--;
	return i ? &load->segments[i - 1] : NULL;
}

long double sim_load_injected(const struct sim_load *load, enum sim_injected_kind kind, uint64_t t)
{
	const struct sim_segment *s = sim_load_segment(load, t);

	return s ? s->moved[kind] + (long double)s->rates[kind] * (t - s->from) : 0;
}

long double sim_load_ns(const struct sim_loads *loads, const struct sim_load *load,
			enum sim_load_kind kind, uint64_t t)
{
	const struct sim_segment *s = sim_load_segment(load, t);

	if (!s)
		return own_traffic_ns(loads, load, kind, t);
	if (s->held)
		return s->own_ns[kind] + (long double)s->multiples[kind] * (t - s->from);
	return s->own_ns[kind] + own_traffic_ns(loads, load, kind, t) -
	       own_traffic_ns(loads, load, kind, s->from);
}

/* Returns a load's own traffic at t, as a multiple of its rates. */
static double asked_at(const struct sim_loads *loads, const struct sim_load *load, uint64_t time)
{
	const uint64_t begin = begin_ns(loads->spec);

	if (time < begin)
		return 0;
	if (!loads->steps)
		return load->part;
	const uint64_t step = (time - begin) / loads->step;
	if (loads->repeats)
		return asked_in(loads, load, step % loads->steps);
	return step < loads->steps ? asked_in(loads, load, step) : load->part;
}

int sim_load_inject(const struct sim_loads *loads, struct sim_load *load, double read, double write,
		    uint64_t t)
{
	/* a link carries both directions at once */
	const double asked = load->limited ? fmax(read, write) : read + write;
	const double part = asked > load->most ? load->most / asked : 1;
	struct sim_segment s = {.from = t, .read = read, .write = write, .latency = 1};
	double cut = part;

	for (unsigned kind = 0; kind < LOAD_KINDS; kind++)
		s.own_ns[kind] = sim_load_ns(loads, load, kind, t);
	for (unsigned kind = 0; kind < INJECTED_KINDS; kind++)
		s.moved[kind] = sim_load_injected(load, kind, t);
	if (load->limited) {
		const double own = asked_at(loads, load, t);
		const double others = asked * part / loads->spec->limit;
		const double beyond = own * load->utilisation + others;

		s.held = asked > 0;
		s.latency = latency_factor(fmin(beyond, 1));
		cut = beyond > 1 ? part / beyond : part;
		apply_limit(load, own, others, s.multiples);
	}
	s.rates[INJECTED_READ] = read * cut;
	s.rates[INJECTED_WRITE] = write * cut;
	s.rates[INJECTED_OCCUPIED] = read * cut * s.latency;
	if (array_room(&load->segments, load->count, 1, sizeof(*load->segments)))
		return -ENOMEM;
	load->segments[load->count++] = s;
	return 0;
}

/* A snapshot's sockets may have more ports than its first one. */
struct sim_load *sim_load_port(const struct sim_loads *loads, unsigned socket, unsigned port)
{
	return &loads->all[((size_t)socket * loads->spec->ports + port) % loads->ports];
}

struct sim_load *sim_load_dram(const struct sim_loads *loads, unsigned socket)
{
	return &loads->all[loads->ports + socket];
}
