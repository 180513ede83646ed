/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/linux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/rootfs.h"
#include "base/text.h"
#include "linux/perf/core_clock.h"
#include "linux/perf/perf.h"
#include "linux/perf/sample_record.h"
#include "platform/cpus.h"
#include "platform/load_sample.h"
#include "platform/perf.h"

/*
 * Without CAP_IPC_LOCK a user may have kernel.perf_event_mlock_kb (516 KiB: 1 + 128 pages) on each
 * CPU, which is what perf takes, too. It has the samples of 6000 loads.
 */
#define RING_PAGES	 128
#define RING_PAGES_LEAST 4

/* The kernel's own events: their number is constant, wherever sysfs is. */
static const struct perf_pmu software = {.name = "software", .type = PERF_TYPE_SOFTWARE};

struct stream {
	unsigned cpu;
	unsigned event; /* number in load_sampling.events */
	int fd;
	int leader; /* which is enabled and disabled: fd, or that of its group */
	struct perf_mapping mapping;
	struct perf_ring ring; /* of the reading in progress */
	bool reads_lost;       /* read(2) says how many samples were lost, */
	uint64_t lost;	       /* so far */
};

/* A record that is needed to understand samples, also those on other CPUs. */
struct early_record {
	uint64_t time_ns;
	uint64_t tail; /* where it is in the ring */
	const struct stream *stream;
};

struct linux_sampler {
	struct sampler base;
	struct platform *platform;
	struct stream *streams;
	size_t stream_count;
	struct early_record *early; /* of the reading in progress */
	size_t early_count;
	struct core_clock *clock; /* NULL: not known */
	int cgroup;		  /* directory; -1: none */
	int *handles;		  /* of streams and their leaders */
	uint8_t buffer[SAMPLE_RECORD_MOST];
};

static struct linux_sampler *self(struct sampler *sampler)
{
	return (struct linux_sampler *)sampler;
}

static void unmap_streams(struct linux_sampler *s, size_t first)
{
	for (size_t i = first; i < s->stream_count; i++)
		perf_mapping_close(&s->streams[i].mapping);
	s->stream_count = first;
}

static void destroy(struct sampler *sampler)
{
	struct linux_sampler *s = self(sampler);

	unmap_streams(s, 0);
	for (size_t i = 0; i < s->base.handle_count; i++)
		close(s->handles[i]);
	core_clock_close(s->clock);
	if (s->cgroup >= 0)
		close(s->cgroup);
	free(s->streams);
	free(s->early);
	free(s->handles);
	free(s);
}

static bool comes_first(const struct sample_record *record)
{
	return record->kind == RECORD_NAME || record->kind == RECORD_FORK ||
	       record->kind == RECORD_MAPPING;
}

static void count(struct linux_sampler *s, const struct stream *stream,
		  const struct sample_record *record)
{
	s->base.lost += record->kind == RECORD_LOST && !stream->reads_lost ? record->lost : 0;
	s->base.throttled += record->kind == RECORD_THROTTLE;
}

static void complete(struct linux_sampler *s, const struct stream *stream,
		     struct load_sample *sample)
{
	const struct load_event *event = s->base.sampling.events[stream->event];

	sample->event = stream->event;
	sample->cpu = stream->cpu;
	if (event->takes_time && sample->weight)
		sample->latency_ns =
			(double)sample->weight * 1e3 / core_clock_MHz(s->clock, stream->cpu);
}

static bool is_software(const struct load_event *event)
{
	return !strcmp(event->pmu, software.name);
}

/* False: it is malformed. */
static bool decode(const struct linux_sampler *s, const struct stream *stream, size_t size,
		   struct sample_record *record)
{
	const struct load_event *event = s->base.sampling.events[stream->event];
	const uint64_t period = is_software(event) ? s->base.periods[stream->event] : 0;

	return sample_record_decode(s->buffer, size, period, record);
}

static void find_early(struct linux_sampler *s, const struct stream *stream)
{
	struct perf_ring ring = stream->ring;
	struct early_record early = {.stream = stream, .tail = ring.tail};
	struct sample_record record;
	size_t size;

	for (; perf_ring_next(&ring, s->buffer, sizeof(s->buffer), &size) > 0;
	     early.tail = ring.tail) {
		if (!decode(s, stream, size, &record) || !comes_first(&record))
			continue;
		early.time_ns = record.time_ns;
		if (array_room(&s->early, s->early_count, 1, sizeof(early)))
			return;
		s->early[s->early_count++] = early;
	}
}

