/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/top/top_page.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "platform/platform.h"

/* mappings are read for at most one part in so many of the time */
#define SCAN_SHARE 100

/* Samples of the process. */

void top_focus_init(struct top_focus *focus, bool symbols, const struct sudo_user *caller)
{
	*focus = (struct top_focus){.symbols = {.questions = -1, .answers = -1}};
	if (symbols)
		symbol_process_start(caller, &focus->symbols, &focus->no_functions);
}

int top_focus_open(struct top_focus *focus, struct load_run *loads)
{
	struct process_intake *intake = &loads->intake;

	focus->loads = loads;
	focus->sorted = calloc(SAMPLED_ROWS_MOST, sizeof(*focus->sorted));
	intake->processes.mapped = &focus->pid;
	focus->mappings = intake->set_count;
	int rc = process_intake_add_set(intake,
					&(struct row_set){.by = BY_MAPPING, .pids_chosen = true});
	focus->functions = intake->set_count;
	if (!rc)
		rc = process_intake_add_set(intake, &(struct row_set){.by = BY_FUNCTION,
								      .pids_chosen = true,
								      .without_heat = true});
	return rc || !focus->sorted ? -ENOMEM : 0;
}

void top_focus_free(struct top_focus *focus)
{
	symbol_process_stop(&focus->symbols);
	free(focus->sorted);
	focus->loads = NULL;
}

static void scan_memory(struct top_focus *focus, uint64_t now_ns)
{
	struct load_run *loads = focus->loads;

	process_table_rescan(&loads->intake.processes, focus->pid, now_ns);
	focus->scanned_ns = loads->p->ops->clock->now(loads->p);
	focus->scan_took_ns = focus->scanned_ns - now_ns;
}

int top_focus_choose(struct top_focus *focus, unsigned pid, uint64_t started, uint64_t now_ns)
{
	const unsigned before = focus->pid;

	focus->pid = pid;
	focus->started = started;
	focus->begun_ns = now_ns;
	focus->unsampled = 0;
	focus->reading_count = focus->next_reading = 0;
	if (!focus->loads)
		return 0;
	struct process_intake *intake = &focus->loads->intake;
	int rc = process_intake_restart(intake, focus->mappings, &focus->pid, pid ? 1 : 0);
	if (!rc)
		rc = process_intake_restart(intake, focus->functions, &focus->pid, pid ? 1 : 0);
	if (before != pid)
		process_table_drop_mappings(&intake->processes, before);
	if (rc)
		focus->pid = 0;
	else if (pid)
		scan_memory(focus, now_ns);
	return rc;
}

void top_focus_update(struct top_focus *focus, const struct scanned_process *process,
		      uint64_t now_ns)
{
	struct top_focus_reading *next = &focus->readings[focus->next_reading];
	const struct top_focus_reading *last =
		&focus->readings[(focus->next_reading + TOP_READINGS_MOST - 1) % TOP_READINGS_MOST];

	if (!process || process->is.started != focus->started)
		return;
	if (memory_is_known(process->state) &&
	    (!focus->reading_count || last->ns != process->read_ns)) {
		next->ns = process->read_ns;
		memcpy(next->bytes, process->memory.bytes, sizeof(next->bytes));
		focus->next_reading = (focus->next_reading + 1) % TOP_READINGS_MOST;
		focus->reading_count += focus->reading_count < TOP_READINGS_MOST;
	}
	if (!focus->loads)
		return;
	if (focus->loads->intake.sampler->unsampled > focus->unsampled)
		focus->unsampled = focus->loads->intake.sampler->unsampled;
	if (now_ns - focus->scanned_ns >= SCAN_SHARE * focus->scan_took_ns)
		scan_memory(focus, now_ns);
}

/* The page. */

static void copy_name(const struct process_names *names, uint32_t name, char out[TOP_PAGE_NAME])
{
	printable(process_name(names, name), out, TOP_PAGE_NAME);
}

static void put_row(const struct process_report *report, const struct sampled_row *row,
		    enum row_by by, uint64_t all, struct top_page_row *out)
{
	const uint64_t samples = report_samples(report, row, MEMORY_CXL);

