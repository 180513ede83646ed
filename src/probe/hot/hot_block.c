/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A block before a sample: the sampled loads of the same interval, with their rows and the hotness
 * of memory. The sum and the order of rows are not written, because they follow from the rows.
 */
#include "probe/hot/hot_block.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "platform/load_sample.h"
#include "process/row_set.h"

#define MAX_RANGES ((size_t)1 << 40) /* more than an address space has */

/* Decoded reports of the latest interval and of the run. */
struct recorded_hot {
	struct process_report interval, run;
	struct process_names names;
	struct sampled_rows rows;
	const struct sampled_row **sorted[ROW_TIMES]; /* each has room for all rows */
	struct reported_node nodes[REPORT_NODES_MOST];
	struct load_event event;
	char by[EVENT_NAME_SIZE], event_name[EVENT_NAME_SIZE];
};

/* Flags of the event, and of the interval. */
#define EVENT_COUNTS   1
#define EVENT_NO_LOADS 2
#define EVENT_TIMED    4 /* latencies were measured */
#define EVENT_TAGGED   8

/* Codes a row's interval. The others also have fields for key and place, which are unused. */
static void code_row(struct coder *c, struct sampled_row *row, struct latencies latencies[2])
{
	row->key.a = code_varint(c, row->key.a);
	row->key.b = code_varint(c, row->key.b);
	row->pid = (unsigned)code_count(c, row->pid, UINT32_MAX);
	row->node = code_index(c, row->node);
	row->address = code_varint(c, row->address);
	for (size_t m = 0; m < READ_MEMORIES; m++) {
		struct read_count *count = &row->counts[TIME_INTERVAL][m];

		count->samples = code_varint(c, count->samples);
		count->events = code_varint(c, count->events);
		count->timed = code_varint(c, count->timed);
	}
	for (size_t m = 0; m < 2; m++)
		latencies_code(c, &latencies[m]);
}

static void code_node(struct coder *c, struct reported_node *node)
{
	struct heat_node *heat = &node->heat;

	heat->node = code_index(c, heat->node);
	node->cxl = code_count(c, node->cxl, 1);
	node->used_GiB = code_number(c, node->used_GiB);
	heat->ranges = code_count(c, heat->ranges, MAX_RANGES);
	for (size_t i = 0; i < HEAT_PARTS; i++) {
		heat->parts[i] = code_count(c, heat->parts[i], MAX_RANGES);
		heat->least[i] = code_varint(c, heat->least[i]);
	}
	for (size_t i = 0; i < HEAT_BUCKETS; i++)
		heat->buckets[i] = code_count(c, heat->buckets[i], MAX_RANGES);
}

static void code_totals(struct coder *c, struct process_report *report)
{
	report->wall_ns = code_varint(c, report->wall_ns);
	report->ns = code_varint(c, report->ns);
	report->missed = code_varint(c, report->missed);
	report->period = code_varint(c, report->period);
	report->lost = code_varint(c, report->lost);
	report->throttled = code_varint(c, report->throttled);
	report->cost_ns = code_varint(c, report->cost_ns);
	for (size_t m = 0; m < 2; m++)
		report->counted_MB[m] = code_number(c, report->counted_MB[m]);
	report->colder_dram_GiB = code_number(c, report->colder_dram_GiB);
	report->hot_cxl_GiB = code_number(c, report->hot_cxl_GiB);
	report->coolings = code_varint(c, report->coolings);
	report->left_out = code_varint(c, report->left_out);
	report->times.enabled_ns = code_varint(c, report->times.enabled_ns);
	report->times.running_ns = code_varint(c, report->times.running_ns);
	report->unsampled = code_count(c, report->unsampled, SIZE_MAX);
}

/* Writing. */

static void put_row(struct coder *c, const struct process_report *report,
		    const struct sampled_row *row)
{
	struct sampled_row copy = *row;
	struct latencies latencies[] = {*sampled_row_latencies(row, TIME_INTERVAL, MEMORY_CXL),
					*sampled_row_latencies(row, TIME_INTERVAL, MEMORY_DRAM)};

	code_text(c, process_name(report->names, row->command));
	code_text(c, process_name(report->names, row->name));
	code_text(c, process_name(report->names, row->function));
	code_row(c, &copy, latencies);
}

static void encode_hot(struct coder *c, const void *content)
{
	const struct process_report *report = content;
	struct process_report totals = *report;

	code_text(c, report->by);
	code_text(c, report->event->name);
	code_u8(c, (report->event->counts ? EVENT_COUNTS : 0) |
			   (report->event->no_loads ? EVENT_NO_LOADS : 0) |
			   (report->event->tagged ? EVENT_TAGGED : 0) |
			   (report->timed ? EVENT_TIMED : 0));
	code_totals(c, &totals);
	put_row(c, report, report->others);
	code_varint(c, report->count);
	for (size_t i = 0; i < report->count; i++)
		put_row(c, report, report->rows[i]);
	code_varint(c, report->node_count);
	for (size_t i = 0; i < report->node_count; i++) {
		struct reported_node node = report->nodes[i];

		code_node(c, &node);
	}
	code_number(c, report->unseen_dram_GiB);
	code_number(c, report->records_lost);
}

/* Reading. */

static int allocate_hot(struct recorded_hot *hot)
{
	for (size_t t = 0; t < ROW_TIMES; t++)
		hot->sorted[t] = calloc(SAMPLED_ROWS_MOST, sizeof(struct sampled_row *));
	if (process_names_init(&hot->names) || sampled_rows_init(&hot->rows) || !hot->sorted[0] ||
	    !hot->sorted[1])
		return -ENOMEM;
	hot->event.name = hot->event_name;
	hot->run.time = TIME_RUN;
	hot->run.colder_dram_GiB = hot->run.unseen_dram_GiB = hot->run.hot_cxl_GiB = NAN;
	return 0;
}

