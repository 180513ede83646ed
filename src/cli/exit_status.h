/* SPDX-License-Identifier: BSD-3-Clause */
/* Exit statuses; scripts rely on them. */
#ifndef CXLMON_CLI_EXIT_STATUS_H
#define CXLMON_CLI_EXIT_STATUS_H

#include "base/error.h"

enum exit_status {
	EXIT_OK = 0,
	EXIT_FAILED = 1,       /* failed while running */
	EXIT_USAGE = 2,	       /* wrong usage */
	EXIT_NO_UNIT = 3,      /* this machine has no unit that can be monitored */
	EXIT_PERMISSION = 4,   /* missing permission, or the kernel's configuration forbids it */
	EXIT_IN_USE = 5,       /* another program uses the counters */
	EXIT_CANNOT_RUN = 126, /* COMMAND was found but cannot be executed, as in shells */
	EXIT_NOT_FOUND = 127,  /* COMMAND was not found, as in shells */
	EXIT_SIGNALLED = 128,  /* + n: ended by signal n */
};

/* The exit status of a command that ends with this kind of error. */
enum exit_status exit_status_of(enum error_kind kind);

#endif
