/* SPDX-License-Identifier: BSD-3-Clause */
/* Standard error: one line a message, "cxlmon: ..." */
#ifndef CXLMON_MESSAGES_H
#define CXLMON_MESSAGES_H

#include "cli/options.h"
#include "platform/log.h"

/* Drops what the options don't want to see. They must outlive the log. */
struct log messages_log(const struct options *options);

void messages_error(const struct error *err);

#endif
