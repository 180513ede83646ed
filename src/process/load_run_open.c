/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/load_run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "platform/clock.h"
#include "platform/load_sample.h"
#include "platform/memory.h"
#include "uncore/model/model.h"

/* LOAD_READ_NS with a fixed period: a CPU can take 240 000 samples per second */
#define READ_FIXED_NS (NS_PER_S / 1000 * 15)
#define PID_LIMIT     4194304 /* the kernel's PID_MAX_LIMIT */

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
				   "this processor has no known event that samples loads; cxlmon "
				   "hot --event=minor-faults samples page faults instead");
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
	run->sorted = rc ? NULL : calloc(SAMPLED_ROWS_MOST, sizeof(struct sampled_row *));
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

/*
 * Starts the timer, which runs to the end because rights_filter() allows no change. SIGALRM is
 * blocked.
 */
static void start_ticks(const struct load_run *run)
{
	const suseconds_t tick = (run->options->period ? READ_FIXED_NS : LOAD_READ_NS) / 1000;
	const struct itimerval timer = {{.tv_usec = tick}, {.tv_usec = tick}};

	if (!run->p->virtual_clock)
		setitimer(ITIMER_REAL, &timer, NULL);
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
	if (options->by == BY_FUNCTION && !options->symbols && !options->session.sim)
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
