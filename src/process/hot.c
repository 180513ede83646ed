/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/hot.h"

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
 * Between readings of the rings, which have room for 4500 samples on up to 127 CPUs; where the
 * period is not adapted, there may be 240 000 samples a second of a CPU.
 */
#define TICK_US	      100000
#define FIXED_TICK_US 15000
#define PID_LIMIT     4194304 /* the kernel's PID_MAX_LIMIT */

/* At the end, for names of functions; after a signal. */
#define FINISH_NS  UINT64_C(5000000000)
#define HURRIED_NS UINT64_C(500000000)

/*
 * Events of the kernel that have an address, on any processor. Their codes are those of enum
 * perf_sw_ids. page-faults are sampled before the page is there, so that only the others say which
 * memory it is in.
 */
#define EVENT(NAME, CONFIG)                                                                        \
	{                                                                                          \
		.name = (NAME), .pmu = "software", .terms = (CONFIG), .period = 1, .counts = true, \
		.no_loads = true                                                                   \
	}

const struct load_event *hot_event(int number)
{
	static const struct load_event events[] = {EVENT("page-faults", "config=2"),
						   EVENT("minor-faults", "config=5"),
						   EVENT("major-faults", "config=6")};

	return number ? &events[number - 1] : NULL;
}

const char *const hot_event_names[] = {"page-faults", "minor-faults", "major-faults", NULL};

/* Reports. */

static uint64_t hot_now(const struct hot *hot)
{
	return hot->p->ops->clock->now(hot->p);
}

static struct hot_begun begin_interval(const struct hot *hot)
{
	const struct sampler *sampler = hot->intake.sampler;
	struct hot_begun begun = {
		.ns = hot_now(hot),
		.wall_ns = hot->p->ops->clock->wall(hot->p),
		/* on a virtual clock work takes no time */
		.cpu_ns = hot->p->virtual_clock ? 0 : clock_process() - hot->other_cpu_ns,
		.lost = sampler->lost,
		.records_lost = sampler->records_lost,
		.throttled = sampler->throttled,
		.missed = hot->missed,
		.times = sampler->times[0],
	};

	memcpy(begun.samples, hot->intake.samples, sizeof(begun.samples));
	return begun;
}

/* That of the kernel is estimated. */
static uint64_t cost_ns(const struct hot_begun *from, const struct hot_begun *to)
{
	uint64_t ns = to->cpu_ns - from->cpu_ns;

	for (size_t e = 0; e < LOAD_EVENTS_MOST; e++)
		ns += (to->samples[e] - from->samples[e]) * HOT_SAMPLE_NS;
	return ns;
}

/* Of files that are open already. */
static double used_GiB(struct platform *p, int node)
{
	struct kernel_stats stats;

	if (!p->ops->memory || p->ops->memory->stats(p, node, p->ops->clock->wall(p), &stats))
		return NAN;
	return stats.values[NODE_USED] / (1 << 30);
}

static void sum_up(struct node_heat *heat, struct hot_intake *intake, struct platform *p)
{
	struct row_set *set = &intake->sets[0];
	struct heat_node nodes[HOT_NODES_MOST];

	hot_heat_sort(&set->heat);
	hot_heat_sort(&set->pages);
	heat->known.nodes = heat->nodes;
	heat->known.node_count = hot_heat_nodes(&set->heat, nodes, HOT_NODES_MOST);
	for (size_t i = 0; i < heat->known.node_count; i++)
		heat->nodes[i] =
			(struct hot_node){.heat = nodes[i],
					  .cxl = cxl_nodes_contain(intake->nodes, nodes[i].node),
					  .used_GiB = used_GiB(p, nodes[i].node)};
	heat->known.event = intake->sampler->sampling.events[0];
	hot_heat_compare(&set->heat, &heat->known);
}

/*
 * How hot the memory of each node is: found out seldom enough that it takes 1 % of the time at
 * most, but at the end of the last interval, which is that of the run.
 */
