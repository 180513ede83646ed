/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/perf/sampler_private.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"
#include "linux/kernel/kernel_text.h"
#include "linux/perf/perf.h"
#include "linux/perf/perf_ring.h"
#include "platform/load_sample.h"

static struct linux_sampler *linux_sampler_of(struct sampler *sampler)
{
	return (struct linux_sampler *)sampler;
}

static void destroy_sampler(struct sampler *sampler)
{
	struct linux_sampler *s = linux_sampler_of(sampler);

	for (size_t i = 0; i < s->stream_count; i++)
		perf_mapping_close(&s->streams[i].mapping);
	for (size_t i = 0; i < s->base.handle_count; i++)
		close(s->handles[i]);
	process_records_close(&s->processes);
	core_clock_close(s->clock);
	if (s->cgroup >= 0)
		close(s->cgroup);
	if (s->online >= 0)
		close(s->online);
	free(s->samples);
	free(s->streams);
	free(s->handles);
	free(s);
}

/* Reading the rings. */

/*
 * Counts losses in a record: read(2) has counted those for lack of room, if the kernel supports it.
 */
static void count_record(struct linux_sampler *s, const struct sample_record *record)
{
	if (record->kind == RECORD_LOST_SAMPLES || (record->kind == RECORD_LOST && !s->layout.lost))
		s->base.lost += record->lost;
	s->base.throttled += record->kind == RECORD_THROTTLE;
}

/*
 * Finds the event of a sample. False: it is another program's.
 *
 * A ring of one event has no samples of others, whatever their ids are: the kernel (Linux 6.18:
 * do_perf_sw_event(), perf_prepare_sample()) gives all perf events that count the same software
 * event one sample, with the id of the first of them, which can be another program's.
 */
static bool find_own_event(const struct linux_sampler *s, const struct stream *stream,
			   struct sample_record *record)
{
	unsigned *event = &record->sample.event;

	if (s->base.sampling.event_count == 1)
		return true;
	while (*event < s->base.sampling.event_count &&
	       stream->events[*event].id != record->event_id)
		(*event)++;
	return *event < s->base.sampling.event_count;
}

static void take_record(struct linux_sampler *s, struct stream *stream, size_t size)
{
	struct sample_record record;

	if (!sample_record_decode(s->buffer, size, &s->layout, &record) ||
	    (record.kind == RECORD_SAMPLE && !find_own_event(s, stream, &record))) {
		s->base.malformed++;
		return;
	}
	count_record(s, &record);
	if (record.kind != RECORD_SAMPLE)
		return;
	stream->events[record.sample.event].latest = record.times;
	s->samples[s->sample_count++] = record.sample;
}

/* Decodes each record of a ring once, and then lets the kernel overwrite them. */
static void take_records(struct linux_sampler *s, struct stream *stream)
{
	size_t size;
	int rc;

	s->sample_count = 0;
	while ((rc = perf_ring_next(&stream->ring, s->buffer, sizeof(s->buffer), &size)) > 0)
		take_record(s, stream, size);
	s->base.malformed += rc != 0;
	perf_mapping_end(&stream->mapping, &stream->ring);
}

/*
 * Computes scales: samples of this reading stand for all events since the last sample of the
 * previous reading.
 */
static void find_scales(const struct linux_sampler *s, struct stream *stream)
{
	for (size_t e = 0; e < s->base.sampling.event_count; e++) {
		struct cpu_event *event = &stream->events[e];

		event->scale = event_times_scale(&event->scaled, &event->latest);
		event->scaled = event->latest;
	}
}

static void complete_stream(struct linux_sampler *s, const struct stream *stream,
			    struct load_sample *sample)
{
	const unsigned e = sample->event;
	const struct load_event *event = s->base.sampling.events[e];
	const uint64_t period = s->layout.counter ? sample->period : s->base.periods[e];

	sample->cpu = stream->cpu;
	sample->period = (uint64_t)fmin(round((double)period * stream->events[e].scale), 1e18);
	if (event->takes_time && sample->weight)
		sample->latency_ns =
			(double)sample->weight * 1e3 / core_clock_MHz(s->clock, stream->cpu);
}

static void visit_samples(struct linux_sampler *s, const struct stream *stream,
			  sample_visitor *visit, void *context)
{
	struct sample_record record = {.kind = RECORD_SAMPLE};

	for (size_t i = 0; i < s->sample_count; i++) {
		record.sample = s->samples[i];
		complete_stream(s, stream, &record.sample);
		visit(context, &record);
	}
}

static void take_counts(struct linux_sampler *s)
{
	s->base.records_lost = s->processes.lost;
	s->base.malformed += s->processes.malformed;
	s->processes.malformed = 0;
}

/*
 * Reads all rings. The end of the samples is noted first: records of their processes are written by
 * then.
 */
static void read_all(struct sampler *sampler, sample_visitor *visit, void *context)
{
	struct linux_sampler *s = linux_sampler_of(sampler);

	core_clock_update(s->clock);
	for (size_t i = 0; i < s->stream_count; i++)
		s->streams[i].ring = perf_mapping_begin(&s->streams[i].mapping);
	process_records_begin(&s->processes);
	process_records_visit(&s->processes, s->buffer, visit, context);
	take_counts(s);
	for (size_t i = 0; i < s->stream_count; i++) {
		take_records(s, &s->streams[i]);
		find_scales(s, &s->streams[i]);
		visit_samples(s, &s->streams[i], visit, context);
	}
}

/* Changing events. */

static int set_period(struct sampler *sampler, size_t event, uint64_t period)
{
	struct linux_sampler *s = linux_sampler_of(sampler);

	for (size_t i = 0; i < s->stream_count; i++)
		if (ioctl(s->streams[i].events[event].fd, PERF_EVENT_IOC_PERIOD, &period))
			return -errno;
	sampler->periods[event] = period;
	return 0;
}

