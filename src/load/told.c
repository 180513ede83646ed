/* SPDX-License-Identifier: BSD-3-Clause */
#include "load/told.h"

#include <errno.h>

#include "load/kernels.h"
#include "platform/number.h"

#define MOST 1e15 /* bytes a second: more than any machine can carry */

static int ask(struct told *told, double read, double write, struct error *err)
{
	struct platform *p = told->platform;

	told->last.read = read;
	told->last.write = write;
	const int rc = p->ops->tell_load ? p->ops->tell_load(p, &told->last, err) : -ENOTSUP;
	told->asked_at = p->ops->now(p);
	return rc;
}

int told_open(struct told *told, struct platform *p, int node, struct error *err)
{
	*told = (struct told){.platform = p, .last = {.node = node}};
	const int rc = ask(told, 0, 0, err);

	told->first = told->last;
	return rc;
}

/* Takes account of the time since the last answer; what is told stays the same. */
static int catch_up(struct told *told, struct error *err)
{
	const uint64_t read = told->last.bytes_read, since = told->asked_at;
	const double latency = told->last.latency_ns;
	const int rc = ask(told, told->last.read, told->last.write, err);
	const double ns = (double)(told->asked_at - since);

	if (rc || !told->traffic.chase)
		return rc;
	told->chase_bytes += told->chase_share * (double)(told->last.bytes_read - read);
	told->chased += ns / latency;
	told->chase_ns += ns;
	return 0;
}

int told_start(struct told *told, const struct load_traffic *traffic, struct error *err)
{
	const double rate = min_double(traffic->bytes_per_s, MOST);
	const double read = rate * traffic->read_share, write = rate - read;
	double chase = 0;
	int rc = catch_up(told, err);

	if (!rc)
		rc = ask(told, read, write, err);
	told->traffic = *traffic;
	if (rc || !traffic->chase)
		return rc;
	/* a line each time that the latency has passed */
	chase = KERNEL_LINE / told->last.latency_ns * (double)NS_PER_S;
	told->chase_share = chase / (read + chase);
	return ask(told, read + chase, write, err);
}

int told_progress(struct told *told, struct load_progress *out, struct error *err)
{
	const int rc = catch_up(told, err);

	*out = (struct load_progress){
		.time_ns = told->asked_at,
		.bytes_read = told->last.bytes_read - told->first.bytes_read -
			      (uint64_t)told->chase_bytes,
		.bytes_written = told->last.bytes_written - told->first.bytes_written,
		.chased = told->chased,
		.chase_ns = told->chase_ns,
	};
	return rc;
}
