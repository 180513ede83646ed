/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/survey.h"

#include <stdio.h>

static void keep_remark(void *context, enum log_level level, const char *text)
{
	struct survey *survey = context;

	if (level == LEVEL_WARNING && survey->remark_count < SURVEY_REMARKS)
		snprintf(survey->remarks[survey->remark_count++], sizeof(survey->remarks[0]), "%s",
			 text);
}

static void look_at_cpu(struct survey *survey)
{
	const unsigned cpu = survey->machine.topology.cpus[0].cpu;

	cpuid_brand(survey->platform, cpu, survey->brand, NULL);
	core_pmu_detect(survey->platform, cpu, &survey->pmu, &survey->pmu_error);
}

int survey_open(const struct target *target, struct survey *out, struct error *err)
{
	*out = (struct survey){.platform = NULL};
	const struct log log = {.write = keep_remark, .context = out};
	int rc = target_open(target->sim, target->root, &log, &out->platform, err);

	if (rc)
		return rc;
	machine_open(out->platform, &out->machine, &out->machine_error);
	if (out->machine.topology.count)
		look_at_cpu(out);
	else
		out->pmu_error = out->machine_error;
	return 0;
}

void survey_close(struct survey *survey)
{
	if (survey->platform)
		machine_close(&survey->machine);
	platform_destroy(survey->platform);
}

size_t survey_sockets(const struct survey *survey)
{
	const struct topology *topology = &survey->machine.topology;
	size_t sockets = 0;

	for (size_t i = 0; i < topology->count; i++)
		sockets += topology_first_cpu(topology, topology->cpus[i].socket) ==
			   (int)topology->cpus[i].cpu;
	return sockets;
}
