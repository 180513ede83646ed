/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/append.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_SIZE 4096

/* Returns the beginning of a new file; NULL: out of memory. */
static char *make_beginning(const struct sink *sink, size_t *size)
{
	struct sink copy = *sink;
	char *text = NULL;

	copy.out = open_memstream(&text, size);
	if (!copy.out)
		return NULL;
	int rc = sink->format->begin(&copy);
	if (sink->format->end)
		sink->format->end(&copy);
	if (fclose(copy.out) || rc) {
		free(text);
		return NULL;
	}
	return text;
}

/* Reads up to the end of the file. Returns the number of bytes, or a negative errno. */
static ssize_t read_at(int fd, char *bytes, size_t size, off_t at)
{
	size_t got = 0;

	while (got < size) {
		const ssize_t n = pread(fd, bytes + got, size - got, at + (off_t)got);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n == 0)
			break;
		got += n > 0 ? (size_t)n : 0;
	}
	return (ssize_t)got;
}

/* Tells if the file begins as a new one would: 1 or 0, or a negative errno. */
static int compare_beginning(int fd, const struct sink *sink)
{
	size_t size = 0;
	char *text = make_beginning(sink, &size), *found = text ? malloc(size + 1) : NULL;
	const ssize_t got = found ? read_at(fd, found, size, 0) : -ENOMEM;
	const int rc = got < 0 ? (int)got : got == (ssize_t)size && !memcmp(found, text, size);

	free(found);
	free(text);
	return rc;
}

/* Finds the end of the last line feed. */
static int find_last_line(int fd, off_t size, off_t *end)
{
	char block[BLOCK_SIZE];

	for (*end = size; *end > 0;) {
		const off_t from = *end > BLOCK_SIZE ? *end - BLOCK_SIZE : 0;
		const ssize_t got = read_at(fd, block, (size_t)(*end - from), from);

		if (got < 0)
			return (int)got;
		const char *feed = memrchr(block, '\n', (size_t)got);
		*end = feed ? from + (feed - block) + 1 : from;
		if (feed)
			break;
	}
	return 0;
}

int append_find_end(int fd, const char *name, const struct sink *sink, off_t *end,
		    struct error *err)
{
	struct stat st;
	int rc = fstat(fd, &st) ? -errno : 0;

	*end = 0;
	if (!rc && !st.st_size)
		return 0;
	if (!rc)
		rc = compare_beginning(fd, sink);
	if (rc == 0)
		return error_set(err, ERROR_FAILED, -EEXIST,
				 "%s: has other columns than this run, and cannot be continued: "
				 "choose the same metrics and events as there, or another file",
				 name);
	if (rc > 0)
		rc = find_last_line(fd, st.st_size, end);
	return rc < 0 ? error_set(err, ERROR_FAILED, rc, "%s: cannot be read: %s", name,
				  strerror(-rc))
		      : 0;
}
