/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/result.h"

#include <math.h>
#include <stdlib.h>

void selftest_result_free(struct selftest_result *result)
{
	for (size_t i = 0; i < result->node_count; i++)
		free(result->nodes[i].lines);
	free(result->nodes);
	free(result->snapshot);
	*result = (struct selftest_result){.processor = NULL};
}

struct selftest_line *selftest_add_line(struct selftest_node *node)
{
	struct selftest_line *grown =
		reallocarray(node->lines, node->line_count + 1, sizeof(*grown));

	if (!grown)
		return NULL;
	node->lines = grown;
	struct selftest_line *line = &grown[node->line_count++];
	*line = (struct selftest_line){.source = "", .moved_socket = -1, .moved_port = -1};
	for (size_t i = 0; i < STEPS; i++)
		line->counted[i] = NAN;
	return line;
}

static void add_line(struct selftest_sum *sum, const struct selftest_line *line)
{
	if (line->candidate)
		return;
	switch (line->judged.judgement) {
	case JUDGED_AGREES:
		sum->agree++;
		break;
	case JUDGED_OFF:
	case JUDGED_UNSEEN:
		sum->differ++;
		break;
	default:
		sum->unclear++;
	}
}

struct selftest_sum selftest_sum(const struct selftest_result *result)
{
	struct selftest_sum sum = {0};

	for (size_t n = 0; n < result->node_count; n++)
		for (size_t i = 0; i < result->nodes[n].line_count; i++)
			add_line(&sum, &result->nodes[n].lines[i]);
	return sum;
}

const struct step step_table[STEPS] = {
	{.kind = STEP_IDLE},
	{.kind = STEP_READS, .read_share = 1, .part = 1},
	{.kind = STEP_READS, .read_share = 1, .part = 0.5},
	{.kind = STEP_READS, .read_share = 1, .part = 0.25},
	{.kind = STEP_IDLE},
	{.kind = STEP_WRITES, .read_share = 0, .part = 1},
	{.kind = STEP_WRITES, .read_share = 0, .part = 0.5},
	{.kind = STEP_WRITES, .read_share = 0, .part = 0.25},
	{.kind = STEP_IDLE},
	{.kind = STEP_MIX, .read_share = 2 / 3.0, .part = 1},
	{.kind = STEP_MIX, .read_share = 2 / 3.0, .part = 0.5},
	{.kind = STEP_MIX, .read_share = 2 / 3.0, .part = 0.25},
	{.kind = STEP_IDLE},
	{.kind = STEP_CHASE},
	{.kind = STEP_IDLE},
};

const char *const step_names[STEP_KINDS] = {
	[STEP_IDLE] = "idle", [STEP_READS] = "reads", [STEP_WRITES] = "writes",
	[STEP_MIX] = "mix",   [STEP_CHASE] = "chase",
};
