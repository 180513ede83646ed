/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the events of a sampler on each CPU, and their rings. */
#include "linux/perf/perf.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

#include "base/rootfs.h"
#include "base/text.h"
#include "linux/perf/perf_ring.h"
#include "linux/perf/sampler_private.h"
#include "linux/system/linux_platform.h"
#include "linux/system/topology.h"

static const struct perf_pmu software = {.name = "software", .type = PERF_TYPE_SOFTWARE};

static bool is_software(const struct load_event *event)
{
	return !strcmp(event->pmu, software.name);
}

/* Descriptions of events in sysfs. */

#define ALIAS_PATH "sys/bus/event_source/devices/%s/events/%s"

/* Finds a named event. -ENOENT: the PMU has no such event. */
static int find_alias(const char *root, const struct perf_pmu *pmu, const char *name,
		      struct perf_alias *out)
{
	char text[256];
	const int rc = rootfs_line(text, sizeof(text), root, ALIAS_PATH, pmu->name, name);

	return rc ? rc : perf_parse_alias(pmu, text, out);
}

int sampler_describe(const char *root, const struct perf_pmu *pmu, const struct load_event *event,
		     struct described_event *out)
{
	struct perf_alias alias = {.config = {0}};
	struct error ignored;
	int rc = event->alias ? find_alias(root, pmu, event->alias, &alias)
			      : perf_parse_alias(pmu, event->terms, &alias);

	*out = (struct described_event){.event.type = pmu->type, .leader.type = pmu->type};
	memcpy(out->event.config, alias.config, sizeof(alias.config));
	if (!rc && event->optional)
		perf_set_field(pmu, event->optional, 1, &out->event, &ignored);
	if (!rc && event->ldlat)
		perf_set_field(pmu, "ldlat", event->ldlat, &out->event, &ignored);
	if (!rc && event->leader && !find_alias(root, pmu, event->leader, &alias)) {
		out->has_leader = true;
		memcpy(out->leader.config, alias.config, sizeof(alias.config));
	}
	return rc;
}

static int find_event(const char *root, const struct perf_pmus *pmus,
		      const struct load_event *event, struct described_event *out,
		      struct error *err)
{
	const struct perf_pmu *pmu =
		is_software(event) ? &software : perf_find_pmu(pmus, event->pmu);
	int rc;

	if (!pmu)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "%s cannot be sampled: the kernel has no PMU '%s' (in most "
				 "virtual machines it has none)",
				 event->name, event->pmu);
	if (load_event_check_kernel(event, pmus->kernel, err))
		return err->code;
	rc = sampler_describe(root, pmu, event, out);
	return rc ? error_set(err, ERROR_NO_UNIT, rc, "%s: the PMU '%s' has no such event: %s",
			      event->name, event->pmu, strerror(-rc))
		  : 0;
}

static int event_failed(const struct linux_sampler *s, const char *name, unsigned cpu, int code,
			struct error *err)
{
	struct error reason;

	linux_perf_explain(s->platform, code, &reason);
	error_set(err, reason.kind, code, "%s cannot be sampled on cpu %u: %s%s", name, cpu,
		  reason.text,
		  code == -EBADF && s->cgroup >= 0 ? " (--cgroup: no cgroup of perf events)" : "");
	error_hint(err, reason.command);
	return code;
}

/* Returns the attributes of an event. Events that share a ring must have the same clock. */
static struct perf_event_attr event_attributes(const struct linux_sampler *s, size_t number,
					       const struct perf_event *perf)
{
	const struct load_event *event = s->base.sampling.events[number];

	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr),
		.type = perf->type,
		.config = perf->config[0],
		.config1 = perf->config[1],
		.config2 = perf->config[2],
		.sample_type = SAMPLE_TYPE &
			       ~(s->layout.counter ? 0 : PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ),
		.read_format = SAMPLE_READ_FORMAT | (s->layout.lost ? PERF_FORMAT_LOST : 0),
		.sample_period = event->period,
		.precise_ip = event->precise & 3,
		.use_clockid = true,
		.clockid = CLOCK_MONOTONIC,
	};
}

static struct perf_target target_of(const struct linux_sampler *s, unsigned cpu, int leader)
{
	return (struct perf_target){.process = s->cgroup,
				    .cpu = cpu,
				    .leader = leader,
				    .flags = s->cgroup < 0 ? 0 : PERF_FLAG_PID_CGROUP};
}

