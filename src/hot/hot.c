/* SPDX-License-Identifier: BSD-3-Clause */
#include "hot/hot.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "hot/counters.h"
#include "hot/intake.h"
#include "hot/node_heat.h"
#include "linux/clock.h"
#include "metrics/hot_period.h"
#include "platform/text.h"
#include "poller/timetable.h"
#include "sim/sim.h"
#include "uncore/model.h"

/*
 * Between readings of the rings, which have room for 6000 samples; where the period is not adapted,
 * there may be 240 000 samples a second of a CPU.
 */
#define TICK_US	      100000
#define FIXED_TICK_US 25000
#define PID_LIMIT     4194304 /* the kernel's PID_MAX_LIMIT */

/* What was known when an interval, or the run, began. */
struct begun {
	uint64_t ns, wall_ns; /* by the platform's clock; since 1970 in UTC */
	uint64_t cpu_ns;      /* CPU time of this process */
	uint64_t samples[LOAD_EVENTS_MOST];
	uint64_t lost, throttled, missed;
	double counted_MB[2]; /* since: see struct hot_report */
};

struct run {
	const struct hot_options *options;
	const struct log *log;
	struct hot_counters counters;
	bool counting; /* .counters is started; else of the system nothing is known: */
	struct row row;
	struct view view;
	struct sample sample;
	struct platform *own; /* where there is no session */
	struct platform *p;   /* that one, or the session's */
	struct who_nodes nodes;
	unsigned *pids;
	struct symbol_process symbols; /* of rows by function on a real machine */
	struct hot_intake intake;
	const struct hot_row **sorted; /* room for all rows */
	int *handles;		       /* of all perf events */
	struct node_heat heat;
	struct deadlines deadlines; /* unless counting */
	uint64_t missed;
	struct begun begun[HOT_TIMES];
	struct begun adapted; /* when the periods were adapted last */
};

/* Reports. */

static uint64_t now(const struct run *run)
{
	return run->p->ops->now(run->p);
}

static struct begun begin_interval(const struct run *run)
{
	const struct sampler *sampler = run->intake.sampler;
	struct begun begun = {
		.ns = now(run),
		.wall_ns = run->p->ops->wall(run->p),
		/* on a virtual clock work takes no time */
		.cpu_ns = run->p->virtual_clock ? 0 : clock_process(),
		.lost = sampler->lost,
		.throttled = sampler->throttled,
		.missed = run->missed,
	};

	memcpy(begun.samples, run->intake.samples, sizeof(begun.samples));
	return begun;
}

/* That of the kernel is estimated. */
static uint64_t cost_ns(const struct begun *from, const struct begun *to)
{
	uint64_t ns = to->cpu_ns - from->cpu_ns;

	for (size_t e = 0; e < LOAD_EVENTS_MOST; e++)
		ns += (to->samples[e] - from->samples[e]) * HOT_SAMPLE_NS;
	return ns;
}

static struct view *view_of(struct run *run)
{
	return run->counting ? &run->counters.session.view : &run->view;
}

static double counted(const struct run *run, const struct begun *begun, enum hot_memory memory)
{
	return run->counting ? begun->counted_MB[memory] : NAN;
}

/* last: nothing comes after it. */
static int report(struct run *run, enum hot_time time, const struct begun *end, bool last,
		  struct error *err)
{
	const struct hot_options *o = run->options;
	const struct hot_intake *intake = &run->intake;
	const struct sampler *sampler = intake->sampler;
	const struct begun *begun = &run->begun[time];
	struct hot_report out = {
		.time = time,
		.by = hot_by_name(o->by),
		.names = &intake->names,
		.event = sampler->sampling.events[0],
		.wall_ns = end->wall_ns,
		.ns = end->ns - begun->ns,
		.missed = end->missed - begun->missed,
		.all = &intake->groups.rows.all,
		.others = &intake->groups.rows.others,
		.rows = run->sorted,
		.count = hot_rows_sort(&intake->groups.rows, time, run->sorted),
		.timed = sampler->latencies,
		.counted_MB = {counted(run, begun, MEMORY_CXL), counted(run, begun, MEMORY_DRAM)},
		.lost = end->lost - begun->lost,
		.throttled = end->throttled - begun->throttled,
		.cost_ns = cost_ns(begun, end),
		.period = sampler->periods[0],
		.coolings = intake->heat.coolings,
		.left_out = intake->heat.left_out,
	};

	node_heat_add(&run->heat, &run->intake, run->p, end->ns, last, &out);
	run->sample = (struct sample){.wall_ns = out.wall_ns, .missed = out.missed};
	view_of(run)->hot = &out;
	const int rc = o->report(o->context, &out, err);
	view_of(run)->hot = NULL;
	return rc;
}

