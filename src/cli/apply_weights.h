/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon explain --weights=SWEEP --apply -- COMMAND: weights are set while COMMAND runs. */
#ifndef CXLMON_CLI_APPLY_WEIGHTS_H
#define CXLMON_CLI_APPLY_WEIGHTS_H

#include "cli/options.h"
#include "show/explain/weights.h"

/* options->status becomes COMMAND's. Without weights that are better, nothing runs: EXIT_FAILED. */
int apply_weights(struct options *options, const struct weights *weights, struct error *err);

#endif
