/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads from CXL memory by the processes and groups of a scan (watch.h): estimated from the reads
 * of each CPU, or sampled.
 */
#ifndef CXLMON_PROBE_WHO_READS_H
#define CXLMON_PROBE_WHO_READS_H

#include <signal.h>

#include "probe/who/watch.h"
#include "process/load_run.h"
#include "session/sampling.h"
#include "session/session.h"

/* reads.c: reads from CXL memory by each CPU, counted between scans. */

#define WHO_READ_COLUMNS 3

struct who_reads {
	struct session session;
	struct sampling sampling;
	size_t columns[WHO_READ_COLUMNS]; /* columns of the view whose sum is a CPU's reads */
	size_t column_count;
	struct sample sample; /* latest sample */
};

/*
 * Opens a session that counts reads by CPU, and starts it. machine: only .sim, .root, .backend and
 * .interval_ns are used. *reads must not move until who_reads_close(), which is also called after
 * an error. Returns 0 or a negative errno:
 * - ERROR_NO_UNIT: the processor has no event for reads of CXL memory by CPU
 * - ERROR_PERMISSION, ERROR_IN_USE: the event cannot be counted now
 */
int who_reads_open(struct who_reads *reads, const struct session_options *machine,
		   const struct log *log, struct error *err);

/*
 * Waits for the next deadline, and takes a sample. Returns 0 or a negative errno. -EINTR: a signal
 * of *wake came that ends the program; *signal_number is its number.
 */
int who_reads_wait(struct who_reads *reads, const sigset_t *wake, int *signal_number,
		   struct error *err);

/*
 * Returns a CPU's reads in the latest sample, in MB/s; NAN: unknown. reads: a struct who_reads.
 * Passed to who_estimate().
 */
double who_reads_of_cpu(const void *reads, unsigned cpu);

/* Stops counting, and restores registers. Returns 0 or a negative errno of session_stop(). */
int who_reads_close(struct who_reads *reads, struct error *err);

/*
 * An estimate of the CXL reads of processes. A CPU counts its reads, but not by process. So each
 * CPU's reads since the previous scan are split among the threads that last ran on it, in
 * proportion to their CPU time since that scan. All of a thread's time counts for its last CPU.
 *
 * Only threads of scanned processes are known. They also get the CPU's reads by the kernel and by
 * other processes. If a CPU has no such thread, nobody gets its reads.
 */

#define WHO_CPUS_MOST 65536 /* threads on CPUs from this number on are ignored */

/* Returns the reads of a CPU since the previous scan, in MB/s; NAN: unknown. */
typedef double who_cpu_reads(const void *context, unsigned cpu);

/*
 * Sets .counted.read_MBps in the row of each process. The scan must have threads
 * (who_watch.with_threads). NAN: threads of the process are unknown in this scan or the previous
 * one, or a thread ran on a CPU whose reads are unknown. context: passed to reads(). Returns 0 or
 * -ENOMEM.
 */
int who_estimate(struct who_scan *scan, who_cpu_reads *reads, const void *context);

/*
 * samples.c: loads from the watched nodes, sampled between scans (process/load_run.h). Reads by a
 * VM's guest are unknown. On Intel, PEBS is off while a guest runs (intel_guest_get_msrs() in
 * arch/x86/events/intel/core.c). On AMD, IBS records the guest's own addresses.
 */

struct who_samples {
	struct load_run_options options;
	struct load_run loads;
	struct who_watch *watch; /* not owned */
	bool open;		 /* loads are sampled */
	/* samples of the whole run, from the watched nodes, that had no row in .loads */
	uint64_t left_out;
};

/*
 * Starts sampling for a watch. Sets watch->meanwhile and watch->context; the caller has set the
 * other members. event NULL: an event of the processor. *samples must not move until
 * who_samples_close(), which is also called after an error. Returns 0 or a negative errno:
 * - ERROR_NO_UNIT: the processor has no event whose samples estimate the number of loads
 * - ERROR_PERMISSION: the kernel does not allow sampling
 */
int who_samples_open(struct who_samples *samples, struct who_watch *watch,
		     const struct load_event *event, const struct log *log, struct error *err);

/*
 * Stops sampling. If samples were lost or left out, writes a note to the log. If *samples is not
 * open, does nothing.
 */
void who_samples_close(struct who_samples *samples);

/*
 * Waits until the platform's clock reaches until (ns), and reads samples meanwhile. Returns 0 or a
 * negative errno. -EINTR: a signal of watch->wake came that ends the program.
 */
int who_samples_wait(struct who_samples *samples, uint64_t until, struct error *err);

/*
 * Ends an interval of samples, right after a scan. Sets .per_s and .MBps of .reads.cxl in the rows
 * that the scan shows; NAN: unknown, as in the first scan. A row with a VM is unknown, and is
 * counted in who_scan.with_guests. Returns 0 or a negative errno.
 */
int who_samples_give(struct who_samples *samples, struct error *err);

#endif
