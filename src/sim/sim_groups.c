/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups of tasks of a simulated machine (region_groups=): the default group, and those. The tasks
 * of each have as large a part of every CPU's time, and wait as sim_stalls.h says.
 */
#include <errno.h>
#include <math.h>

#include "base/error.h"
#include "platform/task_groups.h"
#include "sim/sim_machine.h"
#include "sim/sim_stalls.h"

static const char *const names[] = {
	"/",   "g1",  "g2",  "g3",  "g4",  "g5",  "g6",	 "g7",	"g8",  "g9",  "g10",
	"g11", "g12", "g13", "g14", "g15", "g16", "g17", "g18", "g19", "g20", "g21",
	"g22", "g23", "g24", "g25", "g26", "g27", "g28", "g29", "g30", "g31",
};

static int open_groups(struct platform *p, struct task_groups *out, struct error *err)
{
	const struct sim *sim = sim_of(p);

	if (!sim->spec.region_groups || sim->spec.facts->vendor != SIM_INTEL)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "resctrl: this simulated machine has no groups of tasks: expected "
				 "an Intel processor and region_groups=, as "
				 "--sim=cwf,region_groups=2");
	*out = (struct task_groups){names, sim->spec.region_groups + 1};
	return 0;
}

static void read_group(struct platform *p, size_t group, uint64_t wall_ns, struct group_counts *out)
{
	const struct sim *sim = sim_of(p);
	const struct sim_stalls stalls = sim_stalls_of(&sim->spec);
	const unsigned groups = sim->spec.region_groups + 1;

	(void)group;
	out->at_ns = sim_time_of(sim, wall_ns);
	const long double cycles = SIM_CORE_GHZ * out->at_ns * sim->core_count / groups;
	out->counts[GROUP_CYCLES] = (double)floorl(cycles);
	out->counts[GROUP_STALLED_CYCLES] =
		(double)floorl(cycles * stalls.demand / (100 * stalls.cycles));
}

const struct task_group_ops sim_task_groups = {
	.open = open_groups,
	.read = read_group,
};
