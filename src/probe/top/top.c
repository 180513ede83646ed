/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/top/top.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "linux/kernel/clock.h"
#include "platform/clock.h"
#include "probe/top/top_list.h"
#include "process/cgroup_names.h"
#include "session/session.h"

static uint64_t top_now(const struct top *top)
{
	return top->p->ops->clock->now(top->p);
}

/* Rows. */

/* Tells if a process was chosen. */
static bool is_wanted(const struct top *top, unsigned pid, const char *cgroup)
{
	const char *pids = top->options->pids;

	return (!pids || numlist_contains(pids, pid)) && cgroup_contains(top->cgroup, cgroup);
}

/* Makes a process's row. process NULL: it has ended, or is not listed yet. */
static struct process_row make_row(unsigned pid, const struct scanned_process *process,
				   uint64_t now_ns)
{
	struct process_row row = process_row_unknown;

	row.is.pid = pid;
	if (!process)
		return row;
	row.is = process->is;
	if (memory_is_known(process->state)) {
		row.memory = process->memory;
		row.age_s = (double)(now_ns - process->read_ns) / 1e9;
	}
	return row;
}

/*
 * Adds the samples of a process. A pid may have several rows: processes one after another, or an
 * emulator and its guest.
 */
static void add_samples(struct process_row *row, const struct process_report *report,
			const struct sampled_row *hot)
{
	row->reads.cxl.MBps += report_MBps(report, hot, MEMORY_CXL);
	row->reads.dram.MBps += report_MBps(report, hot, MEMORY_DRAM);
	row->reads.cxl.samples += report_samples(report, hot, MEMORY_CXL);
}

static void set_latencies(struct process_row *row, const struct top_latencies *of_all)
{
	struct latencies latencies = {.count = 0};

	top_latencies_sum(of_all, row->is.pid, MEMORY_CXL, &latencies);
	row->reads.cxl.p50_ns = latencies_percentile(&latencies, 50);
	row->reads.cxl.p99_ns = latencies_percentile(&latencies, 99);
}

static int by_pid(const void *a, const void *b)
{
	const struct sampled_row *const *x = a, *const *y = b;

	return ((*x)->pid > (*y)->pid) - ((*x)->pid < (*y)->pid);
}

/* Takes the samples of a row's pid, from *next on, out of a report sorted by pid. */
static void take_samples(struct process_row *row, const struct process_report *report,
			 const struct sampled_row *const *sorted, size_t *next)
{
	row->reads.cxl.MBps = row->reads.dram.MBps = 0;
	for (; *next < report->count && sorted[*next]->pid == row->is.pid; ++*next) {
		if (!*row->is.name)
			printable(process_name(report->names, sorted[*next]->command), row->is.name,
				  sizeof(row->is.name));
		add_samples(row, report, sorted[*next]);
	}
	/* loads without rates are unknown */
	if (report->event->no_loads || report->unsampled || !report->ns)
		row->reads.cxl.MBps = row->reads.dram.MBps = NAN;
}

static bool is_shown(const struct top *top, const struct process_row *row)
{
	return (row->is.pid && row->is.pid == top->focus.pid) || row->memory.cxl > 0 ||
	       row->reads.cxl.samples || row->reads.dram.MBps > 0;
}

static void add_row(struct top *top, const struct process_row *row)
{
	struct top_summary *summary = &top->summary;
	struct process_row *added = &top->rows[summary->row_count];

	if (summary->row_count == TOP_ROWS_MOST || !is_shown(top, row) ||
	    !is_wanted(top, row->is.pid, row->is.cgroup))
		return;
	*added = *row;
	set_latencies(added, &top->latencies);
	summary->row_count++;
	if (!isnan(row->age_s))
		summary->oldest_s = fmax(summary->oldest_s, row->age_s);
}

static void sum_up(struct top *top)
{
	struct top_summary *summary = &top->summary;
	uint64_t samples = 0;

	for (size_t i = 0; i < summary->row_count; i++)
		samples += top->rows[i].reads.cxl.samples;
	for (size_t i = 0; i < summary->row_count && !summary->why_not.code; i++)
		top->rows[i].reads.share_pct =
			samples ? 100 * (double)top->rows[i].reads.cxl.samples / (double)samples
				: NAN;
	if (summary->row_count)
		qsort(top->rows, summary->row_count, sizeof(top->rows[0]), top_row_compare);
}

static void add_process(struct top *top, struct scanned_process *process,
			const struct process_report *report,
			const struct sampled_row *const *sorted, size_t *next, uint64_t now_ns)
{
	struct top_summary *summary = &top->summary;
	struct process_row row = make_row(process->is.pid, process, now_ns);

	if (report)
		take_samples(&row, report, sorted, next);
	if (process->runs_vm)
		row.reads.cxl.MBps = row.reads.dram.MBps = NAN;
	process->reads = row.reads.cxl.samples > 0 || process->is.pid == top->focus.pid;
	summary->processes += process->is.resident > 0;
	summary->known += memory_is_known(process->state);
	summary->refused += process->is.resident && process->state == MEMORY_REFUSED;
	summary->cxl += process->memory.cxl;
	summary->dram += process->memory.dram;
	add_row(top, &row);
}

