/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS	      " \t"
#define DECIMAL	      "0123456789"
#define HEXADECIMAL   DECIMAL "abcdefABCDEF"
#define LETTERS	      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define NAME_ALPHABET LETTERS DECIMAL "_.:-"
#define CUT	      "..."

struct quoted quoted(const char *text)
{
	struct quoted out;
	const size_t max = sizeof(out.text) - sizeof(CUT);
	size_t used = 0;

	for (; *text && used < max; text++)
		out.text[used++] = *text >= ' ' && *text <= '~' ? *text : '?';
	strcpy(&out.text[used], *text ? CUT : "");
	return out;
}

bool text_number(const char *text, uint64_t *value)
{
	const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *digits = hex ? text + 2 : text;

	/* strtoull() would also accept blanks, signs and a second 0x */
	if (!*digits || digits[strspn(digits, hex ? HEXADECIMAL : DECIMAL)])
		return false;
	errno = 0;
	*value = strtoull(digits, NULL, hex ? 16 : 10);
	return !errno;
}

bool text_is_name(const char *text)
{
	const size_t length = strspn(text, NAME_ALPHABET);

	return length && length < EVENT_NAME_SIZE && !text[length];
}

char *text_trim(char *text)
{
	text += strspn(text, BLANKS);
	size_t length = strlen(text);
	while (length && strchr(BLANKS, text[length - 1]))
		length--;
	text[length] = '\0';
	return text;
}
