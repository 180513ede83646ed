/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/sentence.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void sentence_add(struct sentence *sentence, const char *format, ...)
{
	const size_t used = strlen(sentence->text);
	va_list values;

	va_start(values, format);
	const int length = vsnprintf(sentence->text + used, SENTENCE_SIZE - used, format, values);
	va_end(values);
	if (length < 0 || (int)used + length > sentence->columns ||
	    used + (size_t)length >= SENTENCE_SIZE)
		sentence->text[used] = '\0';
}
