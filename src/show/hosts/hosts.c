/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/hosts/hosts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/text.h"
#include "table/spell.h"

#define MEAN_MOST  1e15 /* a recording may have any numbers; sums of these are finite */
#define LEAST_MBPS 100	/* differences of bandwidth below a tenth of a GB/s do not matter */

static const struct {
	const char *name;
	bool has_sum;
	double least; /* a difference that does not matter, in the metric's unit */
} kinds[HOST_METRICS] = {
	[HOST_CXL_READ] = {"cxl_mem_read_MBps", true, LEAST_MBPS},
	[HOST_CXL_WRITE] = {"cxl_mem_write_MBps", true, LEAST_MBPS},
	[HOST_CXL_LATENCY] = {"cxl_read_latency_ns", false, 0},
	[HOST_DRAM_READ] = {"dram_read_MBps", true, LEAST_MBPS},
	[HOST_DRAM_WRITE] = {"dram_write_MBps", true, LEAST_MBPS},
};

const struct metric *host_metric(enum host_metric metric)
{
	return metric_by_name(kinds[metric].name);
}

bool host_metric_has_sum(enum host_metric metric)
{
	return kinds[metric].has_sum;
}

/* Reading. */

static int add_host(struct hosts *hosts, const struct recording_file *file)
{
	struct host *host = calloc(1, sizeof(*host));

	if (!host || array_room(&hosts->all, hosts->count, 1, sizeof(*hosts->all))) {
		free(host);
		return -ENOMEM;
	}
	host_begin(host, file);
	hosts->all[hosts->count++] = host;
	for (size_t i = 0; i < HOST_METRICS; i++)
		host->means[i] = NAN;
	return 0;
}

int hosts_begin(struct hosts *hosts, const struct recording_file *file)
{
	const struct table *table = &file->recording.table;
	int rc = add_host(hosts, file);

	if (rc)
		return rc;
	if (hosts->count == 1)
		timeline_init(&hosts->timeline, file->recording.info.interval_ns);
	hosts->table = table;
	hosts->row = table_system_row(table);
	rc = series_init(&hosts->cells, table);
	for (size_t i = 0; !rc && i < HOST_METRICS; i++) {
		hosts->columns[i] =
			hosts->row == SIZE_MAX ? SIZE_MAX : table_find(table, kinds[i].name);
		rc = timeline_add_line(&hosts->timeline);
		if (!rc && hosts->columns[i] < SIZE_MAX)
			rc = series_keep(&hosts->cells, hosts->row, 1, hosts->columns[i], 0);
	}
	return rc;
}

void hosts_compute_less(const struct hosts *hosts, struct recording_file *file)
{
	file->recording.first_row = hosts->row;
}

int hosts_add(struct hosts *hosts, const struct recording_file *file)
{
	struct host *host = hosts->all[hosts->count - 1];
	const uint64_t to_ns = file->recording.sample.wall_ns;
	const uint64_t from_ns = to_ns > file->length_ns ? to_ns - file->length_ns : 0;
	const size_t line = (hosts->count - 1) * HOST_METRICS;

	host_add_time(host, to_ns, file->length_ns);
	series_add(&hosts->cells, to_ns, file->length_ns);
	for (size_t i = 0; i < HOST_METRICS; i++) {
		if (hosts->columns[i] == SIZE_MAX)
			continue;
		const struct value *value =
			&hosts->table->rows[hosts->row].values[hosts->columns[i]];

		host->raised[i] |= value->raised;
		timeline_add(&hosts->timeline, line + i, from_ns, to_ns, value->number);
	}
	return hosts->cells.failed ? -ENOMEM : 0;
}

void hosts_end(struct hosts *hosts, const struct error *flaw)
{
	struct host *host = hosts->all[hosts->count - 1];

	host->flaw = *flaw;
	for (size_t i = 0; i < HOST_METRICS; i++) {
		if (hosts->columns[i] == SIZE_MAX)
			continue;
		const struct series_cell *cell =
			series_cell(&hosts->cells, hosts->row, hosts->columns[i]);
		const double mean = cell->weighted / cell->seconds;

		host->means[i] = cell->known && fabs(mean) <= MEAN_MOST ? mean : NAN;
	}
	series_free(&hosts->cells);
	hosts->table = NULL;
}

