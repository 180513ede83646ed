/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/sweep/sweep_block.h"

#include "probe/sweep/sweep_point.h"

static struct sweep_point code_point(struct coder *c, struct sweep_point p)
{
	p.node = code_index(c, p.node);
	p.socket = code_index(c, p.socket);
	p.read_share = code_number(c, p.read_share);
	p.asked_MBps = code_number(c, p.asked_MBps);
	p.read_MBps = code_number(c, p.read_MBps);
	p.write_MBps = code_number(c, p.write_MBps);
	p.chase_ns = code_number(c, p.chase_ns);
	p.start_ns = code_varint(c, p.start_ns);
	p.end_ns = code_varint(c, p.end_ns);
	return p;
}

static void encode(struct coder *c, const void *content)
{
	code_point(c, *(const struct sweep_point *)content);
}

/* NAN is none. What no machine reaches (MB/s, or ns) would not fit on an axis. */
static bool is_impossible(double number)
{
	return number < 0 || number > 1e15;
}

static int decode(struct coder *c, void *content)
{
	struct sweep_point *p = content;

	*p = code_point(c, *p);
	c->bad |= p->node < 0 || !(p->read_share >= 0 && p->read_share <= 1) ||
		  is_impossible(p->asked_MBps) || is_impossible(p->read_MBps) ||
		  is_impossible(p->write_MBps) || is_impossible(p->chase_ns);
	return 0;
}

const struct block_kind sweep_block = {
	.type = 'P',
	.invalid = "a point of a sweep is not valid",
	.encode = encode,
	.size = sizeof(struct sweep_point),
	.decode = decode,
};
