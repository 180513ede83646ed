/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon --help, cxlmon --help=TOPIC, and cxlmon help. */
#ifndef CXLMON_HELP_H
#define CXLMON_HELP_H

#include <stddef.h>
#include <stdio.h>

#include "platform/error.h"

/* The usage and the most common options (topic NULL), or a topic. EXIT_USAGE: there is none such.
 */
int help_print(const char *topic, FILE *out, struct error *err);

/* Prints that of a topic or a subcommand; of neither if name is NULL. Returns the exit status. */
int help_show(const char *name);

/* The name of a topic; NULL: there are no more. */
const char *help_topic(size_t i);

/* The main() of cxlmon help. */
int help_main(int argc, char **argv);

#endif
