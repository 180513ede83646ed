/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/selftest/selftest.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The metrics that are judged. */
static const struct judged_metric {
	const char *name;
	enum line_kind kind;
	bool dram;
	/* event that no metric uses: its verdict is never a fault */
	bool candidate;
} judged_metrics[] = {
	{"cxl_mem_read_MBps", LINE_READ, false},
	{"cxl_mem_write_MBps", LINE_WRITE, false},
	{"cpmu_read_MBps", LINE_READ, false},
	{"cpmu_write_MBps", LINE_WRITE, false},
	{"cxl_read_latency_ns", LINE_LATENCY, false},
	{SESSION_CANDIDATE, LINE_READ, false, true},
	{"dram_read_MBps", LINE_READ, true},
	{"dram_write_MBps", LINE_WRITE, true},
	{"ddr_local_read_latency_ns", LINE_LATENCY, true},
};

/* Part of the moved traffic that shows, if another port has it, that it moved there. */
#define MOVED_INSTEAD 0.5

static bool is_of_node(const struct selftest_node *node, const struct row *row)
{
	if (row->place.kind == ROW_SOCKET)
		return row->place.socket == node->at->socket;
	if (row->place.kind == ROW_DEVICE)
		return row->place.node == node->at->node;
	if (row->place.kind != ROW_PORT)
		return row->place.kind == ROW_SYSTEM;
	for (size_t i = 0; i < node->at->port_count; i++)
		if (node->at->ports[i].socket == row->place.socket &&
		    node->at->ports[i].port == row->place.port)
			return true;
	return false;
}

/* Finds the finest rows that have the formula. A node's ports all have one scope. */
static size_t find_rows(const struct selftest_node *node, const struct view *view, size_t column,
			unsigned alternative, size_t rows[LOAD_NODE_PORTS])
{
	size_t count = 0;

	for (enum scope scope = SCOPE_PORT; scope <= SCOPE_SYSTEM && !count; scope++)
		for (size_t r = 0; r < table_metric_rows(&view->table) && count < LOAD_NODE_PORTS;
		     r++)
			if (row_scope(&view->table.rows[r]) == scope &&
			    is_of_node(node, &view->table.rows[r]) &&
			    view_alternative(view, r, column, alternative))
				rows[count++] = r;
	return count;
}

static int find_ways(struct selftest_node *node, size_t backend, const struct view *view,
		     const struct judged_metric *metric, size_t column)
{
	for (unsigned a = 0; a < ALTERNATIVES; a++) {
		size_t rows[LOAD_NODE_PORTS];
		const size_t row_count = find_rows(node, view, column, a, rows);

		if (!row_count)
			continue;
		struct selftest_line *line = selftest_add_line(node);
		if (!line)
			return -ENOMEM;
		const struct formula *formula = view_alternative(view, rows[0], column, a);
		line->backend = backend;
		line->kind = metric->kind;
		line->metric = metric->name;
		line->source = metric->candidate ? "ocr" : formula->source ? formula->source : "";
		line->candidate = metric->candidate;
		line->from_core = formula->from_core;
		line->one_class = formula->one_class || metric->kind == LINE_LATENCY;
		line->scope = row_scope(&view->table.rows[rows[0]]);
		line->column = column;
		line->alternative = a;
		memcpy(line->rows, rows, sizeof(rows));
		line->row_count = row_count;
		line->others = calloc(2 * view->table.row_count, sizeof(*line->others));
		if (!line->others)
			return -ENOMEM;
	}
	return 0;
}

int lines_find(struct selftest_node *node, size_t backend, const struct view *view)
{
	int rc = 0;

	for (size_t i = 0; i < sizeof(judged_metrics) / sizeof(judged_metrics[0]); i++)
		for (size_t c = 0; !rc && c < view->table.column_count; c++)
			if (judged_metrics[i].dram == node->at->dram &&
			    !strcmp(judged_metrics[i].name, view->table.columns[c].metric->name))
				rc = find_ways(node, backend, view, &judged_metrics[i], c);
	return rc;
}

