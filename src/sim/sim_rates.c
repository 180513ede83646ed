/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_load.h"

#include <string.h>

#define LINE_BYTES	  64.0 /* of a cache line */
#define HBM_BURST	  32.0 /* bytes a column access */
#define CHA_GHZ		  2.0
#define UNCORE_HZ	  2e9
#define DCLK_HZ		  2.4e9
#define LINK_HZ		  1e9 /* the flit clock of a x16 link at 32 GT/s */
#define SLOTS_PER_FLIT	  4.0 /* of 16 bytes: a cache line fills a flit */
#define FLITS_SHARED_GBPS 16.0

#define SAMPLED	     64.0 /* reads for each one whose latency an L3 cache of AMD counts */
#define LATENCY_UNIT 10.0 /* ns */

double sim_lines(double gigabytes)
{
	return gigabytes * 1e9 / LINE_BYTES;
}

double sim_remote_ratio(const struct sim_spec *spec)
{
	return spec->sockets > 1 ? spec->remote / 100 : 0;
}

double sim_load_utilisation(const struct sim_spec *spec)
{
	const double traffic = spec->read + spec->write + spec->cache_d2h + spec->cache_h2d;

	return spec->limit > 0 ? traffic / spec->limit : 0;
}

bool sim_load_fills_queues(const struct sim_spec *spec)
{
	return spec->limit > 0 && !spec->full_given;
}

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
static double not_empty(const struct sim_spec *s, double full)
{
	const double max = (s->full_given ? 1 - s->full / 100 : 1) * LINK_HZ;
	const double cycles = (s->full_given ? 0 : full) + sim_lines(s->read) / SLOTS_PER_FLIT;

	if (s->limit > 0)
		return sim_load_utilisation(s) * max;
	return cycles < max ? cycles : max;
}

/* The way to another socket takes as long as to its DRAM. */
static double far_latency(const struct sim_spec *s)
{
	const double latency = s->latency + s->ddr_remote_latency - s->ddr_latency;

	return latency > 0 ? latency : 0;
}

/* What a port and its link count. */
static void link_rates(const struct sim_spec *s, double out[SIM_RATES])
{
	const double reads = sim_lines(s->read), writes = sim_lines(s->write);
	const double h2d = sim_lines(s->cache_h2d), d2h = sim_lines(s->cache_d2h);
	const double part = sim_model_facts(s->model)->half_lines ? 2 : 1;
	/* M2S requests: a MemSpecRd is one, too, and the read of the same line follows it */
	const double requests = reads * (1 + s->memspecrd / 100);
	const double full = (sim_load_fills_queues(s) ? 1 : s->full / 100) * LINK_HZ;

	out[RATE_LINK_CLOCK] = LINK_HZ;
	out[RATE_UNCORE_CLOCK] = UNCORE_HZ;
	out[RATE_CHA_CLOCK] = CHA_GHZ * 1e9;
	out[RATE_DCLK] = DCLK_HZ;
	out[RATE_CRC] = s->crc;
	out[RATE_RETRY] = s->retry;
	out[RATE_READS] = reads;
	out[RATE_REQUESTS] = requests;
	out[RATE_WRITES] = writes;
	out[RATE_TX_MEM_DATA] = writes * part;
	out[RATE_TX_CACHE_DATA] = h2d * part;
	out[RATE_H2D] = h2d;
	out[RATE_RX_MEM_DATA] = s->rxc ? reads : 0;
	out[RATE_RX_CACHE_DATA] = d2h;
	out[RATE_TX_FLITS] = sim_lines(s->write + s->cache_h2d) + requests / SLOTS_PER_FLIT;
	out[RATE_RX_FLITS] = reads * rx_flits_per_line(s) + d2h + writes / SLOTS_PER_FLIT;
	out[RATE_NOT_EMPTY] = not_empty(s, full);
	out[RATE_FULL] = full;
	out[RATE_SENT] = sim_lines(s->write + s->cache_h2d);
	out[RATE_RECEIVED] = sim_lines(s->read + s->cache_d2h);
}

/* What the units of a socket and its cores count. */
static void memory_rates(const struct sim_spec *s, double out[SIM_RATES])
{
	const double reads = sim_lines(s->read), writes = sim_lines(s->write);
	const double dram = sim_lines(s->dram_read), remote = sim_remote_ratio(s);
	const double near_cxl = reads * (1 - remote) / SAMPLED, far_cxl = reads * remote / SAMPLED;
	const double near_dram = dram * (1 - remote) / SAMPLED, far_dram = dram * remote / SAMPLED;

	/* occupancy of the TOR, summed over the clocks of a CHA: Little's law */
	out[RATE_CXL_INSERTS] = reads;
	out[RATE_CXL_OCCUPANCY] = reads * s->latency * CHA_GHZ;
	out[RATE_CCM_READS] = 2 * reads;
	out[RATE_CCM_WRITES] = writes;
	out[RATE_NEAR_CXL] = near_cxl;
	out[RATE_NEAR_CXL_LATENCY] = near_cxl * s->latency / LATENCY_UNIT;
	out[RATE_FAR_CXL] = far_cxl;
	out[RATE_FAR_CXL_LATENCY] = far_cxl * far_latency(s) / LATENCY_UNIT;
	out[RATE_LOCAL_INSERTS] = dram * (1 - remote);
	out[RATE_LOCAL_OCCUPANCY] = dram * (1 - remote) * s->ddr_latency * CHA_GHZ;
	out[RATE_REMOTE_INSERTS] = dram * remote;
	out[RATE_REMOTE_OCCUPANCY] = dram * remote * s->ddr_remote_latency * CHA_GHZ;
	out[RATE_DRAM_READS] = dram;
	out[RATE_DRAM_WRITES] = sim_lines(s->dram_write);
	out[RATE_HALF_DRAM_READS] = dram / 2;
	out[RATE_HALF_DRAM_WRITES] = sim_lines(s->dram_write) / 2;
	out[RATE_HBM_READS] = s->hbm_read * 1e9 / HBM_BURST;
	out[RATE_HBM_WRITES] = s->hbm_write * 1e9 / HBM_BURST;
	out[RATE_NEAR_DRAM] = near_dram;
	out[RATE_NEAR_DRAM_LATENCY] = near_dram * s->ddr_latency / LATENCY_UNIT;
	out[RATE_FAR_DRAM] = far_dram;
	out[RATE_FAR_DRAM_LATENCY] = far_dram * s->ddr_remote_latency / LATENCY_UNIT;
}

void sim_rates(const struct sim_spec *s, double out[SIM_RATES])
{
	memset(out, 0, SIM_RATES * sizeof(*out));
	link_rates(s, out);
	memory_rates(s, out);
}
