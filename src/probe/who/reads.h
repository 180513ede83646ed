/* SPDX-License-Identifier: BSD-3-Clause */
/* How much rows of a scan read from CXL memory: estimated from each CPU's reads, or sampled. */
#ifndef CXLMON_PROBE_WHO_READS_H
#define CXLMON_PROBE_WHO_READS_H

#include <signal.h>

#include "probe/who/watch.h"
#include "process/load_run.h"
#include "session/sampling.h"
#include "session/session.h"

/* reads.c: reads from CXL memory by each CPU, counted between scans if the processor can. */

#define WHO_READ_COLUMNS 3

struct who_reads {
	struct session session;
	struct sampling sampling;
	size_t columns[WHO_READ_COLUMNS]; /* columns of the view whose sum is a CPU's reads */
	size_t column_count;
	struct sample sample; /* latest sample */
};

/*
 * Opens a session of a machine (.sim, .root, .backend and .interval_ns of *machine), and starts
 * counting. ERROR_NO_UNIT: the processor has no such event. ERROR_PERMISSION, ERROR_IN_USE: it
 * cannot be counted now. *reads must not move until who_reads_close(), which is also called after
 * an error.
 */
int who_reads_open(struct who_reads *reads, const struct session_options *machine,
		   const struct log *log, struct error *err);

/*
 * Waits for the next deadline, and takes a sample. -EINTR: a signal of *wake came, and is in
 * *signal_number.
 */
int who_reads_wait(struct who_reads *reads, const sigset_t *wake, int *signal_number,
		   struct error *err);

/*
 * Returns a CPU's reads in the latest sample, in MB/s; NAN: unknown. reads: a struct who_reads. For
 * who_estimate().
 */
double who_reads_of_cpu(const void *reads, unsigned cpu);

/* Stops counting, and restores the registers, which may fail. */
int who_reads_close(struct who_reads *reads, struct error *err);

/*
 * An estimate of the CXL reads of processes. A CPU counts its reads, but not by process. Each CPU's
 * reads since the previous scan are split among the threads of scanned processes that last ran on
 * it, in proportion to their CPU time since that scan. All time of a thread counts for the CPU on
 * which it last ran. So reads by the kernel, or by processes that are not scanned, go to the
 * scanned processes on the same CPU; if there are none, to nobody.
 */

#define WHO_CPUS_MOST 65536 /* threads on CPUs from this number on are ignored */

/* Returns the reads of a CPU since the previous scan, in MB/s; NAN: unknown. */
typedef double who_cpu_reads(const void *context, unsigned cpu);

/*
 * Sets process_row.counted.read_MBps of each process of a scan taken .with_threads. NAN: its
 * threads are unknown in this scan or the previous one, or have run on a CPU whose reads are
 * unknown. 0 or -ENOMEM.
 */
int who_estimate(struct who_scan *scan, who_cpu_reads *reads, const void *context);

/*
 * samples.c: loads from the watched nodes, sampled between scans, as cxlmon-hot does. Reads by VMs
 * are unknown: on Intel, PEBS is off while a guest runs (intel_guest_get_msrs() in
 * arch/x86/events/intel/core.c); on AMD, IBS records the guest's own addresses.
 */

struct who_samples {
	struct load_run_options options;
	struct load_run loads;
	struct who_watch *watch; /* not owned */
	bool open;		 /* loads are sampled */
	/* samples of processes for which there was no row, in the whole run */
	uint64_t left_out;
};

/*
 * Starts sampling for a watch that the caller has set up, and sets its .meanwhile and .context.
 * event NULL: an event of the processor. ERROR_NO_UNIT: it has no event whose samples show how many
 * loads there were. ERROR_PERMISSION: the kernel does not allow it. *samples must not move until
 * who_samples_close(), which is also called after an error.
 */
int who_samples_open(struct who_samples *samples, struct who_watch *watch,
		     const struct load_event *event, const struct log *log, struct error *err);

/* Stops sampling, and writes a note if samples were lost or left out. Closed: does nothing. */
void who_samples_close(struct who_samples *samples);

/*
 * Waits until the platform's clock reaches until (ns), and reads samples meanwhile. -EINTR: a
 * signal came that ends the program.
 */
int who_samples_wait(struct who_samples *samples, uint64_t until, struct error *err);

/*
 * Ends an interval right after a scan, and sets process_row.reads.cxl.per_s of the rows that are
 * shown; NAN: unknown, as for a row with a VM, which is counted in .with_guests. 0 or a negative
 * errno.
 */
int who_samples_give(struct who_samples *samples, struct error *err);

#endif
