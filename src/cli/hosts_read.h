/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the recordings of several hosts, for report, compare and explain. */
#ifndef CXLMON_CLI_HOSTS_READ_H
#define CXLMON_CLI_HOSTS_READ_H

#include "base/error.h"
#include "cli/common.h"
#include "record/recording_file.h"
#include "show/hosts/hosts.h"

/* Functions that are called for each recording, its samples and its end. Return 0 or -ENOMEM. */
struct hosts_visitor {
	int (*begin)(void *context, const struct recording_file *file);
	int (*sample)(void *context, struct recording_file *file);
	int (*end)(void *context);
	void *context;
};

/*
 * Reads the recordings in options->operands, one after the other, and calls hosts_conclude().
 * Recordings that cannot be opened are left out, and damaged ones are read up to the damage. The
 * last error of this kind is in *failure (.code 0: none); earlier ones are printed. visitor NULL:
 * none. Returns 0 or a negative errno. ERROR_USAGE: as playback_open(). If no recording could be
 * opened, returns *failure.
 */
int hosts_read(const struct options *options, const struct hosts_visitor *visitor,
	       struct hosts *hosts, struct error *failure, struct error *err);

/* Logs a warning for each difference that makes a comparison of hosts doubtful. */
void hosts_warn(struct host *const *hosts, size_t count, const struct log *log);

#endif
