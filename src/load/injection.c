/* SPDX-License-Identifier: BSD-3-Clause */
#include "load/injection.h"

#include <errno.h>
#include <math.h>

#include "load/kernels.h"
#include "platform/number.h"

#define MOST 1e15 /* bytes a second: more than any machine can carry */

static int ask(struct injection *injection, double read, double write, struct error *err)
{
	struct platform *p = injection->platform;

	injection->last.read = read;
	injection->last.write = write;
	const int rc =
		p->ops->inject_load ? p->ops->inject_load(p, &injection->last, err) : -ENOTSUP;
	injection->asked_at = p->ops->now(p);
	return rc;
}

int injection_open(struct injection *injection, struct platform *p, int node, struct error *err)
{
	*injection = (struct injection){.platform = p, .last = {.node = node}};
	const int rc = ask(injection, 0, 0, err);

	injection->first = injection->last;
	return rc;
}

/* Takes account of the time since the last answer; the load stays the same. */
static int catch_up(struct injection *injection, struct error *err)
{
	const uint64_t read = injection->last.bytes_read, since = injection->asked_at;
	const double latency = injection->last.latency_ns;
	const int rc = ask(injection, injection->last.read, injection->last.write, err);
	const double ns = (double)(injection->asked_at - since);

	if (rc || !injection->traffic.chase)
		return rc;
	injection->chase_bytes +=
		injection->chase_share * (double)(injection->last.bytes_read - read);
	injection->chased += ns / latency;
	injection->chase_ns += ns;
	return 0;
}

int injection_start(struct injection *injection, const struct load_traffic *traffic,
		    struct error *err)
{
	const double rate = fmin(traffic->bytes_per_s, MOST);
	const double read = rate * traffic->read_share, write = rate - read;
	double chase = 0;
	int rc = catch_up(injection, err);

	if (!rc)
		rc = ask(injection, read, write, err);
	injection->traffic = *traffic;
	if (rc || !traffic->chase)
		return rc;
	/* a line each time that the latency has passed */
	chase = KERNEL_LINE / injection->last.latency_ns * (double)NS_PER_S;
	injection->chase_share = chase / (read + chase);
	return ask(injection, read + chase, write, err);
}

int injection_progress(struct injection *injection, struct load_progress *out, struct error *err)
{
	const int rc = catch_up(injection, err);

	*out = (struct load_progress){
		.time_ns = injection->asked_at,
		.bytes_read = injection->last.bytes_read - injection->first.bytes_read -
			      (uint64_t)injection->chase_bytes,
		.bytes_written = injection->last.bytes_written - injection->first.bytes_written,
		.chased = injection->chased,
		.chase_ns = injection->chase_ns,
	};
	return rc;
}
