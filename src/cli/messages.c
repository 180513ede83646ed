/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/messages.h"

#include <stdio.h>

static void write_message(void *context, enum log_level level, const char *text)
{
	const struct options *options = context;
	const enum log_level most = options->verbose ? LEVEL_DETAIL : LEVEL_NOTE;

	if (!options->quiet && level <= most)
		fprintf(stderr, "cxlmon: %s\n", text);
}

struct log messages_log(const struct options *options)
{
	return (struct log){.write = write_message, .context = (void *)options};
}

void messages_error(const struct error *err)
{
	fprintf(stderr, "cxlmon: %s\n", err->text);
}
