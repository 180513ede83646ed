/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/load_run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "linux/kernel/clock.h"
#include "platform/clock.h"
#include "platform/kernel_stats.h"
#include "platform/load_sample.h"
#include "platform/memory.h"
#include "session/session.h"
#include "uncore/model/model.h"

/*
 * Time between readings of the rings, each of which has room for 4500 samples on up to 127 CPUs.
 * With a fixed period a CPU can take 240 000 samples per second.
 */
#define TICK_US	      100000
#define FIXED_TICK_US 15000
#define PID_LIMIT     4194304 /* the kernel's PID_MAX_LIMIT */

/* Limits of the wait for names of functions at the end, and after a signal. */
#define FINISH_NS  UINT64_C(5000000000)
#define HURRIED_NS UINT64_C(500000000)

/*
 * Kernel events with an address, which every processor has. Codes are those in enum perf_sw_ids.
 * page-faults are sampled before the page exists, so that only the other two say which memory it
 * is in.
 */
#define EVENT(NAME, CONFIG)                                                                        \
	{                                                                                          \
		.name = (NAME), .pmu = "software", .terms = (CONFIG), .period = 1, .counts = true, \
		.no_loads = true                                                                   \
	}

const struct load_event *load_run_event(int number)
{
	static const struct load_event events[] = {EVENT("page-faults", "config=2"),
						   EVENT("minor-faults", "config=5"),
						   EVENT("major-faults", "config=6")};

	return number ? &events[number - 1] : NULL;
}

const char *const load_run_event_names[] = {"page-faults", "minor-faults", "major-faults", NULL};

/* Reports. */

static uint64_t load_run_now(const struct load_run *run)
{
	return run->p->ops->clock->now(run->p);
}

static struct load_run_begun begin_interval(const struct load_run *run)
{
	const struct sampler *sampler = run->intake.sampler;
	struct load_run_begun begun = {
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

