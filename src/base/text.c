/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"

#define DELETE 0x7F

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

const char *text_last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

void one_line(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == DELETE)
			*text = '?';
}

static void append_text(char *text, size_t size, const char *format, va_list args)
{
	const size_t used = strlen(text);

	vsnprintf(text + used, size - used, format, args);
}

void text_append(char *text, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	append_text(text, size, format, args);
	va_end(args);
}

void text_list(char *text, size_t size, const char *format, ...)
{
	va_list args;

	if (*text)
		text_append(text, size, ", ");
	va_start(args, format);
	append_text(text, size, format, args);
	va_end(args);
}

void text_choice(char *text, size_t size, const char *word, bool last)
{
	text_append(text, size, "%s%s", !*text ? "" : last ? " or " : ", ", word);
}

bool text_same_word(const char *a, const char *b)
{
	const size_t length = strcspn(a, ",");

	return length == strcspn(b, ",") && !strncmp(a, b, length);
}

const char *text_next_word(const char *list)
{
	list += strcspn(list, ",");
	return list + (*list == ',');
}

bool text_has_word(const char *list, const char *word)
{
	while (*list && !text_same_word(list, word))
		list = text_next_word(list);
	return *list;
}

int text_fit(const char *text, const char *separator, int columns)
{
	int length = (int)strlen(text);

	while (length > columns) {
		int before = length - 1;

		while (before > 0 && strncmp(text + before, separator, strlen(separator)) != 0)
			before--;
		if (!before)
			break;
		length = before;
	}
	return length;
}

int text_lines(const char *text, int columns)
{
	int lines = 0;

	for (; *text; text += strspn(text, " "), lines++)
		text += text_fit(text, " ", columns);
	return lines;
}

int text_longest_word(const char *text)
{
	int longest = 0;

	for (; *text; text += strspn(text, " ")) {
		const int length = (int)strcspn(text, " ");

		longest = length > longest ? length : longest;
		text += length;
	}
	return longest;
}

int strings_add(struct strings *list, const char *text)
{
	int rc = array_room(&list->at, list->count, 1, sizeof(*list->at));

	if (!rc)
		list->at[list->count++] = text;
	return rc;
}

