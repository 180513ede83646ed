/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/selftest/selftest.h"

#include <math.h>
#include <stdlib.h>

#include "base/rootfs.h"
#include "platform/clock.h"
#include "session/session.h"
#include "sim/sim_spec.h"
#include "sim/snapshot/snapshot.h"

#define MB 1e6

struct run {
	const struct selftest_options *options;
	struct selftest_result *result;
	int *signal_number;
	const char *sim; /* options->sim, without the traffic of a demo */

	/* Valid while a backend counts on a node. */
	size_t backend;
	struct under_load under_load;
	double most[STEP_KINDS]; /* MB/s by kind of step */
};

static int find_nodes(struct selftest_result *result, const struct session *session,
		      const struct load_choice *choice, struct error *err)
{
	struct load_nodes *found = &result->found;
	const int rc = load_nodes_find(found, &session->machine, &session->view, choice, err);

	if (rc)
		return rc;
	result->nodes = calloc(found->count, sizeof(*result->nodes));
	if (!result->nodes)
		return error_no_memory(err);
	result->node_count = found->count;
	for (size_t i = 0; i < found->count; i++)
		result->nodes[i].at = &found->at[i];
	return 0;
}

/* Finds the nodes and describes the machine, before the first backend counts. */
static int prepare_run(struct run *run, struct session *session, struct error *err)
{
	struct selftest_result *result = run->result;
	const struct selftest_options *o = run->options;
	int rc = find_nodes(result, session, &o->choice, err);

	if (rc)
		return rc;
	result->processor = session->machine.model->name;
	result->cpu = session->machine.cpu;
	if (!result->simulated)
		rootfs_line(result->microcode, sizeof(result->microcode), o->root,
			    "sys/devices/system/cpu/cpu0/microcode/version");
	const uint64_t ns = o->total_ns / (result->node_count * STEPS * result->backend_count);
	result->step_ns = ns < LOAD_MIN_STEP_NS ? LOAD_MIN_STEP_NS : ns;
	return o->begin ? o->begin(o->context, result, err) : 0;
}

/* Returns the traffic of a step: the most, or a part of the most that was moved before. */
static struct load_traffic traffic_of(const struct run *run, const struct step *step)
{
	struct load_traffic traffic = {
		.read_share = step->read_share,
		.chase = step->kind == STEP_CHASE,
	};

	if (step->part > 0)
		traffic.bytes_per_s =
			step->part < 1 ? step->part * run->most[step->kind] * MB : LOAD_MOST;
	return traffic;
}

/* Returns the number of steps from this one on, on all nodes and with all backends. */
static size_t steps_left(const struct run *run, const struct selftest_node *node, size_t step)
{
	const struct selftest_result *result = run->result;
	const size_t before = run->backend * result->node_count + (size_t)(node - result->nodes);

	return (result->backend_count * result->node_count - before) * STEPS - step;
}

static int run_step(struct run *run, struct selftest_node *node, size_t i, struct error *err)
{
	const struct selftest_options *o = run->options;
	struct load_moved *moved = &node->moved[run->backend][i];
	const struct step *step = &step_table[i];
	const struct load_traffic traffic = traffic_of(run, step);
	const uint64_t ns = run->result->step_ns;
	struct under_load *u = &run->under_load;
	struct sample sample;

	if (o->progress)
		o->progress(o->context, run->result, node, run->backend, i,
			    ns * steps_left(run, node, i));
	int rc = under_load_start(u, &traffic, ns, &sample, err);
	if (!rc)
		rc = under_load_measure(u, ns, moved, &sample, err);
	if (rc)
		return rc;
	if (step->part >= 1)
		run->most[step->kind] = moved->read_MBps + moved->write_MBps;
	lines_take(node, run->backend, &u->session->view, &sample, i);
	return load_stop(u->load, err);
}

/*
 * Moves bytes to and from the node step by step, and judges its lines. It always frees all memory
 * and ends all threads.
 */
static int run_node(struct run *run, struct selftest_node *node, struct error *err)
{
	const struct view *view = &run->under_load.session->view;
	int rc = under_load_open(&run->under_load, node->at, err);

	if (rc || !run->under_load.load)
		return rc;
	if (lines_find(node, run->backend, view))
		rc = error_no_memory(err);
	for (size_t i = 0; !rc && i < STEPS; i++)
		rc = run_step(run, node, i, err);
	if (!rc)
		lines_judge(node, run->backend, view);
	under_load_close(&run->under_load);
	return rc;
}

static int run_nodes(struct run *run, struct session *session, size_t backend, struct error *err)
{
	struct under_load *u = &run->under_load;

	run->backend = backend;
	*u = (struct under_load){.session = session, .wake = run->options->wake};
	int rc = under_load_begin(u, err);
	for (size_t i = 0; !rc && i < run->result->node_count; i++)
		rc = run_node(run, &run->result->nodes[i], err);
	under_load_end(u);
	*run->signal_number = u->signal_number;
	return rc;
}

#define NOT_STARTED 1

/*
 * Opens and starts a backend's session. NOT_STARTED: the backend cannot count, see its .failed.
 * Other errors end the test.
 */
