/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/sweep/calibration.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"

const char *calibration_name(const struct calibration_run *run, char text[CALIBRATION_NAME_SIZE])
{
	static const char *const names[CALIBRATION_KERNELS] = {
		[KERNEL_CHASE] = "chase",
		[KERNEL_STREAM] = "stream",
		[KERNEL_STORES] = "stores",
	};
	char chains[12] = "";

	if (run->kernel == KERNEL_CHASE)
		snprintf(chains, sizeof(chains), " %u", run->chains);
	snprintf(text, CALIBRATION_NAME_SIZE, "%s%s", names[run->kernel], chains);
	return text;
}

double calibration_slowdown(const struct calibration_run *run)
{
	const double in_dram = run->dram.cycles / run->dram.work;
	const double slowdown = run->cxl.cycles / run->cxl.work / in_dram;

	return isfinite(slowdown) ? slowdown : NAN;
}

int calibration_runs_add(struct calibration_runs *all, const struct calibration_run *run)
{
	if (array_room(&all->runs, all->count, 1, sizeof(*all->runs)))
		return -ENOMEM;
	all->runs[all->count++] = *run;
	return 0;
}

void calibration_runs_free(struct calibration_runs *all)
{
	free(all->runs);
	*all = (struct calibration_runs){.count = 0};
}
