/* SPDX-License-Identifier: BSD-3-Clause */
/* The point block: the load while the next sample was taken, in a recording of cxlmon sweep. */
#include <errno.h>

#include "record/block.h"
#include "record/recording_private.h"

#define MOST	  1e15						   /* MB/s, or ns */
#define MAX_POINT ((size_t)2 * 5 + (size_t)5 * 9 + (size_t)2 * 10) /* bytes */

void recording_put_point(struct bytes *out, const struct sweep_point *point)
{
	struct bytes b = {.failed = false};

	bytes_put_index(&b, point->node);
	bytes_put_index(&b, point->socket);
	bytes_put_number(&b, point->read_share);
	bytes_put_number(&b, point->asked_MBps);
	bytes_put_number(&b, point->read_MBps);
	bytes_put_number(&b, point->write_MBps);
	bytes_put_number(&b, point->chase_ns);
	bytes_put_varint(&b, point->start_ns);
	bytes_put_varint(&b, point->end_ns);
	block_put(out, BLOCK_POINT, &b);
	bytes_free(&b);
}

size_t recording_max_point(void)
{
	return MAX_POINT;
}

/* NAN is none. What no machine reaches would not fit on an axis. */
static bool is_impossible(double number)
{
	return number < 0 || number > MOST;
}

int recording_decode_point(struct recording *recording, struct error *err)
{
	struct cursor c = {.at = recording->body.data, .left = recording->body.size};
	struct sweep_point *p = &recording->point;

	p->node = cursor_index(&c);
	p->socket = cursor_index(&c);
	p->read_share = cursor_number(&c);
	p->asked_MBps = cursor_number(&c);
	p->read_MBps = cursor_number(&c);
	p->write_MBps = cursor_number(&c);
	p->chase_ns = cursor_number(&c);
	p->start_ns = cursor_varint(&c);
	p->end_ns = cursor_varint(&c);
	if (c.bad || c.left || p->node < 0 || !(p->read_share >= 0 && p->read_share <= 1) ||
	    is_impossible(p->asked_MBps) || is_impossible(p->read_MBps) ||
	    is_impossible(p->write_MBps) || is_impossible(p->chase_ns))
		return error_set(err, EXIT_FAILED, -EBADMSG, "a point of a sweep is not valid");
	return 0;
}
