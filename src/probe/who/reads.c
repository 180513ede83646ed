/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/who/reads.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linux/run/signals.h"
#include "session/session.h"

/* Metrics of reads by CPU; no processor has both kinds. */
static const char *const metrics[WHO_READ_COLUMNS] = {"cxl_read_local_MBps", "cxl_read_remote_MBps",
						      "cxl_fill_MBps"};

static int find_columns(struct who_reads *reads, struct error *err)
{
	const struct table *table = &reads->session.view.table;

	for (size_t i = 0; i < WHO_READ_COLUMNS; i++) {
		const size_t column = table_find(table, metrics[i]);

		if (column != SIZE_MAX && !table->columns[column].never_known)
			reads->columns[reads->column_count++] = column;
	}
	if (reads->column_count)
		return 0;
	return error_set(err, ERROR_NO_UNIT, -ENODEV,
			 "the CPUs of %s have no known event for reads of CXL memory",
			 reads->session.machine.model->name);
}

int who_reads_open(struct who_reads *reads, const struct session_options *machine,
		   const struct log *log, struct error *err)
{
	const struct session_options options = {
		.sim = machine->sim,
		.root = machine->root,
		.backend = machine->backend,
		.view = {.groups = "core", .finest = SCOPE_CPU},
		.interval_ns = machine->interval_ns,
	};

	*reads = (struct who_reads){.column_count = 0};
	int rc = session_open(&options, log, &reads->session, err);
	if (!rc)
		rc = find_columns(reads, err);
	if (!rc)
		rc = session_start(&reads->session, err);
	if (!rc)
		rc = sampling_begin(&reads->sampling, reads->session.poller, &reads->session.plan,
				    err);
	return rc;
}

int who_reads_wait(struct who_reads *reads, const sigset_t *wake, int *signal_number,
		   struct error *err)
{
	int rc;

	do
		rc = sampling_wait(&reads->sampling, wake, signal_number, err);
	while (rc == -EINTR && (*signal_number == SIGCHLD || *signal_number == SIGNAL_KICK));
	if (!rc)
		rc = sampling_take(&reads->sampling, &reads->sample, err);
	if (!rc)
		view_update(&reads->session.view, &reads->sample);
	return rc;
}

double who_reads_of_cpu(const void *context, unsigned cpu)
{
	const struct who_reads *reads = context;
	const struct table *table = &reads->session.view.table;

	for (size_t r = 0; r < table->row_count; r++) {
		const struct row *row = &table->rows[r];
		double sum = 0;

		if (row->place.kind != ROW_CPU || row->place.cpu < 0 ||
		    (unsigned)row->place.cpu != cpu)
			continue;
		for (size_t i = 0; i < reads->column_count; i++)
			sum += row->values[reads->columns[i]].number;
		return sum;
	}
	return NAN;
}

int who_reads_close(struct who_reads *reads, struct error *err)
{
	sampling_free(&reads->sampling);
	const int rc = session_stop(&reads->session, err);
	session_close(&reads->session);
	return rc;
}

/* Tells if a thread has run since the previous scan, on a CPU that is counted. */
static bool thread_counts(const struct row_thread *thread)
{
	return thread->ran && thread->cpu < WHO_CPUS_MOST;
}

static double share_of(const struct process_row *process, const uint64_t *ran, who_cpu_reads *reads,
		       const void *context)
{
	double sum = 0;

	if (!process->threads.known)
		return NAN;
	for (size_t i = 0; i < process->threads.count; i++) {
		const struct row_thread *thread = &process->threads.at[i];

		if (thread_counts(thread))
			sum += reads(context, thread->cpu) * (double)thread->ran /
			       (double)ran[thread->cpu];
	}
	return sum;
}

int who_estimate(struct who_scan *scan, who_cpu_reads *reads, const void *context)
{
	const struct who_rows *processes = &scan->processes;
	uint64_t *ran = calloc(WHO_CPUS_MOST, sizeof(*ran));

	if (!ran)
		return -ENOMEM;
	for (size_t p = 0; p < processes->count; p++) {
		const struct process_row *process = &processes->at[p];

		for (size_t i = 0; process->threads.known && i < process->threads.count; i++)
			if (thread_counts(&process->threads.at[i]))
				ran[process->threads.at[i].cpu] += process->threads.at[i].ran;
	}
	for (size_t p = 0; p < processes->count; p++)
		processes->at[p].counted.read_MBps =
			share_of(&processes->at[p], ran, reads, context);
	free(ran);
	return 0;
}
