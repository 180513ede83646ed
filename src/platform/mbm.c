/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/mbm.h"

#include <errno.h>
#include <inttypes.h>

#include "platform/guard.h"
#include "platform/platform.h"
#include "platform/reg_address.h"

static const uint32_t defaults[MBM_EVENTS] = {
	[MBM_TOTAL] = MBM_TOTAL_DEFAULT, [MBM_LOCAL] = MBM_LOCAL_DEFAULT};

/* Returns the first cache whose event has another setting; NULL: none. */
static const struct mbm_cache *find_other(const struct mbm *mbm, enum mbm_event event,
					  uint32_t setting)
{
	for (size_t i = 0; i < mbm->count; i++)
		if (mbm->caches[i].settings[event] != setting)
			return &mbm->caches[i];
	return NULL;
}

#define WHY "resctrl: changing what %s counts clears the counts of everybody, and "

int mbm_choose(const struct mbm *mbm, enum mbm_event *event, bool *set, struct error *err)
{
	const char *local = mbm_event_name(MBM_LOCAL);

	*set = false;
	for (int e = MBM_LOCAL; e >= 0; e--) {
		*event = (enum mbm_event)e;
		if (!find_other(mbm, *event, MBM_SLOW_READS))
			return 0;
	}
	for (unsigned e = 0; e < MBM_EVENTS; e++) {
		const struct mbm_cache *other = find_other(mbm, e, defaults[e]);

		if (other)
			return error_set(err, ERROR_IN_USE, -EBUSY,
					 WHY
					 "somebody has set %s of L3 cache %u to 0x%02" PRIx32
					 ", which is not the default 0x%02" PRIx32
					 ": set it back, or to 0x%02x in all caches, which is read "
					 "as it is",
					 local, mbm_event_name(e), other->number,
					 other->settings[e], defaults[e], MBM_SLOW_READS);
	}
	if (*mbm->group)
		return error_set(
			err, ERROR_IN_USE, -EBUSY,
			WHY "there is another group, %s: remove it (sudo rmdir "
			    "/sys/fs/resctrl/%s), or set %s to 0x%02x (%s) in all caches, which is "
			    "read as it is",
			local, mbm->group, mbm->group, local, MBM_SLOW_READS,
			mbm->at_once ? "local_reads_slow_memory,remote_reads_slow_memory"
				     : "as 0=0x30;1=0x30");
	*event = MBM_LOCAL;
	*set = true;
	return 0;
}

struct reg mbm_register(unsigned cache, enum mbm_event event)
{
	return (struct reg){.space = REG_MBM, .bytes = 8, .cpu = cache, .address = event};
}

int mbm_allow(struct platform *p, struct error *err)
{
	const struct guard_rule rule = {
		.space = REG_MBM,
		.first = MBM_TOTAL,
		.last = MBM_LOCAL,
		.mask = MBM_ALL_BITS,
		.denied = ~(uint64_t)MBM_ALL_BITS,
		.what = "QOS_EVT_CFG",
	};

	return guard_allow(&p->guard, &rule) ? error_no_memory(err) : 0;
}
