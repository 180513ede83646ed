/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/traffic_command.h"

#include <inttypes.h>
#include <stdio.h>

#include "platform/number.h"
#include "selftest/nodes.h"
#include "selftest/result.h"

#define MIB (UINT64_C(1) << 20)

static void announce_memory(const struct selftest_result *found)
{
	uint64_t most = 0;

	for (size_t i = 0; i < found->node_count; i++)
		if (found->nodes[i].memory_bytes > most)
			most = found->nodes[i].memory_bytes;
	if (most)
		fprintf(stderr,
			"cxlmon: takes up to %" PRIu64
			" MiB of a node's free memory, and up to %d threads\n",
			most / MIB, SELFTEST_CPUS);
	else
		fputs("cxlmon: takes no memory: the traffic is injected into the simulated machine\n",
		      stderr);
}

void traffic_announce(const struct selftest_result *found, uint64_t total_ns)
{
	char name[SELFTEST_NAME_SIZE];

	fprintf(stderr,
		"cxlmon: moves data to and from the memory of %zu node%s, one after the other, for "
		"about %.0f s; Ctrl-C stops it\n",
		found->node_count, found->node_count == 1 ? "" : "s",
		(double)total_ns / (double)NS_PER_S);
	announce_memory(found);
	for (size_t i = 0; i < found->node_count; i++)
		if (found->nodes[i].skipped.code)
			fprintf(stderr, "cxlmon: left out: %s: %s\n",
				selftest_node_name(&found->nodes[i], name),
				found->nodes[i].skipped.text);
}
