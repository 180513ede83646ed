/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "platform/clock.h"
#include "platform/cxl.h"
#include "platform/device_health.h"
#include "platform/kernel_stats.h"
#include "platform/memory.h"
#include "platform/simulation.h"
#include "sim/sim_perf.h"

#define DRAM_BYTES (UINT64_C(256) << 30) /* memory of a node with CPUs */
#define CXL_USED   0.25			 /* used part of a device when the machine starts */

#define KERNEL_WITH_PROMOTIONS SIM_KERNEL(5, 18)
/* older kernels count demotions only for the whole machine */
#define KERNEL_WITH_NODE_DEMOTIONS SIM_KERNEL(6, 8)
/* the first one that counts all candidates (pgpromote_candidate_nrl) */
#define KERNEL_WITH_CANDIDATES SIM_KERNEL(6, 18)

size_t sim_socket_of_node(const struct sim *sim, int node)
{
	for (size_t i = 0; i < sim->core_count; i++)
		if (sim->cores[i].node == node)
			return sim->cores[i].socket;
	return SIZE_MAX;
}

static bool has_cpus(const struct sim *sim, int node)
{
	return sim_socket_of_node(sim, node) != SIZE_MAX;
}

bool sim_device_has_node(const struct sim *sim, size_t device)
{
	const int node = sim->devices[device].node;
	size_t first = 0;

	while (sim->devices[first].node != node)
		first++;
	return node >= 0 && first == device && !has_cpus(sim, node);
}

size_t sim_nodes_attached(const struct sim *sim, int node)
{
	size_t count = 0;

	for (size_t i = 0; i < sim->device_count; i++)
		count += (node == NODE_MACHINE || sim->devices[i].near_node == node) &&
			 sim_device_has_node(sim, i);
	return count;
}

static uint64_t device_bytes(const struct sim *sim, int node)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < sim->device_count; i++)
		if (sim->devices[i].node == node)
			bytes += sim->devices[i].bytes;
	return bytes;
}

/* Returns the events that a rate has caused. */
static uint64_t events_at(double per_second, uint64_t t)
{
	return (uint64_t)((long double)per_second * t / NS_PER_S);
}

static uint64_t total_of(const struct sim *sim, int node)
{
	return node >= 0 && has_cpus(sim, node) ? DRAM_BYTES : device_bytes(sim, node);
}

double sim_node_moved(const struct sim *sim, int node, uint64_t t)
{
	const double demoted = (double)events_at(sim->spec.demote, t);
	const double promoted = (double)events_at(sim->spec.promote, t);

	return has_cpus(sim, node) ? (double)sim_nodes_attached(sim, node) * (promoted - demoted)
				   : demoted - promoted;
}

/* Returns the used bytes, which moved pages change until the node is full, or empty. */
uint64_t sim_node_used(const struct sim *sim, int node, uint64_t t)
{
	const double total = (double)total_of(sim, node);
	const double at_start = has_cpus(sim, node) ? sim->spec.dram_used / 100 : CXL_USED;
	const double used = total * at_start + SIM_PAGE_BYTES * sim_node_moved(sim, node, t);

	return (uint64_t)fmin(fmax(used, 0), total);
}

int sim_node_stats(struct platform *p, int node, uint64_t wall_ns, struct kernel_stats *out)
{
	const struct sim *sim = sim_of(p);
	const struct sim_spec *spec = &sim->spec;
	const uint64_t t = sim_time_of(sim, wall_ns), devices = sim_nodes_attached(sim, node);
	const uint64_t promoted = events_at(spec->promote, t), demoted = events_at(spec->demote, t);
	const uint64_t total = total_of(sim, node);

	*out = kernel_stats_unknown(t);
	if (node != NODE_MACHINE && !total)
		return -ENOENT;
	if (spec->kernel >= KERNEL_WITH_PROMOTIONS)
		out->values[NODE_PROMOTED] = (double)(devices * promoted);
	if (spec->kernel >= KERNEL_WITH_CANDIDATES) /* all are promoted */
		out->values[NODE_CANDIDATES] = (double)(devices * promoted);
	if (spec->kernel >= KERNEL_WITH_NODE_DEMOTIONS || node == NODE_MACHINE)
		out->values[NODE_DEMOTED] = (double)(devices * demoted);
	if (node == NODE_MACHINE) {
		out->values[NODE_HINTING_FAULTS] = (double)(devices * events_at(spec->hint, t));
		return 0;
	}
	const uint64_t used = sim_node_used(sim, node, t);

	out->values[NODE_USED] = (double)used;
	out->values[NODE_FREE] = (double)(total - used);
	return 0;
}

