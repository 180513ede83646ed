/* SPDX-License-Identifier: BSD-3-Clause */
#include "sweep/sweep.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "load/load.h"
#include "metrics/sampling.h"
#include "platform/number.h"
#include "selftest/selftest.h"
#include "sim/sim_spec.h"

#define MB 1e6

/* A part of each step in which nothing is measured yet: threads start, caches and queues fill. */
#define SETTLE_PARTS 5

const double sweep_read_shares[SWEEP_MIXES] = {1, 0.75, 2 / 3.0, 0.5};

/* Of the most that can be had with that mix. The curve bends at its end. */
static const double parts[SWEEP_STEPS] = {0,   0.1, 0.2,  0.3, 0.4,  0.5, 0.6,
					  0.7, 0.8, 0.85, 0.9, 0.95, 1};

struct run {
	struct sweep *sweep;
	struct sampling sampling;
	struct load *load;
	uint64_t last_ns; /* end of the sample before, since 1970 */
};

static int take_after(struct run *run, uint64_t ns, struct sample *sample, struct error *err)
{
	struct sweep *sweep = run->sweep;

	poller_set_interval(sweep->session.poller, ns);
	int rc = sampling_wait(&run->sampling, sweep->options->wake, &sweep->signal_number, err);

	if (!rc)
		rc = sampling_take(&run->sampling, sample, err);
	if (!rc)
		view_update(&sweep->session.view, sample);
	return rc;
}

static int pass_on(struct run *run, const struct sample *sample, const struct sweep_point *point,
		   struct error *err)
{
	const struct sweep_options *o = run->sweep->options;

	run->last_ns = sample->wall_ns;
	return o->sample(o->context, run->sweep, sample, point, err);
}

static void note_moved(struct sweep_point *point, const struct load_progress *from,
		       const struct load_progress *to)
{
	const double us = (double)(to->time_ns - from->time_ns) / 1000;
	const double chased = to->chased - from->chased;

	/* bytes a microsecond are MB a second */
	point->read_MBps = us > 0 ? (double)(to->bytes_read - from->bytes_read) / us : NAN;
	point->write_MBps = us > 0 ? (double)(to->bytes_written - from->bytes_written) / us : NAN;
	point->chase_ns = chased > 0 ? (to->chase_ns - from->chase_ns) / chased : NAN;
}

/* Starts the traffic, lets it settle, and measures it. */
static int measure(struct run *run, const struct load_traffic *traffic, struct sweep_point *point,
		   struct sample *sample, struct error *err)
{
	const uint64_t step = run->sweep->step_ns, settle = step / SETTLE_PARTS;
	struct load_progress from, to;
	int rc = load_start(run->load, traffic, err);

	if (!rc)
		rc = take_after(run, settle, sample, err);
	if (!rc)
		rc = pass_on(run, sample, NULL, err);
	if (!rc)
		rc = load_progress(run->load, &from, err);
	if (!rc)
		rc = take_after(run, step - settle, sample, err);
	if (!rc)
		rc = load_progress(run->load, &to, err);
	if (rc)
		return rc;
	point->start_ns = run->last_ns;
	point->end_ns = sample->wall_ns;
	note_moved(point, &from, &to);
	return 0;
}

static int run_step(struct run *run, const struct selftest_node *node, double share, double part,
		    double most, struct error *err)
{
	const struct sweep_options *o = run->sweep->options;
	const struct load_traffic traffic = {
		.bytes_per_s = part < 1 ? part * most * MB : LOAD_MOST,
		.read_share = share,
		.chase = true,
	};
	struct sweep_point point = {
		.node = node->node,
		.socket = node->socket,
		.read_share = share,
		.asked_MBps = part < 1 ? part * most : NAN,
	};
	struct sample sample;

	if (o->progress)
		o->progress(o->context, node, share, part);
	const int rc = measure(run, &traffic, &point, &sample, err);
	return rc ? rc : pass_on(run, &sample, &point, err);
}

