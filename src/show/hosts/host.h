/* SPDX-License-Identifier: BSD-3-Clause */
/* A host of a job, as its recording shows it. */
#ifndef CXLMON_SHOW_HOSTS_HOST_H
#define CXLMON_SHOW_HOSTS_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/recording_file.h"

#define HOST_NAME_SIZE 128
#define HOST_JOB_SIZE  32

/* Metrics that are compared between hosts, from the system's row. */
enum host_metric {
	HOST_CXL_READ,
	HOST_CXL_WRITE,
	HOST_CXL_LATENCY,
	HOST_DRAM_READ,
	HOST_DRAM_WRITE,
	HOST_METRICS
};

struct host {
	const char *file; /* name of the recording's file; not owned */
	/* name in the recording or, if it has none, name of the file without folder and ".cxl" */
	char host[HOST_NAME_SIZE];
	bool is_named; /* the recording has the name of its host */
	/* .host; if several recordings have the same .host, with .file: "n1 (run2/n1.cxl)" */
	char name[HOST_NAME_SIZE + HOST_NAME_SIZE];
	char processor[RECORDED_PROCESSOR_SIZE];
	char job[HOST_JOB_SIZE];       /* number of the job; "": unknown */
	uint64_t interval_ns;	       /* interval of samples */
	uint64_t samples;	       /* number of samples */
	uint64_t from_ns, to_ns;       /* time of the samples, in ns since 1970; 0: no samples */
	double means[HOST_METRICS];    /* weighted by time; NAN: unknown */
	bool raised[HOST_METRICS];     /* some value may be too high: .raised of struct value */
	bool stands_out[HOST_METRICS]; /* the mean stands out: see hosts_rule() */
	struct error flaw;	       /* damage of the recording; .code 0: none */
};

/* Sets names, processor, job and interval from an opened recording, whose name must stay valid. */
void host_begin(struct host *host, const struct recording_file *file);

/* Counts a sample that ended at wall_ns and was length_ns long. */
void host_add_time(struct host *host, uint64_t wall_ns, uint64_t length_ns);

/* Adds the file to names that several hosts have. Call it after all host_begin(). 0 or -ENOMEM. */
int hosts_tell_apart(struct host *const *hosts, size_t count);

/* Receives a sentence without full stop. */
typedef void host_note(void *context, const char *text);
/* Calls note() for each difference between recordings that makes a comparison doubtful. */
void hosts_differences(struct host *const *hosts, size_t count, host_note *note, void *context);

#endif