static int compare_nodes(const void *a, const void *b)
{
	const int x = *(const int *)a, y = *(const int *)b;
	return (x > y) - (x < y);
}

static void add_node(int *nodes, size_t *count, int node)
{
	for (size_t i = 0; i < *count; i++)
		if (nodes[i] == node)
			return;
	nodes[(*count)++] = node;
}

int sim_nodes(struct platform *p, int **out, size_t *count, struct error *err)
{
	const struct sim *sim = sim_of(p);

	*count = 0;
	*out = calloc(sim->core_count + sim->device_count + 1, sizeof(**out));
	if (!*out)
		return error_no_memory(err);
	for (size_t i = 0; i < sim->core_count; i++)
		if (sim->cores[i].node >= 0)
			add_node(*out, count, sim->cores[i].node);
	for (size_t i = 0; i < sim->device_count; i++)
		if (sim->devices[i].node >= 0 && sim->devices[i].bytes)
			add_node(*out, count, sim->devices[i].node);
	qsort(*out, *count, sizeof(**out), compare_nodes);
	return 0;
}

/*
 * The base address of a node. Nodes do not overlap, and none begins at 0, which would mean that it
 * is unknown.
 */
#define NODE_SHIFT 44

static uint64_t address_of(int node)
{
	return ((uint64_t)node + 1) << NODE_SHIFT;
}

int sim_memory_map(struct platform *p, struct memory_map *out, struct error *err)
{
	const struct sim *sim = sim_of(p);
	int *nodes;
	size_t count;

	*out = (struct memory_map){.count = 0};
	if (sim_nodes(p, &nodes, &count, err))
		return err->code;
	out->ranges = calloc(count + 1, sizeof(*out->ranges));
	for (size_t i = 0; out->ranges && i < count; i++) {
		const uint64_t first = address_of(nodes[i]);

		out->ranges[out->count++] =
			(struct memory_range){first, first + total_of(sim, nodes[i]), nodes[i]};
	}
	free(nodes);
	return out->ranges ? 0 : error_no_memory(err);
}

size_t sim_loads_of_node(const struct sim *sim, int node, struct sim_load *loads[REGION_MAX_WAYS],
			 double *latency_ns)
{
	const size_t own = sim_socket_of_node(sim, node);
	size_t count = 0;

	*latency_ns = own == SIZE_MAX ? sim->spec.latency : sim->spec.ddr_latency;
	if (own != SIZE_MAX)
		loads[count++] = sim_load_dram(&sim->loads, (unsigned)own);
	for (size_t i = 0; i < sim->device_count && count < REGION_MAX_WAYS; i++) {
		if (sim->devices[i].node != node || own != SIZE_MAX)
			continue;
		const size_t near = sim_socket_of_node(sim, sim->devices[i].near_node);

		loads[count++] = sim_load_port(&sim->loads, near == SIZE_MAX ? 0 : (unsigned)near,
					       sim_swapped_port(sim, sim_device_port(sim, i)));
	}
	return count;
}

/* Returns the unloaded latency of a CPU's read. */
static double latency_from(const struct sim *sim, unsigned cpu, int node)
{
	const size_t socket = sim_socket_of_node(sim, node);
	const struct sim_spec *spec = &sim->spec;

	return socket == SIZE_MAX		  ? spec->latency
	       : socket == sim->cores[cpu].socket ? spec->ddr_latency
						  : spec->ddr_remote_latency;
}

/* Replaces the program of CPUs that use memory of the node. Returns the GB/s that they move. */
static double run_kernel(struct sim *sim, const struct injected_load *load)
{
	const struct sim_stalls own = sim_stalls_of(&sim->spec);
	double moved = 0;

	for (unsigned cpu = 0; cpu < sim->core_count; cpu++)
		if (sim->cores[cpu].kernel_node == load->node)
			sim_core_run(sim, cpu, &own, -1);
	for (size_t i = 0; i < load->cpu_count && i < INJECTED_CPUS; i++) {
		const unsigned cpu = load->cpus[i];

		if (cpu >= sim->core_count)
			continue;
		const struct sim_kernel_run run = sim_run_kernel(
			&sim->spec, load->kernel, load->chains, latency_from(sim, cpu, load->node));
		sim_core_run(sim, cpu, &run.stalls, load->node);
		moved += run.GBps;
	}
	return moved;
}

