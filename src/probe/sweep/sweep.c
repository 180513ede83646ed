/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/sweep/sweep.h"

#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "output/fields.h"
#include "session/session.h"
#include "sim/sim_spec.h"

#define MB 1e6

static const double read_shares[SWEEP_MIXES] = {1, 0.75, 2 / 3.0, 0.5};

/* Parts of the highest bandwidth of a mix. The curve bends at its end. */
static const double parts[SWEEP_STEPS] = {0,   0.1, 0.2,  0.3, 0.4,  0.5, 0.6,
					  0.7, 0.8, 0.85, 0.9, 0.95, 1};

static int pass_on(struct sweep *sweep, const struct sample *sample, struct sweep_point *point,
		   struct error *err)
{
	const struct sweep_options *o = sweep->options;

	sweep->last_ns = sample->wall_ns;
	view_update(&sweep->session.view, sample);
	if (point)
		point->counted = sweep_counted(&sweep->session.view.table,
					       &sweep->session.machine.memory, point);
	return o->sample(o->context, sample, point, err);
}

/* Passes on the sample of the time in which traffic settles; *sample covers the rest. */
static int measure_point(struct sweep *sweep, const struct load_traffic *traffic,
			 struct load_moved *moved, struct sample *sample, struct error *err)
{
	struct under_load *u = &sweep->under_load;
	int rc = under_load_start(u, traffic, sweep->step_ns, sample, err);

	if (!rc)
		rc = pass_on(sweep, sample, NULL, err);
	return rc ? rc : under_load_measure(u, sweep->step_ns, moved, sample, err);
}

static void report_step(struct sweep *sweep, const struct load_node *node, double share,
			double part)
{
	const struct sweep_options *o = sweep->options;

	if (o->progress)
		o->progress(o->context, node, share, part, sweep->step_ns * sweep->steps_left);
	sweep->steps_left--;
}

static int run_step(struct sweep *sweep, const struct load_node *node, double share, double part,
		    double most, struct error *err)
{
	const struct load_traffic traffic = {
		.bytes_per_s = part < 1 ? part * most * MB : LOAD_MOST,
		.read_share = share,
		.chase = true,
	};
	struct load_moved moved;
	struct sample sample;

	report_step(sweep, node, share, part);
	const int rc = measure_point(sweep, &traffic, &moved, &sample, err);
	if (rc)
		return rc;
	struct sweep_point point = {
		.node = node->node,
		.socket = node->socket,
		.read_share = share,
		.asked_MBps = part < 1 ? part * most : NAN,
		.read_MBps = moved.read_MBps,
		.write_MBps = moved.write_MBps,
		.chase_ns = moved.chase_ns,
		.start_ns = sweep->last_ns,
		.end_ns = sample.wall_ns,
	};
	return pass_on(sweep, &sample, &point, err);
}

/* Runs a mix. Its highest bandwidth is unknown until it was tried. */
static int run_mix(struct sweep *sweep, const struct load_node *node, double share,
		   struct error *err)
{
	const struct load_traffic all = {.bytes_per_s = LOAD_MOST, .read_share = share};
	struct load_moved moved;
	struct sample sample;

	report_step(sweep, node, share, NAN);
	int rc = measure_point(sweep, &all, &moved, &sample, err);

	if (!rc)
		rc = pass_on(sweep, &sample, NULL, err);
	for (size_t i = 0; !rc && i < SWEEP_STEPS; i++)
		rc = run_step(sweep, node, share, parts[i], moved.read_MBps + moved.write_MBps,
			      err);
	return rc ? rc : load_stop(sweep->under_load.load, err);
}

static int run_node(struct sweep *sweep, struct load_node *node, struct error *err)
{
	int rc = under_load_open(&sweep->under_load, node, err);

	for (size_t i = 0; !rc && sweep->under_load.load && i < SWEEP_MIXES; i++)
		rc = run_mix(sweep, node, read_shares[i], err);
	under_load_close(&sweep->under_load);
	return rc;
}

static int prepare_sweep(struct sweep *sweep, struct error *err)
{
	const struct sweep_options *o = sweep->options;
	struct load_nodes *found = &sweep->found;
	struct session *session = &sweep->session;
	int rc = load_nodes_find(found, &session->machine, &session->view, &o->choice, err);

	if (rc)
		return rc;
	/* each mix begins with a step that finds the highest bandwidth */
	const uint64_t ns = o->total_ns / (found->count * SWEEP_MIXES * (SWEEP_STEPS + 1));
	sweep->step_ns = ns < LOAD_MIN_STEP_NS ? LOAD_MIN_STEP_NS : ns;
	return o->begin(o->context, sweep, err);
}

