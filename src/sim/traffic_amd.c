/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Source of the events: the kernel's pmu-events (amdzen4, amdzen5, amdzen6), Intel PerfSpect's
 * metrics of Turin, and Meta's dynolog.
 *
 * A socket's CXL reads and DRAM reads are those of its L3 caches, each of which has one part more
 * than the one before it. Every 64th is sampled for its latency. On Venice each L3 cache is behind
 * a CCM of its own, up to 16; what there is beyond that is shared by these.
 */

#include <stddef.h>

#include "sim/traffic.h"
#include "uncore/model.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define SAMPLED	     64 /* reads for each one whose latency is counted */
#define LATENCY_UNIT 10 /* ns */
#define MOST_CCMS    16

enum rate {
	RATE_DCLK,
	RATE_CXL_READS,
	RATE_CXL_HALF_READS,
	RATE_CXL_WRITES,
	RATE_DRAM_READS,
	RATE_DRAM_WRITES,
	RATE_NEAR_DRAM,
	RATE_FAR_DRAM,
	RATE_NEAR_CXL,
	RATE_FAR_CXL,
	RATE_NEAR_DRAM_LATENCY,
	RATE_FAR_DRAM_LATENCY,
	RATE_NEAR_CXL_LATENCY,
	RATE_FAR_CXL_LATENCY
};

/* Reads of this many GB/s that are sampled, near and far. */
static double near(const struct sim_spec *s, double gigabytes)
{
	return traffic_lines(gigabytes) * (1 - traffic_remote_ratio(s)) / SAMPLED;
}

static double far(const struct sim_spec *s, double gigabytes)
{
	return traffic_lines(gigabytes) * traffic_remote_ratio(s) / SAMPLED;
}

/* The way to another socket takes as long as to its DRAM. */
static double far_cxl_latency(const struct sim_spec *s)
{
	const double latency = s->latency + s->ddr_remote_latency - s->ddr_latency;

	return latency > 0 ? far(s, s->read) * latency / LATENCY_UNIT : 0;
}

/* Events a second. */
static double rate_of(const struct sim_spec *s, enum rate rate)
{
	switch (rate) {
	case RATE_DCLK:
		return TRAFFIC_DCLK_GHZ * 1e9;
	case RATE_CXL_READS:
		return traffic_lines(s->read);
	case RATE_CXL_HALF_READS:
		return 2 * traffic_lines(s->read);
	case RATE_CXL_WRITES:
		return traffic_lines(s->write);
	case RATE_DRAM_READS:
		return traffic_lines(s->dram_read);
	case RATE_DRAM_WRITES:
		return traffic_lines(s->dram_write);
	case RATE_NEAR_DRAM:
		return near(s, s->dram_read);
	case RATE_FAR_DRAM:
		return far(s, s->dram_read);
	case RATE_NEAR_CXL:
		return near(s, s->read);
	case RATE_FAR_CXL:
		return far(s, s->read);
	case RATE_NEAR_DRAM_LATENCY:
		return near(s, s->dram_read) * s->ddr_latency / LATENCY_UNIT;
	case RATE_FAR_DRAM_LATENCY:
		return far(s, s->dram_read) * s->ddr_remote_latency / LATENCY_UNIT;
	case RATE_NEAR_CXL_LATENCY:
		return near(s, s->read) * s->latency / LATENCY_UNIT;
	case RATE_FAR_CXL_LATENCY:
		return far_cxl_latency(s);
	}
	return 0;
}

/* Whose traffic it is; the rate of PORTS is that of each of them. */
enum carrier { CLOCK, PORT, PORTS, DRAM };

#define MISCOUNTS(kind) (1U << (kind))
#define MISCOUNTS_READS (MISCOUNTS(MISCOUNT_RXC) | MISCOUNTS(MISCOUNT_M2S_REQ))

/* Events that pass, and which miscount= makes them wrong. */
struct flow {
	enum carrier carrier;
	enum sim_load_kind kind;
	enum rate rate;
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
	{SIM_TURIN, 0x31F, 4, 0xFFE, {PORT, LOAD_TRAFFIC, RATE_CXL_READS, MISCOUNTS_READS}},
	{SIM_TURIN,
	 0x31F,
	 4,
	 0xCFD,
	 {PORT, LOAD_TRAFFIC, RATE_CXL_WRITES, MISCOUNTS(MISCOUNT_WRITE)}},
	{SIM_VENICE, 0x41E, 16, 0xFE0, {PORTS, LOAD_TRAFFIC, RATE_CXL_HALF_READS, MISCOUNTS_READS}},
	{SIM_VENICE,
	 0x41E,
	 16,
	 0xFE1,
	 {PORTS, LOAD_TRAFFIC, RATE_CXL_WRITES, MISCOUNTS(MISCOUNT_WRITE)}},
};
#define DF_STEP 0x40 /* from event to event */

