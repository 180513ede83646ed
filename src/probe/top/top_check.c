/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/top/top.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

#define AMOUNT_MOST 1e18 /* more than any rate, time or number of bytes */

bool top_amount_is_valid(double amount)
{
	return isnan(amount) || (amount >= 0 && amount <= AMOUNT_MOST);
}

static bool amounts_are_valid(const double *amounts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!top_amount_is_valid(amounts[i]))
			return false;
	return true;
}

static bool all_GiB_are_valid(const float *GiB, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!top_amount_is_valid((double)GiB[i]))
			return false;
	return true;
}

/* Checks that a flag is 0 or 1: other bytes are undefined as bool. */
static bool flag_is_valid(const bool *flag)
{
	unsigned char byte;

	memcpy(&byte, flag, 1);
	return byte <= 1;
}

static bool nodes_are_valid(const struct top_summary *summary)
{
	if (summary->node_count > SCAN_NODES_MOST)
		return false;
	for (size_t i = 0; i < summary->node_count; i++)
		if (summary->nodes[i].number < 0 || !flag_is_valid(&summary->nodes[i].cxl))
			return false;
	return true;
}

/* Checks that counts fit into a recording. */
static bool counts_are_valid(const struct top_summary *summary)
{
	const size_t counts[] = {summary->unsampled, summary->processes, summary->known,
				 summary->refused};

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		if (counts[i] > UINT32_MAX)
			return false;
	return summary->row_count <= TOP_ROWS_MOST;
}

bool top_summary_is_valid(const struct top_summary *summary)
{
	const double amounts[] = {summary->interval_s, summary->latencies_s, summary->cxl_MBps,
				  summary->cost_pct,   summary->cxl,	     summary->dram,
				  summary->oldest_s,   summary->records_lost};

	return counts_are_valid(summary) && (unsigned)summary->by < TOP_BYS &&
	       nodes_are_valid(summary) &&
	       amounts_are_valid(amounts, sizeof(amounts) / sizeof(amounts[0])) &&
	       error_is_valid(&summary->why_not) &&
	       text_is_printable(summary->event, sizeof(summary->event)) &&
	       flag_is_valid(&summary->with_page);
}

bool top_row_is_valid(const struct top_row *row)
{
	const double amounts[] = {row->cxl_MBps,     row->dram_MBps,   row->share_pct, row->p50_ns,
				  row->p99_ns,	     row->cxl,	       row->dram,      row->age_s,
				  row->group_p50_ns, row->group_p99_ns};

	return text_is_printable(row->name, sizeof(row->name)) &&
	       text_is_printable(row->user, sizeof(row->user)) &&
	       text_is_printable(row->cgroup, sizeof(row->cgroup)) &&
	       amounts_are_valid(amounts, sizeof(amounts) / sizeof(amounts[0])) &&
	       flag_is_valid(&row->partial);
}

static bool rows_are_valid(const struct top_page_rows *rows)
{
	if (rows->count > TOP_PAGE_ROWS || rows->left_out > PROCESS_ROWS_MOST)
		return false;
	for (size_t i = 0; i < rows->count; i++) {
		const struct top_page_row *row = &rows->at[i];

		if (!text_is_printable(row->name, sizeof(row->name)) ||
		    !text_is_printable(row->within, sizeof(row->within)) ||
		    !top_amount_is_valid(row->cxl_MBps) || !top_amount_is_valid(row->dram_MBps) ||
		    !top_amount_is_valid(row->share_pct))
			return false;
	}
	return true;
}

static bool heat_is_valid(const struct top_page *page)
{
	if (page->heat_count > SCAN_NODES_MOST)
		return false;
	for (size_t i = 0; i < page->heat_count; i++) {
		const struct top_page_heat *heat = &page->heat[i];

		if (!flag_is_valid(&heat->cxl) ||
		    !all_GiB_are_valid(heat->GiB, sizeof(heat->GiB) / sizeof(heat->GiB[0])))
			return false;
	}
	return true;
}

static bool readings_are_valid(const struct top_page *page)
{
	if (page->reading_count > TOP_READINGS_MOST)
		return false;
	for (size_t i = 0; i < page->reading_count; i++)
		if (!top_amount_is_valid(page->readings[i].age_s) ||
		    !all_GiB_are_valid(page->readings[i].GiB, SCAN_NODES_MOST))
			return false;
	return true;
}

bool top_page_is_valid(const struct top_page *page)
{
	return top_amount_is_valid(page->sampled_s) &&
	       top_amount_is_valid(page->latencies[MEMORY_CXL].max) &&
	       top_amount_is_valid(page->latencies[MEMORY_DRAM].max) &&
	       rows_are_valid(&page->mappings) && rows_are_valid(&page->functions) &&
	       error_is_valid(&page->no_functions) && heat_is_valid(page) &&
	       readings_are_valid(page);
}
