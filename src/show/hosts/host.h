/* SPDX-License-Identifier: BSD-3-Clause */
/* The recording of a host, one of several hosts of a job. */
#ifndef CXLMON_SHOW_HOSTS_HOST_H
#define CXLMON_SHOW_HOSTS_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/recording_file.h"

#define HOST_NAME_SIZE 128
#define HOST_JOB_SIZE  32

/* Numbers of a host that are compared with other hosts: means of the whole system. */
enum host_metric {
	HOST_CXL_READ,
	HOST_CXL_WRITE,
	HOST_CXL_LATENCY,
	HOST_DRAM_READ,
	HOST_DRAM_WRITE,
	HOST_METRICS
};

struct host {
	const char *file; /* name of the file, for messages; not owned */
	/*
	 * Recorded name of the host, or the name of the file without directory and ".cxl" if the
	 * recording has none.
	 */
	char host[HOST_NAME_SIZE];
	bool is_named; /* the recording has the name of its host */
	/* .host, followed by the file if other recordings have the same: "n1 (run2/n1.cxl)" */
	char name[HOST_NAME_SIZE + HOST_NAME_SIZE];
	char processor[RECORDED_PROCESSOR_SIZE];
	char job[HOST_JOB_SIZE]; /* number of the job; empty: unknown */
	uint64_t interval_ns;
	uint64_t samples;
	uint64_t from_ns, to_ns; /* time of the samples, ns since 1970; 0: no samples */

	double means[HOST_METRICS]; /* weighted by time; NAN: unknown */
	bool raised[HOST_METRICS];  /* a value is an estimate that may be too high */
	bool stands_out[HOST_METRICS];
	struct error flaw; /* damage of the recording; code 0: none */
};

/* Sets the name, the processor and the interval from the header of an opened recording. */
void host_begin(struct host *host, const struct recording_file *file);

/* Adds the time of a sample that ended at wall_ns and was length_ns long. */
void host_add_time(struct host *host, uint64_t wall_ns, uint64_t length_ns);

/* Adds the file to each name that several have, after host_begin() of all. -ENOMEM. */
int hosts_tell_apart(struct host *const *hosts, size_t count);

/* Passes each difference that makes a comparison doubtful, as a sentence without full stop. */
typedef void host_note(void *context, const char *text);
void hosts_differences(struct host *const *hosts, size_t count, host_note *note, void *context);

#endif
