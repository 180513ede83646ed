/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/cxl/cxl.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/rootfs.h"
#include "linux/cxl/cxl_private.h"
#include "linux/kernel/clock.h"
#include "linux/perf/perf.h"
#include "linux/perf/perf_ring.h"
#include "linux/system/linux_platform.h"
#include "platform/cpus.h"

#define PAGES_MOST  16
#define PAGES_TOTAL 1024

#define FORMAT_MOST 16384 /* the file of cxl_dram has some 6000 bytes */
#define RECORD_MOST 4096  /* cxl_aer_uncorrectable_error has 512 bytes of headers */

static const char *const directories[] = {"sys/kernel/tracing", "sys/kernel/debug/tracing"};

/* A CPU, with one ring for all events. */
struct traced_cpu {
	int events[CXL_EVENT_KINDS]; /* descriptors; the first has the ring */
	size_t count;
	struct perf_mapping mapping;
};

struct cxl_trace {
	struct cxl_format formats[CXL_EVENT_KINDS]; /* formats of the events that this kernel has */
	size_t format_count;
	struct traced_cpu *cpus;
	size_t cpu_count;
	/* Members of the reading in progress. */
	size_t cpu;
	bool reading;
	struct perf_ring ring;
	union {
		uint64_t aligned;
		uint8_t bytes[RECORD_MOST];
	} record;
};

/* PERF_RECORD_SAMPLE with PERF_SAMPLE_TIME and PERF_SAMPLE_RAW, and PERF_RECORD_LOST. */
struct sample_head {
	struct perf_event_header header;
	uint64_t time;
	uint32_t raw_size; /* bytes that follow at once, without padding */
};
#define RAW_OFFSET (offsetof(struct sample_head, raw_size) + sizeof(uint32_t))

struct lost_record {
	struct perf_event_header header;
	uint64_t id, lost;
};

static int read_format(const char *root, const char *directory, const char *name, char *text)
{
	FILE *file = rootfs_stream(root, "%s/events/cxl/%s/format", directory, name);

	if (!file)
		return -errno;
	text[fread(text, 1, FORMAT_MOST - 1, file)] = '\0';
	fclose(file);
	return 0;
}

/* Reads an event's format. -ENOENT: there is no such event; -EACCES: tracefs may not be read. */
static int find_format(const char *root, enum cxl_event_kind kind, struct cxl_format *out)
{
	char text[FORMAT_MOST];
	int rc = -ENOENT;

	for (size_t i = 0; rc == -ENOENT && i < sizeof(directories) / sizeof(directories[0]); i++)
		rc = read_format(root, directories[i], cxl_event_names[kind], text);
	return rc ? rc : cxl_format_parse(kind, text, out);
}

static int find_formats(struct cxl_trace *trace, const char *root)
{
	for (unsigned kind = 0; kind < CXL_EVENT_KINDS; kind++) {
		const int rc = find_format(root, kind, &trace->formats[trace->format_count]);

		if (rc == -EACCES || rc == -EPERM)
			return rc;
		trace->format_count += !rc;
	}
	return 0;
}

static int open_event(struct platform *p, unsigned cpu, uint64_t id)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_TRACEPOINT,
		.config = id,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_RAW,
		.use_clockid = true,
		.clockid = CLOCK_MONOTONIC, /* the kernel allows no clock that can be set, such as
					       UTC */
		.watermark = true,	    /* no process waits, so none is woken */
		.wakeup_watermark = UINT32_MAX,
	};

	return linux_perf_open_attr(p, &attr,
				    &(struct perf_target){.process = -1, .cpu = cpu, .leader = -1});
}

static int open_cpu(struct cxl_trace *trace, struct platform *p, unsigned number, size_t pages)
{
	struct traced_cpu *cpu = &trace->cpus[trace->cpu_count++];

	for (size_t i = 0; i < trace->format_count; i++) {
		const int fd = open_event(p, number, trace->formats[i].id);

		if (fd < 0)
			return fd;
		cpu->events[cpu->count++] = fd;
		if (i && ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, cpu->events[0]))
			return -errno;
		const int rc = i ? 0 : perf_mapping_open(fd, pages, &cpu->mapping);
		if (rc)
			return rc;
	}
	return 0;
}

