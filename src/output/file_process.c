/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/file_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/rootfs.h"
#include "linux/kernel/clock.h"
#include "linux/rights/rights.h"
#include "linux/run/packet.h"
#include "linux/run/process.h"
#include "output/output_file.h"

/* The process's only descriptors besides standard error. */
enum { CHANNEL = STDIN_FILENO, DIRECTORY = STDOUT_FILENO };

enum action { REPLACE, REPLACE_SECOND, OPEN };

struct request {
	enum action what;
	size_t size; /* bytes of the text that follows in other messages; 0 for OPEN */
};

#define TEXT_MOST      ((size_t)1 << 30) /* bytes of a request; a screen keeps tens of megabytes */
#define NEW_FILE_MODE  0644		 /* readable by all: collectors run as other users */
#define RANDOM_LETTERS 6		 /* like mkstemp(3) */
#define ATTEMPTS       100		 /* if a file has that name already */
#define TICK_MS	       50		 /* between checks for the end of waiting */

static void code_request(struct coder *c, struct request *request)
{
	request->what = (enum action)code_count(c, request->what, OPEN);
	request->size = code_count(c, request->size, request->what == OPEN ? 0 : TEXT_MOST);
}

/* Creates a file. Its name begins with a dot and ends at random, so that collectors ignore it. */
static int create_temporary(const struct file_place *file, char name[NAME_MAX + 1])
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345"; /* 32: no bias */
	unsigned char bytes[RANDOM_LETTERS];
	char end[RANDOM_LETTERS + 1] = "";

	for (unsigned i = 0; i < ATTEMPTS; i++) {
		if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
			return -EIO;
		for (size_t n = 0; n < RANDOM_LETTERS; n++)
			end[n] = letters[bytes[n] % (sizeof(letters) - 1)];
		snprintf(name, NAME_MAX + 1, ".%.*s.%s", NAME_MAX - 2 - RANDOM_LETTERS, file->name,
			 end);
		/* the seccomp filter allows exactly these flags */
		const int fd =
			openat(file->directory, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd >= 0 || errno != EEXIST)
			return fd < 0 ? -errno : fd;
	}
	return -EEXIST;
}

/* Chooses the mode for the new file: the old file's, but never set-user-ID. */
static int choose_mode(const struct file_place *file, mode_t *mode)
{
	struct stat st;

	*mode = NEW_FILE_MODE;
	if (!fstatat(file->directory, file->name, &st, AT_SYMLINK_NOFOLLOW))
		*mode = S_ISREG(st.st_mode) ? st.st_mode & 0777 : NEW_FILE_MODE;
	else if (errno != ENOENT)
		return -errno;
	return 0;
}

int replace_file(const struct file_place *file, const char *text, size_t size)
{
	char temporary[NAME_MAX + 1];
	mode_t mode;
	int rc = choose_mode(file, &mode);

	if (rc)
		return rc;
	const int fd = create_temporary(file, temporary);
	if (fd < 0)
		return fd;
	rc = write_all(fd, text, size);
	if (!rc && fchmod(fd, mode))
		rc = -errno;
	if (close(fd) && !rc)
		rc = -errno;
	if (!rc && renameat(file->directory, temporary, file->directory, file->name))
		rc = -errno;
	if (rc)
		unlinkat(file->directory, temporary, 0);
	return rc;
}

/*
 * Tests if files can be created in the directory: creates and removes one. 0 or a negative errno.
 */
static int replace_try(const struct file_place *file)
{
	char temporary[NAME_MAX + 1];
	const int fd = create_temporary(file, temporary);

	if (fd < 0)
		return fd;
	close(fd);
	return unlinkat(file->directory, temporary, 0) ? -errno : 0;
}

/* Sends an answer: an error, whose code is 0 after success, and a descriptor; negative: none. */
static bool send_answer(int channel, struct error *answer, int fd)
{
	struct bytes bytes = {.failed = false};

	code_error(&(struct coder){.out = &bytes}, answer);
	return !packet_send_waiting(channel, &bytes, fd);
}

/* The run's end of the channel, which never blocks. */

static bool is_over(const struct file_process *process)
{
	const uint64_t until = atomic_load(&process->until_ns);

	return (until && clock_monotonic() >= until) ||
	       (process->impatient && process_is_stopped(process->pid));
}

