/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/measure.h"

#include <errno.h>
#include <string.h>

#include "load/load.h"
#include "platform/number.h"
#include "selftest/lines.h"
#include "selftest/nodes.h"

#define MB 1e6

/* A part of each step in which nothing is judged yet: threads start, caches and queues fill. */
#define SETTLE_PARTS 5

struct node_run {
	struct measuring *m;
	struct selftest_node *node;
	struct load *load;
	struct line_sources sources;
	double most[STEP_KINDS]; /* MB/s */
};

static int take_after(struct measuring *m, uint64_t ns, struct sample *sample, struct error *err)
{
	poller_set_interval(m->session->poller, ns);
	int rc = sampling_wait(&m->sampling, m->wake, &m->signal_number, err);

	return rc ? rc : sampling_take(&m->sampling, sample, err);
}

/* The most, or a part of what that was. */
static struct load_traffic traffic_of(const struct node_run *run, const struct step *step)
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

static void note_moved(struct node_run *run, size_t step, const struct load_traffic *traffic,
		       const struct load_progress *from, const struct load_progress *to)
{
	const double us = (double)(to->time_ns - from->time_ns) / 1000;
	const double chased = to->chased - from->chased;
	struct selftest_moved *moved = &run->node->moved[run->m->backend][step];

	/* bytes a microsecond are MB a second */
	*moved = (struct selftest_moved){
		.asked_MBps = traffic->bytes_per_s / MB,
		.read_MBps = us > 0 ? (double)(to->bytes_read - from->bytes_read) / us : 0,
		.write_MBps = us > 0 ? (double)(to->bytes_written - from->bytes_written) / us : 0,
		.chase_ns = chased > 0 ? (to->chase_ns - from->chase_ns) / chased : NAN,
	};
	if (step_table[step].part >= 1)
		run->most[step_table[step].kind] = moved->read_MBps + moved->write_MBps;
}

static int run_step(struct node_run *run, size_t step, struct error *err)
{
	struct measuring *m = run->m;
	const struct load_traffic traffic = traffic_of(run, &step_table[step]);
	const uint64_t settle = m->step_ns / SETTLE_PARTS;
	struct load_progress from, to;
	struct sample sample;
	int rc = load_start(run->load, &traffic, err);

	if (!rc)
		rc = take_after(m, settle, &sample, err);
	if (!rc)
		rc = load_progress(run->load, &from, err);
	if (!rc)
		rc = take_after(m, m->step_ns - settle, &sample, err);
	if (!rc)
		rc = load_progress(run->load, &to, err);
	if (rc)
		return rc;
	note_moved(run, step, &traffic, &from, &to);
	lines_take(&run->sources, run->node, &m->session->view, &sample, step);
	return load_stop(run->load, err);
}

static int run_steps(struct node_run *run, struct error *err)
{
	struct measuring *m = run->m;
	int rc = 0;

	for (size_t step = 0; !rc && step < STEPS; step++) {
		if (m->progress)
			m->progress(m->context, run->node, m->backend, step);
		rc = run_step(run, step, err);
	}
	if (!rc)
		lines_judge(&run->sources, run->node, &m->session->view);
	return rc;
}

/* Polls, without sleeping: filling the memory takes a moment in which no signal is noticed. */
static int poll_signals(struct measuring *m)
{
	struct platform *p = m->session->platform;

	return p->ops->sleep_until(p, p->ops->now(p), m->wake, &m->signal_number);
}

int measure_node(struct measuring *m, struct selftest_node *node, struct error *err)
{
	struct platform *p = m->session->platform;
	struct node_run run = {.m = m, .node = node};
	unsigned cpus[SELFTEST_CPUS];
	const struct load_spec spec = {
		.node = node->node,
		.bytes = node->memory_bytes,
		.cpus = cpus,
		.cpu_count = selftest_cpus(&m->session->machine.topology, node->socket, cpus),
	};

	if (node->skipped.code || load_open(p, &spec, &run.load, &node->skipped))
		return 0;
	int rc = poll_signals(m);
	if (rc)
		error_set(err, EXIT_FAILED, rc, "interrupted by a signal");
	if (!rc && lines_find(node, m->backend, &m->session->view, &run.sources))
		rc = error_no_memory(err);
	if (!rc)
		rc = run_steps(&run, err);
	lines_free(&run.sources);
	load_close(run.load);
	return rc;
}
