/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Recordings of the hosts of one job, side by side. Each is read from its beginning to its end, one
 * after the other; only means, and lines of bounded length on a common axis of time, are kept.
 */
#ifndef CXLMON_SHOW_HOSTS_HOSTS_H
#define CXLMON_SHOW_HOSTS_HOSTS_H

#include <jansson.h>
#include <stdio.h>

#include "base/spread.h"
#include "series/series.h"
#include "series/timeline.h"
#include "show/hosts/host.h"

struct hosts {
	struct host **all; /* in the order of their addition */
	size_t count;
	struct timeline timeline; /* see hosts_mean() */
	struct error *refused;	  /* why recordings could not be opened */
	size_t refused_count;

	/* After hosts_conclude(). */
	struct spread spreads[HOST_METRICS]; /* spread of the hosts' means */
	/* sum of the hosts' means; NAN: some mean is unknown, or the metric has no sum */
	double sums[HOST_METRICS];

	/* Private members: the host that is being read. */
	const struct table *table;
	struct series cells;
	size_t row, columns[HOST_METRICS];
};

/* Returns the metric. */
const struct metric *host_metric(enum host_metric metric);
/* Tells if the sum over hosts means something: it does for bandwidth, but not for latency. */
bool host_metric_has_sum(enum host_metric metric);

/*
 * Adds a host, all zero at first; then each sample of its recording; then ends it. The name of the
 * file must outlive the hosts. -ENOMEM. Freed by hosts_free(), also after failure.
 */
int hosts_begin(struct hosts *hosts, const struct recording_file *file);
/* Lets a begun recording compute only the values that hosts_add() takes. */
void hosts_compute_less(const struct hosts *hosts, struct recording_file *file);
int hosts_add(struct hosts *hosts, const struct recording_file *file);
/* flaw: damage of the recording; code 0: none. */
void hosts_end(struct hosts *hosts, const struct error *flaw);

/* Notes a recording that could not be opened. -ENOMEM. */
int hosts_refuse(struct hosts *hosts, const struct error *why);

/* Decides which hosts stand out, after hosts_end() of the last one. -ENOMEM. */
int hosts_conclude(struct hosts *hosts);
void hosts_free(struct hosts *hosts);

/* Returns a host's mean in a step of .timeline. NAN: unknown. */
double hosts_mean(const struct hosts *hosts, size_t host, enum host_metric metric, size_t step);
/* Returns the sum of all hosts' means in a step. NAN: some mean is unknown. */
double hosts_sum(const struct hosts *hosts, enum host_metric metric, size_t step);

/*
 * Writes "n3: CXL latency 812 ns; median of 3 hosts 402 ns, median absolute deviation 2 ns".
 * Returns text.
 */
#define HOST_SENTENCE_SIZE 640
const char *hosts_sentence(const struct hosts *hosts, size_t host, enum host_metric metric,
			   char text[HOST_SENTENCE_SIZE]);
/* Writes the rule by which values stand out. Returns text. */
#define HOSTS_RULE_SIZE 384
const char *hosts_rule(char text[HOSTS_RULE_SIZE]);
/* Writes why no host can stand out; NULL: the rule can decide for some metric. */
const char *hosts_undecided(const struct hosts *hosts);

/* Writes one HTML page that loads no other resource. 0 or -ENOMEM. */
int hosts_page(const struct hosts *hosts, FILE *out);

/*
 * Writes the sentences of all that stands out, or that nothing does, and differences of the
 * recordings. width: see wrapped_lines().
 */
void hosts_print(const struct hosts *hosts, int width, FILE *out);
/*
 * Writes the same after a table of means on 80 columns: a line per host, with a mark at each mean
 * that stands out, and sum, median and median absolute deviation. Metrics unknown for all hosts are
 * left out.
 */
void hosts_table(const struct hosts *hosts, int width, FILE *out);
/*
 * Returns the same as an object: "hosts", an object per host with its means and marks; "sums";
 * "notes", differences of the recordings; and "not_read", errors. NULL: no memory.
 */
json_t *hosts_json(const struct hosts *hosts);

#endif