static void add_nodes(struct hot *hot, uint64_t now_ns, bool last)
{
	struct hot_intake *intake = &hot->intake;
	const struct row_set *set = &intake->sets[0];
	struct hot_report *report = &hot->report;
	struct node_heat *heat = &hot->heat;
	const size_t ranges = set->heat.count + set->pages.count;
	const bool due = last || now_ns - heat->ns >= ranges * HEAT_SORT_NS * 100;

	report->colder_dram_GiB = report->unseen_dram_GiB = report->hot_cxl_GiB = NAN;
	if (report->time == HOT_INTERVAL && !due)
		return;
	if (report->time == HOT_INTERVAL) {
		heat->known.unsampled = hot->unsampled;
		sum_up(heat, intake, hot->p);
		heat->ns = now_ns;
	}
	report->nodes = heat->known.nodes;
	report->node_count = heat->known.node_count;
	report->colder_dram_GiB = heat->known.colder_dram_GiB;
	report->unseen_dram_GiB = heat->known.unseen_dram_GiB;
	report->hot_cxl_GiB = heat->known.hot_cxl_GiB;
}

static void make_report(struct hot *hot, enum hot_time time, const struct hot_begun *end, bool last)
{
	struct hot_intake *intake = &hot->intake;
	const struct row_set *set = &intake->sets[0];
	const struct sampler *sampler = intake->sampler;
	const struct hot_begun *begun = &hot->begun[time];
	const double *counted = begun->counted_MB;

	hot->report = (struct hot_report){
		.time = time,
		.by = hot_by_names[hot->options->by],
		.names = &intake->names,
		.event = sampler->sampling.events[0],
		.wall_ns = end->wall_ns,
		.ns = end->ns - begun->ns,
		.missed = end->missed - begun->missed,
		.all = &set->rows.all,
		.others = &set->rows.others,
		.rows = hot->sorted,
		.count = hot_rows_sort(&set->rows, time, hot->sorted),
		.timed = sampler->latencies,
		.counted_MB = {hot->counting ? counted[MEMORY_CXL] : NAN,
			       hot->counting ? counted[MEMORY_DRAM] : NAN},
		.lost = end->lost - begun->lost,
		.records_lost = (double)(end->records_lost - begun->records_lost),
		.throttled = end->throttled - begun->throttled,
		.times = {end->times.enabled_ns - begun->times.enabled_ns,
			  end->times.running_ns - begun->times.running_ns},
		.unsampled = time == HOT_RUN ? hot->unsampled : sampler->unsampled,
		.cost_ns = cost_ns(begun, end),
		.period = sampler->periods[0],
		.coolings = set->heat.coolings,
		.left_out = set->heat.left_out,
	};
	add_nodes(hot, end->ns, last);
	if (!hot->counting)
		hot->sample = (struct sample){.wall_ns = hot->report.wall_ns,
					      .missed = hot->report.missed};
}

/*
 * By the samples and the cost of the last second; where there are too many samples, before it is
 * over.
 */
