/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/report.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "table/spell.h"

const char *const row_by_names[ROW_BYS] = {"process", "cgroup",	 "container", "vm",
					   "user",    "resctrl", "mapping",   "function",
					   "node",    "cpu",	 "page"};

#define SLOTS (4 * SAMPLED_ROWS_MOST)

int sampled_rows_init(struct sampled_rows *rows)
{
	*rows = (struct sampled_rows){
		.at = calloc(SAMPLED_ROWS_MOST, sizeof(struct sampled_row *)),
		.slots = calloc(SLOTS, sizeof(*rows->slots)),
		.all = {.node = -1, .cpu = -1},
		.others = {.node = -1, .cpu = -1},
	};
	return rows->at && rows->slots ? 0 : -ENOMEM;
}

void sampled_row_free(struct sampled_row *row)
{
	for (size_t t = 0; t < ROW_TIMES; t++)
		for (size_t m = 0; m < 2; m++)
			free(row->latencies[t][m]);
}

static void free_row(struct sampled_row *row)
{
	sampled_row_free(row);
	free(row);
}

void sampled_rows_free(struct sampled_rows *rows)
{
	for (size_t i = 0; rows->at && i < rows->count; i++)
		free_row(rows->at[i]);
	sampled_row_free(&rows->all);
	sampled_row_free(&rows->others);
	free(rows->at);
	free(rows->slots);
}

/* The slot that has the key, or is free for it. */
static uint32_t *find_slot(const struct sampled_rows *rows, const struct row_key *key)
{
	size_t slot = hash_pair(key->a, key->b) % SLOTS;

	while (rows->slots[slot]) {
		const struct sampled_row *row = rows->at[rows->slots[slot] - 1];

		if (row->key.a == key->a && row->key.b == key->b)
			break;
		slot = (slot + 1) % SLOTS;
	}
	return &rows->slots[slot];
}

struct sampled_row *sampled_rows_find(struct sampled_rows *rows, const struct row_key *key)
{
	uint32_t *slot = find_slot(rows, key);

	if (*slot)
		return rows->at[*slot - 1];
	struct sampled_row *row =
		rows->count < SAMPLED_ROWS_MOST ? calloc(1, sizeof(struct sampled_row)) : NULL;
	if (!row)
		return &rows->others;
	row->key = *key;
	rows->at[rows->count++] = row;
	*slot = (uint32_t)rows->count;
	return row;
}

/* Returns a row's histogram, which may be new; NULL: no memory. */
static struct latencies *make_latencies(struct sampled_row *row, enum row_time time,
					enum read_memory memory)
{
	struct latencies **latencies = &row->latencies[time][memory];

	if (!*latencies)
		*latencies = calloc(1, sizeof(**latencies));
	return *latencies;
}

void sampled_row_add_latency(struct sampled_row *row, enum row_time time, enum read_memory memory,
			     double ns, uint64_t weight)
{
	struct latencies *latencies = make_latencies(row, time, memory);

	if (latencies)
		latencies_add(latencies, ns, weight);
}

const struct latencies *sampled_row_latencies(const struct sampled_row *row, enum row_time time,
					      enum read_memory memory)
{
	static const struct latencies none;
	const struct latencies *latencies = row->latencies[time][memory];

	return latencies ? latencies : &none;
}

uint64_t sampled_row_samples(const struct sampled_row *row, enum row_time time)
{
	uint64_t samples = 0;

	for (size_t m = 0; m < READ_MEMORIES; m++)
		samples += row->counts[time][m].samples + row->counts[time][m].timed;
	return samples;
}

uint64_t sampled_row_events(const struct sampled_row *row, enum row_time time,
			    enum read_memory memory)
{
	const struct read_count *count = &row->counts[time][memory];

	return count->events ? count->events : count->timed;
}