static const struct {
	uint8_t umask;
	struct flow requests, latency;
} l3_sources[] = {
	{0x01,
	 {DRAM, LOAD_TRAFFIC, RATE_NEAR_DRAM, 0},
	 {DRAM, LOAD_OCCUPANCY, RATE_NEAR_DRAM_LATENCY, MISCOUNTS(MISCOUNT_LATENCY)}},
	{0x02,
	 {DRAM, LOAD_TRAFFIC, RATE_FAR_DRAM, 0},
	 {DRAM, LOAD_OCCUPANCY, RATE_FAR_DRAM_LATENCY, MISCOUNTS(MISCOUNT_LATENCY)}},
	{0x10,
	 {PORTS, LOAD_TRAFFIC, RATE_NEAR_CXL, 0},
	 {PORTS, LOAD_OCCUPANCY, RATE_NEAR_CXL_LATENCY, MISCOUNTS(MISCOUNT_LATENCY)}},
	{0x20,
	 {PORTS, LOAD_TRAFFIC, RATE_FAR_CXL, 0},
	 {PORTS, LOAD_OCCUPANCY, RATE_FAR_CXL_LATENCY, MISCOUNTS(MISCOUNT_LATENCY)}},
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
	{0x00, 0x0F, true, {CLOCK, LOAD_TRAFFIC, RATE_DCLK, 0}},
	{0x0A, 0x03, false, {DRAM, LOAD_TRAFFIC, RATE_DRAM_READS, MISCOUNTS(MISCOUNT_DRAM_READ)}},
	{0x0A, 0x05, false, {DRAM, LOAD_TRAFFIC, RATE_DRAM_WRITES, MISCOUNTS(MISCOUNT_DRAM_WRITE)}},
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
		rate_of(spec, flow->rate) * load_of(loads, flow, socket, port, t) +
		rate_of(&loads->one_read, flow->rate) *
			injected_of(loads, flow, socket, port, reads, t) +
		rate_of(&loads->one_write, flow->rate) *
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

/* The nth of the event's ports or CCMs; NULL: it selects no known event. */
static const struct flow *find_df(enum sim_model model, uint64_t control, unsigned *n)
{
	const unsigned event = (control & 0xFF) | (control >> 32 & 0x3F) << 8;
	const unsigned umask = (control >> 8 & 0xFF) | (control >> 24 & 0xF) << 8;

	for (size_t i = 0; i < COUNT(df_events); i++) {
		const unsigned first = df_events[i].first;

		*n = (event - first) / DF_STEP;
		if (df_events[i].model == model && df_events[i].umask == umask && event >= first &&
		    (event - first) % DF_STEP == 0 && *n < df_events[i].count)
			return &df_events[i].flow;
	}
	return NULL;
}

static uint64_t count_df(const struct sim_loads *loads, unsigned socket, uint64_t control,
			 uint64_t t)
{
	const struct sim_spec *spec = loads->spec;
	const unsigned l3s = sim_l3_count(spec->cpus), ccms = l3s < MOST_CCMS ? l3s : MOST_CCMS;
	unsigned n;
	const struct flow *flow = find_df(spec->model, control, &n);
	const bool port = flow && flow->carrier == PORT;

	if (!flow || n >= (port ? spec->ports : ccms))
		return 0;
	return share_of(flow_events(loads, flow, socket, port ? n : 0, t),
			port ? (struct share){1, 1} : rising_share(n, ccms));
}

static bool is_l3_event(uint64_t control)
{
	const unsigned event = control & 0xFF;

	return (event == L3_LATENCY || event == L3_REQUESTS) &&
	       (control & L3_SELECTION) == L3_EVERYWHERE;
}

static uint64_t count_l3(const struct sim_loads *loads, const struct traffic_unit *unit,
			 uint64_t control, uint64_t t)
{
	const unsigned event = control & 0xFF, umask = control >> 8 & 0xFF;
	long double events = 0;

	if (!is_l3_event(control))
		return 0;
	for (size_t i = 0; i < COUNT(l3_sources); i++)
		if (umask & l3_sources[i].umask)
			events += flow_events(loads,
					      event == L3_LATENCY ? &l3_sources[i].latency
								  : &l3_sources[i].requests,
					      unit->socket, 0, t);
	return share_of(events, rising_share(unit->index, sim_l3_count(loads->spec->cpus)));
}

static bool is_umc_event(size_t i, uint64_t control)
{
	return umc_events[i].event == (control & 0xFF) &&
	       umc_events[i].masks >> (control >> 8 & 3) & 1;
}

static uint64_t count_umc(const struct sim_loads *loads, unsigned socket, uint64_t control,
			  uint64_t t)
{
	struct share share = {1, 1};
	long double events = 0;

	for (size_t i = 0; i < COUNT(umc_events); i++) {
		if (!is_umc_event(i, control))
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

bool traffic_amd_knows(const struct sim_spec *spec, unsigned type, uint64_t control)
{
	bool known = false;
	unsigned n;

	switch (type) {
	case BOX_DF:
		return find_df(spec->model, control, &n) != NULL;
	case BOX_L3:
		return is_l3_event(control);
	case BOX_UMC:
		for (size_t i = 0; i < COUNT(umc_events); i++)
			known |= is_umc_event(i, control);
		return known;
	default:
		return false;
	}
}
