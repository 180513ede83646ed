/* SPDX-License-Identifier: BSD-3-Clause */
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "linux/run/packet.h"
#include "probe/top/top_watcher.h"

#define ROWS_AT_ONCE (PACKET_BYTES_MOST / sizeof(struct top_row))
/* Limit of parts taken in one call, because the sender may never end. */
#define PARTS_MOST 64

static_assert(sizeof(struct top_page) <= PACKET_BYTES_MOST, "a page is one part");
static_assert(TOP_ROWS_MOST / ROWS_AT_ONCE + 3 <= PARTS_MOST, "an update can be taken at once");

/* Parts of an update, in order. The summary gives the number of the others. */
enum part { PART_SUMMARY, PART_ROWS, PART_PAGE, PARTS };

static const struct packet_kind kinds[PARTS] = {
	[PART_SUMMARY] = {sizeof(struct top_summary), sizeof(struct top_summary), 0},
	[PART_ROWS] = {sizeof(struct top_row), ROWS_AT_ONCE * sizeof(struct top_row),
		       sizeof(struct top_row)},
	[PART_PAGE] = {sizeof(struct top_page), sizeof(struct top_page), 0},
};

/* The process. */

/* Finds a part by index. Returns false if the update has fewer parts. */
static bool find_part(const struct top *top, size_t index, struct packet *out)
{
	const size_t rows = top->summary.row_count,
		     row_parts = (rows + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE;

	if (!index) {
		*out = (struct packet){PART_SUMMARY, &top->summary, sizeof(top->summary)};
		return true;
	}
	if (index > row_parts) {
		*out = (struct packet){PART_PAGE, &top->page, sizeof(top->page)};
		return top->summary.with_page && index == row_parts + 1;
	}
	const size_t first = (index - 1) * ROWS_AT_ONCE, left = rows - first;
	const size_t count = left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE;
	*out = (struct packet){PART_ROWS, &top->rows[first], count * sizeof(top->rows[0])};
	return true;
}

int top_parts_send(int socket, const struct top *top, size_t *index)
{
	struct packet part;

	for (; find_part(top, *index, &part); ++*index) {
		const int rc = packet_send(socket, &part);

		if (rc)
			return rc;
	}
	return 0;
}

/* The run. */

static bool take_rows(struct top_watcher *watcher, const struct packet *part)
{
	struct top_update *next = &watcher->next;
	const size_t count = part->size / sizeof(next->rows[0]);

	if (!watcher->begun || count > watcher->rows_missing)
		return false;
	struct top_row *rows = &next->rows[next->summary.row_count - watcher->rows_missing];
	memcpy(rows, part->bytes, part->size);
	watcher->rows_missing -= count;
	for (size_t i = 0; i < count; i++)
		if (!top_row_is_valid(&rows[i]))
			return false;
	return true;
}

/*
 * Takes a part. Returns false for a part that the process never sends. An incomplete update is
 * dropped.
 */
static bool take_part(struct top_watcher *watcher, const struct packet *part)
{
	struct top_update *next = &watcher->next;

	switch (part->type) {
	case PART_SUMMARY:
		memcpy(&next->summary, part->bytes, part->size);
		watcher->begun = top_summary_is_valid(&next->summary);
		if (watcher->begun) {
			watcher->rows_missing = next->summary.row_count;
			watcher->page_missing = next->summary.with_page;
		}
		return watcher->begun;
	case PART_ROWS:
		return take_rows(watcher, part);
	default:
		if (!watcher->begun || watcher->rows_missing || !watcher->page_missing)
			return false;
		memcpy(next->page, part->bytes, part->size);
		watcher->page_missing = false;
		return top_page_is_valid(next->page);
	}
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
		struct packet part;
		const int rc =
			packet_receive(watcher->socket, kinds, PARTS, watcher->buffer, &part);

		if (!rc)
			break;
		if (rc < 0 || !take_part(watcher, &part)) {
			close(watcher->socket);
			watcher->socket = -1;
			break;
		}
		if (!watcher->rows_missing && !watcher->page_missing) {
			turn_updates(watcher);
			complete = true;
		}
	}
	return complete;
}
