/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages between a run and cxlmon-file, each of which may be compromised: requests leave only the
 * two files that may be replaced, and answers neither a descriptor nor a wrong reason.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"
#include "linux/run/packet.h"
#include "output/file_process.h"

#define MESSAGES_MOST 16 /* messages whose answers have room in a socket */

static const struct sudo_user nobody = {.known = false};

/* Requests. */

/* Chooses a size that the fuzzer may allocate at once, or that is refused. */
static uint64_t choose_size(struct input *in)
{
	const uint64_t allocated = (uint64_t)16 << 20, refused = (uint64_t)1 << 30;
	uint64_t size = input_u16(in);

	if (size == UINT16_MAX)
		input_bytes(in, &size, sizeof(size));
	return size > allocated && size <= refused ? size % allocated : size;
}

/* Sends a part of a text from the input, unless it is empty. */
static void send_text(int socket, struct input *in, size_t size)
{
	struct bytes part = {.data = malloc(size), .size = size};

	input_bytes(in, part.data, size);
	if (size)
		packet_send(socket, &part);
	free(part.data);
}

/* Sends a request as code_request() of file_process.c codes it, and a text in two messages. */
static void send_request(int socket, struct input *in)
{
	const uint8_t what = input_u8(in);
	const uint64_t size = choose_size(in);
	struct bytes bytes = {.failed = false};
	struct coder c = {.out = &bytes};

	code_varint(&c, what);
	code_varint(&c, size);
	fuzz_require(!packet_send(socket, &bytes));
	bytes_free(&bytes);
	const size_t sent = size < in->left ? size : in->left;
	send_text(socket, in, sent / 2);
	send_text(socket, in, sent - sent / 2);
}

static void send_requests(int socket, struct input *in)
{
	for (unsigned i = 0; i < MESSAGES_MOST && in->left; i++)
		send_request(socket, in);
	fuzz_require(!shutdown(socket, SHUT_WR));
}

/* Checks and removes the directory. */
static void check_directory(const char *path)
{
	DIR *directory = opendir(path);
	const struct dirent *entry;
	struct stat st;

	fuzz_require(directory);
	while ((entry = readdir(directory))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		fuzz_require(!strcmp(entry->d_name, "file") || !strcmp(entry->d_name, "list"));
		fuzz_require(!fstatat(dirfd(directory), entry->d_name, &st, AT_SYMLINK_NOFOLLOW));
		fuzz_require(S_ISREG(st.st_mode));
		fuzz_require(!unlinkat(dirfd(directory), entry->d_name, 0));
	}
	closedir(directory);
	fuzz_require(!rmdir(path));
}

static void serve(struct input *in, const int ends[2])
{
	char path[] = "/tmp/cxlmon-fuzz-XXXXXX";
	struct file_place place = {.name = "file"};
	const bool second = input_u8(in) & 1;
	const struct file_process_use use = {.place = &place,
					     .name = "file",
					     .second = second ? "list" : NULL,
					     .caller = &nobody,
					     .replaces = true};

	fuzz_require(mkdtemp(path));
	place.directory = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	fuzz_require(place.directory >= 0);
	send_requests(ends[0], in);
	file_process_serve(&use, ends[1]);
	close(place.directory);
	check_directory(path);
}

/* Answers. */

static int choose_descriptor(uint8_t choice)
{
	switch (choice % 4) {
	case 1:
		return open("/dev/null", O_WRONLY | O_CLOEXEC);
	case 2:
		return open("/tmp", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	case 3:
		return open("/tmp", O_PATH | O_DIRECTORY | O_CLOEXEC);
	default:
		return -1;
	}
}

/* Sends an answer, whose bytes come partly from the input. */
static void send_answer(int socket, struct input *in)
{
	const uint8_t choice = input_u8(in);
	struct error answer = {.code = -(int)input_u16(in)};
	struct bytes bytes = {.failed = false};

	answer.kind = input_u8(in) % 8;
	if (choice & 8)
		input_bytes(in, answer.text, 16);
	if (choice & 16)
		memset(answer.text, 'a', sizeof(answer.text));
	code_error(&(struct coder){.out = &bytes}, &answer);
	if (choice & 64)
		bytes.size = input_u16(in) % bytes.size + 1;
	fuzz_require(input_send(in, choice & 32, socket, &bytes, choose_descriptor(choice)));
}

static void check_answer(struct file_process *process, bool opens)
{
	struct error err = {0};
	const int rc =
		opens ? file_process_open(process, &err) : file_process_replace(process, "new", 3);
	struct stat st;

	fuzz_require(rc >= -ERRNO_MOST && (opens || rc <= 0));
	fuzz_require(process->channel >= 0 || rc == -ECHILD);
	if (opens && rc < 0)
		fuzz_check_error(rc, &err);
	if (opens && rc >= 0) {
		fuzz_require(!fstat(rc, &st) && S_ISREG(st.st_mode));
		close(rc);
	}
}

static void ask(struct input *in, const int ends[2])
{
	struct file_process process = {.channel = dup(ends[0])};
	const uint8_t opens = input_u8(in);

	for (unsigned i = 0; i < MESSAGES_MOST && in->left; i++)
		send_answer(ends[1], in);
	fuzz_require(!shutdown(ends[1], SHUT_WR));
	for (unsigned i = 0; i < 8 && process.channel >= 0; i++)
		check_answer(&process, opens >> i & 1);
	if (process.channel >= 0)
		close(process.channel);
}

/* Returns the next descriptor of this process. */
static int next_descriptor(void)
{
	const int fd = dup(STDERR_FILENO);

	close(fd);
	return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {.at = data, .left = size};
	const int before = next_descriptor();
	int ends[2];

	fuzz_require(!packet_pair(ends));
	if (input_u8(&in) & 1)
		serve(&in, ends);
	else
		ask(&in, ends);
	close(ends[0]);
	close(ends[1]);
	fuzz_require(next_descriptor() == before);
	return 0;
}
