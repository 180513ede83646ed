/* SPDX-License-Identifier: BSD-3-Clause */
/* What the user should know of the values, once: where they come from, what was not believed. */
#ifndef CXLMON_DIAGNOSTICS_H
#define CXLMON_DIAGNOSTICS_H

#include <stdbool.h>

#include "metrics/view.h"
#include "platform/log.h"

struct diagnostics {
	const struct log *log; /* not owned */
	bool sources_reported, implausible_reported, mismatch_reported;
};

/* After each view_update(). */
void diagnostics_report(struct diagnostics *diagnostics, const struct view *view);

#endif
