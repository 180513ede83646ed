/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/who/reads.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rootfs.h"
#include "linux/run/process.h"
#include "probe/who/who_private.h"
#include "process/cgroup_names.h"
#include "uncore/machine.h"

/* Returns the processor's event whose samples count loads, or NULL. */
static const struct load_event *event_of(struct platform *p)
{
	struct cpu_identity identity;
	const struct model *model;
	struct error ignored;

	if (machine_find_model(p, &identity, &model, &ignored) || !model->load_events)
		return NULL;
	return model->load_events[0]->counts ? model->load_events[0] : NULL;
}

static void read_meanwhile(void *context)
{
	struct who_samples *s = context;

	process_intake_read(&s->loads.intake);
}

int who_samples_open(struct who_samples *s, struct who_watch *watch, const struct load_event *event,
		     const struct log *log, struct error *err)
{
	struct platform *p = watch->platform;

	*s = (struct who_samples){
		.watch = watch,
		.options = {.samples_alone = true,
			    .platform = p,
			    .nodes = &watch->nodes->numa,
			    .starts_later = true,
			    .without_heat = true,
			    .cgroups = row_by_cgroups(watch->by) || *watch->cgroup,
			    .event = event,
			    .by = BY_PROCESS},
	};
	if ((!event && !event_of(p)) || !p->ops->samples)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "--reads: this processor has no known event whose samples show "
				 "how many loads there were");
	s->open = true;
	int rc = load_run_open(&s->options, log, &s->loads, err);
	if (!rc)
		rc = load_run_start(&s->loads, err);
	if (rc)
		return rc;
	load_run_begin(&s->loads);
	watch->meanwhile = read_meanwhile;
	watch->context = s;
	return 0;
}

void who_samples_close(struct who_samples *s)
{
	const struct sampler *sampler = s->open ? s->loads.intake.sampler : NULL;
	const uint64_t lost = sampler ? sampler->lost : 0;

	if (lost + s->left_out)
		log_write(s->loads.log, LEVEL_NOTE,
			  "%" PRIu64 " samples of reads were lost, and %" PRIu64
			  " left out for want of room",
			  lost, s->left_out);
	if (s->open)
		load_run_close(&s->loads, NULL);
	*s = (struct who_samples){.open = false};
}

/*
 * Waits, and reads samples meanwhile. A virtual clock stands still until somebody waits, so that
 * it loses no samples.
 */
int who_samples_wait(struct who_samples *s, uint64_t until, struct error *err)
{
	struct platform *p = s->watch->platform;
	int rc = 0;

	while (!rc && !p->virtual_clock && p->ops->clock->now(p) + LOAD_READ_NS < until) {
		rc = who_watch_wait(s->watch, p->ops->clock->now(p) + LOAD_READ_NS, err);
		if (!rc)
			rc = load_run_read(&s->loads, err);
	}
	return rc ? rc : who_watch_wait(s->watch, until, err);
}

/* Samples by row. */

static const struct process_ops *processes_of(const struct who_samples *s)
{
	return s->watch->platform->ops->processes;
}

static bool runs_vm(const struct who_samples *s, unsigned pid)
{
	return processes_of(s)->runs_vm(s->watch->platform, pid);
}

/* Tells if the process of a row still runs, so that the files of its pid belong to it. */
static bool still_runs(const struct who_samples *s, const struct sampled_row *row)
{
	return process_table_runs(&s->loads.intake.processes, row->pid, row->key.a);
}

/*
 * Adds the reads of a process from the watched nodes, which are unknown for an emulator: its own
 * loads are not its guest's. Rows of guests have no reads, because the node of a guest's read is
 * unknown.
 */
static void add_reads(const struct who_samples *s, const struct sampled_row *row,
		      struct memory_reads *sum)
{
	const struct process_report *report = &s->loads.report;
	const double unknown = still_runs(s, row) && runs_vm(s, row->pid) ? NAN : 0;

	sum->per_s += report_per_s(report, row, MEMORY_CXL) + unknown;
	sum->MBps += report_MBps(report, row, MEMORY_CXL) + unknown;
}

/* Returns the cgroup of a process; after its end, its last one. */
static const char *cgroup_of(const struct who_samples *s, const struct sampled_row *row,
			     char line[ROOTFS_PATH_SIZE])
{
	const char *path = still_runs(s, row)
				   ? processes_of(s)->cgroup(s->watch->platform, row->pid, line)
				   : NULL;

	return path ? path : process_name(&s->loads.intake.names, row->cgroup);
}

