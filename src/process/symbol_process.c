/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/symbols_private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "linux/rights/rights.h"
#include "linux/run/process.h"

/* Descriptors of each process, which otherwise has only standard error. */
#define INPUT  STDIN_FILENO
#define OUTPUT STDOUT_FILENO

#define PIPE_BYTES (1 << 20) /* limit for an unprivileged user: pipe(7) */
/* address space of cxlmon-symbols, whose tables take at most 2 GiB */
#define MEMORY_BYTES (UINT64_C(3) << 30)

/* Sets up a process whose children are not waited for: they end by themselves. */
static bool begin_process(const char *name, int input, int output)
{
	signal(SIGCHLD, SIG_IGN);
	return helper_begin(name, (const int[]){[INPUT] = input, [OUTPUT] = output}, 2);
}

static bool give_up_rights(enum rights_role role, const struct sudo_user *caller)
{
	return !rights_give_up(&(struct rights_use){.role = role, .caller = *caller}, NULL);
}

__attribute__((noreturn)) static void read_files(const struct elf_library *library, int opener,
						 int answers, const struct sudo_user *caller)
{
	const struct rlimit memory = {MEMORY_BYTES, MEMORY_BYTES};

	if (!begin_process("cxlmon-symbols", opener, answers))
		_exit(EXIT_FAILURE);
	FILE *kernel = fopen("/proc/kallsyms", "re");
	if ((!RIGHTS_INSTRUMENTED && setrlimit(RLIMIT_AS, &memory)) ||
	    !give_up_rights(RIGHTS_SYMBOLS, caller))
		_exit(EXIT_FAILURE);
	symbol_reader_run(library, kernel, INPUT, OUTPUT);
	_exit(EXIT_SUCCESS);
}

__attribute__((noreturn)) static void open_files(const struct elf_library *library, int questions,
						 int answers, const struct sudo_user *caller)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		_exit(EXIT_FAILURE);
	const pid_t child = fork();
	if (!child)
		read_files(library, ends[1], answers, caller);
	if (child < 0 || !begin_process("cxlmon-opener", questions, ends[0]) ||
	    !give_up_rights(RIGHTS_OPENER, caller))
		_exit(EXIT_FAILURE);
	symbol_opener_run(INPUT, OUTPUT);
	_exit(EXIT_SUCCESS);
}

/* The run. */

static int start_process(const struct elf_library *library, const struct sudo_user *caller,
			 struct symbol_process *out)
{
	int questions[2], answers[2];

	if (pipe2(questions, O_CLOEXEC))
		return -errno;
	if (pipe2(answers, O_CLOEXEC)) {
		const int code = -errno;

		close(questions[0]);
		close(questions[1]);
		return code;
	}
	fcntl(answers[1], F_SETPIPE_SZ, PIPE_BYTES); /* a failure only leaves the pipe shorter */
	out->pid = fork();
	if (!out->pid) {
		close(questions[1]);
		close(answers[0]);
		open_files(library, questions[0], answers[1], caller);
	}
	const int code = out->pid < 0 ? -errno : 0;
	close(questions[0]);
	close(answers[1]);
	out->questions = questions[1];
	out->answers = answers[0];
	fcntl(out->questions, F_SETFL, O_NONBLOCK);
	fcntl(out->answers, F_SETFL, O_NONBLOCK);
	return code;
}

int symbol_process_start(const struct sudo_user *caller, struct symbol_process *out,
			 struct error *err)
{
	struct elf_library library;

	*out = (struct symbol_process){.questions = -1, .answers = -1};
	int rc = elf_library_load(&library, err);
	if (rc)
		return rc;
	rc = start_process(&library, caller, out);
	if (!rc)
		return 0;
	out->pid = 0;
	return error_set(err, ERROR_FAILED, rc,
			 "the process that finds names of functions cannot be started: %s",
			 strerror(-rc));
}

/*
 * The message is shorter than PIPE_BUF: it is written whole, or not at all. A run ignores SIGPIPE.
 */
bool symbol_process_ask(struct symbol_process *process, const struct symbol_question *question)
{
	return write(process->questions, question, sizeof(*question)) == sizeof(*question);
}

int symbol_process_next(struct symbol_process *process, int wait_ms, struct symbol_answer *out)
{
	struct pollfd there = {.fd = process->answers, .events = POLLIN};

	if (wait_ms)
		poll(&there, 1, wait_ms);
	const ssize_t got = read(process->answers, out, sizeof(*out));
	if (got < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -ECHILD;
	if (got != sizeof(*out))
		return -ECHILD;
	out->function[sizeof(out->function) - 1] = '\0';
	return 1;
}

void symbol_process_stop(struct symbol_process *process)
{
	if (process->questions >= 0)
		close(process->questions);
	if (process->answers >= 0)
		close(process->answers);
	*process = (struct symbol_process){.questions = -1, .answers = -1};
}
