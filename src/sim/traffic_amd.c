/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Source of the events: the kernel's pmu-events (amdzen4, amdzen5, amdzen6), Intel PerfSpect's
 * metrics of Turin, and Meta's dynolog.
 *
 * A socket's CXL reads and DRAM reads are those of its L3 caches, each of which has one part more
 * than the one before it. Every 64th is sampled for its latency. On Venice each L3 cache is behind
 * a CCM of its own, up to 16; what there is beyond that is shared by these.
 */
#include "sim/traffic_amd.h"

#include <stddef.h>

#include "sim/traffic_rates.h"
#include "uncore/model.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define SAMPLED	     64 /* reads for each one whose latency is counted */
#define LATENCY_UNIT 10 /* ns */
#define MOST_CCMS    16

/* Events a second. */
typedef double rate_function(const struct sim_spec *spec);

/* clang-format off: one rate a line */
static double dclk(const struct sim_spec *s)
{
	(void)s;
	return TRAFFIC_DCLK_GHZ * 1e9;
}
static double cxl_reads(const struct sim_spec *s)
{
	return traffic_lines(s->read);
}
static double cxl_half_reads(const struct sim_spec *s)
{
	return 2 * cxl_reads(s);
}
static double cxl_writes(const struct sim_spec *s)
{
	return traffic_lines(s->write);
}
static double dram_reads(const struct sim_spec *s)
{
	return traffic_lines(s->dram_read);
}
static double dram_writes(const struct sim_spec *s)
{
	return traffic_lines(s->dram_write);
}

/* Reads that are sampled, near and far, and their latencies. */
static double near(const struct sim_spec *s, double reads)
{
	return reads * (1 - traffic_remote_ratio(s)) / SAMPLED;
}
static double far(const struct sim_spec *s, double reads)
{
	return reads * traffic_remote_ratio(s) / SAMPLED;
}
static double near_dram(const struct sim_spec *s)
{
	return near(s, dram_reads(s));
}
static double far_dram(const struct sim_spec *s)
{
	return far(s, dram_reads(s));
}
static double near_cxl(const struct sim_spec *s)
{
	return near(s, cxl_reads(s));
}
static double far_cxl(const struct sim_spec *s)
{
	return far(s, cxl_reads(s));
}
static double near_dram_latency(const struct sim_spec *s)
{
	return near_dram(s) * s->ddr_latency / LATENCY_UNIT;
}
static double far_dram_latency(const struct sim_spec *s)
{
	return far_dram(s) * s->ddr_remote_latency / LATENCY_UNIT;
}
static double near_cxl_latency(const struct sim_spec *s)
{
	return near_cxl(s) * s->latency / LATENCY_UNIT;
}
/* The way to another socket takes as long as to its DRAM. */
static double far_cxl_latency(const struct sim_spec *s)
{
	const double latency = s->latency + s->ddr_remote_latency - s->ddr_latency;

	return latency > 0 ? far_cxl(s) * latency / LATENCY_UNIT : 0;
}
/* clang-format on */

/* Whose traffic it is; the rate of PORTS is that of each of them. */
enum carrier { CLOCK, PORT, PORTS, DRAM };

#define MISCOUNTS(kind) (1U << (kind))
#define MISCOUNTS_READS (MISCOUNTS(MISCOUNT_RXC) | MISCOUNTS(MISCOUNT_M2S_REQ))

/* Events that pass, and which miscount= makes them wrong. */
struct flow {
	enum carrier carrier;
	enum sim_load_kind kind;
	rate_function *rate;
	unsigned miscounts;
};

/* A part of them. */
struct share {
	unsigned part, of;
};

static const struct {
	enum sim_model model;
	uint16_t first, count; /* events, one for each port or CCM */
	uint16_t umask;
	struct flow flow;
} df_events[] = {
	{SIM_TURIN, 0x31F, 4, 0xFFE, {PORT, LOAD_TRAFFIC, cxl_reads, MISCOUNTS_READS}},
	{SIM_TURIN, 0x31F, 4, 0xCFD, {PORT, LOAD_TRAFFIC, cxl_writes, MISCOUNTS(MISCOUNT_WRITE)}},
	{SIM_VENICE, 0x41E, 16, 0xFE0, {PORTS, LOAD_TRAFFIC, cxl_half_reads, MISCOUNTS_READS}},
	{SIM_VENICE,
	 0x41E,
	 16,
	 0xFE1,
	 {PORTS, LOAD_TRAFFIC, cxl_writes, MISCOUNTS(MISCOUNT_WRITE)}},
};
#define DF_STEP 0x40 /* from event to event */

