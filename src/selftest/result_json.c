/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/result.h"

#include <math.h>
#include <sys/utsname.h>

#include "platform/number.h"

static const char *const judgements[] = {
	[JUDGED_AGREES] = "agrees",	[JUDGED_OFF] = "off",
	[JUDGED_UNSEEN] = "unseen",	[JUDGED_UNCLEAR] = "unclear",
	[JUDGED_DISPLACED] = "unclear", [JUDGED_NOT_COUNTED] = "not_counted",
};

/* NULL, which is null, where there is none. */
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

	/* json_real() refuses what is no number */
	for (size_t i = 0; i < STEPS; i++)
		json_array_append_new(counted, isfinite(line->counted[i])
						       ? json_real(line->counted[i])
						       : json_null());
	json_t *port = port_object(line->moved_socket, line->moved_port);
	return json_pack("{s:s, s:s, s:s?, s:s, s:s, s:o?, s:o?, s:o?, s:o?, s:o, s:o?, s:b}",
			 "backend", result->backends[line->backend].name, "metric", line->metric,
			 "source", *line->source ? line->source : NULL, "scope",
			 scope_names[line->scope], "verdict", judgements[line->judged.judgement],
			 "off_pct", json_real(line->judged.off_pct), "moved_instead",
			 line->behind ? NULL : port, "idle", json_real(line->idle), "noise",
			 json_real(line->noise), "counted", counted, "behind",
			 line->behind ? port : NULL, "candidate", line->candidate);
}

static json_t *step_object(const struct step *step, const struct selftest_moved *moved)
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

static json_t *node_object(const struct selftest_result *result, const struct selftest_node *node)
{
	json_t *ports = json_array(), *lines = json_array();

	for (size_t i = 0; i < node->port_count; i++)
		json_array_append_new(ports,
				      port_object(node->ports[i].socket, node->ports[i].port));
	for (size_t i = 0; i < node->line_count; i++)
		json_array_append_new(lines, line_object(result, &node->lines[i]));
	return json_pack("{s:i, s:s, s:i, s:s?, s:o, s:I, s:s?, s:o, s:o}", "node", node->node,
			 "memory", node->dram ? "dram" : "cxl", "socket", node->socket, "memdev",
			 *node->memdev ? node->memdev : NULL, "ports", ports, "memory_bytes",
			 (json_int_t)node->memory_bytes, "not_tested", error_text(&node->skipped),
			 "moved", steps_of(result, node), "lines", lines);
}

static json_t *processor(const struct selftest_result *result)
{
	const struct cpu_identity *cpu = &result->cpu;
	const bool known = *cpu->vendor;
	const char *name = !known && *cpu->name ? cpu->name : result->processor;

	return json_pack("{s:s?, s:s?, s:o?, s:o?, s:o?, s:o?, s:b}", "name",
			 name && *name ? name : NULL, "vendor", known ? cpu->vendor : NULL,
			 "family", known ? json_integer(cpu->family) : NULL, "model",
			 known ? json_integer(cpu->model) : NULL, "stepping",
			 known ? json_integer(cpu->stepping) : NULL, "hypervisor",
			 known ? json_boolean(cpu->hypervisor) : NULL, "simulated",
			 result->simulated);
}

json_t *selftest_json(const struct selftest_result *result)
{
	const struct selftest_sum sum = selftest_sum(result);
	json_t *nodes = json_array(), *backends = json_array();
	json_t *snapshot = result->snapshot ? json_loads(result->snapshot, 0, NULL) : NULL;
	struct utsname names;

	for (size_t i = 0; i < result->backend_count; i++)
		json_array_append_new(backends,
				      json_pack("{s:s, s:s?}", "name", result->backends[i].name,
						"failed", error_text(&result->backends[i].failed)));
	for (size_t i = 0; i < result->node_count; i++)
		json_array_append_new(nodes, node_object(result, &result->nodes[i]));
	return json_pack("{s:i, s:s, s:s?, s:o, s:f, s:f, s:{s:i, s:i, s:i}, s:o, s:o, s:o?}",
			 "schema", SELFTEST_SCHEMA, "cxlmon", CXLMON_VERSION, "kernel",
			 uname(&names) ? NULL : names.release, "processor", processor(result),
			 "tolerance_pct", 100 * JUDGE_TOLERANCE, "step_s",
			 (double)result->step_ns / NS_PER_S, "lines", "agree", (int)sum.agree,
			 "differ", (int)sum.differ, "not_judged", (int)sum.unclear, "backends",
			 backends, "nodes", nodes, "snapshot", snapshot);
}
