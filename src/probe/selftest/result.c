/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/selftest/selftest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/array.h"
#include "base/number.h"
#include "base/text.h"
#include "base/wrap.h"

#define VERDICT_SIZE 128

void selftest_result_free(struct selftest_result *result)
{
	for (size_t n = 0; n < result->node_count; n++) {
		for (size_t i = 0; i < result->nodes[n].line_count; i++)
			free(result->nodes[n].lines[i].others);
		free(result->nodes[n].lines);
	}
	free(result->nodes);
	load_nodes_free(&result->found);
	counters_result_free(&result->counters);
	free(result->snapshot);
	*result = (struct selftest_result){.processor = NULL};
}

struct selftest_line *selftest_add_line(struct selftest_node *node)
{
	if (array_room(&node->lines, node->line_count, 1, sizeof(*node->lines)))
		return NULL;
	struct selftest_line *line = &node->lines[node->line_count++];
	*line = (struct selftest_line){.source = "", .moved_socket = -1, .moved_port = -1};
	for (size_t i = 0; i < STEPS; i++)
		line->counted[i] = NAN;
	return line;
}

struct selftest_sum selftest_sum(const struct selftest_result *result)
{
	struct selftest_sum sum = {0};

	for (size_t n = 0; n < result->node_count; n++)
		for (size_t i = 0; i < result->nodes[n].line_count; i++) {
			const struct selftest_line *line = &result->nodes[n].lines[i];

			if (line->candidate)
				continue;
			if (line->judged.judgement == JUDGED_AGREES)
				sum.agree++;
			else if (line->judged.judgement >= JUDGED_OFF)
				sum.differ++;
			else
				sum.unclear++;
		}
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

/*
 * Describes a verdict, such as "agrees" or "off by -50.0 %", with its circumstances. Returns text.
 */
static const char *verdict_text(const struct selftest_line *line, char text[VERDICT_SIZE])
{
	const struct judged *judged = &line->judged;
	const size_t size = VERDICT_SIZE;

	text[0] = '\0';
	switch (judged->judgement) {
	case JUDGED_AGREES:
		text_append(text, size, "agrees");
		break;
	case JUDGED_OFF:
		text_append(text, size, "off by %+.1f %%", judged->off_pct);
		break;
	case JUDGED_UNSEEN:
		text_append(text, size, "unseen");
		break;
	case JUDGED_UNCLEAR:
		text_append(text, size,
			    "cannot tell: other programs use the memory (their traffic changed by "
			    "%.0f MB/s)",
			    line->noise);
		break;
	case JUDGED_DISPLACED:
		text_append(text, size,
			    "cannot tell: other traffic (%.0f MB/s) may have slowed down",
			    line->idle);
		break;
	case JUDGED_NOT_COUNTED:
		text_append(text, size, "not counted");
		break;
	}
	if (line->candidate)
		text_append(text, size, " (a candidate, which no metric uses)");
	if (line->unit_ns)
		text_append(text, size, "; these L3 caches sample in units of %u ns",
			    line->unit_ns);
	if (line->moved_port >= 0)
		text_append(text, size,
			    line->behind ? "; behind socket %d port %d"
					 : "; meanwhile, socket %d port %d counted more",
			    line->moved_socket, line->moved_port);
	return text;
}

double selftest_moved(const struct load_moved *moved, enum line_kind kind)
{
	return kind == LINE_READ    ? moved->read_MBps
	       : kind == LINE_WRITE ? moved->write_MBps
				    : moved->chase_ns;
}

static size_t step_of(enum step_kind kind)
{
	size_t i = 0;

	while (i < STEPS - 1 &&
	       (step_table[i].kind != kind || (kind != STEP_CHASE && step_table[i].part < 1)))
		i++;
	return i;
}

/* Prints the counts of the busiest step of the line's kind. Returns the number of characters. */
static int print_statistics(const struct selftest_node *node, const struct selftest_line *line,
			    FILE *out)
{
	const size_t step = step_of(line->kind == LINE_READ    ? STEP_READS
				    : line->kind == LINE_WRITE ? STEP_WRITES
							       : STEP_CHASE);
	const struct load_moved *moved = &node->moved[line->backend][step];
	const double counted = line->counted[step];

	if (line->kind == LINE_LATENCY)
		return fprintf(out, "%8.1f of %8.1f ns   ", counted, moved->chase_ns);
	return fprintf(out, "%8.1f of %8.1f MB/s ", counted - line->idle,
		       line->kind == LINE_WRITE ? moved->write_MBps : moved->read_MBps);
}

static bool has_leak(const struct selftest_result *result, const struct selftest_node *node,
		     size_t backend)
{
	return node->at->dram && !node->at->skipped.code &&
	       !result->backends[backend].failed.code && node->leaks[backend].assumed_ns > 0;
}

/* Prints a leak without a verdict, because the assumed leak is only an assumption. */
static void print_leak(const struct selftest_result *result, const struct selftest_node *node,
		       size_t backend, FILE *out)
{
	const struct selftest_leak *leak = &node->leaks[backend];

	if (!has_leak(result, node, backend))
		return;
	fprintf(out,
		"  %-4s DRAM reads in CXL's occupancy (acc): ", result->backends[backend].name);
	if (isnan(leak->ns))
		fputs("cannot tell: none was counted, or CXL memory was read meanwhile\n", out);
	else
		fprintf(out, "%.2f ns a read (%.2f assumed%s)\n", leak->ns, leak->assumed_ns,
			leak->ns > leak->assumed_ns
				? ": with DRAM traffic, CXL latency is off by more than assumed"
				: "");
}

#define VERDICT_INDENT 7 /* below the metric */

static void print_node(const struct selftest_result *result, const struct selftest_node *node,
		       FILE *out)
{
	char name[LOAD_NODE_NAME_SIZE], verdict[VERDICT_SIZE];

	fprintf(out, "%s\n", load_node_name(node->at, name));
	if (node->at->skipped.code)
		fprintf(out, "  not tested: %s\n", node->at->skipped.text);
	for (size_t i = 0; i < node->line_count; i++) {
		const struct selftest_line *line = &node->lines[i];

		int used = fprintf(out, "  %-4s %-26s %-8s ", result->backends[line->backend].name,
				   line->metric, line->source);
		used += print_statistics(node, line, out);
		putc(' ', out);
		wrapped_print(out, verdict_text(line, verdict), used + 1, VERDICT_INDENT,
			      wrapped_columns(fileno(out)));
	}
	for (size_t b = 0; b < result->backend_count; b++)
		print_leak(result, node, b, out);
}

static void print_sum(const struct selftest_result *result, FILE *out)
{
	const struct selftest_sum sum = selftest_sum(result);
	const size_t units = result->counters.count;

	if (!sum.agree && !sum.differ)
		fputs("Nothing could be judged.\n", out);
	else if (sum.differ)
		fprintf(out, "%zu of %zu lines do not agree", sum.differ, sum.agree + sum.differ);
	else
		fprintf(out, "%s: %zu line%s",
			units ? "The lines agree" : "All that could be judged agrees", sum.agree,
			sum.agree == 1 ? "" : "s");
	if (sum.agree || sum.differ)
		fprintf(out, sum.unclear ? "; %zu could not be judged.\n" : ".\n", sum.unclear);
	if (units)
		fprintf(out, "Counters of %zu unit%s do not count as they should.\n", units,
			units == 1 ? "" : "s");
}

void selftest_print(const struct selftest_result *result, FILE *out)
{
	for (size_t i = 0; i < result->node_count; i++)
		print_node(result, &result->nodes[i], out);
	counters_print(&result->counters, out);
	print_sum(result, out);
}

/* Returns a port; NULL, which becomes null: none. */
static json_t *port_object(int socket, int port)
{
	return port < 0 ? NULL : json_pack("{s:i, s:i}", "socket", socket, "port", port);
}

static const char *error_text(const struct error *error)
{
	return error->code ? error->text : NULL;
}

static json_t *line_object(const struct selftest_result *result, const struct selftest_line *line)
{
	json_t *counted = json_array();

	/* json_real() refuses values that are not finite */
	for (size_t i = 0; i < STEPS; i++)
		json_array_append_new(counted, isfinite(line->counted[i])
						       ? json_real(line->counted[i])
						       : json_null());
	json_t *port = port_object(line->moved_socket, line->moved_port);
	return json_pack(
		"{s:s, s:s, s:s?, s:s, s:s, s:o?, s:o?, s:o?, s:o?, s:o, s:o?, s:b, s:o?}",
		"backend", result->backends[line->backend].name, "metric", line->metric, "source",
		*line->source ? line->source : NULL, "scope", scope_names[line->scope], "verdict",
		judgement_names[line->judged.judgement], "off_pct", json_real(line->judged.off_pct),
		"moved_instead", line->behind ? NULL : port, "idle", json_real(line->idle), "noise",
		json_real(line->noise), "counted", counted, "behind", line->behind ? port : NULL,
		"candidate", line->candidate, "unit_ns",
		line->unit_ns ? json_integer(line->unit_ns) : NULL);
}

static json_t *step_object(const struct step *step, const struct load_moved *moved)
{
	return json_pack("{s:s, s:f, s:o?, s:o?, s:o?, s:o?}", "kind", step_names[step->kind],
			 "read_share", step->read_share, "asked_MBps", json_real(moved->asked_MBps),
			 "read_MBps", json_real(moved->read_MBps), "write_MBps",
			 json_real(moved->write_MBps), "chase_ns", json_real(moved->chase_ns));
}

static json_t *steps_of(const struct selftest_result *result, const struct selftest_node *node)
{
	json_t *all = json_object();

	for (size_t b = 0; b < result->backend_count; b++) {
		json_t *steps = json_array();

		for (size_t i = 0; i < STEPS; i++)
			json_array_append_new(steps,
					      step_object(&step_table[i], &node->moved[b][i]));
		if (result->backends[b].failed.code)
			json_decref(steps);
		else
			json_object_set_new(all, result->backends[b].name, steps);
	}
	return all;
}

/* Returns the leaks; NULL, which becomes null: the processor is assumed to have none. */
static json_t *leaks_of(const struct selftest_result *result, const struct selftest_node *node)
{
	json_t *all = NULL;

	for (size_t b = 0; b < result->backend_count; b++) {
		if (!has_leak(result, node, b))
			continue;
		all = all ? all : json_object();
		json_object_set_new(all, result->backends[b].name,
				    isnan(node->leaks[b].ns) ? json_null()
							     : json_real(node->leaks[b].ns));
	}
	return all;
}

static json_t *node_object(const struct selftest_result *result, const struct selftest_node *node)
{
	json_t *ports = json_array(), *lines = json_array();

	for (size_t i = 0; i < node->at->port_count; i++)
		json_array_append_new(
			ports, port_object(node->at->ports[i].socket, node->at->ports[i].port));
	for (size_t i = 0; i < node->line_count; i++)
		json_array_append_new(lines, line_object(result, &node->lines[i]));
	return json_pack("{s:i, s:s, s:i, s:s?, s:s?, s:o, s:I, s:s?, s:o, s:o, s:o?}", "node",
			 node->at->node, "memory", node->at->dram ? "dram" : "cxl", "socket",
			 node->at->socket, "memdev", *node->at->memdev ? node->at->memdev : NULL,
			 "device", *node->at->device ? node->at->device : NULL, "ports", ports,
			 "memory_bytes", (json_int_t)node->at->memory_bytes, "not_tested",
			 error_text(&node->at->skipped), "moved", steps_of(result, node), "lines",
			 lines, "dram_in_cxl_ns", leaks_of(result, node));
}

static json_t *encode_processor(const struct selftest_result *result)
{
	const struct cpu_identity *cpu = &result->cpu;
	const bool known = *cpu->vendor;
	const char *name = !known && *cpu->name ? cpu->name : result->processor;

	return json_pack("{s:s?, s:s?, s:o?, s:o?, s:o?, s:s?, s:o?, s:b}", "name",
			 name && *name ? name : NULL, "vendor", known ? cpu->vendor : NULL,
			 "family", known ? json_integer(cpu->family) : NULL, "model",
			 known ? json_integer(cpu->model) : NULL, "stepping",
			 known ? json_integer(cpu->stepping) : NULL, "microcode",
			 *result->microcode ? result->microcode : NULL, "hypervisor",
			 known ? json_boolean(cpu->hypervisor) : NULL, "simulated",
			 result->simulated);
}

/*
 * Returns "6.18.44" for "6.18.44-1-acme", because the rest may name the kernel's owner. NULL:
 * unknown.
 */
static json_t *kernel_version(void)
{
	struct utsname names;

	if (uname(&names))
		return NULL;
	size_t length = strspn(names.release, "0123456789.");
	while (length && names.release[length - 1] == '.')
		length--;
	return json_stringn(names.release, length);
}

json_t *selftest_json(const struct selftest_result *result)
{
	const struct selftest_sum sum = selftest_sum(result);
	json_t *nodes = json_array(), *backends = json_array();
	json_t *snapshot = result->snapshot ? json_loads(result->snapshot, 0, NULL) : NULL;

	for (size_t i = 0; i < result->backend_count; i++)
		json_array_append_new(backends,
				      json_pack("{s:s, s:s?}", "name", result->backends[i].name,
						"failed", error_text(&result->backends[i].failed)));
	for (size_t i = 0; i < result->node_count; i++)
		json_array_append_new(nodes, node_object(result, &result->nodes[i]));
	return json_pack("{s:i, s:s, s:o?, s:o, s:f, s:f, s:{s:i, s:i, s:i}, s:o, s:o, s:o?, s:o?}",
			 "schema", SELFTEST_SCHEMA, "cxlmon", CXLMON_VERSION, "kernel",
			 kernel_version(), "processor", encode_processor(result), "tolerance_pct",
			 100 * JUDGE_TOLERANCE, "step_s", (double)result->step_ns / NS_PER_S,
			 "lines", "agree", (int)sum.agree, "differ", (int)sum.differ, "not_judged",
			 (int)sum.unclear, "backends", backends, "nodes", nodes, "counters",
			 counters_json(&result->counters), "snapshot", snapshot);
}
