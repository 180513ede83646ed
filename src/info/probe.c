/* SPDX-License-Identifier: BSD-3-Clause */
#include "info/probe.h"

#include <stdio.h>

#include "session/session.h"

static void keep_remark(void *context, enum log_level level, const char *text)
{
	struct probe *probe = context;

	if (level == LEVEL_WARNING && probe->remark_count < PROBE_REMARKS)
		snprintf(probe->remarks[probe->remark_count++], sizeof(probe->remarks[0]), "%s",
			 text);
}

static void look_at_cpu(struct probe *probe)
{
	const unsigned cpu = probe->machine.topology.cpus[0].cpu;

	cpuid_brand(probe->platform, cpu, probe->brand, NULL);
	core_pmu_detect(probe->platform, cpu, &probe->pmu, &probe->pmu_error);
}

int probe_open(const char *sim, const char *root, struct probe *out, struct error *err)
{
	*out = (struct probe){.platform = NULL};
	const struct log log = {.write = keep_remark, .context = out};
	int rc = platform_open(sim, root, &log, &out->platform, err);

	if (rc)
		return rc;
	if (!machine_open(out->platform, &out->machine, &out->machine_error))
		out->machine_error = out->machine.uncore_error;
	if (out->machine.topology.count)
		look_at_cpu(out);
	else
		out->pmu_error = out->machine_error;
	return 0;
}

void probe_close(struct probe *probe)
{
	if (probe->platform)
		machine_close(&probe->machine);
	platform_destroy(probe->platform);
}

size_t probe_sockets(const struct probe *probe)
{
	const struct topology *topology = &probe->machine.topology;
	size_t sockets = 0;

	for (size_t i = 0; i < topology->count; i++)
		sockets += topology_first_cpu(topology, topology->cpus[i].socket) ==
			   (int)topology->cpus[i].cpu;
	return sockets;
}
