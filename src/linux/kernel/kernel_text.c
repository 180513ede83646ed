/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/kernel/kernel_text.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

int kernel_text_read(int fd, char text[KERNEL_TEXT_MOST], struct span *out)
{
	size_t length = 0;
	ssize_t got = 1;

	for (; got && length < KERNEL_TEXT_MOST; length += (size_t)got) {
		got = pread(fd, text + length, KERNEL_TEXT_MOST - length, (off_t)length);
		if (got < 0)
			return -errno;
	}
	*out = (struct span){text, text + length};
	return got ? -EFBIG : 0;
}

double kernel_text_number(int fd)
{
	char text[KERNEL_TEXT_MOST];
	struct span whole, line;

	if (fd < 0 || kernel_text_read(fd, text, &whole) || !span_line(&whole, &line))
		return NAN;
	return span_number(line);
}

bool span_line(struct span *text, struct span *line)
{
	const char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));

	if (!newline)
		return false;
	*line = (struct span){text->at, newline};
	text->at = newline + 1;
	return true;
}

struct span span_word(struct span *line)
{
	struct span word;

	while (line->at < line->end && *line->at == ' ')
		line->at++;
	word.at = line->at;
	while (line->at < line->end && *line->at != ' ')
		line->at++;
	word.end = line->at;
	return word;
}

bool span_is(struct span word, const char *text)
{
	const size_t length = (size_t)(word.end - word.at);

	return strlen(text) == length && !memcmp(word.at, text, length);
}

double span_number(struct span word)
{
	uint64_t number = 0;

	if (word.at == word.end)
		return NAN;
	for (; word.at < word.end; word.at++) {
		if (*word.at < '0' || *word.at > '9' ||
		    __builtin_mul_overflow(number, 10U, &number) ||
		    __builtin_add_overflow(number, (unsigned)(*word.at - '0'), &number))
			return NAN;
	}
	return (double)number;
}
