/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/traffic.h"

#include <stdbool.h>
#include <stddef.h>

#define HBM_BURST	  32.0 /* bytes a column access */
#define CHA_GHZ		  2.0
#define UNCORE_GHZ	  2.0
#define LINK_GHZ	  1.0 /* the flit clock of a x16 link at 32 GT/s */
#define SLOTS_PER_FLIT	  4.0 /* of 16 bytes: a cache line fills a flit */
#define FLITS_SHARED_GBPS 16.0

static bool half_lines(const struct sim_spec *spec)
{
	return sim_model_facts(spec->model)->half_lines;
}

enum rate {
	RATE_LINK_CLOCK,
	RATE_UNCORE_CLOCK,
	RATE_CHA_CLOCK,
	RATE_DCLK,
	RATE_READS,
	RATE_REQUESTS,
	RATE_WRITES,
	RATE_TX_MEM_DATA,
	RATE_TX_CACHE_DATA,
	RATE_H2D,
	RATE_RX_MEM_DATA,
	RATE_RX_CACHE_DATA,
	RATE_FULL,
	RATE_CRC,
	RATE_RETRY,
	RATE_TX_FLITS,
	RATE_RX_FLITS,
	RATE_NOT_EMPTY,
	RATE_CXL_INSERTS,
	RATE_LOCAL_INSERTS,
	RATE_REMOTE_INSERTS,
	RATE_CXL_OCCUPANCY,
	RATE_LOCAL_OCCUPANCY,
	RATE_REMOTE_OCCUPANCY,
	RATE_IMC_READS,
	RATE_IMC_WRITES,
	RATE_HBM_READS,
	RATE_HBM_WRITES,
	RATE_HALF_IMC_READS,
	RATE_HALF_IMC_WRITES,
	RATE_SENT,
	RATE_RECEIVED
};

static double rate_of(const struct sim_spec *s, enum rate rate);

/*
 * As on an Emerald Rapids with an expander: 3 flits a line of a pointer chase, 1.6 and 1.5 of
 * streams of 16.6 and 17.1 GB/s, as lines that follow each other share the slots of headers.
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
static double not_empty(const struct sim_spec *s)
{
	const double max = (s->full_given ? 1 - s->full / 100 : 1) * LINK_GHZ * 1e9;

	if (s->limit > 0)
		return sim_load_utilisation(s) * max;

	const double lines = traffic_lines(s->read) / SLOTS_PER_FLIT,
		     cycles = s->full_given ? lines : rate_of(s, RATE_FULL) + lines;

	return cycles < max ? cycles : max;
}

static double port_rate(const struct sim_spec *s, enum rate rate)
{
	switch (rate) {
	case RATE_LINK_CLOCK:
		return LINK_GHZ * 1e9;
	case RATE_UNCORE_CLOCK:
		return UNCORE_GHZ * 1e9;
	case RATE_CHA_CLOCK:
		return CHA_GHZ * 1e9;
	case RATE_DCLK:
		return TRAFFIC_DCLK_GHZ * 1e9;
	case RATE_READS:
		return traffic_lines(s->read);
	/* M2S requests: a MemSpecRd is one, too, and the read of the same line follows it. */
	case RATE_REQUESTS:
		return rate_of(s, RATE_READS) * (1 + s->memspecrd / 100);
	case RATE_WRITES:
		return traffic_lines(s->write);
	case RATE_TX_MEM_DATA:
		return traffic_lines(s->write) * (half_lines(s) ? 2 : 1);
	case RATE_TX_CACHE_DATA:
		return traffic_lines(s->cache_h2d) * (half_lines(s) ? 2 : 1);
	case RATE_H2D:
		return traffic_lines(s->cache_h2d);
	case RATE_RX_MEM_DATA:
		return s->rxc ? traffic_lines(s->read) : 0;
	case RATE_RX_CACHE_DATA:
		return traffic_lines(s->cache_d2h);
	/* If given, whatever the traffic. */
	case RATE_FULL:
		return (sim_load_fills_queues(s) ? 1 : s->full / 100) * LINK_GHZ * 1e9;
	case RATE_CRC:
		return s->crc;
	case RATE_RETRY:
		return s->retry;
	case RATE_TX_FLITS:
		return traffic_lines(s->write + s->cache_h2d) +
		       rate_of(s, RATE_REQUESTS) / SLOTS_PER_FLIT;
	case RATE_RX_FLITS:
		return traffic_lines(s->read) * rx_flits_per_line(s) + traffic_lines(s->cache_d2h) +
		       traffic_lines(s->write) / SLOTS_PER_FLIT;
	case RATE_NOT_EMPTY:
		return not_empty(s);
	default:
		return 0;
	}
}

