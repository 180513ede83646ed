/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads of CXL memory by rows: estimated from the reads of each CPU, or sampled. */
#ifndef CXLMON_PROBE_WHO_READS_H
#define CXLMON_PROBE_WHO_READS_H

#include <signal.h>

#include "probe/who/watch.h"
#include "process/load_run.h"
#include "session/sampling.h"
#include "session/session.h"

/* reads.c: reads of each CPU, counted between scans if the processor can. */

#define WHO_READ_COLUMNS 3

struct who_reads {
	struct session session;
	struct sampling sampling;
	/* columns of the view whose sum is a CPU's reads */
	size_t columns[WHO_READ_COLUMNS];
	size_t column_count;
	struct sample sample; /* last sample */
};

/*
 * Opens a session of a machine, and starts counting. *reads must not move until who_reads_close(),
 * which must also be called after an error; the error says why nothing can be counted.
 * ERROR_NO_UNIT: the processor has no such event.
 */
int who_reads_open(struct who_reads *reads, const struct session_options *machine,
		   const struct log *log, struct error *err);

/* Waits for the next deadline, and takes the sample. -EINTR: a signal of *wake came. */
int who_reads_wait(struct who_reads *reads, const sigset_t *wake, int *signal_number,
		   struct error *err);

/* Returns a CPU's reads in the last sample, in MB/s: a who_cpu_reads. */
double who_reads_of_cpu(const void *reads, unsigned cpu);

/* Stops counting, and restores the registers. */
int who_reads_close(struct who_reads *reads, struct error *err);

/*
 * Estimates the CXL reads of processes. A CPU counts its reads, but not by process. Each CPU's
 * reads since the last scan are split among the threads of listed processes that last ran on it,
 * in proportion to their CPU time since. A thread that moved counts where it last ran. Reads for
 * other processes, or by the kernel for itself, go to the processes that ran on the same CPU; if
 * none did, to nobody.
 */

#define WHO_CPUS_MOST 65536

/* Returns the reads of a CPU, in MB/s; NAN: unknown. */
typedef double who_cpu_reads(const void *context, unsigned cpu);

/*
 * Sets who_row.read_MBps of each process. NAN: the process was not in the last scan, or has run on
 * a CPU whose reads are unknown. -ENOMEM.
 */
int who_estimate(struct who_scan *scan, who_cpu_reads *reads, const void *context);

/*
 * samples.c: loads from the watched nodes, sampled between scans, as cxlmon-hot does. Reads by
 * guests are unknown: on Intel, PEBS is off while they run (intel_guest_get_msrs() in
 * arch/x86/events/intel/core.c); on AMD, IBS records guest addresses.
 */

struct who_samples {
	struct load_run_options options;
	struct load_run loads;
	struct who_watch *watch;
	bool open;
	/* samples of processes that had no room for a row, over all intervals */
	uint64_t left_out;
};

/*
 * Starts sampling for a watch, whose platform and nodes are set. event NULL: an event of the
 * processor. ERROR_NO_UNIT, ERROR_PERMISSION. *samples must not move until who_samples_close(),
 * which must also be called after an error.
 */
int who_samples_open(struct who_samples *samples, struct who_watch *watch,
		     const struct load_event *event, const struct log *log, struct error *err);

/* Stops sampling, and writes a note if samples were lost or left out. */
void who_samples_close(struct who_samples *samples);

/* Waits until then, and reads samples meanwhile. -EINTR: as who_watch_wait(). */
int who_samples_wait(struct who_samples *samples, uint64_t until, struct error *err);

/*
 * Ends an interval, and sets who_row.reads_per_s of the scanned rows. A row with a VM gets NAN and
 * is counted in .with_guests. 0 or a negative errno.
 */
int who_samples_give(struct who_samples *samples, struct error *err);

#endif
