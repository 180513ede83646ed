/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/cpus.h"

#include <limits.h>
#include <stdlib.h>

#include "base/text.h"
#include "platform/platform.h"

bool platform_has_watchdog(struct platform *p)
{
	return p->ops->cpus->has_watchdog && p->ops->cpus->has_watchdog(p);
}

void topology_free(struct topology *topology)
{
	free(topology->cpus);
	topology->cpus = NULL;
	topology->count = 0;
}

bool topology_name_readers(struct topology *topology, const char *list)
{
	bool any = false;

	for (size_t i = 0; i < topology->count; i++) {
		struct cpu_location *cpu = &topology->cpus[i];
		const bool named = numlist_contains(list, cpu->cpu);

		any |= named;
		if (named)
			cpu->spared &= SPARED_FOREIGN;
		else
			cpu->spared |= SPARED_UNLISTED;
	}
	return any;
}

const struct cpu_location *cpu_rather(const struct cpu_location *best,
				      const struct cpu_location *cpu)
{
	return best && best->spared <= cpu->spared ? best : cpu;
}

int topology_reader_cpu(const struct topology *topology, int socket)
{
	const struct cpu_location *best = NULL;

	for (size_t i = 0; i < topology->count; i++)
		if (topology->cpus[i].socket == socket)
			best = cpu_rather(best, &topology->cpus[i]);
	return best ? (int)best->cpu : -1;
}

int topology_nth_socket(const struct topology *topology, size_t nth, size_t *count)
{
	int socket = -1, found = -1;

	for (*count = 0;; ++*count) {
		int next = INT_MAX;

		for (size_t i = 0; i < topology->count; i++)
			if (topology->cpus[i].socket > socket && topology->cpus[i].socket < next)
				next = topology->cpus[i].socket;
		if (next == INT_MAX)
			return found;
		socket = next;
		if (*count == nth)
			found = socket;
	}
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
	return topology->count && !topology->has_offline_socket ? topology->cpus[0].socket : -1;
}

int topology_socket_of_device(const struct topology *topology, int node)
{
	return node < 0 ? only_socket(topology) : topology_socket_of_node(topology, node);
}
