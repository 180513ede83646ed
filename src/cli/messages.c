/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/messages.h"

#include <stdio.h>
#include <unistd.h>

#define LINE_SIZE 1024 /* of the longest text of an error, and what stands around it */

/* Two threads may have something to say: a line is written at once, so that none is torn. */
static void write_line(const char *text)
{
	char line[LINE_SIZE];
	const int length = snprintf(line, sizeof(line), "cxlmon: %s\n", text);

	if (length < 0 || (size_t)length >= sizeof(line))
		return;
	const ssize_t ignored = write(STDERR_FILENO, line, (size_t)length);
	(void)ignored;
}

static void write_message(void *context, enum log_level level, const char *text)
{
	const struct options *options = context;
	const enum log_level most = options->verbose ? LEVEL_DETAIL : LEVEL_NOTE;

	if (!options->quiet && level <= most)
		write_line(text);
}

struct log messages_log(const struct options *options)
{
	return (struct log){.write = write_message, .context = (void *)options};
}

void messages_error(const struct error *err)
{
	write_line(err->text);
}
