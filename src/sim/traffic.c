/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Source of AMD's events: the kernel's pmu-events (amdzen4, amdzen5, amdzen6), Intel PerfSpect's
 * metrics of Turin, and Meta's dynolog.
 *
 * A socket's traffic is shared evenly by its CHAs and memory controllers. Of its L3 caches, each
 * has one part more than the one before it. On Venice each L3 cache is behind a CCM of its own, up
 * to 16; what there is beyond that is shared by these.
 */
#include "sim/sim_machine.h"

#include <stddef.h>

#include "uncore/model.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define EVERYWHERE (SIM_SPR_EMR | SIM_GNR_ON)
#define CACHE_DATA (EVERYWHERE & ~SIM_ON(SIM_CWF)) /* nothing is published of it there */
#define DMR	   SIM_ON(SIM_DMR)
#define AMD	   (SIM_ON(SIM_TURIN) | SIM_ON(SIM_VENICE) | SIM_ON(SIM_GENOA))

enum { CHA = 0, IMC = 6, CXLCM = 12, CXLDP = 13, HBM = 14, CXLCM_DMR = 24, CBO = 31 };

#define PORT_ENABLE (UINT64_C(0xF) << 32) /* of a CXLCM of Diamond Rapids */
#define MOST_CCMS   16
#define DF_STEP	    0x40 /* from a port's, or a CCM's, event to that of the next */

/* Slice id 3, all cores, all slices, thread mask 3: an L3 cache samples nothing without */
#define L3_EVERYWHERE                                                                              \
	(UINT64_C(3) << 48 | UINT64_C(1) << 47 | UINT64_C(1) << 46 | UINT64_C(3) << 56)
#define L3_SELECTION (UINT64_C(7) << 48 | UINT64_C(3) << 46 | UINT64_C(3) << 56)

