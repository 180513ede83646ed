/* SPDX-License-Identifier: BSD-3-Clause */
/* Recordings that cxlmon replay shows again, with user-defined metrics. */
#ifndef CXLMON_CLI_REPLAYED_H
#define CXLMON_CLI_REPLAYED_H

#include "base/error.h"
#include "cli/common.h"
#include "events/event_catalogue.h"
#include "formula/custom_metric.h"
#include "output/sink.h"
#include "probe/hot/print.h"
#include "record/recording_file.h"

/* A recording that is shown again. It must not move in memory: parts point to each other. */
struct replayed {
	struct recording_file file;
	struct event_catalogue catalogue; /* events of its processor, for .metrics */
	struct custom_metrics metrics;
	struct replay replay;
};

/*
 * replay_open.c. Opens a recording with the chosen rows, columns and metrics. Errors as
 * playback_open() and replay_init(); ERROR_USAGE: it lacks something that the options choose.
 * Closed by replay_close(), also after failure.
 */
int replay_open(const struct options *options, const char *name, struct replayed *out,
		struct error *err);
void replay_close(struct replayed *replayed);

/*
 * Finds the format for a recording of cxlmon hot; NULL: not such a recording, or its counters are
 * wanted.
 */
const struct hot_format *replay_format_of_hot(const struct recording_file *file,
					      const struct format *format);

/*
 * replay_hosts.c: shows the recordings of several hosts, options->operands, in the order of time. A
 * recording that cannot be opened, or is damaged, is an error after the others are shown.
 */
int replay_hosts(struct options *options, struct error *err);

#endif
