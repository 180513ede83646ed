/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

void log_write(const struct log *log, enum log_level level, const char *format, ...)
{
	if (!log->write)
		return;

	char text[512];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	one_line(text);
	log->write(log->context, level, text);
}

static void write_once(void *context, enum log_level level, const char *text)
{
	struct once_log *log = context;

	for (size_t i = 0; i < log->count; i++)
		if (!strcmp(log->texts[i], text))
			return;
	const int rc = array_room(&log->texts, log->count, 1, sizeof(*log->texts));
	char *copy = rc ? NULL : strdup(text);

	if (copy)
		log->texts[log->count++] = copy;
	log_write(&log->next, level, "%s", text);
}

struct log once_log_as_log(struct once_log *log)
{
	return (struct log){.write = write_once, .context = log};
}

void once_log_free(struct once_log *log)
{
	for (size_t i = 0; i < log->count; i++)
		free(log->texts[i]);
	free(log->texts);
}

int error_set(struct error *err, enum error_kind kind, int code, const char *format, ...)
{
	if (!err)
		return code;
	err->code = code;
	err->kind = kind;
	err->command[0] = '\0';

	va_list args;
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	one_line(err->text);
	return code;
}

int error_no_memory(struct error *err)
{
	return error_set(err, ERROR_FAILED, -ENOMEM, "out of memory");
}

/* Tells if a string from another process, in any encoding, is one line. */
static bool is_one_line(const char *text, size_t size)
{
	const char *end = memchr(text, '\0', size);

	while (end && text < end && !iscntrl((unsigned char)*text))
		text++;
	return text == end;
}

bool error_is_valid(const struct error *err)
{
	return is_one_line(err->text, sizeof(err->text)) &&
	       is_one_line(err->command, sizeof(err->command)) &&
	       (!err->code ||
		(err->code < 0 && err->code >= -ERRNO_MOST && err->kind >= ERROR_FAILED &&
		 err->kind <= ERROR_IN_USE && *err->text));
}

void error_hint(struct error *err, const char *command)
{
	if (err)
		snprintf(err->command, sizeof(err->command), "%s", command);
}
