/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "linux/run/packet.h"

void fuzz_fail(const char *file, int line, const char *condition)
{
	fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
	abort();
}

void input_bytes(struct input *in, void *out, size_t count)
{
	const size_t taken = count < in->left ? count : in->left;

	memset(out, 0, count);
	if (!taken)
		return;
	memcpy(out, in->at, taken);
	in->at += taken;
	in->left -= taken;
}

uint8_t input_u8(struct input *in)
{
	uint8_t value;

	input_bytes(in, &value, sizeof(value));
	return value;
}

uint16_t input_u16(struct input *in)
{
	uint16_t value;

	input_bytes(in, &value, sizeof(value));
	return value;
}

void input_replace(struct input *in, void *message, size_t size)
{
	const size_t at = input_u16(in) % size, count = input_u8(in), room = size - at;

	input_bytes(in, (char *)message + at, count < room ? count : room);
}

bool input_send(struct input *in, bool any_bytes, int socket, struct bytes *message, int fd)
{
	fuzz_require(!message->failed);
	if (any_bytes)
		input_replace(in, message->data, message->size);
	return !packet_send_waiting(socket, message, fd);
}

char *input_text(struct input *in)
{
	char *all = malloc(in->left + 1), *text;

	fuzz_require(all);
	if (in->left)
		memcpy(all, in->at, in->left);
	all[in->left] = '\0';
	text = strdup(all); /* bytes after a NUL are out of reach */
	fuzz_require(text);
	free(all);
	in->left = 0;
	return text;
}

void input_file(struct input *in, struct input_file *out)
{
	out->fd = memfd_create("input", MFD_CLOEXEC);
	fuzz_require(out->fd >= 0);
	fuzz_require(!in->left || write(out->fd, in->at, in->left) == (ssize_t)in->left);
	snprintf(out->path, sizeof(out->path), "/proc/self/fd/%d", out->fd);
	in->left = 0;
}

void input_file_close(struct input_file *file)
{
	close(file->fd);
}

bool fuzz_one_line(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7F)
			return false;
	return true;
}

void fuzz_check_error(int rc, const struct error *err)
{
	fuzz_require(rc < 0);
	fuzz_require(err->code == rc);
	fuzz_require(err->kind >= ERROR_FAILED && err->kind <= ERROR_IN_USE);
	fuzz_require(*err->text);
	fuzz_require(memchr(err->text, '\0', sizeof(err->text)));
	fuzz_require(fuzz_one_line(err->text));
}

void fuzz_check_usage(int rc, const struct error *err)
{
	fuzz_check_error(rc, err);
	fuzz_require(err->kind == ERROR_USAGE);
}
