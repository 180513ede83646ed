/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a user wants of every screen: lines "NAME = VALUE" of the file cxlmon/screen in
 * $XDG_CONFIG_HOME, or else ~/.config. They choose what is shown, and nothing else: no other
 * output, file or command depends on them. Root's must be a file of root's, or of sudo's caller,
 * whose HOME some systems keep.
 */
#ifndef CXLMON_CLI_SCREEN_DEFAULTS_H
#define CXLMON_CLI_SCREEN_DEFAULTS_H

#include <stdbool.h>

#include "base/error.h"
#include "cli/options.h"

#define SCREEN_DEFAULTS_SIZE 1024

struct screen_defaults {
	char text[SCREEN_DEFAULTS_SIZE]; /* that strings of the options point into */
	bool binary;			 /* units = GiB */
};

/*
 * Sets the options that were not given. 0, also without a file. ERROR_USAGE: the file can't be
 * taken; its contents are not in the message.
 */
int screen_defaults_apply(struct screen_defaults *defaults, struct options *options,
			  struct error *err);

#endif
