/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/top/top_code.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "record/block_kind.h"
#include "session/session.h"

#define AMOUNT_MOST 1e18 /* more than any rate, time or number of bytes */

/* Where an update goes. A recording has fewer rows, only ASCII, and no page. */
enum top_target { TO_RUN, TO_RECORDING };

/* Finds impossible values while decoding. */
static void require_valid(struct coder *c, bool valid)
{
	c->bad |= !c->out && !valid;
}

static bool is_amount(double amount)
{
	return isnan(amount) || (amount >= 0 && amount <= AMOUNT_MOST);
}

/* Codes an amount; NAN: unknown. */
static double code_amount(struct coder *c, double amount)
{
	const double coded = code_number(c, amount);

	require_valid(c, is_amount(coded));
	return coded;
}

/* Codes an amount in 4 bytes, so that a page is two messages. */
static float code_GiB(struct coder *c, float GiB)
{
	uint32_t bits;

	memcpy(&bits, &GiB, sizeof(bits));
	bits = code_u32(c, bits);
	memcpy(&GiB, &bits, sizeof(GiB));
	require_valid(c, is_amount((double)GiB));
	return GiB;
}

static bool code_flag(struct coder *c, bool flag)
{
	return code_count(c, flag, 1);
}

static void code_name(struct coder *c, char *text, size_t size, enum top_target target)
{
	if (target == TO_RUN) {
		code_string(c, text, size);
		require_valid(c, text_is_printable(text, size));
		return;
	}
	const char *coded = code_text(c, text);
	if (!c->out)
		printable(coded, text, size);
}

/* Codes the reason why loads are not sampled; recordings have only its text. */
static void code_reason(struct coder *c, struct error *why, enum top_target target)
{
	if (target == TO_RUN) {
		code_error(c, why);
		return;
	}
	const char *text = code_optional(c, why->code ? why->text : NULL);
	if (!c->out && text)
		error_set(why, ERROR_NO_UNIT, -ENODATA, "%s", text);
}

static void code_nodes(struct coder *c, struct top_summary *summary)
{
	summary->node_count = code_count(c, summary->node_count, SCAN_NODES_MOST);
	for (size_t i = 0; i < summary->node_count; i++) {
		struct top_node *node = &summary->nodes[i];

		node->number = code_index(c, node->number);
		node->cxl = code_flag(c, node->cxl);
		require_valid(c, node->number >= 0);
	}
}

static void code_summary(struct coder *c, struct top_summary *summary, enum top_target target)
{
	summary->wall_ns = code_varint(c, summary->wall_ns);
	summary->interval_s = code_amount(c, summary->interval_s);
	code_reason(c, &summary->why_not, target);
	code_name(c, summary->event, sizeof(summary->event), target);
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
	summary->row_count = code_count(c, summary->row_count,
					target == TO_RUN ? TOP_ROWS_MOST : TOP_RECORDED_MOST);
}

static void code_row(struct coder *c, struct process_row *row, size_t node_count,
		     enum top_target target)
{
	row->is.pid = (unsigned)code_count(c, row->is.pid, UINT32_MAX);
	row->is.started = code_varint(c, row->is.started);
	code_name(c, row->is.name, sizeof(row->is.name), target);
	code_name(c, row->is.user, sizeof(row->is.user), target);
	code_name(c, row->is.cgroup, sizeof(row->is.cgroup), target);
	row->reads.cxl.MBps = code_amount(c, row->reads.cxl.MBps);
	row->reads.dram.MBps = code_amount(c, row->reads.dram.MBps);
	row->reads.share_pct = code_amount(c, row->reads.share_pct);
	row->reads.cxl.p50_ns = code_amount(c, row->reads.cxl.p50_ns);
	row->reads.cxl.p99_ns = code_amount(c, row->reads.cxl.p99_ns);
	row->reads.cxl.samples = code_varint(c, row->reads.cxl.samples);
	row->memory.cxl = code_amount(c, row->memory.cxl);
	row->memory.dram = code_amount(c, row->memory.dram);
	row->memory.partial = code_flag(c, row->memory.partial);
	row->age_s = code_amount(c, row->age_s);
	for (size_t i = 0; i < node_count; i++)
		row->memory.bytes[i] = code_varint(c, row->memory.bytes[i]);
}

/* Messages. */

void top_code_summary(struct coder *c, struct top_summary *summary)
{
	code_summary(c, summary, TO_RUN);
	summary->latencies_s = code_amount(c, summary->latencies_s);
	summary->records_lost = code_amount(c, summary->records_lost);
	summary->by = (enum row_by)code_count(c, summary->by, TOP_BYS - 1);
	summary->with_page = code_flag(c, summary->with_page);
}

