/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Formats of updates. CSV: in each update a row of the system, then one of each process or group,
 * and one for each node with its memory. The columns are the same on every machine. JSON Lines: an
 * object per update.
 */
#include "probe/top/top_print.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "base/wrap.h"
#include "output/fields.h"
#include "process/sheet.h"

#define DECIMALS 3

static void put_names(struct fields *f, const struct top_line *line)
{
	const struct process_row *row = line->row;

	fields_index(f, "pid", row->is.pid ? (int)row->is.pid : -1);
	fields_text(f, "user", row->is.user);
	fields_text(f, "command", row->is.name);
	fields_text(f, "name", line->group ? line->group->name : "");
	fields_text(f, "cgroup", row->is.cgroup);
}

static size_t processes_of(const struct top_line *line)
{
	return line->group ? line->group->processes : 1;
}

/* Puts the reads of a row. counted false: .reads.cxl.samples is empty, as without sampling. */
static void put_reads(struct fields *f, const struct top_shown *shown,
		      const struct process_row *row, bool counted)
{
	const bool sampled = counted && !shown->summary->why_not.code;

	fields_number(f, "cxl_MBps", row->reads.cxl.MBps, DECIMALS);
	fields_number(f, "dram_MBps", row->reads.dram.MBps, DECIMALS);
	fields_share(f, "read_share_pct", row->reads.share_pct);
	fields_number(f, "cxl_samples", sampled ? (double)row->reads.cxl.samples : NAN, 0);
	fields_number(f, "latencies_s", shown->summary->latencies_s, DECIMALS);
	fields_number(f, "cxl_p50_ns", row->reads.cxl.p50_ns, 1);
	fields_number(f, "cxl_p99_ns", row->reads.cxl.p99_ns, 1);
}

/* Puts the memory of a row, whose .cxl and .dram are bytes. */
static void put_memory(struct fields *f, const struct process_row *row)
{
	const struct process_memory *memory = &row->memory;

	fields_number(f, "used_MiB", to_MiB(memory->cxl), DECIMALS);
	fields_share(f, "share_pct", memory_share_pct(memory, memory->cxl));
	fields_number(f, "total_MiB", to_MiB(memory->cxl + memory->dram), DECIMALS);
	fields_text(f, "memory", isnan(memory->cxl) ? "" : memory->partial ? "least" : "counted");
	fields_number(f, "age_s", row->age_s, DECIMALS);
}

/* Puts fields that only the whole system has. */
static void put_totals(struct fields *f, const struct top_summary *summary)
{
	const bool sampled = !summary->why_not.code;

	fields_text(f, "event", summary->event);
	fields_number(f, "samples", sampled ? (double)summary->samples : NAN, 0);
	fields_number(f, "lost", sampled ? (double)summary->lost : NAN, 0);
	fields_number(f, "records_lost", summary->records_lost, 0);
	fields_number(f, "unsampled_cpus", sampled ? (double)summary->unsampled : NAN, 0);
	fields_number(f, "cost_pct", summary->cost_pct, DECIMALS);
	fields_count(f, "seen", summary->processes);
	fields_count(f, "counted", summary->known);
	fields_count(f, "refused", summary->refused);
}

/* Returns the sums of all processes, without values that the summary lacks. */
static struct process_row system_of(const struct top_summary *summary)
{
	struct process_row system = process_row_unknown;

	system.reads.cxl.MBps = summary->cxl_MBps;
	system.memory.cxl = summary->cxl;
	system.memory.dram = summary->dram;
	system.age_s = summary->oldest_s;
	return system;
}

/* Returns the memory of a row on one node. */
static struct process_row on_node(const struct process_row *row, size_t node)
{
	struct process_row part = *row;

	part.reads = process_row_unknown.reads;
	part.memory.cxl = (double)row->memory.bytes[node];
	part.memory.dram = NAN;
	return part;
}

