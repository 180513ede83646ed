/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/traffic.h"

#include <stdbool.h>
#include <stddef.h>

#include "sim/traffic_amd.h"
#include "sim/traffic_rates.h"

#define HBM_BURST      32.0 /* bytes a column access */
#define CHA_GHZ	       2.0
#define UNCORE_GHZ     2.0
#define LINK_GHZ       1.0 /* the flit clock of a x16 link at 32 GT/s */
#define SLOTS_PER_FLIT 4.0 /* of 16 bytes: a cache line fills a flit */

static bool half_lines(const struct sim_spec *spec)
{
	return sim_model_facts(spec->model)->half_lines;
}

/* Events a second of one unit; rates of a socket are split evenly among its units. */
typedef double rate_function(const struct sim_spec *spec);

/* clang-format off: one rate a line */
static double link_clock(const struct sim_spec *s)
{
	(void)s;
	return LINK_GHZ * 1e9;
}
static double uncore_clock(const struct sim_spec *s)
{
	(void)s;
	return UNCORE_GHZ * 1e9;
}
static double cha_clock(const struct sim_spec *s)
{
	(void)s;
	return CHA_GHZ * 1e9;
}
static double dclk(const struct sim_spec *s)
{
	(void)s;
	return TRAFFIC_DCLK_GHZ * 1e9;
}

static double reads(const struct sim_spec *s)
{
	return traffic_lines(s->read);
}
/* M2S requests: a MemSpecRd is one, too, and the read of the same line follows it. */
static double requests(const struct sim_spec *s)
{
	return reads(s) * (1 + s->memspecrd / 100);
}
static double writes(const struct sim_spec *s)
{
	return traffic_lines(s->write);
}
static double tx_mem_data(const struct sim_spec *s)
{
	return traffic_lines(s->write) * (half_lines(s) ? 2 : 1);
}
static double tx_cache_data(const struct sim_spec *s)
{
	return traffic_lines(s->cache_h2d) * (half_lines(s) ? 2 : 1);
}
static double h2d(const struct sim_spec *s)
{
	return traffic_lines(s->cache_h2d);
}
static double rx_mem_data(const struct sim_spec *s)
{
	return s->rxc ? traffic_lines(s->read) : 0;
}
static double rx_cache_data(const struct sim_spec *s)
{
	return traffic_lines(s->cache_d2h);
}
static double full(const struct sim_spec *s)
{
	return (sim_load_fills_queues(s) ? 1 : s->full / 100) * LINK_GHZ * 1e9;
}
static double crc(const struct sim_spec *s)
{
	return s->crc;
}
static double retry(const struct sim_spec *s)
{
	return s->retry;
}
static double tx_flits(const struct sim_spec *s)
{
	return traffic_lines(s->write + s->cache_h2d) + requests(s) / SLOTS_PER_FLIT;
}
static double rx_flits(const struct sim_spec *s)
{
	return traffic_lines(s->read + s->cache_d2h) + traffic_lines(s->write) / SLOTS_PER_FLIT;
}

/*
 * Cycles in which a buffer is not empty: those in which it is full, and some for each line; with a
 * limit, as many as the port is utilised.
 */
static double not_empty(const struct sim_spec *s)
{
	if (sim_load_fills_queues(s))
		return sim_load_utilisation(s) * LINK_GHZ * 1e9;

	const double cycles = full(s) + traffic_lines(s->read) / SLOTS_PER_FLIT,
		     max = LINK_GHZ * 1e9;

	return cycles < max ? cycles : max;
}

/* TOR inserts of one CHA, by tier. */
static double cxl_inserts(const struct sim_spec *s)
{
	return traffic_lines(s->read) * s->ports / s->chas;
}
static double local_inserts(const struct sim_spec *s)
{
	return traffic_lines(s->dram_read) * (1 - traffic_remote_ratio(s)) / s->chas;
}
static double remote_inserts(const struct sim_spec *s)
{
	return traffic_lines(s->dram_read) * traffic_remote_ratio(s) / s->chas;
}

/* TOR occupancy of one CHA, summed over its clocks: Little's law. */
static double cxl_occupancy(const struct sim_spec *s)
{
	return cxl_inserts(s) * s->latency * CHA_GHZ;
}
static double local_occupancy(const struct sim_spec *s)
{
	return local_inserts(s) * s->ddr_latency * CHA_GHZ;
}
static double remote_occupancy(const struct sim_spec *s)
{
	return remote_inserts(s) * s->ddr_remote_latency * CHA_GHZ;
}

static double imc_reads(const struct sim_spec *s)
{
	return traffic_lines(s->dram_read) / s->imcs;
}
static double imc_writes(const struct sim_spec *s)
{
	return traffic_lines(s->dram_write) / s->imcs;
}
static double hbm_reads(const struct sim_spec *s)
{
	return s->hbm_read * 1e9 / HBM_BURST / s->hbms;
}
static double hbm_writes(const struct sim_spec *s)
{
	return s->hbm_write * 1e9 / HBM_BURST / s->hbms;
}
static double half_imc_reads(const struct sim_spec *s)
{
	return imc_reads(s) / 2;
}
static double half_imc_writes(const struct sim_spec *s)
{
	return imc_writes(s) / 2;
}

