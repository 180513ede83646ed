/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "platform/number.h"
#include "sim/sim_machine.h"

/* Whether the link of a device has changed: that of the first one alone ever does. */
static bool has_changed(const struct sim *sim, const struct cxl_device *device, uint64_t t)
{
	const struct sim_spec *spec = &sim->spec;
	const double s = (double)t / NS_PER_S;

	return device == sim->devices && spec->link_change > 0 && s >= spec->link_change &&
	       !(spec->link_back > 0 && s >= spec->link_back);
}

int sim_device_stats(struct platform *p, const struct cxl_device *listed, uint64_t wall_ns,
		     struct device_stats *out)
{
	const struct sim *sim = sim_of(p);
	const uint64_t t = sim_time_of(sim, wall_ns);
	const struct sim_spec *spec = &sim->spec;
	size_t i = 0;
	const double rates[KERNEL_STATS] = {
		[AER_CORRECTABLE] = spec->aer_correctable,
		[AER_NONFATAL] = spec->aer_nonfatal,
		[AER_FATAL] = spec->aer_fatal,
	};
	static const char *const kinds[KERNEL_STATS] = {
		[AER_CORRECTABLE] = "BadTLP", [AER_NONFATAL] = "CmpltTO", [AER_FATAL] = "SDES"};

	while (i < sim->device_count && strcmp(sim->devices[i].name, listed->name) != 0)
		i++;
	const struct cxl_device *device = i < sim->device_count ? &sim->devices[i] : NULL;
	const bool changed = device && has_changed(sim, device, t);

	*out = (struct device_stats){.kernel = kernel_stats_unknown(t)};
	out->gone = !device || (changed && !spec->link_change_width);
	if (out->gone)
		return -ENODEV;
	for (size_t h = 0; h < device->hop_count; h++) {
		out->links[h] = device->hops[h].now;
		if (changed)
			out->links[h].lanes = spec->link_change_width;
	}
	for (unsigned aer = AER_CORRECTABLE; aer <= AER_FATAL; aer++) {
		const double count = floor(rates[aer] * (double)t / NS_PER_S);

		out->kernel.values[aer] = count;
		if (count > 0)
			aer_kinds_add(&out->kinds, aer, kinds[aer], count);
	}
	return 0;
}

int sim_device_health(struct platform *p, const struct cxl_device *device, uint64_t wall_ns,
		      struct device_health *out)
{
	const struct sim *sim = sim_of(p);
	const struct sim_spec *spec = &sim->spec;

	(void)device; /* all are alike */
	if (sim->snapshot)
		return -ENOENT; /* it does not have it */
	*out = (struct device_health){
		.state = spec->health,
		.temperature_C = spec->temperature,
		.life_used_pct = spec->life_used,
		.corrected_errors =
			floor(spec->corrected * (double)sim_time_of(sim, wall_ns) / NS_PER_S),
	};
	return 0;
}

/* Events of the first memory device, so many a second, of one kind after the other. */

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

bool sim_next_event(struct platform *p, uint64_t wall_ns, struct cxl_event *out, uint64_t *lost)
{
	struct sim *sim = sim_of(p);
	const uint64_t t = sim_time_of(sim, wall_ns);
	const double rate = sim->spec.events;
	/* the nth happens when n / rate seconds have passed */
	const uint64_t at = rate > 0 ? (uint64_t)((double)(sim->events + 1) / rate * NS_PER_S) : 0;

	(void)lost;
	if (!at || at > t || !sim->device_count)
		return false;
	/* from the machine's time to that of day */
	*out = (struct cxl_event){
		.kind = events[sim->events % EVENTS].kind,
		.wall_ns = at + (sim->spec.virtual_clock ? wall_ns : p->ops->wall(p)) - t};
	snprintf(out->device, sizeof(out->device), "%s", sim->devices[0].name);
	snprintf(out->text, sizeof(out->text), "%s", events[sim->events % EVENTS].text);
	sim->events++;
	return true;
}
