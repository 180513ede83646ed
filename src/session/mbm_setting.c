/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session_private.h"

#include <errno.h>
#include <inttypes.h>

#include "platform/cpus.h"
#include "platform/mbm.h"
#include "platform/reg.h"

int mbm_setting_save(struct mbm_setting *setting, const struct resctrl_source *resctrl,
		     struct error *err)
{
	const struct mbm *mbm = resctrl->mbm;
	const size_t count = !resctrl->set ? 0 : mbm->at_once ? 1 : mbm->count;
	struct undo *undo = &setting->undo;
	char name[REG_NAME_SIZE];
	int rc = 0;

	undo_clear(undo);
	for (size_t i = 0; !rc && i < count; i++) {
		const struct mbm_cache *cache = &mbm->caches[i];
		struct undo_step step = {
			.reg = mbm_register(mbm->at_once ? MBM_EVERY_CACHE : cache->number,
					    resctrl->event),
			.socket = UNDO_THIS_CPU,
			.condition = UNDO_IF_OURS,
			.mask = UINT64_MAX,
		};

		rc = reg_read(resctrl->base.platform, &step.reg, &step.value, err);
		if (!rc && step.value != cache->settings[resctrl->event])
			return error_set(err, ERROR_IN_USE, -EBUSY,
					 "%s: another program has just set it to 0x%02" PRIx64,
					 reg_name(&step.reg, name), step.value);
		undo_begin_unit(undo);
		if (!rc)
			rc = undo_add(undo, &step, err);
		if (!rc)
			rc = undo_add_value(undo, undo->count - 1, MBM_SLOW_READS, err);
	}
	return rc;
}

int mbm_setting_write(struct mbm_setting *setting, struct platform *p, struct error *err)
{
	int rc = mbm_allow(p, err);

	setting->written = setting->undo.count > 0;
	for (size_t i = 0; !rc && i < setting->undo.count; i++)
		rc = reg_write(p, &setting->undo.steps[i].reg, MBM_SLOW_READS, err);
	return rc;
}

int mbm_setting_restore(struct mbm_setting *setting, struct platform *p, struct error *err)
{
	static const struct topology no_cpus;
	struct undo_left left = {0};
	char name[REG_NAME_SIZE];

	if (!setting->written)
		return 0;
	const int rc = undo_apply(p, &setting->undo, 0, setting->undo.count, &no_cpus, &left, err);
	if (left.count)
		log_write(&p->log, LEVEL_WARNING,
			  "%zu setting%s not restored, because another program has changed %s; "
			  "first: %s, which is 0x%02" PRIx64,
			  left.count, left.count == 1 ? "" : "s", left.count == 1 ? "it" : "them",
			  reg_name(&left.first, name), left.value);
	setting->written = rc != 0;
	return rc;
}