static double memory_rate(const struct sim_spec *s, enum rate rate)
{
	switch (rate) {
	/* TOR inserts of one CHA, by tier. */
	case RATE_CXL_INSERTS:
		return traffic_lines(s->read) * s->ports / s->chas;
	case RATE_LOCAL_INSERTS:
		return traffic_lines(s->dram_read) * (1 - traffic_remote_ratio(s)) / s->chas;
	case RATE_REMOTE_INSERTS:
		return traffic_lines(s->dram_read) * traffic_remote_ratio(s) / s->chas;
	/* TOR occupancy of one CHA, summed over its clocks: Little's law. */
	case RATE_CXL_OCCUPANCY:
		return rate_of(s, RATE_CXL_INSERTS) * s->latency * CHA_GHZ;
	case RATE_LOCAL_OCCUPANCY:
		return rate_of(s, RATE_LOCAL_INSERTS) * s->ddr_latency * CHA_GHZ;
	case RATE_REMOTE_OCCUPANCY:
		return rate_of(s, RATE_REMOTE_INSERTS) * s->ddr_remote_latency * CHA_GHZ;
	case RATE_IMC_READS:
		return traffic_lines(s->dram_read) / s->imcs;
	case RATE_IMC_WRITES:
		return traffic_lines(s->dram_write) / s->imcs;
	case RATE_HBM_READS:
		return s->hbm_read * 1e9 / HBM_BURST / s->hbms;
	case RATE_HBM_WRITES:
		return s->hbm_write * 1e9 / HBM_BURST / s->hbms;
	case RATE_HALF_IMC_READS:
		return rate_of(s, RATE_IMC_READS) / 2;
	case RATE_HALF_IMC_WRITES:
		return rate_of(s, RATE_IMC_WRITES) / 2;
	/* What a port of Diamond Rapids sends and receives, whatever the event. */
	case RATE_SENT:
		return traffic_lines(s->write + s->cache_h2d);
	case RATE_RECEIVED:
		return traffic_lines(s->read + s->cache_d2h);
	default:
		return 0;
	}
}

/* Events a second of one unit; rates of a socket are split evenly among its units. */
static double rate_of(const struct sim_spec *s, enum rate rate)
{
	return rate < RATE_CXL_INSERTS ? port_rate(s, rate) : memory_rate(s, rate);
}

#define ON(model)  (1U << (model))
#define SPR_EMR	   (ON(SIM_SPR) | ON(SIM_EMR))
#define GNR	   (ON(SIM_GNR) | ON(SIM_GNR_D))
#define SRF_CWF	   (ON(SIM_SRF) | ON(SIM_CWF))
#define GNR_ON	   (GNR | SRF_CWF) /* from Granite Rapids on */
#define EVERYWHERE (SPR_EMR | GNR_ON)
#define CACHE_DATA (EVERYWHERE & ~ON(SIM_CWF)) /* nothing is published of it there */

enum { CHA = 0, IMC = 6, CXLCM = 12, CXLDP = 13, HBM = 14, CXLCM_DMR = 24, CBO = 31 };

#define PORT_ENABLE (UINT64_C(0xF) << 32) /* of a CXLCM of Diamond Rapids */

/* What makes a rate change over time. */
enum follows {
	STEADY,
	TRAFFIC,
	OCCUPANCY, /* the traffic, and how long its RATE_REQUESTS take */
	FULL, /* the traffic, or with a limit the length of the queue; nothing if it is given */
};