/* Codes as in Intel's and AMD's event lists. */
static const struct event_rate {
	unsigned type; /* of unit */
	unsigned models;
	/* of an L3 cache: one of the sources that the umask selects; of a memory controller of AMD:
	 * bit n, with n in the read/write mask */
	uint16_t code, umask;
	uint32_t umask_ext;
	uint16_t counters; /* mask of those that can count it */
	enum sim_rate rate;
	/* of Diamond Rapids: all codes up to this one, with any umask, as no list says what they
	 * count; of a data fabric, those of the other ports and CCMs */
	uint16_t last;
} event_rates[] = {
	{CXLCM, SIM_SPR_EMR, 0x01, 0x02, 0, 0xFF, RATE_LINK_CLOCK},
	{CXLCM, EVERYWHERE, 0x02, 0x10, 0, 0x0F, RATE_TX_MEM_DATA},
	{CXLCM, EVERYWHERE, 0x02, 0x08, 0, 0x0F, RATE_REQUESTS},
	{CXLCM, CACHE_DATA, 0x02, 0x04, 0, 0x0F, RATE_TX_CACHE_DATA},
	{CXLCM, SIM_SPR_EMR, 0x05, 0x01, 0, 0x0F, RATE_TX_FLITS},
	{CXLCM, SIM_SPR_EMR, 0x05, 0x02, 0, 0x0F, RATE_TX_FLITS},
	{CXLCM, EVERYWHERE, 0x41, 0x10, 0, 0xF0, RATE_RX_MEM_DATA},
	{CXLCM, EVERYWHERE, 0x41, 0x08, 0, 0xF0, RATE_WRITES},
	{CXLCM, CACHE_DATA, 0x41, 0x04, 0, 0xF0, RATE_RX_CACHE_DATA},
	{CXLCM, SIM_SPR_EMR, 0x43, 0x20, 0, 0xF0, RATE_RX_MEM_DATA},
	{CXLCM, SIM_SPR_EMR, 0x43, 0x10, 0, 0xF0, RATE_WRITES},
	{CXLCM, SIM_SPR_EMR, 0x42, 0x10, 0, 0xF0, RATE_NOT_EMPTY},
	{CXLCM, SIM_SPR_EMR, 0x42, 0x08, 0, 0xF0, RATE_NOT_EMPTY},
	{CXLCM, SIM_SPR_EMR, 0x52, 0x10, 0, 0xF0, RATE_FULL},
	{CXLCM, SIM_SPR_EMR, 0x52, 0x08, 0, 0xF0, RATE_FULL},
	{CXLCM, SIM_SPR_EMR, 0x40, 0x08, 0, 0xF0, RATE_CRC},
	{CXLCM, SIM_SPR_EMR, 0x40, 0x02, 0, 0xF0, RATE_RETRY},
	{CXLCM, SIM_SPR_EMR, 0x4B, 0x01, 0, 0xF0, RATE_RX_FLITS},
	{CXLCM, SIM_SPR_EMR, 0x4B, 0x02, 0, 0xF0, RATE_RX_FLITS},
	{CXLDP, SIM_SPR_EMR, 0x01, 0x01, 0, 0x0F, RATE_UNCORE_CLOCK},
	{CXLDP, EVERYWHERE, 0x02, 0x20, 0, 0x0F, RATE_WRITES},
	{CXLDP, EVERYWHERE, 0x02, 0x10, 0, 0x0F, RATE_REQUESTS},
	{CXLDP, SIM_SPR_EMR, 0x02, 0x08, 0, 0x0F, RATE_H2D},
	{CHA, EVERYWHERE, 0x01, 0x00, 0, 0x0F, RATE_UNCORE_CLOCK},
	{CHA, SIM_SPR_EMR | SIM_GNRS, 0x35, 0x01, 0x10C81782, 0x0F, RATE_CXL_INSERTS},
	{CHA, SIM_SPR_EMR | SIM_GNRS, 0x36, 0x01, 0x10C81782, 0x01, RATE_CXL_OCCUPANCY},
	{CHA, SIM_SPR_EMR, 0x36, 0x01, 0x10C81782, 0x01, RATE_LEAKED_OCCUPANCY},
	{CHA, SIM_SPR_EMR | SIM_GNRS, 0x35, 0x01, 0x10C81682, 0x0F, RATE_CXL_INSERTS},
	{CHA, SIM_SPR_EMR | SIM_GNRS, 0x36, 0x01, 0x10C81682, 0x01, RATE_CXL_OCCUPANCY},
	{CHA, SIM_SPR_EMR | SIM_GNRS, 0x35, 0x01, 0x20C81682, 0x0F, RATE_CXL_INSERTS},
	{CHA, SIM_SPR_EMR | SIM_GNRS, 0x36, 0x01, 0x20C81682, 0x01, RATE_CXL_OCCUPANCY},
	{CHA, SIM_SRF_CWF, 0x35, 0x01, 0x10C82782, 0x0F, RATE_CXL_INSERTS},
	{CHA, SIM_SRF_CWF, 0x36, 0x01, 0x10C82782, 0x01, RATE_CXL_OCCUPANCY},
	{CHA, SIM_SRF_CWF, 0x35, 0x01, 0x20C82682, 0x0F, RATE_CXL_INSERTS},
	{CHA, SIM_SRF_CWF, 0x36, 0x01, 0x20C82682, 0x01, RATE_CXL_OCCUPANCY},
	{CHA, SIM_SPR_EMR | SIM_GNRS, 0x35, 0x01, 0x00C81686, 0x0F, RATE_LOCAL_INSERTS},
	{CHA, SIM_SPR_EMR | SIM_GNRS, 0x36, 0x01, 0x00C81686, 0x01, RATE_LOCAL_OCCUPANCY},
	{CHA, SIM_SPR_EMR | SIM_GNRS, 0x35, 0x01, 0x00C81706, 0x0F, RATE_REMOTE_INSERTS},
	{CHA, SIM_SPR_EMR | SIM_GNRS, 0x36, 0x01, 0x00C81706, 0x01, RATE_REMOTE_OCCUPANCY},
	{IMC, EVERYWHERE, 0x05, 0xCF, 0, 0x0F, RATE_DRAM_READS},
	{IMC, EVERYWHERE, 0x05, 0xF0, 0, 0x0F, RATE_DRAM_WRITES},
	{HBM, SIM_ON(SIM_SPR), 0x05, 0xCF, 0, 0x0F, RATE_HBM_READS},
	{HBM, SIM_ON(SIM_SPR), 0x05, 0xF0, 0, 0x0F, RATE_HBM_WRITES},
	{IMC, SIM_GNR_ON, 0x06, 0xCF, 0, 0x0F, RATE_DRAM_READS},
	{IMC, SIM_GNR_ON, 0x06, 0xF0, 0, 0x0F, RATE_DRAM_WRITES},
	{IMC, EVERYWHERE, 0x01, 0x01, 0, 0x0F, RATE_DCLK},
	{CXLCM_DMR, DMR, 0x01, 0, 0, 0x0F, RATE_SENT, .last = 0x24},
	{CXLCM_DMR, DMR, 0x41, 0, 0, 0xF0, RATE_RECEIVED, .last = 0x61},
	{CBO, DMR, 0x01, 0, 0, 0x0F, RATE_CXL_INSERTS, .last = 0xFF},
	{PMU_DF, SIM_ON(SIM_TURIN), 0x31F, 0xFFE, 0, 0xFFFF, RATE_READS, .last = 0x3DF},
	{PMU_DF, SIM_ON(SIM_TURIN), 0x31F, 0xCFD, 0, 0xFFFF, RATE_WRITES, .last = 0x3DF},
	{PMU_DF, SIM_ON(SIM_VENICE), 0x41E, 0xFE0, 0, 0xFFFF, RATE_CCM_READS, .last = 0x7DE},
	{PMU_DF, SIM_ON(SIM_VENICE), 0x41E, 0xFE1, 0, 0xFFFF, RATE_CCM_WRITES, .last = 0x7DE},
	{PMU_L3, AMD, 0xAD, 0x01, 0, 0xFFFF, RATE_NEAR_DRAM},
	{PMU_L3, AMD, 0xAC, 0x01, 0, 0xFFFF, RATE_NEAR_DRAM_LATENCY},
	{PMU_L3, AMD, 0xAD, 0x02, 0, 0xFFFF, RATE_FAR_DRAM},
	{PMU_L3, AMD, 0xAC, 0x02, 0, 0xFFFF, RATE_FAR_DRAM_LATENCY},
	{PMU_L3, AMD, 0xAD, 0x10, 0, 0xFFFF, RATE_NEAR_CXL},
	{PMU_L3, AMD, 0xAC, 0x10, 0, 0xFFFF, RATE_NEAR_CXL_LATENCY},
	{PMU_L3, AMD, 0xAD, 0x20, 0, 0xFFFF, RATE_FAR_CXL},
	{PMU_L3, AMD, 0xAC, 0x20, 0, 0xFFFF, RATE_FAR_CXL_LATENCY},
	{PMU_UMC, AMD, 0x00, 0x0F, 0, 0xFFFF, RATE_DCLK},
	{PMU_UMC, AMD, 0x0A, 0x03, 0, 0xFFFF, RATE_DRAM_READS},
	{PMU_UMC, AMD, 0x0A, 0x05, 0, 0xFFFF, RATE_DRAM_WRITES},
};

