/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/serve/serving_private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/library.h"
#include "base/number.h"
#include "linux/kernel/clock.h"
#include "linux/run/process.h"

#define PIPE_BYTES  (1 << 20) /* the most for any user: /proc/sys/fs/pipe-max-size */
#define PATIENCE_NS NS_PER_S  /* for a server that does not read, or does not end */
#define POLL_NS	    2000000

/* Exit status of a shell, and of the dynamic linker if a library is missing. */
#define STATUS_NOT_STARTED 127

/* Finds this program's file: by /proc or, if that is not mounted, by its name at the start. */
static void find_own(char path[PATH_MAX])
{
	const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);

	if (length > 0)
		path[length] = '\0';
	else
		snprintf(path, PATH_MAX, "%s", (const char *)getauxval(AT_EXECFN));
}

#ifdef CXLMON_STATIC

/* Finds the server: the same file with another name, see main(). */
static int find_program(char path[PATH_MAX], struct error *err)
{
	(void)err;
	find_own(path);
	return 0;
}

#else

/* Places relative to the folder of cxlmon: installed, and as built. */
static const char *const places[] = {"../libexec/cxlmon/cxlmon-http", "cxlmon-http"};

static int find_program(char path[PATH_MAX], struct error *err)
{
	char own[PATH_MAX];

	find_own(own);
	char *slash = strrchr(own, '/');
	if (slash)
		*slash = '\0';
	for (size_t i = 0; slash && i < sizeof(places) / sizeof(places[0]); i++)
		if (snprintf(path, PATH_MAX, "%s/%s", own, places[i]) < PATH_MAX &&
		    !access(path, X_OK))
			return 0;
	return error_set(
		err, ERROR_FAILED, -ENOENT,
		"cannot find the HTTP server, cxlmon-http, next to %s: install cxlmon again",
		slash ? own : "cxlmon");
}

#endif

/*
 * Runs the server, in the child. Descriptors below 4 are taken only after all three were moved out
 * of their way.
 */
__attribute__((noreturn)) static void run(const char *path, int texts, int ready, int listener)
{
	char *const argv[] = {HTTP_PROGRAM, NULL};
	const int from[] = {texts, ready, listener};
	const int to[] = {HTTP_TEXTS, HTTP_READY, HTTP_LISTENER};
	int moved[3];

	/*
	 * clears a user's ambient capabilities, which the server would have; it drops root's itself
	 */
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	for (size_t i = 0; i < 3; i++)
		moved[i] = fcntl(from[i], F_DUPFD_CLOEXEC, HTTP_LISTENER + 1);
	for (size_t i = 0; i < 3; i++)
		if (moved[i] < 0 || dup2(moved[i], to[i]) < 0)
			_exit(EXIT_FAILURE);
	/* libpci opens configuration space without O_CLOEXEC */
	close_files(HTTP_LISTENER + 1, true);
	execv(path, argv);
	_exit(STATUS_NOT_STARTED);
}

/* Waits for the byte that the server sends when it runs. */
static int await_process(struct http_process *http, int ready, struct error *err)
{
	char command[ERROR_COMMAND_SIZE], byte;
	int status = 0;
	ssize_t got;

	do
		got = read(ready, &byte, 1);
	while (got < 0 && errno == EINTR);
	if (got == 1)
		return 0;
	waitpid(http->pid, &status, 0);
	http->ended = true;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != STATUS_NOT_STARTED)
		return error_set(err, ERROR_FAILED, -EIO, "the HTTP server cannot be started");
	package_command("/", "libmicrohttpd12", command);
	error_set(err, ERROR_FAILED, -ELIBACC, "cannot load the HTTP library (libmicrohttpd)%s%s",
		  *command ? "; to install it: " : "", command);
	error_hint(err, command);
	return -ELIBACC;
}

static int start_process(int listener, const char *path, struct http_process *http,
			 struct error *err)
{
	int texts[2], ready[2];

	if (pipe2(texts, O_CLOEXEC))
		return error_set(err, ERROR_FAILED, -errno, "pipe: %s", strerror(errno));
	http->texts = texts[1];
	int rc = pipe2(ready, O_CLOEXEC) ? -errno : 0;
	if (!rc) {
		http->pid = fork();
		if (http->pid == 0)
			run(path, texts[0], ready[1], listener);
		rc = http->pid < 0 ? -errno : 0;
		close(ready[1]);
	}
	close(texts[0]);
	if (rc) {
		http->pid = 0;
		return error_set(err, ERROR_FAILED, rc, "the HTTP server cannot be started: %s",
				 strerror(-rc));
	}
	rc = await_process(http, ready[0], err);
	close(ready[0]);
	/* if this is refused, a large text takes several writes */
	fcntl(http->texts, F_SETPIPE_SZ, PIPE_BYTES);
	fcntl(http->texts, F_SETFL, O_NONBLOCK);
	return rc;
}

int http_process_start(int listener, struct http_process *out, struct error *err)
{
	char path[PATH_MAX];
	int rc = find_program(path, err);

	*out = (struct http_process){.texts = -1};
	if (!rc)
		rc = start_process(listener, path, out, err);
	close(listener);
	return rc;
}

/* Writes the bytes that the pipe takes in time; returns their number. */
static size_t send_some(const struct http_process *http, const char *bytes, size_t size)
{
	const uint64_t until = clock_monotonic() + PATIENCE_NS;
	struct pollfd room = {.fd = http->texts, .events = POLLOUT};
	size_t sent = 0;

	while (sent < size) {
		const ssize_t n = write(http->texts, bytes + sent, size - sent);

		if (n > 0)
			sent += (size_t)n;
		else if (n < 0 && errno != EAGAIN && errno != EINTR)
			break; /* the server has ended */
		else if (clock_monotonic() >= until || process_is_stopped(http->pid))
			break;
		else
			poll(&room, 1, (int)(PATIENCE_NS / 1000000));
	}
	return sent;
}

/* Sends the rest of the last message before the next one: a message must not be cut off. */
static bool send_rest(struct http_process *http)
{
	const size_t sent = send_some(http, http->rest, http->rest_size);

	if (sent < http->rest_size) {
		http->rest_size -= sent;
		memmove(http->rest, http->rest + sent, http->rest_size);
		return false;
	}
	free(http->rest);
	http->rest = NULL;
	http->rest_size = 0;
	return true;
}

void http_process_publish(struct http_process *http, const struct message *head, const char *text)
{
	if (!send_rest(http))
		return;
	http->rest = malloc(sizeof(*head) + message_bytes(head));
	if (!http->rest)
		return;
	memcpy(http->rest, head, sizeof(*head));
	memcpy(http->rest + sizeof(*head), text, message_bytes(head));
	http->rest_size = sizeof(*head) + message_bytes(head);
	send_rest(http);
}

bool http_process_failed(struct http_process *http)
{
	if (http->pid && !http->ended)
		http->ended = waitpid(http->pid, NULL, WNOHANG) == http->pid;
	return http->ended;
}

void http_process_stop(struct http_process *http)
{
	const struct timespec pause = {.tv_nsec = POLL_NS};

	if (http->texts >= 0)
		close(http->texts);
	http->texts = -1;
	free(http->rest);
	http->rest = NULL;
	http->rest_size = 0;
	if (!http->pid)
		return;
	for (uint64_t waited = 0;
	     !http_process_failed(http) && !process_is_stopped(http->pid) && waited < PATIENCE_NS;
	     waited += POLL_NS)
		nanosleep(&pause, NULL);
	if (!http->ended && !kill(http->pid, SIGKILL))
		waitpid(http->pid, NULL, 0);
	http->pid = 0;
}
