/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/who/reads.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rootfs.h"
#include "linux/run/process.h"
#include "probe/who/who_private.h"
#include "process/cgroup_names.h"
#include "uncore/machine.h"

#define READ_NS (NS_PER_S / 10) /* time between readings of samples */

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
				 "--reads: no event is known by which samples on this processor "
				 "say how many loads there were");
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
			  "%" PRIu64 " samples of reads were lost, and %" PRIu64 " left out, as "
			  "there was no room",
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

	while (!rc && !p->virtual_clock && p->ops->clock->now(p) + READ_NS < until) {
		rc = who_watch_wait(s->watch, p->ops->clock->now(p) + READ_NS, err);
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
static bool still_runs(const struct who_samples *s, const struct process_row *row)
{
	return process_table_runs(&s->loads.intake.processes, row->pid, row->key.a);
}

/*
 * Returns reads per second from the watched nodes; NAN: an emulator, whose own loads are not its
 * guest's. Rows of guests have no reads, because the node of a guest's read is unknown.
 */
static double reads_of(const struct who_samples *s, const struct process_row *row)
{
	return still_runs(s, row) && runs_vm(s, row->pid)
		       ? NAN
		       : report_per_s(&s->loads.report, row, MEMORY_CXL);
}

/* Returns the cgroup of a process; after its end, its last one. */
static const char *cgroup_of(const struct who_samples *s, const struct process_row *row,
			     char line[ROOTFS_PATH_SIZE])
{
	const char *path = still_runs(s, row)
				   ? processes_of(s)->cgroup(s->watch->platform, row->pid, line)
				   : NULL;

	return path ? path : process_name(&s->loads.intake.names, row->cgroup);
}

/* Tells if a row belongs to a chosen process, and not to a guest. */
static bool is_of_process(const struct who_samples *s, const struct process_row *row)
{
	char line[ROOTFS_PATH_SIZE];

	return row->pid && !row->key.b && who_watch_has_pid(s->watch, row->pid) &&
	       (!*s->watch->cgroup || cgroup_contains(s->watch->cgroup, cgroup_of(s, row, line)));
}

static struct who_row *row_of_user(const struct who_scan *scan, uid_t uid)
{
	for (size_t g = 0; g < scan->groups.count; g++)
		if (strtoul(scan->groups.at[g].key, NULL, 10) == uid)
			return &scan->groups.at[g];
	return NULL;
}

/* Returns the effective user of a process; after its end, its last owner. */
static uid_t user_of(const struct who_samples *s, const struct process_row *row)
{
	struct listed_process listed;

	return still_runs(s, row) &&
			       processes_of(s)->status(s->watch->platform, row->pid, &listed) > 0
		       ? listed.uid
		       : row->owner;
}

static void give_to_users(const struct who_samples *s, const struct who_scan *scan)
{
	const struct process_report *report = &s->loads.report;

	for (size_t i = 0; i < report->count; i++) {
		struct who_row *user = is_of_process(s, report->rows[i])
					       ? row_of_user(scan, user_of(s, report->rows[i]))
					       : NULL;

		if (user)
			user->reads_per_s += reads_of(s, report->rows[i]);
	}
	/* a user of a VM has no rate, even if no samples of its emulator came */
	for (size_t i = 0; i < scan->processes.count; i++) {
		const struct who_row *process = &scan->processes.at[i];
		struct who_row *user = row_of_user(scan, process->uid);

		if (user && isnan(process->reads_per_s))
			user->reads_per_s = NAN;
	}
}

static void give_to_processes(const struct who_samples *s, const struct who_scan *scan)
{
	const struct process_report *report = &s->loads.report;

	for (size_t i = 0; i < scan->processes.count; i++) {
		struct who_row *process = &scan->processes.at[i];

		process->reads_per_s = runs_vm(s, process->pid) ? NAN : 0;
		for (size_t r = 0; r < report->count; r++) {
			const struct process_row *row = report->rows[r];

			if (row->pid == process->pid && is_of_process(s, row) && still_runs(s, row))
				process->reads_per_s += report_per_s(report, row, MEMORY_CXL);
		}
	}
}

/* Gives reads to cgroups, none of which is below another. */
static void give_to_cgroups(const struct who_samples *s, const struct who_scan *scan)
{
	const struct process_report *report = &s->loads.report;
	char line[ROOTFS_PATH_SIZE], name[CGROUP_NAME_SIZE];

	for (size_t g = 0; g < scan->groups.count; g++)
		if (cgroup_outermost_name(scan->groups.at[g].key, cgroup_vm_name, name))
			scan->groups.at[g].reads_per_s = NAN;
	for (size_t i = 0; i < report->count; i++) {
		const struct process_row *row = report->rows[i];
		const char *path = is_of_process(s, row) ? cgroup_of(s, row, line) : "";

		for (size_t g = 0; *path && g < scan->groups.count; g++)
			if (cgroup_contains(scan->groups.at[g].key, path))
				scan->groups.at[g].reads_per_s += reads_of(s, row);
	}
}

static void give_reads(struct who_samples *s)
{
	struct who_scan *scan = &s->watch->scan;
	const struct process_report *report = &s->loads.report;
	const struct who_rows *shown = who_shown(scan, s->watch->by);

	if (row_by_cgroups(s->watch->by)) {
		give_to_cgroups(s, scan);
	} else {
		give_to_processes(s, scan);
		give_to_users(s, scan);
	}
	s->left_out += report_samples(report, report->others, MEMORY_CXL);
	/* rows that are unknown for lack of rates do not count: that is not due to guests */
	for (size_t i = 0; i < shown->count && *report_rates(report); i++)
		scan->with_guests += isnan(shown->at[i].reads_per_s);
}

static void forget_reads(const struct who_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		rows->at[i].reads_per_s = NAN;
}

int who_samples_give(struct who_samples *s, struct error *err)
{
	const int taken = load_run_take(&s->loads, false, err);

	if (taken < 0)
		return taken;
	if (taken) {
		give_reads(s);
		return load_run_next(&s->loads, err);
	}
	forget_reads(&s->watch->scan.processes);
	forget_reads(&s->watch->scan.groups);
	return 0;
}