	*out = (struct top_page_row){
		.reads.cxl.MBps = report->ns ? report_MBps(report, row, MEMORY_CXL) : NAN,
		.reads.dram.MBps = report->ns ? report_MBps(report, row, MEMORY_DRAM) : NAN,
		.reads.share_pct = all ? 100 * (double)samples / (double)all : NAN,
		.reads.cxl.samples = samples,
	};
	copy_name(report->names, by == BY_FUNCTION ? row->function : row->name, out->name);
	if (by == BY_FUNCTION)
		copy_name(report->names, row->name, out->within);
}

static void put_rows(const struct top_focus *focus, size_t set, uint64_t now_ns,
		     struct top_page_rows *out)
{
	const struct process_intake *intake = &focus->loads->intake;
	const struct sampled_rows *rows = &intake->sets[set].rows;
	const struct process_report report = {.time = TIME_RUN,
					      .names = &intake->names,
					      .event = intake->sampler->sampling.events[0],
					      .ns = now_ns - focus->begun_ns,
					      .unsampled = focus->unsampled};
	const size_t count = sampled_rows_sort(rows, TIME_RUN, focus->sorted);
	const uint64_t all = report_samples(&report, &rows->all, MEMORY_CXL);

	out->count = count < TOP_PAGE_ROWS ? count : TOP_PAGE_ROWS;
	out->left_out = count - out->count;
	for (size_t i = 0; i < out->count; i++)
		put_row(&report, focus->sorted[i], intake->sets[set].by, all, &out->at[i]);
}

/* Fills a node's curve. ranges: its ranges, most events first. */
static void put_curve(const struct heat_range *ranges, size_t count, struct top_page_heat *out)
{
	uint64_t all = 0, sum = 0;
	size_t percent = 1;

	for (size_t i = 0; i < count; i++) {
		all += ranges[i].events;
		out->samples += ranges[i].samples;
	}
	for (size_t i = 0; i < count; i++) {
		sum += ranges[i].events;
		for (; percent <= 100 && (double)sum * 100 >= (double)all * (double)percent;
		     percent++) {
			out->GiB[percent] = (float)heat_GiB(i + 1);
			out->least[percent] = ranges[i].samples;
		}
	}
}

static void put_heat(const struct top_focus *focus, struct heat_table *heat, struct top_page *out)
{
	heat_table_sort(heat);
	for (size_t first = 0, end; first < heat->count && out->heat_count < SCAN_NODES_MOST;
	     first = end) {
		struct top_page_heat *node = &out->heat[out->heat_count];

		for (end = first; end < heat->count; end++)
			if (heat->ranges[end].node != heat->ranges[first].node)
				break;
		*node = (struct top_page_heat){.node = heat->ranges[first].node};
		node->cxl = cxl_nodes_contain(focus->loads->intake.nodes, node->node);
		put_curve(&heat->ranges[first], end - first, node);
		out->heat_count++;
	}
}

static void put_readings(const struct top_focus *focus, uint64_t now_ns, struct top_page *out)
{
	out->reading_count = focus->reading_count;
	for (size_t i = 0; i < focus->reading_count; i++) {
		const size_t at =
			(focus->next_reading + TOP_READINGS_MOST - 1 - i) % TOP_READINGS_MOST;
		const struct top_focus_reading *from = &focus->readings[at];

		out->readings[i].age_s = (double)(now_ns - from->ns) / 1e9;
		for (size_t n = 0; n < SCAN_NODES_MOST; n++)
			out->readings[i].GiB[n] = (float)((double)from->bytes[n] / (1 << 30));
	}
}

void top_page_make(struct top_focus *focus, const struct top_latencies *latencies, uint64_t now_ns,
		   struct top_page *out)
{
	const uint64_t since_ns = out->since_ns;

	*out = (struct top_page){.pid = focus->pid,
				 .started = focus->started,
				 .since_ns = since_ns,
				 .sampled_s = NAN,
				 .no_functions = focus->no_functions};
	put_readings(focus, now_ns, out);
	if (!focus->loads)
		return;
	out->sampled_s = (double)(now_ns - focus->begun_ns) / 1e9;
	for (enum read_memory m = MEMORY_CXL; m <= MEMORY_DRAM; m++)
		top_latencies_sum(latencies, focus->pid, m, &out->latencies[m]);
	put_rows(focus, focus->mappings, now_ns, &out->mappings);
	put_rows(focus, focus->functions, now_ns, &out->functions);
	put_heat(focus, &focus->loads->intake.sets[focus->mappings].heat, out);
}
