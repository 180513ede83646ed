/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/platform.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void platform_destroy(struct platform *p)
{
	if (!p)
		return;
	guard_free(&p->guard);
	p->ops->destroy(p);
}

bool platform_has_watchdog(struct platform *p)
{
	return p->ops->has_watchdog && p->ops->has_watchdog(p);
}

void topology_free(struct topology *topology)
{
	free(topology->cpus);
	topology->cpus = NULL;
	topology->count = 0;
}

int topology_first_cpu(const struct topology *topology, int socket)
{
	for (size_t i = 0; i < topology->count; i++)
		if (topology->cpus[i].socket == socket)
			return (int)topology->cpus[i].cpu;
	return -1;
}

int topology_socket_of_node(const struct topology *topology, int node)
{
	for (size_t i = 0; i < topology->count; i++)
		if (topology->cpus[i].node == node)
			return topology->cpus[i].socket;
	return -1;
}

static int only_socket(const struct topology *topology)
{
	for (size_t i = 1; i < topology->count; i++)
		if (topology->cpus[i].socket != topology->cpus[0].socket)
			return -1;
	return topology->count ? topology->cpus[0].socket : -1;
}

int topology_socket_of_device(const struct topology *topology, int node)
{
	return node < 0 ? only_socket(topology) : topology_socket_of_node(topology, node);
}

void cxl_device_set_hops(struct cxl_device *device)
{
	const size_t depth = device->depth;

	device->hop_count = 0;
	for (size_t i = depth > 1 ? depth % 2 : 0; i < depth; i += 2)
		device->hops[device->hop_count++] = (struct pci_hop){
			.above = device->path[i],
			.below = device->path[depth > 1 ? i + 1 : i],
		};
}

const struct pci_hop *cxl_device_narrowest(const struct cxl_device *device)
{
	const struct pci_hop *narrowest = NULL;

	for (size_t h = 0; h < device->hop_count; h++) {
		const struct pci_hop *hop = &device->hops[h];
		const double rate = pci_link_rate(hop->now);

		if (rate > 0 && (!narrowest || rate < pci_link_rate(narrowest->now)))
			narrowest = hop;
	}
	return narrowest;
}

const struct pci_hop *cxl_device_degraded(const struct cxl_device *device, bool *known)
{
	const struct pci_hop *degraded = NULL;

	*known = false;
	for (size_t h = 0; h < device->hop_count; h++) {
		const struct pci_hop *hop = &device->hops[h];

		*known |= pci_link_rate(hop->now) > 0 && pci_link_rate(hop->possible) > 0;
		if (!degraded && pci_hop_is_degraded(hop))
			degraded = hop;
	}
	return degraded;
}

double cxl_device_rate(const struct cxl_device *device)
{
	const struct pci_hop *hop = cxl_device_narrowest(device);

	return hop ? pci_link_rate(hop->now) : NAN;
}

double cxl_device_possible_rate(const struct cxl_device *device)
{
	double least = NAN;

	for (size_t h = 0; h < device->hop_count; h++) {
		const double rate = pci_link_rate(device->hops[h].possible);

		if (!(rate > 0))
			return NAN;
		least = fmin(least, rate);
	}
	return least;
}

const char *pci_location_text(struct pci_location at, char text[PCI_TEXT_SIZE])
{
	snprintf(text, PCI_TEXT_SIZE, "%04x:%02x:%02x.%x", at.domain, at.bus, at.device,
		 at.function);
	return text;
}

void memory_layout_free(struct memory_layout *layout)
{
	free(layout->nodes);
	free(layout->regions);
	*layout = (struct memory_layout){.nodes = NULL};
}

/* NULL: no memory. */
static void *copy(const void *items, size_t count, size_t size)
{
	void *to = calloc(count + 1, size);

	if (to && count)
		memcpy(to, items, count * size);
	return to;
}

int memory_layout_copy(const struct memory_layout *from, struct memory_layout *out)
{
	*out = (struct memory_layout){
		.nodes = copy(from->nodes, from->node_count, sizeof(*from->nodes)),
		.regions = copy(from->regions, from->region_count, sizeof(*from->regions)),
	};
	if (!out->nodes || !out->regions)
		return -ENOMEM;
	out->node_count = from->node_count;
	out->region_count = from->region_count;
	return 0;
}

const struct memory_node *memory_layout_node(const struct memory_layout *layout, int node)
{
	for (size_t i = 0; i < layout->node_count; i++)
		if (layout->nodes[i].node == node)
			return &layout->nodes[i];
	return NULL;
}

const struct cxl_region *memory_layout_region(const struct memory_layout *layout,
					      const char *device)
{
	for (size_t r = 0; r < layout->region_count; r++)
		for (size_t i = 0; i < layout->regions[r].device_count; i++)
			if (!strcmp(layout->regions[r].devices[i], device))
				return &layout->regions[r];
	return NULL;
}

int memory_map_node(const struct memory_map *map, uint64_t physical)
{
	size_t low = 0, high = map->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct memory_range *range = &map->ranges[middle];

		if (physical < range->first)
			high = middle;
		else if (physical >= range->end)
			low = middle + 1;
		else
			return range->node;
	}
	return -1;
}

#define PERIOD_MOST	   (UINT64_C(1) << 31)
#define LEAST_OF_MULTIPLES UINT64_C(0x1000) /* of IBS, which counts all ops */

static bool is_prime(uint64_t number)
{
	if (number % 2 == 0)
		return number == 2;
	for (uint64_t divisor = 3; divisor * divisor <= number; divisor += 2)
		if (number % divisor == 0)
			return false;
	return number > 1;
}

/* A period that has divisors with the length of a loop in common would see the same loads again. */
uint64_t hot_round_period(const struct load_event *event, uint64_t period)
{
	if (event->multiple)
		return (period + event->multiple - 1) / event->multiple * event->multiple;
	while (period > 1 && !is_prime(period))
		period++;
	return period;
}

static uint64_t longer(const struct load_event *event, uint64_t period, double over)
{
	const double wanted = (double)period * (over > 2 ? over : 2);

	return wanted < PERIOD_MOST ? hot_round_period(event, (uint64_t)wanted) : PERIOD_MOST;
}

/* Of the cost only what grows with samples can be changed here. */
uint64_t hot_next_period(const struct load_event *event, uint64_t period, uint64_t samples,
			 double seconds, size_t cpus, double cost)
{
	const double per_s = seconds > 0 ? (double)samples / seconds : 0;
	const double rate = per_s / (double)cpus, of_samples = per_s * HOT_SAMPLE_NS / 1e9;
	const uint64_t least = event->multiple ? LEAST_OF_MULTIPLES : 1;

	if (rate > HOT_RATE_MOST && period < PERIOD_MOST)
		return longer(event, period, rate / HOT_RATE_MOST);
	if (cost > HOT_COST_MOST && of_samples > HOT_COST_MOST / 4 && period < PERIOD_MOST)
		return longer(event, period, cost / HOT_COST_MOST);
	if (samples && rate < HOT_RATE_MOST / 8.0 && of_samples < HOT_COST_MOST / 16 &&
	    period / 2 >= least)
		return hot_round_period(event, period / 2);
	return period;
}
