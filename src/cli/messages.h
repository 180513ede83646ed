/* SPDX-License-Identifier: BSD-3-Clause */
/* Standard error: one line a message, "cxlmon: ..." */
#ifndef CXLMON_MESSAGES_H
#define CXLMON_MESSAGES_H

#include <stdbool.h>

#include "platform/error.h"
#include "platform/log.h"

/* quiet: nothing; verbose: details, too. */
struct log messages_log(bool quiet, bool verbose);

void messages_error(const struct error *err);

/* After an error of a machine that has nothing to monitor: how to do without (sim NULL: it was no
 * simulation). */
void messages_try_simulation(const struct error *err, const char *sim);

#endif
