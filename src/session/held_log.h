/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of an attempt: shown only if what was tried is what is done. */
#ifndef CXLMON_SESSION_HELD_LOG_H
#define CXLMON_SESSION_HELD_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct held_log {
	struct log *log; /* not owned */
	struct log shown;
	struct held_message *messages;
	size_t count;
};

/* Holds what is written to *log until held_log_end(). Neither may move until then. */
void held_log_begin(struct held_log *held, struct log *log);

/* Makes *log as it was, and writes to it or drops what was held. */
void held_log_end(struct held_log *held, bool show);

#endif