/* Puts a row of CSV. node -1: all nodes. */
static void put_row(FILE *out, enum field_style style, const struct top_shown *shown,
		    const char *scope, const struct top_line *line, int node)
{
	struct fields f = {.out = out, .style = style};
	const bool system = !strcmp(scope, "system");

	fields_interval(&f, shown->summary->wall_ns, shown->summary->interval_s, shown->missed);
	fields_text(&f, "scope", scope);
	put_names(&f, line);
	fields_index(&f, "node", node);
	fields_count(&f, "processes", processes_of(line));
	put_reads(&f, shown, line->row, node < 0 && !system);
	put_memory(&f, line->row);
	f.blank = !system;
	put_totals(&f, shown->summary);
	putc('\n', out);
}

static void put_system(FILE *out, const struct top_shown *shown, bool header)
{
	const struct process_row system = system_of(shown->summary);
	const struct top_group all = {.processes = shown->summary->processes};
	const struct top_line line = {&system, &all};

	if (header)
		put_row(out, FIELDS_NAMES, shown, "", &line, -1);
	put_row(out, FIELDS_CSV, shown, "system", &line, -1);
}

static void put_rows(FILE *out, const struct top_shown *shown, enum row_by by,
		     const struct top_line *line)
{
	const struct top_summary *summary = shown->summary;

	put_row(out, FIELDS_CSV, shown, row_by_names[by], line, -1);
	for (size_t n = 0; n < summary->node_count; n++) {
		const struct process_row part = on_node(line->row, n);

		if (line->row->memory.bytes[n])
			put_row(out, FIELDS_CSV, shown, "node",
				&(struct top_line){&part, line->group}, summary->nodes[n].number);
	}
}

void top_csv(struct top_sheet *sheet, const struct top_shown *shown)
{
	put_system(sheet->out, shown, !sheet->updates++);
	for (size_t i = 0; i < shown->count; i++)
		put_rows(sheet->out, shown, sheet->by, &shown->lines[i]);
}

void top_save(const struct top_summary *summary, const struct process_row *rows, FILE *out)
{
	const struct top_shown shown = {.summary = summary, .missed = NAN};

	put_system(out, &shown, true);
	for (size_t i = 0; i < summary->row_count; i++)
		put_rows(out, &shown, BY_PROCESS, &(struct top_line){&rows[i]});
}

static void put_nodes(struct fields *f, const struct top_summary *summary,
		      const struct process_row *row)
{
	fields_open(f, "nodes", '[');
	for (size_t n = 0; n < summary->node_count; n++) {
		if (!row->memory.bytes[n])
			continue;
		fields_open(f, NULL, '{');
		fields_index(f, "node", summary->nodes[n].number);
		fields_number(f, "used_MiB", to_MiB((double)row->memory.bytes[n]), DECIMALS);
		fields_close(f, '}');
	}
	fields_close(f, ']');
}

static void put_object(struct fields *f, const struct top_shown *shown, const struct top_line *line)
{
	fields_open(f, NULL, '{');
	put_names(f, line);
	fields_count(f, "processes", processes_of(line));
	put_reads(f, shown, line->row, true);
	put_memory(f, line->row);
	put_nodes(f, shown->summary, line->row);
	fields_close(f, '}');
}

void top_json(struct top_sheet *sheet, const struct top_shown *shown)
{
	const struct top_summary *summary = shown->summary;
	const struct process_row system = system_of(summary);
	struct fields f = {.out = sheet->out, .style = FIELDS_JSON};

	sheet->updates++;
	fields_open(&f, NULL, '{');
	fields_count(&f, "schema", TOP_SCHEMA);
	fields_interval(&f, shown->summary->wall_ns, shown->summary->interval_s, shown->missed);
	fields_text(&f, "by", row_by_names[sheet->by]);
	put_totals(&f, summary);
	fields_text(&f, "not_sampled", summary->why_not.code ? summary->why_not.text : "");
	fields_number(&f, "cxl_MBps", summary->cxl_MBps, DECIMALS);
	put_memory(&f, &system);
	fields_open(&f, "rows", '[');
	for (size_t i = 0; i < shown->count; i++)
		put_object(&f, shown, &shown->lines[i]);
	fputs("]}\n", sheet->out);
}

