/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads from the watched nodes, sampled between scans: of which process each is says the kernel, so
 * that nothing is estimated by CPU time. What guests read is not known: on Intel, PEBS is off while
 * they run (intel_guest_get_msrs() in arch/x86/events/intel/core.c); on AMD, records of IBS have
 * addresses of theirs.
 */
#ifndef CXLMON_PROBE_WHO_SAMPLES_H
#define CXLMON_PROBE_WHO_SAMPLES_H

#include "platform/load_sample.h"
#include "platform/memory.h"
#include "probe/who/watch.h"

#define WHO_SAMPLED_MOST                                                                           \
	65536 /* processes between two scans; those of further ones are left out                   \
	       */

struct sampled_process {
	unsigned pid;	 /* 0: the slot is free */
	uint64_t events; /* for which its samples stand */
};

struct who_samples {
	struct sampler *sampler; /* NULL: nothing is sampled */
	const struct cxl_nodes *nodes;
	struct platform *platform;
	struct memory_map map;
	struct sampled_process *slots; /* by pid, open addressing */
	size_t count;
	uint64_t samples; /* of all memory, since since_ns */
	/* on the platform's clock: when samples were read, and up to when they were given */
	uint64_t read_ns, since_ns;
	uint64_t left_out; /* samples in all */
};

/*
 * Starts sampling. event: NULL: that of the processor. ERROR_NO_UNIT, ERROR_PERMISSION. Ended by
 * who_samples_close(), also after an error.
 */
int who_samples_open(struct who_samples *samples, struct platform *platform,
		     const struct cxl_nodes *nodes, const struct load_event *event,
		     struct error *err);
void who_samples_close(struct who_samples *samples);

/* Takes the samples that are there: at least ten times a second, or some may be lost. */
void who_samples_read(struct who_samples *samples);

/*
 * Sets who_row.reads_per_s of what was scanned to what was read since the last call, and begins
 * anew; NAN, and counts it in .with_guests, where a VM is a part of it. A process that has ended by
 * now gives nothing to its cgroup. 0 or a negative errno.
 */
int who_samples_give(struct who_samples *samples, struct who_watch *watch, struct error *err);

#endif
