/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon explain --what-if: how much longer a program would take with its memory in CXL. */
#ifndef CXLMON_CLI_EXPLAIN_WHAT_IF_H
#define CXLMON_CLI_EXPLAIN_WHAT_IF_H

#include "cli/options.h"

/*
 * Runs use, which prints samples as options->format and .target say it, once these are of a
 * prediction by the calibration in options->calibration. ERROR_USAGE: there is none.
 */
int explain_what_if(struct options *options, int (*use)(struct options *options, struct error *err),
		    struct error *err);

#endif