static int run_all(struct sweep *sweep, struct error *err)
{
	struct under_load *u = &sweep->under_load;

	*u = (struct under_load){.session = &sweep->session, .wake = sweep->options->wake};
	int rc = under_load_begin(u, err);
	for (size_t i = 0; !rc && i < sweep->found.count; i++) {
		/* nodes before may have been left out */
		sweep->steps_left = (sweep->found.count - i) * SWEEP_MIXES * (SWEEP_STEPS + 1);
		rc = run_node(sweep, &sweep->found.at[i], err);
	}
	under_load_end(u);
	return rc;
}

#define LIMIT ",limit=30" /* GB/s of a simulated port: without a limit, latency never rises */

int sweep_run(const struct sweep_options *options, const struct log *log, struct sweep *out,
	      struct error *err)
{
	*out = (struct sweep){
		.options = options,
		.sim = options->sim ? sim_spec_idle(options->sim, LIMIT) : NULL,
	};
	const struct session_options session = {
		.sim = out->sim,
		.root = options->root,
		.backend = options->backend,
		.view = {.groups = METRIC_DEFAULTS, .finest = SCOPE_PORT},
		.interval_ns = NS_PER_S,
	};

	int rc = options->sim && !out->sim ? error_no_memory(err)
					   : session_open(&session, log, &out->session, err);
	if (!rc)
		rc = prepare_sweep(out, err);
	if (!rc)
		rc = session_start(&out->session, err);
	if (!rc)
		rc = run_all(out, err);
	return session_stop_after(&out->session, rc, err);
}

void sweep_free(struct sweep *sweep)
{
	session_close(&sweep->session);
	load_nodes_free(&sweep->found);
	free(sweep->sim);
}

static void put_row(FILE *out, enum field_style style, const struct sweep_point *point)
{
	struct fields f = {.out = out, .style = style};

	fields_index(&f, "node", point->node);
	fields_number(&f, "read_pct", 100 * point->read_share, 0);
	fields_number(&f, "asked_MBps", point->asked_MBps, 3);
	fields_number(&f, "read_MBps", point->read_MBps, 3);
	fields_number(&f, "write_MBps", point->write_MBps, 3);
	fields_number(&f, "chase_ns", point->chase_ns, 1);
	fields_number(&f, "counted_read_MBps", point->counted.read_MBps, 3);
	fields_number(&f, "counted_write_MBps", point->counted.write_MBps, 3);
	fields_number(&f, "counted_latency_ns", point->counted.latency_ns, 1);
	putc('\n', out);
}

void sweep_csv_header(FILE *out)
{
	put_row(out, FIELDS_NAMES, &(struct sweep_point){.node = 0});
}

void sweep_csv_row(const struct sweep_point *point, FILE *out)
{
	put_row(out, FIELDS_CSV, point);
}

static void put_curve(const struct sweep_points *all, size_t first, size_t end, enum measured_by by,
		      FILE *out)
{
	const struct curve curve = sweep_curve(all, first, end, by);
	const struct sweep_point *p = &all->points[first];

	fprintf(out, "%5d %5.0f  %-8s", p->node, 100 * p->read_share,
		by == BY_CHASE ? "chase" : "counters");
	field_column(out, curve.unloaded_ns, 10, "%.*f", 1);
	field_column(out, curve.knee.MBps, 10, "%.*f", 1);
	field_column(out, curve.most.MBps, 10, "%.*f", 1);
	field_column(out, curve.most.ns, 10, "%.*f", 1);
	putc('\n', out);
}

void sweep_summary(const struct sweep_points *all, FILE *out)
{
	size_t end;

	if (all->count)
		fputs(" node reads  by        unloaded      knee      peak   at peak\n"
		      "          %                 ns      MB/s      MB/s        ns\n",
		      out);
	for (size_t first = 0; first < all->count; first = end) {
		end = sweep_mix_end(all, first);
		put_curve(all, first, end, BY_CHASE, out);
		put_curve(all, first, end, BY_COUNTERS, out);
	}
}
