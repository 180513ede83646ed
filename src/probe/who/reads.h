/* SPDX-License-Identifier: BSD-3-Clause */
/* What rows read from CXL memory: estimated by what each CPU has read, or sampled. */
#ifndef CXLMON_PROBE_WHO_READS_H
#define CXLMON_PROBE_WHO_READS_H

#include <signal.h>

#include "probe/who/watch.h"
#include "process/load_run.h"
#include "session/sampling.h"
#include "session/session.h"

/* reads.c: reads of each CPU, counted between scans where the processor can tell. */

#define WHO_READ_COLUMNS 3

struct who_reads {
	struct session session;
	struct sampling sampling;
	size_t columns[WHO_READ_COLUMNS]; /* of the view: their sum is the reads of a CPU */
	size_t column_count;
	struct sample sample; /* the last one */
};

/*
 * Opens a session of a machine, and starts counting. *reads must not be moved until
 * who_reads_close(), which must also be called after an error, which is why nothing can be counted.
 * ERROR_NO_UNIT: the processor has no such event.
 */
int who_reads_open(struct who_reads *reads, const struct session_options *machine,
		   const struct log *log, struct error *err);

/* Waits for the next deadline, and takes the sample. -EINTR: a signal of *wake came. */
int who_reads_wait(struct who_reads *reads, const sigset_t *wake, int *signal_number,
		   struct error *err);

/* In MB/s, in the last sample: a who_cpu_reads. */
double who_reads_of_cpu(const void *reads, unsigned cpu);

/* Restores the registers. */
int who_reads_close(struct who_reads *reads, struct error *err);

/*
 * Estimates what processes read from CXL memory: a CPU counts what it has read, but not for
 * which process. What each CPU has read since the last scan is split among the threads of the
 * listed processes that last ran on it, in proportion to the CPU time that they have used since. A
 * thread that moved counts where it last ran; what was read for other processes, or by the kernel
 * for itself, is given to those that ran on the same CPU; where none of them did, to nobody.
 */

#define WHO_CPUS_MOST 65536

/* The reads of a CPU, in MB/s; NAN: not known. */
typedef double who_cpu_reads(const void *context, unsigned cpu);

/*
 * Sets who_row.read_MBps of each process: NAN where it was not in the last scan, or has run on a
 * CPU whose reads are not known. -ENOMEM.
 */
int who_estimate(struct who_scan *scan, who_cpu_reads *reads, const void *context);

/*
 * samples.c: loads from the watched nodes, sampled between scans, as hot has them. Reads of guests
 * are unknown: on Intel, PEBS is off while they run (intel_guest_get_msrs() in
 * arch/x86/events/intel/core.c); on AMD, records of IBS have addresses of theirs.
 */

struct who_samples {
	struct load_run_options options;
	struct load_run loads;
	struct who_watch *watch;
	bool open;
	uint64_t left_out; /* samples in all, of processes for which there was no row */
};

/*
 * Starts sampling for a watch, which knows its platform and nodes. event NULL: one of
 * the processor. ERROR_NO_UNIT, ERROR_PERMISSION. *samples must not be moved until
 * who_samples_close(), which must also be called after an error.
 */
int who_samples_open(struct who_samples *samples, struct who_watch *watch,
		     const struct load_event *event, const struct log *log, struct error *err);

/* Says which samples were lost, or left out. */
void who_samples_close(struct who_samples *samples);

/* Waits until then, and takes samples meanwhile. -EINTR: as who_watch_wait(). */
int who_samples_wait(struct who_samples *samples, uint64_t until, struct error *err);

/*
 * Ends an interval, and sets who_row.reads_per_s of what was scanned; NAN, and counts it in
 * .with_guests, if a VM is a part of it. 0 or a negative errno.
 */
int who_samples_give(struct who_samples *samples, struct error *err);

#endif