static int compare_rows(const void *a, const void *b, void *time)
{
	const struct sampled_row *x = *(const struct sampled_row *const *)a;
	const struct sampled_row *y = *(const struct sampled_row *const *)b;

	for (enum read_memory m = 0; m < READ_MEMORIES; m++) {
		const uint64_t first = sampled_row_events(x, *(enum row_time *)time, m),
			       second = sampled_row_events(y, *(enum row_time *)time, m);

		if (first != second)
			return first < second ? 1 : -1;
	}
	if (x->key.a != y->key.a)
		return x->key.a < y->key.a ? -1 : 1;
	return x->key.b < y->key.b ? -1 : x->key.b > y->key.b;
}

size_t sampled_rows_sort(const struct sampled_rows *rows, enum row_time time,
			 const struct sampled_row **out)
{
	size_t count = 0;

	for (size_t i = 0; i < rows->count; i++)
		if (sampled_row_samples(rows->at[i], time))
			out[count++] = rows->at[i];
	if (count)
		qsort_r(out, count, sizeof(*out), compare_rows, &time);
	return count;
}

void sampled_row_add(struct sampled_row *to, enum row_time to_time, const struct sampled_row *from,
		     enum row_time from_time)
{
	for (size_t m = 0; m < READ_MEMORIES; m++) {
		struct read_count *sum = &to->counts[to_time][m];
		const struct read_count *count = &from->counts[from_time][m];

		sum->samples += count->samples;
		sum->events += count->events;
		sum->timed += count->timed;
	}
	for (enum read_memory m = MEMORY_CXL; m <= MEMORY_DRAM; m++) {
		const struct latencies *others = from->latencies[from_time][m];
		struct latencies *latencies = others ? make_latencies(to, to_time, m) : NULL;

		if (latencies)
			latencies_merge(latencies, others);
	}
}

/* Gives up rows without samples in the interval, and adds them to the others. */
static void give_up_idle(struct sampled_rows *rows)
{
	size_t kept = 0;

	for (size_t i = 0; i < rows->count; i++) {
		struct sampled_row *row = rows->at[i];

		if (sampled_row_samples(row, TIME_INTERVAL)) {
			rows->at[kept++] = row;
			continue;
		}
		sampled_row_add(&rows->others, TIME_RUN, row, TIME_RUN);
		free_row(row);
	}
	rows->count = kept;
	memset(rows->slots, 0, SLOTS * sizeof(*rows->slots));
	for (size_t i = 0; i < kept; i++)
		*find_slot(rows, &rows->at[i]->key) = (uint32_t)i + 1;
}

static void begin_interval(struct sampled_row *row)
{
	memset(row->counts[TIME_INTERVAL], 0, sizeof(row->counts[TIME_INTERVAL]));
	for (size_t m = 0; m < 2; m++)
		if (row->latencies[TIME_INTERVAL][m])
			*row->latencies[TIME_INTERVAL][m] = (struct latencies){.count = 0};
}

void sampled_rows_use_names(const struct sampled_rows *rows, struct process_names *names)
{
	for (size_t i = 0; i < rows->count; i++) {
		process_names_use(names, rows->at[i]->command);
		process_names_use(names, rows->at[i]->name);
		process_names_use(names, rows->at[i]->function);
		process_names_use(names, rows->at[i]->cgroup);
	}
}

void sampled_rows_next(struct sampled_rows *rows)
{
	if (rows->count > SAMPLED_ROWS_MOST / 4 * 3)
		give_up_idle(rows);
	for (size_t i = 0; i < rows->count; i++)
		begin_interval(rows->at[i]);
	begin_interval(&rows->all);
	begin_interval(&rows->others);
}

const unsigned heat_percents[HEAT_PARTS] = {50, 90, 99};

#define AT(member) offsetof(struct row_reads, member)