/* Ends the process. Later calls return the same reason. */
static int give_up(struct file_process *process, int reason)
{
	close(process->channel);
	process->channel = reason;
	return reason;
}

/*
 * Waits for an event of poll(2). 0, or -ETIME: the process is given up, since its answer may still
 * come.
 */
static int wait_for(struct file_process *process, short event)
{
	struct pollfd ready = {.fd = process->channel, .events = event};

	while (poll(&ready, 1, TICK_MS) <= 0) {
		if (is_over(process))
			return give_up(process, -ETIME);
	}
	return 0;
}

static int send_message(struct file_process *process, const struct bytes *message)
{
	int rc;

	if (process->channel < 0)
		return process->channel;
	while ((rc = packet_send(process->channel, message)) == -EAGAIN)
		if (wait_for(process, POLLOUT))
			return -ETIME;
	return rc ? -ECHILD : 0;
}

static bool is_file(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode);
}

/*
 * Receives an answer. *fd: the file that was opened; fd NULL: none is. An invalid answer ends the
 * process, which may be compromised.
 */
static int receive_answer(struct file_process *process, struct error *answer, int *fd)
{
	struct packet_buffer buffer;
	struct coder c;
	int got;

	if (wait_for(process, POLLIN))
		return -ETIME;
	packet_receive(process->channel, &buffer, &c, &got);
	code_error(&c, answer);
	if (!c.bad && !c.left && (fd && !answer->code ? got >= 0 && is_file(got) : got < 0)) {
		if (fd)
			*fd = got;
		return 0;
	}
	if (got >= 0)
		close(got);
	return give_up(process, -ECHILD);
}

static int give_up_rights(const struct file_process_use *use, struct error *err)
{
	const struct rights_use rights = {.role = RIGHTS_FILE,
					  .caller = *use->caller,
					  .directory = DIRECTORY,
					  .never_root = use->never_root};
	const bool is_root = !geteuid();
	int rc = rights_give_up(&rights, err);

	if (rc || !use->replaces)
		return rc;
	rc = replace_try(use->place);
	return rc ? error_set(
			    err, ERROR_FAILED, rc, "%s: cannot be replaced: %s; %s", use->name,
			    strerror(-rc),
			    is_root ? "cxlmon gives up root's rights during a run, and then can "
				      "only replace files in a directory of root's or of the user "
				      "who called sudo"
				    : "each sample is a new file in its directory, which must "
				      "be writable")
		  : 0;
}

static int replace_chosen(const struct file_process_use *use, enum action what, const char *text,
			  size_t size)
{
	struct file_place place = *use->place;

	if (what == REPLACE_SECOND && !use->second)
		return -ENOENT;
	if (what == REPLACE_SECOND)
		snprintf(place.name, sizeof(place.name), "%s", use->second);
	return replace_file(&place, text, size);
}

/* Receives a message. Returns false if the run has ended. */
static bool receive_message(int channel, struct packet_buffer *buffer, struct coder *out)
{
	int rc;

	while (!(rc = packet_receive(channel, buffer, out, NULL)))
		packet_wait(channel, POLLIN);
	return rc > 0;
}

/* Receives a text. Returns false if the run has ended, or has sent more than the text. */
static bool receive_text(int channel, struct packet_buffer *buffer, char *text, size_t size)
{
	struct coder part;

	for (size_t got = 0; got < size; got += part.left) {
		if (!receive_message(channel, buffer, &part) || part.left > size - got)
			return false;
		memcpy(text + got, part.at, part.left);
	}
	return true;
}

/* Serves one request. False: the run has ended, or has sent an invalid request. */
static bool serve_request(const struct file_process_use *use, int channel)
{
	struct error answer = {.code = 0};
	struct packet_buffer buffer;
	struct request request = {.size = 0};
	struct coder c;

	if (!receive_message(channel, &buffer, &c))
		return false;
	code_request(&c, &request);
	if (c.bad || c.left)
		return false;
	if (request.what == OPEN) {
		const int fd = output_open_again(use->place, use->name, use->caller, &answer);
		return send_answer(channel, &answer, fd);
	}
	char *text = malloc(request.size + 1); /* not 0 bytes */
	const bool room = text;
	const bool whole = room && receive_text(channel, &buffer, text, request.size);
	const int rc = whole ? replace_chosen(use, request.what, text, request.size) : -ENOMEM;
	if (rc)
		error_set(&answer, ERROR_FAILED, rc, "%s", strerror(-rc));
	free(text);
	return (whole || !room) && send_answer(channel, &answer, -1) && room;
}

