/* SPDX-License-Identifier: BSD-3-Clause */
/* Recordings of several hosts, in files of the test's directory. */
#ifndef CXLMON_TEST_HOST_RECORDING_H
#define CXLMON_TEST_HOST_RECORDING_H

#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#include "counted.h"
#include "record/recording.h"
#include "unit.h"

#define HOST_S	   UINT64_C(1000000000) /* ns */
#define HOST_START (1700000000 * HOST_S)

/* The recording of a host, whose samples all have the same values. */
struct host_recording {
	const char *file;
	const char *host;	   /* NULL: not recorded */
	const char *processor;	   /* NULL stands for "P" */
	double read_MBps, read_ns; /* of CXL memory; NAN: unknown */
	uint64_t interval_ns;	   /* 0 stands for one second */
	uint64_t late_ns;	   /* time from HOST_START to the recording's beginning */
	size_t samples;		   /* 0 stands for ten */
	bool without_latency;	   /* without the column of latency */
	bool incomplete;	   /* without an end block */
	const char *job;	   /* NULL: not recorded */
};

static inline size_t host_samples(const struct host_recording *h)
{
	return h->samples ? h->samples : 10;
}

static inline uint64_t host_interval(const struct host_recording *h)
{
	return h->interval_ns ? h->interval_ns : HOST_S;
}

static inline void put_host_samples(const struct host_recording *h, struct table *table,
				    struct bytes *bytes)
{
	const double seconds = (double)host_interval(h) / HOST_S;
	struct counted counted[2];

	for (size_t i = 0; i < host_samples(h); i++) {
		struct value *values = table->rows[0].values;

		values[0] = isnan(h->read_MBps) ? value_unknown
						: count_rate(&counted[0], h->read_MBps, seconds);
		values[1] = isnan(h->read_ns) ? value_unknown
					      : count_rate(&counted[1], h->read_ns, seconds);
		const uint64_t ends_ns = HOST_START + h->late_ns + (i + 1) * host_interval(h);
		recording_put_sample(bytes, table, &(struct sample){.wall_ns = ends_ns}, NULL);
	}
	if (!h->incomplete)
		recording_put_end(bytes, host_samples(h));
}

/* Writes the file. Returns its path. */
static inline const char *write_host(const struct host_recording *h)
{
	static const struct metric metrics[] = {
		{.name = "cxl_mem_read_MBps",
		 .group = "cxl",
		 .heading = "CXL read",
		 .unit = "MB/s",
		 .decimals = 3,
		 .rows = 1U << ROW_SYSTEM},
		{.name = "cxl_read_latency_ns",
		 .group = "latency",
		 .heading = "CXL latency",
		 .unit = "ns",
		 .decimals = 1,
		 .rows = 1U << ROW_SYSTEM},
	};
	struct column columns[] = {{&metrics[0], {{&counted_rate}, 1}},
				   {&metrics[1], {{&counted_rate}, 1}}};
	struct value values[2];
	struct row row = row_unknown;
	struct table table = {.model = "spr",
			      .columns = columns,
			      .column_count = h->without_latency ? 1 : 2,
			      .rows = &row,
			      .row_count = 1};
	struct recording_info info = {.program = "1",
				      .processor = h->processor ? h->processor : "P",
				      .interval_ns = host_interval(h),
				      .started_ns = HOST_START + h->late_ns};
	struct bytes bytes = {.failed = false};
	const char *path = tree_path(h->file);

	recording_add_option(&info, "host", h->host);
	recording_add_option(&info, "job", h->job);
	row.values = values;
	row.interval_s = (double)host_interval(h) / HOST_S;
	row.counted_pct = 100;
	recording_put_header(&bytes, &info, &table);
	put_host_samples(h, &table, &bytes);
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	ck_assert_int_eq(write(fd, bytes.data, bytes.size), bytes.size);
	close(fd);
	bytes_free(&bytes);
	return path;
}

#endif