/* The class of the CXL reads that an event of a CHA counts, in bits 61:60 of its control. */
#define CLASS_ACC 1
#define CLASS_EXP 2

static bool has_class(const struct sim_spec *spec, const struct event_rate *e)
{
	const unsigned class = e->umask_ext >> 28;

	return !class || e->rate == RATE_LEAKED_OCCUPANCY ||
	       class == (spec->exp_local ? CLASS_EXP : CLASS_ACC);
}

static unsigned df_code(uint64_t control)
{
	return (control & 0xFF) | (control >> 32 & 0x3F) << 8;
}

static unsigned df_umask(uint64_t control)
{
	return (control >> 8 & 0xFF) | (control >> 24 & 0xF) << 8;
}

static bool selects(const struct event_rate *e, uint64_t control)
{
	const unsigned code = control & 0xFF, umask = control >> 8 & 0xFF, df = df_code(control);

	switch (e->type) {
	case CXLCM_DMR:
		return code >= e->code && code <= e->last && control & PORT_ENABLE;
	case CBO:
		return code >= e->code && code <= e->last;
	case PMU_DF:
		return df >= e->code && df <= e->last && (df - e->code) % DF_STEP == 0 &&
		       df_umask(control) == e->umask;
	case PMU_L3:
		return code == e->code && (control & L3_SELECTION) == L3_EVERYWHERE;
	case PMU_UMC:
		return code == e->code && e->umask >> (umask & 3) & 1;
	default:
		return code == e->code && umask == e->umask && control >> 32 == e->umask_ext;
	}
}

