/* SPDX-License-Identifier: BSD-3-Clause */
/* Recordings that cxlmon replay shows, with user-defined metrics. */
#ifndef CXLMON_CLI_REPLAYED_H
#define CXLMON_CLI_REPLAYED_H

#include "base/error.h"
#include "cli/common.h"
#include "events/event_catalogue.h"
#include "formula/custom_metric.h"
#include "output/sink.h"
#include "probe/hot/print.h"
#include "record/recording_file.h"

/* A recording that is shown. It must not be moved, because its members point to each other. */
struct replayed {
	struct recording_file file;
	struct event_catalogue catalogue; /* events of the recorded processor, for .metrics */
	struct custom_metrics metrics;
	struct replay replay;
};

/*
 * replay_open.c. Opens a recording with the chosen rows, columns and metrics. Returns 0 or a
 * negative errno. ERROR_USAGE: the recording lacks something that the options choose. Other errors
 * as playback_open() and replay_init(). Closed by replay_close(), also after failure.
 */
int replay_open(const struct options *options, const char *name, struct replayed *out,
		struct error *err);
void replay_close(struct replayed *replayed);

/*
 * Returns the format for sampled loads that corresponds to the chosen `format`. NULL: the recording
 * is not of cxlmon hot, or `format` is only for counters.
 */
const struct hot_format *replay_format_of_hot(const struct recording_file *file,
					      const struct format *format);

/*
 * replay_hosts.c: shows samples of several hosts' recordings, options->operands, in the order of
 * time. If a recording cannot be opened or is damaged, shows the others, and then returns the
 * error.
 */
int replay_hosts(struct options *options, struct error *err);

#endif