/* Codes as in Intel's event lists. */
static const struct event_rate {
	unsigned type; /* of unit */
	unsigned models;
	uint8_t code, umask;
	uint32_t umask_ext;
	uint8_t counters; /* mask of those that can count it */
	enum follows follows;
	enum rate rate;
	uint8_t last; /* all codes up to this one, with any umask: no list says what they count */
} event_rates[] = {
	{CXLCM, SPR_EMR, 0x01, 0x02, 0, 0xFF, STEADY, RATE_LINK_CLOCK},
	{CXLCM, EVERYWHERE, 0x02, 0x10, 0, 0x0F, TRAFFIC, RATE_TX_MEM_DATA},
	{CXLCM, EVERYWHERE, 0x02, 0x08, 0, 0x0F, TRAFFIC, RATE_REQUESTS},
	{CXLCM, CACHE_DATA, 0x02, 0x04, 0, 0x0F, TRAFFIC, RATE_TX_CACHE_DATA},
	{CXLCM, SPR_EMR, 0x05, 0x01, 0, 0x0F, TRAFFIC, RATE_TX_FLITS},
	{CXLCM, SPR_EMR, 0x05, 0x02, 0, 0x0F, TRAFFIC, RATE_TX_FLITS},
	{CXLCM, EVERYWHERE, 0x41, 0x10, 0, 0xF0, TRAFFIC, RATE_RX_MEM_DATA},
	{CXLCM, EVERYWHERE, 0x41, 0x08, 0, 0xF0, TRAFFIC, RATE_WRITES},
	{CXLCM, CACHE_DATA, 0x41, 0x04, 0, 0xF0, TRAFFIC, RATE_RX_CACHE_DATA},
	{CXLCM, SPR_EMR, 0x43, 0x20, 0, 0xF0, TRAFFIC, RATE_RX_MEM_DATA},
	{CXLCM, SPR_EMR, 0x43, 0x10, 0, 0xF0, TRAFFIC, RATE_WRITES},
	{CXLCM, SPR_EMR, 0x42, 0x10, 0, 0xF0, TRAFFIC, RATE_NOT_EMPTY},
	{CXLCM, SPR_EMR, 0x42, 0x08, 0, 0xF0, TRAFFIC, RATE_NOT_EMPTY},
	{CXLCM, SPR_EMR, 0x52, 0x10, 0, 0xF0, FULL, RATE_FULL},
	{CXLCM, SPR_EMR, 0x52, 0x08, 0, 0xF0, FULL, RATE_FULL},
	{CXLCM, SPR_EMR, 0x40, 0x08, 0, 0xF0, STEADY, RATE_CRC},
	{CXLCM, SPR_EMR, 0x40, 0x02, 0, 0xF0, STEADY, RATE_RETRY},
	{CXLCM, SPR_EMR, 0x4B, 0x01, 0, 0xF0, TRAFFIC, RATE_RX_FLITS},
	{CXLCM, SPR_EMR, 0x4B, 0x02, 0, 0xF0, TRAFFIC, RATE_RX_FLITS},
	{CXLDP, SPR_EMR, 0x01, 0x01, 0, 0x0F, STEADY, RATE_UNCORE_CLOCK},
	{CXLDP, EVERYWHERE, 0x02, 0x20, 0, 0x0F, TRAFFIC, RATE_WRITES},
	{CXLDP, EVERYWHERE, 0x02, 0x10, 0, 0x0F, TRAFFIC, RATE_REQUESTS},
	{CXLDP, SPR_EMR, 0x02, 0x08, 0, 0x0F, TRAFFIC, RATE_H2D},
	{CHA, EVERYWHERE, 0x01, 0x00, 0, 0x0F, STEADY, RATE_CHA_CLOCK},
	{CHA, SPR_EMR | GNR, 0x35, 0x01, 0x10C81782, 0x0F, TRAFFIC, RATE_CXL_INSERTS},
	{CHA, SPR_EMR | GNR, 0x36, 0x01, 0x10C81782, 0x01, OCCUPANCY, RATE_CXL_OCCUPANCY},
	{CHA, SPR_EMR | GNR, 0x35, 0x01, 0x10C81682, 0x0F, TRAFFIC, RATE_CXL_INSERTS},
	{CHA, SPR_EMR | GNR, 0x36, 0x01, 0x10C81682, 0x01, OCCUPANCY, RATE_CXL_OCCUPANCY},
	{CHA, SPR_EMR | GNR, 0x35, 0x01, 0x20C81682, 0x0F, TRAFFIC, RATE_CXL_INSERTS},
	{CHA, SPR_EMR | GNR, 0x36, 0x01, 0x20C81682, 0x01, OCCUPANCY, RATE_CXL_OCCUPANCY},
	{CHA, SRF_CWF, 0x35, 0x01, 0x10C82782, 0x0F, TRAFFIC, RATE_CXL_INSERTS},
	{CHA, SRF_CWF, 0x36, 0x01, 0x10C82782, 0x01, OCCUPANCY, RATE_CXL_OCCUPANCY},
	{CHA, SRF_CWF, 0x35, 0x01, 0x20C82682, 0x0F, TRAFFIC, RATE_CXL_INSERTS},
	{CHA, SRF_CWF, 0x36, 0x01, 0x20C82682, 0x01, OCCUPANCY, RATE_CXL_OCCUPANCY},
	{CHA, SPR_EMR | GNR, 0x35, 0x01, 0x00C81686, 0x0F, TRAFFIC, RATE_LOCAL_INSERTS},
	{CHA, SPR_EMR | GNR, 0x36, 0x01, 0x00C81686, 0x01, OCCUPANCY, RATE_LOCAL_OCCUPANCY},
	{CHA, SPR_EMR | GNR, 0x35, 0x01, 0x00C81706, 0x0F, TRAFFIC, RATE_REMOTE_INSERTS},
	{CHA, SPR_EMR | GNR, 0x36, 0x01, 0x00C81706, 0x01, OCCUPANCY, RATE_REMOTE_OCCUPANCY},
	{IMC, SPR_EMR, 0x05, 0xCF, 0, 0x0F, TRAFFIC, RATE_IMC_READS},
	{IMC, SPR_EMR, 0x05, 0xF0, 0, 0x0F, TRAFFIC, RATE_IMC_WRITES},
	{HBM, ON(SIM_SPR), 0x05, 0xCF, 0, 0x0F, TRAFFIC, RATE_HBM_READS},
	{HBM, ON(SIM_SPR), 0x05, 0xF0, 0, 0x0F, TRAFFIC, RATE_HBM_WRITES},
	{IMC, GNR_ON, 0x05, 0xCF, 0, 0x0F, TRAFFIC, RATE_HALF_IMC_READS},
	{IMC, GNR_ON, 0x05, 0xF0, 0, 0x0F, TRAFFIC, RATE_HALF_IMC_WRITES},
	{IMC, GNR_ON, 0x06, 0xCF, 0, 0x0F, TRAFFIC, RATE_HALF_IMC_READS},
	{IMC, GNR_ON, 0x06, 0xF0, 0, 0x0F, TRAFFIC, RATE_HALF_IMC_WRITES},
	{IMC, EVERYWHERE, 0x01, 0x01, 0, 0x0F, STEADY, RATE_DCLK},
	{CXLCM_DMR, ON(SIM_DMR), 0x01, 0, 0, 0x0F, TRAFFIC, RATE_SENT, .last = 0x24},
	{CXLCM_DMR, ON(SIM_DMR), 0x41, 0, 0, 0xF0, TRAFFIC, RATE_RECEIVED, .last = 0x61},
	{CBO, ON(SIM_DMR), 0x01, 0, 0, 0x0F, TRAFFIC, RATE_CXL_INSERTS, .last = 0xFF},
};

