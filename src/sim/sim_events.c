/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of the first memory device, so many a second, of one kind after the other. */
#include <stdio.h>

#include "platform/number.h"
#include "sim/sim_machine.h"

static const struct {
	enum cxl_event_kind kind;
	const char *text;
} events[] = {
	{CXL_EVENT_AER_CORRECTABLE, "corrected error: CRC errors above the threshold"},
	{CXL_EVENT_DRAM, "DRAM error: ECC error on a host read at device address 0x1f3c0, channel "
			 "1, rank 0, bank group 2, bank 3 (information)"},
	{CXL_EVENT_MEMORY_MODULE, "memory module: temperature changed, 45 C (information)"},
	{CXL_EVENT_POISON,
	 "poison listed at device address 0x1f3c0, 64 bytes, from an error within "
	 "the device"},
};

#define EVENTS (sizeof(events) / sizeof(events[0]))

bool sim_next_event(struct sim *sim, uint64_t t, struct cxl_event *out)
{
	const double rate = sim->spec.events;
	/* the nth happens when n / rate seconds have passed */
	const uint64_t at = rate > 0 ? (uint64_t)((double)(sim->events + 1) / rate * NS_PER_S) : 0;

	if (!at || at > t || !sim->device_count)
		return false;
	*out = (struct cxl_event){.kind = events[sim->events % EVENTS].kind, .wall_ns = at};
	snprintf(out->device, sizeof(out->device), "%s", sim->devices[0].name);
	snprintf(out->text, sizeof(out->text), "%s", events[sim->events % EVENTS].text);
	sim->events++;
	return true;
}