static int adapt_period(struct hot *hot, struct error *err)
{
	struct sampler *sampler = hot->intake.sampler;
	const struct hot_begun end = begin_interval(hot), *begun = &hot->adapted;
	const uint64_t ns = end.ns - begun->ns;
	const double cost = (double)cost_ns(begun, &end) / (double)ns; /* of a CPU */
	bool changed = ns >= NS_PER_S;
	int rc = 0;

	for (size_t e = 0; !rc && !hot->options->period && e < sampler->sampling.event_count; e++) {
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
		hot->adapted = end;
	return rc ? error_set(err, ERROR_FAILED, rc, "the sampling period cannot be changed: %s",
			      strerror(-rc))
		  : 0;
}

/* In the last interval, in MB/s. The row of the system is the last one of metrics. */
static double counted_MB(const struct hot *hot, size_t column)
{
	const size_t rows = table_metric_rows(hot->table);

	return rows && column != SIZE_MAX ? hot->table->rows[rows - 1].values[column].number : NAN;
}

int hot_take(struct hot *hot, bool last, struct error *err)
{
	struct sampler *sampler = hot->intake.sampler;
	int rc = hot->counting ? sampling_take(&hot->sampling, &hot->sample, err) : 0;

	if (rc)
		return rc;
	if (hot->counting) {
		view_update(&hot->session.view, &hot->sample);
		hot->missed += hot->sample.missed;
	}
	hot_intake_read(&hot->intake);
	if (last)
		hot_intake_finish(&hot->intake, hot->asked_to_end ? HURRIED_NS : FINISH_NS);
	if (sampler->ops->update)
		sampler->ops->update(sampler);
	if (sampler->unsampled > hot->unsampled)
		hot->unsampled = sampler->unsampled;
	const struct hot_begun end = begin_interval(hot);
	const uint64_t ns = end.ns - hot->begun[HOT_INTERVAL].ns;
	if (!ns)
		return 0;
	hot->end = end;
	for (size_t t = 0; hot->counting && t < HOT_TIMES; t++) {
		hot->begun[t].counted_MB[MEMORY_CXL] +=
			counted_MB(hot, hot->cxl) * (double)ns / 1e9;
		hot->begun[t].counted_MB[MEMORY_DRAM] +=
			counted_MB(hot, hot->dram) * (double)ns / 1e9;
	}
	make_report(hot, HOT_INTERVAL, &hot->end, last);
	return 1;
}

int hot_next(struct hot *hot, struct error *err)
{
	const int rc = adapt_period(hot, err);

	hot_intake_next(&hot->intake);
	hot->begun[HOT_INTERVAL] = hot->end;
	return rc;
}

/* Its end is that of the last interval, as a replay knows it. */
void hot_sum_up(struct hot *hot)
{
	make_report(hot, HOT_RUN, &hot->end, true);
}

static int wait_once(struct hot *hot, int *signal_number, struct error *err)
{
	const sigset_t *wake = hot->options->wake;

	if (hot->counting)
		return sampling_wait(&hot->sampling, wake, signal_number, err);
	const int rc =
		hot->p->ops->clock->sleep_until(hot->p, hot->deadlines.next, wake, signal_number);
	if (!rc)
		hot->missed += deadlines_advance(&hot->deadlines, hot_now(hot));
	return rc;
}

int hot_read(struct hot *hot, struct error *err)
{
	hot_intake_read(&hot->intake);
	return adapt_period(hot, err);
}

int hot_wait(struct hot *hot, int *signal_number, struct error *err)
{
	int rc;

	while ((rc = wait_once(hot, signal_number, err)) == -EINTR && *signal_number == SIGALRM) {
		rc = hot_read(hot, err);
		if (rc)
			return rc;
	}
	return rc;
}

/* Set-up. */

/* Of the system nothing is known then. */
static int open_alone(struct hot *hot, struct error *err)
{
	const struct session_options *o = &hot->options->session;

	hot->row = row_unknown;
	hot->no_table = (struct table){.model = "unknown", .rows = &hot->row, .row_count = 1};
	hot->table = &hot->no_table;
	hot->p = hot->options->platform;
	if (hot->p)
		return 0;
	const int rc = platform_open(o->sim, o->root, hot->log, &hot->own, err);
	hot->p = hot->own;
	return rc;
}

/* The machine is needed even where its ports can't be counted. */
static int open_machine(struct hot *hot, struct error *err)
{
	const struct hot_options *o = hot->options;
	struct error why;

	if (o->samples_alone)
		return open_alone(hot, err);
	if (!session_open(&o->session, hot->log, &hot->session, &why)) {
		hot->counting = true;
		hot->table = &hot->session.view.table;
		hot->cxl = table_find(hot->table, "cxl_mem_read_MBps");
		hot->dram = table_find(hot->table, "dram_read_MBps");
		hot->p = hot->session.platform;
		return 0;
	}
	session_close(&hot->session);
	if (why.kind == ERROR_USAGE) {
		*err = why;
		return why.code;
	}
	log_write(hot->log, LEVEL_NOTE, "reads of ports are not counted: %s", why.text);
	return open_alone(hot, err);
}

/* NULL: it is not known. */
static const struct model *model_of(struct platform *p)
{
	struct cpu_identity identity;
	const struct model *model;
	struct error ignored;

	return machine_find_model(p, &identity, &model, &ignored) ? NULL : model;
}

const char *hot_processor(const struct hot *hot)
{
	const struct model *model = model_of(hot->p);

	if (hot->counting)
		return machine_processor(&hot->session.machine);
	return model ? model->name : "unknown processor";
}

static int choose_events(struct hot *hot, struct load_sampling *sampling, struct error *err)
{
	if (hot->options->event) {
		sampling->events[sampling->event_count++] = hot->options->event;
		return 0;
	}
	const struct model *model = model_of(hot->p);
	const struct load_event *const *events = model ? model->load_events : NULL;

	for (size_t i = 0; events && events[i] && i < LOAD_EVENTS_MOST; i++)
		sampling->events[sampling->event_count++] = events[i];
	return sampling->event_count
		       ? 0
		       : error_set(err, ERROR_NO_UNIT, -ENODEV,
				   "no event is known by which this processor samples loads; "
				   "cxlmon hot --event=minor-faults samples page faults instead");
}

static int add_rows(struct hot *hot)
{
	const struct hot_options *o = hot->options;
	struct symbol_process *own = hot->symbols.pid ? &hot->symbols : NULL;
	const struct row_set options = {
		.by = o->by,
		.pids = hot->pids,
		.pid_count = hot->pid_count,
		.pids_chosen = o->pids,
		.without_heat = o->without_heat,
		.detail = o->detail,
		.cool_samples = o->cool_samples,
	};
	const int rc = hot_intake_init(&hot->intake, o->symbols ? o->symbols : own);

	return rc ? rc : hot_intake_add_set(&hot->intake, &options);
}

static int open_sampler(struct hot *hot, struct error *err)
{
	const struct hot_options *o = hot->options;
	struct hot_intake *intake = &hot->intake;
	struct load_sampling sampling = {
		.processes = true, .mappings = hot_mappings(o->by), .cgroup = o->cgroup};

	intake->p = hot->p;
	if (!hot->p->ops->samples)
		return error_set(err, ERROR_NO_UNIT, -ENOTSUP, "loads cannot be sampled here");
	int rc = choose_events(hot, &sampling, err);
	if (!rc)
		rc = hot->p->ops->memory->map(hot->p, &intake->map, err);
	if (!rc)
		rc = hot->p->ops->samples->open(hot->p, &sampling, &intake->sampler, err);
	for (size_t e = 0; !rc && o->period && e < intake->sampler->sampling.event_count; e++)
		rc = intake->sampler->ops->set_period(intake->sampler, e, o->period);
	if (!rc && add_rows(hot))
		rc = error_no_memory(err);
	intake->processes.cgroups = o->cgroups || o->by == BY_CGROUP;
	hot->sorted = rc ? NULL : calloc(HOT_ROWS_MOST, sizeof(struct hot_row *));
	return rc || hot->sorted ? rc : error_no_memory(err);
}

/* The session's events and those of the sampler. */
static int list_handles(struct hot *hot, struct error *err)
{
	const struct perf_events *perf = &hot->session.perf;
	const struct sampler *sampler = hot->intake.sampler;
	const size_t counted = hot->counting && perf->handles && !hot->options->session.sim
				       ? perf->plan->counter_count
				       : 0;

	hot->handle_count = counted + sampler->handle_count;
	hot->handles = calloc(hot->handle_count + 1, sizeof(*hot->handles));
	if (!hot->handles)
		return error_no_memory(err);
	if (counted)
		memcpy(hot->handles, perf->handles, counted * sizeof(*hot->handles));
	if (sampler->handle_count)
		memcpy(hot->handles + counted, sampler->handles,
		       sampler->handle_count * sizeof(*hot->handles));
	return 0;
}

void hot_begin(struct hot *hot)
{
	hot->adapted = begin_interval(hot);
	for (size_t t = 0; t < HOT_TIMES; t++)
		hot->begun[t].cpu_ns = hot->adapted.cpu_ns;
}

/* Goes on to the end: rights_filter() allows no change. SIGALRM is blocked. */
static void start_ticks(const struct hot *hot)
{
	const suseconds_t tick = hot->options->period ? FIXED_TICK_US : TICK_US;
	const struct itimerval timer = {{.tv_usec = tick}, {.tv_usec = tick}};

	if (!hot->p->virtual_clock)
		setitimer(ITIMER_REAL, &timer, NULL);
}

/* Records of processes come from here on, so that the list of those that run already lacks none. */
int hot_start(struct hot *hot, struct error *err)
{
	struct hot_intake *intake = &hot->intake;
	const struct hot_options *o = hot->options;
	struct session *session = &hot->session;
	int rc = hot->counting ? session_start(session, err) : 0;

	if (!rc && hot->counting)
		rc = sampling_begin(&hot->sampling, session->poller, &session->plan, err);
	if (rc)
		return rc;
	rc = intake->sampler->ops->enable(intake->sampler, true);
	if (rc)
		return error_set(err, ERROR_FAILED, rc, "sampling cannot be started: %s",
				 strerror(-rc));
	hot->begun[HOT_INTERVAL] = hot->begun[HOT_RUN] = hot->end = begin_interval(hot);
	deadlines_start(&hot->deadlines, hot->begun[0].ns, o->session.interval_ns);
	if (hot->p->ops->processes && hot_processes_scan(&intake->processes, hot_now(hot)))
		return error_no_memory(err);
	hot_intake_read(intake);
	return 0;
}

int hot_open(const struct hot_options *options, const struct log *log, struct hot *out,
	     struct error *err)
{
	struct hot_intake *intake = &out->intake;
	struct hot_report *known = &out->heat.known;
	size_t node_count;
	int *nodes, rc = 0;

	*out = (struct hot){
		.options = options, .log = log, .symbols = {.questions = -1, .answers = -1}};
	known->colder_dram_GiB = known->unseen_dram_GiB = known->hot_cxl_GiB = NAN;
	/* while there is one thread */
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
	/* opens files that can't be opened later; without them nothing is known of used memory */
	if (!rc && out->p->ops->memory &&
	    !out->p->ops->memory->nodes(out->p, &nodes, &node_count, NULL))
		free(nodes);
	if (!rc)
		rc = open_sampler(out, err);
	if (!rc && !options->starts_later)
		rc = hot_start(out, err);
	if (!rc)
		rc = list_handles(out, err);
	if (!rc && !options->starts_later)
		start_ticks(out);
	return rc;
}

int hot_close(struct hot *hot, struct error *err)
{
	int rc = 0;

	hot_intake_say_left_out(&hot->intake, hot->log);
	if (hot->intake.sampler)
		hot->intake.sampler->ops->destroy(hot->intake.sampler);
	hot_intake_free(&hot->intake);
	symbol_process_stop(&hot->symbols);
	free(hot->sorted);
	free(hot->handles);
	free(hot->pids);
	cxl_nodes_free(&hot->nodes);
	if (hot->counting) {
		sampling_free(&hot->sampling);
		rc = session_stop(&hot->session, err);
		session_close(&hot->session);
	}
	platform_destroy(hot->own);
	return rc;
}
