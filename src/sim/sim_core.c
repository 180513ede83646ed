/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_msr.h"

#include <errno.h>

bool sim_core_in_array(uint32_t msr, uint32_t first, unsigned count, unsigned *index)
{
	*index = msr - first;
	return msr >= first && *index < count;
}

int sim_core_write(uint64_t *where, uint64_t value, uint64_t reserved)
{
	if (value & reserved)
		return -EIO;
	*where = value;
	return 0;
}

void sim_core_add_events(struct sim_core *core, struct sim_counter *counter, uint64_t events,
			 unsigned status_bit, uint64_t now)
{
	if (counter->base + events > SIM_COUNTER_MASK)
		core->global_status |= UINT64_C(1) << status_bit;
	counter->base = (counter->base + events) & SIM_COUNTER_MASK;
	counter->since = now;
}
