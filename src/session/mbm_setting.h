/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets what L3 caches count (platform/mbm.h) for a session, and restores it. */
#ifndef CXLMON_SESSION_MBM_SETTING_H
#define CXLMON_SESSION_MBM_SETTING_H

#include "platform/mbm.h"
#include "platform/undo.h"
#include "view/kernel_sources.h"

struct mbm_setting {
	struct undo undo; /* what was set before; to be in the journal before mbm_setting_write() */
	bool written;
};

/*
 * Where the sources have something to set: reads what is set now. ERROR_IN_USE: that has changed
 * since they were opened. Freed by undo_free().
 */
int mbm_setting_save(struct mbm_setting *setting, const struct mbm_sources *sources,
		     struct error *err);

/* Sets it. After an error, too, it must be restored. */
int mbm_setting_write(struct mbm_setting *setting, struct platform *p, struct error *err);

/* Restores what was written, where it is still set so. After an error it can be tried again. */
int mbm_setting_restore(struct mbm_setting *setting, struct platform *p, struct error *err);

#endif
