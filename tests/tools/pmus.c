/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-pmus [--sim=SPEC]
 *
 * Prints a line for each uncore PMU that the kernel of this machine, or of a simulated one, shows:
 * its name, the CPUs on which its events are opened, and its formats by name.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linux/linux.h"
#include "sim/sim.h"

static int compare_formats(const void *a, const void *b)
{
	return strcmp(((const struct perf_format *)a)->name, ((const struct perf_format *)b)->name);
}

static void print_pmu(const struct perf_pmu *pmu)
{
	printf("%s", pmu->name);
	for (size_t i = 0; i < pmu->cpu_count; i++)
		printf(" cpu%u", pmu->cpus[i]);
	qsort(pmu->formats, pmu->format_count, sizeof(*pmu->formats), compare_formats);
	for (size_t i = 0; i < pmu->format_count; i++)
		printf(" %s=config%u:0x%" PRIx64, pmu->formats[i].name, pmu->formats[i].word,
		       pmu->formats[i].bits);
	putchar('\n');
}

int main(int argc, char **argv)
{
	static const char sim[] = "--sim=", uncore[] = "uncore_";
	const struct log silent = {.write = NULL};
	struct perf_pmus pmus;
	struct platform *p;
	struct error why;
	int rc;

	if (argc > 2 || (argc == 2 && strncmp(argv[1], sim, strlen(sim))))
		errx(2, "usage: cxlmon-pmus [--sim=SPEC]");
	rc = argc == 2 ? platform_sim(argv[1] + strlen(sim), &silent, &p, &why)
		       : platform_linux("/", &silent, &p, &why);
	if (rc || p->ops->perf_pmus(p, &pmus, &why))
		errx(1, "%s", why.text);
	for (size_t i = 0; i < pmus.count; i++)
		if (!strncmp(pmus.items[i].name, uncore, strlen(uncore)))
			print_pmu(&pmus.items[i]);
	perf_pmus_free(&pmus);
	platform_destroy(p);
	return 0;
}