/* The next row from *i on of an event that the control selects; NULL: there is none. */
static const struct event_rate *find_rate(const struct sim_spec *spec, unsigned type,
					  uint64_t control, size_t *i)
{
	while (*i < COUNT(event_rates)) {
		const struct event_rate *e = &event_rates[(*i)++];

		if (e->type == type && e->models & SIM_ON(spec->model) && has_class(spec, e) &&
		    selects(e, control))
			return e;
	}
	return NULL;
}

bool traffic_knows(const struct sim_spec *spec, unsigned type, uint64_t control)
{
	size_t i = 0;

	return find_rate(spec, type, control, &i) != NULL;
}

static bool is_miscounted(const struct sim_spec *spec, const struct sim_flow *flow, unsigned port)
{
	if (flow->carrier == OF_PORT && spec->miscount_port != SIM_EVERY_PORT &&
	    spec->miscount_port != port)
		return false;
	return flow->miscounts >> spec->miscount & 1 ||
	       (flow->carrier == OF_PORT && spec->miscount == MISCOUNT_PORT);
}

/* What has passed from 0 to t ns. */
struct passed {
	long double ns;		   /* at the flow's rate */
	long double read, written; /* bytes of the injected load */
};

static struct passed passed_of(const struct sim_loads *loads, const struct sim_flow *flow,
			       unsigned socket, unsigned port, uint64_t t)
{
	const unsigned count = flow->carrier == OF_PORTS ? loads->spec->ports : 1;
	const enum sim_load_kind kind =
		flow->kind == LOAD_FULL && !sim_load_fills_queues(loads->spec) ? LOAD_TRAFFIC
									       : flow->kind;
	const enum sim_injected_kind reads =
		kind == LOAD_OCCUPANCY ? INJECTED_OCCUPIED : INJECTED_READ;
	struct passed sum = {.ns = 0};

	for (unsigned i = 0; i < count; i++) {
		const struct sim_load *load =
			flow->carrier == OF_DRAM
				? sim_load_dram(loads, socket)
				: sim_load_port(loads, socket,
						flow->carrier == OF_PORTS ? i : port);

		sum.ns += sim_load_ns(loads, load, kind, t);
		sum.read += sim_load_injected(load, reads, t);
		sum.written += sim_load_injected(load, INJECTED_WRITE, t);
	}
	return sum;
}

/* Events, times 1e9, of the port, or of the socket. How full a queue is, a load that is injected
 * changes by the limit alone. */