const struct read_column read_columns[READ_COLUMNS] = {
	{"cxl_samples", AT(cxl.samples), true, 0, 0},
	{"dram_samples", AT(dram.samples), true, 0, 0},
	{"unplaced_samples", AT(unplaced), true, 0, -1},
	{"cxl_per_s", AT(cxl.per_s), false, RATE_DECIMALS, -1},
	{"dram_per_s", AT(dram.per_s), false, RATE_DECIMALS, -1},
	{"cxl_MBps", AT(cxl.MBps), false, 3, 1},
	{"dram_MBps", AT(dram.MBps), false, 3, 1},
	{"cxl_share_pct", AT(ports_pct), false, READ_SHARE, 1},
	{"cxl_p50_ns", AT(cxl.p50_ns), false, 1, 0},
	{"cxl_p90_ns", AT(cxl.p90_ns), false, 1, 0},
	{"cxl_p99_ns", AT(cxl.p99_ns), false, 1, 0},
	{"cxl_max_ns", AT(cxl.max_ns), false, 1, 0},
	{"dram_p50_ns", AT(dram.p50_ns), false, 1, 0},
	{"dram_p90_ns", AT(dram.p90_ns), false, 1, 0},
	{"dram_p99_ns", AT(dram.p99_ns), false, 1, 0},
	{"dram_max_ns", AT(dram.max_ns), false, 1, 0},
};

double read_column_number(const struct read_column *column, const struct row_reads *reads)
{
	const char *at = (const char *)reads + column->at;
	uint64_t count;
	double number;

	memcpy(&count, at, sizeof(count));
	memcpy(&number, at, sizeof(number));
	return column->is_count ? (double)count : number;
}

double report_cost_pct(const struct process_report *report)
{
	return 100 * (double)report->cost_ns / (double)report->ns;
}

double report_running_pct(const struct process_report *report)
{
	return report->times.enabled_ns
		       ? 100 * (double)report->times.running_ns / (double)report->times.enabled_ns
		       : NAN;
}

const char *report_rates(const struct process_report *report)
{
	if (!report->event->counts || report->unsampled)
		return "";
	return report->event->tagged ? "estimated" : "counted";
}

double report_counted_MBps(const struct process_report *report, enum read_memory memory)
{
	return report->counted_MB[memory] / report_seconds(report);
}

double report_per_s(const struct process_report *report, const struct sampled_row *row,
		    enum read_memory memory)
{
	return report->event->counts && !report->unsampled
		       ? (double)row->counts[report->time][memory].events / report_seconds(report)
		       : NAN;
}

double report_MBps(const struct process_report *report, const struct sampled_row *row,
		   enum read_memory memory)
{
	return report->event->no_loads ? NAN
				       : report_per_s(report, row, memory) * LOAD_LINE_BYTES / 1e6;
}

double report_share_pct(const struct process_report *report, const struct sampled_row *row)
{
	const double share = 100 * report_MBps(report, row, MEMORY_CXL) /
			     report_counted_MBps(report, MEMORY_CXL);

	return isfinite(share) ? share : NAN;
}

double report_latency(const struct process_report *report, const struct sampled_row *row,
		      enum read_memory memory, unsigned percent)
{
	const struct latencies *latencies = sampled_row_latencies(row, report->time, memory);

	if (percent < 100)
		return latencies_percentile(latencies, percent);
	return latencies->count ? latencies->max : NAN;
}

uint64_t report_samples(const struct process_report *report, const struct sampled_row *row,
			enum read_memory memory)
{
	return row->counts[report->time][memory].samples;
}

static struct memory_reads reads_of(const struct process_report *report,
				    const struct sampled_row *row, enum read_memory memory)
{
	return (struct memory_reads){
		.per_s = report_per_s(report, row, memory),
		.MBps = report_MBps(report, row, memory),
		.samples = report_samples(report, row, memory),
		.timed = sampled_row_latencies(row, report->time, memory)->count,
		.p50_ns = report_latency(report, row, memory, 50),
		.p90_ns = report_latency(report, row, memory, 90),
		.p99_ns = report_latency(report, row, memory, 99),
		.max_ns = report_latency(report, row, memory, 100),
	};
}

