/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/load/under_load.h"

#include <math.h>

#include "platform/clock.h"

#define MB 1e6

/* The part of the time that is not measured: threads start, caches and queues fill. */
#define SETTLE_PARTS 5

int under_load_begin(struct under_load *u, struct error *err)
{
	return sampling_begin(&u->sampling, u->session->poller, &u->session->plan, err);
}

void under_load_end(struct under_load *u)
{
	under_load_close(u);
	sampling_free(&u->sampling);
}

/* Polls for a signal, because filling the memory takes a moment in which none is noticed. */
static int poll_signals(struct under_load *u, struct error *err)
{
	struct platform *p = u->session->platform;
	const int rc =
		p->ops->clock->sleep_until(p, p->ops->clock->now(p), u->wake, &u->signal_number);

	return rc ? error_set(err, ERROR_FAILED, rc, "interrupted by a signal") : 0;
}

int under_load_open(struct under_load *u, struct load_node *node, struct error *err)
{
	unsigned cpus[LOAD_NODE_CPUS];
	const struct load_spec spec = {
		.node = node->node,
		.bytes = node->memory_bytes,
		.cpus = cpus,
		.cpu_count = load_node_cpus(&u->session->machine.topology, node->socket, cpus),
	};

	under_load_close(u);
	if (node->skipped.code || load_open(u->session->platform, &spec, &u->load, &node->skipped))
		return 0;
	return poll_signals(u, err);
}

void under_load_close(struct under_load *u)
{
	load_close(u->load);
	u->load = NULL;
}

static int take_after(struct under_load *u, uint64_t ns, struct sample *sample, struct error *err)
{
	poller_set_interval(u->session->poller, ns);
	int rc = sampling_wait(&u->sampling, u->wake, &u->signal_number, err);

	return rc ? rc : sampling_take(&u->sampling, sample, err);
}

int under_load_start(struct under_load *u, const struct load_traffic *traffic, uint64_t ns,
		     struct sample *sample, struct error *err)
{
	const int rc = load_start(u->load, traffic, err);

	u->asked_MBps = traffic->bytes_per_s / MB;
	return rc ? rc : take_after(u, ns / SETTLE_PARTS, sample, err);
}

int under_load_measure(struct under_load *u, uint64_t ns, struct load_moved *moved,
		       struct sample *sample, struct error *err)
{
	struct load_progress from, to;
	int rc = load_progress(u->load, &from, err);

	if (!rc)
		rc = take_after(u, ns - ns / SETTLE_PARTS, sample, err);
	if (!rc)
		rc = load_progress(u->load, &to, err);
	if (rc)
		return rc;
	const double us = (double)(to.time_ns - from.time_ns) / 1000;
	const double chased = to.chased - from.chased;
	/* bytes per microsecond are MB/s */
	*moved = (struct load_moved){
		.asked_MBps = u->asked_MBps,
		.read_MBps = us > 0 ? (double)(to.bytes_read - from.bytes_read) / us : NAN,
		.write_MBps = us > 0 ? (double)(to.bytes_written - from.bytes_written) / us : NAN,
		.chase_ns = chased > 0 ? (to.chase_ns - from.chase_ns) / chased : NAN,
	};
	return 0;
}
