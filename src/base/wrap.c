/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/wrap.h"

#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LEAST_COLUMNS 24 /* shortest line after its indentation; a narrower terminal wraps it */

int wrapped_columns(int fd)
{
	struct winsize size;

	if (!isatty(fd) || ioctl(fd, TIOCGWINSZ, &size) || !size.ws_col)
		return 0;
	return size.ws_col;
}

void wrapped_words(FILE *out, const char *text, size_t count, int used, int indent, int width)
{
	const char *const end = text + count;
	bool first = true; /* first word of a line */

	while (text < end) {
		const size_t rest = (size_t)(end - text), word = strcspn(text, " \n");
		const int length = (int)(word < rest ? word : rest);

		if (!first && used + 1 + length > width) {
			fprintf(out, "\n%*s", indent, "");
			used = indent;
			first = true;
		}
		used += fprintf(out, "%s%.*s", first ? "" : " ", length, text);
		first = false;
		text += length;
		text += strspn(text, " \n");
	}
	putc('\n', out);
}

void wrapped_print(FILE *out, const char *text, int used, int indent, int width)
{
	if (width < indent + LEAST_COLUMNS)
		fprintf(out, "%s\n", text);
	else
		wrapped_words(out, text, strlen(text), used, indent, width);
}

void wrapped_lines(FILE *out, const char *text, int width)
{
	for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
		const int indent = (int)strspn(line, " "), length = (int)(end - line);

		if (!width || length <= width) {
			fprintf(out, "%.*s\n", (int)(end - line), line);
			continue;
		}
		fprintf(out, "%*s", indent, "");
		wrapped_words(out, line + indent, (size_t)(end - line - indent), indent, indent + 3,
			      width);
	}
}

void wrapped_command(FILE *out, const char *command, int indent, int width)
{
	const int further = indent + 2;
	const bool whole = width < indent + LEAST_COLUMNS || strpbrk(command, "'\"");

	fprintf(out, "%*s", indent, "");
	for (int cut; !whole && indent + (int)strlen(command) > width; indent = further) {
		cut = wrapped_cut(command, width - indent - (int)strlen(" \\"));
		if (!cut)
			break;
		fprintf(out, "%.*s \\\n%*s", cut, command, further, "");
		command += cut + 1;
	}
	fprintf(out, "%s\n", command);
}

int wrapped_cut(const char *text, int room)
{
	int end = (int)strlen(text);

	if (!room || end <= room)
		return end;
	for (end = room; end && text[end] != ' ';)
		end--;
	return end;
}
