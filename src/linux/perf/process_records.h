/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records of processes. Each CPU has a ring of names, forks and exits, and one of mappings: a
 * process with very many of these displaces neither names nor samples of others.
 */
#ifndef CXLMON_LINUX_PERF_PROCESS_RECORDS_H
#define CXLMON_LINUX_PERF_PROCESS_RECORDS_H

#include "linux/perf/perf_ring.h"
#include "linux/perf/sample_record.h"
#include "platform/load_sample.h"

/*
 * Records that are taken of all CPUs, ten times per second; further ones are dropped, and counted
 * as lost. A quarter is kept for mappings, if there are any.
 */
#define PROCESS_RECORDS_MOST 1000

/* A ring of a CPU, and the event whose records are in it. */
struct process_ring {
	bool mappings; /* else names, forks and exits */
	int fd;	       /* -1: none */
	uint64_t lost; /* so far, by read(2) */
	struct perf_mapping mapping;
	struct perf_ring ring;	 /* of the reading in progress */
	size_t records, allowed; /* that are there, and that may be taken of them */
};

/* A record of the reading in progress. */
struct found_record {
	uint64_t time_ns;
	uint64_t tail; /* where it is in its ring */
	const struct process_ring *ring;
};

struct process_records {
	struct process_ring *rings;
	size_t count;
	bool says_lost; /* read(2) counts lost records: PERF_FORMAT_LOST */
	bool untold;	/* some were lost, which is to be passed with the next reading */
	size_t first;	/* ring of the next reading */
	size_t room;	/* records that may be taken, as it was at .refilled_ns */
	uint64_t refilled_ns;
	struct found_record found[PROCESS_RECORDS_MOST];
	size_t found_count;
	/* so far */
	uint64_t lost, malformed;
};

struct perf_target;
struct platform;

/* Opens the disabled events of the next CPU, whose rings are still to be mapped. */
int process_records_open(struct process_records *records, struct platform *p,
			 const struct perf_target *target, enum load_mappings mappings);
/* most: pages of each ring. 0 or a negative errno, as of process_records_open(). */
int process_records_map(struct process_records *records, size_t most);
void process_records_unmap(struct process_records *records);
int process_records_enable(const struct process_records *records, struct platform *p, bool on);
void process_records_close(struct process_records *records);

/* Notes how far each ring is written: the reading ends there. */
void process_records_begin(struct process_records *records);

/*
 * Passes the records up to there in the order of time, as many as may be taken, and
 * RECORD_PROCESS_LOST for others. buffer: of SAMPLE_RECORD_MOST bytes.
 */
void process_records_visit(struct process_records *records, uint8_t *buffer, sample_visitor *visit,
			   void *context);

/* Makes .lost true of this moment. */
void process_records_update(struct process_records *records);

#endif