/* The table. */

static struct sheet columns_of(const struct top_sheet *sheet, const struct process_row *row)
{
	const char *memory = row->memory.partial ? ">%.*f" : NULL;
	const struct sheet_column columns[] = {
		{"CXL read", "MB/s", 11, 0, "~%.*f", 1, row->reads.cxl.MBps},
		{"DRAM read", "MB/s", 11, 2, "~%.*f", 1, row->reads.dram.MBps},
		{"share", "%", 8, 3, NULL, 1, row->reads.share_pct},
		{"p50", "ns", 8, 4, NULL, 0, row->reads.cxl.p50_ns},
		{"p99", "ns", 8, 1, NULL, 0, row->reads.cxl.p99_ns},
		{"CXL", "MiB", 11, 0, memory, 1, to_MiB(row->memory.cxl)},
		{"DRAM", "MiB", 11, 5, memory, 1, to_MiB(row->memory.dram)},
		{"age", "s", 8, 6, NULL, 1, row->age_s},
	};
	struct sheet all = {.lead = SHEET_LEAD_WIDTH, .width = sheet->width};

	sheet_add(&all, columns, sizeof(columns) / sizeof(columns[0]));
	sheet_fit(&all);
	return all;
}

static void put_line(const struct top_sheet *sheet, const struct top_line *line)
{
	const struct sheet columns = columns_of(sheet, line->row);
	const struct process_identity *process = &line->row->is;
	const struct top_group *group = line->group;

	sheet_put_lead(sheet->out, group ? (unsigned)group->processes : process->pid,
		       group ? "" : process->user);
	sheet_put_line(&columns, sheet->out, group ? group->name : process->name);
}

static void put_samples(const struct top_sheet *sheet, const struct top_summary *summary)
{
	char text[256] = "";

	text_append(text, sizeof(text), "%" PRIu64 " sample%s of %s", summary->samples,
		    summary->samples == 1 ? "" : "s", summary->event);
	if (!isnan(summary->cxl_MBps))
		text_append(text, sizeof(text), ", ~%.1f MB/s of CXL reads", summary->cxl_MBps);
	if (summary->lost)
		text_append(text, sizeof(text), ", %" PRIu64 " lost", summary->lost);
	if (summary->unsampled)
		text_append(text, sizeof(text), ", CPUs not sampled: %zu (no rates)",
			    summary->unsampled);
	if (!isnan(summary->cost_pct))
		text_append(text, sizeof(text), ", %.2f %% of a CPU", summary->cost_pct);
	wrapped_print(sheet->out, text, 0, 2, (int)sheet->width);
}

/* Puts the first lines of top: counted processes, and the cost. */
static void put_summary(const struct top_sheet *sheet, const struct top_summary *summary)
{
	char clock[FIELD_TIME_SIZE], text[160] = "";

	text_append(text, sizeof(text), "%zu process%s, memory of %zu counted", summary->processes,
		    summary->processes == 1 ? "" : "es", summary->known);
	if (summary->refused)
		text_append(text, sizeof(text), ", of %zu refused", summary->refused);
	if (summary->oldest_s > 0)
		text_append(text, sizeof(text), ", %.1f s ago at most", summary->oldest_s);
	const int used = fprintf(sheet->out, "%s  ", field_clock_text(clock, summary->wall_ns));
	wrapped_print(sheet->out, text, used, used, (int)sheet->width);
	if (!summary->why_not.code)
		put_samples(sheet, summary);
}

void top_table(struct top_sheet *sheet, const struct top_shown *shown)
{
	const struct sheet titles = columns_of(sheet, &process_row_unknown);

	if (sheet->updates++)
		putc('\n', sheet->out);
	put_summary(sheet, shown->summary);
	sheet_put_header(&titles, sheet->out, "",
			 sheet->by == BY_PROCESS ? SHEET_PROCESS : "  PROCS",
			 sheet_nouns[sheet->by]);
	for (size_t i = 0; i < shown->count; i++)
		put_line(sheet, &shown->lines[i]);
}