void top_code_row(struct coder *c, struct process_row *row, size_t node_count)
{
	code_row(c, row, node_count, TO_RUN);
	row->reads.group_p50_ns = code_amount(c, row->reads.group_p50_ns);
	row->reads.group_p99_ns = code_amount(c, row->reads.group_p99_ns);
}

static void code_page_rows(struct coder *c, struct top_page_rows *rows)
{
	rows->count = code_count(c, rows->count, TOP_PAGE_ROWS);
	rows->left_out = code_count(c, rows->left_out, SAMPLED_ROWS_MOST);
	for (size_t i = 0; i < rows->count; i++) {
		struct top_page_row *row = &rows->at[i];

		code_name(c, row->name, sizeof(row->name), TO_RUN);
		code_name(c, row->within, sizeof(row->within), TO_RUN);
		row->reads.cxl.MBps = code_amount(c, row->reads.cxl.MBps);
		row->reads.dram.MBps = code_amount(c, row->reads.dram.MBps);
		row->reads.share_pct = code_amount(c, row->reads.share_pct);
		row->reads.cxl.samples = code_varint(c, row->reads.cxl.samples);
	}
}

static void code_heat(struct coder *c, struct top_page *page)
{
	page->heat_count = code_count(c, page->heat_count, SCAN_NODES_MOST);
	for (size_t i = 0; i < page->heat_count; i++) {
		struct top_page_heat *heat = &page->heat[i];

		heat->node = code_index(c, heat->node);
		heat->cxl = code_flag(c, heat->cxl);
		heat->samples = code_varint(c, heat->samples);
		for (size_t n = 0; n < sizeof(heat->GiB) / sizeof(heat->GiB[0]); n++) {
			heat->GiB[n] = code_GiB(c, heat->GiB[n]);
			heat->least[n] = code_u32(c, heat->least[n]);
		}
	}
}

void top_code_readings(struct coder *c, struct top_page *page, size_t node_count)
{
	page->reading_count = code_count(c, page->reading_count, TOP_READINGS_MOST);
	for (size_t i = 0; i < page->reading_count; i++) {
		page->readings[i].age_s = code_amount(c, page->readings[i].age_s);
		for (size_t n = 0; n < node_count; n++)
			page->readings[i].GiB[n] = code_GiB(c, page->readings[i].GiB[n]);
	}
}

void top_code_page(struct coder *c, struct top_page *page)
{
	page->pid = (unsigned)code_count(c, page->pid, UINT32_MAX);
	page->started = code_varint(c, page->started);
	page->since_ns = code_varint(c, page->since_ns);
	page->sampled_s = code_amount(c, page->sampled_s);
	for (enum read_memory m = MEMORY_CXL; m <= MEMORY_DRAM; m++) {
		latencies_code(c, &page->latencies[m]);
		require_valid(c, is_amount(page->latencies[m].max));
	}
	code_page_rows(c, &page->mappings);
	code_page_rows(c, &page->functions);
	code_error(c, &page->no_functions);
	code_heat(c, page);
}

void top_code_request(struct coder *c, struct top_request *request)
{
	request->interval_ns = code_varint(c, request->interval_ns);
	request->pid = (unsigned)code_count(c, request->pid, INT_MAX);
	request->started = code_varint(c, request->started);
	request->reads = code_flag(c, request->reads);
	request->aside = code_flag(c, request->aside);
	request->by = (enum row_by)code_count(c, request->by, TOP_BYS - 1);
	require_valid(c, request->interval_ns >= SESSION_MIN_INTERVAL_NS &&
				 request->interval_ns <= SESSION_MAX_INTERVAL_NS);
}

/* Recordings. */

static void encode_top(struct coder *c, const void *content)
{
	const struct top_update *update = content;
	struct top_summary summary = update->summary;

	if (summary.row_count > TOP_RECORDED_MOST)
		summary.row_count = TOP_RECORDED_MOST;
	code_summary(c, &summary, TO_RECORDING);
	for (size_t i = 0; i < summary.row_count; i++) {
		struct process_row row = update->rows[i];

		code_row(c, &row, summary.node_count, TO_RECORDING);
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
	update->summary = (struct top_summary){.latencies_s = NAN};
	code_summary(c, &update->summary, TO_RECORDING);
	for (size_t i = 0; i < update->summary.row_count && !c->bad; i++) {
		update->rows[i] = process_row_unknown;
		code_row(c, &update->rows[i], update->summary.node_count, TO_RECORDING);
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