bool step_moves(const struct step *step, enum line_kind kind)
{
	return kind == LINE_READ    ? step->kind == STEP_READS || step->kind == STEP_MIX
	       : kind == LINE_WRITE ? step->kind == STEP_WRITES || step->kind == STEP_MIX
				    : step->kind == STEP_CHASE;
}

/* Tells if a step moves the most of this kind. */
static bool is_busiest(const struct step *step, enum line_kind kind)
{
	return step_moves(step, kind) && step->kind != STEP_MIX && step->part >= 1;
}

/* Takes the values of the same formula at all ports. */
static void take_others(const struct selftest_line *line, const struct view *view,
			const struct sample *sample, double *out)
{
	for (size_t r = 0; r < table_metric_rows(&view->table); r++)
		if (place_is_of_port(&view->table.rows[r].place))
			out[r] = view_alternative_value(view, r, line->column, line->alternative,
							sample);
}

/* Takes a latency of the row of a node's socket. Sets *formula; NULL: it has none. */
static struct quotient take_latency(const struct selftest_node *node, const struct view *view,
				    const char *metric, const struct sample *sample,
				    const struct formula **formula)
{
	const size_t column = table_find(&view->table, metric);

	*formula = NULL;
	for (size_t r = 0; column < SIZE_MAX && r < table_metric_rows(&view->table); r++) {
		if (view->table.rows[r].place.kind != ROW_SOCKET ||
		    view->table.rows[r].place.socket != node->at->socket)
			continue;
		*formula = view_alternative(view, r, column, 0);
		return view_alternative_quotient(view, r, column, 0, sample);
	}
	return (struct quotient){0, 0};
}

/*
 * Highest share of CXL reads per DRAM read at which a leak is measured: so few take as long as the
 * shortest leak that matters.
 */
#define IDLE_SHARE 1e-4

static void take_leak(struct selftest_node *node, size_t backend, const struct view *view,
		      const struct sample *sample, size_t step)
{
	struct selftest_leak *leak = &node->leaks[backend];
	const struct formula *formula, *other;
	const struct quotient cxl =
		take_latency(node, view, "cxl_read_latency_ns", sample, &formula);
	const struct quotient dram =
		take_latency(node, view, "ddr_local_read_latency_ns", sample, &other);

	if (!step)
		*leak = (struct selftest_leak){
			.idle_ns = cxl.dividend,
			.ns = NAN,
			.assumed_ns = formula ? formula->leak_ns : 0,
		};
	if (is_busiest(&step_table[step], LINE_READ) && dram.divisor > 0 &&
	    cxl.divisor <= IDLE_SHARE * dram.divisor)
		leak->ns = fmax(cxl.dividend - leak->idle_ns, 0) / dram.divisor;
}

void lines_take(struct selftest_node *node, size_t backend, const struct view *view,
		const struct sample *sample, size_t step)
{
	if (node->at->dram)
		take_leak(node, backend, view, sample, step);
	for (size_t i = 0; i < node->line_count; i++) {
		struct selftest_line *line = &node->lines[i];
		double sum = 0;

		if (line->backend != backend)
			continue;
		for (size_t r = 0; r < line->row_count; r++)
			sum += view_alternative_value(view, line->rows[r], line->column,
						      line->alternative, sample);
		line->counted[step] = sum;
		if (!step)
			take_others(line, view, sample, line->others);
		else if (is_busiest(&step_table[step], line->kind))
			take_others(line, view, sample, line->others + view->table.row_count);
	}
}

static enum judged_as judged_as_of(const struct selftest_line *line)
{
	return line->kind != LINE_LATENCY ? JUDGED_AS_RATE
	       : line->from_core	  ? JUDGED_AS_LATENCY_FROM_CORE
					  : JUDGED_AS_LATENCY;
}