int sim_inject_load(struct platform *p, struct injected_load *load, struct error *err)
{
	struct sim *sim = sim_of(p);
	struct sim_load *loads[REGION_MAX_WAYS];
	double unloaded_ns;
	const size_t count = sim_loads_of_node(sim, load->node, loads, &unloaded_ns);

	if (!count)
		return error_set(err, ERROR_FAILED, -ENODEV,
				 "node %d: this simulated machine has no such memory", load->node);
	sim_begin_access(p);
	const double moved = run_kernel(sim, load);
	const bool stores = load->kernel == KERNEL_STORES;
	const double read = (load->read / 1e9 + (stores ? 0 : moved)) / (double)count;
	const double write = (load->write / 1e9 + (stores ? moved : 0)) / (double)count;
	load->bytes_read = load->bytes_written = 0;
	load->latency_ns = 0;
	for (size_t i = 0; i < count; i++) {
		const struct sim_segment *now = sim_load_segment(loads[i], sim->now);

		if ((read != (now ? now->read : 0) || write != (now ? now->write : 0)) &&
		    sim_load_inject(&sim->loads, loads[i], read, write, sim->now))
			return error_no_memory(err);
		now = sim_load_segment(loads[i], sim->now);
		load->bytes_read += (uint64_t)sim_load_injected(loads[i], INJECTED_READ, sim->now);
		load->bytes_written +=
			(uint64_t)sim_load_injected(loads[i], INJECTED_WRITE, sim->now);
		load->latency_ns += unloaded_ns * (now ? now->latency : 1) / (double)count;
	}
	return 0;
}

/*
 * The memory of a simulated machine: its regions, and the bandwidths and latencies that firmware
 * reports.
 */

#define GRANULARITY 256 /* bytes: the minimum of CXL, and the choice of most firmware */

int sim_node_of_device(const struct sim_spec *spec, unsigned socket, unsigned port)
{
	const unsigned regions = (spec->ports + spec->ways - 1) / spec->ways;

	return (int)(spec->sockets + socket * regions + port / spec->ways);
}

/* Adds nodes of DRAM if firmware reports bandwidths. */
static void lay_out_dram(const struct sim_spec *spec, struct memory_layout *memory)
{
	const double MBps = spec->promised_bandwidth > 0 ? SIM_DRAM_MOST * 1e3 : 0;

	for (unsigned s = 0; MBps > 0 && s < spec->sockets; s++)
		memory->nodes[memory->node_count++] = (struct memory_node){
			.node = (int)s, .read_MBps = MBps, .write_MBps = MBps, .tier = -1};
}

int sim_lay_out_memory(struct sim *sim)
{
	const struct sim_spec *spec = &sim->spec;
	struct memory_layout *memory = &sim->memory;

	memory->nodes = calloc(spec->sockets + sim->device_count + 1, sizeof(*memory->nodes));
	memory->regions = calloc(sim->device_count + 1, sizeof(*memory->regions));
	if (!memory->nodes || !memory->regions)
		return -ENOMEM;
	lay_out_dram(spec, memory);
	for (size_t i = 0; i < sim->device_count; i++) {
		const struct cxl_device *device = &sim->devices[i];
		size_t r = 0;

		while (r < memory->region_count && memory->regions[r].node != device->node)
			r++;
		struct cxl_region *region = &memory->regions[r];
		if (r == memory->region_count) {
			*region = (struct cxl_region){
				.mode = "ram",
				.granularity = GRANULARITY,
				.base = address_of(device->node),
				.node = device->node,
			};
			snprintf(region->name, sizeof(region->name), "region%u", (uint8_t)r);
			memory->region_count++;
			memory->nodes[memory->node_count++] = (struct memory_node){
				.node = device->node,
				.read_MBps = spec->promised_bandwidth * 1e3,
				.write_MBps = spec->promised_bandwidth * 1e3,
				.read_ns = spec->promised_latency,
				.write_ns = spec->promised_latency,
				.tier = -1,
			};
		}
		snprintf(region->devices[region->device_count++], REGION_NAME_SIZE, "%s",
			 device->name);
		region->ways++;
		region->bytes += device->bytes;
	}
	return 0;
}

/* Memory devices: their links, errors, health and events. */

