/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/text_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/text.h"

#define FIRST_SIZE   4096
#define MAX_OF_LINES ((size_t)1 << 20) /* bytes of a file of lines */

static int refuse(const char *path, const char *why, struct error *err)
{
	return error_set(err, EXIT_USAGE, -EINVAL, "cannot read '%s': %s", quoted(path).text, why);
}

/* Doubles the buffer; read_all() stops at max bytes, so that reading /dev/zero ends. */
static int grow(struct text_file *file, size_t *capacity, struct error *err)
{
	const size_t wanted = *capacity ? *capacity * 2 : FIRST_SIZE;
	char *text = realloc(file->text, wanted);

	if (!text)
		return error_no_memory(err);
	file->text = text;
	*capacity = wanted;
	return 0;
}

static int read_all(FILE *in, const char *path, size_t max, struct text_file *file,
		    struct error *err)
{
	size_t capacity = 0;

	while (!feof(in)) {
		if (capacity - file->size <= 1) {
			int rc = grow(file, &capacity, err);
			if (rc)
				return rc;
		}
		errno = 0;
		file->size += fread(file->text + file->size, 1, capacity - file->size - 1, in);
		if (ferror(in))
			return refuse(path, strerror(errno), err);
		if (file->size > max)
			return refuse(path, "file too large", err);
	}
	file->text[file->size] = '\0';
	return 0;
}

int text_file_read(const char *path, size_t max, struct text_file *out, struct error *err)
{
	FILE *in = fopen(path, "re");

	*out = (struct text_file){0};
	if (!in)
		return refuse(path, strerror(errno), err);

	int rc = read_all(in, path, max, out, err);
	fclose(in);
	if (rc) {
		free(out->text);
		*out = (struct text_file){0};
	}
	return rc;
}

static int take_line(const char *path, size_t number, char *line, text_line_fn *take, void *context,
		     struct error *err)
{
	struct error why = {0};
	const size_t length = strlen(line);

	if (length && line[length - 1] == '\r')
		line[length - 1] = '\0';
	line = text_trim(line);
	if (!*line || *line == '#')
		return 0;
	const int rc = take(context, line, &why);
	return rc ? error_set(err, why.status, rc, "%s:%zu: %s", quoted(path).text, number,
			      why.text)
		  : 0;
}

int text_file_lines(const char *path, text_line_fn *take, void *context, struct error *err)
{
	struct text_file file;
	int rc = text_file_read(path, MAX_OF_LINES, &file, err);

	if (rc)
		return rc;
	if (strlen(file.text) != file.size)
		rc = error_set(err, EXIT_USAGE, -EINVAL, "'%s' is not a text file",
			       quoted(path).text);
	char *rest = file.text;
	for (size_t number = 1; rest && !rc; number++)
		rc = take_line(path, number, strsep(&rest, "\n"), take, context, err);
	free(file.text);
	return rc;
}
