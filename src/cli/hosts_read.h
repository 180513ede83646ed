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
 * visitor may be NULL. Three errors do not end the reading:
 * - a recording cannot be opened: it is left out
 * - a recording is damaged: it is read up to the damage
 * - a recording has no sample between --from and --to: it is a host without samples
 *
 * The last error of these is in *failure (.code 0: none); earlier ones are printed. Returns 0 or a
 * negative errno. ERROR_USAGE: as playback_open(). If no recording could be opened, copies *failure
 * to *err, and returns its .code.
 */
int hosts_read(const struct options *options, const struct hosts_visitor *visitor,
	       struct hosts *hosts, struct error *failure, struct error *err);

/* Logs a warning for each difference that makes a comparison of hosts doubtful. */
void hosts_warn(struct host *const *hosts, size_t count, const struct log *log);

#endif