static bool from_cxl(const struct event_rate *e)
{
	return e->rate == RATE_CXL_INSERTS || e->rate == RATE_CXL_OCCUPANCY;
}

static bool of_port(const struct traffic_unit *unit)
{
	return unit->type == CXLCM || unit->type == CXLDP || unit->type == CXLCM_DMR;
}

/* What has passed by t, in ns at the event's rate. */
static long double load_of(const struct sim_loads *loads, const struct traffic_unit *unit,
			   const struct event_rate *e, uint64_t t)
{
	const struct sim_spec *spec = loads->spec;
	const enum sim_load_kind kind = e->follows == OCCUPANCY ? LOAD_OCCUPANCY
					: e->follows == FULL && sim_load_fills_queues(spec)
						? LOAD_FULL
						: LOAD_TRAFFIC;

	if (e->follows == STEADY || (e->follows == FULL && spec->full_given))
		return t;
	if (of_port(unit))
		return sim_load_port(loads, unit->socket, unit->index, kind, t);
	return from_cxl(e) ? sim_load_ports(loads, unit->socket, kind, t)
			   : sim_load_dram(loads, unit->socket, kind, t);
}

/* Bytes of the injected load that the unit carried. */
static long double injected_of(const struct sim_loads *loads, const struct traffic_unit *unit,
			       bool cxl, enum sim_injected_kind kind, uint64_t t)
{
	if (of_port(unit))
		return sim_injected_moved(sim_load_injected_port(loads, unit->socket, unit->index),
					  kind, t);
	return cxl ? traffic_injected_ports(loads, unit->socket, kind, t)
		   : sim_injected_moved(sim_load_injected_dram(loads, unit->socket), kind, t);
}

/* The class of the CXL reads that an event of a CHA counts, in bits 61:60 of its control. */
#define CLASS_ACC 1
#define CLASS_EXP 2

static bool has_class(const struct sim_spec *spec, const struct event_rate *e)
{
	const unsigned class = e->umask_ext >> 28;

	return !class || class == (spec->exp_local ? CLASS_EXP : CLASS_ACC);
}