static int open_one(struct linux_sampler *s, struct perf_event_attr *attr, unsigned cpu, int leader)
{
	const struct perf_target target = target_of(s, cpu, leader);
	const int fd = linux_perf_open_attr(s->platform, attr, &target);

	if (fd >= 0)
		s->handles[s->base.handle_count++] = fd;
	return fd;
}

/* Opens the leader of an event. *leader: -1 if it has none. */
static int open_leader(struct linux_sampler *s, const struct described_event *wanted,
		       const char *name, unsigned cpu, int *leader, struct error *err)
{
	struct perf_event_attr attr = {.size = sizeof(attr),
				       .type = wanted->leader.type,
				       .config = wanted->leader.config[0],
				       .disabled = true};

	*leader = -1;
	if (!wanted->has_leader)
		return 0;
	*leader = open_one(s, &attr, cpu, -1);
	return *leader < 0 ? event_failed(s, name, cpu, *leader, err) : 0;
}

/*
 * Opens an event with PERF_FORMAT_LOST, or without it before Linux 6.0: then only records report
 * losses.
 */
static int open_with_layout(struct linux_sampler *s, const struct perf_event *perf, unsigned cpu,
			    size_t number, int leader)
{
	struct perf_event_attr attr = event_attributes(s, number, perf);

	attr.disabled = leader < 0;
	int fd = open_one(s, &attr, cpu, leader);
	if (fd == -EINVAL && s->layout.lost && !s->stream_count) {
		s->layout.lost = false;
		attr.read_format = SAMPLE_READ_FORMAT;
		fd = open_one(s, &attr, cpu, leader);
	}
	return fd;
}

/* Connects an event to the ring of the first one. */
static int connect_stream(struct linux_sampler *s, struct stream *stream, size_t number,
			  struct error *err)
{
	const int fd = stream->events[number].fd;

	if ((number && ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, stream->events[0].fd)) ||
	    ioctl(fd, PERF_EVENT_IOC_ID, &stream->events[number].id))
		return event_failed(s, s->base.sampling.events[number]->name, stream->cpu, -errno,
				    err);
	return 0;
}

static int open_cpu_event(struct linux_sampler *s, struct stream *stream,
			  const struct described_event *wanted, size_t number, struct error *err)
{
	const struct load_event *event = s->base.sampling.events[number];
	struct cpu_event *out = &stream->events[number];

	*out = (struct cpu_event){.scale = 1};
	if (open_leader(s, wanted, event->leader, stream->cpu, &out->leader, err))
		return err->code;
	out->fd = open_with_layout(s, &wanted->event, stream->cpu, number, out->leader);
	if (out->fd < 0)
		return event_failed(s, event->name, stream->cpu, out->fd, err);
	if (out->leader < 0)
		out->leader = out->fd;
	return connect_stream(s, stream, number, err);
}

static int open_event(struct linux_sampler *s, const struct topology *topology,
		      const struct perf_pmus *pmus, size_t number, struct error *err)
{
	const struct load_event *event = s->base.sampling.events[number];
	struct described_event wanted;
	int rc = find_event(linux_of(s->platform)->root, pmus, event, &wanted, err);

	s->base.periods[number] = event->period;
	for (size_t i = 0; !rc && i < topology->count; i++) {
		s->streams[i].cpu = topology->cpus[i].cpu;
		rc = open_cpu_event(s, &s->streams[i], &wanted, number, err);
		if (!rc && !number)
			s->stream_count++;
	}
	return rc;
}

static int open_process_records(struct linux_sampler *s, struct error *err)
{
	const struct load_sampling *sampling = &s->base.sampling;
	int rc = 0;

	s->processes.says_lost = s->layout.lost;
	for (size_t i = 0; !rc && sampling->processes && i < s->stream_count; i++) {
		const struct perf_target target = target_of(s, s->streams[i].cpu, -1);

		rc = process_records_open(&s->processes, s->platform, &target, sampling->mappings);
		if (rc)
			return event_failed(s, "dummy (records of processes)", s->streams[i].cpu,
					    rc, err);
	}
	return rc;
}

#define SAMPLE_RINGS_BYTES ((size_t)64 << 20)

static int map_rings(struct linux_sampler *s, size_t pages)
{
	int rc = process_records_map(&s->processes, pages);

	for (size_t i = 0; !rc && i < s->stream_count; i++)
		rc = perf_mapping_open(s->streams[i].events[0].fd, pages, &s->streams[i].mapping);
	return rc;
}

static void unmap_rings(struct linux_sampler *s)
{
	process_records_unmap(&s->processes);
	for (size_t i = 0; i < s->stream_count; i++)
		perf_mapping_close(&s->streams[i].mapping);
}