static int compare_time(const void *a, const void *b)
{
	const struct early_record *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	/* the order of one ring */
	return x->tail < y->tail ? -1 : x->tail > y->tail;
}

/* In the order of time: a process is started on one CPU, and starts others on another. */
static void visit_early(struct linux_sampler *s, sample_visitor *visit, void *context)
{
	struct sample_record record;
	size_t size;

	if (s->early_count)
		qsort(s->early, s->early_count, sizeof(*s->early), compare_time);
	for (size_t i = 0; i < s->early_count; i++) {
		struct perf_ring ring = s->early[i].stream->ring;

		ring.tail = s->early[i].tail;
		if (perf_ring_next(&ring, s->buffer, sizeof(s->buffer), &size) > 0 &&
		    decode(s, s->early[i].stream, size, &record))
			visit(context, &record);
	}
	s->early_count = 0;
}

static void visit_others(struct linux_sampler *s, const struct stream *stream,
			 sample_visitor *visit, void *context)
{
	struct perf_ring ring = stream->ring;
	struct sample_record record;
	size_t size;
	int rc;

	while ((rc = perf_ring_next(&ring, s->buffer, sizeof(s->buffer), &size)) > 0) {
		if (!decode(s, stream, size, &record)) {
			s->base.malformed++;
			continue;
		}
		if (comes_first(&record))
			continue;
		count(s, stream, &record);
		if (record.kind == RECORD_SAMPLE)
			complete(s, stream, &record.sample);
		visit(context, &record);
	}
	s->base.malformed += rc != 0;
	perf_mapping_end(&stream->mapping, &ring);
}

static void read_all(struct sampler *sampler, sample_visitor *visit, void *context)
{
	struct linux_sampler *s = self(sampler);

	core_clock_update(s->clock);
	for (size_t i = 0; i < s->stream_count; i++) {
		s->streams[i].ring = perf_mapping_begin(&s->streams[i].mapping);
		find_early(s, &s->streams[i]);
	}
	visit_early(s, visit, context);
	for (size_t i = 0; i < s->stream_count; i++)
		visit_others(s, &s->streams[i], visit, context);
}

static int set_period(struct sampler *sampler, size_t event, uint64_t period)
{
	struct linux_sampler *s = self(sampler);

	for (size_t i = 0; i < s->stream_count; i++)
		if (s->streams[i].event == event &&
		    ioctl(s->streams[i].fd, PERF_EVENT_IOC_PERIOD, &period))
			return -errno;
	sampler->periods[event] = period;
	return 0;
}

static int enable(struct sampler *sampler, bool on)
{
	struct linux_sampler *s = self(sampler);
	int rc = 0;

	for (size_t i = 0; !rc && i < s->stream_count; i++)
		rc = linux_perf_enable(s->platform, s->streams[i].leader, on);
	return rc;
}

/* A record of lost samples comes only with the next sample, if there is one. */
static void count_lost(struct sampler *sampler)
{
	struct linux_sampler *s = self(sampler);
	struct {
		uint64_t count, lost;
	} now;

	for (size_t i = 0; i < s->stream_count; i++) {
		struct stream *stream = &s->streams[i];

		if (!stream->reads_lost || read(stream->fd, &now, sizeof(now)) != sizeof(now))
			continue;
		sampler->lost += now.lost - stream->lost;
		stream->lost = now.lost;
	}
}

static const struct sampler_ops sampler_ops = {
	.read = read_all,
	.count_lost = count_lost,
	.set_period = set_period,
	.enable = enable,
	.destroy = destroy,
};

/* What sysfs says of the events. */

#define ALIAS_PATH "sys/bus/event_source/devices/%s/events/%s"

/* -ENOENT: the PMU has no such event. */
static int find_alias(const char *root, const struct perf_pmu *pmu, const char *name,
		      struct perf_alias *out)
{
	char text[256];
	const int rc = rootfs_line(text, sizeof(text), root, ALIAS_PATH, pmu->name, name);

