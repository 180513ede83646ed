/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_load.h"

#include <string.h>

#define LINE_BYTES	  64.0 /* of a cache line */
#define HBM_BURST	  32.0 /* bytes a column access */
#define UNCORE_GHZ	  2.0
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

#define WRONG(kind) (1U << (MISCOUNT_##kind))

/* What a port and its link count. */
static void link_flows(const struct sim_spec *s, struct sim_flow out[SIM_RATES])
{
	const double reads = sim_lines(s->read), writes = sim_lines(s->write);
	const double h2d = sim_lines(s->cache_h2d), d2h = sim_lines(s->cache_d2h);
	const double part = s->facts->half_lines ? 2 : 1;
	/* M2S requests: a MemSpecRd is one, too, and the read of the same line follows it */
	const double requests = reads * (1 + s->memspecrd / 100);
	const double full = (sim_load_fills_queues(s) ? 1 : s->full / 100) * LINK_HZ;
	const struct sim_flow flows[] = {
		[RATE_LINK_CLOCK] = {LINK_HZ, OF_CLOCK},
		[RATE_UNCORE_CLOCK] = {UNCORE_GHZ * 1e9, OF_CLOCK},
		[RATE_DCLK] = {DCLK_HZ, OF_CLOCK},
		[RATE_CRC] = {s->crc, OF_CLOCK},
		[RATE_RETRY] = {s->retry, OF_CLOCK},
		[RATE_READS] = {reads, OF_PORT, LOAD_TRAFFIC, WRONG(RXC) | WRONG(M2S_REQ)},
		[RATE_REQUESTS] = {requests, OF_PORT, LOAD_TRAFFIC, WRONG(M2S_REQ)},
		[RATE_WRITES] = {writes, OF_PORT, LOAD_TRAFFIC, WRONG(WRITE)},
		[RATE_TX_MEM_DATA] = {writes * part, OF_PORT, LOAD_TRAFFIC, WRONG(WRITE)},
		[RATE_TX_CACHE_DATA] = {h2d * part, OF_PORT},
		[RATE_H2D] = {h2d, OF_PORT},
		[RATE_RX_MEM_DATA] = {s->rxc ? reads : 0, OF_PORT, LOAD_TRAFFIC, WRONG(RXC)},
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

/* The others: what the units of a socket and its cores count. */
static void memory_flows(const struct sim_spec *s, struct sim_flow out[SIM_RATES])
{
	const double reads = sim_lines(s->read), writes = sim_lines(s->write);
	const double dram = sim_lines(s->dram_read), remote = sim_remote_ratio(s);
	const double near_cxl = reads * (1 - remote) / SAMPLED, far_cxl = reads * remote / SAMPLED;
	const double near_dram = dram * (1 - remote) / SAMPLED, far_dram = dram * remote / SAMPLED;
	const struct sim_flow flows[SIM_RATES] = {
		/* occupancy of the TOR, summed over the clocks of a CHA: Little's law */
		[RATE_CXL_INSERTS] = {reads, OF_PORTS, LOAD_TRAFFIC, WRONG(TOR)},
		[RATE_CXL_OCCUPANCY] = {reads * s->latency * UNCORE_GHZ, OF_PORTS, LOAD_OCCUPANCY,
					WRONG(TOR) | WRONG(LATENCY)},
		[RATE_CCM_READS] = {2 * reads, OF_PORTS, LOAD_TRAFFIC, WRONG(RXC) | WRONG(M2S_REQ)},
		[RATE_CCM_WRITES] = {writes, OF_PORTS, LOAD_TRAFFIC, WRONG(WRITE)},
		[RATE_NEAR_CXL] = {near_cxl, OF_PORTS},
		[RATE_NEAR_CXL_LATENCY] = {near_cxl * s->latency / LATENCY_UNIT, OF_PORTS,
					   LOAD_OCCUPANCY, WRONG(LATENCY)},
		[RATE_FAR_CXL] = {far_cxl, OF_PORTS},
		[RATE_FAR_CXL_LATENCY] = {far_cxl * far_latency(s) / LATENCY_UNIT, OF_PORTS,
					  LOAD_OCCUPANCY, WRONG(LATENCY)},
		[RATE_LOCAL_INSERTS] = {dram * (1 - remote), OF_DRAM},
		[RATE_LOCAL_OCCUPANCY] = {dram * (1 - remote) * s->ddr_latency * UNCORE_GHZ,
					  OF_DRAM, LOAD_OCCUPANCY, WRONG(LATENCY)},
		[RATE_REMOTE_INSERTS] = {dram * remote, OF_DRAM},
		[RATE_REMOTE_OCCUPANCY] = {dram * remote * s->ddr_remote_latency * UNCORE_GHZ,
					   OF_DRAM, LOAD_OCCUPANCY},
		[RATE_DRAM_READS] = {dram, OF_DRAM, LOAD_TRAFFIC, WRONG(DRAM_READ)},
		[RATE_DRAM_WRITES] = {sim_lines(s->dram_write), OF_DRAM, LOAD_TRAFFIC,
				      WRONG(DRAM_WRITE)},
		[RATE_HBM_READS] = {s->hbm_read * 1e9 / HBM_BURST, OF_DRAM},
		[RATE_HBM_WRITES] = {s->hbm_write * 1e9 / HBM_BURST, OF_DRAM},
		[RATE_NEAR_DRAM] = {near_dram, OF_DRAM},
		[RATE_NEAR_DRAM_LATENCY] = {near_dram * s->ddr_latency / LATENCY_UNIT, OF_DRAM,
					    LOAD_OCCUPANCY, WRONG(LATENCY)},
		[RATE_FAR_DRAM] = {far_dram, OF_DRAM},
		[RATE_FAR_DRAM_LATENCY] = {far_dram * s->ddr_remote_latency / LATENCY_UNIT, OF_DRAM,
					   LOAD_OCCUPANCY, WRONG(LATENCY)},
	};

	memcpy(out, flows, sizeof(flows));
}

void sim_flows(const struct sim_spec *s, struct sim_flow out[SIM_RATES])
{
	memory_flows(s, out);
	link_flows(s, out);
}
