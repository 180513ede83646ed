/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "platform/number.h"
#include "sim/sim_machine.h"

int sim_device_health(const struct sim *sim, uint64_t t, struct device_health *out)
{
	const struct sim_spec *spec = &sim->spec;

	*out = (struct device_health){
		.state = spec->health,
		.temperature_C = spec->temperature,
		.life_used_pct = spec->life_used,
		.corrected_errors = floor(spec->corrected * (double)t / NS_PER_S),
	};
	return 0;
}