/* What a port of Diamond Rapids sends and receives, whatever the event. */
static double sent(const struct sim_spec *s)
{
	return traffic_lines(s->write + s->cache_h2d);
}
static double received(const struct sim_spec *s)
{
	return traffic_lines(s->read + s->cache_d2h);
}

/* clang-format on */

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
	OCCUPANCY, /* the traffic, and how long its requests take */
	FULL,	   /* the traffic, or with a limit the length of the queue */
};

/* Codes as in Intel's event lists. */
static const struct event_rate {
	unsigned type; /* of unit */
	unsigned models;
	uint8_t code, umask;
	uint32_t umask_ext;
	uint8_t counters; /* mask of those that can count it */
	enum follows follows;
	rate_function *rate;
	uint8_t last; /* all codes up to this one, with any umask: no list says what they count */
} event_rates[] = {
	{CXLCM, SPR_EMR, 0x01, 0x02, 0, 0xFF, STEADY, link_clock},
	{CXLCM, EVERYWHERE, 0x02, 0x10, 0, 0x0F, TRAFFIC, tx_mem_data},
	{CXLCM, EVERYWHERE, 0x02, 0x08, 0, 0x0F, TRAFFIC, requests},
	{CXLCM, CACHE_DATA, 0x02, 0x04, 0, 0x0F, TRAFFIC, tx_cache_data},
	{CXLCM, SPR_EMR, 0x05, 0x01, 0, 0x0F, TRAFFIC, tx_flits},
	{CXLCM, SPR_EMR, 0x05, 0x02, 0, 0x0F, TRAFFIC, tx_flits},
	{CXLCM, EVERYWHERE, 0x41, 0x10, 0, 0xF0, TRAFFIC, rx_mem_data},
	{CXLCM, EVERYWHERE, 0x41, 0x08, 0, 0xF0, TRAFFIC, writes},
	{CXLCM, CACHE_DATA, 0x41, 0x04, 0, 0xF0, TRAFFIC, rx_cache_data},
	{CXLCM, SPR_EMR, 0x43, 0x20, 0, 0xF0, TRAFFIC, rx_mem_data},
	{CXLCM, SPR_EMR, 0x43, 0x10, 0, 0xF0, TRAFFIC, writes},
	{CXLCM, SPR_EMR, 0x42, 0x10, 0, 0xF0, TRAFFIC, not_empty},
	{CXLCM, SPR_EMR, 0x42, 0x08, 0, 0xF0, TRAFFIC, not_empty},
	{CXLCM, SPR_EMR, 0x52, 0x10, 0, 0xF0, FULL, full},
	{CXLCM, SPR_EMR, 0x52, 0x08, 0, 0xF0, FULL, full},
	{CXLCM, SPR_EMR, 0x40, 0x08, 0, 0xF0, STEADY, crc},
	{CXLCM, SPR_EMR, 0x40, 0x02, 0, 0xF0, STEADY, retry},
	{CXLCM, SPR_EMR, 0x4B, 0x01, 0, 0xF0, TRAFFIC, rx_flits},
	{CXLCM, SPR_EMR, 0x4B, 0x02, 0, 0xF0, TRAFFIC, rx_flits},
	{CXLDP, SPR_EMR, 0x01, 0x01, 0, 0x0F, STEADY, uncore_clock},
	{CXLDP, EVERYWHERE, 0x02, 0x20, 0, 0x0F, TRAFFIC, writes},
	{CXLDP, EVERYWHERE, 0x02, 0x10, 0, 0x0F, TRAFFIC, requests},
	{CXLDP, SPR_EMR, 0x02, 0x08, 0, 0x0F, TRAFFIC, h2d},
	{CHA, EVERYWHERE, 0x01, 0x00, 0, 0x0F, STEADY, cha_clock},
	{CHA, ON(SIM_EMR), 0x35, 0x01, 0x20C81682, 0x0F, TRAFFIC, cxl_inserts},
	{CHA, ON(SIM_EMR), 0x36, 0x01, 0x20C81682, 0x01, OCCUPANCY, cxl_occupancy},
	{CHA, ON(SIM_SPR) | GNR, 0x35, 0x01, 0x10C81782, 0x0F, TRAFFIC, cxl_inserts},
	{CHA, ON(SIM_SPR) | GNR, 0x36, 0x01, 0x10C81782, 0x01, OCCUPANCY, cxl_occupancy},
	{CHA, SRF_CWF, 0x35, 0x01, 0x10C82782, 0x0F, TRAFFIC, cxl_inserts},
	{CHA, SRF_CWF, 0x36, 0x01, 0x10C82782, 0x01, OCCUPANCY, cxl_occupancy},
	{CHA, SPR_EMR | GNR, 0x35, 0x01, 0x00C81686, 0x0F, TRAFFIC, local_inserts},
	{CHA, SPR_EMR | GNR, 0x36, 0x01, 0x00C81686, 0x01, OCCUPANCY, local_occupancy},
	{CHA, SPR_EMR | GNR, 0x35, 0x01, 0x00C81706, 0x0F, TRAFFIC, remote_inserts},
	{CHA, SPR_EMR | GNR, 0x36, 0x01, 0x00C81706, 0x01, OCCUPANCY, remote_occupancy},
	{IMC, SPR_EMR, 0x05, 0xCF, 0, 0x0F, TRAFFIC, imc_reads},
	{IMC, SPR_EMR, 0x05, 0xF0, 0, 0x0F, TRAFFIC, imc_writes},
	{HBM, ON(SIM_SPR), 0x05, 0xCF, 0, 0x0F, TRAFFIC, hbm_reads},
	{HBM, ON(SIM_SPR), 0x05, 0xF0, 0, 0x0F, TRAFFIC, hbm_writes},
	{IMC, GNR_ON, 0x05, 0xCF, 0, 0x0F, TRAFFIC, half_imc_reads},
	{IMC, GNR_ON, 0x05, 0xF0, 0, 0x0F, TRAFFIC, half_imc_writes},
	{IMC, GNR_ON, 0x06, 0xCF, 0, 0x0F, TRAFFIC, half_imc_reads},
	{IMC, GNR_ON, 0x06, 0xF0, 0, 0x0F, TRAFFIC, half_imc_writes},
	{IMC, EVERYWHERE, 0x01, 0x01, 0, 0x0F, STEADY, dclk},
	{CXLCM_DMR, ON(SIM_DMR), 0x01, 0, 0, 0x0F, TRAFFIC, sent, .last = 0x24},
	{CXLCM_DMR, ON(SIM_DMR), 0x41, 0, 0, 0xF0, TRAFFIC, received, .last = 0x61},
	{CBO, ON(SIM_DMR), 0x01, 0, 0, 0x0F, TRAFFIC, cxl_inserts, .last = 0xFF},
};

