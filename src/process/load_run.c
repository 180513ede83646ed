/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/load_run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linux/kernel/clock.h"
#include "platform/clock.h"
#include "platform/kernel_stats.h"
#include "platform/load_sample.h"
#include "platform/memory.h"

/* Limits of the wait for names of functions at the end, and after a signal. */
#define FINISH_NS  UINT64_C(5000000000)
#define HURRIED_NS UINT64_C(500000000)

static uint64_t load_run_now(const struct load_run *run)
{
	return run->p->ops->clock->now(run->p);
}

static struct load_run_totals read_totals(const struct load_run *run)
{
	const struct sampler *sampler = run->intake.sampler;
	struct load_run_totals totals = {
		.ns = load_run_now(run),
		.wall_ns = run->p->ops->clock->wall(run->p),
		/* work takes no time on a virtual clock */
		.cpu_ns = run->p->virtual_clock ? 0 : clock_process() - run->other_cpu_ns,
		.lost = sampler->lost,
		.records_lost = sampler->records_lost,
		.throttled = sampler->throttled,
		.missed = run->missed,
		.times = sampler->times[0],
	};

	memcpy(totals.samples, run->intake.samples, sizeof(totals.samples));
	return totals;
}

/* Returns the CPU time between two points, with an estimate of the kernel's part. */
static uint64_t cost_ns(const struct load_run_totals *from, const struct load_run_totals *to)
{
	uint64_t ns = to->cpu_ns - from->cpu_ns;

	for (size_t e = 0; e < LOAD_EVENTS_MOST; e++)
		ns += (to->samples[e] - from->samples[e]) * LOAD_SAMPLE_NS;
	return ns;
}

/* Returns a node's used memory, from files that are open already. */
static double used_GiB(struct platform *p, int node)
{
	struct kernel_stats stats;

	if (!p->ops->memory || p->ops->memory->stats(p, node, p->ops->clock->wall(p), &stats))
		return NAN;
	return stats.values[NODE_USED] / (1 << 30);
}

static void sum_up(struct node_heat *heat, struct process_intake *intake, struct platform *p)
{
	struct row_set *set = &intake->sets[0];
	struct heat_node nodes[REPORT_NODES_MOST];

	heat_table_sort(&set->heat);
	heat_table_sort(&set->pages);
	heat->known.nodes = heat->nodes;
	heat->known.node_count = heat_table_nodes(&set->heat, nodes, REPORT_NODES_MOST);
	for (size_t i = 0; i < heat->known.node_count; i++)
		heat->nodes[i] = (struct reported_node){
			.heat = nodes[i],
			.cxl = cxl_nodes_contain(intake->nodes, nodes[i].node),
			.used_GiB = used_GiB(p, nodes[i].node)};
	heat->known.event = intake->sampler->sampling.events[0];
	heat_table_compare(&set->heat, &heat->known);
}

/*
 * Adds the hotness of each node's memory. It is computed seldom enough to take at most 1 % of the
 * time, and always at the end of the last interval, which is the state at the end of the run.
 */
static void add_nodes(struct load_run *run, uint64_t now_ns, bool last)
{
	struct process_intake *intake = &run->intake;
	const struct row_set *set = &intake->sets[0];
	struct process_report *report = &run->report;
	struct node_heat *heat = &run->heat;
	const size_t ranges = set->heat.count + set->pages.count;
	const bool due = last || now_ns - heat->ns >= ranges * HEAT_SORT_NS * 100;

	report->colder_dram_GiB = report->unseen_dram_GiB = report->hot_cxl_GiB = NAN;
	if (report->time == TIME_INTERVAL && !due)
		return;
	if (report->time == TIME_INTERVAL) {
		heat->known.unsampled = run->unsampled;
		sum_up(heat, intake, run->p);
		heat->ns = now_ns;
	}
	report->nodes = heat->known.nodes;
	report->node_count = heat->known.node_count;
	report->colder_dram_GiB = heat->known.colder_dram_GiB;
	report->unseen_dram_GiB = heat->known.unseen_dram_GiB;
	report->hot_cxl_GiB = heat->known.hot_cxl_GiB;
}

static void make_report(struct load_run *run, enum row_time time, const struct load_run_totals *end,
			bool last)
{
	struct process_intake *intake = &run->intake;
	const struct row_set *set = &intake->sets[0];
	const struct sampler *sampler = intake->sampler;
	const struct load_run_totals *begun = &run->begun[time];
	const double *counted = begun->counted_MB;

	run->report = (struct process_report){
		.time = time,
		.by = row_by_names[run->options->by],
		.names = &intake->names,
		.event = sampler->sampling.events[0],
		.wall_ns = end->wall_ns,
		.ns = end->ns - begun->ns,
		.missed = end->missed - begun->missed,
		.all = &set->rows.all,
		.others = &set->rows.others,
		.rows = run->sorted,
		.count = sampled_rows_sort(&set->rows, time, run->sorted),
		.timed = sampler->latencies,
		.counted_MB = {run->counting ? counted[MEMORY_CXL] : NAN,
			       run->counting ? counted[MEMORY_DRAM] : NAN},
		.lost = end->lost - begun->lost,
		.records_lost = (double)(end->records_lost - begun->records_lost),
		.throttled = end->throttled - begun->throttled,
		.times = {end->times.enabled_ns - begun->times.enabled_ns,
			  end->times.running_ns - begun->times.running_ns},
		.unsampled = time == TIME_RUN ? run->unsampled : sampler->unsampled,
		.cost_ns = cost_ns(begun, end),
		.period = sampler->periods[0],
		.coolings = set->heat.coolings,
		.left_out = set->heat.left_out,
	};
	add_nodes(run, end->ns, last);
	if (!run->counting)
		run->sample = (struct sample){.wall_ns = run->report.wall_ns,
					      .missed = run->report.missed};
}