static bool selects(const struct event_rate *e, uint64_t control)
{
	const uint8_t code = control & 0xff;

	if (e->last)
		return code >= e->code && code <= e->last &&
		       (e->type != CXLCM_DMR || control & PORT_ENABLE);
	return e->code == code && e->umask == (control >> 8 & 0xff) &&
	       e->umask_ext == control >> 32;
}

static const struct event_rate *find_rate(const struct sim_spec *spec, unsigned type,
					  uint64_t control)
{
	for (size_t i = 0; i < sizeof(event_rates) / sizeof(event_rates[0]); i++) {
		const struct event_rate *e = &event_rates[i];

		if (e->type == type && e->models & ON(spec->model) && has_class(spec, e) &&
		    selects(e, control))
			return e;
	}
	return NULL;
}

/* Events, times 1e9, of the injected load on the unit: the rates are those of one GB/s. */
static long double injected_events(const struct sim_loads *loads, const struct traffic_unit *unit,
				   const struct event_rate *e, uint64_t t)
{
	const enum sim_injected_kind reads_as =
		e->follows == OCCUPANCY ? INJECTED_OCCUPIED : INJECTED_READ;

	if (e->follows == STEADY || e->follows == FULL)
		return 0;
	return rate_of(&loads->one_read, e->rate) *
		       injected_of(loads, unit, from_cxl(e), reads_as, t) +
	       rate_of(&loads->one_write, e->rate) *
		       injected_of(loads, unit, from_cxl(e), INJECTED_WRITE, t);
}

/* Which events miscount= makes wrong. */
static const struct {
	enum rate rate;
	enum sim_miscount kind;
} miscounted[] = {
	{RATE_RX_MEM_DATA, MISCOUNT_RXC},	{RATE_REQUESTS, MISCOUNT_M2S_REQ},
	{RATE_CXL_INSERTS, MISCOUNT_TOR},	{RATE_CXL_OCCUPANCY, MISCOUNT_TOR},
	{RATE_WRITES, MISCOUNT_WRITE},		{RATE_TX_MEM_DATA, MISCOUNT_WRITE},
	{RATE_CXL_OCCUPANCY, MISCOUNT_LATENCY}, {RATE_LOCAL_OCCUPANCY, MISCOUNT_LATENCY},
	{RATE_IMC_READS, MISCOUNT_DRAM_READ},	{RATE_HALF_IMC_READS, MISCOUNT_DRAM_READ},
	{RATE_IMC_WRITES, MISCOUNT_DRAM_WRITE}, {RATE_HALF_IMC_WRITES, MISCOUNT_DRAM_WRITE},
};

static bool is_miscounted(const struct sim_spec *spec, const struct traffic_unit *unit,
			  const struct event_rate *e)
{
	const unsigned port = unit->socket * spec->ports + unit->index;

	if (of_port(unit) && spec->miscount_port != SIM_EVERY_PORT && spec->miscount_port != port)
		return false;
	if (spec->miscount == MISCOUNT_PORT)
		return of_port(unit) && e->follows != STEADY;
	for (size_t i = 0; i < sizeof(miscounted) / sizeof(miscounted[0]); i++)
		if (miscounted[i].rate == e->rate && miscounted[i].kind == spec->miscount)
			return true;
	return false;
}

/* The product first: nanoseconds divided by 1e9 would be rounded and lose an event. */
static uint64_t events(long double rate, long double ns)
{
	return (uint64_t)(rate * ns / 1e9L);
}

bool traffic_knows(const struct sim_spec *spec, unsigned type, uint64_t control)
{
	return sim_model_facts(spec->model)->vendor == SIM_AMD
		       ? traffic_amd_knows(spec, type, control)
		       : find_rate(spec, type, control) != NULL;
}

uint64_t traffic_count(const struct sim_loads *loads, const struct traffic_unit *unit,
		       uint64_t control, unsigned counter, uint64_t t)
{
	if (sim_model_facts(loads->spec->model)->vendor == SIM_AMD)
		return traffic_amd_count(loads, unit, control, t);

	const struct event_rate *e = find_rate(loads->spec, unit->type, control);

	if (!e || !(e->counters >> counter & 1))
		return 0;
	const bool full_too = e->rate == RATE_NOT_EMPTY && loads->spec->full_given;
	const long double count = rate_of(loads->spec, e->rate) * load_of(loads, unit, e, t) +
				  (full_too ? rate_of(loads->spec, RATE_FULL) * t : 0) +
				  injected_events(loads, unit, e, t);
	return events(count,
		      is_miscounted(loads->spec, unit, e) ? loads->spec->miscount_pct / 100 : 1);
}
