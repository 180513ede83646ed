/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares the hosts of one job by their recordings, which are read one after the other. Only two
 * kinds of means are kept: one per host, and one per host and step of a common time line.
 *
 *	for each recording: hosts_begin(), hosts_add() for each sample, hosts_end()
 *	hosts_conclude(), then hosts_print() or others
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
	struct host **all; /* in the order of hosts_begin() */
	size_t count;
	struct timeline timeline; /* means by step: see hosts_mean() */
	struct error *refused;	  /* reasons why recordings could not be opened */
	size_t refused_count;

	/* Set by hosts_conclude(). */
	struct spread spreads[HOST_METRICS]; /* spread of the hosts' means */
	/* sums of the hosts' means; NAN: a mean is unknown, or the metric has no sum */
	double sums[HOST_METRICS];

	/* Private: the recording that is being read. */
	const struct table *table;
	struct series cells;
	size_t row, columns[HOST_METRICS];
};

/* Returns the description of a metric. */
const struct metric *host_metric(enum host_metric metric);
/* Returns true if a metric can be summed over hosts: bandwidth, not latency. */
bool host_metric_has_sum(enum host_metric metric);

/*
 * Adds a host, from its opened recording. *hosts is initially zero. The file's name must stay valid
 * until hosts_free(), which must also be called after failure. Returns 0 or -ENOMEM.
 */
int hosts_begin(struct hosts *hosts, const struct recording_file *file);
/* Makes the recording compute only the values that hosts_add() needs. Call after hosts_begin(). */
void hosts_compute_less(const struct hosts *hosts, struct recording_file *file);
/* Adds the recording's present sample to the latest host. Returns 0 or -ENOMEM. */
int hosts_add(struct hosts *hosts, const struct recording_file *file);
/* Ends the latest host. flaw: damage of its recording; .code 0: none. */
void hosts_end(struct hosts *hosts, const struct error *flaw);

/* Notes why a recording could not be opened. Returns 0 or -ENOMEM. */
int hosts_refuse(struct hosts *hosts, const struct error *why);

/* Sets names, spreads, sums, and which hosts stand out. Returns 0 or -ENOMEM. */
int hosts_conclude(struct hosts *hosts);
void hosts_free(struct hosts *hosts);

/* Returns the mean of a host (its index in .all) in a step of .timeline; NAN: unknown. */
double hosts_mean(const struct hosts *hosts, size_t host, enum host_metric metric, size_t step);
/* Returns the sum of all hosts' means in a step; NAN: some mean is unknown. */
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
/* Returns the reason why no host can stand out; NULL: for some metric, a host can. */
const char *hosts_undecided(const struct hosts *hosts);

/* Prints an HTML page that loads no other resource. Returns 0 or -ENOMEM. */
int hosts_page(const struct hosts *hosts, FILE *out);

/*
 * Prints a sentence for each mean that stands out; if none does, says so. Then prints differences
 * between the recordings. width: columns to wrap lines at; 0: they are not wrapped.
 */
void hosts_print(const struct hosts *hosts, int width, FILE *out);
/*
 * Prints a table of means on 80 columns, and then the same as hosts_print(). The table has a line
 * per host, with a mark at each mean that stands out, and the sum, median and median absolute
 * deviation. Metrics that are unknown for all hosts are left out.
 */
void hosts_table(const struct hosts *hosts, int width, FILE *out);
/*
 * Returns an object, to be released by json_decref(): "hosts", an object per host; "sums"; "notes",
 * differences between the recordings; and "not_read", errors. NULL: out of memory.
 */
json_t *hosts_json(const struct hosts *hosts);

#endif