	return rc ? rc : perf_parse_alias(pmu, text, out);
}

struct wanted {
	struct perf_event event, leader;
	bool has_leader;
};

static int describe(const char *root, const struct perf_pmu *pmu, const struct load_event *event,
		    struct wanted *out)
{
	struct perf_alias alias = {.config = {0}};
	struct error ignored;
	int rc = event->alias ? find_alias(root, pmu, event->alias, &alias)
			      : perf_parse_alias(pmu, event->terms, &alias);

	*out = (struct wanted){.event.type = pmu->type, .leader.type = pmu->type};
	memcpy(out->event.config, alias.config, sizeof(alias.config));
	if (!rc && event->optional)
		perf_set_field(pmu, event->optional, 1, &out->event, &ignored);
	if (!rc && event->leader && !find_alias(root, pmu, event->leader, &alias)) {
		out->has_leader = true;
		memcpy(out->leader.config, alias.config, sizeof(alias.config));
	}
	return rc;
}

static int find_event(const char *root, const struct perf_pmus *pmus,
		      const struct load_event *event, struct wanted *out, struct error *err)
{
	const struct perf_pmu *pmu =
		is_software(event) ? &software : perf_find_pmu(pmus, event->pmu);
	int rc;

	if (!pmu)
		return error_set(err, EXIT_NO_UNIT, -ENODEV,
				 "%s cannot be sampled: the kernel has no PMU '%s' (in most "
				 "virtual machines it has none)",
				 event->name, event->pmu);
	rc = describe(root, pmu, event, out);
	return rc ? error_set(err, EXIT_NO_UNIT, rc, "%s: the PMU '%s' has no such event: %s",
			      event->name, event->pmu, strerror(-rc))
		  : 0;
}

static int failed(const struct linux_sampler *s, const char *name, unsigned cpu, int code,
		  struct error *err)
{
	struct error reason;

	linux_perf_explain(s->platform, code, &reason);
	error_set(err, reason.status, code, "%s cannot be sampled on cpu %u: %s%s", name, cpu,
		  reason.text,
		  code == -EBADF && s->cgroup >= 0 ? " (--cgroup: no cgroup of perf events)" : "");
	error_hint(err, reason.command);
	return code;
}

/* first: of each CPU, which has the names and forks of processes, also of those that end at once */
static struct perf_event_attr attributes(const struct load_sampling *sampling,
					 const struct load_event *event,
					 const struct perf_event *perf, bool first)
{
	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr),
		.type = perf->type,
		.config = perf->config[0],
		.config1 = perf->config[1],
		.config2 = perf->config[2],
		.sample_type = SAMPLE_TYPE & ~(is_software(event) ? PERF_SAMPLE_PERIOD : 0),
		.read_format = PERF_FORMAT_LOST,
		.sample_period = event->period,
		.precise_ip = event->precise & 3,
		.sample_id_all = true,
		.use_clockid = true,
		.clockid = CLOCK_MONOTONIC,
		.comm = first,
		.task = first,
		.mmap = first && sampling->mappings,
		.mmap_data = first && sampling->mappings == MAPPINGS_ALL,
		.mmap2 = first && sampling->mappings,
	};
}

/* Fewer pages where this user may have no more. */
static int map_ring(struct stream *stream)
{
	size_t pages = RING_PAGES;
	int rc;

	do
		rc = perf_mapping_open(stream->fd, pages, &stream->mapping);
	while ((rc == -EPERM || rc == -ENOMEM) && (pages /= 2) >= RING_PAGES_LEAST);
	return rc;
}

static int open_one(struct linux_sampler *s, struct perf_event_attr *attr, unsigned cpu, int leader)
{
	const int fd = linux_perf_open_attr(
		s->platform, attr,
		&(struct perf_target){.process = s->cgroup,
				      .cpu = cpu,
				      .leader = leader,
				      .flags = s->cgroup < 0 ? 0 : PERF_FLAG_PID_CGROUP});

	if (fd >= 0)
		s->handles[s->base.handle_count++] = fd;
	return fd;
}