static int enable_sampler(struct sampler *sampler, bool on)
{
	struct linux_sampler *s = linux_sampler_of(sampler);
	int rc = process_records_enable(&s->processes, s->platform, on);

	for (size_t i = 0; !rc && i < s->stream_count; i++)
		for (size_t e = 0; !rc && e < sampler->sampling.event_count; e++)
			rc = linux_perf_enable(s->platform, s->streams[i].events[e].leader, on);
	return rc;
}

/* Coverage of samples. */

/*
 * Updates times and losses of an event. A record of losses comes only with the next sample, if
 * there is one.
 */
static void update_event(struct linux_sampler *s, struct cpu_event *event, size_t e)
{
	struct {
		uint64_t count;
		struct event_times times;
		uint64_t lost;
	} now;
	const size_t size = sizeof(now) - (s->layout.lost ? 0 : sizeof(now.lost));
	const struct event_times before = event->read;

	event->ran = event->starved = false;
	if (read(event->fd, &now, size) != (ssize_t)size)
		return;
	event->read = now.times;
	event->ran = now.times.running_ns != before.running_ns;
	event->starved = !event->ran && now.times.enabled_ns != before.enabled_ns;
	s->base.times[e].enabled_ns += now.times.enabled_ns - before.enabled_ns;
	s->base.times[e].running_ns += now.times.running_ns - before.running_ns;
	if (!s->layout.lost)
		return;
	s->base.lost += now.lost - event->lost;
	event->lost = now.lost;
}

static const struct stream *stream_of(const struct linux_sampler *s, unsigned cpu)
{
	for (size_t i = 0; i < s->stream_count && s->streams[i].cpu <= cpu; i++)
		if (s->streams[i].cpu == cpu)
			return &s->streams[i];
	return NULL;
}

/* A list of CPUs, "0-3,8", whose last range is not in .text yet. */
struct cpu_list {
	char text[256]; /* a longer list is cut off */
	unsigned first, last;
	size_t count;
};

static void end_range(struct cpu_list *list)
{
	const char *before = *list->text ? "," : "";

	if (list->count && list->first == list->last)
		text_append(list->text, sizeof(list->text), "%s%u", before, list->first);
	else if (list->count)
		text_append(list->text, sizeof(list->text), "%s%u-%u", before, list->first,
			    list->last);
}

static void list_cpu(struct cpu_list *list, unsigned cpu)
{
	if (!list->count || cpu != list->last + 1) {
		end_range(list);
		list->first = cpu;
	}
	list->last = cpu;
	list->count++;
}

/*
 * Names CPUs in a message, again only if they have become more: other programs' events may come and
 * go.
 */
static void name_cpus(struct linux_sampler *s, size_t which, const char *event,
		      struct cpu_list *list, const char *why)
{
	if (list->count <= s->named[which])
		return;
	s->named[which] = list->count;
	end_range(list);
	log_write(&s->platform->log, LEVEL_WARNING, "%s is not sampled on cpu %s: %s", event,
		  list->text, why);
}

static void name_starved(struct linux_sampler *s, size_t e)
{
	struct cpu_list starved = {.count = 0};

	for (size_t i = 0; i < s->stream_count; i++)
		if (s->streams[i].events[e].starved)
			list_cpu(&starved, s->streams[i].cpu);
	name_cpus(s, e, s->base.sampling.events[e]->name, &starved,
		  "the kernel gave it no counter, because another event uses it");
	s->base.unsampled += e ? 0 : starved.count;
}

/*
 * Names CPUs without an event that counts. The event of a CPU that goes offline stops counting,
 * even if the CPU returns. The time of a cgroup's event passes only while the cgroup runs there.
 */
static void name_later(struct linux_sampler *s, const unsigned *online, size_t count)
{
	struct cpu_list later = {.count = 0};

	for (size_t i = 0; i < count; i++) {
		const struct stream *stream = stream_of(s, online[i]);
		const bool counts = stream && (stream->events[0].ran || stream->events[0].starved ||
					       s->cgroup >= 0);

		if (!counts)
			list_cpu(&later, online[i]);
	}
	name_cpus(s, LOAD_EVENTS_MOST, s->base.sampling.events[0]->name, &later,
		  "it came online after the start: start cxlmon again");
	s->base.unsampled += later.count;
}

#define CPU_LIMIT 65536 /* more than any kernel has */

static void check_online(struct linux_sampler *s)
{
	char text[KERNEL_TEXT_MOST];
	struct span list;
	unsigned *cpus;
	size_t count;

	if (s->online < 0 || kernel_text_read(s->online, text, &list) || list.at == list.end)
		return;
	text[list.end - text - 1] = '\0'; /* replaces the newline */
	if (numlist_read(text, CPU_LIMIT, &cpus, &count))
		return;
	name_later(s, cpus, count);
	free(cpus);
}

static void update_sampler(struct sampler *sampler)
{
	struct linux_sampler *s = linux_sampler_of(sampler);

	s->base.unsampled = 0;
	for (size_t e = 0; e < sampler->sampling.event_count; e++) {
		for (size_t i = 0; i < s->stream_count; i++)
			update_event(s, &s->streams[i].events[e], e);
		name_starved(s, e);
	}
	check_online(s);
	process_records_update(&s->processes);
	take_counts(s);
}

const struct sampler_ops linux_sampler_ops = {
	.read = read_all,
	.update = update_sampler,
	.set_period = set_period,
	.enable = enable_sampler,
	.destroy = destroy_sampler,
};
