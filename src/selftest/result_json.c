/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/result_json.h"

#include <math.h>
#include <sys/utsname.h>

#include "platform/number.h"

static const char *const judgements[] = {
	[JUDGED_AGREES] = "agrees",	[JUDGED_OFF] = "off",
	[JUDGED_UNSEEN] = "unseen",	[JUDGED_UNCLEAR] = "unclear",
	[JUDGED_DISPLACED] = "unclear", [JUDGED_NOT_COUNTED] = "not_counted",
};

/* What is not known is null. */
static json_t *number(double value)
{
	return isnan(value) || isinf(value) ? json_null() : json_real(value);
}

static json_t *text_or_null(const char *text)
{
	return text && *text ? json_string(text) : json_null();
}

static json_t *error_or_null(const struct error *error)
{
	return error->code ? json_string(error->text) : json_null();
}

static json_t *port_object(int socket, int port)
{
	return port < 0 ? json_null() : json_pack("{s:i, s:i}", "socket", socket, "port", port);
}

static json_t *line_object(const struct selftest_result *result, const struct selftest_line *line)
{
	json_t *counted = json_array();

	for (size_t i = 0; i < STEPS; i++)
		json_array_append_new(counted, number(line->counted[i]));
	json_t *port = port_object(line->moved_socket, line->moved_port);
	return json_pack("{s:s, s:s, s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:b}", "backend",
			 result->backends[line->backend].name, "metric", line->metric, "source",
			 text_or_null(line->source), "scope", scope_names[line->scope], "verdict",
			 judgements[line->judged.judgement], "off_pct",
			 number(line->judged.off_pct), "moved_instead",
			 line->behind ? json_null() : port, "idle", number(line->idle), "noise",
			 number(line->noise), "counted", counted, "behind",
			 line->behind ? port : json_null(), "candidate", line->candidate);
}

static json_t *step_object(const struct step *step, const struct selftest_moved *moved)
{
	return json_pack("{s:s, s:f, s:o, s:o, s:o, s:o}", "kind", step_names[step->kind],
			 "read_share", step->read_share, "asked_MBps", number(moved->asked_MBps),
			 "read_MBps", number(moved->read_MBps), "write_MBps",
			 number(moved->write_MBps), "chase_ns", number(moved->chase_ns));
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

static json_t *node_object(const struct selftest_result *result, const struct selftest_node *node)
{
	json_t *ports = json_array(), *lines = json_array();

	for (size_t i = 0; i < node->port_count; i++)
		json_array_append_new(ports,
				      port_object(node->ports[i].socket, node->ports[i].port));
	for (size_t i = 0; i < node->line_count; i++)
		json_array_append_new(lines, line_object(result, &node->lines[i]));
	return json_pack("{s:i, s:s, s:i, s:o, s:o, s:I, s:o, s:o, s:o}", "node", node->node,
			 "memory", node->dram ? "dram" : "cxl", "socket", node->socket, "memdev",
			 text_or_null(node->memdev), "ports", ports, "memory_bytes",
			 (json_int_t)node->memory_bytes, "not_tested",
			 error_or_null(&node->skipped), "moved", steps_of(result, node), "lines",
			 lines);
}

static json_t *processor(const struct selftest_result *result)
{
	if (!*result->cpu.vendor)
		return json_pack(
			"{s:o, s:n, s:n, s:n, s:n, s:n, s:b}", "name",
			text_or_null(*result->cpu.name ? result->cpu.name : result->processor),
			"vendor", "family", "model", "stepping", "hypervisor", "simulated",
			result->simulated);
	return json_pack("{s:o, s:s, s:i, s:i, s:i, s:b, s:b}", "name",
			 text_or_null(result->processor), "vendor", result->cpu.vendor, "family",
			 (int)result->cpu.family, "model", (int)result->cpu.model, "stepping",
			 (int)result->cpu.stepping, "hypervisor", result->cpu.hypervisor,
			 "simulated", result->simulated);
}

static json_t *kernel_release(void)
{
	struct utsname names;

	return uname(&names) ? json_null() : json_string(names.release);
}

json_t *selftest_json(const struct selftest_result *result)
{
	const struct selftest_sum sum = selftest_sum(result);
	json_t *nodes = json_array(), *backends = json_array();
	json_t *snapshot = result->snapshot ? json_loads(result->snapshot, 0, NULL) : NULL;

	for (size_t i = 0; i < result->backend_count; i++)
		json_array_append_new(
			backends, json_pack("{s:s, s:o}", "name", result->backends[i].name,
					    "failed", error_or_null(&result->backends[i].failed)));
	for (size_t i = 0; i < result->node_count; i++)
		json_array_append_new(nodes, node_object(result, &result->nodes[i]));
	return json_pack("{s:i, s:s, s:o, s:o, s:f, s:f, s:{s:i, s:i, s:i}, s:o, s:o, s:o}",
			 "schema", SELFTEST_SCHEMA, "cxlmon", CXLMON_VERSION, "kernel",
			 kernel_release(), "processor", processor(result), "tolerance_pct",
			 100 * JUDGE_TOLERANCE, "step_s", (double)result->step_ns / NS_PER_S,
			 "lines", "agree", (int)sum.agree, "differ", (int)sum.differ, "not_judged",
			 (int)sum.unclear, "backends", backends, "nodes", nodes, "snapshot",
			 snapshot ? snapshot : json_null());
}