/* What is the most is not known before it was tried. */
static int run_mix(struct run *run, const struct selftest_node *node, double share,
		   struct error *err)
{
	const struct load_traffic all = {.bytes_per_s = LOAD_MOST, .read_share = share};
	struct sweep_point tried = {.node = node->node};
	struct sample sample;
	int rc = measure(run, &all, &tried, &sample, err);

	if (!rc)
		rc = pass_on(run, &sample, NULL, err);
	const double most = tried.read_MBps + tried.write_MBps;
	for (size_t i = 0; !rc && i < SWEEP_STEPS; i++)
		rc = run_step(run, node, share, parts[i], most, err);
	return rc ? rc : load_stop(run->load, err);
}

/* Filling the memory takes a moment in which no signal is noticed. */
static int poll_signals(struct sweep *sweep, struct error *err)
{
	struct platform *p = sweep->session.platform;
	const int rc =
		p->ops->sleep_until(p, p->ops->now(p), sweep->options->wake, &sweep->signal_number);

	return rc ? error_set(err, EXIT_FAILED, rc, "interrupted by a signal") : 0;
}

static int run_node(struct run *run, struct selftest_node *node, struct error *err)
{
	struct session *session = &run->sweep->session;
	unsigned cpus[SELFTEST_CPUS];
	const struct load_spec spec = {
		.node = node->node,
		.bytes = node->memory_bytes,
		.cpus = cpus,
		.cpu_count = selftest_cpus(&session->machine.topology, node->socket, cpus),
	};

	if (node->skipped.code || load_open(session->platform, &spec, &run->load, &node->skipped))
		return 0;
	int rc = poll_signals(run->sweep, err);
	for (size_t i = 0; !rc && i < SWEEP_MIXES; i++)
		rc = run_mix(run, node, sweep_read_shares[i], err);
	load_close(run->load);
	return rc;
}

static int prepare(struct sweep *sweep, struct error *err)
{
	const struct sweep_options *o = sweep->options;
	struct selftest_result *found = &sweep->found;
	struct session *session = &sweep->session;
	int rc = selftest_find_nodes(found, &session->machine, &session->view, &o->choice, err);

	if (rc)
		return rc;
	for (size_t i = 0; i < found->node_count; i++)
		load_memory_for(session->platform, found->nodes[i].node,
				&found->nodes[i].memory_bytes, &found->nodes[i].skipped);
	/* each mix begins with a step that finds the most */
	const uint64_t ns = o->total_ns / (found->node_count * SWEEP_MIXES * (SWEEP_STEPS + 1));
	sweep->step_ns = ns < SELFTEST_MIN_STEP_NS ? SELFTEST_MIN_STEP_NS : ns;
	return o->begin(o->context, sweep, err);
}

static int run_all(struct sweep *sweep, struct error *err)
{
	struct run run = {.sweep = sweep};
	struct session *session = &sweep->session;
	int rc = sampling_begin(&run.sampling, session->poller, &session->plan, err);

	for (size_t i = 0; !rc && i < sweep->found.node_count; i++)
		rc = run_node(&run, &sweep->found.nodes[i], err);
	sampling_free(&run.sampling);
	return rc;
}

int sweep_run(const struct sweep_options *options, const struct log *log, struct sweep *out,
	      struct error *err)
{
	*out = (struct sweep){
		.options = options,
		.sim = options->sim ? sim_spec_idle(options->sim) : NULL,
	};
	const struct session_options session = {
		.sim = out->sim,
		.root = options->root,
		.backend = options->backend,
		.view = {.groups = SESSION_METRICS, .finest = SCOPE_PORT},
		.interval_ns = NS_PER_S,
	};

	int rc = options->sim && !out->sim ? error_no_memory(err)
					   : session_open(&session, log, &out->session, err);
	if (!rc)
		rc = prepare(out, err);
	if (!rc)
		rc = session_start(&out->session, err);
	if (!rc)
		rc = run_all(out, err);
	const int stopped = session_stop(&out->session, rc ? NULL : err);
	return rc ? rc : stopped;
}

void sweep_free(struct sweep *sweep)
{
	session_close(&sweep->session);
	selftest_result_free(&sweep->found);
	free(sweep->sim);
}