static void release_hot(void *content)
{
	struct recorded_hot *hot = content;

	process_names_free(&hot->names);
	sampled_rows_free(&hot->rows);
	for (size_t t = 0; t < ROW_TIMES; t++)
		free(hot->sorted[t]);
}

static void decode_name(struct coder *c, char text[EVENT_NAME_SIZE])
{
	const char *name = code_text(c, "");

	c->bad |= !text_is_name(name);
	if (!c->bad)
		snprintf(text, EVENT_NAME_SIZE, "%s", name);
}

/* Returns the CPU of a row's key, see BY_CPU in row_set.c; -1: the key has none. */
static int cpu_of(const struct row_key *key)
{
	return key->a && key->a <= INT_MAX ? (int)(key->a - 1) : -1;
}

static void decode_row(struct coder *c, struct recorded_hot *hot, bool others)
{
	struct latencies latencies[2] = {{.count = 0}};
	struct sampled_row got = {.node = -1, .cpu = -1};

	got.command = process_names_add_recorded(&hot->names, code_text(c, ""));
	got.name = process_names_add_recorded(&hot->names, code_text(c, ""));
	got.function = process_names_add_recorded(&hot->names, code_text(c, ""));
	code_row(c, &got, latencies);
	if (c->bad)
		return;
	for (size_t m = 0; m < 2; m++)
		got.latencies[TIME_INTERVAL][m] =
			latencies_weight(&latencies[m]) ? &latencies[m] : NULL;
	struct sampled_row *row =
		others ? &hot->rows.others : sampled_rows_find(&hot->rows, &got.key);
	if (row != &hot->rows.others) {
		row->pid = got.pid;
		row->command = got.command;
		row->name = got.name;
		row->function = got.function;
		row->node = got.node;
		row->cpu = strcmp(hot->by, row_by_names[BY_CPU]) ? -1 : cpu_of(&got.key);
		row->address = got.address;
	}
	sampled_row_add(row, TIME_INTERVAL, &got, TIME_INTERVAL);
	sampled_row_add(&hot->rows.all, TIME_INTERVAL, &got, TIME_INTERVAL);
}

static void make_report(struct recorded_hot *hot, struct process_report *report, enum row_time time)
{
	report->by = hot->by;
	report->names = &hot->names;
	report->event = &hot->event;
	report->all = &hot->rows.all;
	report->others = &hot->rows.others;
	report->rows = hot->sorted[time];
	report->count = sampled_rows_sort(&hot->rows, time, hot->sorted[time]);
	report->nodes = hot->nodes;
}

static int decode_hot(struct coder *c, void *content)
{
	struct recorded_hot *hot = content;

	if (!hot->names.count && allocate_hot(hot))
		return error_no_memory(c->err);
	sampled_rows_next(&hot->rows);
	decode_name(c, hot->by);
	decode_name(c, hot->event_name);
	const uint8_t flags = code_u8(c, 0);
	hot->event.counts = flags & EVENT_COUNTS;
	hot->event.no_loads = flags & EVENT_NO_LOADS;
	hot->event.tagged = flags & EVENT_TAGGED;
	hot->interval.timed = flags & EVENT_TIMED;
	code_totals(c, &hot->interval);
	c->bad |= !hot->interval.ns;
	decode_row(c, hot, true);
	const size_t rows = code_count(c, 0, SAMPLED_ROWS_MOST);
	for (size_t i = 0; i < rows && !c->bad; i++)
		decode_row(c, hot, false);
	const size_t nodes = code_count(c, 0, REPORT_NODES_MOST);
	for (size_t i = 0; i < nodes && !c->bad; i++) /* keeps earlier nodes if there are none */
		code_node(c, &hot->nodes[i]);
	hot->interval.node_count = nodes;
	hot->interval.unseen_dram_GiB = code_number(c, NAN);
	hot->interval.records_lost = c->left ? code_number(c, NAN) : NAN;
	if (!c->bad)
		c->left = 0; /* a later version may append more */
	make_report(hot, &hot->interval, TIME_INTERVAL);
	return 0;
}

const struct block_kind hot_block = {
	.type = 'L',
	.invalid = "sampled loads are not valid",
	.encode = encode_hot,
	.size = sizeof(struct recorded_hot),
	.decode = decode_hot,
	.release = release_hot,
};

/* Access to decoded reports. */

const struct process_report *hot_recorded(const struct recording *recording)
{
	const struct recorded_hot *hot = recording_block(recording, &hot_block);

	return hot ? &hot->interval : NULL;
}

static void add_to_run(struct sampled_row *row)
{
	sampled_row_add(row, TIME_RUN, row, TIME_INTERVAL);
}

void hot_recorded_sum_up(struct recording *recording)
{
	struct recorded_hot *hot = recording_content(recording, &hot_block);

	if (!hot_recorded(recording))
		return;
	for (size_t i = 0; i < hot->rows.count; i++)
		add_to_run(hot->rows.at[i]);
	add_to_run(&hot->rows.all);
	add_to_run(&hot->rows.others);
	process_report_add(&hot->run, &hot->interval);
}

const struct process_report *hot_recorded_run(const struct recording *recording)
{
	struct recorded_hot *hot = recording_content(recording, &hot_block);

	if (!hot || !hot->run.ns)
		return NULL;
	make_report(hot, &hot->run, TIME_RUN);
	return &hot->run;
}