static int start_backend(struct run *run, const struct log *log, struct selftest_backend *backend,
			 bool candidates, struct session *session, struct error *err)
{
	const struct session_options options = {
		.sim = run->sim,
		.root = run->options->root,
		.backend = backend->how,
		.view = {.groups = METRIC_DEFAULTS ",device", .finest = SCOPE_PORT},
		.candidates = candidates,
		.interval_ns = NS_PER_S,
	};
	struct error why = {.code = 0};
	int rc = session_open(&options, log, session, &why);

	if (!rc && !run->result->nodes) {
		rc = prepare_run(run, session, err);
		if (rc)
			return rc;
	}
	if (!rc)
		rc = session_start(session, &why);
	backend->failed = why;
	return rc ? NOT_STARTED : 0;
}

/* Compares counters by clocks, which do not depend on traffic. */
static int test_counters(struct run *run, const struct model *model, const struct log *log,
			 struct error *err)
{
	const struct counters_options options = {
		.model = model,
		.sim = run->sim,
		.root = run->options->root,
		.wake = run->options->wake,
	};

	return counters_test(&options, log, &run->result->counters, run->signal_number, err);
}

/*
 * Runs a backend. An error before anything was measured belongs to the backend, and another one
 * may work. Candidates are counted by CPUs, whose counters may be in use: if so, the rest is
 * counted without them.
 */
static int run_backend(struct run *run, const struct log *log, size_t index, struct error *err)
{
	struct selftest_backend *backend = &run->result->backends[index];
	struct session session;
	struct error why;
	int rc = start_backend(run, log, backend, true, &session, err);

	if (rc == NOT_STARTED && session.machine.model && session.machine.model->candidate_reads) {
		session_close(&session);
		why = backend->failed;
		rc = start_backend(run, log, backend, false, &session, err);
		if (!rc)
			log_write(log, LEVEL_NOTE,
				  "candidates are not tested with --backend=%s: %s", backend->name,
				  why.text);
	}
	if (rc) {
		session_close(&session);
		return rc == NOT_STARTED ? 0 : rc;
	}
	const struct model *model = session.machine.model;
	rc = session_stop_after(&session, run_nodes(run, &session, index, err), err);
	session_close(&session);
	return rc || backend->how != BACKEND_RAW ? rc : test_counters(run, model, log, err);
}

/*
 * Returns a snapshot of the machine, by which it can be simulated elsewhere; NULL: it cannot be
 * read.
 */
static char *take_snapshot(const struct run *run, const struct log *log)
{
	struct snapshot snapshot = {.leaves = NULL};
	struct machine machine = {.platform = NULL};
	struct platform *p = NULL;
	struct error why;
	char *text = NULL;
	size_t size;

	if (!platform_open(run->sim, run->options->root, log, &p, &why)) {
		if (machine_open(p, &machine, &why) || snapshot_take(&machine, &snapshot, &why) ||
		    snapshot_encode(&snapshot, &text, &size, &why))
			log_write(log, LEVEL_NOTE, "the result contains no snapshot: %s", why.text);
		snapshot_free(&snapshot);
		machine_close(&machine);
	}
	platform_destroy(p);
	return text;
}

static void choose_backends(struct selftest_result *result, enum session_backend backend)
{
	if (backend != BACKEND_PERF)
		result->backends[result->backend_count++] =
			(struct selftest_backend){.name = "raw", .how = BACKEND_RAW};
	if (backend != BACKEND_RAW)
		result->backends[result->backend_count++] =
			(struct selftest_backend){.name = "perf", .how = BACKEND_PERF};
}

/* Returns the first backend's error if none has counted; else notes which have failed. */
static int check_backends(const struct selftest_result *result, const struct log *log,
			  struct error *err)
{
	size_t used = 0;

	for (size_t i = 0; i < result->backend_count; i++)
		used += !result->backends[i].failed.code;
	if (!used) {
		*err = result->backends[0].failed;
		return err->code;
	}
	for (size_t i = 0; i < result->backend_count; i++)
		if (result->backends[i].failed.code)
			log_write(log, LEVEL_NOTE, "not tested with --backend=%s: %s",
				  result->backends[i].name, result->backends[i].failed.text);
	return 0;
}

int selftest_run(const struct selftest_options *options, const struct log *log,
		 struct selftest_result *out, int *signal_number, struct error *err)
{
	char *idle = options->sim ? sim_spec_idle(options->sim, "") : NULL;
	struct run run = {
		.options = options, .result = out, .signal_number = signal_number, .sim = idle};
	int rc = options->sim && !idle ? error_no_memory(err) : 0;

	*out = (struct selftest_result){.simulated = options->sim};
	*signal_number = 0;
	choose_backends(out, options->backend);
	for (size_t i = 0; !rc && i < out->backend_count; i++)
		rc = run_backend(&run, log, i, err);
	if (!rc)
		rc = check_backends(out, log, err);
	if (!rc && options->snapshot)
		out->snapshot = take_snapshot(&run, log);
	free(idle);
	return rc;
}