/* Adds rows of processes that have samples, but are not listed. */
static void add_others(struct top *top, const struct process_report *report,
		       const struct sampled_row *const *sorted, size_t *next, unsigned before,
		       uint64_t now_ns)
{
	while (report && *next < report->count && sorted[*next]->pid < before) {
		struct process_row row = make_row(sorted[*next]->pid, NULL, now_ns);

		take_samples(&row, report, sorted, next);
		add_row(top, &row);
	}
}

void top_join(struct top *top, const struct process_report *report, uint64_t now_ns)
{
	struct rolling_scan *processes = &top->processes;
	struct top_summary *summary = &top->summary;
	const struct sampled_row **sorted = NULL;
	size_t next = 0;

	summary->row_count = summary->processes = summary->known = summary->refused = 0;
	summary->cxl = summary->dram = summary->oldest_s = 0;
	if (report && report->count) {
		sorted = calloc(report->count, sizeof(*sorted));
		if (sorted)
			memcpy(sorted, report->rows, report->count * sizeof(*sorted));
		else
			report = NULL;
	}
	if (sorted)
		qsort(sorted, report->count, sizeof(*sorted), by_pid);
	for (size_t i = 0; i < processes->count; i++) {
		add_others(top, report, sorted, &next, processes->at[i].is.pid, now_ns);
		add_process(top, &processes->at[i], report, sorted, &next, now_ns);
	}
	add_others(top, report, sorted, &next, UINT32_MAX, now_ns);
	free(sorted);
	sum_up(top);
}

/* The run. */

static uint64_t own_cpu_ns(const struct top *top)
{
	return top->p->virtual_clock ? 0 : clock_process();
}

/* Begins a scan of the machine. A simulated machine's processes begin with its platform. */
static void begin_scan(struct top *top)
{
	rolling_scan_free(&top->processes);
	top->processes = (struct rolling_scan){
		.platform = top->p,
		.nodes = top->sampling ? &top->loads.nodes : &top->nodes,
	};
	top->begun_ns = top_now(top);
	top->begun_cpu_ns = own_cpu_ns(top);
}

int top_open_memory(struct top *top, struct error *err)
{
	const struct top_options *o = top->options;
	const struct log silent = {.write = NULL};

	if (top->p)
		return 0;
	int rc = platform_open(o->sim, o->root, &silent, &top->own, err);
	if (!rc)
		rc = cxl_nodes_find(top->own, o->sim ? NULL : o->root, &o->choice, &top->nodes,
				    err);
	top->p = top->own;
	if (!rc)
		begin_scan(top);
	return rc;
}

static void open_sampler(struct top *top)
{
	static const struct log silent = {.write = NULL};
	const struct top_options *o = top->options;

	top->load_options = (struct load_run_options){
		.session = {.root = o->root, .sim = o->sim, .interval_ns = NS_PER_S},
		.samples_alone = true,
		.starts_later = true,
		.without_heat = true,
		.symbols = top->focus.symbols.pid ? &top->focus.symbols : NULL,
		.choice = o->choice,
		.by = BY_PROCESS,
		.pids = o->pids,
		.cgroup = o->cgroup,
		.caller = o->caller,
	};
	top->sampling =
		!load_run_open(&top->load_options, &silent, &top->loads, &top->summary.why_not);
	if (!top->sampling) {
		load_run_close(&top->loads, NULL);
		return;
	}
	printable(top->loads.intake.sampler->sampling.events[0]->name, top->summary.event,
		  sizeof(top->summary.event));
}

/* Loads the libraries that name users: see nsswitch.conf(5). */
static void load_users(const struct top_options *options)
{
	const struct log silent = {.write = NULL};
	char name[PROCESS_USER_SIZE];
	struct platform *p;
	struct error ignored;

	if (options->sim || platform_open(NULL, options->root, &silent, &p, &ignored))
		return;
	p->ops->processes->user(p, geteuid(), name);
	platform_destroy(p);
}

void top_prepare(const struct top_options *options, struct top *out)
{
	*out = (struct top){.options = options};
	if (options->cgroup)
		cgroup_path_of(options->cgroup, out->cgroup, sizeof(out->cgroup));
	load_users(options);
	top_focus_init(&out->focus, !options->sim && !options->without_pages, options->caller);
}

int top_open(struct top *top, struct error *err)
{
	open_sampler(top);
	if (!top->sampling) {
		symbol_process_stop(&top->focus.symbols);
		return top_open_memory(top, err);
	}
	top->p = top->loads.p;
	begin_scan(top);
	return top_focus_open(&top->focus, &top->loads) ? error_no_memory(err) : 0;
}

int top_begin(struct top *top, struct error *err)
{
	const int rc = top->sampling ? load_run_start(&top->loads, err) : 0;

	top->begun = !rc && top->sampling;
	if (top->begun)
		load_run_begin(&top->loads);
	return rc;
}

