/* SPDX-License-Identifier: BSD-3-Clause */
#include "publish.h"

#include <err.h>
#include <inttypes.h>

#include "base/text.h"
#include "platform/perf.h"
#include "sim/sim_machine.h"
#include "tree.h"

#define EVENT_SOURCE "sys/bus/event_source"

#define PMU "sys/devices/%s/"

static void publish_cpus(const char *root, const struct perf_pmu *pmu)
{
	char text[4096] = "";

	for (size_t i = 0; i < pmu->cpu_count; i++)
		text_append(text, sizeof(text), "%s%u", i ? "," : "", pmu->cpus[i]);
	if (pmu->cpu_count)
		tree_text(root, PMU "cpumask=%s\n", pmu->name, text);
}

/* "config1:0-7,32-55" */
static void publish_format(const char *root, const struct perf_pmu *pmu,
			   const struct perf_format *format)
{
	static const char *const words[PERF_CONFIG_WORDS] = {"config", "config1", "config2"};
	char text[256] = "";

	for (unsigned first = 0, last; first < 64; first = last + 1) {
		last = first;
		if (!(format->bits >> first & 1))
			continue;
		while (last < 63 && format->bits >> (last + 1) & 1)
			last++;
		text_append(text, sizeof(text), last > first ? "%s%u-%u" : "%s%u", *text ? "," : "",
			    first, last);
	}
	tree_text(root, PMU "format/%s=%s:%s\n", pmu->name, format->name, words[format->word],
		  text);
}

static void publish_pmu(const char *root, const struct perf_pmu *pmu)
{
	tree_text(root, PMU "type=%u\n", pmu->name, pmu->type);
	publish_cpus(root, pmu);
	for (size_t i = 0; i < pmu->format_count; i++)
		publish_format(root, pmu, &pmu->formats[i]);
	for (size_t i = 0; i < pmu->alias_count; i++)
		tree_text(root, PMU "events/%s=config=%#" PRIx64 "\n", pmu->name,
			  pmu->aliases[i].name, pmu->aliases[i].config[0]);
	tree_link(root, EVENT_SOURCE "/devices/%s=../../../devices/%s", pmu->name, pmu->name);
}

void publish_perf(const char *root, struct platform *p)
{
	const struct sim_spec *spec = &sim_of(p)->spec;
	struct perf_pmus pmus;
	struct error why;

	if (p->ops->perf->pmus(p, &pmus, &why))
		errx(1, "%s", why.text);
	tree_remove(root, EVENT_SOURCE);
	tree_directory(root, EVENT_SOURCE "/devices");
	for (size_t i = 0; i < pmus.count; i++)
		publish_pmu(root, &pmus.items[i]);
	perf_pmus_free(&pmus);
	tree_text(root, "proc/sys/kernel/perf_event_paranoid=%u\n", spec->paranoid);
	tree_text(root, "proc/sys/kernel/osrelease=%u.%u.0\n", spec->kernel >> 16,
		  spec->kernel & UINT16_MAX);
}