	memcpy(begun.samples, run->intake.samples, sizeof(begun.samples));
	return begun;
}

/* Returns the CPU time between two points, with an estimate of the kernel's part. */
static uint64_t cost_ns(const struct load_run_begun *from, const struct load_run_begun *to)
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

static void make_report(struct load_run *run, enum row_time time, const struct load_run_begun *end,
			bool last)
{
	struct process_intake *intake = &run->intake;
	const struct row_set *set = &intake->sets[0];
	const struct sampler *sampler = intake->sampler;
	const struct load_run_begun *begun = &run->begun[time];
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
		.count = process_rows_sort(&set->rows, time, run->sorted),
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

/*
 * Adapts the periods once per second to the samples and cost since then; earlier only if there are
 * too many samples.
 */
static int adapt_period(struct load_run *run, struct error *err)
{
	struct sampler *sampler = run->intake.sampler;
	const struct load_run_begun end = begin_interval(run), *begun = &run->adapted;
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
	const struct load_run_begun end = begin_interval(run);
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

/* Set-up. */

/* Opens a platform without a session: the system's counters are unknown. */
static int open_alone(struct load_run *run, struct error *err)
{
	const struct session_options *o = &run->options->session;

	run->row = row_unknown;
	run->no_table = (struct table){.model = "unknown", .rows = &run->row, .row_count = 1};
	run->table = &run->no_table;
	run->p = run->options->platform;
	if (run->p)
		return 0;
	const int rc = platform_open(o->sim, o->root, run->log, &run->own, err);
	run->p = run->own;
	return rc;
}

/* Opens the machine. It is also needed if its ports cannot be counted. */
static int open_machine(struct load_run *run, struct error *err)
{
	const struct load_run_options *o = run->options;
	struct error why;

	if (o->samples_alone)
		return open_alone(run, err);
	if (!session_open(&o->session, run->log, &run->session, &why)) {
		run->counting = true;
		run->table = &run->session.view.table;
		run->cxl = table_find(run->table, "cxl_mem_read_MBps");
		run->dram = table_find(run->table, "dram_read_MBps");
		run->p = run->session.platform;
		return 0;
	}
	session_close(&run->session);
	if (why.kind == ERROR_USAGE) {
		*err = why;
		return why.code;
	}
	log_write(run->log, LEVEL_NOTE, "reads of ports are not counted: %s", why.text);
	return open_alone(run, err);
}

/* Returns the processor's model; NULL: unknown. */
static const struct model *model_of(struct platform *p)
{
	struct cpu_identity identity;
	const struct model *model;
	struct error ignored;

	return machine_find_model(p, &identity, &model, &ignored) ? NULL : model;
}

const char *load_run_processor(const struct load_run *run)
{
	const struct model *model = model_of(run->p);

	if (run->counting)
		return machine_processor(&run->session.machine);
	return model ? model->name : "unknown processor";
}

static int choose_events(struct load_run *run, struct load_sampling *sampling, struct error *err)
{
	if (run->options->event) {
		sampling->events[sampling->event_count++] = run->options->event;
		return 0;
	}
	const struct model *model = model_of(run->p);
	const struct load_event *const *events = model ? model->load_events : NULL;

	for (size_t i = 0; events && events[i] && i < LOAD_EVENTS_MOST; i++)
		sampling->events[sampling->event_count++] = events[i];
	return sampling->event_count
		       ? 0
		       : error_set(err, ERROR_NO_UNIT, -ENODEV,
				   "no event is known by which this processor samples loads; "
				   "cxlmon hot --event=minor-faults samples page faults instead");
}

static int add_rows(struct load_run *run)
{
	const struct load_run_options *o = run->options;
	struct symbol_process *own = run->symbols.pid ? &run->symbols : NULL;
	const struct row_set options = {
		.by = o->by,
		.pids = run->pids,
		.pid_count = run->pid_count,
		.pids_chosen = o->pids,
		.without_heat = o->without_heat,
		.detail = o->detail,
		.cool_samples = o->cool_samples,
	};
	const int rc = process_intake_init(&run->intake, o->symbols ? o->symbols : own);

	return rc ? rc : process_intake_add_set(&run->intake, &options);
}

static int open_sampler(struct load_run *run, struct error *err)
{
	const struct load_run_options *o = run->options;
	struct process_intake *intake = &run->intake;
	struct load_sampling sampling = {
		.processes = true, .mappings = row_by_mappings(o->by), .cgroup = o->cgroup};

	intake->p = run->p;
	if (!run->p->ops->samples)
		return error_set(err, ERROR_NO_UNIT, -ENOTSUP, "loads cannot be sampled here");
	int rc = choose_events(run, &sampling, err);
	if (!rc)
		rc = run->p->ops->memory->map(run->p, &intake->map, err);
	if (!rc)
		rc = run->p->ops->samples->open(run->p, &sampling, &intake->sampler, err);
	for (size_t e = 0; !rc && o->period && e < intake->sampler->sampling.event_count; e++)
		rc = intake->sampler->ops->set_period(intake->sampler, e, o->period);
	if (!rc && add_rows(run))
		rc = error_no_memory(err);
	intake->processes.cgroups = o->cgroups;
	row_by_facts(o->by, &intake->processes);
	run->sorted = rc ? NULL : calloc(PROCESS_ROWS_MOST, sizeof(struct process_row *));
	return rc || run->sorted ? rc : error_no_memory(err);
}

/* Lists the session's and the sampler's perf events, for rights_filter(). */
static int list_handles(struct load_run *run, struct error *err)
{
	const struct perf_events *perf = &run->session.perf;
	const struct sampler *sampler = run->intake.sampler;
	const size_t counted = run->counting && perf->handles && !run->options->session.sim
				       ? perf->plan->counter_count
				       : 0;

	run->handle_count = counted + sampler->handle_count;
	run->handles = calloc(run->handle_count + 1, sizeof(*run->handles));
	if (!run->handles)
		return error_no_memory(err);
	if (counted)
		memcpy(run->handles, perf->handles, counted * sizeof(*run->handles));
	if (sampler->handle_count)
		memcpy(run->handles + counted, sampler->handles,
		       sampler->handle_count * sizeof(*run->handles));
	return 0;
}

void load_run_begin(struct load_run *run)
{
	run->adapted = begin_interval(run);
	for (size_t t = 0; t < ROW_TIMES; t++)
		run->begun[t].cpu_ns = run->adapted.cpu_ns;
}

/*
 * Starts the timer, which runs to the end because rights_filter() allows no change. SIGALRM is
 * blocked.
 */
static void start_ticks(const struct load_run *run)
{
	const suseconds_t tick = run->options->period ? FIXED_TICK_US : TICK_US;
	const struct itimerval timer = {{.tv_usec = tick}, {.tv_usec = tick}};

	if (!run->p->virtual_clock)
		setitimer(ITIMER_REAL, &timer, NULL);
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
	run->begun[TIME_INTERVAL] = run->begun[TIME_RUN] = run->end = begin_interval(run);
	deadlines_start(&run->deadlines, run->begun[0].ns, o->session.interval_ns);
	if (run->p->ops->processes && process_table_scan(&intake->processes, load_run_now(run)))
		return error_no_memory(err);
	process_intake_read(intake);
	return 0;
}

int load_run_open(const struct load_run_options *options, const struct log *log,
		  struct load_run *out, struct error *err)
{
	struct process_intake *intake = &out->intake;
	struct process_report *known = &out->heat.known;
	size_t node_count;
	int *nodes, rc = 0;

	*out = (struct load_run){
		.options = options, .log = log, .symbols = {.questions = -1, .answers = -1}};
	known->colder_dram_GiB = known->unseen_dram_GiB = known->hot_cxl_GiB = NAN;
	/* needs a process with one thread */
	if (options->by == BY_FUNCTION && !options->session.sim)
		rc = symbol_process_start(options->caller, &out->symbols, err);
	if (!rc)
		rc = open_machine(out, err);
	if (!rc && !options->nodes)
		rc = cxl_nodes_find(out->p, session_files(&options->session), &options->choice,
				    &out->nodes, err);
	if (!rc && options->pids &&
	    numlist_read(options->pids, PID_LIMIT, &out->pids, &out->pid_count))
		rc = error_set(err, ERROR_USAGE, -EINVAL, "--pid: not a list of process ids");
	intake->nodes = options->nodes ? options->nodes : &out->nodes;
	/* opens files that cannot be opened later: without them, used memory is unknown */
	if (!rc && out->p->ops->memory &&
	    !out->p->ops->memory->nodes(out->p, &nodes, &node_count, NULL))
		free(nodes);
	if (!rc)
		rc = open_sampler(out, err);
	if (!rc && !options->starts_later)
		rc = load_run_start(out, err);
	if (!rc)
		rc = list_handles(out, err);
	if (!rc && !options->starts_later)
		start_ticks(out);
	return rc;
}

int load_run_close(struct load_run *run, struct error *err)
{
	int rc = 0;

	process_intake_say_left_out(&run->intake, run->log);
	if (run->intake.sampler)
		run->intake.sampler->ops->destroy(run->intake.sampler);
	process_intake_free(&run->intake);
	symbol_process_stop(&run->symbols);
	free(run->sorted);
	free(run->handles);
	free(run->pids);
	cxl_nodes_free(&run->nodes);
	if (run->counting) {
		sampling_free(&run->sampling);
		rc = session_stop(&run->session, err);
		session_close(&run->session);
	}
	platform_destroy(run->own);
	return rc;
}
