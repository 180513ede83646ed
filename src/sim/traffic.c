/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts of units: the events that a control selects, and their number.
 *
 * A socket's traffic is shared evenly by its CHAs and memory controllers. Each of its L3 caches
 * has one part more than the one before it. On Venice each L3 cache has its own CCM, up to 16;
 * traffic of further caches is shared by these CCMs.
 */
#include "sim/sim_extras.h"
#include "sim/sim_machine.h"

#include <stddef.h>

#include "uncore/model/model.h"

#define PORT_ENABLE (UINT64_C(0xF) << 32) /* port enable of a CXLCM of Diamond Rapids */
#define MOST_CCMS   16
#define DF_STEP	    0x40 /* distance of the same event of neighbouring ports, or CCMs */

/*
 * The selection without which an L3 cache samples nothing: slice id 3, all cores, all slices,
 * thread mask 3.
 */
#define L3_EVERYWHERE                                                                              \
	(UINT64_C(3) << 48 | UINT64_C(1) << 47 | UINT64_C(1) << 46 | UINT64_C(3) << 56)
#define L3_SELECTION (UINT64_C(7) << 48 | UINT64_C(3) << 46 | UINT64_C(3) << 56)

/* The class of the CXL reads that an event of a CHA counts, in bits 61:60 of its control. */
#define CLASS_ACC 1
#define CLASS_EXP 2

static bool has_class(const struct sim_spec *spec, const struct sim_event_rate *e)
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

static bool control_selects(const struct sim_event_rate *e, uint64_t control)
{
	const unsigned code = control & 0xFF, umask = control >> 8 & 0xFF, df = df_code(control);

	switch (e->type) {
	case PMU_CXLCM_DMR:
		return code >= e->code && code <= e->last && control & PORT_ENABLE;
	case PMU_CBO:
		return code >= e->code && code <= e->last;
	case PMU_DF:
		return df >= e->code && df <= e->last && (df - e->code) % DF_STEP == 0 &&
		       df_umask(control) == e->umask;
	case PMU_L3:
		return code == e->code && (control & L3_SELECTION) == L3_EVERYWHERE;
	case PMU_UMC:
		return code == e->code && e->umask >> (umask & 3) & 1;
	case PMU_PCIE_TGT: /* control >> 32 is a filter: see share_of_block() */
		return code == e->code && umask == e->umask;
	default:
		return code == e->code && umask == e->umask && control >> 32 == e->umask_ext;
	}
}

static bool control_counts(const struct sim_spec *spec, const struct sim_event_rate *e,
			   unsigned type, uint64_t control)
{
	return e->type == type && has_class(spec, e) && control_selects(e, control);
}

/* The position of a search for rows. */
struct place {
	const struct sim_event_rate *const *table, *row;
};

static struct place first_place(const struct sim_spec *spec)
{
	const struct sim_event_rate *const *tables = spec->facts->events;

	return (struct place){tables, tables ? *tables : NULL};
}

/* Returns the next row of an event that the control selects; NULL: there are no more. */
static const struct sim_event_rate *next_rate(const struct sim_spec *spec, unsigned type,
					      uint64_t control, struct place *at)
{
	while (at->row) {
		const struct sim_event_rate *e = at->row++;

		if (!e->counters)
			at->row = *++at->table;
		else if (control_counts(spec, e, type, control))
			return e;
	}
	return NULL;
}

bool traffic_knows(const struct sim_spec *spec, unsigned type, uint64_t control)
{
	struct place at = first_place(spec);

	return next_rate(spec, type, control, &at) != NULL;
}

/* Traffic from 0 to t ns. */
struct passed {
	long double ns;		   /* ns at the flow's rate */
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

/*
 * Returns events, times 1e9, of the port or the socket. An injected load changes a queue's
 * fullness only by the limit.
 */
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
	return sim_extras.count
		       ? sim_extras.count(spec, rate, flow, socket * spec->ports + port, events)
		       : events;
}

/* A part of a socket's events. */
struct share {
	unsigned part, of;
};

#define LINE 64 /* bytes */
#define READ 32 /* bytes of DRAM that Vera reads at a time */

/*
 * Returns the share of a root complex: the addresses of its filter are parts of its region; see
 * sim_event.c. The first two events count bytes, the others lines.
 */
static struct share share_of_block(uint64_t control)
{
	const unsigned part = control >> 32 & UINT16_MAX, of = (unsigned)(control >> 48);
	const bool bytes = !(control & 2);

	return (struct share){bytes ? LINE * part : part, of ? of : 1};
}

