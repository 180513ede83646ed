/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-load NODE MIB MB/s READ_SHARE SECONDS: moves bytes to and from memory of a NUMA node, on
 * all CPUs of this process. Prints the moved MB/s of reads and of writes, and the latency of a
 * dependent read in ns. MB/s may be "most" or 0.
 */
#include <err.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linux/linux.h"
#include "platform/clock.h"
#include "platform/load_sample.h"
#include "probe/load/load.h"

#define CPUS_MOST 64

static size_t own_cpus(unsigned cpus[CPUS_MOST])
{
	cpu_set_t set;
	size_t count = 0;

	if (sched_getaffinity(0, sizeof(set), &set))
		err(1, "sched_getaffinity");
	for (unsigned cpu = 0; cpu < CPU_SETSIZE && count < CPUS_MOST; cpu++)
		if (CPU_ISSET(cpu, &set))
			cpus[count++] = cpu;
	return count;
}

static void measure(struct platform *p, struct load *load, const struct load_traffic *traffic,
		    double seconds)
{
	struct load_progress from, to;
	struct error why;

	if (load_start(load, traffic, &why) || load_progress(load, &from, &why))
		errx(1, "%s", why.text);
	p->ops->clock->sleep_until(p, p->ops->clock->now(p) + (uint64_t)(seconds * 1e9), NULL,
				   NULL);
	if (load_progress(load, &to, &why))
		errx(1, "%s", why.text);
	const double us = (double)(to.time_ns - from.time_ns) / 1000;
	printf("%.3f %.3f %.1f\n", (double)(to.bytes_read - from.bytes_read) / us,
	       (double)(to.bytes_written - from.bytes_written) / us,
	       (to.chase_ns - from.chase_ns) / (to.chased - from.chased));
}

int main(int argc, char **argv)
{
	const struct log silent = {.write = NULL};
	unsigned cpus[CPUS_MOST];
	struct platform *p;
	struct load *load;
	struct error why;

	if (argc != 6)
		errx(2, "usage: cxlmon-load NODE MIB MB/s READ_SHARE SECONDS");
	const struct load_spec spec = {.node = atoi(argv[1]),
				       .bytes = strtoull(argv[2], NULL, 0) << 20,
				       .cpus = cpus,
				       .cpu_count = own_cpus(cpus)};
	const struct load_traffic traffic = {
		.bytes_per_s = strcmp(argv[3], "most") ? atof(argv[3]) * 1e6 : LOAD_MOST,
		.read_share = atof(argv[4]),
		.chase = true,
	};
	if (platform_linux("/", &silent, &p, &why) || load_open(p, &spec, &load, &why))
		errx(1, "%s", why.text);
	measure(p, load, &traffic, atof(argv[5]));
	load_close(load);
	platform_destroy(p);
	return 0;
}
