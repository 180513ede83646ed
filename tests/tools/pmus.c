/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-pmus [--sim=SPEC] [PREFIX]
 *
 * Prints a line for each PMU that the kernel of this machine, or of a simulated one, shows, and
 * whose name begins so, by default with uncore_: its name, the CPUs on which its events are opened,
 * its formats by name, and of a CXL device's its events.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linux/linux.h"
#include "platform/perf.h"
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
	for (size_t i = 0; i < pmu->alias_count; i++)
		printf(" %s=0x%" PRIx64, pmu->aliases[i].name, pmu->aliases[i].config[0]);
	putchar('\n');
}

int main(int argc, char **argv)
{
	static const char sim[] = "--sim=";
	const bool simulated = argc > 1 && !strncmp(argv[1], sim, strlen(sim));
	const char *prefix = argc > 1 + simulated ? argv[1 + simulated] : "uncore_";
	const struct log silent = {.write = NULL};
	struct perf_pmus pmus;
	struct platform *p;
	struct error why;
	int rc;

	if (argc > 2 + simulated)
		errx(2, "usage: cxlmon-pmus [--sim=SPEC] [PREFIX]");
	rc = simulated ? platform_sim(argv[1] + strlen(sim), &silent, &p, &why)
		       : platform_linux("/", &silent, &p, &why);
	if (rc || p->ops->perf->pmus(p, &pmus, &why))
		errx(1, "%s", why.text);
	for (size_t i = 0; i < pmus.count; i++)
		if (!strncmp(pmus.items[i].name, prefix, strlen(prefix)))
			print_pmu(&pmus.items[i]);
	perf_pmus_free(&pmus);
	platform_destroy(p);
	return 0;
}
