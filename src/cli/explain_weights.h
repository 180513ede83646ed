/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon explain --weights: which weights of weighted interleave are best. */
#ifndef CXLMON_CLI_EXPLAIN_WEIGHTS_H
#define CXLMON_CLI_EXPLAIN_WEIGHTS_H

#include "cli/options.h"

/* Of the program in options->recorded, by the sweep in options->weights. */
int explain_weights(struct options *options, struct error *err);

#endif
