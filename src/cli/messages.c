/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/messages.h"

#include <stdio.h>
#include <unistd.h>

#define LINE_SIZE 1024 /* holds the longest text of an error, the prefix and the newline */

/* Written by one call, so that lines of two threads are not mixed. */
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
	(void)context;
	if (level != LEVEL_DETAIL)
		write_line(text);
}

static void write_any_message(void *context, enum log_level level, const char *text)
{
	(void)context;
	(void)level;
	write_line(text);
}

struct log messages_log(bool quiet, bool verbose)
{
	return (struct log){.write = quiet ? NULL : verbose ? write_any_message : write_message};
}

void messages_error(const struct error *err)
{
	write_line(err->text);
}

void messages_try_simulation(const struct error *err, const char *sim)
{
	if (err->status == EXIT_NO_UNIT && !sim)
		write_line("to try it on a simulated processor: cxlmon --sim=spr");
}