/* *leader: -1 where it has none. */
static int open_leader(struct linux_sampler *s, const struct wanted *wanted, const char *name,
		       unsigned cpu, int *leader, struct error *err)
{
	struct perf_event_attr attr = {.size = sizeof(attr),
				       .type = wanted->leader.type,
				       .config = wanted->leader.config[0],
				       .disabled = true};

	*leader = -1;
	if (!wanted->has_leader)
		return 0;
	*leader = open_one(s, &attr, cpu, -1);
	return *leader < 0 ? failed(s, name, cpu, *leader, err) : 0;
}

static int open_stream(struct linux_sampler *s, const struct wanted *wanted, unsigned cpu,
		       size_t number, struct error *err)
{
	const struct load_event *event = s->base.sampling.events[number];
	struct perf_event_attr attr = attributes(&s->base.sampling, event, &wanted->event, !number);
	struct stream *stream = &s->streams[s->stream_count];

	*stream = (struct stream){.cpu = cpu, .event = (unsigned)number};
	int rc = open_leader(s, wanted, event->leader, cpu, &stream->leader, err);
	if (rc)
		return rc;
	attr.disabled = stream->leader < 0;
	stream->fd = open_one(s, &attr, cpu, stream->leader);
	if (stream->fd == -EINVAL) {
		/* Linux before 6.0: then only records say what was lost before them */
		attr.read_format = 0;
		stream->fd = open_one(s, &attr, cpu, stream->leader);
	}
	stream->reads_lost = attr.read_format;
	if (stream->fd < 0)
		return failed(s, event->name, cpu, stream->fd, err);
	if (stream->leader < 0)
		stream->leader = stream->fd;
	rc = map_ring(stream);
	if (rc)
		return error_set(err, EXIT_PERMISSION, rc,
				 "the buffer for samples of cpu %u cannot be mapped: %s", cpu,
				 strerror(-rc));
	s->stream_count++;
	return 0;
}

static int open_event(struct linux_sampler *s, const struct topology *topology,
		      const struct perf_pmus *pmus, size_t number, struct error *err)
{
	const struct load_event *event = s->base.sampling.events[number];
	struct wanted wanted;
	int rc = find_event(linux_of(s->platform)->root, pmus, event, &wanted, err);

	s->base.periods[number] = event->period;
	for (size_t i = 0; !rc && i < topology->count; i++)
		rc = open_stream(s, &wanted, topology->cpus[i].cpu, number, err);
	return rc;
}

/* An event after the first one may be missing. */
static int open_events(struct linux_sampler *s, const struct topology *topology,
		       const struct perf_pmus *pmus, struct error *err)
{
	struct load_sampling *sampling = &s->base.sampling;
	struct error why;
	int rc = open_event(s, topology, pmus, 0, err);

	for (size_t i = 1; !rc && i < sampling->event_count; i++) {
		const size_t streams = s->stream_count;

		if (!open_event(s, topology, pmus, i, &why))
			continue;
		log_write(&s->platform->log, LEVEL_NOTE, "%s", why.text);
		unmap_streams(s, streams);
		sampling->event_count = i;
	}
	return rc;
}

/* TSC clocks take time_mult >> time_shift ns: struct perf_event_mmap_page. 0: not known. */
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

	s->cgroup = -1;
	if (!name)
		return 0;
	s->cgroup = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return s->cgroup < 0 ? error_set(err, EXIT_USAGE, -errno, "--cgroup: %s: %s",
					 quoted(name).text, strerror(errno))
			     : 0;
}

/* Opens events on each CPU, and the clock that their latencies need. */
static int open_all(struct linux_sampler *s, const struct topology *topology, struct error *err)
{
	const size_t most = topology->count * s->base.sampling.event_count;
	struct perf_pmus pmus;

	s->base.cpus = topology->count;
	s->streams = calloc(most, sizeof(*s->streams));
	s->handles = calloc(2 * most, sizeof(*s->handles));
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
		s->base = (struct sampler){.ops = &sampler_ops, .sampling = *sampling};
		s->platform = p;
		rc = open_all(s, &topology, err);
	} else if (!rc) {
		rc = error_no_memory(err);
	}
	topology_free(&topology);
	if (!rc)
		*out = &s->base;
	else if (s)
		destroy(&s->base);
	return rc;
}