int top_pause(struct top *top, struct error *err)
{
	const int rc = top->begun ? load_run_pause(&top->loads) : 0;

	top->begun = false;
	top->summary.samples = 0;
	top_latencies_free(&top->latencies);
	top->begun_ns = top_now(top);
	top->begun_cpu_ns = own_cpu_ns(top);
	return rc ? error_set(err, ERROR_FAILED, rc, "sampling cannot be stopped: %s",
			      strerror(-rc))
		  : 0;
}

void top_read(struct top *top)
{
	if (top->begun)
		process_intake_read(&top->loads.intake);
}

int top_show(struct top *top, unsigned pid, uint64_t started, struct error *err)
{
	if (pid == top->focus.pid && started == top->focus.started)
		return 0;
	const struct process_ops *processes = top->p->ops->processes;

	/* earlier samples do not belong to the page */
	top_read(top);
	top->page.since_ns = pid && processes ? processes->began(top->p, started) : 0;
	return top_focus_choose(&top->focus, pid, started, top_now(top)) ? error_no_memory(err) : 0;
}

static void update_page(struct top *top)
{
	struct top_focus *focus = &top->focus;
	const uint64_t now_ns = top_now(top);

	top->summary.with_page = focus->pid;
	if (!focus->pid)
		return;
	top_focus_update(focus, rolling_scan_find(&top->processes, focus->pid), now_ns);
	top_page_make(focus, &top->latencies, now_ns, &top->page);
}

static int read_meanwhile(void *context)
{
	process_intake_read(context);
	return 0;
}

/* Updates the list of nodes: the scan finds them one by one. */
static void list_nodes(struct top *top)
{
	struct top_summary *summary = &top->summary;

	summary->node_count = top->processes.number_count;
	for (size_t i = 0; i < summary->node_count; i++) {
		const int number = (int)top->processes.numbers[i];

		summary->nodes[i] =
			(struct top_node){number, cxl_nodes_contain(top->processes.nodes, number)};
	}
}

static void take_report(struct top *top, const struct process_report *report)
{
	struct top_summary *summary = &top->summary;

	summary->interval_s = report_seconds(report);
	summary->cxl_MBps = report_MBps(report, report->all, MEMORY_CXL);
	summary->samples = 0;
	for (size_t m = 0; m < READ_MEMORIES; m++)
		summary->samples += report_samples(report, report->all, m);
	summary->lost = report->lost;
	summary->records_lost = report->records_lost;
	summary->unsampled = report->unsampled;
	summary->cost_pct = report_cost_pct(report);
	if (report->timed)
		summary->latencies_s = (double)top_latencies_ns(&top->latencies) / 1e9;
}

/* Takes the cost without sampling, which is the cost of reading memory. */
static void take_cost(struct top *top)
{
	struct top_summary *summary = &top->summary;
	const uint64_t ns = top_now(top), cpu_ns = own_cpu_ns(top);

	if (ns > top->begun_ns) {
		summary->interval_s = (double)(ns - top->begun_ns) / 1e9;
		summary->cost_pct = top->p->virtual_clock
					    ? NAN
					    : 100 * (double)(cpu_ns - top->begun_cpu_ns) /
						      (double)(ns - top->begun_ns);
	}
	top->begun_ns = ns;
	top->begun_cpu_ns = cpu_ns;
}

/* Replaces listed processes whose pid has passed to a process with samples. */
static void check_readers(const struct rolling_scan *processes, const struct process_report *report)
{
	for (size_t i = 0; i < report->count; i++) {
		struct scanned_process *process =
			rolling_scan_find(processes, report->rows[i]->pid);

		if (process)
			rolling_scan_check(processes, process);
	}
}

int top_update(struct top *top, struct error *err)
{
	struct top_summary *summary = &top->summary;
	int taken = 0;

	if (top->begun) {
		top->processes.meanwhile = read_meanwhile;
		top->processes.context = &top->loads.intake;
	}
	if (top->p->ops->processes && rolling_scan_update(&top->processes))
		return error_no_memory(err);
	if (top->begun)
		taken = load_run_take(&top->loads, false, err);
	if (taken < 0)
		return taken;
	summary->wall_ns = top->p->ops->clock->wall(top->p);
	summary->interval_s = summary->cxl_MBps = summary->cost_pct = summary->latencies_s = NAN;
	summary->records_lost = NAN;
	if (taken && top_latencies_add(&top->latencies, &top->loads.report))
		return error_no_memory(err);
	if (taken) {
		take_report(top, &top->loads.report);
		check_readers(&top->processes, &top->loads.report);
	} else if (!top->begun) {
		take_cost(top);
	}
	top_join(top, taken ? &top->loads.report : NULL, top_now(top));
	if (top_group_latencies(top))
		return error_no_memory(err);
	list_nodes(top);
	update_page(top);
	return taken ? load_run_next(&top->loads, err) : 0;
}

void top_close(struct top *top)
{
	top_focus_free(&top->focus);
	if (top->sampling)
		load_run_close(&top->loads, NULL);
	rolling_scan_free(&top->processes);
	top_latencies_free(&top->latencies);
	cxl_nodes_free(&top->nodes);
	platform_destroy(top->own);
}
