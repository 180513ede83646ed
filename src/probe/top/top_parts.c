/* SPDX-License-Identifier: BSD-3-Clause */
#include <assert.h>
#include <errno.h>
#include <unistd.h>

#include "linux/run/packet.h"
#include "probe/top/top_code.h"
#include "probe/top/top_watcher.h"

/* Rows of a part: as many as fit, however long their names and numbers are. */
#define ROWS_AT_ONCE 80
/* Limit of parts taken in one call, because the sender may never end. */
#define PARTS_MOST 64

static_assert(TOP_ROWS_MOST / ROWS_AT_ONCE + 4 <= PARTS_MOST, "an update can be taken at once");

/* Parts of an update, in order. The summary gives the number of the others. */
enum part { PART_SUMMARY, PART_ROWS, PART_PAGE, PART_READINGS };

/* The process. */

/* Codes a part by index, after its type. Returns false if the update has fewer parts. */
static bool code_part(struct top *top, size_t index, struct coder *c)
{
	struct top_summary *summary = &top->summary;
	const size_t row_parts = (summary->row_count + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE;
	const enum part part = !index			? PART_SUMMARY
			       : index <= row_parts	? PART_ROWS
			       : index == row_parts + 1 ? PART_PAGE
							: PART_READINGS;

	if (index > row_parts + (summary->with_page ? 2 : 0))
		return false;
	code_u8(c, (uint8_t)part);
	switch (part) {
	case PART_SUMMARY:
		top_code_summary(c, summary);
		break;
	case PART_ROWS:
		for (size_t i = (index - 1) * ROWS_AT_ONCE;
		     i < index * ROWS_AT_ONCE && i < summary->row_count; i++)
			top_code_row(c, &top->rows[i], summary->node_count);
		break;
	case PART_PAGE:
		top_code_page(c, &top->page);
		break;
	default:
		top_code_readings(c, &top->page, summary->node_count);
	}
	return true;
}

int top_parts_send(int socket, struct top *top, size_t *index)
{
	struct bytes bytes = {.failed = false};
	int rc = 0;

	while (!rc && code_part(top, *index, &(struct coder){.out = &bytes})) {
		rc = packet_send(socket, &bytes);
		*index += !rc;
		bytes.size = 0;
	}
	bytes_free(&bytes);
	return rc;
}

/* The run. */

static void take_rows(struct top_watcher *watcher, struct coder *c)
{
	const struct top_update *next = &watcher->next;

	for (; c->left && !c->bad && watcher->rows_missing; watcher->rows_missing--) {
		struct process_row *row =
			&next->rows[next->summary.row_count - watcher->rows_missing];

		*row = process_row_unknown;
		top_code_row(c, row, next->summary.node_count);
	}
}

/*
 * Takes a part. Returns false for a part that the process never sends. An incomplete update is
 * dropped.
 */
static bool take_part(struct top_watcher *watcher, struct coder *c)
{
	struct top_update *next = &watcher->next;
	const uint8_t part = code_u8(c, 0);

	if (part != PART_SUMMARY && !watcher->begun)
		return false;
	switch (part) {
	case PART_SUMMARY:
		next->summary = (struct top_summary){.wall_ns = 0};
		top_code_summary(c, &next->summary);
		watcher->begun = true;
		watcher->rows_missing = next->summary.row_count;
		watcher->page_parts_missing = next->summary.with_page ? 2 : 0;
		break;
	case PART_ROWS:
		take_rows(watcher, c);
		break;
	case PART_PAGE:
		if (watcher->rows_missing || watcher->page_parts_missing != 2)
			return false;
		*next->page = (struct top_page){.pid = 0};
		top_code_page(c, next->page);
		watcher->page_parts_missing = 1;
		break;
	default:
		if (part != PART_READINGS || watcher->page_parts_missing != 1)
			return false;
		top_code_readings(c, next->page, next->summary.node_count);
		watcher->page_parts_missing = 0;
	}
	return !c->bad && !c->left;
}

/* Exchanges the updates: the next one becomes the last one. */
static void turn_updates(struct top_watcher *watcher)
{
	const struct top_update last = watcher->last;

	watcher->last = watcher->next;
	watcher->next = last;
	watcher->begun = false;
	watcher->complete = true;
}

bool top_watcher_read(struct top_watcher *watcher)
{
	bool complete = false;

	for (unsigned parts = 0; watcher->socket >= 0 && parts < PARTS_MOST; parts++) {
		struct coder part;
		const int rc = packet_receive(watcher->socket, watcher->buffer, &part, NULL);

		if (!rc)
			break;
		if (rc < 0 || !take_part(watcher, &part)) {
			close(watcher->socket);
			watcher->socket = -1;
			break;
		}
		if (!watcher->rows_missing && !watcher->page_parts_missing) {
			turn_updates(watcher);
			complete = true;
		}
	}
	return complete;
}