static bool from_cxl(const struct event_rate *e)
{
	return e->rate == cxl_inserts || e->rate == cxl_occupancy;
}

static bool of_port(const struct traffic_unit *unit)
{
	return unit->type == CXLCM || unit->type == CXLDP || unit->type == CXLCM_DMR;
}

/* What has passed by t, in ns at the event's rate. */
static long double load_of(const struct sim_loads *loads, const struct traffic_unit *unit,
			   const struct event_rate *e, uint64_t t)
{
	const enum sim_load_kind kind = e->follows == OCCUPANCY ? LOAD_OCCUPANCY
					: e->follows == FULL && sim_load_fills_queues(loads->spec)
						? LOAD_FULL
						: LOAD_TRAFFIC;

	if (e->follows == STEADY)
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

		if (e->type == type && e->models & ON(spec->model) && selects(e, control))
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
	return e->rate(&loads->one_read) * injected_of(loads, unit, from_cxl(e), reads_as, t) +
	       e->rate(&loads->one_write) *
		       injected_of(loads, unit, from_cxl(e), INJECTED_WRITE, t);
}

/* Which events miscount= makes wrong. */
static const struct {
	rate_function *rate;
	enum sim_miscount kind;
} miscounted[] = {
	{rx_mem_data, MISCOUNT_RXC},	   {requests, MISCOUNT_M2S_REQ},
	{cxl_inserts, MISCOUNT_TOR},	   {cxl_occupancy, MISCOUNT_TOR},
	{writes, MISCOUNT_WRITE},	   {tx_mem_data, MISCOUNT_WRITE},
	{cxl_occupancy, MISCOUNT_LATENCY}, {local_occupancy, MISCOUNT_LATENCY},
	{imc_reads, MISCOUNT_DRAM_READ},   {half_imc_reads, MISCOUNT_DRAM_READ},
	{imc_writes, MISCOUNT_DRAM_WRITE}, {half_imc_writes, MISCOUNT_DRAM_WRITE},
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

uint64_t traffic_count(const struct sim_loads *loads, const struct traffic_unit *unit,
		       uint64_t control, unsigned counter, uint64_t t)
{
	if (sim_model_facts(loads->spec->model)->vendor == SIM_AMD)
		return traffic_amd_count(loads, unit, control, t);

	const struct event_rate *e = find_rate(loads->spec, unit->type, control);

	if (!e || !(e->counters >> counter & 1))
		return 0;
	const long double count = e->rate(loads->spec) * load_of(loads, unit, e, t) +
				  injected_events(loads, unit, e, t);
	return events(count,
		      is_miscounted(loads->spec, unit, e) ? loads->spec->miscount_pct / 100 : 1);
}
