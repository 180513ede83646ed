/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Estimates what processes read from CXL memory: a CPU counts what it has read, but not for
 * which process. What each CPU has read since the last scan is split among the threads of the
 * listed processes that last ran on it, in proportion to the CPU time that they have used since. A
 * thread that moved counts where it last ran; what was read for other processes, or by the kernel
 * for itself, is given to those that ran on the same CPU; where none of them did, to nobody.
 */
#ifndef CXLMON_WHO_ESTIMATE_H
#define CXLMON_WHO_ESTIMATE_H

#include "who/scan.h"

#define WHO_CPUS_MOST 65536

/* The reads of a CPU, in MB/s; NAN: not known. */
typedef double who_cpu_reads(const void *context, unsigned cpu);

/*
 * Sets who_process.cpu_MBps of each process: NAN where it was not in the last scan, or has run on a
 * CPU whose reads are not known. -ENOMEM.
 */
int who_estimate(struct who_scan *scan, who_cpu_reads *reads, const void *context);

#endif
