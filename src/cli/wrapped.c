/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/wrapped.h"

#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LEAST_COLUMNS 24 /* of a line behind its indentation; a narrower terminal wraps */

int wrapped_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		return 0;
	return size.ws_col;
}

void wrapped_print(FILE *out, const char *text, int used, int indent, int width)
{
	bool first = true; /* word of its line */

	if (width < indent + LEAST_COLUMNS) {
		fprintf(out, "%s\n", text);
		return;
	}
	while (*text) {
		const int length = (int)strcspn(text, " ");

		if (!first && used + 1 + length > width) {
			fprintf(out, "\n%*s", indent, "");
			used = indent;
			first = true;
		}
		used += fprintf(out, "%s%.*s", first ? "" : " ", length, text);
		first = false;
		text += length;
		text += strspn(text, " ");
	}
	putc('\n', out);
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
