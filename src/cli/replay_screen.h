/* SPDX-License-Identifier: BSD-3-Clause */
/* A recording on the screen. */
#ifndef CXLMON_CLI_REPLAY_SCREEN_H
#define CXLMON_CLI_REPLAY_SCREEN_H

#include "cli/options.h"
#include "record/recording_file.h"

/* Fails with ERROR_USAGE without a terminal, or if other options conflict with the screen. */
int replay_screen_check(const struct options *options, struct error *err);

/*
 * Shows the samples one after another, as fast as they were taken, until somebody quits; -EINTR: by
 * a signal, whose number is in options->status.
 */
int replay_screen(struct options *options, struct replay *replay, struct error *err);

#endif