static long double events_of(const struct sim_loads *loads, enum sim_rate rate, unsigned socket,
			     unsigned port, uint64_t t)
{
	const struct sim_spec *spec = loads->spec;
	const struct sim_flow *flow = &loads->flows[rate];
	const long double own = flow->rate;

	if (flow->carrier == OF_CLOCK || (rate == RATE_FULL && spec->full_given))
		return own * t;
	const struct passed passed = passed_of(loads, flow, socket, port, t);
	long double events = own * passed.ns;
	if (rate == RATE_NOT_EMPTY && spec->full_given)
		events += loads->flows[RATE_FULL].rate * t;
	if (rate != RATE_FULL)
		events += loads->reads[rate].rate * passed.read +
			  loads->writes[rate].rate * passed.written;
	return is_miscounted(spec, flow, socket * spec->ports + port)
		       ? events * spec->miscount_pct / 100
		       : events;
}

/* A part of a socket's events. */
struct share {
	unsigned part, of;
};

/* One part more than the one before it; nothing behind the last. */
static struct share rising_share(unsigned index, unsigned count)
{
	return (struct share){index < count ? index + 1 : 0, count * (count + 1) / 2};
}

/* number: of the port or CCM. */
static struct share share_of(const struct sim_spec *spec, const struct sim_unit *unit,
			     enum sim_carrier carrier, unsigned number)
{
	const unsigned l3s = sim_l3_count(spec->cpus);

	if (carrier == OF_CLOCK)
		return (struct share){1, 1};
	switch (unit->type) {
	case CHA:
		return (struct share){1, spec->chas - spec->still_chas};
	case CBO:
		return (struct share){1, spec->chas};
	case IMC: /* from Granite Rapids on, of each of its two pseudo-channels */
		return (struct share){1, (SIM_GNR_ON >> spec->model & 1 ? 2 : 1) * spec->imcs};
	case PMU_UMC:
		return (struct share){1, spec->imcs};
	case HBM:
		return (struct share){1, spec->hbms};
	case PMU_L3:
		return rising_share(unit->index, l3s);
	case PMU_DF:
		return carrier == OF_PORT ? (struct share){number < spec->ports, 1}
					  : rising_share(number, l3s < MOST_CCMS ? l3s : MOST_CCMS);
	default:
		return (struct share){1, 1};
	}
}

/* The division last: what is rounded before it would lose an event. */
uint64_t traffic_count(const struct sim_loads *loads, const struct sim_unit *unit, uint64_t control,
		       unsigned counter, uint64_t t)
{
	struct share share = {0, 1};
	long double sum = 0;
	const struct event_rate *e;

	for (size_t i = 0; (e = find_rate(loads->spec, unit->type, control, &i));) {
		const unsigned number =
			unit->type == PMU_DF ? (df_code(control) - e->code) / DF_STEP : unit->index;

		if (!(e->counters >> counter & 1) ||
		    (e->type == PMU_L3 && !(control >> 8 & e->umask)))
			continue;
		sum += events_of(loads, e->rate, unit->socket, number, t);
		share = share_of(loads->spec, unit, loads->flows[e->rate].carrier, number);
	}
	return (uint64_t)(sum * share.part / (share.of * 1e9L));
}

/*
 * The CPUs of a socket read as many lines as its ports or its DRAM send, each CPU one part more
 * than the one before it; part of that from another socket, where there is one. What is injected
 * is near.
 */
uint64_t traffic_core_reads(const struct sim_loads *loads, unsigned cpu, bool cxl, bool remote,
			    uint64_t t)
{
	static const struct sim_flow ports = {.carrier = OF_PORTS}, dram = {.carrier = OF_DRAM};
	const struct sim_spec *spec = loads->spec;
	const struct passed passed = passed_of(loads, cxl ? &ports : &dram, cpu / spec->cpus, 0, t);
	const struct share share = rising_share(cpu % spec->cpus, spec->cpus);
	const double ratio = remote ? sim_remote_ratio(spec) : 1 - sim_remote_ratio(spec);
	const long double lines =
		sim_lines(cxl ? spec->read : spec->dram_read) * ratio * passed.ns +
		sim_lines(1) * (remote ? 0 : passed.read);

	return (uint64_t)(lines * share.part / (share.of * 1e9L));
}
