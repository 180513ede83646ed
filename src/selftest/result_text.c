/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/text.h"
#include "selftest/result.h"

const char *selftest_node_name(const struct selftest_node *node, char text[SELFTEST_NAME_SIZE])
{
	const struct selftest_port *port = &node->ports[0];

	if (node->dram)
		snprintf(text, SELFTEST_NAME_SIZE, "node %d (DRAM of socket %d)", node->node,
			 node->socket);
	else if (!node->port_count || node->port_unknown)
		snprintf(text, SELFTEST_NAME_SIZE, "node %d (%s, socket %d)", node->node,
			 node->memdev, node->socket);
	else if (node->port_count > 1)
		snprintf(text, SELFTEST_NAME_SIZE, "node %d (socket %d, %zu ports)", node->node,
			 node->socket, node->port_count);
	else
		snprintf(text, SELFTEST_NAME_SIZE, "node %d (%s, socket %d port %d)", node->node,
			 node->memdev, port->socket, port->port);
	return text;
}

const char *selftest_verdict(const struct selftest_line *line, char text[SELFTEST_VERDICT_SIZE])
{
	const struct judged *judged = &line->judged;
	const size_t size = SELFTEST_VERDICT_SIZE;

	text[0] = '\0';
	switch (judged->judgement) {
	case JUDGED_AGREES:
		text_append(text, size, "agrees");
		break;
	case JUDGED_OFF:
		text_append(text, size, "off by %+.1f %%", judged->off_pct);
		break;
	case JUDGED_UNSEEN:
		text_append(text, size, "doesn't see it");
		break;
	case JUDGED_UNCLEAR:
		text_append(text, size,
			    "can't tell: others use the memory (%.0f MB/s more or less)",
			    line->noise);
		break;
	case JUDGED_DISPLACED:
		text_append(text, size, "can't tell: other traffic (%.0f MB/s) may have given way",
			    line->idle);
		break;
	case JUDGED_NOT_COUNTED:
		text_append(text, size, "not counted");
		break;
	}
	if (line->candidate)
		text_append(text, size, " (a candidate, which no metric uses)");
	if (line->moved_port >= 0)
		text_append(text, size,
			    line->behind ? "; behind socket %d port %d"
					 : "; socket %d port %d moved instead",
			    line->moved_socket, line->moved_port);
	return text;
}

static size_t step_of(enum step_kind kind)
{
	size_t i = 0;

	while (i < STEPS - 1 &&
	       (step_table[i].kind != kind || (kind != STEP_CHASE && step_table[i].part < 1)))
		i++;
	return i;
}

/* What the busiest step of the line's kind has shown. */
static void print_figures(const struct selftest_node *node, const struct selftest_line *line,
			  FILE *out)
{
	const size_t step = step_of(line->kind == LINE_READ    ? STEP_READS
				    : line->kind == LINE_WRITE ? STEP_WRITES
							       : STEP_CHASE);
	const struct selftest_moved *moved = &node->moved[line->backend][step];
	const double counted = line->counted[step];

	if (line->kind == LINE_LATENCY)
		fprintf(out, "%10.1f of %9.1f ns   ", counted, moved->chase_ns);
	else
		fprintf(out, "%10.1f of %9.1f MB/s ", counted - line->idle,
			line->kind == LINE_WRITE ? moved->write_MBps : moved->read_MBps);
}

static void print_node(const struct selftest_result *result, const struct selftest_node *node,
		       FILE *out)
{
	char name[SELFTEST_NAME_SIZE], verdict[SELFTEST_VERDICT_SIZE];

	fprintf(out, "%s\n", selftest_node_name(node, name));
	if (node->skipped.code)
		fprintf(out, "  not tested: %s\n", node->skipped.text);
	for (size_t i = 0; i < node->line_count; i++) {
		const struct selftest_line *line = &node->lines[i];

		fprintf(out, "  %-4s %-25s %-13s ", result->backends[line->backend].name,
			line->metric, line->source);
		print_figures(node, line, out);
		fprintf(out, " %s\n", selftest_verdict(line, verdict));
	}
}

void selftest_print(const struct selftest_result *result, FILE *out)
{
	const struct selftest_sum sum = selftest_sum(result);

	for (size_t i = 0; i < result->node_count; i++)
		print_node(result, &result->nodes[i], out);
	if (!sum.agree && !sum.differ)
		fputs("Nothing could be judged.\n", out);
	else if (!sum.differ)
		fprintf(out, "What could be judged agrees: %zu line%s", sum.agree,
			sum.agree == 1 ? "" : "s");
	else
		fprintf(out, "%zu of %zu lines do not agree", sum.differ, sum.agree + sum.differ);
	if (sum.agree || sum.differ)
		fprintf(out, sum.unclear ? "; %zu could not be judged.\n" : ".\n", sum.unclear);
}