static const struct {
	uint8_t umask;
	struct flow requests, latency;
} l3_sources[] = {
	{0x01,
	 {DRAM, LOAD_TRAFFIC, near_dram, 0},
	 {DRAM, LOAD_OCCUPANCY, near_dram_latency, MISCOUNTS(MISCOUNT_LATENCY)}},
	{0x02,
	 {DRAM, LOAD_TRAFFIC, far_dram, 0},
	 {DRAM, LOAD_OCCUPANCY, far_dram_latency, MISCOUNTS(MISCOUNT_LATENCY)}},
	{0x10,
	 {PORTS, LOAD_TRAFFIC, near_cxl, 0},
	 {PORTS, LOAD_OCCUPANCY, near_cxl_latency, MISCOUNTS(MISCOUNT_LATENCY)}},
	{0x20,
	 {PORTS, LOAD_TRAFFIC, far_cxl, 0},
	 {PORTS, LOAD_OCCUPANCY, far_cxl_latency, MISCOUNTS(MISCOUNT_LATENCY)}},
};
#define L3_LATENCY  0xAC
#define L3_REQUESTS 0xAD
/* Slice id 3, all cores, all slices, thread mask 3: nothing is sampled without */
#define L3_EVERYWHERE                                                                              \
	(UINT64_C(3) << 48 | UINT64_C(1) << 47 | UINT64_C(1) << 46 | UINT64_C(3) << 56)
#define L3_SELECTION (UINT64_C(7) << 48 | UINT64_C(3) << 46 | UINT64_C(3) << 56)

static const struct {
	uint8_t event;
	uint8_t masks; /* bit n: with n in the read/write mask */
	bool each;     /* every controller counts all of them: its clock */
	struct flow flow;
} umc_events[] = {
	{0x00, 0x0F, true, {CLOCK, LOAD_TRAFFIC, dclk, 0}},
	{0x0A, 0x03, false, {DRAM, LOAD_TRAFFIC, dram_reads, MISCOUNTS(MISCOUNT_DRAM_READ)}},
	{0x0A, 0x05, false, {DRAM, LOAD_TRAFFIC, dram_writes, MISCOUNTS(MISCOUNT_DRAM_WRITE)}},
};

static bool is_miscounted(const struct sim_spec *spec, const struct flow *flow, unsigned port)
{
	if (flow->carrier == PORT && spec->miscount_port != SIM_EVERY_PORT &&
	    spec->miscount_port != port)
		return false;
	return flow->miscounts >> spec->miscount & 1 ||
	       (flow->carrier == PORT && spec->miscount == MISCOUNT_PORT);
}

/* Without the injected load: in ns at the flow's rate. */
static long double load_of(const struct sim_loads *loads, const struct flow *flow, unsigned socket,
			   unsigned port, uint64_t t)
{
	long double sum = 0;

	switch (flow->carrier) {
	case CLOCK:
		return t;
	case PORT:
		return sim_load_port(loads, socket, port, flow->kind, t);
	case DRAM:
		return sim_load_dram(loads, socket, flow->kind, t);
	default:
		for (unsigned i = 0; i < loads->spec->ports; i++)
			sum += sim_load_port(loads, socket, i, flow->kind, t);
		return sum;
	}
}

static long double injected_of(const struct sim_loads *loads, const struct flow *flow,
			       unsigned socket, unsigned port, enum sim_injected_kind kind,
			       uint64_t t)
{
	switch (flow->carrier) {
	case CLOCK:
		return 0;
	case PORT:
		return sim_injected_moved(sim_load_injected_port(loads, socket, port), kind, t);
	case DRAM:
		return sim_injected_moved(sim_load_injected_dram(loads, socket), kind, t);
	default:
		return traffic_injected_ports(loads, socket, kind, t);
	}
}