/* Returns a share that has one part more than the previous one; 0 after the last. */
static struct share rising_share(unsigned index, unsigned count)
{
	return (struct share){index < count ? index + 1 : 0, count * (count + 1) / 2};
}

/* Returns the share of a unit. number identifies the port or CCM. */
static struct share share_of(const struct sim_loads *loads, const struct sim_unit *unit,
			     uint64_t control, enum sim_carrier carrier, unsigned number)
{
	const struct sim_spec *spec = loads->spec;
	const unsigned l3s = sim_l3_count(spec->cpus);

	if (carrier == OF_CLOCK)
		return (struct share){1, 1};
	switch (unit->type) {
	case PMU_CHA:
		return (struct share){1, loads->chas};
	case PMU_CBO:
		return (struct share){1, spec->chas};
	case PMU_IMC:
		return (struct share){1, (spec->facts->halves_of_imcs ? 2 : 1) * spec->imcs};
	case PMU_UMC:
		return (struct share){1, spec->imcs};
	case PMU_HBM:
		return (struct share){1, spec->hbms};
	case PMU_UPI:
		return (struct share){1, sim_upi_links(spec)};
	case PMU_UCF:
		return (struct share){LINE, 1};
	case PMU_CMEM:
		return (struct share){LINE / READ, 1};
	case PMU_PCIE_TGT:
		return share_of_block(control);
	case PMU_L3:
		return rising_share(unit->index, l3s);
	case PMU_DF:
		return carrier == OF_PORT ? (struct share){number < spec->ports, 1}
					  : rising_share(number, l3s < MOST_CCMS ? l3s : MOST_CCMS);
	default:
		return (struct share){1, 1};
	}
}

/* Rounds a share of the sum. The division is last: rounding before it would lose an event. */
static uint64_t part_of(long double sum, struct share share)
{
	return (uint64_t)(sum * share.part / (share.of * 1e9L));
}

uint64_t traffic_count(const struct sim_loads *loads, const struct sim_unit *unit, uint64_t control,
		       unsigned counter, const uint64_t times[2])
{
	struct share share = {0, 1};
	long double sums[2] = {0, 0};
	const struct sim_event_rate *e;

	for (struct place at = first_place(loads->spec);
	     (e = next_rate(loads->spec, unit->type, control, &at));) {
		const unsigned number =
			unit->type == PMU_DF ? (df_code(control) - e->code) / DF_STEP : unit->index;

		if (!(e->counters >> counter & 1) ||
		    (e->type == PMU_L3 && !(control >> 8 & e->umask)))
			continue;
		for (unsigned i = 0; i < 2; i++)
			sums[i] += events_of(loads, e->rate, unit->socket, number, times[i]);
		share = share_of(loads, unit, control, loads->flows[e->rate].carrier, number);
	}
	return part_of(sums[1], share) - part_of(sums[0], share);
}

/*
 * Returns the lines of a CPU. The CPUs of a socket read as many lines as its ports or its DRAM
 * send, and write as many as these receive, each CPU one part more than the one before it. A part
 * of them is from another socket, if there is one. Injected loads are near.
 */
static long double core_lines(const struct sim_loads *loads, unsigned cpu, bool cxl, bool remote,
			      bool writes, uint64_t t)
{
	static const struct sim_flow ports = {.carrier = OF_PORTS}, dram = {.carrier = OF_DRAM};
	const struct sim_spec *spec = loads->spec;
	const struct passed passed = passed_of(loads, cxl ? &ports : &dram, cpu / spec->cpus, 0, t);
	const struct share share = rising_share(cpu % spec->cpus, spec->cpus);
	const double ratio = remote ? sim_remote_ratio(spec) : 1 - sim_remote_ratio(spec);
	const double own = writes ? (cxl ? spec->write : spec->dram_write)
				  : (cxl ? spec->read : spec->dram_read);
	const long double injected = writes ? passed.written : passed.read;
	const long double lines =
		sim_lines(own) * ratio * passed.ns + sim_lines(1) * (remote ? 0 : injected);

	return lines * share.part / (share.of * 1e9L);
}

uint64_t traffic_core_reads(const struct sim_loads *loads, unsigned cpu, bool cxl, bool remote,
			    uint64_t t)
{
	return (uint64_t)core_lines(loads, cpu, cxl, remote, false, t);
}

long double traffic_core_lines(const struct sim_loads *loads, unsigned cpu, bool cxl, bool remote,
			       uint64_t t)
{
	return core_lines(loads, cpu, cxl, remote, false, t) +
	       core_lines(loads, cpu, cxl, remote, true, t);
}