void load_run_begin(struct load_run *run)
{
	run->adapted = read_totals(run);
	for (size_t t = 0; t < ROW_TIMES; t++)
		run->begun[t].cpu_ns = run->adapted.cpu_ns;
}

/* Starts sampling before it lists the running processes, so that no new process is missed. */
int load_run_start(struct load_run *run, struct error *err)
{
	struct process_intake *intake = &run->intake;
	const struct load_run_options *o = run->options;
	struct session *session = &run->session;
	int rc = run->counting ? session_start(session, err) : 0;

	if (!rc && run->counting)
		rc = sampling_begin(&run->sampling, session->poller, &session->plan, err);
	if (rc)
		return rc;
	rc = intake->sampler->ops->enable(intake->sampler, true);
	if (rc)
		return error_set(err, ERROR_FAILED, rc, "sampling cannot be started: %s",
				 strerror(-rc));
	run->begun[TIME_INTERVAL] = run->begun[TIME_RUN] = run->end = read_totals(run);
	deadlines_start(&run->deadlines, run->begun[0].ns, o->session.interval_ns);
	if (run->p->ops->processes && process_table_scan(&intake->processes, load_run_now(run)))
		return error_no_memory(err);
	process_intake_read(intake);
	return 0;
}

int load_run_pause(struct load_run *run)
{
	struct process_intake *intake = &run->intake;
	const int rc = intake->sampler->ops->enable(intake->sampler, false);

	process_intake_read(intake);
	process_intake_next(intake);
	return rc;
}

/*
 * Adapts the periods once per second to the samples and cost since then; earlier only if there are
 * too many samples.
 */
static int adapt_period(struct load_run *run, struct error *err)
{
	struct sampler *sampler = run->intake.sampler;
	const struct load_run_totals end = read_totals(run), *begun = &run->adapted;
	const uint64_t ns = end.ns - begun->ns;
	const double cost = (double)cost_ns(begun, &end) / (double)ns; /* CPUs */
	bool changed = ns >= NS_PER_S;
	int rc = 0;

	for (size_t e = 0; !rc && !run->options->period && e < sampler->sampling.event_count; e++) {
		const uint64_t old = sampler->periods[e];
		const uint64_t period = load_next_period(
			sampler->sampling.events[e], old, end.samples[e] - begun->samples[e],
			(double)ns / 1e9, sampler->cpus, ns < NS_PER_S ? 0 : cost);

		if (period == old || (period < old && ns < NS_PER_S))
			continue;
		changed = true;
		rc = sampler->ops->set_period(sampler, e, period);
	}
	if (changed)
		run->adapted = end;
	return rc ? error_set(err, ERROR_FAILED, rc, "the sampling period cannot be changed: %s",
			      strerror(-rc))
		  : 0;
}

/* Returns a rate counted in the last interval, in MB/s. The last metric row is the whole system. */
static double counted_MB(const struct load_run *run, size_t column)
{
	const size_t rows = table_metric_rows(run->table);

	return rows && column != SIZE_MAX ? run->table->rows[rows - 1].values[column].number : NAN;
}

int load_run_take(struct load_run *run, bool last, struct error *err)
{
	struct sampler *sampler = run->intake.sampler;
	int rc = run->counting ? sampling_take(&run->sampling, &run->sample, err) : 0;

	if (rc)
		return rc;
	if (run->counting) {
		view_update(&run->session.view, &run->sample);
		run->missed += run->sample.missed;
	}
	process_intake_read(&run->intake);
	if (last)
		process_intake_finish(&run->intake, run->asked_to_end ? HURRIED_NS : FINISH_NS);
	if (sampler->ops->update)
		sampler->ops->update(sampler);
	if (sampler->unsampled > run->unsampled)
		run->unsampled = sampler->unsampled;
	const struct load_run_totals end = read_totals(run);
	const uint64_t ns = end.ns - run->begun[TIME_INTERVAL].ns;
	if (!ns)
		return 0;
	run->end = end;
	for (size_t t = 0; run->counting && t < ROW_TIMES; t++) {
		run->begun[t].counted_MB[MEMORY_CXL] +=
			counted_MB(run, run->cxl) * (double)ns / 1e9;
		run->begun[t].counted_MB[MEMORY_DRAM] +=
			counted_MB(run, run->dram) * (double)ns / 1e9;
	}
	make_report(run, TIME_INTERVAL, &run->end, last);
	return 1;
}

int load_run_next(struct load_run *run, struct error *err)
{
	const int rc = adapt_period(run, err);

	process_intake_next(&run->intake);
	run->begun[TIME_INTERVAL] = run->end;
	return rc;
}

/* Makes the run's report, which ends with the last interval, as a replay expects. */
void load_run_sum_up(struct load_run *run)
{
	make_report(run, TIME_RUN, &run->end, true);
}

static int wait_once(struct load_run *run, int *signal_number, struct error *err)
{
	const sigset_t *wake = run->options->wake;

	if (run->counting)
		return sampling_wait(&run->sampling, wake, signal_number, err);
	const int rc =
		run->p->ops->clock->sleep_until(run->p, run->deadlines.next, wake, signal_number);
	if (!rc)
		run->missed += deadlines_advance(&run->deadlines, load_run_now(run));
	return rc;
}

int load_run_read(struct load_run *run, struct error *err)
{
	process_intake_read(&run->intake);
	return adapt_period(run, err);
}

int load_run_wait(struct load_run *run, int *signal_number, struct error *err)
{
	int rc;

	while ((rc = wait_once(run, signal_number, err)) == -EINTR && *signal_number == SIGALRM) {
		rc = load_run_read(run, err);
		if (rc)
			return rc;
	}
	return rc;
}