/* Returns true if the link of a device has changed, which only the first device's link does. */
static bool has_changed(const struct sim *sim, const struct cxl_device *device, uint64_t t)
{
	const struct sim_spec *spec = &sim->spec;
	const double s = (double)t / NS_PER_S;

	return device == sim->devices && spec->link_change > 0 && s >= spec->link_change &&
	       !(spec->link_back > 0 && s >= spec->link_back);
}

int sim_device_stats(struct platform *p, const struct cxl_device *listed, uint64_t wall_ns,
		     struct device_stats *out)
{
	const struct sim *sim = sim_of(p);
	const uint64_t t = sim_time_of(sim, wall_ns);
	const struct sim_spec *spec = &sim->spec;
	size_t i = 0;
	const struct {
		enum kernel_stat severity;
		const char *kind;
		double rate;
	} errors[] = {{AER_CORRECTABLE, "BadTLP", spec->aer_correctable},
		      {AER_NONFATAL, "CmpltTO", spec->aer_nonfatal},
		      {AER_FATAL, "SDES", spec->aer_fatal}};

	while (i < sim->device_count && strcmp(sim->devices[i].name, listed->name) != 0)
		i++;
	const struct cxl_device *device = i < sim->device_count ? &sim->devices[i] : NULL;
	const bool changed = device && has_changed(sim, device, t);

	*out = (struct device_stats){.kernel = kernel_stats_unknown(t)};
	out->gone = !device || (changed && !spec->link_change_width);
	if (out->gone)
		return -ENODEV;
	for (size_t h = 0; h < device->hop_count; h++) {
		out->links[h] = device->hops[h].now;
		if (changed)
			out->links[h].lanes = spec->link_change_width;
	}
	for (size_t e = 0; e < sizeof(errors) / sizeof(errors[0]); e++) {
		const double count = floor(errors[e].rate * (double)t / NS_PER_S);

		out->kernel.values[errors[e].severity] = count;
		if (count > 0)
			aer_kinds_add(&out->kinds, errors[e].severity, errors[e].kind, count);
	}
	return 0;
}

int sim_device_health(struct platform *p, const struct cxl_device *device, uint64_t wall_ns,
		      struct device_health *out)
{
	const struct sim *sim = sim_of(p);
	const struct sim_spec *spec = &sim->spec;

	(void)device; /* all devices are alike */
	if (sim->snapshot)
		return -ENOENT; /* a snapshot has no health */
	*out = (struct device_health){
		.state = spec->health,
		.temperature_C = spec->temperature,
		.life_used_pct = spec->life_used,
		.corrected_errors =
			floor(spec->corrected * (double)sim_time_of(sim, wall_ns) / NS_PER_S),
	};
	return 0;
}

/* Events of the first memory device, so many per second, of one kind after the other. */

static const struct {
	enum cxl_event_kind kind;
	const char *text;
} events[] = {
	{CXL_EVENT_AER_CORRECTABLE, "corrected error: CRC errors above the threshold"},
	{CXL_EVENT_DRAM, "DRAM error: ECC error on a host read at device address 0x1f3c0, channel "
			 "1, rank 0, bank group 2, bank 3 (information)"},
	{CXL_EVENT_MEMORY_MODULE, "memory module: temperature changed, 45 C (information)"},
	{CXL_EVENT_POISON,
	 "poison listed at device address 0x1f3c0, 64 bytes, from an error within "
	 "the device"},
};

#define EVENTS (sizeof(events) / sizeof(events[0]))

int sim_open_events(struct platform *p, const struct topology *topology, struct error *err)
{
	(void)topology;
	(void)err;
	return sim_of(p)->spec.events > 0;
}

bool sim_next_event(struct platform *p, uint64_t wall_ns, struct cxl_event *out, uint64_t *lost)
{
	struct sim *sim = sim_of(p);
	const uint64_t t = sim_time_of(sim, wall_ns);
	const double rate = sim->spec.events;
	/* the nth happens when n / rate seconds have passed */
	const uint64_t at = rate > 0 ? (uint64_t)((double)(sim->events + 1) / rate * NS_PER_S) : 0;

	(void)lost;
	if (!at || at > t || !sim->device_count)
		return false;
	/* converts the machine's time to the time of day */
	*out = (struct cxl_event){
		.kind = events[sim->events % EVENTS].kind,
		.wall_ns = at + (sim->spec.virtual_clock ? wall_ns : p->ops->clock->wall(p)) - t};
	snprintf(out->device, sizeof(out->device), "%s", sim->devices[0].name);
	snprintf(out->text, sizeof(out->text), "%s", events[sim->events % EVENTS].text);
	sim->events++;
	return true;
}
