/* SPDX-License-Identifier: BSD-3-Clause */
#include "publish_perf.h"

#include <err.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "sim/sim_machine.h"
#include "tree.h"

#define EVENT_SOURCE "sys/bus/event_source"

/* A file of a PMU. */
__attribute__((format(printf, 4, 5))) static void attribute(const char *root,
							    const struct perf_pmu *pmu,
							    const char *name, const char *format,
							    ...)
{
	char path[128], text[4096];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	snprintf(path, sizeof(path), "sys/devices/%s/%s", pmu->name, name);
	tree_text(root, path, "%s\n", text);
}

static void publish_cpus(const char *root, const struct perf_pmu *pmu)
{
	char text[4096];
	size_t used = 0;

	for (size_t i = 0; i < pmu->cpu_count && used < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%u", i ? "," : "",
					 pmu->cpus[i]);
	if (pmu->cpu_count)
		attribute(root, pmu, "cpumask", "%s", text);
}

/* "config1:0-7,32-55" */
static void publish_format(const char *root, const struct perf_pmu *pmu,
			   const struct perf_format *format)
{
	static const char *const words[PERF_CONFIG_WORDS] = {"config", "config1", "config2"};
	char name[PERF_NAME_SIZE + 8], text[256] = "";
	size_t used = 0;

	for (unsigned first = 0, last; first < 64; first = last + 1) {
		last = first;
		if (!(format->bits >> first & 1))
			continue;
		while (last < 63 && format->bits >> (last + 1) & 1)
			last++;
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%u", used ? "," : "",
					 first);
		if (last > first)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "-%u", last);
	}
	snprintf(name, sizeof(name), "format/%s", format->name);
	attribute(root, pmu, name, "%s:%s", words[format->word], text);
}

static void publish_pmu(const char *root, const struct perf_pmu *pmu)
{
	char path[128], target[64];

	attribute(root, pmu, "type", "%u", pmu->type);
	publish_cpus(root, pmu);
	for (size_t i = 0; i < pmu->format_count; i++)
		publish_format(root, pmu, &pmu->formats[i]);
	for (size_t i = 0; i < pmu->alias_count; i++) {
		snprintf(path, sizeof(path), "events/%s", pmu->aliases[i].name);
		attribute(root, pmu, path, "config=%#" PRIx64, pmu->aliases[i].config[0]);
	}
	snprintf(path, sizeof(path), EVENT_SOURCE "/devices/%s", pmu->name);
	snprintf(target, sizeof(target), "../../../devices/%s", pmu->name);
	tree_link(root, path, target);
}

void publish_perf(const char *root, struct platform *p)
{
	const struct sim_spec *spec = &sim_of(p)->spec;
	struct perf_pmus pmus;
	struct error why;

	if (p->ops->perf_pmus(p, &pmus, &why))
		errx(1, "%s", why.text);
	tree_remove(root, EVENT_SOURCE);
	tree_directory(root, EVENT_SOURCE "/devices");
	for (size_t i = 0; i < pmus.count; i++)
		publish_pmu(root, &pmus.items[i]);
	perf_pmus_free(&pmus);
	tree_text(root, "proc/sys/kernel/perf_event_paranoid", "%u\n", spec->paranoid);
	tree_text(root, "proc/sys/kernel/osrelease", "%u.%u.0\n", spec->kernel >> 16,
		  spec->kernel & UINT16_MAX);
}