/*
 * By the samples and the cost of the last second; where there are too many samples, before it is
 * over.
 */
static int adapt(struct run *run, struct error *err)
{
	struct sampler *sampler = run->intake.sampler;
	const struct begun end = begin_interval(run), *begun = &run->adapted;
	const uint64_t ns = end.ns - begun->ns;
	const double cost = (double)cost_ns(begun, &end) / (double)ns; /* of a CPU */
	bool changed = ns >= NS_PER_S;
	int rc = 0;

	for (size_t e = 0; !rc && !run->options->period && e < sampler->sampling.event_count; e++) {
		const uint64_t old = sampler->periods[e];
		const uint64_t period = hot_next_period(
			sampler->sampling.events[e], old, end.samples[e] - begun->samples[e],
			(double)ns / 1e9, sampler->cpus, ns < NS_PER_S ? 0 : cost);

		if (period == old || (period < old && ns < NS_PER_S))
			continue;
		changed = true;
		rc = sampler->ops->set_period(sampler, e, period);
	}
	if (changed)
		run->adapted = end;
	return rc ? error_set(err, EXIT_FAILED, rc, "the sampling period cannot be changed: %s",
			      strerror(-rc))
		  : 0;
}

static void count_reads(struct run *run, double seconds)
{
	for (size_t t = 0; run->counting && t < HOT_TIMES; t++) {
		run->begun[t].counted_MB[MEMORY_CXL] += hot_counters_cxl(&run->counters) * seconds;
		run->begun[t].counted_MB[MEMORY_DRAM] +=
			hot_counters_dram(&run->counters) * seconds;
	}
}

/* The end of an interval. */
static int take_report(struct run *run, bool last, struct error *err)
{
	int rc = run->counting ? hot_counters_take(&run->counters, err) : 0;

	if (rc)
		return rc;
	run->missed += run->counting ? run->counters.sample.missed : 0;
	hot_intake_read(&run->intake);
	if (last)
		hot_intake_finish(&run->intake);
	if (run->intake.sampler->ops->count_lost)
		run->intake.sampler->ops->count_lost(run->intake.sampler);
	const struct begun end = begin_interval(run);
	if (end.ns == run->begun[HOT_INTERVAL].ns)
		return 0;
	count_reads(run, (double)(end.ns - run->begun[HOT_INTERVAL].ns) / 1e9);
	rc = report(run, HOT_INTERVAL, &end, last, err);
	if (!rc && !last)
		rc = adapt(run, err);
	if (!last)
		hot_rows_next(&run->intake.groups.rows);
	run->begun[HOT_INTERVAL] = end;
	return rc;
}

/* The loop. */

static int wait_once(struct run *run, int *signal_number, struct error *err)
{
	const sigset_t *wake = run->options->wake;

	if (run->counting)
		return hot_counters_wait(&run->counters, wake, signal_number, err);
	const int rc = run->p->ops->sleep_until(run->p, run->deadlines.next, wake, signal_number);
	if (!rc)
		run->missed += deadlines_advance(&run->deadlines, now(run));
	return rc;
}

static int take_tick(struct run *run, struct error *err)
{
	hot_intake_read(&run->intake);
	return adapt(run, err);
}

/* Until an interval ends, or a signal ends the run: then *done is set. */
static int wait_for_interval(struct run *run, bool *done, struct error *err)
{
	const struct hot_options *o = run->options;
	int rc, signal_number = 0;

	while ((rc = wait_once(run, &signal_number, err)) == -EINTR && !*done) {
		if (signal_number != SIGALRM)
			*done = o->ends(o->context, signal_number);
		else if ((rc = take_tick(run, err)) != 0)
			return rc;
		if (*done)
			return 0;
	}
	return rc;
}

static int loop(struct run *run, struct error *err)
{
	const uint64_t count = run->options->count;
	uint64_t reports = 0;
	bool done = false;
	int rc = 0;

	while (!rc && !done && (!count || reports < count)) {
		rc = wait_for_interval(run, &done, err);
		reports++;
		if (!rc)
			rc = take_report(run, done || reports == count, err);
	}
	if (rc)
		return rc;
	/* that of the last interval, as a replay knows it */
	const struct begun end = run->begun[HOT_INTERVAL];
	return report(run, HOT_RUN, &end, true, err);
}

/* Set-up. */

/* The machine is needed even where its ports can't be counted. */
static int open_machine(struct run *run, struct error *err)
{
	const struct hot_options *o = run->options;
	struct error why;

	if (!hot_counters_open(&run->counters, &o->session, run->log, &why)) {
		run->counting = true;
		run->p = run->counters.session.platform;
		return 0;
	}
	hot_counters_close(&run->counters, NULL);
	if (why.status == EXIT_USAGE) {
		*err = why;
		return why.code;
	}
	log_write(run->log, LEVEL_NOTE, "reads of ports are not counted: %s", why.text);
	const int rc = platform_open(o->session.sim, o->session.root, run->log, &run->own, err);
	run->p = run->own;
	return rc;
}