void file_process_serve(const struct file_process_use *use, int channel)
{
	while (serve_request(use, channel))
		;
}

__attribute__((noreturn)) static void keep(struct file_process_use use, int channel)
{
	struct file_place place = *use.place;
	struct error answer = {.code = 0};

	if (!helper_begin("cxlmon-file", (const int[]){channel, place.directory}, 2))
		_exit(EXIT_FAILURE);
	place.directory = DIRECTORY;
	use.place = &place;
	const int rc = give_up_rights(&use, &answer);
	if (!send_answer(CHANNEL, &answer, -1) || rc)
		_exit(EXIT_FAILURE);
	file_process_serve(&use, CHANNEL);
	_exit(EXIT_SUCCESS);
}

static int refuse_process(const struct file_process_use *use, int code, struct error *err)
{
	return error_set(err, ERROR_FAILED, code,
			 "%s: the process that reopens it cannot be started: %s", use->name,
			 strerror(-code));
}

int file_process_start(const struct file_process_use *use, struct file_process *out,
		       struct error *err)
{
	struct error answer;
	int channel;
	const pid_t pid = helper_fork(&channel);

	if (pid == 0)
		keep(*use, channel);
	*out = (struct file_process){.pid = pid < 0 ? 0 : pid, .channel = channel};
	if (pid < 0)
		return refuse_process(use, pid, err);
	if (receive_answer(out, &answer, NULL))
		return refuse_process(use, -ECHILD, err);
	out->impatient = use->interactive;
	if (answer.code && err)
		*err = answer;
	return answer.code;
}

/* Sends a request, and a text of request->size bytes in as many messages as it needs. */
static int send_request(struct file_process *process, struct request *request, const char *text)
{
	struct bytes part = {.failed = false};

	code_request(&(struct coder){.out = &part}, request);
	int rc = send_message(process, &part);
	bytes_free(&part);
	for (size_t sent = 0; !rc && sent < request->size; sent += part.size) {
		part.data = (uint8_t *)text + sent;
		part.size = request->size - sent;
		if (part.size > PACKET_BYTES_MOST)
			part.size = PACKET_BYTES_MOST;
		rc = send_message(process, &part);
	}
	return rc;
}

static int ask_to_replace(struct file_process *process, enum action what, const char *text,
			  size_t size)
{
	struct error answer;

	if (size > TEXT_MOST)
		return -EFBIG;
	int rc = send_request(process, &(struct request){what, size}, text);
	if (!rc)
		rc = receive_answer(process, &answer, NULL);
	return rc ? rc : answer.code;
}

int file_process_replace(struct file_process *process, const char *text, size_t size)
{
	return ask_to_replace(process, REPLACE, text, size);
}

int file_process_replace_second(struct file_process *process, const char *text, size_t size)
{
	return ask_to_replace(process, REPLACE_SECOND, text, size);
}

int file_process_open(struct file_process *process, struct error *err)
{
	struct error answer;
	int fd = -1;
	int rc = send_request(process, &(struct request){.what = OPEN}, "");

	if (!rc)
		rc = receive_answer(process, &answer, &fd);
	if (rc)
		return error_set(err, ERROR_FAILED, rc, "the output cannot be opened again: %s",
				 file_process_reason(rc));
	if (answer.code && err)
		*err = answer;
	return answer.code ? answer.code : fd;
}

const char *file_process_reason(int rc)
{
	if (rc == -ETIME)
		return "cxlmon-file, the process that does that, does not answer (it may be stopped)";
	return rc == -ECHILD ? "cxlmon-file, the process that does that, has ended" : strerror(-rc);
}

void file_process_limit(struct file_process *process, uint64_t ns)
{
	atomic_store(&process->until_ns, clock_monotonic() + ns);
}

void file_process_stop(struct file_process *process)
{
	if (!process->pid)
		return;
	if (process->channel >= 0)
		close(process->channel);
	waitpid(process->pid, NULL, WNOHANG);
	*process = (struct file_process){.channel = -1};
}
