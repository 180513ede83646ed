/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/cli_private.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/wrap.h"

#define LINE_SIZE 1024 /* holds the longest text of an error, the prefix and the newline */

/* Priorities of the journal: sd-daemon(3). */
#define PRIORITY_ERROR "<3>"
static const char *const priorities[] = {
	[LEVEL_WARNING] = "<4>",
	[LEVEL_NOTE] = "<6>",
	[LEVEL_DETAIL] = "<7>",
};

/* Returns whether standard error goes to systemd's journal: systemd.exec(5), JOURNAL_STREAM. */
static bool is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	uintmax_t device, inode;
	struct stat st;

	return stream && sscanf(stream, "%ju:%ju", &device, &inode) == 2 &&
	       !fstat(STDERR_FILENO, &st) && st.st_dev == device && st.st_ino == inode;
}

/* Writes a line in one call, so that lines of two threads are not mixed. */
static void write_line(const char *priority, const char *text)
{
	char line[LINE_SIZE];
	const int length =
		snprintf(line, sizeof(line), "%scxlmon: %s\n", is_journal() ? priority : "", text);

	if (length < 0 || (size_t)length >= sizeof(line))
		return;
	const ssize_t ignored = write(STDERR_FILENO, line, (size_t)length);
	(void)ignored;
}

static void write_message(void *context, enum log_level level, const char *text)
{
	(void)context;
	if (level != LEVEL_DETAIL)
		write_line(priorities[level], text);
}

static void write_any_message(void *context, enum log_level level, const char *text)
{
	(void)context;
	write_line(priorities[level], text);
}

struct log messages_log(enum verbosity verbosity)
{
	return (struct log){.write = verbosity == QUIET	    ? NULL
				     : verbosity == VERBOSE ? write_any_message
							    : write_message};
}

void messages_error(const struct error *err)
{
	write_line(PRIORITY_ERROR, err->text);
}

void messages_keep_last(struct error *last, const struct error *err)
{
	if (last->code)
		messages_error(last);
	*last = *err;
}

int messages_pass_on(const struct error *failure, struct error *err)
{
	if (failure->code)
		*err = *failure;
	return failure->code;
}

void messages_summary(const struct summary *summary, const char *processor, uint64_t elapsed_ns,
		      FILE *stream, int width)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	const int rc = summary_print(summary, processor, elapsed_ns, width, out);
	if (!fclose(out) && !rc)
		fputs(text, stream);
	free(text);
}

void messages_try_simulation(int status, const char *sim)
{
	if (status == EXIT_NO_UNIT && !sim)
		write_line(priorities[LEVEL_NOTE],
			   "to try it on a simulated processor: cxlmon --sim=spr");
}

#define LITERAL_START "Usage:"
#define LITERAL_WIDTH 80 /* width of lines that are printed unchanged */

int wrapped_width(void)
{
	return wrapped_columns(STDOUT_FILENO);
}

static bool is_prose(const char *line)
{
	return *line && *line != ' ' && *line != '\n' &&
	       strncmp(line, LITERAL_START, strlen(LITERAL_START)) != 0;
}

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return *line ? line + 1 : line;
}

/*
 * Returns the column of the text after the first two blanks that follow a word, in a row of two
 * columns.
 */
static int second_column(const char *line, size_t length)
{
	const size_t name = strspn(line, " ");
	const char *gap = strstr(line + name, "  ");

	if (!gap || gap >= line + length)
		return (int)name + 2;
	return (int)(gap - line) + (int)strspn(gap, " ");
}

static void put_literal(FILE *out, const char *line)
{
	const size_t length = strcspn(line, "\n");
	const int indent = second_column(line, length);

	if (length <= LITERAL_WIDTH || *line != ' ') {
		fprintf(out, "%.*s\n", (int)length, line);
		return;
	}
	fprintf(out, "%.*s", indent, line);
	wrapped_words(out, line + indent, length - (size_t)indent, indent, indent, HELP_WIDTH);
}

void help_text(FILE *out, const char *text, size_t count)
{
	const char *const end = text + count;

	while (text < end) {
		const char *next = next_line(text);

		while (is_prose(text) && next < end && is_prose(next))
			next = next_line(next);
		if (is_prose(text))
			wrapped_words(out, text, (size_t)((next < end ? next : end) - text), 0, 0,
				      HELP_WIDTH);
		else
			put_literal(out, text);
		text = next;
	}
}