/* NULL: it is not known. */
static const struct model *model_of(struct platform *p)
{
	struct cpu_identity identity;
	const struct model *model;
	struct error ignored;

	return machine_find_model(p, &identity, &model, &ignored) ? NULL : model;
}

static const char *processor_of(const struct run *run)
{
	const struct model *model = model_of(run->p);

	if (run->counting)
		return machine_processor(&run->counters.session.machine);
	return model ? model->name : "unknown processor";
}

static int choose_events(struct run *run, struct load_sampling *sampling, struct error *err)
{
	const struct model *model = model_of(run->p);
	const struct load_event *const *events = model ? model->load_events : NULL;

	if (run->options->event) {
		sampling->events[sampling->event_count++] = run->options->event;
		return 0;
	}
	for (size_t i = 0; events && events[i] && i < LOAD_EVENTS_MOST; i++)
		sampling->events[sampling->event_count++] = events[i];
	return sampling->event_count
		       ? 0
		       : error_set(err, EXIT_NO_UNIT, -ENODEV,
				   "no event is known by which this processor samples loads; "
				   "--event=minor-faults samples page faults instead");
}

static int open_sampler(struct run *run, struct error *err)
{
	const struct hot_options *o = run->options;
	struct hot_intake *intake = &run->intake;
	struct load_sampling sampling = {.mappings = hot_mappings(o->by), .cgroup = o->cgroup};

	if (!run->p->ops->sampler_open)
		return error_set(err, EXIT_NO_UNIT, -ENOTSUP, "loads cannot be sampled here");
	int rc = choose_events(run, &sampling, err);
	if (!rc)
		rc = run->p->ops->memory_map(run->p, &intake->map, err);
	if (!rc)
		rc = run->p->ops->sampler_open(run->p, &sampling, &intake->sampler, err);
	for (size_t e = 0; !rc && o->period && e < intake->sampler->sampling.event_count; e++)
		rc = intake->sampler->ops->set_period(intake->sampler, e, o->period);
	if (!rc && hot_intake_init(intake, o->by, o->cool_samples,
				   run->symbols.pid ? &run->symbols : NULL))
		rc = error_no_memory(err);
	run->sorted = rc ? NULL : calloc(HOT_ROWS_MOST, sizeof(struct hot_row *));
	return rc || run->sorted ? rc : error_no_memory(err);
}

static int take_pids(struct run *run, struct error *err)
{
	const char *list = run->options->pids;
	struct hot_intake *intake = &run->intake;
	const int rc = list ? numlist_read(list, PID_LIMIT, &run->pids, &intake->pid_count) : 0;

	intake->pids = run->pids;
	intake->pids_chosen = list;
	return rc ? error_set(err, EXIT_USAGE, rc, "--pid: not a list of process ids") : 0;
}

/* The session's events and those of the sampler. */
static int list_handles(struct run *run, struct hot_setup *setup, struct error *err)
{
	const struct perf_events *perf = &run->counters.session.perf;
	const struct sampler *sampler = run->intake.sampler;
	const bool simulated = run->options->session.sim;
	const size_t counted =
		run->counting && perf->handles && !simulated ? perf->plan->counter_count : 0;

	run->handles = calloc(counted + sampler->handle_count + 1, sizeof(*run->handles));
	if (!run->handles)
		return error_no_memory(err);
	if (counted)
		memcpy(run->handles, perf->handles, counted * sizeof(*run->handles));
	if (sampler->handle_count)
		memcpy(run->handles + counted, sampler->handles,
		       sampler->handle_count * sizeof(*run->handles));
	setup->handles = run->handles;
	setup->handle_count = counted + sampler->handle_count;
	return 0;
}

/* Goes on to the end: rights_filter() allows no change. SIGALRM is blocked. */
static void start_ticks(const struct run *run)
{
	const suseconds_t tick = run->options->period ? FIXED_TICK_US : TICK_US;
	const struct itimerval timer = {{.tv_usec = tick}, {.tv_usec = tick}};

	if (!run->p->virtual_clock)
		setitimer(ITIMER_REAL, &timer, NULL);
}