void strings_free(struct strings *list)
{
	free(list->at);
	*list = (struct strings){.count = 0};
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

static unsigned least_of(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/*
 * Returns the number of letters to insert, remove or replace, or neighbours to swap (optimal string
 * alignment); b is shorter than EVENT_NAME_SIZE.
 */
static unsigned edit_distance(const char *a, const char *b)
{
	const size_t rows = strlen(a), columns = strlen(b);
	unsigned distance[3]
			 [EVENT_NAME_SIZE]; /* [i % 3][j]: of the first i of a and first j of b */

	for (size_t j = 0; j <= columns; j++)
		distance[0][j] = (unsigned)j;
	for (size_t i = 1; i <= rows; i++) {
		const unsigned *second_last = distance[(i + 1) % 3], *last = distance[(i + 2) % 3];
		unsigned *row = distance[i % 3];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= columns; j++) {
			row[j] = least_of(last[j - 1] + !same_letter(a[i - 1], b[j - 1]),
					  least_of(last[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
			    same_letter(a[i - 2], b[j - 1]))
				row[j] = least_of(row[j], second_last[j - 2] + 1);
		}
	}
	return distance[rows % 3][columns];
}

/* Tells if a name continues the typed letters only with words, such as "_MBps". */
static bool is_beginning(const char *typed, const char *name)
{
	const size_t length = strlen(typed);

	return !strncasecmp(typed, name, length) && (name[length] == '_' || name[length] == '.');
}

struct text_nearest text_nearest_start(const char *typed)
{
	return (struct text_nearest){.typed = typed, .distance = (unsigned)(strlen(typed) / 3) + 1};
}

void text_nearest_add(struct text_nearest *nearest, const char *name)
{
	unsigned distance;

	if (strlen(nearest->typed) >= EVENT_NAME_SIZE)
		return;
	distance = is_beginning(nearest->typed, name) ? 1 : edit_distance(name, nearest->typed);
	if (distance >= nearest->distance)
		return;
	nearest->distance = distance;
	nearest->name = name;
}

/* Forms of a character's first byte. Source: RFC 3629. */
static const struct form {
	unsigned char mask, lead; /* the byte & mask is lead */
	size_t bytes;
	uint32_t least; /* the smallest number that does not fit in fewer bytes */
} forms[] = {
	{0x80, 0x00, 1, 0},
	{0xE0, 0xC0, 2, 0x80},
	{0xF0, 0xE0, 3, 0x800},
	{0xF8, 0xF0, 4, 0x10000},
};

struct code_range {
	uint32_t first, last;
};

/* Control and format characters of Unicode. */
static const struct code_range hidden[] = {
	{0x0000, 0x001F}, {0x007F, 0x009F}, {0x00AD, 0x00AD},	{0x061C, 0x061C},
	{0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F},	{0xD800, 0xDFFF},
	{0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE0FFF},
};

/* Decodes the character at text. Returns its bytes; 0: it is invalid. */
static size_t decode_character(const char *text, uint32_t *number)
{
	const unsigned char *at = (const unsigned char *)text;

	for (size_t f = 0; f < sizeof(forms) / sizeof(forms[0]); f++) {
		const struct form *form = &forms[f];

		if ((at[0] & form->mask) != form->lead)
			continue;
		*number = at[0] & (unsigned char)~form->mask;
		for (size_t i = 1; i < form->bytes; i++) {
			if ((at[i] & 0xC0) != 0x80)
				return 0;
			*number = *number << 6 | (at[i] & 0x3F);
		}
		return *number >= form->least && *number <= 0x10FFFF ? form->bytes : 0;
	}
	return 0;
}

/* Blocks of wide characters. Source: EastAsianWidth.txt of Unicode, W and F; emoji. */
static const struct code_range wide[] = {
	{0x1100, 0x115F},   {0x2E80, 0x303E},	{0x3041, 0xA4CF},   {0xA960, 0xA97F},
	{0xAC00, 0xD7A3},   {0xF900, 0xFAFF},	{0xFE30, 0xFE6F},   {0xFF01, 0xFF60},
	{0xFFE0, 0xFFE6},   {0x17000, 0x18DFF}, {0x1B000, 0x1B2FF}, {0x1F300, 0x1F64F},
	{0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD},
};

/* Blocks of characters that combine with the one before. Source: their Unicode charts. */
static const struct code_range combining[] = {
	{0x0300, 0x036F}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},
	{0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
};

static bool is_in(const struct code_range *ranges, size_t count, uint32_t number)
{
	for (size_t i = 0; i < count; i++)
		if (number >= ranges[i].first && number <= ranges[i].last)
			return true;
	return false;
}

#define IS_IN(ranges, number) is_in(ranges, sizeof(ranges) / sizeof((ranges)[0]), number)

/* Moves *text to the next character, and returns the columns of this one. */
static int next_columns(const char **text)
{
	uint32_t number = 0;
	const size_t bytes = decode_character(*text, &number);

	*text += bytes ? bytes : 1;
	if (!bytes)
		return 1;
	return IS_IN(wide, number) ? 2 : IS_IN(combining, number) ? 0 : 1;
}

int text_columns(const char *text)
{
	int columns = 0;

	while (*text)
		columns += next_columns(&text);
	return columns;
}

int text_padding(const char *text, int columns)
{
	return columns + (int)strlen(text) - text_columns(text);
}

size_t text_beginning(const char *text, int columns)
{
	const char *at = text, *fits = text;

	while (*at && (columns -= next_columns(&at)) >= 0)
		fits = at;
	return (size_t)(fits - text);
}

size_t text_printable_bytes(const char *text)
{
	uint32_t number;
	const size_t bytes = decode_character(text, &number);

	return bytes && !IS_IN(hidden, number) ? bytes : 0;
}

const char *printable(const char *text, char *out, size_t size)
{
	size_t used = 0;

	while (*text) {
		uint32_t number;
		const size_t bytes = decode_character(text, &number);
		const bool shown = bytes && !IS_IN(hidden, number);
		const size_t wanted = shown ? bytes : 1;

		if (used + wanted >= size)
			break;
		memcpy(out + used, shown ? text : "?", wanted);
		used += wanted;
		text += bytes ? bytes : 1;
	}
	out[used] = '\0';
	return out;
}

bool text_is_printable(const char *text, size_t size)
{
	const char *end = memchr(text, '\0', size);

	while (end && text < end) {
		const size_t bytes = text_printable_bytes(text);

		if (!bytes)
			return false;
		text += bytes;
	}
	return end;
}

static bool parse_number(const char **at, unsigned long *value)
{
	char *end;

	if (!isdigit((unsigned char)**at))
		return false;
	errno = 0;
	*value = strtoul(*at, &end, 10);
	*at = end;
	return !errno;
}

/* A number, or two with a '-' between them, both inclusive. */
struct range {
	unsigned long first, last;
};

static bool parse_range(const char **at, struct range *range)
{
	if (!parse_number(at, &range->first))
		return false;
	range->last = range->first;
	if (**at != '-')
		return true;
	++*at;
	return parse_number(at, &range->last) && range->last >= range->first;
}

/* Parses the whole list. Returns true if it is valid, and sets *found if it contains number. */
static bool parse_list(const char *list, unsigned long number, bool *found)
{
	for (;; list++) {
		struct range range;

		if (!parse_range(&list, &range))
			return false;
		*found |= number >= range.first && number <= range.last;
		if (*list != ',')
			return !*list;
	}
}

bool numlist_valid(const char *list)
{
	bool found = false;
	return parse_list(list, 0, &found);
}

bool numlist_contains(const char *list, unsigned number)
{
	bool found = false;
	return parse_list(list, number, &found) && found;
}

int numlist_read(const char *list, unsigned limit, unsigned **out, size_t *count)
{
	*out = NULL;
	*count = 0;
	if (!numlist_valid(list))
		return -EINVAL;
	bool *marked = calloc(limit, sizeof(*marked));
	int rc = marked ? 0 : -ENOMEM;

	for (bool more = true; !rc && more; more = *list++) {
		struct range range = {0};

		parse_range(&list, &range);
		if (range.last >= limit)
			rc = -ERANGE;
		else
			memset(marked + range.first, true, range.last - range.first + 1);
	}
	for (unsigned n = 0; !rc && n < limit; n++) {
		rc = marked[n] ? array_room(out, *count, 1, sizeof(**out)) : 0;
		if (!rc && marked[n])
			(*out)[(*count)++] = n;
	}
	free(marked);
	if (rc) {
		free(*out);
		*out = NULL;
		*count = 0;
	}
	return rc;
}