/* Sets .idle to the mean without load, and .noise to the range of these values. */
static void find_idle(struct selftest_line *line)
{
	double sum = 0, low = NAN, high = NAN;
	unsigned count = 0;

	for (size_t i = 0; i < STEPS; i++) {
		if (step_table[i].kind != STEP_IDLE || isnan(line->counted[i]))
			continue;
		sum += line->counted[i];
		low = fmin(low, line->counted[i]);
		high = fmax(high, line->counted[i]);
		count++;
	}
	line->idle = count ? sum / count : NAN;
	line->noise = high - low;
}

static struct judged judge_line_step(const struct selftest_line *line,
				     const struct load_moved *moved, size_t step)
{
	const struct judge_figures figures = {
		.moved = selftest_moved(moved, line->kind),
		.counted = line->counted[step],
		.idle = line->idle,
		.noise = line->noise,
	};

	return judge_step(judged_as_of(line), &figures);
}

/*
 * Returns the unit of AMD's L3 caches that a chase shows, 10 or 30 ns; 0: neither. The formulas
 * assume 10 ns.
 */
static unsigned find_unit(const struct selftest_line *line, const struct load_moved *moved)
{
	size_t step = 0;

	while (step < STEPS - 1 && step_table[step].kind != STEP_CHASE)
		step++;
	const double chase = moved[step].chase_ns, counted = line->counted[step];

	if (judge_latency(chase, counted, true).judgement == JUDGED_AGREES)
		return 10;
	return judge_latency(chase, 3 * counted, true).judgement == JUDGED_AGREES ? 30 : 0;
}

static void find_moved_port(struct selftest_line *line, const struct load_moved *moved,
			    const struct view *view)
{
	for (size_t r = 0; r < table_metric_rows(&view->table); r++) {
		const struct row *row = &view->table.rows[r];
		const double more = line->others[view->table.row_count + r] - line->others[r];

		if (row_scope(row) != SCOPE_PORT || (r == line->rows[0] && !line->behind) ||
		    !(more >= MOVED_INSTEAD * selftest_moved(moved, line->kind)))
			continue;
		line->moved_socket = row->place.socket;
		line->moved_port = row->place.port;
	}
}

static void judge_line(struct selftest_node *node, struct selftest_line *line,
		       const struct view *view)
{
	const struct load_moved *moved = node->moved[line->backend];
	struct judged steps[STEPS];
	size_t count = 0, busiest = 0;

	find_idle(line);
	for (size_t i = 0; i < STEPS; i++) {
		if (!step_moves(&step_table[i], line->kind))
			continue;
		steps[count++] = judge_line_step(line, &moved[i], i);
		if (is_busiest(&step_table[i], line->kind))
			busiest = i;
	}
	line->judged = judge_all(steps, count);
	if (view->unsure_latency && line->kind == LINE_LATENCY && line->from_core)
		line->unit_ns = find_unit(line, moved);
	line->behind = node->at->port_unknown;
	if (line->scope == SCOPE_PORT && (line->judged.judgement >= JUDGED_OFF || line->behind))
		find_moved_port(line, &moved[busiest], view);
	free(line->others);
	line->others = NULL;
}

static bool counts_reads(const struct selftest_line *line)
{
	return line->judged.judgement != JUDGED_NOT_COUNTED &&
	       line->judged.judgement != JUDGED_UNSEEN;
}

/* Tells if a line's class of reads is unused: it counts none, while another class does. */
static bool is_unused_class(const struct selftest_node *node, const struct selftest_line *line)
{
	if (!line->one_class || counts_reads(line))
		return false;
	for (size_t i = 0; i < node->line_count; i++) {
		const struct selftest_line *other = &node->lines[i];

		if (other->one_class && other->backend == line->backend &&
		    !strcmp(other->metric, line->metric) && counts_reads(other))
			return true;
	}
	return false;
}

void lines_judge(struct selftest_node *node, size_t backend, const struct view *view)
{
	size_t kept = 0;

	for (size_t i = 0; i < node->line_count; i++)
		if (node->lines[i].backend == backend)
			judge_line(node, &node->lines[i], view);
	for (size_t i = 0; i < node->line_count; i++)
		if (!is_unused_class(node, &node->lines[i]))
			node->lines[kept++] = node->lines[i];
	node->line_count = kept;
}