/* Tells if a row belongs to a chosen process, and not to a guest. */
static bool is_of_process(const struct who_samples *s, const struct sampled_row *row)
{
	char line[ROOTFS_PATH_SIZE];

	return row->pid && !row->key.b && who_watch_has_pid(s->watch, row->pid) &&
	       (!*s->watch->cgroup || cgroup_contains(s->watch->cgroup, cgroup_of(s, row, line)));
}

/* Returns the effective user of a process; after its end, its last owner. */
static uid_t user_of(const struct who_samples *s, const struct sampled_row *row)
{
	struct listed_process listed;

	return still_runs(s, row) &&
			       processes_of(s)->status(s->watch->platform, row->pid, &listed) > 0
		       ? listed.uid
		       : row->owner;
}

/* Tells if a row has the reads of a process, of that user and cgroup. */
static bool has_reads_of(enum row_by by, const struct process_row *shown,
			 const struct sampled_row *row, uid_t uid, const char *cgroup)
{
	if (row_by_cgroups(by))
		return *cgroup && cgroup_contains(shown->key, cgroup);
	return by == BY_USER ? strtoul(shown->key, NULL, 10) == uid : shown->is.pid == row->pid;
}

/* Gives the reads of a process to its row, its user, or cgroups, none of which is below another. */
static void give_row(const struct who_samples *s, const struct who_rows *shown,
		     const struct sampled_row *row)
{
	const enum row_by by = s->watch->by;
	char line[ROOTFS_PATH_SIZE];
	const uid_t uid = by == BY_USER ? user_of(s, row) : OWNER_UNKNOWN;
	const char *cgroup = row_by_cgroups(by) ? cgroup_of(s, row, line) : "";

	for (size_t i = 0; i < shown->count; i++)
		if (has_reads_of(by, &shown->at[i], row, uid, cgroup))
			add_reads(s, row, &shown->at[i].reads.cxl);
}

/* Tells if a row has a VM, even if no samples of its emulator came. */
static bool has_vm(const struct who_samples *s, const struct process_row *shown)
{
	const struct who_rows *processes = &s->watch->scan.processes;
	char name[CGROUP_NAME_SIZE];

	if (row_by_cgroups(s->watch->by))
		return cgroup_outermost_name(shown->key, cgroup_vm_name, name);
	if (s->watch->by == BY_PROCESS)
		return runs_vm(s, shown->is.pid);
	for (size_t i = 0; i < processes->count; i++)
		if (processes->at[i].is.uid == strtoul(shown->key, NULL, 10) &&
		    runs_vm(s, processes->at[i].is.pid))
			return true;
	return false;
}

static void give_reads(struct who_samples *s)
{
	struct who_scan *scan = &s->watch->scan;
	const struct process_report *report = &s->loads.report;
	const struct who_rows *shown = who_shown(scan, s->watch->by);

	for (size_t i = 0; i < shown->count; i++) {
		struct memory_reads *reads = &shown->at[i].reads.cxl;

		reads->per_s = has_vm(s, &shown->at[i]) ? NAN : 0;
		reads->MBps = report->event->no_loads ? NAN : reads->per_s;
	}
	for (size_t i = 0; i < report->count; i++)
		if (is_of_process(s, report->rows[i]) &&
		    (s->watch->by != BY_PROCESS || still_runs(s, report->rows[i])))
			give_row(s, shown, report->rows[i]);
	s->left_out += report_samples(report, report->others, MEMORY_CXL);
	/* rows that are unknown for lack of rates do not count: that is not due to guests */
	for (size_t i = 0; i < shown->count && *report_rates(report); i++)
		scan->with_guests += isnan(shown->at[i].reads.cxl.per_s);
	/* no interval ends with the first scan */
	for (size_t i = 0; i < shown->count && isnan(scan->interval_s); i++)
		shown->at[i].reads = process_row_unknown.reads;
}

int who_samples_give(struct who_samples *s, struct error *err)
{
	const int taken = load_run_take(&s->loads, false, err);

	if (taken <= 0)
		return taken;
	give_reads(s);
	return load_run_next(&s->loads, err);
}
