/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/top/top.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"

/* Codes an amount; NAN: unknown. */
static double code_amount(struct coder *c, double amount)
{
	const double coded = code_number(c, amount);

	c->bad |= !top_amount_is_valid(coded);
	return coded;
}

static void code_string(struct coder *c, char *text, size_t size)
{
	const char *coded = code_text(c, text);

	if (!c->out)
		printable(coded, text, size);
}

/* Codes the reason why loads are not sampled, as text only. */
static void code_reason(struct coder *c, struct error *why)
{
	const char *text = code_optional(c, why->code ? why->text : NULL);

	if (!c->out && text)
		error_set(why, ERROR_NO_UNIT, -ENODATA, "%s", text);
}

static void code_nodes(struct coder *c, struct top_summary *summary)
{
	summary->node_count = code_count(c, summary->node_count, SCAN_NODES_MOST);
	for (size_t i = 0; i < summary->node_count; i++) {
		summary->nodes[i].number = code_index(c, summary->nodes[i].number);
		summary->nodes[i].cxl = code_count(c, summary->nodes[i].cxl, 1);
	}
}

static void code_summary(struct coder *c, struct top_summary *summary)
{
	summary->wall_ns = code_varint(c, summary->wall_ns);
	summary->interval_s = code_amount(c, summary->interval_s);
	code_reason(c, &summary->why_not);
	code_string(c, summary->event, sizeof(summary->event));
	summary->cxl_MBps = code_amount(c, summary->cxl_MBps);
	summary->samples = code_varint(c, summary->samples);
	summary->lost = code_varint(c, summary->lost);
	summary->unsampled = code_count(c, summary->unsampled, UINT32_MAX);
	summary->cost_pct = code_amount(c, summary->cost_pct);
	summary->processes = code_count(c, summary->processes, UINT32_MAX);
	summary->known = code_count(c, summary->known, UINT32_MAX);
	summary->refused = code_count(c, summary->refused, UINT32_MAX);
	summary->cxl = code_amount(c, summary->cxl);
	summary->dram = code_amount(c, summary->dram);
	summary->oldest_s = code_amount(c, summary->oldest_s);
	code_nodes(c, summary);
	summary->row_count = code_count(c, summary->row_count, TOP_RECORDED_MOST);
}

static void code_row(struct coder *c, struct top_row *row, size_t node_count)
{
	row->pid = (unsigned)code_count(c, row->pid, UINT32_MAX);
	row->started = code_varint(c, row->started);
	code_string(c, row->name, sizeof(row->name));
	code_string(c, row->user, sizeof(row->user));
	code_string(c, row->cgroup, sizeof(row->cgroup));
	row->cxl_MBps = code_amount(c, row->cxl_MBps);
	row->dram_MBps = code_amount(c, row->dram_MBps);
	row->share_pct = code_amount(c, row->share_pct);
	row->p50_ns = code_amount(c, row->p50_ns);
	row->p99_ns = code_amount(c, row->p99_ns);
	row->cxl_samples = code_varint(c, row->cxl_samples);
	row->cxl = code_amount(c, row->cxl);
	row->dram = code_amount(c, row->dram);
	row->partial = code_count(c, row->partial, 1);
	row->age_s = code_amount(c, row->age_s);
	for (size_t i = 0; i < node_count; i++)
		row->bytes[i] = code_varint(c, row->bytes[i]);
}

static void encode_top(struct coder *c, const void *content)
{
	const struct top_update *update = content;
	struct top_summary summary = update->summary;

	if (summary.row_count > TOP_RECORDED_MOST)
		summary.row_count = TOP_RECORDED_MOST;
	code_summary(c, &summary);
	for (size_t i = 0; i < summary.row_count; i++) {
		struct top_row row = update->rows[i];

		code_row(c, &row, summary.node_count);
	}
	code_amount(c, summary.records_lost);
}

static int decode_top(struct coder *c, void *content)
{
	struct top_update *update = content;

	if (!update->rows)
		update->rows = calloc(TOP_RECORDED_MOST, sizeof(*update->rows));
	if (!update->rows)
		return error_no_memory(c->err);
	update->summary = (struct top_summary){.wall_ns = 0};
	code_summary(c, &update->summary);
	for (size_t i = 0; i < update->summary.row_count && !c->bad; i++) {
		update->rows[i] = (struct top_row){.pid = 0};
		code_row(c, &update->rows[i], update->summary.node_count);
	}
	update->summary.records_lost = c->left ? code_amount(c, NAN) : NAN;
	if (!c->bad)
		c->left = 0; /* a later version may append more */
	return 0;
}

static void release_top(void *content)
{
	const struct top_update *update = content;

	free(update->rows);
}

const struct block_kind top_block = {
	.type = 'T',
	.invalid = "processes are not valid",
	.encode = encode_top,
	.size = sizeof(struct top_update),
	.decode = decode_top,
	.release = release_top,
};
