/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/measure.h"

#include "selftest/lines.h"

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