/* Records of processes come from here on, so that the list of those that run already lacks none. */
static int start(struct run *run, struct error *err)
{
	struct hot_intake *intake = &run->intake;
	const struct hot_options *o = run->options;
	int rc = run->counting ? hot_counters_start(&run->counters, err) : 0;

	if (rc)
		return rc;
	rc = intake->sampler->ops->enable(intake->sampler, true);
	if (rc)
		return error_set(err, EXIT_FAILED, rc, "sampling cannot be started: %s",
				 strerror(-rc));
	run->begun[HOT_INTERVAL] = run->begun[HOT_RUN] = begin_interval(run);
	deadlines_start(&run->deadlines, run->begun[0].ns, o->session.interval_ns);
	if (!o->session.sim &&
	    hot_processes_scan(&intake->processes, o->session.root, o->by == BY_CGROUP, now(run)))
		return error_no_memory(err);
	hot_intake_read(intake);
	return 0;
}

/* Opens their files, which can't be opened later; without them nothing is known of used memory. */
static void open_nodes(const struct run *run)
{
	struct error ignored;
	size_t count;
	int *nodes;

	if (run->p->ops->nodes && !run->p->ops->nodes(run->p, &nodes, &count, &ignored))
		free(nodes);
}

static int run_all(struct run *run, struct error *err)
{
	const struct hot_options *o = run->options;
	struct hot_setup setup = {.nodes = &run->nodes, .platform = NULL};
	int rc = 0;

	run->row = row_unknown;
	run->view = (struct view){.model = "unknown", .rows = &run->row, .row_count = 1};
	/* while there is one thread */
	if (o->by == BY_FUNCTION && !o->session.sim)
		rc = symbol_process_start(o->caller, &run->symbols, err);
	if (!rc)
		rc = open_machine(run, err);
	if (!rc)
		rc = who_nodes_find(run->p, o->session.root, &o->choice, &run->nodes, err);
	if (!rc)
		rc = take_pids(run, err);
	run->intake.nodes = &run->nodes;
	run->intake.detail = run->options->detail;
	if (!rc)
		open_nodes(run);
	if (!rc)
		rc = open_sampler(run, err);
	if (!rc)
		rc = start(run, err);
	if (!rc)
		rc = list_handles(run, &setup, err);
	if (rc)
		return rc;
	setup.event = run->intake.sampler->sampling.events[0];
	setup.counting = run->counting;
	setup.platform = run->p;
	setup.intake = &run->intake;
	setup.processor = processor_of(run);
	setup.machine = run->counting ? &run->counters.session.machine : NULL;
	setup.view = view_of(run);
	setup.sample = run->counting ? &run->counters.sample : &run->sample;
	start_ticks(run);
	rc = o->begin(o->context, &setup, err);
	run->adapted = begin_interval(run);
	/* what it took to begin is no cost of sampling */
	for (size_t t = 0; t < HOT_TIMES; t++)
		run->begun[t].cpu_ns = run->adapted.cpu_ns;
	if (!rc)
		rc = loop(run, err);
	return rc;
}

static void say_left_out(const struct run *run, uint64_t count, const char *what)
{
	if (count)
		log_write(run->log, LEVEL_NOTE, "%s: %" PRIu64, what, count);
}

/* What is not in the rows, or not as it should be. */
static void report_left_out(const struct run *run)
{
	const struct hot_intake *intake = &run->intake;

	say_left_out(
		run, intake->processes.refused,
		"processes that ran already, and whose mappings have no names, as the kernel refuses "
		"access to their memory maps (run it as root, outside of a container)");
	say_left_out(run, intake->processes.left_out,
		     "processes and mappings that are unknown, as there was no room for more");
	say_left_out(run, intake->pages.left_out,
		     "samples of further pages of --range, as there was no room for more");
	say_left_out(run, intake->functions.left_out + intake->not_held,
		     "samples without the name of their function, as there was no room");
	say_left_out(run, intake->functions.ended,
		     "the process that finds names of functions ended early, or was too slow");
	say_left_out(run, intake->names.left_out,
		     "names that are unknown, as there was no room for more");
	say_left_out(run, intake->sampler ? intake->sampler->malformed : 0,
		     "malformed records of the kernel, which were left out");
}

int hot_run(const struct hot_options *options, const struct log *log, struct error *err)
{
	struct run run = {
		.options = options, .log = log, .symbols = {.questions = -1, .answers = -1}};
	struct error why;

	node_heat_init(&run.heat);
	int rc = run_all(&run, err);

	report_left_out(&run);
	if (run.intake.sampler)
		run.intake.sampler->ops->destroy(run.intake.sampler);
	hot_intake_free(&run.intake);
	symbol_process_stop(&run.symbols);
	free(run.sorted);
	free(run.handles);
	free(run.pids);
	who_nodes_free(&run.nodes);
	/* registers that were not restored are more than another failure */
	const int closed = run.counting ? hot_counters_close(&run.counters, &why) : 0;
	if (closed)
		*err = why;
	platform_destroy(run.own);
	return closed ? closed : rc;
}