/* Events, times 1e9. */
static long double flow_events(const struct sim_loads *loads, const struct flow *flow,
			       unsigned socket, unsigned port, uint64_t t)
{
	const struct sim_spec *spec = loads->spec;
	const enum sim_injected_kind reads =
		flow->kind == LOAD_OCCUPANCY ? INJECTED_OCCUPIED : INJECTED_READ;
	const long double events =
		flow->rate(spec) * load_of(loads, flow, socket, port, t) +
		flow->rate(&loads->one_read) * injected_of(loads, flow, socket, port, reads, t) +
		flow->rate(&loads->one_write) *
			injected_of(loads, flow, socket, port, INJECTED_WRITE, t);

	return is_miscounted(spec, flow, socket * spec->ports + port)
		       ? events * spec->miscount_pct / 100
		       : events;
}

/* The division last: what is rounded before it would lose an event. */
static uint64_t share_of(long double events, struct share share)
{
	return (uint64_t)(events * share.part / (share.of * 1e9L));
}

/* One part more than the one before it. */
static struct share rising_share(unsigned index, unsigned count)
{
	return (struct share){index + 1, count * (count + 1) / 2};
}

static uint64_t count_df(const struct sim_loads *loads, unsigned socket, uint64_t control,
			 uint64_t t)
{
	const struct sim_spec *spec = loads->spec;
	const unsigned event = (control & 0xFF) | (control >> 32 & 0x3F) << 8;
	const unsigned umask = (control >> 8 & 0xFF) | (control >> 24 & 0xF) << 8;
	const unsigned l3s = sim_l3_count(spec->cpus), ccms = l3s < MOST_CCMS ? l3s : MOST_CCMS;

	for (size_t i = 0; i < COUNT(df_events); i++) {
		const unsigned first = df_events[i].first, n = (event - first) / DF_STEP;
		const struct flow *flow = &df_events[i].flow;
		const bool port = flow->carrier == PORT;

		if (df_events[i].model != spec->model || df_events[i].umask != umask ||
		    event < first || (event - first) % DF_STEP || n >= df_events[i].count)
			continue;
		if (n >= (port ? spec->ports : ccms))
			return 0;
		return share_of(flow_events(loads, flow, socket, port ? n : 0, t),
				port ? (struct share){1, 1} : rising_share(n, ccms));
	}
	return 0;
}

static uint64_t count_l3(const struct sim_loads *loads, const struct traffic_unit *unit,
			 uint64_t control, uint64_t t)
{
	const unsigned event = control & 0xFF, umask = control >> 8 & 0xFF;
	long double events = 0;

	if ((event != L3_LATENCY && event != L3_REQUESTS) ||
	    (control & L3_SELECTION) != L3_EVERYWHERE)
		return 0;
	for (size_t i = 0; i < COUNT(l3_sources); i++)
		if (umask & l3_sources[i].umask)
			events += flow_events(loads,
					      event == L3_LATENCY ? &l3_sources[i].latency
								  : &l3_sources[i].requests,
					      unit->socket, 0, t);
	return share_of(events, rising_share(unit->index, sim_l3_count(loads->spec->cpus)));
}

static uint64_t count_umc(const struct sim_loads *loads, unsigned socket, uint64_t control,
			  uint64_t t)
{
	const unsigned event = control & 0xFF, mask = control >> 8 & 3;
	struct share share = {1, 1};
	long double events = 0;

	for (size_t i = 0; i < COUNT(umc_events); i++) {
		if (umc_events[i].event != event || !(umc_events[i].masks >> mask & 1))
			continue;
		events += flow_events(loads, &umc_events[i].flow, socket, 0, t);
		share.of = umc_events[i].each ? 1 : loads->spec->imcs;
	}
	return share_of(events, share);
}

uint64_t traffic_amd_count(const struct sim_loads *loads, const struct traffic_unit *unit,
			   uint64_t control, uint64_t t)
{
	switch (unit->type) {
	case BOX_DF:
		return count_df(loads, unit->socket, control, t);
	case BOX_L3:
		return count_l3(loads, unit, control, t);
	case BOX_UMC:
		return count_umc(loads, unit->socket, control, t);
	default:
		return 0;
	}
}
