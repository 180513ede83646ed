/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/load/load.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "linux/kernel/clock.h"
#include "linux/kernel/limits.h"
#include "platform/clock.h"
#include "platform/simulation.h"
#include "probe/load/load_private.h"

/*
 * A load that is injected into a simulated machine, which reports the traffic; no byte is
 * transferred.
 */
struct injection {
	struct platform *platform;
	struct injected_load first, last; /* answers of the machine; .last has the present rates */
	struct load_traffic traffic;
	unsigned cpus[INJECTED_CPUS]; /* CPUs for kernels */
	size_t cpu_count;
	uint64_t asked_at;	 /* time of the last answer, ns */
	double chase_share;	 /* part of the reads */
	double chase_bytes;	 /* total */
	double chased, chase_ns; /* totals */
};

#define MOST 1e15 /* bytes per second: more than any machine can carry */

static int ask_for_traffic(struct injection *injection, double read, double write,
			   struct error *err)
{
	struct platform *p = injection->platform;

	injection->last.read = read;
	injection->last.write = write;
	const int rc = p->ops->simulation
			       ? p->ops->simulation->inject_load(p, &injection->last, err)
			       : -ENOTSUP;
	injection->asked_at = p->ops->clock->now(p);
	return rc;
}

/* Begins an injected load. -ENOTSUP: the memory is real. */
static int injection_open(struct injection *injection, struct platform *p, int node,
			  struct error *err)
{
	*injection = (struct injection){.platform = p, .last = {.node = node}};
	const int rc = ask_for_traffic(injection, 0, 0, err);

	injection->first = injection->last;
	return rc;
}

/* Accounts for the time since the last answer; the load stays the same. */
static int catch_up(struct injection *injection, struct error *err)
{
	const uint64_t read = injection->last.bytes_read, since = injection->asked_at;
	const double latency = injection->last.latency_ns;
	const int rc = ask_for_traffic(injection, injection->last.read, injection->last.write, err);
	const double ns = (double)(injection->asked_at - since);

	if (rc || !injection->traffic.chase)
		return rc;
	injection->chase_bytes +=
		injection->chase_share * (double)(injection->last.bytes_read - read);
	injection->chased += ns / latency;
	injection->chase_ns += ns;
	return 0;
}

/* Sets the kernel: its rates follow from its CPUs. */
static void set_kernel(struct injection *injection, const struct load_traffic *traffic)
{
	struct injected_load *load = &injection->last;

	load->cpu_count = traffic->kernel_alone ? injection->cpu_count : 0;
	memcpy(load->cpus, injection->cpus, sizeof(load->cpus));
	load->kernel = traffic->kernel;
	load->chains = traffic->chains;
}

static int injection_start(struct injection *injection, const struct load_traffic *traffic,
			   struct error *err)
{
	const double rate = traffic->kernel_alone ? 0 : fmin(traffic->bytes_per_s, MOST);
	const double read = rate * traffic->read_share, write = rate - read;
	double chase = 0;
	int rc = catch_up(injection, err);

	set_kernel(injection, traffic);
	if (!rc)
		rc = ask_for_traffic(injection, read, write, err);
	injection->traffic = *traffic;
	if (rc || !traffic->chase)
		return rc;
	/* one line for each latency */
	chase = KERNEL_LINE / injection->last.latency_ns * (double)NS_PER_S;
	injection->chase_share = chase / (read + chase);
	return ask_for_traffic(injection, read + chase, write, err);
}

static int injection_progress(struct injection *injection, struct load_progress *out,
			      struct error *err)
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

struct load {
	bool simulated;
	struct injection injection;
	struct placement placement;
	struct workers *workers;
};

int load_memory_for(struct platform *p, int node, uint64_t *bytes, struct error *err)
{
	struct injection injection;
	const int rc = injection_open(&injection, p, node, err);

	*bytes = 0;
	return rc == -ENOTSUP ? placement_size(node, bytes, err) : rc;
}

/* Lists the CPUs that this process may run on. Returns their number. */
static size_t permitted_cpus(const struct load_spec *spec, unsigned *out)
{
	const struct affinity permitted = affinity_get();
	size_t count = 0;

	for (size_t i = 0; i < spec->cpu_count; i++)
		if (affinity_has(&permitted, spec->cpus[i]))
			out[count++] = spec->cpus[i];
	return count;
}

/*
 * Opens the memory. The ring has a power of two of bytes, at most half of all; the rest is for
 * traffic.
 */
static int open_memory(struct load *load, const struct load_spec *spec, struct error *err)
{
	struct placement *m = &load->placement;
	unsigned *cpus = calloc(spec->cpu_count + 1, sizeof(*cpus));
	const size_t count = cpus ? permitted_cpus(spec, cpus) : 0;
	size_t ring = KERNEL_LINE;
	int rc = cpus ? 0 : error_no_memory(err);

	if (!rc && !count)
		rc = error_set(err, ERROR_FAILED, -ENODEV,
			       "node %d: this process may run on none of the CPUs near it (see "
			       "taskset -p $$)",
			       spec->node);
	if (!rc)
		rc = placement_reserve(m, spec->node, spec->bytes, err);
	while (!rc && 2 * ring <= m->bytes / 2)
		ring *= 2;
	if (!rc) {
		const struct worker_memory memory = {m->base + ring, m->bytes - ring, m->base,
						     ring};

		load->workers = workers_new(cpus, count, spec->runs_kernels, &memory);
		rc = load->workers ? workers_fill(load->workers, err) : error_no_memory(err);
	}
	free(cpus);
	if (rc)
		return rc;
	kernel_link(m->base, ring);
	return placement_verify(m, spec->node, err);
}

int load_open(struct platform *p, const struct load_spec *spec, struct load **out,
	      struct error *err)
{
	struct load *load = calloc(1, sizeof(*load));

	*out = NULL;
	if (!load)
		return error_no_memory(err);
	int rc = injection_open(&load->injection, p, spec->node, err);
	while (load->injection.cpu_count < spec->cpu_count &&
	       load->injection.cpu_count < INJECTED_CPUS) {
		load->injection.cpus[load->injection.cpu_count] =
			spec->cpus[load->injection.cpu_count];
		load->injection.cpu_count++;
	}
	load->simulated = rc != -ENOTSUP;
	if (!load->simulated)
		rc = open_memory(load, spec, err);
	if (rc)
		load_close(load);
	else
		*out = load;
	return rc;
}

void load_close(struct load *load)
{
	if (!load)
		return;
	load_stop(load, NULL);
	workers_free(load->workers);
	placement_free(&load->placement);
	free(load);
}

int load_start(struct load *load, const struct load_traffic *traffic, struct error *err)
{
	return load->simulated ? injection_start(&load->injection, traffic, err)
			       : workers_start(load->workers, traffic, err);
}

int load_stop(struct load *load, struct error *err)
{
	const struct load_traffic nothing = {.bytes_per_s = 0};

	if (load->simulated)
		return injection_start(&load->injection, &nothing, err);
	if (load->workers)
		workers_stop(load->workers);
	return 0;
}

int load_progress(struct load *load, struct load_progress *out, struct error *err)
{
	*out = (struct load_progress){.bytes_read = 0};
	if (load->simulated)
		return injection_progress(&load->injection, out, err);
	workers_progress(load->workers, out);
	out->time_ns = clock_monotonic();
	return 0;
}
