/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/info/probe.h"

#include <stdio.h>

#include "platform/cpus.h"
#include "platform/perf.h"
#include "session/session.h"

static void keep_warning(void *context, enum log_level level, const char *text)
{
	struct probe *probe = context;
	const struct log log = once_log_as_log(&probe->log);

	if (level != LEVEL_WARNING)
		log_write(&log, level, "%s", text);
	else if (probe->warning_count < PROBE_WARNINGS)
		snprintf(probe->warnings[probe->warning_count++], sizeof(probe->warnings[0]), "%s",
			 text);
}

static void probe_cpu(struct probe *probe)
{
	const struct model *model = probe->machine.model;
	const unsigned cpu = probe->machine.topology.cpus[0].cpu;

	if (cpuid_brand(probe->platform, cpu, probe->brand, NULL))
		snprintf(probe->brand, sizeof(probe->brand), "%s", probe->machine.cpu.name);
	if (model && model->core)
		model->core->identify(probe->platform, cpu, &probe->pmu, &probe->pmu_error);
	else
		core_pmu_detect(probe->platform, cpu, &probe->pmu, &probe->pmu_error);
}

int probe_open(const char *sim, const char *root, const struct log *log, struct probe *out,
	       struct error *err)
{
	*out = (struct probe){.log.next = *log};
	const struct log keeping = {.write = keep_warning, .context = out};
	int rc = platform_open(sim, root, &keeping, &out->platform, err);

	if (rc)
		return rc;
	if (!machine_open(out->platform, &out->machine, &out->machine_error))
		out->machine_error = out->machine.uncore_error;
	out->register_warning_count = out->warning_count;
	if (!machine_open_perf(out->platform, &out->kernel, &out->kernel_error))
		out->kernel_error = out->kernel.uncore_error;
	if (out->machine.topology.count)
		probe_cpu(out);
	else
		out->pmu_error = out->machine_error;
	return 0;
}

void probe_close(struct probe *probe)
{
	if (probe->platform) {
		machine_close(&probe->kernel);
		machine_close(&probe->machine);
	}
	platform_destroy(probe->platform);
	once_log_free(&probe->log);
}

const struct perf_pmu *probe_perf_pmu(const struct probe *probe, const struct unit *unit)
{
	const struct unit *same = machine_find_unit(&probe->kernel, unit);

	return same ? same->perf.pmu : NULL;
}

bool probe_only_perf(const struct probe *probe, const struct unit *unit)
{
	return !machine_find_unit(&probe->machine, unit);
}

const struct machine *probe_devices(const struct probe *probe)
{
	return probe->machine.device_count ? &probe->machine : &probe->kernel;
}

size_t probe_sockets(const struct probe *probe)
{
	const struct topology *topology = &probe->machine.topology;
	size_t sockets = 0;

	for (size_t i = 0; i < topology->count; i++)
		sockets += topology_reader_cpu(topology, topology->cpus[i].socket) ==
			   (int)topology->cpus[i].cpu;
	return sockets;
}
