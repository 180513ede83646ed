/* SPDX-License-Identifier: BSD-3-Clause */
/* What the user should know of the values, once: where they come from, what was not believed. */
#ifndef CXLMON_REMARKS_H
#define CXLMON_REMARKS_H

#include <stdbool.h>

#include "metrics/view.h"
#include "platform/log.h"

struct remarks {
	const struct log *log; /* not owned */
	bool sources_said, implausible_said, mismatch_said;
};

/* After each view_update(). */
void remarks_make(struct remarks *remarks, const struct view *view);

#endif