/* Maps the rings of samples, all of one size: a smaller one if this user may not have more. */
static int open_rings(struct linux_sampler *s, struct error *err)
{
	size_t pages = perf_ring_pages(s->base.cpus, SAMPLE_RINGS_BYTES);
	int rc;

	while ((rc = map_rings(s, pages)) == -EPERM || rc == -ENOMEM) {
		unmap_rings(s);
		if ((pages /= 2) < PERF_RING_PAGES_LEAST)
			break;
	}
	if (rc)
		return error_set(err, ERROR_PERMISSION, rc,
				 "the buffers for samples cannot be mapped: %s", strerror(-rc));
	s->samples = calloc(s->streams[0].mapping.bytes / SAMPLE_BYTES, sizeof(*s->samples));
	return s->samples ? 0 : error_no_memory(err);
}

/* Opens the events. One after the first may be missing: it stays disabled if it is open. */
static int open_events(struct linux_sampler *s, const struct topology *topology,
		       const struct perf_pmus *pmus, struct error *err)
{
	struct load_sampling *sampling = &s->base.sampling;
	struct error why;

	s->layout =
		(struct sample_layout){.counter = !is_software(sampling->events[0]), .lost = true};
	int rc = open_event(s, topology, pmus, 0, err);
	if (!rc)
		rc = open_process_records(s, err);
	if (!rc)
		rc = open_rings(s, err);
	for (size_t i = 1; !rc && i < sampling->event_count; i++) {
		if (!open_event(s, topology, pmus, i, &why))
			continue;
		log_write(&s->platform->log, LEVEL_NOTE, "%s", why.text);
		sampling->event_count = i;
	}
	return rc;
}

/*
 * Returns the TSC's frequency: TSC clocks take time_mult >> time_shift ns (struct
 * perf_event_mmap_page). 0: unknown.
 */
static double tsc_MHz(const struct perf_event_mmap_page *page)
{
	if (!page->cap_user_time || !page->time_mult)
		return 0;
	return ldexp(1e3, page->time_shift) / page->time_mult;
}

static bool takes_time(const struct load_sampling *sampling)
{
	bool any = false;

	for (size_t i = 0; i < sampling->event_count; i++)
		any |= sampling->events[i]->takes_time;
	return any;
}

static int open_cgroup(struct linux_sampler *s, struct error *err)
{
	const char *name = s->base.sampling.cgroup;

	if (!name)
		return 0;
	s->cgroup = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return s->cgroup < 0 ? error_set(err, ERROR_USAGE, -errno, "--cgroup: %s: %s",
					 quoted(name).text, strerror(errno))
			     : 0;
}

/* Opens events on each CPU, and the clock that their latencies need. */
static int open_all(struct linux_sampler *s, const struct topology *topology, struct error *err)
{
	const size_t most = 2 * topology->count * s->base.sampling.event_count;
	struct perf_pmus pmus;

	s->base.cpus = topology->count;
	s->streams = calloc(topology->count, sizeof(*s->streams));
	s->handles = calloc(most, sizeof(*s->handles)); /* events may have leaders */
	s->online =
		rootfs_open(O_RDONLY, linux_of(s->platform)->root, "sys/devices/system/cpu/online");
	s->base.handles = s->handles;
	int rc = open_cgroup(s, err);
	if (!rc && (!s->streams || !s->handles))
		rc = error_no_memory(err);
	if (!rc)
		rc = linux_perf_pmus(s->platform, &pmus, err);
	if (rc)
		return rc;
	rc = open_events(s, topology, &pmus, err);
	if (!rc && takes_time(&s->base.sampling)) {
		s->clock = core_clock_open(s->platform, &pmus, topology,
					   tsc_MHz(s->streams[0].mapping.page));
		s->base.latencies = s->clock != NULL;
	}
	perf_pmus_free(&pmus);
	return rc;
}

int linux_sampler_open(struct platform *p, const struct load_sampling *sampling,
		       struct sampler **out, struct error *err)
{
	struct topology topology;
	int rc = linux_topology(p, &topology, err);
	struct linux_sampler *s = rc ? NULL : calloc(1, sizeof(*s));

	if (s) {
		s->base = (struct sampler){.ops = &linux_sampler_ops, .sampling = *sampling};
		s->platform = p;
		s->cgroup = s->online = -1;
		rc = open_all(s, &topology, err);
	} else if (!rc) {
		rc = error_no_memory(err);
	}
	topology_free(&topology);
	if (!rc)
		*out = &s->base;
	else if (s)
		linux_sampler_ops.destroy(&s->base);
	return rc;
}
