/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/log.h"

#include <stdarg.h>
#include <stdio.h>

#include "platform/text.h"

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
