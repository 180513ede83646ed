/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/rootfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"

__attribute__((format(printf, 3, 0))) static int write_path(char path[ROOTFS_PATH_SIZE],
							    const char *root, const char *format,
							    va_list args)
{
	const int head = snprintf(path, ROOTFS_PATH_SIZE, "%s%s", root,
				  root[0] && root[strlen(root) - 1] == '/' ? "" : "/");

	if (head < 0 || head >= ROOTFS_PATH_SIZE)
		return -ENAMETOOLONG;
	const int tail = vsnprintf(path + head, (size_t)(ROOTFS_PATH_SIZE - head), format, args);
	return tail < 0 || tail >= ROOTFS_PATH_SIZE - head ? -ENAMETOOLONG : 0;
}

int rootfs_path(char path[ROOTFS_PATH_SIZE], const char *root, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	const int rc = write_path(path, root, format, args);
	va_end(args);
	return rc;
}

__attribute__((format(printf, 3, 0))) static int open_path(int flags, const char *root,
							   const char *format, va_list args)
{
	char path[ROOTFS_PATH_SIZE];
	int fd = write_path(path, root, format, args);

	if (!fd)
		fd = open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	return fd == -1 ? -errno : fd;
}

int rootfs_open(int flags, const char *root, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	const int fd = open_path(flags, root, format, args);
	va_end(args);
	return fd;
}

FILE *rootfs_stream(const char *root, const char *format, ...)
{
	struct stat st;
	va_list args;

	va_start(args, format);
	const int fd = open_path(O_RDONLY, root, format, args);
	va_end(args);
	int code = fd < 0 ? -fd : fstat(fd, &st) ? errno : S_ISREG(st.st_mode) ? 0 : EINVAL;
	FILE *stream = code ? NULL : fdopen(fd, "r");

	if (stream)
		return stream;
	code = code ? code : errno;
	if (fd >= 0)
		close(fd);
	errno = code;
	return NULL;
}

bool rootfs_exists(const char *root, const char *format, ...)
{
	char path[ROOTFS_PATH_SIZE];
	struct stat st;
	va_list args;

	va_start(args, format);
	const int rc = write_path(path, root, format, args);
	va_end(args);
	/* access() would ignore a user's capabilities */
	return !rc && !stat(path, &st);
}

__attribute__((format(printf, 4, 0))) static int read_path(char *text, size_t size,
							   const char *root, const char *format,
							   va_list args)
{
	const int fd = open_path(O_RDONLY, root, format, args);
	ssize_t got = fd;

	if (fd >= 0) {
		got = read(fd, text, size - 1);
		got = got < 0 ? -errno : got;
		close(fd);
	}
	text[got < 0 ? 0 : got] = '\0';
	return (int)got;
}

int rootfs_read(char *text, size_t size, const char *root, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	const int rc = read_path(text, size, root, format, args);
	va_end(args);
	return rc;
}

int rootfs_line(char *line, size_t size, const char *root, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	const int rc = read_path(line, size, root, format, args);
	va_end(args);
	line[strcspn(line, "\n")] = '\0';
	return rc < 0 ? rc : 0;
}

int rootfs_int(const char *root, int fallback, const char *format, ...)
{
	char line[32], *end;
	va_list args;

	va_start(args, format);
	read_path(line, sizeof(line), root, format, args);
	va_end(args);
	errno = 0;
	const long value = strtol(line, &end, 10);
	if (errno || end == line || (*end && *end != '\n') || value < INT_MIN || value > INT_MAX)
		return fallback;
	return (int)value;
}

uint64_t rootfs_number(const char *root, int base, const char *format, ...)
{
	char line[64], *end;
	va_list args;

	va_start(args, format);
	read_path(line, sizeof(line), root, format, args);
	va_end(args);
	const uint64_t number = strtoull(line, &end, base);
	return *end && *end != '\n' ? 0 : number;
}

bool sysfs_index(const char *name, const char *prefix, unsigned *number)
{
	const size_t length = strlen(prefix);
	const char *digits = name + length;

	if (strncmp(name, prefix, length) || !*digits || digits[strspn(digits, "0123456789")])
		return false;
	const unsigned long long value = strtoull(digits, NULL, 10);
	*number = (unsigned)value;
	return value <= UINT_MAX;
}

static int compare_numbers(const void *a, const void *b)
{
	const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
	return (x > y) - (x < y);
}

int sysfs_indices(unsigned **out, size_t *count, const char *prefix, const char *root,
		  const char *format, ...)
{
	char path[ROOTFS_PATH_SIZE];
	unsigned number;
	va_list args;

	va_start(args, format);
	int rc = write_path(path, root, format, args);
	va_end(args);
	DIR *dir = rc ? NULL : opendir(path);
	*out = NULL;
	*count = 0;
	if (!dir)
		return 0;
	for (struct dirent *entry; !rc && (entry = readdir(dir));) {
		if (!sysfs_index(entry->d_name, prefix, &number))
			continue;
		rc = array_room(out, *count, 1, sizeof(**out));
		if (!rc)
			(*out)[(*count)++] = number;
	}
	closedir(dir);
	if (*count)
		qsort(*out, *count, sizeof(**out), compare_numbers);
	return rc;
}

int write_all(int fd, const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size) {
		const ssize_t written = write(fd, at, size);

		if (written < 0 && errno != EINTR)
			return -errno;
		at += written > 0 ? written : 0;
		size -= written > 0 ? (size_t)written : 0;
	}
	return 0;
}

#define READ_SIZE    4095
#define MAX_OF_LINES ((size_t)1 << 20) /* bytes of a file of lines */

static int refuse_path(const char *path, const char *why, struct error *err)
{
	return error_set(err, ERROR_USAGE, -EINVAL, "cannot read '%s': %s", quoted(path).text, why);
}

/* Reads a file, up to max bytes, so that reading /dev/zero ends. */
static int read_all(FILE *in, const char *path, size_t max, struct text_file *file,
		    struct error *err)
{
	while (!feof(in)) {
		if (array_room(&file->text, file->size, READ_SIZE + 1, 1))
			return error_no_memory(err);
		errno = 0;
		file->size += fread(file->text + file->size, 1, READ_SIZE, in);
		if (ferror(in))
			return refuse_path(path, strerror(errno), err);
		if (file->size > max)
			return refuse_path(path, "file too large", err);
	}
	file->text[file->size] = '\0';
	return 0;
}

int text_file_read(const char *path, size_t max, struct text_file *out, struct error *err)
{
	FILE *in = fopen(path, "re");

	*out = (struct text_file){0};
	if (!in)
		return refuse_path(path, strerror(errno), err);

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
	if (!rc)
		return 0;
	error_set(err, why.kind, rc, "%s:%zu: %s", quoted(path).text, number, why.text);
	error_hint(err, why.command);
	return rc;
}

int text_file_lines(const char *path, text_line_fn *take, void *context, struct error *err)
{
	struct text_file file;
	int rc = text_file_read(path, MAX_OF_LINES, &file, err);

	if (rc)
		return rc;
	if (strlen(file.text) != file.size)
		rc = error_set(err, ERROR_USAGE, -EINVAL, "'%s' is not a text file",
			       quoted(path).text);
	char *rest = file.text;
	for (size_t number = 1; rest && !rc; number++)
		rc = take_line(path, number, strsep(&rest, "\n"), take, context, err);
	free(file.text);
	return rc;
}