int hosts_refuse(struct hosts *hosts, const struct error *why)
{
	if (array_room(&hosts->refused, hosts->refused_count, 1, sizeof(*hosts->refused)))
		return -ENOMEM;
	hosts->refused[hosts->refused_count++] = *why;
	return 0;
}

/* Conclusions. */

static int conclude_metric(struct hosts *hosts, enum host_metric metric, double *means)
{
	struct spread *spread = &hosts->spreads[metric];
	double sum = 0;

	for (size_t i = 0; i < hosts->count; i++) {
		means[i] = hosts->all[i]->means[metric];
		sum += means[i];
	}
	hosts->sums[metric] = kinds[metric].has_sum ? sum : NAN;
	const int rc = spread_make(means, hosts->count, spread);
	for (size_t i = 0; !rc && i < hosts->count; i++)
		hosts->all[i]->stands_out[metric] =
			spread_stands_out(spread, means[i], kinds[metric].least);
	return rc;
}

int hosts_conclude(struct hosts *hosts)
{
	double *means = calloc(hosts->count + 1, sizeof(*means));
	int rc = means ? hosts_tell_apart(hosts->all, hosts->count) : -ENOMEM;

	for (enum host_metric i = 0; !rc && i < HOST_METRICS; i++)
		rc = conclude_metric(hosts, i, means);
	free(means);
	return rc;
}

void hosts_free(struct hosts *hosts)
{
	for (size_t i = 0; i < hosts->count; i++)
		free(hosts->all[i]);
	free(hosts->all);
	free(hosts->refused);
	if (hosts->table)
		series_free(&hosts->cells);
	timeline_free(&hosts->timeline);
	*hosts = (struct hosts){.count = 0};
}

double hosts_mean(const struct hosts *hosts, size_t host, enum host_metric metric, size_t step)
{
	return timeline_mean(&hosts->timeline, host * HOST_METRICS + metric, step);
}

double hosts_sum(const struct hosts *hosts, enum host_metric metric, size_t step)
{
	double sum = hosts->count ? 0 : NAN;

	for (size_t i = 0; i < hosts->count; i++)
		sum += hosts_mean(hosts, i, metric, step);
	return isfinite(sum) ? sum : NAN;
}

/* Sentences. */

const char *hosts_sentence(const struct hosts *hosts, size_t host, enum host_metric metric,
			   char text[HOST_SENTENCE_SIZE])
{
	const struct metric *of = host_metric(metric);
	const struct spread *spread = &hosts->spreads[metric];
	const int decimals = (int)decimals_of(of).brief;
	const char *unit = unit_text(of);

	snprintf(text, HOST_SENTENCE_SIZE,
		 "%s: %s %s%.*f %s; median of %zu hosts %.*f %s, median absolute deviation %.*f %s",
		 hosts->all[host]->name, metric_title(of),
		 hosts->all[host]->raised[metric] ? "~" : "", decimals,
		 hosts->all[host]->means[metric], unit, spread->known, decimals, spread->median,
		 unit, decimals, spread->deviation, unit);
	return text;
}

const char *hosts_rule(char text[HOSTS_RULE_SIZE])
{
	snprintf(text, HOSTS_RULE_SIZE,
		 "A host stands out if its mean differs from the median of the hosts by more than "
		 "%d median absolute deviations and by more than %d %% of the median; in "
		 "bandwidth, also by more than %d MB/s. The rule needs %d hosts with a known "
		 "value, and names no cause.",
		 SPREAD_DEVIATIONS, SPREAD_PERCENT, LEAST_MBPS, SPREAD_FEWEST);
	return text;
}

const char *hosts_undecided(const struct hosts *hosts)
{
	for (size_t i = 0; i < HOST_METRICS; i++)
		if (hosts->spreads[i].known >= SPREAD_FEWEST)
			return NULL;
	return hosts->count < SPREAD_FEWEST ? "fewer than 3 hosts"
					    : "fewer than 3 hosts have a known value";
}
