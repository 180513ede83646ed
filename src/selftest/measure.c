/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/selftest.h"

#include <math.h>

#define MB 1e6

struct node_run {
	struct measuring *m;
	struct selftest_node *node;
	struct line_sources sources;
	double most[STEP_KINDS]; /* MB/s */
};

static struct view *view_of(const struct measuring *m)
{
	return &m->under_load.session->view;
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

static int run_step(struct node_run *run, size_t step, struct error *err)
{
	struct measuring *m = run->m;
	struct selftest_moved *moved = &run->node->moved[m->backend][step];
	const struct load_traffic traffic = traffic_of(run, &step_table[step]);
	struct sample sample;
	const int rc =
		under_load_measure(&m->under_load, &traffic, m->step_ns, moved, &sample, err);

	if (rc)
		return rc;
	if (step_table[step].part >= 1)
		run->most[step_table[step].kind] = moved->read_MBps + moved->write_MBps;
	lines_take(&run->sources, run->node, view_of(m), &sample, step);
	return load_stop(m->under_load.load, err);
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
		lines_judge(&run->sources, run->node, view_of(m));
	return rc;
}

int measure_node(struct measuring *m, struct selftest_node *node, struct error *err)
{
	struct node_run run = {.m = m, .node = node};
	int rc = under_load_open(&m->under_load, node, err);

	if (rc || !m->under_load.load)
		return rc;
	if (lines_find(node, m->backend, view_of(m), &run.sources))
		rc = error_no_memory(err);
	if (!rc)
		rc = run_steps(&run, err);
	lines_free(&run.sources);
	under_load_close(&m->under_load);
	return rc;
}

#define MB 1e6

/* A part of the time in which nothing is judged yet: threads start, caches and queues fill. */
#define SETTLE_PARTS 5

int under_load_begin(struct under_load *u, struct error *err)
{
	return sampling_begin(&u->sampling, u->session->poller, &u->session->plan, err);
}

void under_load_end(struct under_load *u)
{
	under_load_close(u);
	sampling_free(&u->sampling);
}

/* Filling the memory takes a moment in which no signal is noticed. */
static int poll_signals(struct under_load *u, struct error *err)
{
	struct platform *p = u->session->platform;
	const int rc = p->ops->sleep_until(p, p->ops->now(p), u->wake, &u->signal_number);

	return rc ? error_set(err, EXIT_FAILED, rc, "interrupted by a signal") : 0;
}

int under_load_open(struct under_load *u, struct selftest_node *node, struct error *err)
{
	unsigned cpus[SELFTEST_CPUS];
	const struct load_spec spec = {
		.node = node->node,
		.bytes = node->memory_bytes,
		.cpus = cpus,
		.cpu_count = selftest_cpus(&u->session->machine.topology, node->socket, cpus),
	};

	under_load_close(u);
	if (node->skipped.code || load_open(u->session->platform, &spec, &u->load, &node->skipped))
		return 0;
	return poll_signals(u, err);
}

void under_load_close(struct under_load *u)
{
	load_close(u->load);
	u->load = NULL;
}

static int take_after(struct under_load *u, uint64_t ns, struct sample *sample, struct error *err)
{
	poller_set_interval(u->session->poller, ns);
	int rc = sampling_wait(&u->sampling, u->wake, &u->signal_number, err);

	return rc ? rc : sampling_take(&u->sampling, sample, err);
}

static int settle(struct under_load *u, uint64_t ns, struct sample *sample, struct error *err)
{
	const int rc = take_after(u, ns, sample, err);

	return rc || !u->settled ? rc : u->settled(u->context, sample, err);
}

static struct selftest_moved moved_between(const struct load_traffic *traffic,
					   const struct load_progress *from,
					   const struct load_progress *to)
{
	const double us = (double)(to->time_ns - from->time_ns) / 1000;
	const double chased = to->chased - from->chased;

	/* bytes a microsecond are MB a second */
	return (struct selftest_moved){
		.asked_MBps = traffic->bytes_per_s / MB,
		.read_MBps = us > 0 ? (double)(to->bytes_read - from->bytes_read) / us : NAN,
		.write_MBps = us > 0 ? (double)(to->bytes_written - from->bytes_written) / us : NAN,
		.chase_ns = chased > 0 ? (to->chase_ns - from->chase_ns) / chased : NAN,
	};
}

int under_load_measure(struct under_load *u, const struct load_traffic *traffic, uint64_t ns,
		       struct selftest_moved *moved, struct sample *sample, struct error *err)
{
	const uint64_t settle_ns = ns / SETTLE_PARTS;
	struct load_progress from, to;
	int rc = load_start(u->load, traffic, err);

	if (!rc)
		rc = settle(u, settle_ns, sample, err);
	if (!rc)
		rc = load_progress(u->load, &from, err);
	if (!rc)
		rc = take_after(u, ns - settle_ns, sample, err);
	if (!rc)
		rc = load_progress(u->load, &to, err);
	if (!rc)
		*moved = moved_between(traffic, &from, &to);
	return rc;
}
