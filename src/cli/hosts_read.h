/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading of the recordings of several hosts, for report, compare and explain. */
#ifndef CXLMON_CLI_HOSTS_READ_H
#define CXLMON_CLI_HOSTS_READ_H

#include "base/error.h"
#include "cli/common.h"
#include "record/recording_file.h"
#include "show/hosts/hosts.h"

/* Further use of the recordings; each function returns 0 or -ENOMEM. */
struct hosts_visitor {
	int (*begin)(void *context, const struct recording_file *file);
	int (*sample)(void *context, struct recording_file *file);
	int (*end)(void *context);
	void *context;
};

/*
 * Reads all recordings in options->operands, one after the other, and concludes. Those that cannot
 * be read are left out, and damaged ones are read up to the damage; *failure is the last such
 * error, and earlier ones are printed (code 0: none). visitor NULL: none. ERROR_FAILED: none could
 * be read. ERROR_USAGE.
 */
int hosts_read(const struct options *options, const struct hosts_visitor *visitor,
	       struct hosts *hosts, struct error *failure, struct error *err);

/* Warns of differences that make a comparison of hosts doubtful. */
void hosts_warn(struct host *const *hosts, size_t count, const struct log *log);

#endif
