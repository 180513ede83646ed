/* SPDX-License-Identifier: BSD-3-Clause */
/* Standard error: one line a message, "cxlmon: ...", in systemd's journal with its priority. */
#ifndef CXLMON_MESSAGES_H
#define CXLMON_MESSAGES_H

#include <stdint.h>

#include "output/summary.h"
#include "platform/error.h"

/* Which messages are printed besides errors. */
enum verbosity {
	NOT_VERBOSE,
	QUIET,	 /* nothing */
	VERBOSE, /* details, too */
};

struct log messages_log(enum verbosity verbosity);

void messages_error(const struct error *err);

/* Written by one call, so that it stays together. */
void messages_summary(const struct summary *summary, const char *processor, uint64_t elapsed_ns);

/* After EXIT_NO_UNIT of a machine that was no simulation (sim NULL): how to do without. */
void messages_try_simulation(int status, const char *sim);

#endif