void report_row(const struct process_report *report, const struct sampled_row *from,
		struct process_row *out)
{
	*out = process_row_unknown;
	out->is.pid = from->pid;
	printable(process_name(report->names, from->command), out->is.name, sizeof(out->is.name));
	out->name = process_name(report->names, from->name);
	out->function = process_name(report->names, from->function);
	out->node = from->node;
	out->cpu = from->cpu;
	out->address = from->address;
	out->reads.cxl = reads_of(report, from, MEMORY_CXL);
	out->reads.dram = reads_of(report, from, MEMORY_DRAM);
	out->reads.unplaced = report_samples(report, from, MEMORY_UNKNOWN);
	out->reads.ports_pct = report_share_pct(report, from);
}

double report_unseen_GiB(const struct reported_node *node)
{
	const double unseen = node->used_GiB - heat_GiB(node->heat.ranges);

	return unseen < 0 ? 0 : unseen;
}

void process_report_add(struct process_report *run, const struct process_report *interval)
{
	for (size_t m = 0; m < 2; m++)
		run->counted_MB[m] += interval->counted_MB[m];
	run->ns += interval->ns;
	run->cost_ns += interval->cost_ns;
	run->missed += interval->missed;
	run->lost += interval->lost;
	run->records_lost += interval->records_lost;
	run->throttled += interval->throttled;
	run->times.enabled_ns += interval->times.enabled_ns;
	run->times.running_ns += interval->times.running_ns;
	if (interval->unsampled > run->unsampled)
		run->unsampled = interval->unsampled;
	run->wall_ns = interval->wall_ns;
	run->timed = interval->timed;
	run->period = interval->period;
	run->coolings = interval->coolings;
	run->left_out = interval->left_out;
	if (!interval->node_count)
		return;
	run->nodes = interval->nodes;
	run->node_count = interval->node_count;
	run->colder_dram_GiB = interval->colder_dram_GiB;
	run->unseen_dram_GiB = interval->unseen_dram_GiB;
	run->hot_cxl_GiB = interval->hot_cxl_GiB;
}

const char *report_row_title(const struct process_report *report, const struct sampled_row *row,
			     char text[ROW_TITLE_SIZE])
{
	*text = '\0';
	if (row == report->others)
		text_append(text, ROW_TITLE_SIZE, " (others)");
	if (row == report->all)
		text_append(text, ROW_TITLE_SIZE, " (all)");
	if (row->pid)
		text_append(text, ROW_TITLE_SIZE, " %u", row->pid);
	if (row->command)
		text_append(text, ROW_TITLE_SIZE, " %s", process_name(report->names, row->command));
	if (row->pid && !strcmp(report->by, "function"))
		text_append(text, ROW_TITLE_SIZE, " %s",
			    row->function ? process_name(report->names, row->function) : "?");
	if (row->name)
		text_append(text, ROW_TITLE_SIZE, " %s", process_name(report->names, row->name));
	if (row->address)
		text_append(text, ROW_TITLE_SIZE, " 0x%" PRIx64, row->address);
	if (row->node >= 0)
		text_append(text, ROW_TITLE_SIZE, " node %d", row->node);
	if (row->cpu >= 0)
		text_append(text, ROW_TITLE_SIZE, " CPU %d", row->cpu);
	if (!*text)
		text_append(text, ROW_TITLE_SIZE, " ?");
	return text + 1;
}

struct heat_histogram heat_histogram_of(const struct heat_node *heat)
{
	struct heat_histogram histogram = {.used = 0};

	for (size_t i = 0; i < HEAT_BUCKETS; i++) {
		if (heat->buckets[i])
			histogram.used = i + 1;
		if (heat->buckets[i] > histogram.most)
			histogram.most = heat->buckets[i];
	}
	return histogram;
}