size_t cxl_trace_pages(size_t cpus)
{
	size_t pages = PAGES_MOST;

	while (pages > 1 && pages * cpus > PAGES_TOTAL)
		pages /= 2;
	return pages;
}

static int refuse_trace(struct platform *p, int code, struct error *err)
{
	struct error reason;

	linux_perf_explain(p, code, &reason);
	error_set(err, reason.kind, code, "the kernel's CXL events cannot be read: %s",
		  reason.text);
	error_hint(err, reason.command);
	return code;
}

int linux_cxl_events_open(struct platform *p, const struct topology *topology, struct error *err)
{
	if (linux_of(p)->trace)
		return 1;
	struct cxl_trace *trace = calloc(1, sizeof(*trace));

	if (trace)
		trace->cpus = calloc(topology->count, sizeof(*trace->cpus));
	if (!trace || !trace->cpus) {
		free(trace);
		return error_no_memory(err);
	}
	int rc = find_formats(trace, linux_of(p)->root);
	for (size_t i = 0; !rc && trace->format_count && i < topology->count; i++)
		rc = open_cpu(trace, p, topology->cpus[i].cpu, cxl_trace_pages(topology->count));
	if (rc || !trace->format_count) {
		cxl_trace_close(trace);
		return rc ? refuse_trace(p, rc, err) : 0;
	}
	linux_of(p)->trace = trace;
	return 1;
}

void cxl_trace_close(struct cxl_trace *trace)
{
	if (!trace)
		return;
	for (size_t i = 0; i < trace->cpu_count; i++) {
		struct traced_cpu *cpu = &trace->cpus[i];

		perf_mapping_close(&cpu->mapping);
		for (size_t e = 0; e < cpu->count; e++)
			close(cpu->events[e]);
	}
	free(trace->cpus);
	free(trace);
}

/* Decodes a sample. Returns true if it is a record of an event. */
static bool decode_sample(struct cxl_trace *trace, size_t size, struct cxl_event *out)
{
	const struct sample_head *head = (const struct sample_head *)trace->record.bytes;

	if (size < RAW_OFFSET || head->raw_size > size - RAW_OFFSET)
		return false;
	const struct trace_record raw = {trace->record.bytes + RAW_OFFSET, head->raw_size};

	for (size_t i = 0; i < trace->format_count; i++) {
		if (!cxl_record_is_of(&trace->formats[i], raw))
			continue;
		cxl_record_decode(&trace->formats[i], raw, out);
		out->wall_ns = clock_utc() - (clock_monotonic() - head->time);
		return true;
	}
	return false;
}

static bool decode_record(struct cxl_trace *trace, size_t size, struct cxl_event *out,
			  uint64_t *lost)
{
	const struct lost_record *record = (const struct lost_record *)trace->record.bytes;

	if (record->header.type == PERF_RECORD_SAMPLE)
		return decode_sample(trace, size, out);
	if (record->header.type == PERF_RECORD_LOST && size >= sizeof(*record))
		*lost += record->lost;
	return false;
}

/* Takes the next event of one CPU. */
static bool next_of_cpu(struct cxl_trace *trace, struct cxl_event *out, uint64_t *lost)
{
	size_t size;
	int rc;

	while ((rc = perf_ring_next(&trace->ring, &trace->record, sizeof(trace->record), &size))) {
		if (rc < 0)
			++*lost;
		else if (decode_record(trace, size, out, lost))
			return true;
	}
	return false;
}

bool linux_cxl_events_next(struct platform *p, uint64_t wall_ns, struct cxl_event *out,
			   uint64_t *lost)
{
	struct cxl_trace *trace = linux_of(p)->trace;

	(void)wall_ns;
	while (trace && trace->cpu < trace->cpu_count) {
		const struct perf_mapping *mapping = &trace->cpus[trace->cpu].mapping;

		if (!trace->reading)
			trace->ring = perf_mapping_begin(mapping);
		trace->reading = next_of_cpu(trace, out, lost);
		if (trace->reading)
			return true;
		perf_mapping_end(mapping, &trace->ring);
		trace->cpu++;
	}
	if (trace)
		trace->cpu = 0;
	return false;
}
